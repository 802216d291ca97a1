package regress_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/golden"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

type table = map[string]any

// model is a scene before it is encoded. Each element of an array has an ID under the key "#", which is not
// encoded. Changes find elements by ID, because other changes may move them.
type model struct {
	root table // the materials are in the included file
	rows []table
	csv  string // the path of the file with the rows
	look string // the path of the included file
}

func (m *model) clone() *model {
	return &model{cloned(m.root).(table), cloned(m.rows).([]table), m.csv, m.look}
}

func cloned(v any) any {
	switch v := v.(type) {
	case table:
		c := make(table, len(v))
		for k, x := range v {
			c[k] = cloned(x)
		}
		return c
	case []table:
		c := make([]table, len(v))
		for i, x := range v {
			c[i] = cloned(x).(table)
		}
		return c
	}
	return v
}

// stripped returns v without the keys that are not encoded.
func stripped(v any) any {
	c := cloned(v)
	var strip func(any)
	strip = func(v any) {
		switch v := v.(type) {
		case table:
			delete(v, "#")
			for _, x := range v {
				strip(x)
			}
		case []table:
			for _, x := range v {
				strip(x)
			}
		}
	}
	strip(c)
	return c
}

// version encodes the model and decodes it as a scene.
func (m *model) version() (regress.Version, error) {
	var sheet strings.Builder
	sheet.WriteString("x,y,z,radius,color\n")
	for _, r := range m.rows {
		fmt.Fprintf(&sheet, "%v,%v,%v,%v,%v\n", r["x"], r["y"], r["z"], r["radius"], r["color"])
	}
	root := stripped(m.root).(table)
	look := table{"material": root["material"]}
	delete(root, "material")
	root["include"] = []any{m.look}
	root["bulk"].([]table)[0]["file"] = m.csv
	v := regress.Version{Name: "random.toml", Text: tomltext.Encode(root), Files: map[string][]byte{m.csv: []byte(sheet.String()), m.look: tomltext.Encode(look)}}
	var err error
	v.Scene, err = scene.Decode(v.Name, v.Text, scene.WithFiles(osfile.Memory(v.Files)))
	return v, err
}

// lists calls f for every array of tables, with the array's path, the array, and a function that replaces it.
func (m *model) lists(f func(path string, list []table, set func([]table))) {
	in := func(path string, t table) {
		for _, key := range slices.Sorted(maps.Keys(t)) {
			if list, ok := t[key].([]table); ok {
				f(path+key, list, func(l []table) { t[key] = l })
			}
		}
	}
	in("", m.root)
	parts := m.root["part"].(table)
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		in("part."+name+".", parts[name].(table))
	}
	f("csv "+m.csv+" row ", m.rows, func(l []table) { m.rows = l })
}

// find returns the element with the given ID and its path. t is nil if there is none.
func (m *model) find(id int) (path string, t table) {
	m.lists(func(list string, elements []table, _ func([]table)) {
		for i, e := range elements {
			if e["#"] == id {
				t, path = e, fmt.Sprintf("%s[%d]", list, i)
				if strings.HasPrefix(list, "csv") {
					path = fmt.Sprintf("%s%d", list, i+1)
				}
			}
		}
	})
	return path, t
}

// named returns the model with the file and the part named as in another one.
func (m *model) named(as *model) *model {
	c := m.clone()
	c.csv = as.csv
	if as.root["part"].(table)["shaft"] != nil {
		renamePart("bone", "shaft").apply(c)
	}
	return c
}

// change is an edit of a model, as a user might make it.
type change struct {
	apply func(*model)
	path  func(was, is *model) string // the path that the report must contain; several paths of a group are separated by " + "

	// was is the former name if the change is a rename or a move. It may then be in the report as the Was of other edits.
	was string
}

// drawer generates random models and changes.
type drawer struct {
	*rand.Rand
	ids int
}

func (d *drawer) id() int { d.ids++; return d.ids }

func (d *drawer) number(min, max float64) float64 {
	return float64(int((min+(max-min)*d.Float64())*64)) / 64
}

func (d *drawer) point(size float64) []any {
	return []any{d.number(-size, size), d.number(-size, size), d.number(-size, size)}
}

func (d *drawer) color() string { return fmt.Sprintf("#%06x", d.IntN(1<<24)) }

