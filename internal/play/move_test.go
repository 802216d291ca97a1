package play_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/geom"
)

// TestMoveSection drags cut faces in a parallel view. The section must move along its normal, as far as the drag goes in the
// direction of the normal in the picture. Elsewhere on the solid, and with what = "solid", the solid moves.
func TestMoveSection(t *testing.T) {
	const scene = `image = { width = 160, height = 120 }
camera = { projection = "orthographic", position = [0, 0, 10], look_at = [0, 0, 0], view_height = 6 }
section = [{ point = [0, 0, 0], normal = [%v, %v, %v] }]
sphere = [{ center = [0, 0, 0], radius = 2 }]
`
	const unit, grain = 6.0 / 120, 0.1 // the width of a pixel; the point is rounded to 0.01
	e, random := engine(), rand.New(rand.NewPCG(1, 2))
	for range 30 {
		n := geom.Vec3{X: 2*random.Float64() - 1, Y: 2*random.Float64() - 1, Z: 0.2 + random.Float64()}.Unit()
		if n.X*n.X+n.Y*n.Y < 0.05 {
			continue
		}
		text := fmt.Sprintf(scene, n.X, n.Y, n.Z)
		dx, dy := random.IntN(21)-10, random.IntN(21)-10
		a := ask[edited](t, e, "move", object{"text": text, "object": 0, "from": []int{80, 60}, "to": []int{80 + dx, 60 + dy}})
		way := unit * (float64(dx)*n.X - float64(dy)*n.Y) / (n.X*n.X + n.Y*n.Y)
		if got := (geom.Vec3{X: a.Delta[0], Y: a.Delta[1], Z: a.Delta[2]}); got.Sub(n.Scale(way)).Norm() > grain || lines(text, apply(text, a.Edits)) > 1 {
			t.Errorf("normal %v, drag %d,%d: the section moves by %v, want %v", n, dx, dy, got, n.Scale(way))
		}
	}
	slanted := fmt.Sprintf(scene, 0.6, 0.0, 0.8)
	drag := func(text string, x int, what string) object {
		return object{"text": text, "object": 0, "what": what, "from": []int{x, 60}, "to": []int{x + 4, 60}}
	}
	for _, x := range []struct {
		at   int
		what string
		key  string
	}{{80, "", "point"}, {80, "solid", "center"}, {44, "", "center"}} { // at 44, the sphere's own surface
		after := apply(slanted, ask[edited](t, e, "move", drag(slanted, x.at, x.what)).Edits)
		if strings.Contains(after, x.key+" = [0, 0, 0]") || strings.Count(after, "= [0, 0, 0]") != 2 {
			t.Errorf("a drag of %q at %d does not change %s alone:\n%s", x.what, x.at, x.key, after)
		}
	}
	for says, text := range map[string]string{
		"section 0 faces the camera: orbit": fmt.Sprintf(scene, 0, 0, 1),
		"section \"lid\" is animated":       strings.Replace(slanted, "{ point", "{ name = 'lid', point", 1) + "animation = { duration = 1 }\nanimate = [{ target = 'lid.point', times = [0, 1], values = [[0, 0, 0], [1, 0, 0]] }]\n",
	} {
		if f := fails(t, e, "move", drag(text, 80, "")); f.Status != 422 || !strings.Contains(f.Message, says) {
			t.Errorf("%v, want %q", f, says)
		}
	}
}

// TestMovePlacedSection drags the cut face of a part that is placed twice. The section of the part must move along its normal in
// the picture, and with it that of the other copy. With what = "placement", the placement moves.
func TestMovePlacedSection(t *testing.T) {
	const scene = `image = { width = 160, height = 120 }
camera = { projection = "orthographic", position = [0, 0, 10], look_at = [0, 0, 0], view_height = 6 }
place = [{ part = "shell", rotate = [0, 36.86989764584402, 0] }, { part = "egg", position = [99, 0, 0] }]
[part.shell]
place = [{ part = "egg", scale = 20, position = [0.6, 0, 0.8] }]
[part.egg]
section = [{ point = [0, 0, 0], normal = [0, 0, 1] }]
sphere = [{ center = [0, 0, 0], radius = 0.1 }]
`
	const unit = 6.0 / 120 // the width of a pixel
	e := engine()
	for _, dx := range []int{-7, 4, 9} {
		drag := object{"text": scene, "object": 0, "from": []int{100, 60}, "to": []int{100 + dx, 60}}
		a := ask[edited](t, e, "move", drag)
		// The normal is [0.6, 0, 0.8] in the scene, so the section moves by dx / 0.6 pixels along it.
		way := unit * float64(dx) / 0.6
		want := geom.Vec3{X: 0.6, Z: 0.8}.Scale(way)
		if got := (geom.Vec3{X: a.Delta[0], Y: a.Delta[1], Z: a.Delta[2]}); got.Sub(want).Norm() > 0.05 {
			t.Errorf("drag %d: the section moves by %v, want %v", dx, got, want)
		}
		after := apply(scene, a.Edits)
		var z float64
		if _, rest, ok := strings.Cut(after, "section = [{ point = [0, 0, "); !ok || lines(scene, after) != 1 {
			t.Errorf("drag %d changes another key:\n%s", dx, after)
		} else if _, err := fmt.Sscan(strings.Replace(rest, "]", " ", 1), &z); err != nil || math.Abs(z-way/20) > 0.003 {
			t.Errorf("drag %d: the point is at %g, want %g, %v", dx, z, way/20, err)
		}
		drag["what"] = "placement"
		if after := apply(scene, ask[edited](t, e, "move", drag).Edits); strings.Contains(after, `{ part = "shell", rotate`) && !strings.Contains(after, "position = [0.") && !strings.Contains(after, "position = [-0.") {
			t.Errorf("drag %d does not move the placement:\n%s", dx, after)
		}
	}
}
