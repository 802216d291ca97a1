package regress_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// shop is a scene with everything that can be renamed or moved.
const shop = `
include = ["lib/look.toml"]
[image]
width = 48
height = 36
[camera]
position = [0, 1, 12]
look_at = [0, 1, 0]
[legend]
materials = ["steel"]
texts = ["Steel"]
[[section]]
name = "cut"
point = [0, 0, 9]
normal = [0, 0, 1]
except = ["wall"]
[material.steel]
color = "#8090a0"
[[light]]
name = "key"
position = [4, 6, 8]
intensity = 0.6
[[light]]
name = "fill"
direction = [1, -1, -1]
intensity = 0.3
[[sphere]]
name = "c"
center = [0, 1, 1]
radius = 0.5
material = "steel"
[[box]]
name = "wall"
center = [0, 0, -2]
half_extents = [5, 3, 0.5]
material = "brick"
[[part.arm.capsule]]
name = "bone"
a = [0, 0, 0]
b = [0, 1, 0]
radius = 0.2
[[part.arm.sphere]]
name = "tip"
center = [0, 1.2, 0]
radius = 0.25
color = "red"
[[place]]
part = "arm"
name = "left"
position = [-2, 0, 0]
[[bulk]]
file = "beads.csv"
shape = "sphere"
radius = 0.3
[[label]]
text = "a ball"
on = "c"
offset = [10, -10]
[[label]]
text = "a bone"
on = "left/bone"
offset = [-10, -10]
[[dimension]]
on = "c"
[[line]]
from = "left/bone.a"
to = "wall"
[animation]
duration = 4
[[animate]]
target = "c.radius"
times = [0, 4]
values = [0.5, 0.5]
[[animate]]
target = "left/bone.radius"
times = [0, 4]
values = [0.2, 0.2]
`

func shopFiles() map[string]string {
	return map[string]string{
		"lib/look.toml": "[material.brick]\ncolor = \"#a04030\"\nmirror = 0.1\n[material.plaster]\ncolor = \"#e0e0d0\"\nmirror = 0.05\n[[part.post.bulk]]\nfile = \"posts.csv\"\nshape = \"sphere\"\n",
		"lib/posts.csv": "x,y,z,radius\n0,0,0,0.1\n0,1,0,0.2\n0,2,0,0.3\n",
		"beads.csv":     "x,y,z,color\n-1,3,0,red\n0,3,0,white\n1,3,0,blue\n2,3,0,green\n",
	}
}

