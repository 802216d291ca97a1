package regress_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/regress"
	"pillbox/scene"
)

// stage is a scene that each table of drawn tests is added to.
const stage = `
[image]
width = 96
height = 72
[camera]
position = [1, 2, 9]
look_at = [0, 0, 0]
[[light]]
direction = [-1, -2, -1]
[material.steel]
color = "steelblue"
[[sphere]]
name = "ball"
center = [0, 0, 0]
radius = 1.4
material = "steel"
[[capsule]]
name = "arm"
a = [-2, 1.5, -1]
b = [2, -1, 1.2]
radius = 0.4
[[box]]
name = "floor"
center = [0, -1.8, 0]
half_extents = [3, 0.4, 2]
`

// drawn is a table that is added to the stage, with a change of each of its keys, as old and new text.
type drawn struct {
	table   string
	changes map[string][2]string
}

// lettering returns changes that all tables with letters have in common, and more.
func lettering(more map[string][2]string) map[string][2]string {
	changes := map[string][2]string{
		"size":  {"\nsize = 14", "\nsize = 17"},
		"color": {"\ncolor = \"navy\"", "\ncolor = \"maroon\""},
		"halo":  {"\nhalo = \"white\"", "\nhalo = \"gold\""},
	}
	maps.Copy(changes, more)
	return changes
}

const letters = "\nsize = 14\ncolor = \"navy\"\nhalo = \"white\"\n"