func (d *drawer) solid(kind string) table {
	id := d.id()
	t := table{"#": id, "name": fmt.Sprint("solid ", id)}
	switch kind {
	case "sphere":
		t["center"], t["radius"] = d.point(2), d.number(0.2, 1)
	case "capsule":
		t["a"], t["b"], t["radius"] = d.point(2), d.point(2), d.number(0.1, 0.5)
	case "cylinder":
		a := d.point(2)
		t["a"], t["b"], t["radius"] = a, []any{a[0], a[1].(float64) + d.number(0.2, 1), d.number(-2, 2)}, d.number(0.1, 0.5)
	case "box":
		t["center"], t["half_extents"] = d.point(2), []any{d.number(0.2, 1), d.number(0.2, 1), d.number(0.2, 1)}
		t["rotate"] = d.point(90)
	}
	switch d.IntN(3) {
	case 0:
		t["color"] = d.color()
	case 1:
		t["material"] = []string{"amber", "steel"}[d.IntN(2)]
	}
	return t
}

func (d *drawer) solids(t table, most int) {
	for _, kind := range []string{"sphere", "capsule", "box", "cylinder"} {
		var list []table
		for range d.IntN(most + 1) {
			list = append(list, d.solid(kind))
		}
		if list != nil {
			t[kind] = list
		}
	}
}

func (d *drawer) place(part string) table {
	id := d.id()
	t := table{"#": id, "name": fmt.Sprint("place ", id), "part": part, "position": d.point(2), "scale": d.number(0.3, 1)}
	if d.IntN(2) == 0 {
		t["count"] = int64(1 + d.IntN(5))
		t["step"] = table{"position": d.point(1), "axis": []any{0.0, 1.0, 0.0}, "angle": d.number(5, 90)}
	}
	if d.IntN(3) == 0 {
		t["rotate"] = d.point(180)
	}
	return t
}

func (d *drawer) light() table {
	id := d.id()
	return table{"#": id, "name": fmt.Sprint("light ", id), "position": d.point(9), "intensity": d.number(0.2, 0.9)}
}

func (d *drawer) row() table {
	return table{"#": d.id(), "x": d.number(-3, 3), "y": d.number(-2, 2), "z": d.number(-3, 3), "radius": d.number(0.1, 0.4), "color": d.color()}
}

func (d *drawer) model() *model {
	m := &model{csv: "beads.csv", look: "look.toml", root: table{
		"image":    table{"width": int64(48), "height": int64(36), "antialias": int64(1 + d.IntN(2)), "background": d.color()},
		"camera":   table{"position": []any{d.number(-2, 2), d.number(1, 4), 9.0}, "look_at": []any{0.0, 0.0, 0.0}, "fov": d.number(30, 50)},
		"shading":  table{"ambient": d.number(0.05, 0.4), "bounces": int64(d.IntN(3))},
		"material": table{"amber": table{"color": d.color(), "mirror": d.number(0.05, 0.3)}, "steel": table{"color": d.color(), "mirror": d.number(0.1, 0.8)}},
		"bulk":     []table{{"#": d.id(), "file": "beads.csv", "shape": "sphere"}},
	}}
	d.solids(m.root, 3)
	bone, hand := table{}, table{}
	for len(bone) == 0 {
		d.solids(bone, 2)
	}
	d.solids(hand, 1)
	hand["place"] = []table{d.place("bone")}
	m.root["part"] = table{"bone": bone, "hand": hand}
	m.root["place"] = []table{d.place("hand"), d.place([]string{"hand", "bone"}[d.IntN(2)])}
	for range 1 + d.IntN(2) {
		lights, _ := m.root["light"].([]table)
		m.root["light"] = append(lights, d.light())
	}
	for range 3 + d.IntN(6) {
		m.rows = append(m.rows, d.row())
	}
	for _, kind := range []string{"sphere", "box", "place"} {
		if list, _ := m.root[kind].([]table); len(list) > 0 {
			labels, _ := m.root["label"].([]table)
			m.root["label"] = append(labels, table{"#": d.id(), "text": fmt.Sprint("label ", d.ids), "on": list[0]["name"]})
		}
	}
	return m
}

// set returns a change that gives a key of an element a new value. id is the element's ID.
func set(id int, key string, value any) change {
	return change{
		func(m *model) {
			if _, t := m.find(id); t != nil {
				t[key] = value
			}
		},
		func(_, is *model) string {
			path, _ := is.find(id)
			if strings.HasPrefix(path, "csv") {
				return path + " " + key
			}
			return path + "." + key
		},
		"",
	}
}

