package suite

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"pillbox/internal/fixture"
)

// dollhouse is a scene with values in many forms, most of them on lines of their own.
const dollhouse = `[image]
width = 48
height = 36
antialias = 2
background = { top = "#9cc3f0", bottom = "#f2f6fb" }
[camera]
position = [0, 3, 8]
look_at = [0, 0.5, 0]
fov = 40
[shading]
ambient = 0.1
[[light]]
direction = [-1, -2, -1]
[[light]]
position = [3, 5, 3]
intensity = 0.4
[material."old wood"]
color = "#804020"
mirror = 0
[material.steel]
mirror = 0.5
[[sphere]]
center = [
	-2,
	1,
	0,
]
radius = 0.5
material = "old wood"
[[box]]
name = "floor"
center = [0, -0.1, 0]
half_extents = [4, 0.1, 4]
material = "old wood"
[[box]]
center = [2, 1, 0]
half_extents = [0.4, 0.3, 0.2]
axis = [0, 1, 0]
angle = 20
[[capsule]]
a = [-1, 0.5, 0]
b = [1, 0.5, 0]
radius = 0.3
color = "#d1495b"
[[bulk]]
file = "csv/other.csv"
shape = "sphere"
material = "steel"
[[bulk]]
file = "csv/atoms.csv"
shape = "sphere"
radius = 0.3
material = "steel"
`

const dollhouseAtoms = "x,y,z,material\n\n-1,2,0,\n1,2,0,old wood\n"

// textLine returns the line of data with the given number, counted from 1.
func textLine(data []byte, number int) string {
	for line := range bytes.Lines(data) {
		if number--; number == 0 {
			return strings.TrimSpace(string(line))
		}
	}
	return ""
}

// TestResultOrigin checks that Origin is the line of the edit that changed the most pixels.
func TestResultOrigin(t *testing.T) {
	const other = "x,y,z,radius\n0,-3,0,0.1\n"
	for _, test := range []struct {
		from, to string // "|" separates several edits
		file     string // the file that is edited; "" is the scene's
		want     string // the line at which the origin must be, or the beginning of that line
	}{
		{from: `color = "#804020"`, to: `color = "#904020"`, want: `color = "#904020"`},
		{from: "mirror = 0\n", to: "mirror = 0.3\n", want: "mirror = 0.3"},
		{from: "mirror = 0.5", to: "mirror = 0.9", want: "mirror = 0.9"},
		{from: "\t1,\n", to: "\t1.2,\n", want: "1.2,"},
		{from: "radius = 0.5", to: "radius = 0.6", want: "radius = 0.6"},
		{from: "[4, 0.1, 4]", to: "[4, 0.1, 3.7]", want: "half_extents = [4, 0.1, 3.7]"},
		{from: "angle = 20", to: "angle = 30", want: "angle = 30"},
		{from: "axis = [0, 1, 0]", to: "axis = [1, 1, 0]", want: "axis = [1, 1, 0]"},
		{from: "axis = [0, 1, 0]\nangle = 20", to: "rotate = [0, 40, 0]", want: "rotate = [0, 40, 0]"},
		{from: "axis = [0, 1, 0]\nangle = 20\n", to: "", want: "[[box]]"},
		{from: "radius = 0.3\ncolor = \"#d1495b\"", to: "radius = 0.3\nmaterial = \"steel\"", want: `material = "steel"`},
		{from: "color = \"#d1495b\"\n", to: "", want: "[[capsule]]"},
		{from: "intensity = 0.4", to: "intensity = 0.8", want: "intensity = 0.8"},
		{from: "direction = [-1, -2, -1]", to: "direction = [-1, -2, 0]", want: "direction = [-1, -2, 0]"},
		{from: "fov = 40", to: "fov = 41", want: "fov = 41"},
		{from: "ambient = 0.1", to: "ambient = 0.3", want: "ambient = 0.3"},
		{from: "ambient = 0.1\n", to: "", want: ""}, // the default: nothing changed
		{from: "ambient = 0.1", to: "shadows = false", want: "shadows = false"},
		{from: `top = "#9cc3f0"`, to: `top = "#000000"`, want: "background = "},
		{from: "antialias = 2", to: "antialias = 3", want: "antialias = 3"},
		{from: "radius = 0.3\nmaterial", to: "radius = 0.4\nmaterial", want: "radius = 0.4"},
		{from: "1,2,0,old", to: "1,2.5,0,old", file: "scenes/csv/atoms.csv", want: "1,2.5,0,old wood"},
		{from: "-1,2,0,", to: "-1,2,0,old wood", file: "scenes/csv/atoms.csv", want: "-1,2,0,old wood"},
		{from: "fov = 40|intensity = 0.4", to: "fov = 40.0001|intensity = 0.8", want: "intensity = 0.8"},
		{from: "radius = 0.5|ambient = 0.1", to: "radius = 0.5001|ambient = 0.3", want: "ambient = 0.3"},
	} {
		t.Run(test.to, func(t *testing.T) {
			fixture.Folder(t, map[string]string{
				"scenes/house.toml": dollhouse, "scenes/csv/atoms.csv": dollhouseAtoms, "scenes/csv/other.csv": other,
			})
			acceptAll(t)
			file := test.file
			if file == "" {
				file = "scenes/house.toml"
			}
			to := strings.Split(test.to, "|")
			for i, from := range strings.Split(test.from, "|") {
				fixture.Edit(t, file, from, to[i])
			}
			r := check(t)["house"]
			if test.want == "" {
				if r.Origin != (Location{}) {
					t.Errorf("%v at %v, want no place", r, r.Origin)
				}
				return
			}
			if r.Origin.File != file {
				t.Fatalf("%v at %v, want a line of %s", r, r.Origin, file)
			}
			line := textLine([]byte(fixture.Read(t, file)), r.Origin.Line)
			if !strings.HasPrefix(line, test.want) {
				t.Errorf("%v at %v, which is %q, want %q", r, r.Origin, line, test.want)
			}
		})
	}
}

