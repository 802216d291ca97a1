package scene

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
)

// animation reads the tables [animation] and [[animate]]. own must be the scene's own file.
func (l *loader) animation(own *source) {
	l.readAnimation(own.raw.animation)
	m := &motion{raw: make(map[rawElement]map[string]any), optionalCamera: l.optionalCamera}
	each(l.scene.root, "animate", own.raw.animate, animateKeys, func(t keytable.Table, raw animateTable, _ keytable.RawTable) {
		if tr := l.track(t, raw); tr != nil {
			m.tracks = append(m.tracks, tr)
		}
	})
	if len(m.tracks) == 0 {
		return
	}
	for _, tr := range m.tracks {
		m.raw[tr.target.raw()] = l.rawOf(&tr.target)
	}
	m.materials = l.materials
	if l.failed() {
		return
	}
	m.check()
	m.plan(l.scene.root)
	l.scene.motion = m
}

func (l *loader) readAnimation(v any) {
	t := l.Table("animation")
	a, _, ok := readOnce(t, v, animationKeys)
	if ok && t.Valid() && float64(a.Duration*a.FPS) > MaxFrames {
		t.Wrong("duration", problem.CodeOutOfRange, "must make at most %d frames, but makes %.0f", MaxFrames, a.Duration*a.FPS)
	}
	l.scene.Animation = a
}

// goldenPlaces is the largest number of decimal places of a time in the file name of a golden, an accepted picture for
// tests.
const goldenPlaces = 6

// readGoldenTimes reads an array of ascending times in seconds, which become part of file names.
func readGoldenTimes(t keytable.Table, key string, v any) []float64 {
	seconds := readMoments(t, key, v)
	if len(seconds) > MaxGoldens {
		t.Wrong(key, problem.CodeWrongLength, "must have at most %d times", MaxGoldens).Got("%d", len(seconds))
		return nil
	}
	for i, x := range seconds {
		if _, fraction, _ := strings.Cut(FormatTime(x), "."); len(fraction) > goldenPlaces {
			t.Wrong(keytable.Indexed(key, i), problem.CodeTooManyPlaces, "must have at most %d decimal places: it becomes part of a file name", goldenPlaces)
		}
	}
	return seconds
}

// FormatTime returns a time in seconds as it appears in the file names of goldens, such as 1.5, without
// an exponent.
func FormatTime(seconds float64) string { return strconv.FormatFloat(math.Abs(seconds), 'f', -1, 64) }

// GoldenTimes returns [Animation.Golden] of a scene file without decoding the rest. It returns nil if the file has no
// such times, if data is not TOML, or if a time is invalid. [Decode] reports invalid TOML and invalid times as errors.
func GoldenTimes(data []byte) []float64 {
	if !bytes.Contains(data, []byte("golden")) {
		return nil // the usual case; parsing would take longer
	}
	r := &keytable.Report{Speller: keytable.NewSpeller(sceneWords())}
	root := parseFile(r, data)
	if r.Errors > 0 {
		return nil
	}
	values, _ := root["animation"].(map[string]any)
	t := r.Table("animation")
	if v, there := values["golden"]; there {
		if seconds := readGoldenTimes(t, "golden", v); t.Valid() {
			return seconds
		}
	}
	return nil
}

// readMoments reads an array of ascending times in seconds.
func readMoments(t keytable.Table, key string, v any) []float64 {
	list, ok := v.([]any)
	if !ok {
		t.WrongType(key, v, "must be an array of seconds")
		return nil
	}
	if len(list) == 0 {
		t.Wrong(key, problem.CodeWrongLength, "must not be empty")
	}
	seconds := make([]float64, 0, len(list))
	for i, v := range list {
		key := keytable.Indexed(key, i)
		errors := t.Report.Errors
		x := t.Number(key, v, moments())
		if i > 0 && t.Report.Errors == errors && x <= seconds[i-1] {
			t.Wrong(key, problem.CodeNotAscending, "must be later than the one before")
		}
		seconds = append(seconds, x)
	}
	return seconds
}