// setting returns a change that gives a key of a table a new value. name is the table's name, such as "camera".
func setting(name, key string, value any) change {
	return change{
		func(m *model) {
			t := m.root
			for _, n := range strings.Split(name, ".") {
				t, _ = t[n].(table)
			}
			if t != nil { // nil if another change has renamed it
				t[key] = value
			}
		},
		func(*model, *model) string { return name + "." + key },
		"",
	}
}

// recolor returns a change of the color of a material, whose name another change may change.
func recolor(name, color string) change {
	names := []string{name}
	if name == "amber" {
		names = append(names, "honey")
	}
	return change{
		func(m *model) {
			for _, name := range names {
				if t, ok := m.root["material"].(table)[name].(table); ok {
					t["color"] = color
				}
			}
		},
		func(_, is *model) string {
			for _, n := range names {
				if is.root["material"].(table)[n] != nil {
					name = n
				}
			}
			return "material." + name + ".color"
		},
		"",
	}
}

// remove returns a change that removes the element with the given ID.
func remove(id int) change {
	return change{
		func(m *model) {
			m.lists(func(_ string, list []table, set func([]table)) {
				set(slices.DeleteFunc(slices.Clone(list), func(t table) bool { return t["#"] == id }))
			})
		},
		func(was, is *model) string { path, _ := was.named(is).find(id); return path },
		"",
	}
}

// insert returns a change that inserts the element e after another element. The argument behind is the ID of that
// element.
func insert(behind int, e table) change {
	return change{
		func(m *model) {
			m.lists(func(_ string, list []table, set func([]table)) {
				if i := slices.IndexFunc(list, func(t table) bool { return t["#"] == behind }); i >= 0 {
					set(slices.Insert(slices.Clone(list), i+1, cloned(e).(table)))
				}
			})
		},
		func(_, is *model) string { path, _ := is.find(e["#"].(int)); return path },
		"",
	}
}

// foot returns a change that adds a part and a placement of it. The part cannot be removed alone, because the
// placement needs it.
func (d *drawer) foot() change {
	part, place := table{}, d.place("foot")
	for len(part) == 0 {
		d.solids(part, 2)
	}
	return change{
		func(m *model) {
			m.root["part"].(table)["foot"] = cloned(part)
			m.root["place"] = append(m.root["place"].([]table), cloned(place).(table))
		},
		func(_, is *model) string { path, _ := is.find(place["#"].(int)); return path + " + part.foot" },
		"",
	}
}

// toMaterial returns a change that replaces the color of an element by a material. id is the element's ID. A solid
// cannot have both, so the deleted color and the added material form a group.
func toMaterial(id int) change {
	return change{
		func(m *model) {
			if _, t := m.find(id); t["color"] != nil {
				delete(t, "color")
				t["material"] = "steel"
			}
		},
		func(_, is *model) string { path, _ := is.find(id); return path + ".color + " + path + ".material" },
		"",
	}
}

// named returns a change of the name of an element and of all labels on it.
func named(m *model, id int, to string) change {
	_, e := m.find(id)
	from := e["name"].(string)
	return change{
		func(m *model) {
			if _, t := m.find(id); t != nil {
				t["name"] = to
			}
			labels, _ := m.root["label"].([]table)
			for _, l := range labels {
				if l["on"] == from {
					l["on"] = to
				}
			}
		},
		func(_, is *model) string { path, _ := is.find(id); return path + ".name" },
		from,
	}
}

// moved returns a change of the path of a file. file selects the path in a model.
func moved(title, from, to string, file func(*model) *string) change {
	return change{
		func(m *model) { *file(m) = to },
		func(*model, *model) string { return title + " " + to },
		from,
	}
}

// rename returns a change of a material's name, and of all references to this material.
func rename(from, to string) change {
	var inTable func(t table)
	inTable = func(t table) {
		for key, v := range t {
			switch v := v.(type) {
			case string:
				if key == "material" && v == from {
					t[key] = to
				}
			case table:
				inTable(v)
			case []table:
				for _, x := range v {
					inTable(x)
				}
			}
		}
	}
	return change{
		func(m *model) {
			materials := m.root["material"].(table)
			if materials[from] == nil {
				return // renamed already
			}
			materials[to] = materials[from]
			delete(materials, from)
			inTable(m.root)
		},
		func(*model, *model) string { return "material." + to },
		from,
	}
}