// TestExplainRenamedAndChanged checks that what was renamed or moved and changed is one edit for each change, and that
// nothing is paired if two matches are as good.
func TestExplainRenamedAndChanged(t *testing.T) {
	// A name in the scene is written in quotes or in a header, so these replace all references.
	named := func(from, to string) []string { return []string{`"` + from + `"`, `"` + to + `"`} }
	moved := func(from, to string) func(map[string]string) {
		return func(files map[string]string) { files[to] = files[from]; delete(files, from) }
	}
	change := func(file string, pairs ...string) func(map[string]string) {
		return func(files map[string]string) { files[file] = edit(t, files[file], pairs...) }
	}
	ball := append(named("c", "ball"), "c.radius", "ball.radius")
	bone := append(named("bone", "shaft"), "left/bone", "left/shaft")
	for name, test := range map[string]struct {
		edits []string // of the scene
		files []func(map[string]string)
		want  string // the edits and whether they change pixels
	}{
		"solid":                {ball, nil, `sphere[0].name of "ball", renamed from "c": false`},
		"solid and radius":     {append(ball, "radius = 0.5\nm", "radius = 0.6\nm"), nil, `sphere[0].radius of "ball", renamed from "c", 0.5 to 0.6: true`},
		"solid and two values": {append(ball, "radius = 0.5\nm", "radius = 0.6\nm", "[0, 1, 1]", "[0, 1.1, 1]"), nil, `sphere[0].center[1] of "ball", renamed from "c", 1 to 1.1: true; sphere[0].radius of "ball", renamed from "c", 0.5 to 0.6: true`},
		"solid in a part":      {append(bone, "radius = 0.2\n[[part.arm.s", "radius = 0.3\n[[part.arm.s"), nil, `part.arm.capsule[0].radius of "shaft", renamed from "bone", 0.2 to 0.3: true`},
		"light":                {append(named("key", "main"), "intensity = 0.6", "intensity = 0.8"), nil, `light[0].intensity of "main", renamed from "key", 0.6 to 0.8: true`},
		"lights":               {append(append(named("key", "main"), named("fill", "sky")...), "intensity = 0.6", "intensity = 0.8", "intensity = 0.3", "intensity = 0.4"), nil, `light[0].intensity of "main", renamed from "key", 0.6 to 0.8: true; light[1].intensity of "sky", renamed from "fill", 0.3 to 0.4: true`},
		"section":              {append(named("cut", "slice"), "[0, 0, 9]", "[0, 0, 1.2]"), nil, `section[0].point[2] of "slice", renamed from "cut", 9 to 1.2: true`},
		"placement":            {[]string{`"left"`, `"west"`, "left/", "west/", "[-2, 0, 0]", "[-2.5, 0, 0]"}, nil, `place[0].position[0] of "west", renamed from "left", -2 to -2.5: true`},
		"part":                 {[]string{"part.arm.", "part.limb.", `"arm"`, `"limb"`, "radius = 0.25", "radius = 0.35"}, nil, `part.limb.sphere[0].radius of "tip", renamed from "arm", 0.25 to 0.35: true`},
		"part and solid": {append(bone, "part.arm.", "part.limb.", `"arm"`, `"limb"`, "radius = 0.2\n", "radius = 0.3\n"), nil,
			`part.limb.capsule[0].radius of "shaft", renamed from "bone", 0.2 to 0.3: true; part.limb, renamed from "arm": false`},
		"material with one key": {append(named("steel", "iron"), "material.steel", "material.iron", "#8090a0", "#707070"), nil, `material.iron.color, renamed from "steel", "#8090a0" to "#707070": true`},
		"label":                 {append(ball, "a ball", "the ball"), nil, `label[0].text, "a ball" to "the ball": true; sphere[0].name of "ball", renamed from "c": false`},
		"label and its place":   {[]string{"a ball", "the ball", "[10, -10]", "[12, -10]"}, nil, `label[0].text, "a ball" to "the ball": true; label[0].offset[0], 10 to 12: true`},
		"table":                 {[]string{"beads.csv", "data/pearls.csv"}, []func(map[string]string){moved("beads.csv", "data/pearls.csv")}, `csv data/pearls.csv, moved from beads.csv: false`},
		"table and row": {[]string{"beads.csv", "data/pearls.csv"}, []func(map[string]string){moved("beads.csv", "data/pearls.csv"), change("data/pearls.csv", "0,3,0", "0,2,0")},
			`csv data/pearls.csv row 2 y, moved from beads.csv, 3 to 2: true`},
		"table and all rows": {[]string{"beads.csv", "data/beads.csv"}, []func(map[string]string){moved("beads.csv", "data/beads.csv"), change("data/beads.csv", "-1,3,0", "-1,2,0", "\n0,3,0", "\n0,2,0", "\n1,3,0", "\n1,2,0", "\n2,3,0", "\n2,2,0")},
			`csv data/beads.csv row 1 y, moved from beads.csv, 3 to 2: true; csv data/beads.csv row 2 y, moved from beads.csv, 3 to 2: true; csv data/beads.csv row 3 y, moved from beads.csv, 3 to 2: true; csv data/beads.csv row 4 y, moved from beads.csv, 3 to 2: true`},
		"include and its table": {[]string{"lib/look.toml", "shared/looks.toml"}, []func(map[string]string){moved("lib/look.toml", "shared/looks.toml"), moved("lib/posts.csv", "shared/posts.csv"), change("shared/looks.toml", "#a04030", "#a05030")},
			`material.brick.color, moved from lib/look.toml, "#a04030" to "#a05030": true; csv shared/posts.csv, moved from lib/posts.csv: false`},
		"include and its materials": {[]string{"lib/look.toml", "lib/looks.toml", `"brick"`, `"stone"`}, []func(map[string]string){moved("lib/look.toml", "lib/looks.toml"), change("lib/looks.toml", "material.brick", "material.stone", "#a04030", "#a05030")},
			`material.stone.color, renamed from "brick", "#a04030" to "#a05030": true; include lib/looks.toml, moved from lib/look.toml: false`},
		"material into an include": {[]string{"[material.steel]\ncolor = \"#8090a0\"\n", ""}, []func(map[string]string){change("lib/look.toml", "[material.plaster]", "[material.steel]\ncolor = \"#809090\"\n[material.plaster]")},
			`material.steel.color, moved from the scene, "#8090a0" to "#809090": true`},
		"legend": {append(named("steel", "iron"), "material.steel", "material.iron", `materials = ["iron"]`+"\ntexts = [\"Steel\"]", ""), nil,
			`legend.materials removed, ["iron"]: true; legend.texts removed, ["Steel"]: true; material.iron, renamed from "steel": false`},
		"materials": {append(append(named("steel", "iron"), named("brick", "stone")...), "material.steel", "material.iron", "#8090a0", "#707070"), []func(map[string]string){change("lib/look.toml", "material.brick", "material.stone", "#a04030", "#a05030")}, `material.iron.color, renamed from "steel", "#8090a0" to "#707070": true; material.stone.color, renamed from "brick", "#a04030" to "#a05030": true`},
		"two moved tables with equal rows and other names": {[]string{"beads.csv", "data/beads.csv"}, []func(map[string]string){moved("beads.csv", "data/beads.csv"), change("data/beads.csv", "2,3,0,green", "2,3,0,lime")}, `csv data/beads.csv row 4 color, moved from beads.csv, "green" to "lime": true`},
		"another solid": {append(named("c", "ball"), "c.radius", "ball.radius", "center = [0, 1, 1]\nradius = 0.5\nmaterial = \"steel\"", "center = [3, 0, 0]\nradius = 0.2\ncolor = \"lime\""), nil, `animate[0].target, "c.radius" to "ball.radius": true; dimension[0].on, "c" to "ball": true; label[0].on, "c" to "ball": true; sphere[0] of "ball" added: true; sphere[0] of "c" removed: true`},
		"two solids as good": {[]string{"[[sphere]]\nname = \"c\"\ncenter = [0, 1, 1]\n", "[[sphere]]\nname = \"d\"\ncenter = [0.5, 1, 1]\nradius = 0.5\nmaterial = \"steel\"\n[[sphere]]\nname = \"e\"\ncenter = [-0.5, 1, 1]\n", `on = "c"`, `on = "d"`, "c.radius", "d.radius"}, nil,
			`animate[0].target, "c.radius" to "d.radius": true; dimension[0].on, "c" to "d": true; label[0].on, "c" to "d": true; sphere[0] of "d" added: true; sphere[1] of "e" added: true; sphere[0] of "c" removed: true`},
		"two tables as good": {[]string{`"beads.csv"`, `"p.csv"` + "\nshape = \"sphere\"\nradius = 0.3\n[[bulk]]\nfile = \"q.csv\""}, []func(map[string]string){moved("beads.csv", "p.csv"), func(f map[string]string) { f["q.csv"] = f["p.csv"] }},
			`bulk[0] added: false; bulk[1] added: false; bulk[0] removed: false`},
	} {
		t.Run(name, func(t *testing.T) {
			files := shopFiles()
			for _, f := range test.files {
				f(files)
			}
			text := shop
			for i := 0; i < len(test.edits); i += 2 {
				if !strings.Contains(text, test.edits[i]) {
					continue // all references are replaced already
				}
				text = strings.ReplaceAll(text, test.edits[i], test.edits[i+1])
			}
			r := explain(t, versionOf(t, shop, shopFiles()), versionOf(t, text, maps.Clone(files)))
			var list []string
			for _, e := range r.Edits {
				list = append(list, fmt.Sprintf("%v: %v", e, e.Alone > 0))
			}
			want := strings.Split(test.want, "; ")
			slices.Sort(list)
			slices.Sort(want)
			if !slices.Equal(list, want) {
				t.Errorf("got\n%s, want\n%s", strings.Join(list, "\n"), strings.Join(want, "\n"))
			}
			if r.Renderer > 0 || r.Unexamined != 0 {
				t.Errorf("got %+v", r)
			}
		})
	}
}
