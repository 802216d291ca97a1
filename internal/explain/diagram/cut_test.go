package diagram

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/lone"
	"pillbox/internal/follow"
	"pillbox/internal/geom2"
	"pillbox/scene"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// cutSketch returns the diagram of a random solid that one to eight random sections cut, with a random ray or, for every
// fourth i, a random segment. It returns nil if the sections do not cut the solid.
func cutSketch(t *testing.T, rng *rand.Rand, i int) *sketch {
	t.Helper()
	shape := shapetest.Solid(rng)
	r := shapetest.Ray(rng, shape)
	s := lone.Scene(shape)
	bounds := shape.Bounds()
	for j := range 1 + rng.IntN(8) {
		normal := geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
		away := 0.25 * shapetest.Uniform(rng, -1, 1) * bounds.Size().Norm()
		s.Sections = append(s.Sections, scene.Section{Name: fmt.Sprintf("cut %d of this solid", j)[:rng.IntN(20)], Point: bounds.Center().AddScaled(away, normal), Normal: normal})
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	if _, isCut := follow.Of(prepared).Shape(0).(*shapes.Cut); !isCut {
		return nil
	}
	var k *sketch
	opt := Options{Dark: i%2 == 0}
	if i%4 == 3 {
		k, err = ofSegment(explain.New(prepared).Segment(geom.Segment{A: r.Origin, B: r.At(shapetest.Uniform(rng, 0, 20))}), opt)
	} else {
		var x *explain.Ray
		if x, err = explain.New(prepared).Ray(r.Origin, r.Dir); err == nil {
			k = ofRay(x.WithSolid(0), opt)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	k.finish()
	return k
}

// TestDiagramsOfCutSolids draws random cut solids. The ends of the chord must be those of the solid, labels must not cover
// each other, and the outline of what is left must be where other lines of the plane cross it.
func TestDiagramsOfCutSolids(t *testing.T) {
	n := effort.Of(16, 300, 4000)
	crossed, drawn, met := 0, 0, 0
	for i := range n {
		rng := rand.New(rand.NewPCG(15, uint64(i)))
		k := cutSketch(t, rng, i)
		if k == nil {
			continue
		}
		drawn++
		texts, lines := k.Collisions()
		if texts > 0 {
			t.Errorf("seed %d: %d texts collide", i, texts)
		}
		if lines > 0 {
			crossed++
		}
		ends, ok := k.cut.Ends(k.ray)
		if ok != k.chord.OK || ok && (ends.Near != k.chord.Near || ends.Far != k.chord.Far) {
			t.Errorf("seed %d: the chord is %v, not %v, %v", i, k.chord, ends, ok)
		}
		met += checkSlice(t, rng, k, i)
	}
	if drawn < n/2 || met < n {
		t.Errorf("of %d seeds, %d have cut solids, and %d lines meet them", n, drawn, met)
	}
	// Up to eight sections leave little room.
	if crossed > n/8 {
		t.Errorf("in %d of %d diagrams there are lines through labels", crossed, drawn)
	}
}

// checkSlice compares the outline of what is left of a solid, in the plane of the diagram, with random lines of this plane. It
// returns how many of them meet what is left.
func checkSlice(t *testing.T, rng *rand.Rand, k *sketch, seed int) (met int) {
	s := k.sheetOf(k.cut)
	whole := s.slice(k.cut.Whole)
	left := whole
	for i := range k.cut.By {
		left = geom2.Clip(left, s.trace(&k.cut.By[i]).height)
	}
	size := k.cut.Whole.Bounds().Size().Norm()
	box := s.seen(k.cut.Whole, whole)
	for range 20 {
		along, across := math.Sincos(rng.Float64() * 2 * math.Pi)
		at := geom2.Pt(box.Min.X+rng.Float64()*box.Width(), box.Min.Y+rng.Float64()*box.Height())
		dir := k.ray.Dir.Scale(along).AddScaled(across, s.v)
		span, ok := k.cut.Span(geom.Ray{Origin: k.ray.At(at.X).AddScaled(at.Y, s.v), Dir: dir})
		if !ok {
			continue
		}
		met++
		for _, crossing := range []float64{span.Near.T, span.Far.T} {
			p := at.Add(geom2.Pt(along, across).Scale(crossing))
			if d := distanceTo(left, p); d > 2e-3*size {
				t.Errorf("seed %d: a line crosses the cut solid %g of its size beside the outline", seed, d/size)
			}
		}
	}
	return met
}

// distanceTo returns the distance of a point from an outline.
func distanceTo(outline []geom2.Point, p geom2.Point) float64 {
	least := math.Inf(1)
	for i, a := range outline {
		e := outline[(i+1)%len(outline)].Sub(a)
		share := 0.0
		if e.Norm() > 0 {
			share = min(max(p.Sub(a).Dot(e)/e.Dot(e), 0), 1)
		}
		least = min(least, p.Sub(a.Add(e.Scale(share))).Norm())
	}
	return least
}
