package shapes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestCutRandomRays compares rays through cut solids with the oracle.
func TestCutRandomRays(t *testing.T) {
	n := effort.Of(1500, 15_000, 340_000)
	forEachCut(t, n, func(rng *rand.Rand, c *shapes.Cut, r geom.Ray) (hit bool, err error) {
		return checkRay(c, r, shapes.Slack)
	})
}

// TestCutRandomSegments compares segments through cut solids with the oracle.
func TestCutRandomSegments(t *testing.T) {
	n := effort.Of(1000, 10_000, 100_000)
	forEachCut(t, n, func(rng *rand.Rand, c *shapes.Cut, r geom.Ray) (met bool, err error) {
		seg := segmentOn(rng, c.Whole, r)
		e := 2 * shapes.Slack * max(farthest(c, seg.A), farthest(c, seg.B)) * (1 + 1e-9)
		met = c.Touches(seg)
		if !met && touches(c, seg, -e) || met && !touches(c, seg, e) {
			return met, fmt.Errorf("Touches(%#v) = %v", seg, met)
		}
		return met, nil
	})
}

// forEachCut calls check for each kind of solid n times, with a random solid, random sections that divide it, and a random
// ray.
func forEachCut(t *testing.T, n int, check func(*rand.Rand, *shapes.Cut, geom.Ray) (met bool, err error)) {
	for name, ray := range map[string]func(*rand.Rand) (validated, geom.Ray){
		"sphere": sphereRay, "capsule": capsuleRay, "box": boxRay, "cylinder": cylinderRay,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			count, cuts := 0, 0
			for i := range n {
				rng := rand.New(rand.NewPCG(uint64(i), 5))
				s, r := ray(rng)
				c, ok := cut(rng, s, r)
				if !ok {
					continue
				}
				cuts++
				met, err := check(rng, c, r)
				if err != nil {
					t.Errorf("case %d: %v\nsolid %#v\nby %#v\nray %#v", i, err, s, c.By, r)
				}
				if met {
					count++
				}
			}
			if cuts < n/2 || count < n/16 || count > n-n/10 {
				t.Errorf("%d of %d solids were cut, and %d met: the test has lost its point", cuts, n, count)
			}
		})
	}
}

// cut cuts a solid with one to three random sections, and returns false if none divides it.
func cut(rng *rand.Rand, s shapes.Shape, r geom.Ray) (*shapes.Cut, bool) {
	c := &shapes.Cut{Whole: s}
	bounds := s.Bounds()
	size := bounds.Size()
	for i := range 1 + rng.IntN(3) {
		p := shapetest.GrazingPoint(rng, s)
		switch rng.IntN(4) {
		case 0:
			p = bounds.Min.Add(geom.Vec3{X: size.X * rng.Float64(), Y: size.Y * rng.Float64(), Z: size.Z * rng.Float64()})
		case 1:
			p = bounds.Center()
		case 2: // a point of the ray's chord
			if span, ok := s.Span(r); ok {
				p = r.At(span.Near.T + (span.Far.T-span.Near.T)*rng.Float64())
			}
		}
		n := shapetest.Direction(rng)
		switch rng.IntN(4) {
		case 0:
			n = [3]geom.Vec3{{X: 1}, {Y: -1}, {Z: 1}}[rng.IntN(3)]
		case 1: // nearly parallel to the ray
			if across, ok := geom.Direction(r.Dir.Cross(n)); ok {
				n = across
			}
		case 2: // the planes of two sections meet in a line through the ray
			if len(c.By) > 0 {
				p = c.By[len(c.By)-1].Point
			}
		}
		x := shapes.Section{Point: p, Normal: n, Index: i}
		if x.Divide(s) == shapes.Divided {
			c.By = append(c.By, x)
		}
	}
	return c, len(c.By) > 0
}

// checkCutFace checks the normal of a crossing with a cut solid: it must be that of a section whose plane contains the
// point, or fit the whole solid.
func checkCutFace(c *shapes.Cut, l line, h shapes.Hit, e float64) error {
	p := l.at(newFloat(h.T))
	for i := range c.By {
		n := newVec(c.By[i].Normal)
		beyond := float(p.sub(newVec(c.By[i].Point)).dot(n))
		if !(beyond <= 2*e) {
			return fmt.Errorf("the point is %g beyond section %d, want within %g", beyond, i, 2*e)
		}
		if h.Normal == c.By[i].Normal && math.Abs(beyond) <= 2*e {
			return nil
		}
	}
	return checkNormal(c.Whole, l, h, e)
}

