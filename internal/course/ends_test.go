package course

import (
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// TestLinesComeFromBothEnds checks that each kind of question about a solid with an axis has lines that go from a to b and
// lines that go from b to a, so that no program passes that handles only one of the two.
func TestLinesComeFromBothEnds(t *testing.T) {
	for name, asks := range map[string][]ask[lineQuestion]{"capsule": capsuleAsks(), "cylinder": cylinderAsks()} {
		for _, a := range asks {
			along := map[bool]int{}
			for i := range 64 {
				d := newDice(&Options{Seed: 7}, i)
				d.turn = i
				q := a.make(d)
				if u, ok := geom.Direction(axisVector(q.shape)); ok && q.ray.Dir.Dot(u) != 0 {
					along[q.ray.Dir.Dot(u) > 0]++
				}
			}
			if all := along[true] + along[false]; all > 32 && min(along[true], along[false]) < all/16 {
				t.Errorf("%s, %s: %d lines go from a to b, %d from b to a", name, a.name, along[true], along[false])
			}
		}
	}
}

func axisVector(s shapes.Shape) geom.Vec3 {
	switch s := s.(type) {
	case *shapes.Capsule:
		return s.B.Sub(s.A)
	case *shapes.Cylinder:
		return s.B.Sub(s.A)
	}
	panic("a solid without an axis")
}
