package suite

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

// origin returns the place of the changed key of the cause that changed the most pixels, in the
// scene's file or that of a bulk table. A key that is gone is given by its table, and what stands in
// no file any more by the first line of the scene's.
func (r *Result) origin() Place {
	place := Place{File: r.Scene, Line: 1}
	i := slices.IndexFunc(r.Why.Causes, func(c regress.Cause) bool {
		return c.Subject != regress.SubjectRenderer && (c.Pixels > 0 || c.Alone > 0)
	})
	if i < 0 {
		return place
	}
	cause := &r.Why.Causes[i]
	if row, ok := r.changedRow(cause); ok {
		return row
	}
	w := writing{
		accepted: sources{scene: r.before, files: r.acceptedFiles, data: r.acceptedSource},
		present:  sources{scene: r.present, files: r.presentFiles, data: r.source},
		moves:    r.At != nil,
	}
	if line, ok := w.line(cause); ok {
		place.Line = line
	}
	return place
}

// changedRow returns the row of a bulk table that a cause is about, and false if it is about
// something else or the row is as it was: then the change stands in the scene's file.
func (r *Result) changedRow(cause *regress.Cause) (Place, bool) {
	if cause.Subject != regress.SubjectSolid || cause.Present < 0 {
		return Place{}, false
	}
	file, line, ok := r.present.BulkLine(cause.Present)
	if !ok {
		return Place{}, false
	}
	now := bulkRow(r.present, r.presentFiles, cause.Present)
	if cause.Accepted >= 0 && now.equal(bulkRow(r.before, r.acceptedFiles, cause.Accepted)) {
		return Place{}, false
	}
	return Place{File: file, Line: line}, true
}

// A row is a line of a bulk table's file, and the line that names its columns.
type row struct{ header, fields string }

func (r row) equal(other row) bool { return r == other && r != row{} }

// field returns what the row has in a column, or "".
func (r row) field(column string) string {
	table, err := csv.NewReader(strings.NewReader(r.header + "\n" + r.fields)).ReadAll()
	if err != nil || len(table) != 2 {
		return ""
	}
	for i, name := range table[0] {
		if strings.TrimSpace(name) == column {
			return strings.TrimSpace(table[1][i])
		}
	}
	return ""
}

// bulkRow returns the row of a solid, or none if it has a table of its own.
func bulkRow(s *scene.Scene, files osfile.Recorder, number int) row {
	_, line, ok := s.BulkLine(number)
	if !ok {
		return row{}
	}
	from, _ := s.Origin(number)
	data := files.Files[from.File.Path]
	return row{header: headerLine(data), fields: textLine(data, line)}
}

// headerLine returns the line of a bulk table's file that names its columns: a byte order mark and
// blank lines may stand before it.
func headerLine(data []byte) string {
	text, _ := tomltext.Text(data) // the scene was decoded from it, so it is UTF-8
	for line := range bytes.Lines(text) {
		if header := strings.TrimSpace(string(line)); header != "" {
			return header
		}
	}
	return ""
}

// textLine returns a line, counted from 1.
func textLine(data []byte, number int) string {
	for line := range bytes.Lines(data) {
		if number--; number == 0 {
			return strings.TrimSpace(string(line))
		}
	}
	return ""
}

// A sources is a scene and the files that it was read from.
type sources struct {
	scene *scene.Scene
	files osfile.Recorder
	data  []byte
	root  map[string]any // the values of the scene's file
}

func (d *sources) parse() {
	// The scene was decoded from it, so there is no error.
	d.root, _ = tomltext.Parse(d.data, scene.KindNames()...)
}

// value returns the value of a key of a table, or of a table if the key is "".
func (d *sources) value(t table, key string) any {
	v := d.root[t.name]
	switch list := v.(type) {
	case []map[string]any:
		if t.index >= len(list) {
			return nil
		}
		v = list[t.index]
	case []any:
		if t.index >= len(list) {
			return nil
		}
		v = list[t.index]
	}
	if key == "" {
		return v
	}
	values, _ := v.(map[string]any)
	return values[key]
}

// tables returns the tables of an array.
func (d *sources) tables(name string) (all []any) {
	for {
		next := d.value(table{name, len(all)}, "")
		if next == nil {
			return all
		}
		all = append(all, next)
	}
}

// A table is one of a scene's file.
type table struct {
	name  string
	index int // in an array of tables; -1 if there is only one
}

func (t table) path() string {
	if t.index < 0 {
		return t.name
	}
	return fmt.Sprintf("%s[%d]", t.name, t.index)
}

// solidTable returns the table from which a solid comes: its own, the bulk table of its file, or a
// placement.
func (d *sources) solidTable(number int) table {
	from, _ := d.scene.Origin(number) // d.scene was read from a file
	return table{from.Table, from.Index}
}

// material returns the name of a solid's material, or "".
func (d *sources) material(number int) string {
	if name := bulkRow(d.scene, d.files, number).field("material"); name != "" {
		return name
	}
	name, _ := d.value(d.solidTable(number), "material").(string)
	return name
}

// writing is what was written in the accepted scene, and what is in the present one.
type writing struct {
	accepted, present sources
	moves             bool // the pictures are those at a time
}

// line returns the line of the scene's file that a cause is about, and false if nothing of it is
// there.
func (w *writing) line(cause *regress.Cause) (int, bool) {
	w.accepted.parse()
	w.present.parse()
	text, _ := tomltext.Text(w.present.data)
	paths := w.paths(cause)
	if w.moves {
		paths = append(w.animatePaths(cause), paths...)
	}
	places := tomltext.Locate(text, paths)
	for _, p := range paths {
		if at := places[p]; at.Found {
			return 1 + bytes.Count(text[:at.Key.Start], []byte("\n")), true
		}
	}
	return 0, false
}