// track reads an [[animate]] table, or returns nil if it is invalid.
func (l *loader) track(t keytable.Table, m animateTable) *track {
	tr := &track{table: t, times: m.times, ease: ease(m.ease)}
	list, isList := m.values.([]any)
	if !isList {
		t.WrongType("values", m.values, "must be an array with as many values as times")
	} else if len(list) != len(tr.times) && t.Valid() {
		t.Wrong("values", problem.CodeLengthsDiffer, "must have as many elements as times, %d", len(tr.times)).Got("%d", len(list))
	}
	if !l.aim(tr, m.target) || !t.Valid() {
		return nil
	}
	for i, v := range list {
		tr.values = append(tr.values, tr.read(keytable.Indexed("values", i), v))
	}
	if tr.ease != easeStep && len(list) > 1 && !tr.mixes() {
		t.Missing("ease", problem.CodeNotMixable, "must be \"step\": values of %s cannot be interpolated", tr.key)
	}
	if !t.Valid() {
		return nil
	}
	return tr
}

// mixes reports whether the values of the track can be interpolated.
func (tr *track) mixes() bool {
	return tr.mixing != keytable.MixNothing && !tr.hasTransparent() && !tr.hasAuto()
}

// hasTransparent reports whether a value is a transparent background.
func (tr *track) hasTransparent() bool {
	return slices.ContainsFunc(tr.values, func(v any) bool {
		b, ok := v.(Background)
		return ok && b.Transparent
	})
}

// hasAuto reports whether a value is the depth "auto".
func (tr *track) hasAuto() bool { return slices.Contains(tr.values, any(FogDepth{Auto: true})) }

// aim sets the target, the key and the mixing of a track from v, the value of the track's key "target". It returns
// false unless v names exactly one table and one of its keys that tracks may change.
func (l *loader) aim(tr *track, v any) bool {
	t := tr.table
	words, ok := v.(string)
	if !ok {
		return false
	}
	dot := strings.LastIndexByte(words, '.')
	if dot < 0 {
		t.Wrong("target", problem.CodeUnknownTarget, "must be a path, a dot and a key, for example camera.position or walker/arm.rotate")
		return false
	}
	path, key := words[:dot], words[dot+1:]
	found := l.targets(path)
	switch {
	case len(found) == 0 && (l.lacksInclude || l.lacksParts || l.lacksSolids()):
		return false
	case len(found) == 0 && path == "fog":
		if !l.LacksNames {
			t.Wrong("target", problem.CodeUnknownTarget, "the scene must have a [fog]")
		}
		return false
	case len(found) == 0:
		p := t.Wrong("target", problem.CodeUnknownTarget, "no solid, placement, section or light is called %q", text.Shorten(path))
		if !l.Speller.Stopped { // listing all names takes long
			l.Speller.Suggest(&p.Error, path, l.targetNames())
		}
		return false
	case len(found) > 1:
		var readings []string
		for i := range found {
			readings = append(readings, found[i].String())
		}
		t.Wrong("target", problem.CodeAmbiguousTarget, "may mean %s", strings.Join(readings, " or "))
		return false
	}
	tr.target, tr.key = found[0], key
	table := found[0].element.table
	known := mixings(table)
	if tr.mixing, ok = known[key]; !ok {
		keys := slices.Sorted(maps.Keys(known))
		p := t.Wrong("target", problem.CodeUnknownTarget, "want one of the keys that may change with time, %s", strings.Join(keys, ", "))
		l.Speller.Suggest(&p.Error, key, keys)
		return false
	}
	if table == "camera" && l.scene.Camera == nil && l.scene.Framing == nil && !l.LacksNames {
		t.Wrong("target", problem.CodeUnknownTarget, "the scene must have a [camera]")
		return false
	}
	if table == occlusionPath && !l.scene.Shading.Occlusion.Enabled && !l.LacksNames {
		t.Wrong("target", problem.CodeUnknownTarget, "the scene must have a [shading.occlusion]")
		return false
	}
	if table == "step" && l.placeOf(&tr.target)["count"] == nil && !l.lacksSolids() {
		t.Wrong("target", problem.CodeUnknownTarget, "the placement has no step: it needs a count")
		return false
	}
	return true
}