// renamePart returns a change of a part's name, and of all references to this part.
func renamePart(from, to string) change {
	return change{
		func(m *model) {
			parts := m.root["part"].(table)
			if parts[from] == nil {
				return
			}
			parts[to] = parts[from]
			delete(parts, from)
			m.lists(func(_ string, list []table, _ func([]table)) {
				for _, t := range list {
					if t["part"] == from {
						t["part"] = to
					}
				}
			})
		},
		func(*model, *model) string { return "part." + to },
		from,
	}
}

// change returns a random change that can be made to m.
func (d *drawer) change(m *model) change {
	switch d.IntN(18) {
	case 12, 13:
		return moved("csv", "beads.csv", "data/pearls.csv", func(m *model) *string { return &m.csv })
	case 14:
		return moved("include", "look.toml", "shared/looks.toml", func(m *model) *string { return &m.look })
	case 15:
		return renamePart("bone", "shaft")
	case 4:
		return d.foot()
	case 5:
		return rename("amber", "honey")
	case 0:
		return recolor([]string{"amber", "steel"}[d.IntN(2)], d.color())
	case 1:
		return setting("shading", "ambient", d.number(0.05, 0.4))
	case 2:
		return setting("camera", "fov", d.number(30, 50))
	case 3:
		return setting("image", "background", d.color())
	}
	var list []table
	var path string
	for len(list) == 0 {
		n := d.IntN(20)
		m.lists(func(p string, l []table, _ func([]table)) {
			if n--; n == 0 && p != "bulk" && p != "label" {
				list, path = l, p
			}
		})
	}
	e := list[d.IntN(len(list))]
	id := e["#"].(int)
	switch path[strings.LastIndexByte(path, '.')+1:] {
	case "csv row ", "csv row":
	case "place":
		switch d.IntN(8) {
		case 5, 6:
			return named(m, id, fmt.Sprint("renamed ", id))
		case 0:
			return remove(id)
		case 1:
			return insert(id, d.place(e["part"].(string)))
		case 2:
			return set(id, "scale", d.number(0.3, 1))
		case 3:
			return set(id, "count", int64(1+d.IntN(6)))
		case 4:
			return set(id, "color", d.color())
		}
		return set(id, "position", d.point(2))
	case "light":
		switch d.IntN(4) {
		case 0:
			return insert(id, d.light())
		case 1:
			return named(m, id, fmt.Sprint("renamed ", id))
		}
		return set(id, "intensity", d.number(0.2, 0.9))
	}
	if strings.HasPrefix(path, "csv") {
		switch d.IntN(4) {
		case 0:
			return remove(id)
		case 1:
			return insert(id, d.row())
		case 2:
			return set(id, "color", d.color())
		}
		return set(id, "y", d.number(-2, 2))
	}
	kind := path[strings.LastIndexByte(path, '.')+1:]
	switch d.IntN(6) {
	case 0:
		return remove(id)
	case 1:
		return insert(id, d.solid(kind))
	case 4:
		if e["color"] != nil {
			return toMaterial(id)
		}
	case 2:
		if kind != "box" {
			return set(id, "radius", d.number(0.1, 1))
		}
		return set(id, "rotate", d.point(90))
	case 3:
		if kind != "capsule" && kind != "cylinder" {
			return set(id, "center", d.point(2))
		}
		return set(id, "a", d.point(2))
	}
	return named(m, id, fmt.Sprint("renamed ", id))
}

// combination is a model and some changes. The present version of the scene is the model with all of these changes.
type combination struct {
	was, is *model
	changes []change
	paths   []string // the expected path of each change
}

// without returns the model after all changes, except those with the given indices.
func (c *combination) without(undone ...int) *model {
	m := c.was.clone()
	for i := range c.changes {
		if !slices.Contains(undone, i) {
			c.changes[i].apply(m)
		}
	}
	return m
}

