package regress_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/figure"
	"pillbox/golden"
	"pillbox/internal/osfile"
	"pillbox/internal/regress"
	"pillbox/internal/text"
	"pillbox/scene"
)

// tray returns a scene of 20 solids: an arm above a floor, a mirror that shows the arm, and seventeen solids that
// do not affect the arm.
func tray() string {
	var b strings.Builder
	b.WriteString(`
[image]
width = 160
height = 120
background = "#203040"

[camera]
position = [0, 4, 10]
look_at = [0, 1, 0]

[shading]
ambient = 0.2

[[light]]
direction = [-0.3, -1, -0.4]
intensity = 0.8

[material.chrome]
mirror = 0.9

[[sphere]]
name = "mirror"
center = [-3, 1, 0]
radius = 1
material = "chrome"

[[capsule]]
name = "arm"
a = [-1, 1, 0]
b = [1, 1.5, 0]
radius = 0.3
color = "#c04040"

[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [6, 0.5, 6]
`)
	for i := range 17 {
		fmt.Fprintf(&b, "\n[[sphere]]\nname = \"ball %d\"\ncenter = [%g, 0.2, %g]\nradius = 0.2\n", i, 3+0.4*float64(i%3), 1-0.5*float64(i/3))
	}
	return b.String()
}

// pills is a scene whose solids have no names and cast no shadows on each other.
const pills = `
[image]
width = 64
height = 48
[camera]
position = [0, 0, 10]
look_at = [0, 0, 0]
[[light]]
direction = [0, 0, -1]
[[sphere]]
center = [-2, 0, 0]
radius = 0.8
[[sphere]]
center = [0, 0, 0]
radius = 0.8
[[sphere]]
center = [2, 0, 0]
radius = 0.8
`