// TestCutEnds checks that Ends says which section a line crosses, and that the normals of Span agree.
func TestCutEnds(t *testing.T) {
	faces := 0
	forEachRay(effort.Of(20_000, 100_000, 1_000_000), func(rng *rand.Rand, s validated, r geom.Ray, _ geom.Segment) {
		c, ok := cut(rng, s, r)
		if !ok {
			return
		}
		whole, _ := s.Span(r)
		span, met := c.Span(r)
		x, ok := c.Ends(r)
		if ok != met || ok && (x.Near != span.Near.T || x.Far != span.Far.T || span.Tangent != (x.Near == x.Far)) {
			t.Fatalf("%#v, %#v: Ends = %+v, %v, but Span = %+v, %v", c, r, x, ok, span, met)
		}
		if !ok {
			return
		}
		near, far := whole.Near, whole.Far
		if x.In >= 0 {
			near, faces = shapes.Hit{T: x.Near, Normal: c.By[x.In].Normal}, faces+1
		}
		if x.Out >= 0 {
			far, faces = shapes.Hit{T: x.Far, Normal: c.By[x.Out].Normal}, faces+1
		}
		if span.Tangent {
			far = near
		}
		if span.Near != near || span.Far != far {
			t.Fatalf("%#v, %#v: Span = %+v, want %+v and %+v", c, r, span, near, far)
		}
	})
	if faces < 1000 {
		t.Errorf("only %d crossings lay on cut faces", faces)
	}
}

// TestCutShape checks cut solids against the contract of all shapes.
func TestCutShape(t *testing.T) {
	for i, c := range []*shapes.Cut{
		{Whole: &shapes.Sphere{Radius: 1}, By: []shapes.Section{{Normal: geom.Vec3{Y: 1}}}},
		{Whole: &shapes.Capsule{A: geom.Vec3{X: -1}, B: geom.Vec3{X: 1}, Radius: 0.5}, By: []shapes.Section{
			{Normal: geom.Vec3{Z: 1}}, {Point: geom.Vec3{X: 0.5}, Normal: geom.Vec3{X: 0.6, Y: 0.8}}}},
		{Whole: &shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 3}, Rotation: geom.Identity()}, By: []shapes.Section{
			{Normal: geom.Vec3{X: 0.6, Z: -0.8}}}},
		{Whole: &shapes.Cylinder{B: geom.Vec3{Y: 2}, Radius: 1}, By: []shapes.Section{
			{Point: geom.Vec3{Y: 1}, Normal: geom.Vec3{X: 0.8, Y: 0.6}}}},
	} {
		if err := shapetest.Check(c, uint64(i), effort.Of(500, 5000, 50_000)); err != nil {
			t.Error(err)
		}
	}
}

// TestSectionDivide checks solids that a section touches: it keeps or removes them as a whole. A plane just inside divides
// them.
func TestSectionDivide(t *testing.T) {
	up := geom.Vec3{Y: 1}
	for _, s := range []shapes.Shape{
		&shapes.Sphere{Center: geom.Vec3{X: 3, Y: 1, Z: 5}, Radius: 2},
		&shapes.Capsule{A: geom.Vec3{Y: 2}, B: geom.Vec3{X: 4}, Radius: 1},
		&shapes.Box{Center: geom.Vec3{Y: 1}, HalfExtents: geom.Vec3{X: 1, Y: 2, Z: 1}, Rotation: geom.Identity()},
		&shapes.Cylinder{A: geom.Vec3{Y: -1}, B: geom.Vec3{Y: 3}, Radius: 1},
	} {
		for y, want := range map[float64]shapes.Division{
			3: shapes.Kept, 4: shapes.Kept, 2.999: shapes.Divided, 0: shapes.Divided, -0.999: shapes.Divided, -1: shapes.Removed, -2: shapes.Removed,
		} {
			if x := (shapes.Section{Point: geom.Vec3{X: 7, Y: y}, Normal: up}); x.Divide(s) != want {
				t.Errorf("%#v, plane at %v: %v, want %v", s, y, x.Divide(s), want)
			}
		}
	}
}

// TestCutAlongPlane checks rays in the plane of a section, which lie on the kept side, and rays beside it.
func TestCutAlongPlane(t *testing.T) {
	c := &shapes.Cut{Whole: &shapes.Sphere{Radius: 2}, By: []shapes.Section{{Point: geom.Vec3{X: 5, Y: 1}, Normal: geom.Vec3{Y: 1}}}}
	for y, want := range map[float64]bool{1: true, math.Nextafter(1, 2): false, math.Nextafter(1, 0): true, 3: false} {
		r := geom.Ray{Origin: geom.Vec3{X: -9, Y: y}, Dir: geom.Vec3{X: 1}}
		got, ok := c.Span(r)
		if whole, _ := c.Whole.Span(r); ok != want || ok && got != whole {
			t.Errorf("y = %v: %+v, %v, want a hit: %v", y, got, ok, want)
		}
	}
}

// TestCutEdge checks a ray through the line in which two sections meet: it touches the solid in one point, and the first
// section owns it.
func TestCutEdge(t *testing.T) {
	c := &shapes.Cut{Whole: &shapes.Sphere{Radius: 2}, By: []shapes.Section{
		{Normal: geom.Vec3{X: 0.6, Y: 0.8}, Index: 4}, {Normal: geom.Vec3{X: -0.6, Y: 0.8}, Index: 2},
	}}
	r := geom.Ray{Origin: geom.Vec3{X: -4}, Dir: geom.Vec3{X: 1}}
	x, ok := c.Ends(r)
	if !ok || x.Near != 4 || x.Far != 4 || x.In != 1 || x.Out != 1 {
		t.Errorf("%+v, %v, want a touch at 4 of the section where the ray enters", x, ok)
	}
	if n := shapes.Crossings(c, r); n != 1 {
		t.Errorf("%d crossings, want 1", n)
	}
}
