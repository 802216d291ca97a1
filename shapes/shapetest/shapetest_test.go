package shapetest_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

func randomSolid(rng *rand.Rand) shapes.Shape {
	vec := func(scale float64) geom.Vec3 {
		return geom.Vec3{X: scale * rng.NormFloat64(), Y: scale * rng.NormFloat64(), Z: scale * rng.NormFloat64()}
	}
	size := shapetest.LogUniform(rng, 1e-8, 1e8)
	center := vec(size * shapetest.LogUniform(rng, 1e-2, 1e2))
	switch rng.IntN(4) {
	case 0:
		return &shapes.Sphere{Center: center, Radius: size}
	case 1:
		return &shapes.Capsule{A: center, B: center.Add(vec(size * shapetest.LogUniform(rng, 1e-2, 1e2))), Radius: size}
	case 2:
		return &shapes.Cylinder{A: center, B: center.Add(vec(size * shapetest.LogUniform(rng, 1e-2, 1e2))), Radius: size}
	}
	half := func() float64 { return size * shapetest.LogUniform(rng, 1e-3, 1) }
	m := geom.Identity()
	if rng.IntN(2) == 0 {
		m = shapetest.Rotation(rng)
	}
	return &shapes.Box{Center: center, HalfExtents: geom.Vec3{X: half(), Y: half(), Z: half()}, Rotation: m}
}

// TestCheckPassesSolids runs Check on the solids of package shapes.
func TestCheckPassesSolids(t *testing.T) {
	for seed := range uint64(300) {
		s := randomSolid(rand.New(rand.NewPCG(seed, 0)))
		if err := shapetest.Check(s, seed, 200); err != nil {
			t.Errorf("%#v: %v", s, err)
		}
	}
}

// faulty is a solid with some of its methods replaced by wrong ones.
type faulty struct {
	shapes.Shape
	bounds    func() geom.Bounds
	span      func(geom.Ray) (shapes.Span, bool)
	intersect func(r geom.Ray, tMin, tMax float64) (shapes.Hit, bool)
	touches   func(geom.Segment) bool
}

func (f *faulty) Bounds() geom.Bounds {
	if f.bounds != nil {
		return f.bounds()
	}
	return f.Shape.Bounds()
}

func (f *faulty) Span(r geom.Ray) (shapes.Span, bool) {
	if f.span != nil {
		return f.span(r)
	}
	return f.Shape.Span(r)
}

// Intersect is computed from Span unless it is replaced, too.
func (f *faulty) Intersect(r geom.Ray, tMin, tMax float64) (shapes.Hit, bool) {
	if f.intersect != nil {
		return f.intersect(r, tMin, tMax)
	}
	s, ok := f.Span(r)
	switch {
	case !ok:
	case tMin < s.Near.T && s.Near.T < tMax:
		return s.Near, true
	case tMin < s.Far.T && s.Far.T < tMax:
		return s.Far, true
	}
	return shapes.Hit{}, false
}

func (f *faulty) Touches(s geom.Segment) bool {
	if f.touches != nil {
		return f.touches(s)
	}
	return f.Shape.Touches(s)
}

func sphere() *shapes.Sphere {
	return &shapes.Sphere{Center: geom.Vec3{X: 1, Y: 2, Z: 3}, Radius: 2}
}

// capsule returns a capsule with its axis along y, so that rays along y are exactly parallel to the axis.
func capsule() *shapes.Capsule {
	return &shapes.Capsule{A: geom.Vec3{X: 1, Y: 2, Z: 3}, B: geom.Vec3{X: 1, Y: 5, Z: 3}, Radius: 0.5}
}

// cylinder returns a cylinder with its axis along y, so that rays along y are exactly parallel to the axis.
func cylinder() *shapes.Cylinder {
	return &shapes.Cylinder{A: geom.Vec3{X: 1, Y: 2, Z: 3}, B: geom.Vec3{X: 1, Y: 5, Z: 3}, Radius: 0.5}
}

func box() *shapes.Box {
	return &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3}, Rotation: geom.RotationXYZ(10, 20, 30)}
}

// edit returns s with a Span whose results the function change alters.
func edit(s shapes.Shape, change func(geom.Ray, *shapes.Span)) *faulty {
	return &faulty{Shape: s, span: func(r geom.Ray) (shapes.Span, bool) {
		span, ok := s.Span(r)
		if ok {
			change(r, &span)
		}
		return span, ok
	}}
}

// hide returns s without the hits for which the function hidden returns true.
func hide(s shapes.Shape, hidden func(geom.Ray, shapes.Span) bool) *faulty {
	return &faulty{Shape: s, span: func(r geom.Ray) (shapes.Span, bool) {
		span, ok := s.Span(r)
		if !ok || hidden(r, span) {
			return shapes.Span{}, false
		}
		return span, true
	}}
}