// combination returns a random model with two to six random changes. The result is false if a change has no effect
// or two changes overlap.
func (d *drawer) combination() (combination, bool) {
	c := combination{was: d.model()}
	for range 2 + d.IntN(5) {
		c.changes = append(c.changes, d.change(c.was))
	}
	c.is = c.without()
	for i := range c.changes {
		path := c.changes[i].path(c.was, c.is)
		alone := c.was.clone()
		c.changes[i].apply(alone)
		same := fmt.Sprint(alone.root, alone.rows) == fmt.Sprint(c.was.root, c.was.rows)
		if path == "" || strings.HasPrefix(path, ".") || strings.HasPrefix(path, " ") || same {
			return c, false // another change has removed the element, or the change has no effect
		}
		c.paths = append(c.paths, path)
	}
	return c, !overlap(c)
}

// overlap reports whether two changes of c affect the same key. A rename does not affect what is renamed.
func overlap(c combination) bool {
	seen := make(map[string]bool)
	for i, paths := range c.paths {
		for p := range strings.SplitSeq(paths, " + ") {
			if c.changes[i].was != "" {
				p = "the name of " + p
			} else if _, row, ok := strings.Cut(p, " row "); ok {
				row, _, _ = strings.Cut(row, " ")
				p = "csv row " + row + " "
			}
			for q := range seen {
				if strings.HasPrefix(p, q) || strings.HasPrefix(q, p) {
					return true
				}
			}
			seen[p] = true
		}
	}
	return false
}

// pictureOf renders the version v with its labels.
func pictureOf(v regress.Version) (*image.NRGBA, error) {
	return renderWhole(context.Background(), v.Scene)
}

// differences returns the pixels in which a and b, which have the same size, differ.
func differences(a, b *image.NRGBA) map[int]bool {
	set := make(map[int]bool)
	for i := range len(a.Pix) / 4 {
		if !bytes.Equal(a.Pix[4*i:4*i+4], b.Pix[4*i:4*i+4]) {
			set[i] = true
		}
	}
	return set
}

// TestExplainUndoesRandomEdits checks every number of the reports on random combinations of changes. It computes
// them without package regress: to undo a change, it builds the model without that change.
func TestExplainUndoesRandomEdits(t *testing.T) {
	combinations := effort.Of(10, 80, 2000)
	numbers, edits, groups, together, several := 0, 0, 0, 0, 0
	for seed := uint64(0); combinations > 0; seed++ {
		d := drawer{Rand: rand.New(rand.NewPCG(seed, 26))}
		c, ok := d.combination()
		if !ok {
			continue
		}
		was, err := c.was.version()
		if err != nil {
			continue
		}
		is, err := c.is.version()
		if err != nil {
			continue
		}
		combinations--
		r := recount{combination: c, t: t, seed: seed}
		r.run(was, is)
		numbers += r.numbers
		edits += len(r.report.Edits)
		several += r.report.Several
		for _, e := range r.report.Edits {
			groups = max(groups, groups+min(e.Group, 1))
			together += e.Together
		}
		if t.Failed() {
			t.Logf("seed %d: %s\n%s", seed, r.report.Text, c.paths)
			return
		}
	}
	t.Logf("%d numbers, %d edits, %d of them in groups, %d pixels together, %d of several", numbers, edits, groups, together, several)
	if groups == 0 || together == 0 || several == 0 {
		t.Error("the combinations do not have all that there may be")
	}
}

// recount computes the numbers of a report on a combination again.
type recount struct {
	combination
	t       *testing.T
	seed    uint64
	report  regress.Report
	got     *image.NRGBA
	numbers int
	seen    map[int]bool // the changes that are in the report
}

// folded finds the rename that an edit mentions. The rename must not change the picture.
func (r *recount) folded(e regress.Edit) {
	k := slices.IndexFunc(r.changes, func(c change) bool { return c.was == e.Was })
	if k < 0 {
		r.t.Errorf("seed %d: %v was none of the former names", r.seed, e)
		return
	}
	if r.seen[k] {
		return
	}
	r.seen[k] = true
	v, err := r.without(k).version()
	if err != nil {
		r.t.Errorf("seed %d: without %v: %v", r.seed, r.paths[k], err)
		return
	}
	img, err := pictureOf(v)
	if err != nil {
		r.t.Fatal(err)
	}
	r.equal(r.paths[k]+" alone", len(differences(img, r.got)), 0)
}

