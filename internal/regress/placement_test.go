package regress_test

import (
	"strings"
	"testing"

	"pillbox/internal/regress"
)

// hand has a part with a solid of each kind.
const hand = `[image]
width = 48
height = 36
[camera]
position = [0, 3, 12]
look_at = [0, 1, 0]
[[sphere]]
center = [0, -1, 0]
radius = 0.5
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
[[place]]
part = "finger"
count = 3
position = [0, 2, 0]
step = { position = [1.5, 0, 0] }
`

// TestExplainPlacementAlone: a placement is undone with all of its solids, here behind another view,
// where what it does alone is what happens in that view without the other change.
func TestExplainPlacementAlone(t *testing.T) {
	const camera, moved = "[0, 3, 12]", "[1, 3, 12]"
	for _, c := range [][2]string{
		{"position = [1, 0, 0]", "position = [1, 0.5, 0]"},
		{"count = 3", "count = 2"},
		{"count = 3", "count = 4"},
		{"position = [-2, 0, 0]", "position = [-2, 1, 0]\nrotate = [0, 0, 40]\nscale = 1.5"},
		{"[[place]]\nname", "[[place]]\npart = \"finger\"\nposition = [0, -1, 0]\n[[place]]\nname"},
		{"[[place]]\npart = \"finger\"\nposition = [-2, 0, 0]\n", ""},
	} {
		changed := edit(t, hand, c[0], c[1])
		r := explain(t, decode(t, hand), decode(t, edit(t, changed, camera, moved)))
		want := explain(t, decode(t, edit(t, hand, camera, moved)), decode(t, edit(t, changed, camera, moved))).Pixels
		found := false
		for _, x := range r.Causes {
			if x.Subject == regress.SubjectPlacement {
				found = true
				if x.Alone != want || want == 0 {
					t.Errorf("%v changes %d pixels alone, want %d", x, x.Alone, want)
				}
			}
		}
		if !found || len(r.Causes) != 2 {
			t.Errorf("%q: want a placement and the camera, got %v", c[1], r.Causes)
		}
	}
}

// TestExplainPart: what changed inside a part is one cause, however many copies there are, and is
// undone with all of them.
func TestExplainPart(t *testing.T) {
	const nested = "[part.hand]\nplace = [{ part = \"finger\", position = [0, 0, 1] }]\n"
	scene := edit(t, edit(t, hand, "[part.finger]", nested+"[part.finger]"), "name = \"index\"\npart = \"finger\"", "name = \"index\"\npart = \"hand\"")
	for _, c := range [][3]string{
		{"b = [0, 1, 0], radius = 0.2", "b = [0, 1.5, 0], radius = 0.25", `part "finger" changed (capsule[0].b[1] 1 to 1.5, capsule[0].radius 0.2 to 0.25): 5 solids moved and resized`},
		{"center = [0, 1, 0], radius = 0.3", "center = [0, 1.25, 0], radius = 0.3, color = \"red\"", `part "finger" changed (sphere[0].center[1] 1 to 1.25, sphere[0].color #cccccc to #ff0000): 5 solids moved and recolored`},
		{"position = [0, 0, 1]", "position = [0, 0.5, 1]", `part "hand" changed (place[0].position[1] 0 to 0.5): 3 solids moved`},
		{"sphere = [{ center = [0, 1, 0]", "sphere = [{ center = [0, 2, 0], radius = 0.4 }, { center = [0, 1, 0]", `part "finger" changed: 4 solids added`},
	} {
		r := explain(t, decode(t, scene), decode(t, edit(t, scene, c[0], c[1])))
		parts := 0
		for _, x := range r.Causes {
			if x.Subject == regress.SubjectPart {
				parts++
			}
		}
		if !strings.Contains(r.Text, "Cause: "+c[2]) || parts != len(r.Causes) || parts > 2 {
			t.Errorf("got %q of %d causes, want %q", r.Text, len(r.Causes), c[2])
		}
	}
	changed := edit(t, scene, "b = [0, 1, 0], radius = 0.2", "b = [0, 1, 0], radius = 0.3")
	const camera, moved = "[0, 3, 12]", "[1, 3, 12]"
	r := explain(t, decode(t, scene), decode(t, edit(t, changed, camera, moved)))
	want := explain(t, decode(t, edit(t, scene, camera, moved)), decode(t, edit(t, changed, camera, moved))).Pixels
	for _, x := range r.Causes {
		if x.Subject == regress.SubjectPart && (x.Alone != want || want == 0) {
			t.Errorf("%v changes %d pixels alone, want %d", x, x.Alone, want)
		}
	}
}

// TestExplainPlacedSolidByItself: what a placement cannot have done to a solid is a cause in its part.
func TestExplainPlacedSolidByItself(t *testing.T) {
	changed := edit(t, edit(t, hand, "position = [1, 0, 0]", "position = [1, 0.5, 0]"), "b = [0, 1, 0], radius = 0.2", "b = [0, 1, 0], radius = 0.25")
	text := explain(t, decode(t, hand), decode(t, changed)).Text
	for _, want := range []string{
		`place "index" moved (position[1] 0 to 0.5): 2 solids moved`,
		`part "finger" changed (capsule[0].radius 0.2 to 0.25): 5 solids resized and moved`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not contain %q", text, want)
		}
	}
}