func allDrawn() map[string]drawn {
	stroke := map[string][2]string{
		"from": {"from = [-4, 0, 0.5]", "from = [-4, 0.4, 0.5]"}, "to": {"to = [4, 0, 0.5]", "to = [4, 1, 0.5]"},
		"color": {`color = "navy"`, `color = "maroon"`}, "dash": {"dash = true", "dash = false"}, "depth": {"depth = true", "depth = false"},
		"head": {"head = 6", "head = 12"}, "heads": {`heads = "end"`, `heads = "both"`}, "hidden": {`hidden = "hide"`, `hidden = "dash"`}, "width": {"width = 2", "width = 4"},
	}
	const line = "from = [-4, 0, 0.5]\nto = [4, 0, 0.5]\ncolor = \"navy\"\ndash = true\ndepth = true\nhead = 6\nheads = \"end\"\nhidden = \"hide\"\nwidth = 2\n"
	return map[string]drawn{
		"section": {"[[section]]\nname = \"lid\"\npoint = [0, 0, 0.3]\nnormal = [0, 0, 1]\ncolor = \"gold\"\nhatch = true\nhatch_distance = 0.3\nhatch_width = 0.1\nhatch_angle = 30\nhatch_color = \"navy\"\nlight = \"cut\"\non = \"ball\"\n",
			map[string][2]string{
				"point": {"[0, 0, 0.3]", "[0, 0, 0.5]"}, "normal": {"normal = [0, 0, 1]", "normal = [0, 1, 1]"}, "color": {`color = "gold"`, `color = "tan"`},
				"hatch_distance": {"distance = 0.3", "distance = 0.4"}, "hatch_width": {"width = 0.1", "width = 0.2"}, "hatch_angle": {"= 30", "= 80"},
				"hatch_color": {`hatch_color = "navy"`, `hatch_color = "red"`}, "light": {`"cut"`, `"whole"`}, "on": {`on = "ball"`, `on = "arm"`},
				"except": {`on = "ball"`, `except = "ball"`},
				"hatch":  {"hatch = true\nhatch_distance = 0.3\nhatch_width = 0.1\nhatch_angle = 30\nhatch_color = \"navy\"", "hatch = false"},
			}},
		"fog": {"[fog]\nnear = 7\nfar = 12\ncolor = \"white\"\nstrength = 0.8\nbackground = false\n", map[string][2]string{
			"near": {"near = 7", "near = 8"}, "far": {"far = 12", "far = 14"}, "color": {`color = "white"`, `color = "tan"`}, "strength": {"0.8", "0.5"}, "background": {"= false", "= true"},
		}},
		"outline": {"[outline]\ncolor = \"navy\"\nwidth = 2\nsilhouettes = true\ncreases = true\ncontacts = true\ndepth = 0.1\nhidden = \"none\"\n", map[string][2]string{
			"color": {"navy", "maroon"}, "width": {"width = 2", "width = 3"}, "silhouettes": {"silhouettes = true", "silhouettes = false"}, "creases": {"creases = true", "creases = false"},
			"contacts": {"contacts = true", "contacts = false"}, "depth": {"depth = 0.1", "depth = 4"}, "hidden": {`"none"`, `"dashed"`},
		}},
		"title": {"[title]\ntext = \"Arm\"\nside = \"top\"" + letters, lettering(map[string][2]string{"text": {`"Arm"`, `"Leg"`}, "side": {`"top"`, `"bottom"`}})},
		"label": {"[[label]]\ntext = \"arm\"\non = \"arm\"\noffset = [0, 20]\nanchor = \"left\"\nleader = true\nhidden = \"draw\"" + letters, lettering(map[string][2]string{
			"text": {`"arm"` + "\non", `"leg"` + "\non"}, "on": {`on = "arm"`, `on = "floor"`}, "at": {`on = "arm"`, `at = [1, 1, 1]`}, "offset": {"[0, 20]", "[0, 26]"}, "anchor": {`"left"`, `"right"`},
			"leader": {"leader = true", "leader = false"}, "hidden": {`hidden = "draw"`, `hidden = "hide"`},
		})},
		"dimension": {"[[dimension]]\nfrom = [-1, 0, -1]\nto = [1, 0, -1]\noffset = [0, 0.5, 0]\nunit = \"m\"\ntext = \"l = {}\"\ndigits = 1\nfactor = 1\nhidden = \"draw\"" + letters, lettering(map[string][2]string{
			"from": {"from = [-1, 0, -1]", "from = [-1.3, 0, -1]"}, "to": {"to = [1, 0, -1]", "to = [1.4, 0, -1]"}, "offset": {"0.5", "0.8"}, "unit": {`"m"`, `"s"`}, "text": {"l = {}", "b = {}"},
			"digits": {"digits = 1", "digits = 2"}, "factor": {"factor = 1", "factor = 3"}, "hidden": {`"draw"`, `"hide"`},
			"on": {"from = [-1, 0, -1]\nto = [1, 0, -1]\n", "on = \"ball\"\n"}, "across": {"from = [-1, 0, -1]\nto = [1, 0, -1]\n", "on = \"floor\"\nacross = \"z\"\n"},
		})},
		"line": {"[[line]]\n" + line, stroke}, "arrow": {"[[arrow]]\n" + line, stroke},
		"angle": {"[[angle]]\nat = [1.1, 0, -1]\nfrom = [3, 0, -1]\nto = [-1, 0.5, -1]\nradius = 1.0\ntext = \"{}\"\ndigits = 0\nunit = \"degrees\"\ndash = true\ndepth = true\nhead = 6\nheads = \"end\"\nhidden = \"hide\"\nwidth = 2" + letters,
			lettering(map[string][2]string{
				"at": {"at = [1.1, 0, -1]", "at = [1.3, 0, -1]"}, "from": {"from = [3, 0, -1]", "from = [3, 0.4, -1]"}, "to": {"to = [-1, 0.5, -1]", "to = [-1, 1.5, -1]"}, "radius": {"1.0", "1.2"}, "text": {`"{}"`, `"a {}"`},
				"digits": {"digits = 0", "digits = 2"}, "unit": {`"degrees"`, `"radians"`}, "dash": {"dash = true", "dash = false"}, "depth": {"depth = true", "depth = false"}, "head": {"head = 6", "head = 12"},
				"heads": {`"end"`, `"both"`}, "hidden": {`"hide"`, `"dash"`}, "width": {"width = 2", "width = 4"},
			})},
		"marker": {"[[marker]]\nat = [0, 0, 1.2]\nshape = \"cross\"\nsize = 9\nwidth = 2\ncolor = \"red\"\ndepth = true\nhidden = \"dash\"\n", map[string][2]string{
			"at": {"[0, 0, 1.2]", "[0, 2, 1.2]"}, "shape": {"cross", "circle"}, "size": {"size = 9", "size = 14"}, "width": {"width = 2", "width = 4"}, "color": {`"red"`, `"lime"`},
			"depth": {"depth = true", "depth = false"}, "hidden": {`"dash"`, `"hide"`},
		}},
		"axes": {"[axes]\nat = [0, 0, 0]\nlength = 2\nhidden = \"hide\"\ntexts = [\"x\", \"y\", \"z\"]" + letters, lettering(map[string][2]string{
			"at": {"\nat = [0, 0, 0]", "\nat = [0, 0.3, 0]"}, "corner": {"\nat = [0, 0, 0]\nlength = 2\nhidden = \"hide\"\n", "\ncorner = \"top-left\"\nlength = 20\n"}, "length": {"length = 2", "length = 2.5"},
			"hidden": {`"hide"`, `"draw"`}, "texts": {`"y"`, `"u"`},
		})},
		"scale_bar": {"[scale_bar]\nlength = 1\ndepth = 9\ncorner = \"top-left\"\nunit = \"m\"\ndigits = 1\nfactor = 1" + letters, lettering(map[string][2]string{
			"length": {"length = 1", "length = 2"}, "depth": {"depth = 9", "depth = 7"}, "corner": {"top-left", "bottom-left"}, "unit": {`"m"`, `"s"`}, "digits": {"digits = 1", "digits = 2"}, "factor": {"factor = 1", "factor = 3"},
		})},
		"legend": {"[legend]\nmaterials = [\"steel\", \"brass\"]\ntexts = [\"a\", \"b\"]\ncorner = \"top-left\"" + letters + "[material.brass]\ncolor = \"tan\"\n[[sphere]]\ncenter = [0, 9, 90]\nradius = 0.1\nmaterial = \"brass\"\n[[section]]\nname = \"lid\"\npoint = [0, 0, 9]\nnormal = [0, 0, 1]\nhatch = true\n",
			lettering(map[string][2]string{
				"materials": {`["steel", "brass"]`, `["brass", "steel"]`}, "sections": {`["steel", "brass"]`, "[\"steel\"]\nsections = [\"lid\"]"}, "texts": {`"b"]`, `"c"]`}, "corner": {"top-left", "bottom-left"},
			})},
	}
}

