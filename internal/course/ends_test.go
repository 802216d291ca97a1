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

// TestByEnds checks that the way to find the crossings with a capsule one by one is right, without the slips for which it is
// used.
func TestByEnds(t *testing.T) {
	for _, a := range capsuleAsks() {
		for i := range 40 {
			q := a.make(newDice(&Options{Seed: 5}, i))
			c := q.shape.(*shapes.Capsule)
			if c.A == c.B {
				continue
			}
			s := pill{program: new(program), solid: c, ray: q.ray, a: c.A, b: c.B}
			x := s.axis(capsuleSteps(), c.A, c.B, c.Radius, q.ray)
			got := crossings{}
			if x.ok && !s.byEnds(&x, endRules{}) {
				for k, t := range s.all {
					got.Count, got.T = got.Count+1, append(got.T, t)
					got.Points, got.Normals = append(got.Points, q.ray.At(t)), append(got.Normals, rightNormal(c)(q.ray.At(t), k))
				}
			}
			if got.Count == 2 && got.T[0] == got.T[1] {
				got.keep(0)
			}
			if want := solveLine(&q); got.Count != want.Count || got.Count > 0 && judgeLine(&q, got) != nil {
				t.Errorf("%s %d: %v, want %v", a.name, i, got, want)
			}
		}
	}
}
