package geom2

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestHull checks convex hulls of random points on a small grid, of which many are equal or on a line: corners turn left, are
// given points, and have all points on their left.
func TestHull(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		points := make([]Point, 1+rng.IntN(9))
		for i := range points {
			points[i] = Pt(float64(rng.IntN(4)), float64(rng.IntN(4)))
		}
		hull := Hull(points)
		for i, p := range hull {
			q := hull[(i+1)%len(hull)]
			if !slices.Contains(points, p) {
				t.Errorf("Hull(%v) = %v: %v is no given point", points, hull, p)
			}
			for _, r := range points {
				if side := q.Sub(p).Left().Dot(r.Sub(p)); side < 0 || side == 0 && len(hull) > 2 && r != p && r != q && slices.Contains(hull, r) {
					t.Errorf("Hull(%v) = %v: %v lies beside %v %v", points, hull, r, p, q)
				}
			}
		}
	}
	square := Rect(0, 0, 2, 2).Corners()
	if got := Hull(append([]Point{Pt(1, 1), Pt(1, 0), Pt(0, 0)}, square...)); !slices.Equal(got, square) {
		t.Errorf("hull of a square %v, want its corners %v", got, square)
	}
}

// TestClip clips a square at a line, and checks that what is left are the points on one side of it.
func TestClip(t *testing.T) {
	square := Rect(0, 0, 2, 2).Corners()
	for level, want := range map[float64][]Point{-1: nil, 5: square, 1: Rect(0, 0, 1, 2).Corners()} {
		if got := Clip(square, func(p Point) float64 { return p.X - level }); !slices.Equal(got, want) {
			t.Errorf("x <= %v: %v, want %v", level, got, want)
		}
	}
}

// TestBox checks nearest points, and boxes around points.
func TestBox(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		p, q := Pt(rng.Float64()*4-1, rng.Float64()*4-1), Pt(rng.Float64()*4-1, rng.Float64()*4-1)
		box := Rect(0, 0, 2, 2)
		if n := box.Nearest(p); !box.Contains(n) || box.Contains(p) && n != p {
			t.Errorf("Nearest(%v) = %v", p, n)
		}
		if all := Nowhere().Include(p, 0).Include(q, 0.5); !all.Contains(p) || !all.Holds(Box{q, q}.Inset(-0.5)) {
			t.Errorf("the box of %v and %v is %v", p, q, all)
		}
	}
}

// TestClipKeepsPointsInside compares the part of a line that Clip returns with a test of many points on the line.
func TestClipKeepsPointsInside(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		some := func() Point { return Pt(float64(rng.IntN(9)-4), float64(rng.IntN(9)-4)) }
		b := Nowhere().Include(some(), rng.Float64()*2).Include(some(), 0)
		p, q := some(), some()
		from, to, ok := b.Clip(p, q)
		if p == q {
			if ok {
				t.Fatalf("%v clips the point %v to %v, %v", b, p, from, to)
			}
			continue
		}
		const slack = 1e-12 // rounding error of numbers below 10
		for k := range 81 {
			at := float64(k)/8 - 5
			if inside := b.Contains(p.Between(q, at)); inside && !(ok && from-slack <= at && at <= to+slack) ||
				!inside && ok && from+slack < at && at < to-slack {
				t.Fatalf("%v, %v to %v: clipped to %v, %v, %v, but at %v inside is %v", b, p, q, from, to, ok, at, inside)
			}
		}
	}
}

func TestStadiumIsWithinRadius(t *testing.T) {
	for _, ends := range [][2]Point{{Pt(0, 0), Pt(3, 0)}, {Pt(1, 1), Pt(-2, 5)}, {Pt(2, 2), Pt(2, 2)}} {
		for _, p := range Stadium(ends[0], ends[1], 1.5) {
			v := ends[1].Sub(ends[0])
			at := 0.0
			if v.Norm() > 0 {
				at = min(max(p.Sub(ends[0]).Dot(v)/v.Dot(v), 0), 1)
			}
			if d := p.Sub(ends[0].Between(ends[1], at)).Norm(); math.Abs(d-1.5) > 1e-12 {
				t.Errorf("%v: the outline passes %v, %v away from the axis", ends, p, d)
			}
		}
	}
}