// TestEveryDrawnKeyIsACause changes each key of sections, fog, outlines and annotations. The change must be among the edits of
// its table, and these must change all pixels that differ. Keys of the format that the test does not know fail it.
func TestEveryDrawnKeyIsACause(t *testing.T) {
	known := schemaKeys(t)
	for name, d := range allDrawn() {
		some := effort.Some(t, (len(known[name])+2)/3, known[name])
		for _, key := range known[name] {
			pair, ok := d.changes[key]
			if !ok && name+"."+key != "section.name" { // a name changes no pixel
				t.Errorf("no change of %s.%s: add one to allDrawn", name, key)
			}
			if !ok || !slices.Contains(some, key) {
				continue
			}
			t.Run(name+"."+key, func(t *testing.T) { checkCause(t, name, key, explainEdit(t, stage+d.table, pair[0], pair[1])) })
		}
		for key := range d.changes {
			if !slices.Contains(known[name], key) {
				t.Errorf("the format has no key %s.%s", name, key)
			}
		}
	}
}

// checkCause checks that all edits of a report are of the table with a name, that one is of the key, and that they change all
// pixels that differ.
func checkCause(t *testing.T, name, key string, r regress.Report) {
	t.Helper()
	paths, alone := "", 0
	for _, e := range r.Edits {
		paths += e.Path + " "
		alone = max(alone, e.Alone)
		if !strings.HasPrefix(e.Path, name+".") && !strings.HasPrefix(e.Path, name+"[0].") {
			t.Errorf("an edit of %s", e.Path)
		}
	}
	if !strings.Contains(paths, "."+key) || r.Pixels == 0 || r.Renderer != 0 || len(r.Edits) == 1 && alone != r.Pixels {
		t.Errorf("the edits %sdo not change all of the pixels:\n%v", paths, r)
	}
}

// schemaKeys returns the names of the keys of the scene's tables.
func schemaKeys(t *testing.T) map[string][]string {
	t.Helper()
	type node struct {
		Ref        string          `json:"$ref"`
		Items      *node           `json:"items"`
		Properties map[string]node `json:"properties"`
	}
	var root struct {
		node
		Definitions map[string]node `json:"definitions"`
	}
	if err := json.Unmarshal(scene.Schema(), &root); err != nil {
		t.Fatal(err)
	}
	keys := map[string][]string{}
	for name, n := range root.Properties {
		if n.Items != nil {
			n = *n.Items
		}
		if n.Ref != "" {
			n = root.Definitions[n.Ref[strings.LastIndex(n.Ref, "/")+1:]]
		}
		keys[name] = slices.Sorted(maps.Keys(n.Properties))
	}
	if len(keys) < 20 {
		t.Fatal(fmt.Errorf("only %d tables in the schema", len(keys)))
	}
	return keys
}