// targetNames returns the names of all tables that tracks may change, without the tables in parts.
func (l *loader) targetNames() []string {
	names := settings()
	root := l.scene.root
	for k := range kindCount {
		for i := range root.own[k].objects {
			names = append(names, root.tables.name(root.own[k].objects[i]))
		}
	}
	for _, pl := range root.places {
		names = append(names, pl.name)
	}
	for i := range l.scene.Lights {
		names = append(names, l.scene.Lights[i].Name)
	}
	for i := range l.scene.Sections {
		names = append(names, l.scene.Sections[i].Name)
	}
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

// rawElement identifies a table of a part. Several paths through placements may lead to the same table.
type rawElement struct {
	part  *part
	table string
	index int
	bulk  int // as in element
}

func (t *target) raw() rawElement { return t.element.raw(t.part) }

func (e *element) raw(p *part) rawElement { return rawElement{p, e.table, e.index, e.bulk} }

// placeOf returns the values of a [[place]] table. The target t is this placement, or one of its steps.
func (l *loader) placeOf(t *target) map[string]any {
	v := elementOf(l.raws[t.part].place, t.part.places[t.element.index].table.Index)
	values, _ := v.(map[string]any)
	return values
}

// rawOf returns the values, as in the file, of the table that t identifies. It returns nil if the file does not have
// the table.
func (l *loader) rawOf(t *target) map[string]any {
	own := &l.sources[0].raw
	if t.element.bulk > 0 {
		return t.part.bulks[t.element.bulk-1].raw(t.element.index)
	}
	var v any
	switch raw := l.raws[t.part]; t.element.table {
	case "camera":
		v = own.camera
	case "shading":
		v = own.shading
	case occlusionPath:
		values, _ := own.shading.(map[string]any)
		v = values["occlusion"]
	case "image":
		v = own.image
	case "fog":
		v = own.fog
	case "section":
		v = elementOf(own.section, t.element.index)
	case "light":
		v = elementOf(raw.light, t.element.index)
	case "place":
		v = l.placeOf(t)
	case "step":
		v = l.placeOf(t)["step"]
	default:
		k, _ := ParseKind(t.element.table)
		v = l.tableOf(t.part, k, raw.solids[k], t.element.index)
	}
	values, _ := v.(map[string]any)
	return values
}

// tableOf returns the i-th of the tables of solids of a kind. v holds the tables that are decoded already. These are
// all but the plain tables, which are read directly into solids; tableOf decodes a plain table when it is requested.
func (l *loader) tableOf(p *part, k Kind, v any, i int) any {
	for _, run := range l.tableRuns(p, k, elements(v)) {
		n := run.len()
		switch {
		case i >= n:
			i -= n
		case run.plain != nil:
			return elementOf(run.decoded(), i)
		default:
			return elementOf(v, run.from+i)
		}
	}
	panic("scene: a solid without a table")
}

// raw returns the values of a row, except its material, color and name, as a table of a solid would hold them.
func (b *bulk) raw(row int) map[string]any {
	kind := b.kind.row()
	n, axes := kind.measures(kind.shapeAt(&b.solids, row))
	values := make(map[string]any)
	for _, m := range kind.keys() {
		if m.isVector() {
			values[m.key] = inTable(n.vector(m.slot))
		} else {
			values[m.key] = n[m.slot]
		}
	}
	if kind.traits().turns && axes != geom.Identity() {
		values["axes"] = []any{inTable(axes.X), inTable(axes.Y), inTable(axes.Z)}
	}
	return values
}

// elements returns the number of elements in an array of tables.
func elements(v any) int {
	if tables, ok := v.([]map[string]any); ok {
		return len(tables)
	}
	list, _ := keytable.TablesOf(v)
	return len(list)
}

func elementOf(v any, i int) any {
	if tables, ok := v.([]map[string]any); ok {
		return tables[i]
	}
	list, _ := keytable.TablesOf(v)
	return list[i]
}
