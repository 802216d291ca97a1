package follow_test

import (
	"fmt"
	"image"
	"runtime"
	"strings"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
)

// TestLightsInSolids prepares a scene in which all solids contain all lights. The memory must not grow with the product of
// their numbers, and each light must be in the solids whose oracle says so.
func TestLightsInSolids(t *testing.T) {
	const solids, lights = 2000, 500
	text := strings.Builder{}
	fmt.Fprintf(&text, "[[place]]\npart = \"p\"\ncount = %d\nstep = { position = [1e-5, 0, 0] }\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 3\n", solids-1)
	text.WriteString("[[sphere]]\ncenter = [9, 0, 0]\nradius = 1\n")
	for i := range lights {
		fmt.Fprintf(&text, "[[light]]\nposition = [%v, 0, 0]\nradius = %v\nintensity = 0.001\n", float64(i)*0.005, float64(i%2)/10)
	}
	text.WriteString("[[light]]\ndirection = [0, -1, 0]\n")
	s, err := scene.Decode("s.toml", []byte(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	p := prepare(t, s, pillbox.Picture{Size: image.Pt(8, 6)})
	runtime.ReadMemStats(&after)
	if bytes := after.TotalAlloc - before.TotalAlloc; bytes > 1<<21 {
		t.Errorf("%d solids around %d lights take %d bytes", solids, lights, bytes)
	}
	inside, outside := 0, 0
	for i := range p.Lights {
		l, room := &p.Lights[i], p.Room(i)
		for object := range int32(solids) {
			ball := s.Solid(int(object)).(*shapes.Sphere)
			want := !l.Directional && l.Position.Sub(ball.Center).Norm() <= ball.Radius
			if near := l.Position.Sub(ball.Center).Norm() - ball.Radius; -1e-9 < near && near < 1e-9 {
				continue // it may be on either side
			}
			if got := room.Holds(object); got != want {
				t.Fatalf("solid %d holds light %d: %v, want %v", object, i, got, want)
			}
			if want {
				inside++
			} else {
				outside++
			}
		}
	}
	if inside == 0 || outside == 0 {
		t.Errorf("%d lights inside of solids, %d outside", inside, outside)
	}
	if sun := p.Room(lights); sun.Holds(0) || p.Lights[0].Position != (geom.Vec3{}) {
		t.Error("a directional light is in a solid")
	}
}