func (r *recount) run(was, is regress.Version) {
	t := r.t
	want, err := pictureOf(was)
	if err != nil {
		t.Fatal(err)
	}
	if r.got, err = pictureOf(is); err != nil {
		t.Fatal(err)
	}
	if r.report, err = regress.Explain(t.Context(), was, is, compare(t, want, r.got, golden.Tolerance{})); err != nil {
		t.Fatal(err)
	}
	changed := differences(want, r.got)
	sets := r.units()
	counted := make(map[int]int)
	for _, u := range sets {
		for p := range u.pixels {
			counted[p]++
		}
	}
	for _, u := range sets {
		together := 0
		for p := range u.pixels {
			if counted[p] > 1 {
				together++
			}
		}
		for _, e := range u.edits {
			r.equal(e.Path+" alone", e.Alone, len(u.pixels))
			r.equal(e.Path+" together", e.Together, together)
		}
		sum := 0
		for _, f := range u.edits[0].Effects {
			sum += f.Pixels
		}
		r.equal(u.edits[0].Path+" effects", sum, len(u.pixels))
	}
	several := 0
	for p := range changed {
		if counted[p] == 0 {
			several++
		}
	}
	r.equal("changed", r.report.Pixels, len(changed))
	r.equal("several", r.report.Several, several)
	r.equal("renderer", r.report.Renderer, 0)
	r.equal("unexamined", r.report.Unexamined, 0)
}

func (r *recount) equal(what string, got, want int) {
	r.numbers++
	if got != want {
		r.t.Errorf("seed %d: %s: %d, want %d", r.seed, what, got, want)
	}
}

// counted is an edit or a group of edits, with the pixels that change when it is undone.
type counted struct {
	edits  []regress.Edit
	pixels map[int]bool
}

// units renders the scene without each edit or group of edits in the report. It also checks that these contain each
// change of the combination exactly once.
func (r *recount) units() (all []counted) {
	t := r.t
	seen := make(map[int]bool)
	r.seen = seen
	for i := 0; i < len(r.report.Edits); {
		u := counted{edits: r.report.Edits[i : i+1]}
		if g := u.edits[0].Group; g > 0 {
			for i+len(u.edits) < len(r.report.Edits) && r.report.Edits[i+len(u.edits)].Group == g {
				u.edits = r.report.Edits[i : i+len(u.edits)+1]
			}
		}
		i += len(u.edits)
		undone, ok := r.changesOf(u.edits)
		if !ok {
			return nil
		}
		for _, k := range undone {
			seen[k] = true
		}
		v, err := r.without(undone...).version()
		if err != nil {
			t.Errorf("seed %d: without %v: %v", r.seed, undone, err)
			return nil
		}
		img, err := pictureOf(v)
		if err != nil {
			t.Fatal(err)
		}
		u.pixels = differences(img, r.got)
		all = append(all, u)
	}
	if len(seen) != len(r.paths) {
		t.Errorf("seed %d: %d edits of %d are in the report", r.seed, len(seen), len(r.paths))
	}
	return all
}

// changesOf returns the indices of the changes that caused the given edits in a report. ok is false if no change
// caused an edit, or if edits contains only some of the edits that a change caused.
func (r *recount) changesOf(edits []regress.Edit) (changes []int, ok bool) {
	left := make(map[string]bool)
	for _, e := range edits {
		if e.Was != "" {
			r.folded(e)
		}
		k := slices.IndexFunc(r.paths, func(paths string) bool {
			return slices.ContainsFunc(strings.Split(paths, " + "), func(p string) bool {
				return e.Path == p || strings.HasPrefix(e.Path, p+"[")
			})
		})
		if k < 0 {
			r.t.Errorf("seed %d: edit %s is none of %q", r.seed, e.Path, r.paths)
			return nil, false
		}
		left[e.Path] = true
		if !slices.Contains(changes, k) {
			changes = append(changes, k)
		}
	}
	for _, k := range changes {
		for p := range strings.SplitSeq(r.paths[k], " + ") {
			if strings.Contains(r.paths[k], " + ") && !left[p] {
				r.t.Errorf("seed %d: %s without all of %s", r.seed, slices.Collect(maps.Keys(left)), r.paths[k])
				return nil, false
			}
		}
	}
	if len(changes) > 1 {
		r.needEachOther(changes)
	}
	return changes, true
}

// needEachOther reports an error if each change of a group can be undone alone, because then they need not form a
// group.
func (r *recount) needEachOther(changes []int) {
	for _, k := range changes {
		if _, err := r.without(k).version(); err != nil {
			return
		}
	}
	r.t.Errorf("seed %d: the changes %v can be undone alone", r.seed, changes)
}
