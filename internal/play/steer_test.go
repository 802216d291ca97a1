package play_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/internal/play"
)

// TestSteer drags random rays and segments in a perspective and in a parallel picture. The projections of the dragged points,
// which this test computes itself, must follow the pointer; a shift must keep the direction, and a drag of the end the start.
func TestSteer(t *testing.T) {
	e := engine()
	random := rand.New(rand.NewPCG(3, 4))
	for _, lens := range []string{"fov = 90", "projection = \"orthographic\"\nview_height = 10"} {
		parallel := lens != "fov = 90"
		text := "[image]\nwidth = 100\nheight = 100\n[camera]\nposition = [0, 0, 5]\nlook_at = [0, 0, 0]\n" + lens + "\n[[sphere]]\nradius = 1\ncenter = [0, 0, 0]\n"
		project := func(x, y, z float64) [2]float64 { // 100 pixels for 10 units at the depth 5
			scale := 10.0
			if !parallel {
				scale = 50 / (5 - z)
			}
			return [2]float64{50 + scale*x, 50 - scale*y}
		}
		for range 200 {
			var n [6]float64
			for i := range n {
				n[i] = random.Float64()*4 - 2
			}
			at := random.Float64() // along the ray or segment
			isSegment := random.IntN(2) == 0
			key, dir := "ray", [3]float64(n[3:])
			if isSegment {
				key, dir = "segment", [3]float64{n[3] - n[0], n[4] - n[1], n[5] - n[2]}
			}
			part := []string{"", "start", "end"}[random.IntN(3)]
			if isSegment && part != "" || part == "start" {
				at = map[string]float64{"start": 0, "end": 1}[part]
			}
			from := project(n[0]+at*dir[0], n[1]+at*dir[1], n[2]+at*dir[2])
			to := [2]float64{from[0] + random.Float64()*20 - 10, from[1] + random.Float64()*20 - 10}
			a := ask[map[string][6]float64](t, e, "steer", object{"text": text, key: n, "part": part, "from": from, "to": to})
			is := a[key]
			what := fmt.Sprintf("%s %v, part %q, from %v to %v: %v", key, n, part, from, to, is)
			isDir := [3]float64(is[3:])
			if isSegment {
				isDir = [3]float64{is[3] - is[0], is[4] - is[1], is[5] - is[2]}
			}
			near := func(a, b, tolerance float64) bool { return math.Abs(a-b) <= tolerance }
			if part == "" && !(near(isDir[0], dir[0], 0.2) && near(isDir[1], dir[1], 0.2) && near(isDir[2], dir[2], 0.2)) || part == "end" && [3]float64(is[:3]) != [3]float64(n[:3]) {
				t.Fatalf("%s: it does not keep what the drag does not change", what)
			}
			moved := at // of the dragged point on the line after the drag
			if !isSegment {
				moved = map[string]float64{"": at, "start": 0, "end": 1}[part] // the new direction ends at the dragged point
			}
			for i := range 3 {
				if part == "start" && !near(is[i]+isDir[i], n[i]+dir[i], 0.2) {
					t.Fatalf("%s: the tip moves", what)
				}
			}
			if got := project(is[0]+moved*isDir[0], is[1]+moved*isDir[1], is[2]+moved*isDir[2]); !near(got[0], to[0], 1) || !near(got[1], to[1], 1) {
				t.Fatalf("%s: the point is at %v", what, got)
			}
		}
	}
	const ball = "[[sphere]]\nradius = 1\ncenter = [0, 0, 0]\n"
	for _, bad := range []object{{}, {"ray": [6]float64{}, "segment": [6]float64{}}, {"ray": [6]float64{}, "part": "middle"}, {"ray": [6]float64{}, "to": [2]float64{1e9, 0}}} {
		bad["text"] = ball
		if f := fails(t, e, "steer", bad); f.Status != play.StatusMalformed {
			t.Errorf("%v: %+v", bad, f)
		}
	}
}