// textbook is s with the discriminant b^2 - (f.f - r^2) of textbooks, which loses digits by cancellation.
func textbook(s *shapes.Sphere) *faulty {
	return &faulty{Shape: s, span: func(r geom.Ray) (shapes.Span, bool) {
		f := r.Origin.Sub(s.Center)
		b := f.Dot(r.Dir)
		disc := b*b - (f.Norm2() - s.Radius*s.Radius)
		if disc < 0 {
			return shapes.Span{}, false
		}
		h := math.Sqrt(disc)
		hit := func(t float64) shapes.Hit {
			return shapes.Hit{T: t, Normal: f.AddScaled(t, r.Dir).Unit()}
		}
		return shapes.Span{Near: hit(-b - h), Far: hit(-b + h)}, true
	}}
}

// TestCheckCatchesPlantedFaults checks that Check fails for solids with faults that are common in intersection
// code.
func TestCheckCatchesPlantedFaults(t *testing.T) {
	s, c, b, y := sphere(), capsule(), box(), cylinder()
	counter := 0
	for name, shape := range map[string]shapes.Shape{
		"hit behind the origin": &faulty{Shape: c, intersect: func(r geom.Ray, tMin, tMax float64) (shapes.Hit, bool) {
			return c.Intersect(r, math.Inf(-1), tMax)
		}},
		"closed tMin": &faulty{Shape: s, intersect: func(r geom.Ray, tMin, tMax float64) (shapes.Hit, bool) {
			return s.Intersect(r, math.Nextafter(tMin, math.Inf(-1)), tMax)
		}},
		"closed tMax": &faulty{Shape: s, intersect: func(r geom.Ray, tMin, tMax float64) (shapes.Hit, bool) {
			return s.Intersect(r, tMin, math.Nextafter(tMax, math.Inf(1)))
		}},
		"minimum distance of 1e-7": &faulty{Shape: s, intersect: func(r geom.Ray, tMin, tMax float64) (shapes.Hit, bool) {
			return s.Intersect(r, max(tMin, 1e-7), tMax)
		}},
		"no hit from inside": &faulty{Shape: b, intersect: func(r geom.Ray, tMin, tMax float64) (shapes.Hit, bool) {
			h, ok := b.Intersect(r, tMin, tMax)
			return h, ok && h.Normal.Dot(r.Dir) <= 0
		}},
		"no span from inside": hide(s, func(r geom.Ray, s shapes.Span) bool { return s.Near.T < 0 && s.Far.T > 0 }),
		"no span behind":      hide(s, func(r geom.Ray, s shapes.Span) bool { return s.Far.T < 0 }),
		"normal not unit": edit(s, func(r geom.Ray, s *shapes.Span) {
			s.Near.Normal = s.Near.Normal.Scale(1 + 0x1p-48)
		}),
		"normal flipped":         edit(b, func(r geom.Ray, s *shapes.Span) { s.Near.Normal = s.Near.Normal.Neg() }),
		"normal faces the ray":   edit(c, func(r geom.Ray, s *shapes.Span) { s.Far.Normal = s.Far.Normal.Neg() }),
		"normal of the other":    edit(c, func(r geom.Ray, s *shapes.Span) { s.Far.Normal = s.Near.Normal }),
		"normal of the body":     edit(c, func(r geom.Ray, s *shapes.Span) { s.Near.Normal = flatten(s.Near.Normal) }),
		"near and far swapped":   edit(s, func(r geom.Ray, s *shapes.Span) { s.Near, s.Far = s.Far, s.Near }),
		"tangent with two hits":  edit(b, func(r geom.Ray, s *shapes.Span) { s.Tangent = true }),
		"distances in half":      edit(s, func(r geom.Ray, s *shapes.Span) { s.Near.T, s.Far.T = s.Near.T/2, s.Far.T/2 }),
		"near from the origin":   edit(s, func(r geom.Ray, s *shapes.Span) { s.Near.T = max(s.Near.T, 0) }),
		"textbook cancellation":  textbook(s),
		"radius off by a little": &faulty{Shape: &shapes.Sphere{Center: s.Center, Radius: s.Radius * (1 + 1e-11)}, touches: s.Touches},
		"NaN along the axis": edit(c, func(r geom.Ray, s *shapes.Span) {
			if r.Dir.X == 0 && r.Dir.Z == 0 {
				s.Near.T = math.NaN()
			}
		}),
		"miss along the axis": hide(c, func(r geom.Ray, s shapes.Span) bool { return r.Dir.X == 0 && r.Dir.Z == 0 }),
		"miss along an edge": hide(b, func(r geom.Ray, s shapes.Span) bool {
			return math.Abs(r.Dir.Dot(b.Rotation.Y)) > 1-1e-14
		}),
		"miss with a zero component": hide(b, func(r geom.Ray, s shapes.Span) bool { return r.Dir.X == 0 }),
		"depends on the call": edit(s, func(r geom.Ray, s *shapes.Span) {
			counter++
			s.Near.T -= 0x1p-52 * math.Abs(s.Near.T) * float64(counter%2)
		}),
		"one end missing": &faulty{Shape: &shapes.Capsule{A: c.A, B: c.B.Sub(geom.Vec3{Y: c.Radius}), Radius: c.Radius}, touches: c.Touches},
		"bounds too small": &faulty{Shape: c, bounds: func() geom.Bounds {
			return c.Bounds().Expand(-1e-6)
		}},
		"bounds empty": &faulty{Shape: s, bounds: geom.EmptyBounds},
		"bounds NaN": &faulty{Shape: s, bounds: func() geom.Bounds {
			return geom.Bounds{Min: geom.Vec3{X: math.NaN()}}
		}},
		"bounds elsewhere": &faulty{Shape: s, bounds: func() geom.Bounds {
			return geom.Bounds{Min: geom.Vec3{X: 50, Y: 50, Z: 50}, Max: geom.Vec3{X: 51, Y: 51, Z: 51}}
		}},
		"radius not squared": &faulty{Shape: s, touches: func(seg geom.Segment) bool {
			q, _ := seg.Closest(s.Center)
			return q.Sub(s.Center).Norm2() <= s.Radius
		}},
		"touches the wrong way round": &faulty{Shape: s, touches: func(seg geom.Segment) bool { return !s.Touches(seg) }},
		"touches without ends": &faulty{Shape: s, touches: func(seg geom.Segment) bool {
			d, ok := geom.Direction(seg.B.Sub(seg.A))
			if !ok {
				return s.Touches(seg)
			}
			_, ok = s.Span(geom.Ray{Origin: seg.A, Dir: d})
			return ok
		}},
		"touches the surface only": &faulty{Shape: s, touches: func(seg geom.Segment) bool {
			a, b := shapes.Contains(s, seg.A), shapes.Contains(s, seg.B)
			return s.Touches(seg) && !(a && b)
		}},
		"touches no point": &faulty{Shape: s, touches: func(seg geom.Segment) bool { return seg.A != seg.B && s.Touches(seg) }},
		"touches one way":  &faulty{Shape: b, touches: func(seg geom.Segment) bool { return seg.A.X <= seg.B.X && b.Touches(seg) }},
		"discs missing": hide(y, func(r geom.Ray, s shapes.Span) bool {
			return math.Abs(s.Near.Normal.Y) > 0.5 && math.Abs(s.Far.Normal.Y) > 0.5
		}),
		"disc with the normal of the side": edit(y, func(r geom.Ray, s *shapes.Span) {
			if math.Abs(s.Near.Normal.Y) > 0.5 {
				s.Near.Normal = flatten(r.At(s.Near.T).Sub(y.A))
			}
		}),
		"side with the normal of a disc": edit(y, func(r geom.Ray, s *shapes.Span) {
			s.Far.Normal = geom.Vec3{Y: math.Copysign(1, r.Dir.Y)}
		}),
		"cylinder with the bounds of its axis": &faulty{Shape: y, bounds: func() geom.Bounds { return geom.Bounds{Min: y.A, Max: y.B} }},
		"cylinder as a capsule":                &faulty{Shape: &shapes.Capsule{A: y.A, B: y.B, Radius: y.Radius}, touches: y.Touches},
		"empty":                                &faulty{Shape: s, span: func(geom.Ray) (shapes.Span, bool) { return shapes.Span{}, false }},
		"hollow":                               edit(b, func(r geom.Ray, s *shapes.Span) { s.Far.T = s.Near.T }),
	} {
		if err := shapetest.Check(shape, 1, 2000); err == nil {
			t.Errorf("%s: not caught", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

// flatten projects n, a normal of the capsule, to the plane across the capsule's axis.
func flatten(n geom.Vec3) geom.Vec3 {
	n.Y = 0
	if d, ok := geom.Direction(n); ok {
		return d
	}
	return geom.Vec3{X: 1}
}

// TestCheckReproduces checks that a second call of Check returns the same error, and that the ray in the error
// shows the fault.
func TestCheckReproduces(t *testing.T) {
	f := hide(sphere(), func(r geom.Ray, s shapes.Span) bool { return s.Far.T < 0 })
	first, again := shapetest.Check(f, 7, 1000), shapetest.Check(f, 7, 1000)
	if first == nil || first.Error() != again.Error() {
		t.Errorf("first %v\nthen %v", first, again)
	}
}

func ExampleCheck() {
	err := shapetest.Check(&shapes.Sphere{Radius: 1}, 1, 1000)
	fmt.Println(err)
	// Output: <nil>
}
