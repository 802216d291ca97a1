package geom_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
)

func randomBounds(rng *rand.Rand) geom.Bounds {
	switch rng.IntN(5) {
	case 0:
		return geom.EmptyBounds()
	case 1: // a lattice, so that faces coincide
		corner := func() geom.Vec3 {
			return geom.Vec3{X: float64(rng.IntN(3)), Y: float64(rng.IntN(3)), Z: float64(rng.IntN(3))}
		}
		return geom.EmptyBounds().Include(corner()).Include(corner())
	}
	return geom.EmptyBounds().Include(cube(rng)).Include(cube(rng))
}

func TestBoundsUnion(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	for range 5000 {
		a, b, c := randomBounds(rng), randomBounds(rng), randomBounds(rng)
		if a.Union(b) != b.Union(a) || a.Union(b).Union(c) != a.Union(b.Union(c)) || a.Union(a) != a {
			t.Errorf("Union of %v, %v, %v depends on the order", a, b, c)
		}
		if a.Union(geom.EmptyBounds()) != a {
			t.Errorf("Union of %v and nothing = %v", a, a.Union(geom.EmptyBounds()))
		}
		p := cube(rng)
		if (a.Contains(p) || b.Contains(p)) && !a.Union(b).Contains(p) {
			t.Errorf("Union of %v and %v lacks %v", a, b, p)
		}
		if !a.Include(p).Contains(p) {
			t.Errorf("%v with %v included lacks it", a, p)
		}
		if a.Contains(p) && a.Include(p) != a {
			t.Errorf("%v with its own point %v included = %v", a, p, a.Include(p))
		}
	}
}

func TestBoundsOverlaps(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 0))
	for range 20000 {
		a, b := randomBounds(rng), randomBounds(rng)
		common := geom.Bounds{ // empty if none exists
			Min: geom.Vec3{X: max(a.Min.X, b.Min.X), Y: max(a.Min.Y, b.Min.Y), Z: max(a.Min.Z, b.Min.Z)},
			Max: geom.Vec3{X: min(a.Max.X, b.Max.X), Y: min(a.Max.Y, b.Max.Y), Z: min(a.Max.Z, b.Max.Z)},
		}
		if got := a.Overlaps(b); got != !common.IsEmpty() || got != b.Overlaps(a) {
			t.Errorf("%v overlaps %v: %v, common part %v", a, b, got, common)
		}
	}
}

func TestBoundsContainsFaces(t *testing.T) {
	b := geom.Bounds{Min: geom.Vec3{X: -1, Y: -2, Z: -3}, Max: geom.Vec3{X: 1, Y: 2, Z: 3}}
	for _, s := range []float64{-1, 0, 1} {
		for _, p := range []geom.Vec3{{X: s}, {Y: 2 * s}, {Z: 3 * s}, {X: s, Y: 2 * s, Z: 3 * s}} {
			if !b.Contains(p) {
				t.Errorf("%v lacks %v", b, p)
			}
			beyond := p.Scale(1 + ulp)
			if beyond != p && b.Contains(beyond) {
				t.Errorf("%v contains %v", b, beyond)
			}
		}
	}
	if b.Contains(geom.Vec3{X: math.NaN()}) {
		t.Error("NaN is contained")
	}
}

func TestBoundsMeasures(t *testing.T) {
	b := geom.Bounds{Min: geom.Vec3{X: -1, Y: 0, Z: -9}, Max: geom.Vec3{X: 1, Y: 3, Z: -5}}
	if got, want := b.Center(), (geom.Vec3{Y: 1.5, Z: -7}); got != want {
		t.Errorf("Center = %v, want %v", got, want)
	}
	if got, want := b.Size(), (geom.Vec3{X: 2, Y: 3, Z: 4}); got != want {
		t.Errorf("Size = %v, want %v", got, want)
	}
	if got, want := b.MaxAbs(), 9.0; got != want {
		t.Errorf("MaxAbs = %v, want %v", got, want)
	}
	want := geom.Bounds{Min: geom.Vec3{X: -3, Y: -2, Z: -11}, Max: geom.Vec3{X: 3, Y: 5, Z: -3}}
	if got := b.Expand(2); got != want {
		t.Errorf("Expand(2) = %v, want %v", got, want)
	}
	if b.Expand(-1).IsEmpty() || !b.Expand(-1.25).IsEmpty() {
		t.Error("Expand with a negative distance does not shrink to nothing at half the smallest edge")
	}
}

func TestBoundsEmpty(t *testing.T) {
	empty := geom.EmptyBounds()
	if !empty.IsEmpty() || empty.Overlaps(empty) || empty.Contains(geom.Vec3{}) {
		t.Errorf("%v is not empty", empty)
	}
	var zero geom.Bounds
	if zero.IsEmpty() || !zero.Contains(geom.Vec3{}) || !zero.Overlaps(zero) {
		t.Errorf("%v is not the origin", zero)
	}
	for _, b := range []geom.Bounds{
		{Min: geom.Vec3{X: 1}}, {Min: geom.Vec3{Y: 1}}, {Min: geom.Vec3{Z: 1}},
	} {
		if !b.IsEmpty() {
			t.Errorf("%v is not empty", b)
		}
	}
}