func decode(t *testing.T, file string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("test.toml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// edit replaces text in file. pairs holds old and new text in turn. If file does not contain an old text, edit
// fails the test.
func edit(t *testing.T, file string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(file, pairs[i]) {
			t.Fatalf("%q is not in the scene", pairs[i])
		}
		file = strings.Replace(file, pairs[i], pairs[i+1], 1)
	}
	return file
}

// renderWhole renders the whole picture of s. It is a function for [regress.Comparison.Render].
func renderWhole(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
	film, err := figure.Render(ctx, s, pillbox.Options{})
	if err != nil {
		return nil, err
	}
	return film.Image, nil
}

func compare(t *testing.T, want, got image.Image, tol golden.Tolerance) regress.Comparison {
	t.Helper()
	diff, err := golden.Compare(got, want, tol)
	if err != nil {
		t.Fatal(err)
	}
	return regress.Comparison{Want: want, Got: got, Diff: diff, Render: renderWhole}
}

// versionOf decodes the scene content, which may read files. The keys of files are their names.
func versionOf(t *testing.T, content string, files map[string]string) regress.Version {
	t.Helper()
	v := regress.Version{Name: "test.toml", Text: []byte(content), Files: make(map[string][]byte)}
	for name, data := range files {
		v.Files[name] = []byte(data)
	}
	var err error
	if v.Scene, err = scene.Decode(v.Name, v.Text, scene.WithFiles(osfile.Memory(v.Files))); err != nil {
		t.Fatal(err)
	}
	return v
}

func render(t *testing.T, s *scene.Scene) *image.NRGBA {
	t.Helper()
	img, err := renderWhole(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// explain returns the report on the difference between the versions was and is.
func explain(t *testing.T, was, is regress.Version) regress.Report {
	t.Helper()
	r, err := regress.Explain(t.Context(), was, is, compare(t, render(t, was.Scene), render(t, is.Scene), golden.Tolerance{}))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// explainEdit returns the report on edits of the scene in file. pairs holds old and new text in turn.
func explainEdit(t *testing.T, file string, pairs ...string) regress.Report {
	t.Helper()
	return explain(t, versionOf(t, file, nil), versionOf(t, edit(t, file, pairs...), nil))
}

// hand is a scene that reads other files. It has a part within a part, placements and materials.
const hand = `
include = ["wood.toml"]
[image]
width = 64
height = 48
[camera]
position = [0, 2, 12]
look_at = [0, 1, 0]
[material.amber]
color = "#ffb000"
[[part.bone.capsule]]
a = [0, 0, 0]
b = [0, 1, 0]
radius = 0.2
material = "amber"
[[part.finger.place]]
part = "bone"
count = 3
step = { position = [0, 1, 0] }
[[place]]
part = "finger"
position = [-2, 0, 0]
[[place]]
part = "finger"
position = [2, 0, 0]
[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [4, 0.5, 4]
material = "oak"
[[bulk]]
file = "beads.csv"
shape = "sphere"
radius = 0.3
`

func handFiles() map[string]string {
	return map[string]string{
		"wood.toml": "[material.oak]\ncolor = \"#806040\"\n",
		"pine.toml": "[material.oak]\ncolor = \"#c0a070\"\n",
		"beads.csv": "x,y,z,color\n\n-1,3,0,red\n0,3,0,white\n1,3,0,blue\n",
	}
}

// used returns those of files whose names occur in text.
func used(text string, files map[string]string) map[string]string {
	found := make(map[string]string)
	for name, content := range files {
		if strings.Contains(text, name) {
			found[name] = content
		}
	}
	return found
}

// TestExplainEdits edits a scene and checks that the report contains each edit as it was made, with its line, its
// group, and whether it changes pixels.
func TestExplainEdits(t *testing.T) {
	for name, test := range map[string]struct {
		file  string // the file that is edited; "" is the scene's
		edits []string
		want  string // the edits: path, action, before, after, line, group, and whether they change pixels
	}{
		"material":         {"", []string{"#ffb000", "#ffc000"}, `material.amber.color changed #ffb000 #ffc000 10 0 true`},
		"count":            {"", []string{"count = 3", "count = 2"}, `part.finger.place[0].count changed 3 2 18 0 true`},
		"step":             {"", []string{"[0, 1, 0] }", "[0, 1.1, 0] }"}, `part.finger.place[0].step.position[1] changed 1 1.1 19 0 true`},
		"part":             {"", []string{"radius = 0.2", "radius = 0.25"}, `part.bone.capsule[0].radius changed 0.2 0.25 14 0 true`},
		"key added":        {"", []string{"position = [2, 0, 0]", "position = [2, 0, 0]\nscale = 1.5"}, `place[1].scale added <nil> 1.5 26 0 true`},
		"key removed":      {"", []string{"position = [-2, 0, 0]\n", ""}, `place[0].position removed [-2 0 0] <nil> 20 0 true`},
		"table added":      {"", []string{"[[box]]", "[[light]]\ndirection = [0, -1, -1]\n[[box]]"}, `light[0] added <nil> map[direction:[0 -1 -1]] 26 0 true`},
		"table removed":    {"", []string{"[[place]]\npart = \"finger\"\nposition = [2, 0, 0]\n", ""}, `place[1] removed map[part:finger position:[2 0 0]] <nil> 1 0 true`},
		"defaults":         {"", []string{"[camera]", "[shading]\nambient = 0.5\n[camera]"}, `shading.ambient added <nil> 0.5 7 0 true`},
		"number":           {"", []string{"radius = 0.2", "radius = 0.20"}, ``},
		"comment":          {"", []string{"[camera]", "# a comment\n[camera]"}, ``},
		"material renamed": {"", []string{"[material.amber]", "[material.honey]", "\"amber\"", "\"honey\""}, `material.honey renamed amber honey 9 0 false`},
		"material renamed and changed": {"", []string{"[material.amber]\n", "[material.honey]\nmirror = 0.5\n", "\"amber\"", "\"honey\""},
			`material.honey.mirror added <nil> 0.5 10 0 true`},
		"part renamed": {"", []string{"[[part.bone.capsule]]", "[[part.digit.capsule]]", "\"bone\"", "\"digit\""}, `part.digit renamed bone digit 11 0 false`},
		"color to material": {"", []string{"material = \"oak\"", "color = \"#123456\""},
			`box[0].color added <nil> #123456 30 1 true; box[0].material removed oak <nil> 26 1 true`},
		"part with its placements": {"", []string{hand[strings.Index(hand, "[[part.finger"):strings.Index(hand, "[[box]]")], ""},
			`part.finger removed map[place:[map[count:3 part:bone step:map[position:[0 1 0]]]]] <nil> 11 1 true; place[0] removed map[part:finger position:[-2 0 0]] <nil> 1 1 true; place[1] removed map[part:finger position:[2 0 0]] <nil> 1 1 true`},
		"a part, a material and what needs both, and a color for a material": {"", []string{
			"[[box]]", "[material.jade]\ncolor = \"#00a060\"\n[[part.toe.sphere]]\ncenter = [0, 0.5, 2]\nradius = 0.5\n[[place]]\npart = \"toe\"\nmaterial = \"jade\"\n[[box]]",
			"material = \"oak\"", "color = \"#123456\"",
		}, `box[0].color added <nil> #123456 38 1 true; box[0].material removed oak <nil> 34 1 true; ` +
			`material.jade added <nil> map[color:#00a060] 26 2 true; part.toe added <nil> map[sphere:[map[center:[0 0.5 2] radius:0.5]]] 28 2 true; place[2] added <nil> map[material:jade part:toe] 31 2 true`},
		"a material of two, and an axis with an angle between them": {"", []string{
			"[0, 2, 12]", "[0, 2, 11]",
			"[[part.bone.capsule]]", "[material.jade]\ncolor = \"#00a060\"\n[[part.bone.capsule]]",
			"count = 3", "axis = [0, 1, 0]\nangle = 30\ncount = 3",
			"position = [-2, 0, 0]", "position = [-2, 0, 0]\nmaterial = \"jade\"",
			"position = [2, 0, 0]", "position = [2, 0, 0]\nmaterial = \"jade\"",
		}, `camera.position[2] changed 12 11 7 0 true; ` +
			`material.jade added <nil> map[color:#00a060] 11 1 false; place[0].material added <nil> jade 27 1 false; place[1].material added <nil> jade 31 1 false; ` +
			`part.finger.place[0].angle added <nil> 30 21 2 false; part.finger.place[0].axis added <nil> [0 1 0] 20 2 false`},
		"another kind": {"", []string{"[[box]]\nname = \"floor\"\ncenter = [0, -0.5, 0]\nhalf_extents = [4, 0.5, 4]", "[[sphere]]\nname = \"floor\"\ncenter = [0, -4, 0]\nradius = 4"},
			`sphere[0] added <nil> map[center:[0 -4 0] material:oak name:floor radius:4] 26 1 true; box[0] removed map[center:[0 -0.5 0] half_extents:[4 0.5 4] material:oak name:floor] <nil> 1 1 true`},
		"another include":       {"", []string{"wood.toml", "pine.toml"}, `include[0] changed wood.toml pine.toml 2 0 true`},
		"included material":     {"wood.toml", []string{"#806040", "#806050"}, `wood.toml material.oak.color changed #806040 #806050 2 0 true`},
		"cell":                  {"beads.csv", []string{"0,3,0,white", "0,3.5,0,white"}, `beads.csv csv beads.csv row 2 y changed 3 3.5 4 0 true`},
		"cells":                 {"beads.csv", []string{"0,3,0,white", "0,3.5,0,black"}, `beads.csv csv beads.csv row 2 changed map[color:white y:3] map[color:black y:3.5] 4 0 true`},
		"row added":             {"beads.csv", []string{"1,3,0,blue", "0.5,3,0,lime\n1,3,0,blue"}, `beads.csv csv beads.csv row 3 added <nil> map[color:lime x:0.5 y:3 z:0] 5 0 true`},
		"row removed":           {"beads.csv", []string{"-1,3,0,red\n", ""}, `beads.csv csv beads.csv row 1 removed map[color:red x:-1 y:3 z:0] <nil> 1 0 true`},
		"rows in another order": {"beads.csv", []string{"-1,3,0,red\n0,3,0,white\n", "0,3,0,white\n-1,3,0,red\n"}, `beads.csv csv beads.csv reordered <nil> <nil> 1 0 false`},
		"other columns":         {"beads.csv", []string{"x,y,z,color", "x,z,y,color"}, `beads.csv csv beads.csv changed another file this file 1 0 true`},
		"two": {"", []string{"radius = 0.2", "radius = 0.2000001", "#ffb000", "#ffc000"},
			`material.amber.color changed #ffb000 #ffc000 10 0 true; part.bone.capsule[0].radius changed 0.2 0.2000001 14 0 false`},
	} {
		t.Run(name, func(t *testing.T) {
			files := handFiles()
			text := hand
			if test.file == "" {
				text = edit(t, hand, test.edits...)
			} else {
				files[test.file] = edit(t, files[test.file], test.edits...)
			}
			r := explain(t, versionOf(t, hand, used(hand, handFiles())), versionOf(t, text, used(text, files)))
			var list []string
			for _, e := range r.Edits {
				list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s %v %v %d %d %v", e.File, e.Path, e.Action, e.Before, e.After, e.Line, e.Group, e.Alone > 0)))
			}
			if got := strings.Join(list, "; "); got != test.want {
				t.Errorf("got\n%s, want\n%s", got, test.want)
			}
			if r.Renderer != 0 || r.Unexamined != 0 || r.Several != 0 {
				t.Errorf("got %+v", r)
			}
			if len(r.Edits) == 1 && r.Edits[0].Alone != r.Pixels {
				t.Errorf("the only edit changes %d pixels of %d", r.Edits[0].Alone, r.Pixels)
			}
		})
	}
}

// TestExplainMatching checks that tables without names are matched by their contents.
func TestExplainMatching(t *testing.T) {
	for name, test := range map[string]struct {
		edits []string
		want  string // the expected paths
	}{
		"moved":              {[]string{"center = [0, 0, 0]", "center = [0, 1, 0]"}, "sphere[1].center[1]"},
		"moved far":          {[]string{"center = [0, 0, 0]", "center = [0, 3, 0]"}, "sphere[1].center[1]"},
		"removed":            {[]string{"[[sphere]]\ncenter = [0, 0, 0]\nradius = 0.8\n", ""}, "sphere[1]"},
		"first removed":      {[]string{"[[sphere]]\ncenter = [-2, 0, 0]\nradius = 0.8\n", ""}, "sphere[0]"},
		"inserted":           {[]string{"[[sphere]]", "[[sphere]]\ncenter = [0, 2, 0]\nradius = 0.5\n[[sphere]]"}, "sphere[0]"},
		"inserted, moved":    {[]string{"[[sphere]]", "[[sphere]]\ncenter = [0, 2, 0]\nradius = 0.5\n[[sphere]]", "center = [2, 0, 0]", "center = [2, 0.5, 0]"}, "sphere[0] sphere[3].center[1]"},
		"resized, recolored": {[]string{"[0, 0, 0]\nradius = 0.8", "[0, 0, 0]\nradius = 0.9\ncolor = \"red\""}, "sphere[1].color sphere[1].radius"},
		"named":              {[]string{"center = [0, 0, 0]\nradius", "name = \"ball\"\ncenter = [0, 0, 0]\nradius"}, "sphere[1].name"},
		"another, elsewhere": {[]string{"center = [2, 0, 0]\nradius = 0.8", "center = [-2, 2, 0]\nradius = 0.3"}, "sphere[2] sphere[2]"},
	} {
		r := explainEdit(t, pills+"# end", append(test.edits, "# end", "")...)
		var paths []string
		for _, e := range r.Edits {
			paths = append(paths, e.Path)
		}
		slices.Sort(paths)
		if got := strings.Join(paths, " "); got != test.want {
			t.Errorf("%s: got %s, want %s", name, got, test.want)
		}
	}
}

// TestExplainOrder exchanges two coincident surfaces. This is an edit with an effect, because the first one is
// visible.
func TestExplainOrder(t *testing.T) {
	const a, b = "[[sphere]]\nname = \"a\"\ncenter = [0, 0, 0]\nradius = 1\ncolor = \"red\"\n", "[[sphere]]\nname = \"b\"\ncenter = [0, 0, 0]\nradius = 1\ncolor = \"blue\"\n"
	r := explainEdit(t, "[image]\nwidth = 32\nheight = 32\n"+a+b, a+b, b+a)
	if len(r.Edits) != 1 || r.Edits[0].Action != regress.ActionReordered || r.Edits[0].Path != "sphere" || r.Edits[0].Alone != r.Pixels || r.Pixels == 0 {
		t.Errorf("got %+v", r)
	}
	if want := "sphere in another order: "; !strings.HasPrefix(r.Text, want) {
		t.Errorf("got %q, want %q", r.Text, want)
	}
}

// TestExplainOrderBesideOthers checks that the order of an array stays as it is now while another edit of the array
// is undone.
func TestExplainOrderBesideOthers(t *testing.T) {
	const a, b = "[[sphere]]\nname = \"a\"\ncenter = [0, 0, 0]\nradius = 1\ncolor = \"red\"\n", "[[sphere]]\nname = \"b\"\ncenter = [0, 0, 0]\nradius = 1\ncolor = \"blue\"\n"
	const c = "[[sphere]]\nname = \"c\"\ncenter = [3, 0, 0]\nradius = 0.2\n"
	const head = "[image]\nwidth = 32\nheight = 32\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n"
	r := explainEdit(t, head+a+b+c, a+b, b+a, "radius = 0.2", "radius = 0.3")
	if len(r.Edits) != 2 || r.Edits[0].Action != regress.ActionReordered || r.Edits[1].Alone == 0 || r.Edits[1].Alone > 9 || r.Edits[0].Alone+r.Edits[1].Alone != r.Pixels {
		t.Errorf("got %+v", r)
	}
}

// TestExplainRowsByLine checks that rows of a table file keep their line numbers while another row is undone,
// because tracks refer to rows by line.
func TestExplainRowsByLine(t *testing.T) {
	const film = hand + "[[animate]]\ntarget = \"beads.csv:4.center\"\ntimes = [0, 1]\nvalues = [[0, 3, 0], [0, 5, 0]]\n"
	files := handFiles()
	was := versionOf(t, film, used(film, files))
	files["beads.csv"] = edit(t, files["beads.csv"], "1,3,0,blue", "1,3.5,0,blue")
	is := versionOf(t, film, used(film, files))
	seconds := 1.0
	var err error
	for _, v := range []*regress.Version{&was, &is} {
		if v.Scene, err = v.Scene.At(seconds); err != nil {
			t.Fatal(err)
		}
	}
	c := compare(t, render(t, was.Scene), render(t, is.Scene), golden.Tolerance{})
	c.At = &seconds
	r, err := regress.Explain(t.Context(), was, is, c)
	if err != nil || len(r.Edits) != 1 || r.Edits[0].Alone != r.Pixels || r.Several != 0 {
		t.Errorf("got %+v, %v", r, err)
	}
}

// TestExplainManyTables checks that an array in which everything has changed counts as a single edit.
func TestExplainManyTables(t *testing.T) {
	tables := func(radius float64) string {
		var b strings.Builder
		b.WriteString(pills)
		for i := range 100 {
			fmt.Fprintf(&b, "[[box]]\ncenter = [%d, %d, -9]\nhalf_extents = [%g, 0.2, 0.2]\n", i%10-5, i/10-5, radius+float64(i)/1000)
		}
		return b.String()
	}
	r := explain(t, versionOf(t, tables(0.1), nil), versionOf(t, tables(0.3), nil))
	if len(r.Edits) != 1 || r.Edits[0].Path != "box" || r.Edits[0].Alone != r.Pixels || r.Pixels == 0 {
		t.Errorf("got %+v", r)
	}
}

// TestExplainRenderer checks pixels in which the accepted scene now renders differently. The report must attribute
// them to the renderer and not to an edit.
func TestExplainRenderer(t *testing.T) {
	was, is := versionOf(t, pills, nil), versionOf(t, edit(t, pills, "center = [2, 0, 0]", "center = [2, 0.5, 0]"), nil)
	const words = "in 1 pixel the accepted scene no longer gives the accepted picture: the renderer changed, or the picture was replaced"
	spoiled := func(v regress.Version) *image.NRGBA {
		img := render(t, v.Scene)
		img.SetNRGBA(1, 1, color.NRGBA{1, 2, 3, 255})
		return img
	}
	r, err := regress.Explain(t.Context(), was, was, compare(t, spoiled(was), render(t, was.Scene), golden.Tolerance{}))
	if err != nil || r.Renderer != 1 || r.Pixels != 1 || len(r.Edits) != 0 || r.Several != 0 || r.Text != words {
		t.Errorf("the scene as it was: %+v, %v", r, err)
	}
	r, err = regress.Explain(t.Context(), was, is, compare(t, spoiled(was), render(t, is.Scene), golden.Tolerance{}))
	if err != nil || r.Renderer != 1 || len(r.Edits) != 1 || r.Edits[0].Alone != r.Pixels-1 || r.Several != 0 || !strings.Contains(r.Text, words) {
		t.Errorf("beside an edit: %+v, %v", r, err)
	}
	mask := golden.Tolerance{Masks: []image.Rectangle{image.Rect(0, 0, 2, 2)}}
	r, err = regress.Explain(t.Context(), was, is, compare(t, spoiled(was), render(t, is.Scene), mask))
	if err != nil || r.Renderer != 0 || r.Edits[0].Alone != r.Pixels {
		t.Errorf("under a mask: %+v, %v", r, err)
	}
}

// TestExplainMasks checks that pixels under masks do not count for any edit.
func TestExplainMasks(t *testing.T) {
	was, is := versionOf(t, pills, nil), versionOf(t, edit(t, pills, "center = [-2, 0, 0]", "center = [-2, 0.5, 0]"), nil)
	want, got := render(t, was.Scene), render(t, is.Scene)
	masks := []image.Rectangle{image.Rect(-3, -3, 20, 24), image.Rect(10, 20, 90, 90)}
	r, err := regress.Explain(t.Context(), was, is, compare(t, want, got, golden.Tolerance{Masks: masks}))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for i := range differences(want, got) {
		if p := image.Pt(i%64, i/64); !p.In(masks[0]) && !p.In(masks[1]) {
			n++
		}
	}
	if n == 0 || r.Pixels != n || r.Edits[0].Alone != n || len(r.Clusters) == 0 {
		t.Errorf("got %d pixels and %d alone, want %d", r.Pixels, r.Edits[0].Alone, n)
	}
}

// TestExplainCountsAsTheComparison checks that the report counts pixels like the comparison of the pictures. A
// difference equal to the tolerance is not a change. The report must have the same clusters as the comparison, with the
// same numbers of pixels and bounds, and the only edit must account for all pixels of each.
func TestExplainCountsAsTheComparison(t *testing.T) {
	was, is := versionOf(t, tray(), nil), versionOf(t, edit(t, tray(), "a = [-1, 1, 0]", "a = [-0.9, 1, 0]"), nil)
	want, got := render(t, was.Scene), render(t, is.Scene)
	for _, most := range []int{0, 1, 2, 5, 30, 100} {
		c := compare(t, want, got, golden.Tolerance{MaxChannel: most})
		r, err := regress.Explain(t.Context(), was, is, c)
		if err != nil {
			t.Fatal(err)
		}
		if r.Pixels != c.Diff.Changed || r.Edits[0].Alone != c.Diff.Differing {
			t.Errorf("tolerance %d: %d pixels and %d alone, want %d and %d", most, r.Pixels, r.Edits[0].Alone, c.Diff.Changed, c.Diff.Differing)
		}
		if n := len(c.Diff.Clusters); n > 1 {
			short := c
			short.Diff.Clusters, short.Diff.More = c.Diff.Clusters[:1], n-1
			if s, err := regress.Explain(t.Context(), was, is, short); err != nil || s.Pixels != r.Pixels || len(s.Clusters) != 1 {
				t.Errorf("tolerance %d, one cluster listed: %d pixels, want %d: %v", most, s.Pixels, r.Pixels, err)
			}
		}
		if len(r.Clusters) != len(c.Diff.Clusters) {
			t.Fatalf("tolerance %d: %d clusters, want %d", most, len(r.Clusters), len(c.Diff.Clusters))
		}
		for i, cluster := range c.Diff.Clusters {
			bounds := [4]int{cluster.Bounds.Min.X, cluster.Bounds.Min.Y, cluster.Bounds.Max.X, cluster.Bounds.Max.Y}
			if got := r.Clusters[i]; got.Pixels != cluster.Pixels || got.Shares[0].Pixels != cluster.Pixels || got.Bounds != bounds {
				t.Errorf("tolerance %d: cluster %+v, want %+v", most, got, cluster)
			}
		}
	}
}

// TestExplainSizes checks an edit whose undoing changes the picture's size. The report must state the size and
// count no pixels.
func TestExplainSizes(t *testing.T) {
	r := explainEdit(t, pills, "width = 64", "width = 80", "[2, 0, 0]", "[2, 0.5, 0]")
	width, center := r.Edits[1], r.Edits[0]
	if width.Path != "image.width" || width.Alone != 0 || width.Size == nil || *width.Size != [2]int{64, 48} {
		t.Errorf("got %+v", width)
	}
	if center.Path != "sphere[2].center[1]" || center.Alone == 0 || center.Size != nil || r.Pixels != 0 || r.Renderer != 0 {
		t.Errorf("got %+v", r)
	}
	if want := "image.width, 64 to 80: before, the picture has 64 x 48 pixels"; !strings.Contains(r.Text, want) {
		t.Errorf("got %q, want %q", r.Text, want)
	}
}

// TestExplainTimes checks that an edit of an animation has an effect only if it changes the picture at the
// picture's time.
func TestExplainTimes(t *testing.T) {
	const film = pills + "[[animate]]\ntarget = \"sphere[1].center\"\ntimes = [0, 1, 2]\nvalues = [[0, 0, 0], [0, 1, 0], [0, 2, 0]]\n"
	was, is := versionOf(t, film, nil), versionOf(t, edit(t, film, "[0, 2, 0]]", "[0, 3, 0]]"), nil)
	for seconds, changes := range map[float64]bool{0: false, 1: false, 1.5: true, 2: true} {
		a, b := was, is
		var err error
		if a.Scene, err = was.Scene.At(seconds); err != nil {
			t.Fatal(err)
		}
		if b.Scene, err = is.Scene.At(seconds); err != nil {
			t.Fatal(err)
		}
		c := compare(t, render(t, a.Scene), render(t, b.Scene), golden.Tolerance{})
		c.At = &seconds
		r, err := regress.Explain(t.Context(), a, b, c)
		if err != nil || len(r.Edits) != 1 || r.Edits[0].Path != "animate[0].values[2][1]" || r.Edits[0].Alone != r.Pixels || r.Pixels > 0 != changes {
			t.Errorf("at %v: %+v, %v", seconds, r, err)
		}
	}
}

// TestExplainLimit stops the comparison before all edits have been examined, as a time limit does. The report must
// count the edits that were not examined, and contain nothing else about them.
func TestExplainLimit(t *testing.T) {
	was := versionOf(t, tray(), nil)
	is := versionOf(t, edit(t, tray(), "[-1, 1, 0]", "[-0.9, 1, 0]", "#203040", "#203050", "ambient = 0.2", "ambient = 0.3", `"mirror"`, `"looking glass"`), nil)
	c := compare(t, render(t, was.Scene), render(t, is.Scene), golden.Tolerance{})
	for pictures := range 5 {
		left, rendered := 4+pictures, 0
		c.More = func() bool { left--; return left >= 0 }
		c.Render = func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
			rendered++
			return renderWhole(ctx, s)
		}
		r, err := regress.Explain(t.Context(), was, is, c)
		if err != nil {
			t.Fatal(err)
		}
		unexamined := max(0, 4-pictures)
		if rendered != pictures || len(r.Edits) != 4 || r.Unexamined != min(unexamined, 3) || r.Renderer != min(pictures, 1)-1 {
			t.Errorf("%d pictures of %d: %+v", rendered, pictures, r)
		}
		for _, e := range r.Edits[len(r.Edits)-r.Unexamined:] {
			if e.Alone != regress.Unexamined || strings.Contains(r.Text, e.Path) {
				t.Errorf("%d pictures: %+v", pictures, e)
			}
		}
		want := text.Count(r.Unexamined, "more edit") + " not examined"
		if strings.HasSuffix(r.Text, want) != (r.Unexamined > 0) {
			t.Errorf("%d pictures: %q", pictures, r.Text)
		}
	}
}

// TestExplainManyEdits checks that the text lists only the edits with the largest effects. It must state how many
// other edits there are, and how many were not examined.
func TestExplainManyEdits(t *testing.T) {
	balls := func(radius float64) string {
		text := "[image]\nwidth = 160\nheight = 20\n[camera]\nprojection = \"orthographic\"\nview_height = 4\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n"
		for i := range 30 {
			text += fmt.Sprintf("[[sphere]]\nname = \"ball %d\"\ncenter = [%d, 0, 0]\nradius = %g\n", i, i-15, radius)
		}
		return text
	}
	was, is := versionOf(t, balls(0.4), nil), versionOf(t, balls(0.3), nil)
	c := compare(t, render(t, was.Scene), render(t, is.Scene), golden.Tolerance{})
	for _, test := range []struct {
		examined int
		want     []string // the last lines of the text
	}{
		{30, []string{"and 6 more edits"}},
		{28, []string{"and 4 more edits", "24 change with none of these alone", "2 more edits not examined"}},
		{24, []string{"72 change with none of these alone", "6 more edits not examined"}},
	} {
		more := true
		c.More = func() bool { return more }
		pictures := 0
		c.Render = func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
			pictures++
			more = pictures <= test.examined // the first picture is that of the accepted scene
			return renderWhole(ctx, s)
		}
		r, err := regress.Explain(t.Context(), was, is, c)
		if err != nil {
			t.Fatal(err)
		}
		lines := slices.DeleteFunc(strings.Split(r.Text, "\n"), func(line string) bool { return strings.HasPrefix(line, " ") || strings.HasPrefix(line, "sphere[") })
		if !slices.Equal(lines, test.want) || strings.Count(r.Text, "\nsphere[")+1 != 24 {
			t.Errorf("%d edits examined: got %q, want %q", test.examined, lines, test.want)
		}
	}
}

// TestExplainEffects checks that the effects count all pixels of an edit, by the solid that is visible at the
// pixel's center.
func TestExplainEffects(t *testing.T) {
	r := explainEdit(t, tray(), "[-1, 1, 0]", "[-0.5, 1, 0]")
	sum, lines := 0, r.Text
	for _, f := range r.Edits[0].Effects {
		sum += f.Pixels
		lines += "\n" + f.String()
	}
	if sum != r.Edits[0].Alone {
		t.Errorf("%d pixels in effects, want %d", sum, r.Edits[0].Alone)
	}
	for _, want := range []string{"capsule[0].a[0] of \"arm\", -1 to -0.5: ", ` on capsule "arm"`, ` show box "floor" instead of capsule "arm"`, ` on sphere "mirror"`} {
		if !strings.Contains(lines, want) {
			t.Errorf("got %q, want %q", lines, want)
		}
	}
	// A solid is recognized after an insertion has changed its index.
	r = explainEdit(t, pills, "[[sphere]]", "[[sphere]]\ncenter = [0, 0, 1]\nradius = 0.5\ncolor = \"red\"\n[[sphere]]")
	if want := []regress.Effect{{On: "sphere[0]", Before: "sphere[2]", Pixels: r.Pixels}}; !reflect.DeepEqual(r.Edits[0].Effects, want) {
		t.Errorf("got %+v, want %+v", r.Edits[0].Effects, want)
	}
	r = explainEdit(t, pills, "[[sphere]]\ncenter = [-2, 0, 0]\nradius = 0.8\n", "")
	if want := []regress.Effect{{On: "the background", Before: "former sphere[0]", Pixels: r.Pixels}}; !reflect.DeepEqual(r.Edits[0].Effects, want) {
		t.Errorf("got %+v, want %+v", r.Edits[0].Effects, want)
	}
}

// TestExplainEffectsOfCamera checks the effects of an edit of the camera. They must state what the earlier camera
// saw in the pixels.
func TestExplainEffectsOfCamera(t *testing.T) {
	r := explainEdit(t, tray(), "look_at = [0, 1, 0]", "look_at = [0, 1.5, 0]")
	isWanted := func(e regress.Effect) bool { return e.On == `box "floor"` && e.Before == `capsule "arm"` }
	if !slices.ContainsFunc(r.Edits[0].Effects, isWanted) {
		t.Errorf("no pixel shows the floor instead of the arm: %+v", r.Edits[0].Effects)
	}
}

// TestExplainAttach checks that a light attached to the camera counts as different from an unattached light with
// the same values.
func TestExplainAttach(t *testing.T) {
	r := explainEdit(t, tray(), "intensity = 0.8", "intensity = 0.8\nattach = \"camera\"")
	if r.Pixels == 0 || len(r.Edits) != 1 || r.Edits[0].Alone != r.Pixels {
		t.Errorf("got %+v, want one edit that changes all of the pixels", r)
	}
}

// TestExplainSpotLight checks edits of a spot light in a part, and of the placement that moves the light. If a
// point light becomes a spot light, the two new keys must form one group.
func TestExplainSpotLight(t *testing.T) {
	const lamp = "[[part.lamp.light]]\nname = \"bulb\"\nposition = [0, 0, 4]\ndirection = [0, 0, -1]\ncone = 30\nedge = 5\n[[place]]\npart = \"lamp\"\nname = \"lamp\"\nposition = [0, 0, 1]\n"
	dim := strings.Replace(pills, "direction = [0, 0, -1]", "direction = [0, 0, -1]\nintensity = 0.2", 1)
	for path, edits := range map[string][]string{
		"part.lamp.light[0].cone":      {"cone = 30", "cone = 60"},
		"place[0].position[0]":         {"position = [0, 0, 1]", "position = [2, 0, 1]"},
		"part.lamp.light[0].direction": {"direction = [0, 0, -1]\ncone", "direction = [1, 0, -2]\ncone"},
	} {
		r := explainEdit(t, dim+lamp, edits...)
		if len(r.Edits) != 1 || r.Edits[0].Path != path || r.Edits[0].Alone != r.Pixels || r.Pixels == 0 || !r.ShadingOnly {
			t.Errorf("got %+v, want %s to change all of the pixels, none by a solid", r, path)
		}
	}
	r := explainEdit(t, strings.Replace(dim, "direction = [0, 0, -1]", "position = [0, 0, 9]", 1), "position = [0, 0, 9]", "position = [0, 0, 9]\ndirection = [0, 0, -1]\ncone = 30")
	for _, e := range r.Edits {
		if e.Action != regress.ActionAdded || !strings.HasPrefix(e.Path, "light[0].") || e.Group == 0 {
			t.Errorf("got %+v, want a direction and a cone of light[0] that are one group", e)
		}
	}
	if len(r.Edits) != 2 {
		t.Errorf("got %+v, want two edits", r.Edits)
	}
}

// TestExplainShadingOnly checks that ShadingOnly is true only if no solid has moved, not even a hidden one.
func TestExplainShadingOnly(t *testing.T) {
	behind := pills + "[[sphere]]\ncenter = [0, 0, 90]\nradius = 1\n"
	for want, edits := range map[bool][]string{
		true:  {"direction = [0, 0, -1]", "direction = [0, -1, -1]"},
		false: {"direction = [0, 0, -1]", "direction = [0, -1, -1]", "[0, 0, 90]", "[0, 0, 91]"},
	} {
		if r := explainEdit(t, behind, edits...); r.ShadingOnly != want || r.Pixels == 0 {
			t.Errorf("got %+v, want %v", r, want)
		}
	}
}

// TestExplainErrors checks that an error names the missing or inconsistent argument.
func TestExplainErrors(t *testing.T) {
	v := versionOf(t, pills, nil)
	img := render(t, v.Scene)
	whole := compare(t, img, img, golden.Tolerance{})
	small, unrendered := whole, whole
	small.Got, unrendered.Render = image.NewNRGBA(image.Rect(0, 0, 2, 2)), nil
	for want, explain := range map[string]func() error{
		"want a context, got nil":              func() error { _, err := regress.Explain(nil, v, v, whole); return err }, //nolint:staticcheck
		"want two scenes":                      func() error { _, err := regress.Explain(t.Context(), regress.Version{}, v, whole); return err },
		"want two pictures":                    func() error { _, err := regress.Explain(t.Context(), v, v, regress.Comparison{}); return err },
		"want the pictures that were compared": func() error { _, err := regress.Explain(t.Context(), v, v, small); return err },
		"want a function that renders":         func() error { _, err := regress.Explain(t.Context(), v, v, unrendered); return err },
	} {
		if err := explain(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	is := versionOf(t, edit(t, pills, "[2, 0, 0]", "[2, 1, 0]"), nil)
	ctx, cancel := context.WithCancel(t.Context())
	c := compare(t, img, render(t, is.Scene), golden.Tolerance{})
	c.Render = func(ctx context.Context, s *scene.Scene) (*image.NRGBA, error) {
		cancel()
		return nil, ctx.Err()
	}
	if _, err := regress.Explain(ctx, v, is, c); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want that of the context", err)
	}
}

// TestReportJSON checks that the JSON has the keys on which other programs rely.
func TestReportJSON(t *testing.T) {
	r := explainEdit(t, pills, "[2, 0, 0]", "[2, 0.5, 0]", "[[light]]", "[[light]]\nintensity = 0.7")
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back map[string]any
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	if got, want := slices.Sorted(maps.Keys(back)), []string{"clusters", "edits", "pixels", "renderer", "several", "shading_only", "text", "unexamined"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	edit := back["edits"].([]any)[0].(map[string]any)
	if got, want := slices.Sorted(maps.Keys(edit)), []string{"action", "after", "alone", "before", "effects", "file", "group", "line", "name", "path", "together"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if edit["path"] != "light[0].intensity" || edit["before"] != nil || edit["after"] != 0.7 || edit["line"] != 9.0 || edit["together"].(float64) == 0 {
		t.Errorf("got %v", edit)
	}
}

// TestExplainAnnotations checks that pixels changed by an edit of an annotation are attributed to the edit, and
// none to the renderer.
func TestExplainAnnotations(t *testing.T) {
	labeled := tray() + `
[title]
text = "Tray"
[[label]]
text = "arm"
on = "arm"
offset = [0, -20]
`
	for path, values := range map[string][2]string{
		"label[0].offset[0]": {"offset = [0, -20]", "offset = [3, -20]"},
		"title.text":         {`text = "Tray"`, `text = "Dish"`},
	} {
		r := explainEdit(t, labeled, values[0], values[1])
		if len(r.Edits) != 1 || r.Edits[0].Path != path || r.Edits[0].Alone != r.Pixels || r.Pixels == 0 || r.Renderer != 0 {
			t.Errorf("%s:\n%v", path, r)
		}
	}
}

// TestEveryEditHasEffects checks that JSON has a list of effects for each edit, also where no effects are counted: for
// an edit of the size and a rename.
func TestEveryEditHasEffects(t *testing.T) {
	for _, r := range []regress.Report{
		explainEdit(t, pills, "width = 64", "width = 80", "[2, 0, 0]", "[2, 0.5, 0]"),
		explainEdit(t, "[[sphere]]\nname = \"a\"\ncenter = [0, 0, 0]\nradius = 1\n[image]\nwidth = 8\nheight = 8\n", "\"a\"", "\"b\""),
	} {
		var got struct{ Edits []map[string]any }
		data, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, &got); err != nil || len(got.Edits) == 0 {
			t.Fatalf("%v: %s", err, data)
		}
		for _, e := range got.Edits {
			if _, ok := e["effects"].([]any); !ok {
				t.Errorf("%v has effects %v", e["path"], e["effects"])
			}
		}
	}
}

// TestExplainWithoutTime checks that no edit is examined after the time has ended, whether undoing it would change the
// picture or not.
func TestExplainWithoutTime(t *testing.T) {
	was, is := tray(), tray()
	for i := range 50 {
		was += fmt.Sprintf("[[part.p%d.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", i)
		is += fmt.Sprintf("[[part.q%d.sphere]]\ncenter = [0, %d, 0]\nradius = 2\n", i, i)
	}
	a, b := versionOf(t, was, nil), versionOf(t, is, nil)
	c := compare(t, render(t, a.Scene), render(t, b.Scene), golden.Tolerance{})
	calls := 0
	c.More = func() bool { calls++; return false }
	report, err := regress.Explain(t.Context(), a, b, c)
	if err != nil || report.Unexamined != len(report.Edits) || len(report.Edits) < 50 {
		t.Errorf("%d of %d edits are not examined, %v", report.Unexamined, len(report.Edits), err)
	}
	if calls > 3*len(report.Edits) {
		t.Errorf("%d calls of More for %d edits", calls, len(report.Edits))
	}
}