// animatePaths returns the paths of the [[animate]] tables that give the key of a cause other values than
// in the accepted scene.
func (w *writing) animatePaths(cause *regress.Cause) (paths []string) {
	if len(cause.Changes) == 0 {
		return nil
	}
	key, _, _ := strings.Cut(cause.Changes[0].Key, "[")
	is := func(changed string) bool {
		return changed == key || key == "rotation" && slices.Contains(rotationKeys(), changed)
	}
	was := w.accepted.tables("animate")
	for i, values := range w.present.tables("animate") {
		isKnown := slices.ContainsFunc(was, func(other any) bool { return reflect.DeepEqual(other, values) })
		target, _ := values.(map[string]any)["target"].(string)
		if !isKnown && is(target[1+strings.LastIndexByte(target, '.'):]) {
			paths = append(paths, table{"animate", i}.path()+".values")
		}
	}
	return paths
}

// paths returns the paths of keys that a cause may be about, the likeliest first.
func (w *writing) paths(cause *regress.Cause) []string {
	key := ""
	if len(cause.Changes) > 0 {
		key = cause.Changes[0].Key
	}
	switch cause.Subject {
	case regress.SubjectSolid:
		if cause.Present >= 0 {
			return w.solidPaths(cause, key)
		}
	case regress.SubjectPlacement:
		if cause.Present >= 0 {
			return w.placementPaths(cause, key)
		}
	case regress.SubjectPart:
		return w.partPaths(cause.Part, key)
	case regress.SubjectLight:
		if cause.Present >= 0 {
			return keyPaths(table{"light", cause.Present}.path(), key)
		}
	case regress.SubjectCamera:
		return keyPaths("camera", key)
	case regress.SubjectImage, regress.SubjectAntialias:
		return keyPaths("image", key)
	case regress.SubjectBackground:
		return append(keyPaths("image.background", key), "image")
	case regress.SubjectAmbient, regress.SubjectShadows, regress.SubjectBounces:
		return keyPaths("shading", key)
	}
	return nil
}

// solidPaths does so for a solid that is in the present scene.
func (w *writing) solidPaths(cause *regress.Cause, key string) []string {
	own := w.present.solidTable(cause.Present)
	if cause.Accepted < 0 {
		return w.tablePaths(key, own, own, "")
	}
	material := w.present.material(cause.Present)
	if material != w.accepted.material(cause.Accepted) {
		material = ""
	}
	return w.tablePaths(key, w.accepted.solidTable(cause.Accepted), own, material)
}

// partPaths does so for a key in a part, such as capsule[0].radius.
func (w *writing) partPaths(name, key string) []string {
	paths := keyPaths("part."+tomltext.QuoteKey(name), key)
	solid, own, _ := strings.Cut(key, "].")
	kind, digits, _ := strings.Cut(solid, "[")
	index, err := strconv.Atoi(digits)
	parts, _ := w.present.root["part"].(map[string]any)
	part, _ := parts[name].(map[string]any)
	in := sources{root: part}
	material, _ := in.value(table{kind, index}, "material").(string)
	if err != nil || material == "" || !slices.Contains(surfaceKeys(), own) {
		return paths
	}
	return append(keyPaths("material."+tomltext.QuoteKey(material), own), paths...)
}

// surfaceKeys returns what causes call the keys of a material.
func surfaceKeys() []string {
	return []string{"color", "mirror", "checker", "checker.color", "checker.size"}
}

// placementPaths does so for a placement that is in the present scene.
func (w *writing) placementPaths(cause *regress.Cause, key string) []string {
	was, own := table{"place", cause.Accepted}, table{"place", cause.Present}
	material, _ := w.present.value(own, "material").(string)
	if cause.Accepted < 0 || material != w.accepted.value(was, "material") {
		material = ""
	}
	return w.tablePaths(key, was, own, material)
}

// tablePaths returns the paths of what may be written for a key of a table, which was another in the
// accepted scene. Both have the named material; if it is "", what they have differs.
func (w *writing) tablePaths(key string, was, own table, material string) []string {
	switch {
	case slices.Contains(surfaceKeys(), key):
		if material != "" {
			return keyPaths("material."+tomltext.QuoteKey(material), key)
		}
		return []string{own.path() + ".material", own.path() + ".color", own.path()}
	case key == "rotation":
		return w.rotationPaths(was, own)
	default:
		return keyPaths(own.path(), key)
	}
}

// rotationKeys returns the keys that are ways to write a rotation.
func rotationKeys() []string { return []string{"rotate", "axis", "angle", "quaternion", "axes"} }

// rotationPaths returns the ways to write a rotation, those first whose value is another one.
func (w *writing) rotationPaths(was, own table) []string {
	var changed, same []string
	for _, key := range rotationKeys() {
		p := own.path() + "." + key
		if reflect.DeepEqual(w.present.value(own, key), w.accepted.value(was, key)) {
			same = append(same, p)
		} else {
			changed = append(changed, p)
		}
	}
	return slices.Concat(changed, same, []string{own.path()})
}

// keyPaths returns where a key of a table may stand, such as center[1] or center, and what is around it.
func keyPaths(table, key string) []string {
	var paths []string
	for key != "" {
		paths = append(paths, table+"."+key)
		key = key[:max(0, strings.LastIndexAny(key, "[."))]
	}
	return append(paths, table)
}