// TestResultOriginOfNothing checks that the origin is the first line of the scene if the files do not contain the
// cause. Here, a picture was replaced and a solid removed.
func TestResultOriginOfNothing(t *testing.T) {
	project(t)
	spoil(t, "golden/ball.png")
	fixture.Edit(t, "scenes/pills.toml", fixture.Pills[strings.Index(fixture.Pills, "[[capsule]]"):strings.Index(fixture.Pills, "[[box]]")], "")
	for name, r := range check(t) {
		if want := (Location{File: r.Scene, Line: 1}); name != "second" && r.Origin != want {
			t.Errorf("%v at %v, want %v", r, r.Origin, want)
		}
	}
}

// TestResultOriginOfPlacement checks that an edit of a placement, a part or a material is one cause, even if it
// changes many solids. Its position must be that of the edited key or table, or the first line if the table was
// removed.
func TestResultOriginOfPlacement(t *testing.T) {
	const scene = `[image]
width = 160
height = 120
[camera]
position = [0, 3, 12]
look_at = [0, 1, 0]
[material.skin]
color = "#804020"
[part.finger]
capsule = [{ name = "bone", a = [0, 0, 0], b = [0, 1, 0], radius = 0.2 }]
sphere = [{ center = [0, 1, 0], radius = 0.3 }]
box = [{ center = [0, 0, 0], half_extents = [0.3, 0.2, 0.3] }]
[[place]]
part = "finger"
position = [-2, 0, 0]
[[place]]
name = "index"
part = "finger"
position = [1, 0, 0]
rotate = [0, 0, 30]
material = "skin"
[[place]]
part = "finger"
count = 3
position = [0, 2, 0]
step = { position = [1.5, 0, 0] }
`
	for _, test := range []struct{ from, to, line, cause string }{
		{"rotate = [0, 0, 30]", "rotate = [0, 0, 70]", "rotate", `place[1].rotate[2] of "index", 30 to 70: `},
		{"position = [1, 0, 0]", "position = [1, 0.5, 0]", "position = [1, 0.5", `place[1].position[1] of "index", 0 to 0.5: `},
		{"position = [-2, 0, 0]", "position = [-2, 1, 0]\nscale = 1.5", "position = [-2, 1", `place[0].position[1], 0 to 1: `},
		{"[1.5, 0, 0] }", "[1.6, 0, 0] }", "step", `place[2].step.position[0], 1.5 to 1.6: `},
		{"count = 3", "count = 2", "count = 2", `place[2].count, 3 to 2: `},
		{"radius = 0.2 }]", "radius = 0.25 }]", "capsule = [{", `part.finger.capsule[0].radius of "bone", 0.2 to 0.25: `},
		{`color = "#804020"`, `color = "#904020"`, `color = "#904020"`, `material.skin.color, "#804020" to "#904020": `},
		{"[[place]]\nname", "[[place]]\npart = \"finger\"\nposition = [0, -1, 0]\n[[place]]\nname", "[[place]]", `place[1] added: `},
		{"[[place]]\npart = \"finger\"\nposition = [-2, 0, 0]\n", "", "[image]", `place[0] removed: `},
	} {
		t.Run(test.to, func(t *testing.T) {
			fixture.Folder(t, map[string]string{"scenes/hand.toml": scene})
			acceptAll(t)
			fixture.Edit(t, "scenes/hand.toml", test.from, test.to)
			r := check(t)["hand"]
			if !strings.Contains(r.Why.report.Text, test.cause) {
				t.Errorf("got %q, want %q", r.Why.report.Text, test.cause)
			}
			line := textLine([]byte(fixture.Read(t, "scenes/hand.toml")), r.Origin.Line)
			if !strings.HasPrefix(line, test.line) {
				t.Errorf("%v at %v, which is %q, want %q", r, r.Origin, line, test.line)
			}
		})
	}
}

// TestResultOriginHeader checks the lines of a bulk file with a byte order mark and blank lines before the column
// names.
func TestResultOriginHeader(t *testing.T) {
	for _, before := range []string{"", "\ufeff", "\n\r\n", "\ufeff\n"} {
		t.Run(fmt.Sprintf("%q", before), func(t *testing.T) {
			fixture.Folder(t, map[string]string{
				"scenes/house.toml":    dollhouse,
				"scenes/csv/atoms.csv": before + "material,x,y,z\nsteel,-1,2,0\nsteel,1,2,0\n",
				"scenes/csv/other.csv": "x,y,z,radius\n0,-3,0,0.1\n",
			})
			fixture.Edit(t, "scenes/house.toml", "radius = 0.3\nmaterial = \"steel\"\n", "radius = 0.3\n")
			acceptAll(t)
			fixture.Edit(t, "scenes/house.toml", "mirror = 0.5", "mirror = 0.9")
			r := check(t)["house"]
			const want = "mirror = 0.9"
			if line := textLine([]byte(fixture.Read(t, "scenes/house.toml")), r.Origin.Line); line != want {
				t.Errorf("%v at %v, which is %q, want %q", r, r.Origin, line, want)
			}
		})
	}
}
