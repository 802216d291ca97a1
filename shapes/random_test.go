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

// TestRandomRays checks the accuracy that the package documents. The solids have log-uniform sizes, most of them in
// 1e-8..1e8, and the rays start up to 1e6 times the size away. In a campaign, there are more than a million rays.
func TestRandomRays(t *testing.T) {
	n := effort.Of(2000, 20_000, 340_000)
	forEachKind(t, n, func(rng *rand.Rand, s validated, r geom.Ray) (hit bool, err error) {
		return checkRay(s, r, shapes.Slack)
	})
}

// TestRandomSegments checks the results for random segments and solids, like TestRandomRays does for rays.
func TestRandomSegments(t *testing.T) {
	n := effort.Of(1000, 10_000, 100_000)
	forEachKind(t, n, func(rng *rand.Rand, s validated, r geom.Ray) (met bool, err error) {
		seg := segmentOn(rng, s, r)
		e := shapes.Slack * max(farthest(s, seg.A), farthest(s, seg.B)) * (1 + 1e-9)
		met = s.Touches(seg)
		if !met && touches(s, seg, -e) || met && !touches(s, seg, e) {
			return met, fmt.Errorf("Touches(%#v) = %v", seg, met)
		}
		return met, nil
	})
}

// forEachKind calls check n times for each kind of solid, with a random solid and a random ray.
func forEachKind(t *testing.T, n int, check func(*rand.Rand, validated, geom.Ray) (met bool, err error)) {
	for _, k := range []struct {
		name string
		ray  func(*rand.Rand) (validated, geom.Ray)
	}{
		{"sphere", sphereRay}, {"capsule", capsuleRay}, {"box", boxRay}, {"cylinder", cylinderRay},
	} {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			count := 0
			for i := range n {
				rng := rand.New(rand.NewPCG(uint64(i), 0))
				s, r := k.ray(rng)
				if err := s.Validate(); err != nil {
					t.Fatalf("case %d: %v", i, err)
				}
				met, err := check(rng, s, r)
				if err != nil {
					t.Errorf("case %d: %v\nsolid %#v\nray %#v", i, err, s, r)
				}
				if met {
					count++
				}
			}
			if count < n/4 || count > n-n/10 {
				t.Errorf("%d of %d met the solid: the test has lost its point", count, n)
			}
		})
	}
}

// checkRay compares the result for r with the oracle. Let D be the largest distance from the ray's origin to a
// point of s. The surface may be wrong by e = slack*D, and distances by another e. So the computed interval must
// lie between those of s shrunk by e and of s grown by e.
func checkRay(s shapes.Shape, r geom.Ray, slack float64) (hit bool, err error) {
	e := slack * farthest(s, r.Origin) * (1 + 1e-9) // the factor allows for rounding in this expression
	l := newLine(r)
	grown, shrunk := exactExtent(s, l, e), exactExtent(s, l, -e)
	near, far, ok := roots(s, r)
	if !ok {
		if shrunk != nil {
			return false, fmt.Errorf("missed, want a hit between %g and %g", shrunk.near, shrunk.far)
		}
		return false, nil
	}
	if grown == nil {
		return true, fmt.Errorf("hit between %v and %v, want a miss", near, far)
	}
	if shrunk == nil {
		shrunk = &extent{grown.far, grown.near}
	}
	slop := newFloat(e)
	if x := newFloat(near); x.Cmp(sub(grown.near, slop)) < 0 || x.Cmp(add(shrunk.near, slop)) > 0 {
		return true, fmt.Errorf("near %v, want between %g and %g", near, grown.near, shrunk.near)
	}
	if x := newFloat(far); x.Cmp(sub(shrunk.far, slop)) < 0 || x.Cmp(add(grown.far, slop)) > 0 {
		return true, fmt.Errorf("far %v, want between %g and %g", far, shrunk.far, grown.far)
	}
	span, ok := s.Span(r)
	if !ok || span.Near.T != near || span.Far.T != far {
		return true, fmt.Errorf("Span = %+v, %v, but Roots = %v, %v", span, ok, near, far)
	}
	if err := checkNormal(s, l, span.Near, e); err != nil {
		return true, fmt.Errorf("near normal: %v", err)
	}
	if err := checkNormal(s, l, span.Far, e); err != nil {
		return true, fmt.Errorf("far normal: %v", err)
	}
	return true, nil
}

// checkNormal checks that the normal of h has unit length and agrees with the exact normal at the hit point. This
// point may be up to 2 e away from the surface.
func checkNormal(s shapes.Shape, l line, h shapes.Hit, e float64) error {
	n := newVec(h.Normal)
	if d := float(sub(n.norm(), newFloat(1))); !(math.Abs(d) <= 4*ulp) {
		return fmt.Errorf("%v is longer than 1 by %g ulp", h.Normal, d/ulp)
	}
	p := l.at(newFloat(h.T))
	switch s := s.(type) {
	case *shapes.Cut:
		return checkCutFace(s, l, h, e)
	case *shapes.Box:
		return checkFace(s, p, h.Normal, e)
	case *shapes.Cylinder:
		if done, err := checkDisc(s, p, h.Normal, e); done {
			return err
		}
	}
	var away bigVec
	var radius float64
	switch s := s.(type) {
	case *shapes.Sphere:
		away, radius = p.sub(newVec(s.Center)), s.Radius
	case *shapes.Capsule:
		away, radius = awayFromAxis(p, newVec(s.A), newVec(s.B)), s.Radius
	case *shapes.Cylinder:
		away, radius = awayFromLine(p, newVec(s.A), newVec(s.B)), s.Radius
	}
	if d := float(sub(away.norm(), newFloat(radius))); !(math.Abs(d) <= 2*e) {
		return fmt.Errorf("the point is %g from the surface, want within %g", d, 2*e)
	}
	if e > radius/16 {
		return nil // the solid is too small for the normal to be accurate
	}
	if d := h.Normal.Sub(away.unit()).Norm(); !(d <= 2*e/radius+4*ulp) {
		return fmt.Errorf("%v differs from the surface's by %g, want at most %g", h.Normal, d, 2*e/radius)
	}
	return nil
}

// awayFromAxis returns the vector to p from the nearest point of the segment from a to b.
func awayFromAxis(p, a, b bigVec) bigVec {
	w := b.sub(a)
	along, w2 := w.dot(p.sub(a)), w.dot(w)
	switch {
	case along.Sign() <= 0:
		return p.sub(a)
	case along.Cmp(w2) >= 0:
		return p.sub(b)
	}
	return p.sub(a.addScaled(quo(along, w2), w))
}

// awayFromLine returns the vector to p from the nearest point of the line through a and b.
func awayFromLine(p, a, b bigVec) bigVec {
	w, f := b.sub(a), p.sub(a)
	return f.addScaled(quo(w.dot(f), sub(newFloat(0), w.dot(w))), w)
}

// checkDisc checks that p lies within the cylinder c. If n is the normal of a disc, p must also lie on that disc.
// done is true if no other check is necessary.
func checkDisc(c *shapes.Cylinder, p bigVec, n geom.Vec3, e float64) (done bool, err error) {
	w := newVec(c.B).sub(newVec(c.A))
	length := w.norm()
	height := quo(w.dot(p.sub(newVec(c.A))), length)
	above := float(sub(height, length))
	below := -float(height)
	if out := max(above, below, float(sub(awayFromLine(p, newVec(c.A), newVec(c.B)).norm(), newFloat(c.Radius)))); !(out <= 2*e) {
		return true, fmt.Errorf("the point is %g outside, want within %g", out, 2*e)
	}
	for _, disc := range []struct {
		normal  geom.Vec3
		outside float64
	}{{w.unit(), above}, {w.unit().Neg(), below}} {
		if n.Sub(disc.normal).Norm() > 8*ulp {
			continue
		}
		if !(math.Abs(disc.outside) <= 2*e) {
			return true, fmt.Errorf("the point is %g from the disc with normal %v, want within %g", disc.outside, n, 2*e)
		}
		return true, nil
	}
	return false, nil
}

// checkFace checks that p lies on the face of b that has the normal n.
func checkFace(b *shapes.Box, p bigVec, n geom.Vec3, e float64) error {
	f := p.sub(newVec(b.Center))
	half := [3]float64{b.HalfExtents.X, b.HalfExtents.Y, b.HalfExtents.Z}
	onFace := false
	for i, axis := range []geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z} {
		x := f.dot(newVec(axis))
		if out := float(sub(x.Abs(x), newFloat(half[i]))); !(out <= 2*e) {
			return fmt.Errorf("the point is %g outside, want within %g", out, 2*e)
		}
		for _, side := range []float64{-1, 1} {
			if n != axis.Scale(side) {
				continue
			}
			onFace = true
			if d := float(sub(f.dot(newVec(n)), newFloat(half[i]))); !(math.Abs(d) <= 2*e) {
				return fmt.Errorf("the point is %g from the face with normal %v, want within %g", d, n, 2*e)
			}
		}
	}
	if !onFace {
		return fmt.Errorf("%v is no face's", n)
	}
	return nil
}

// segmentOn returns a segment of the line of r. Its ends are at, near or between the line's crossings with s, or
// anywhere.
func segmentOn(rng *rand.Rand, s shapes.Shape, r geom.Ray) geom.Segment {
	near, far, ok := roots(s, r)
	if !ok {
		near = s.Bounds().Center().Sub(r.Origin).Dot(r.Dir)
		far = near
	}
	width := far - near + s.Bounds().Size().Norm()
	end := func() geom.Vec3 {
		switch rng.IntN(4) {
		case 0:
			return r.At(near + tiny(rng)*width)
		case 1:
			return r.At(far + tiny(rng)*width)
		case 2:
			return r.Origin
		}
		return r.At(near + (3*rng.Float64()-1)*width)
	}
	a := end()
	if rng.IntN(6) == 0 {
		return geom.Segment{A: a, B: a}
	}
	return geom.Segment{A: a, B: end()}
}

// size returns a random length with a log-uniform distribution.
func size(rng *rand.Rand) float64 { return shapetest.LogUniform(rng, 1e-8, 1e8) }

// place returns a random center for a solid of the given size: at the origin, near it or far away.
func place(rng *rand.Rand, size float64) geom.Vec3 {
	switch rng.IntN(3) {
	case 0:
		return geom.Vec3{}
	case 1:
		return shapetest.Cube(rng, 1).Scale(size)
	}
	return shapetest.Cube(rng, 1).Scale(min(size*shapetest.LogUniform(rng, 1, 1e6), 1e14))
}

// toward returns a ray with the direction dir that passes through target, up to rounding. It starts up to 1e6 sizes
// before or beyond the target, or at the target.
func toward(rng *rand.Rand, target, dir geom.Vec3, size float64) geom.Ray {
	dist := size * shapetest.LogUniform(rng, 1e-2, 1e6)
	switch rng.IntN(8) {
	case 0:
		dist = 0
	case 1:
		dist = -dist
	}
	return geom.Ray{Origin: target.AddScaled(-dist, dir), Dir: dir}
}

// tiny returns 0 or a number between a rounding error and 0.1 in magnitude, of either sign.
func tiny(rng *rand.Rand) float64 {
	switch rng.IntN(4) {
	case 0:
		return 0
	case 1:
		return -shapetest.LogUniform(rng, 1e-17, 1e-1)
	}
	return shapetest.LogUniform(rng, 1e-17, 1e-1)
}

// across returns a random unit vector perpendicular to v, up to rounding.
func across(rng *rand.Rand, v geom.Vec3) geom.Vec3 {
	for {
		if d := v.Cross(shapetest.Direction(rng)); d.Norm() > 0.01*v.Norm() {
			return d.Unit()
		}
	}
}

// near returns a random unit vector close to the unit vector v. The angle between them is 0, or between a rounding
// error and 0.1 radians.
func near(rng *rand.Rand, v geom.Vec3) geom.Vec3 {
	return v.AddScaled(tiny(rng), across(rng, v)).Unit()
}

// axisAligned returns a random direction with one or two components that are 0 or -0.
func axisAligned(rng *rand.Rand) geom.Vec3 {
	zero := math.Copysign(0, rng.Float64()-0.5)
	other := zero
	if rng.IntN(2) == 0 {
		other = 2*rng.Float64() - 1
	}
	d := [3]float64{zero, other, 1 - 2*float64(rng.IntN(2))}
	rng.Shuffle(3, func(i, j int) { d[i], d[j] = d[j], d[i] })
	return geom.Vec3{X: d[0], Y: d[1], Z: d[2]}.Unit()
}

func sphereRay(rng *rand.Rand) (validated, geom.Ray) {
	s := &shapes.Sphere{Radius: size(rng)}
	s.Center = place(rng, s.Radius)
	dir := shapetest.Direction(rng)
	if rng.IntN(4) == 0 {
		dir = axisAligned(rng)
	}
	return s, toward(rng, ballTarget(rng, s.Center, s.Radius, dir), dir, s.Radius)
}

// ballTarget returns a random point for a line along dir. It is in the cube around the ball, on the ball's surface,
// or such that the line almost touches the ball.
func ballTarget(rng *rand.Rand, center geom.Vec3, radius float64, dir geom.Vec3) geom.Vec3 {
	switch rng.IntN(3) {
	case 0:
		return center.AddScaled(radius, shapetest.Cube(rng, 1))
	case 1:
		return center.AddScaled(radius, shapetest.Direction(rng))
	}
	return center.AddScaled(radius*(1+tiny(rng)), across(rng, dir))
}

func capsuleRay(rng *rand.Rand) (validated, geom.Ray) {
	c := &shapes.Capsule{Radius: size(rng)}
	length := c.Radius * shapetest.LogUniform(rng, 1e-3, 1e3)
	if rng.IntN(10) == 0 {
		length = c.Radius * shapetest.LogUniform(rng, 1e-20, 1e4)
	}
	axis := shapetest.Direction(rng)
	if rng.IntN(4) == 0 {
		axis = axisAligned(rng)
	}
	c.A = place(rng, c.Radius+length)
	c.B = c.A.AddScaled(length, axis)
	reach := c.Radius + length
	at := func(t float64) geom.Vec3 { return c.A.AddScaled(t*length, axis) }

	switch rng.IntN(6) {
	case 0: // anywhere
		dir := shapetest.Direction(rng)
		return c, toward(rng, ballTarget(rng, at(rng.Float64()), c.Radius, dir), dir, reach)
	case 1: // components of zero
		dir := axisAligned(rng)
		return c, toward(rng, ballTarget(rng, at(rng.Float64()), c.Radius, dir), dir, reach)
	case 2: // nearly parallel to the axis, at any distance from it
		dir := near(rng, axis)
		target := at(2*rng.Float64()-0.5).AddScaled(c.Radius*1.2*rng.Float64(), across(rng, axis))
		return c, toward(rng, target, dir, reach)
	case 3: // nearly parallel, along the surface of the body
		dir := near(rng, axis)
		target := at(rng.Float64()).AddScaled(c.Radius*(1+tiny(rng)), across(rng, axis))
		return c, toward(rng, target, dir, reach)
	case 4: // almost touching the body or a seam
		n := across(rng, axis)
		dir := near(rng, []geom.Vec3{across(rng, n), axis, n.Cross(axis)}[rng.IntN(3)])
		target := at([]float64{0, 1, rng.Float64(), 1 + tiny(rng), tiny(rng)}[rng.IntN(5)])
		return c, toward(rng, target.AddScaled(c.Radius*(1+tiny(rng)), n), dir, reach)
	}
	// At an end.
	dir := shapetest.Direction(rng)
	return c, toward(rng, ballTarget(rng, at(float64(rng.IntN(2))), c.Radius, dir), dir, reach)
}

func cylinderRay(rng *rand.Rand) (validated, geom.Ray) {
	c := &shapes.Cylinder{Radius: size(rng)}
	length := c.Radius * shapetest.LogUniform(rng, 1e-3, 1e3)
	if rng.IntN(10) == 0 {
		length = c.Radius * shapetest.LogUniform(rng, 1e-9, 1e9)
	}
	if length = min(max(length, 4*geom.MinSize), 1e14); rng.IntN(20) == 0 {
		c.Radius = geom.MinSize
	}
	axis := shapetest.Direction(rng)
	if rng.IntN(4) == 0 {
		axis = axisAligned(rng)
	}
	c.A = place(rng, c.Radius+length)
	if c.B = c.A.AddScaled(length, axis); c.B.Sub(c.A).Norm() < geom.MinSize {
		c.A = geom.Vec3{} // so far away that the axis was lost
		c.B = axis.Scale(length)
	}
	reach := c.Radius + length
	at := func(t float64) geom.Vec3 { return c.A.AddScaled(t*length, axis) }
	end := at(float64(rng.IntN(2)))

	switch rng.IntN(9) {
	case 0: // anywhere
		dir := shapetest.Direction(rng)
		return c, toward(rng, ballTarget(rng, at(rng.Float64()), c.Radius, dir), dir, reach)
	case 1: // components of zero
		dir := axisAligned(rng)
		return c, toward(rng, ballTarget(rng, at(rng.Float64()), c.Radius, dir), dir, reach)
	case 2: // nearly parallel to the axis, at any distance from it
		target := at(2*rng.Float64()-0.5).AddScaled(c.Radius*1.2*rng.Float64(), across(rng, axis))
		return c, toward(rng, target, near(rng, axis), reach)
	case 3: // nearly parallel, along the side
		target := at(rng.Float64()).AddScaled(c.Radius*(1+tiny(rng)), across(rng, axis))
		return c, toward(rng, target, near(rng, axis), reach)
	case 4: // almost touching the side
		n := across(rng, axis)
		dir := near(rng, []geom.Vec3{across(rng, n), axis, n.Cross(axis)}[rng.IntN(3)])
		target := at([]float64{0, 1, rng.Float64(), 1 + tiny(rng), tiny(rng)}[rng.IntN(5)])
		return c, toward(rng, target.AddScaled(c.Radius*(1+tiny(rng)), n), dir, reach)
	case 5: // across the axis, in the plane of a disc or nearly so
		n := across(rng, axis)
		target := end.AddScaled(tiny(rng)*length, axis).AddScaled(c.Radius*(1.2*rng.Float64()), n)
		return c, toward(rng, target, near(rng, across(rng, axis)), reach)
	case 6: // through a rim
		target := end.AddScaled(tiny(rng)*c.Radius, axis).AddScaled(c.Radius*(1+tiny(rng)), across(rng, axis))
		return c, toward(rng, target, shapetest.Direction(rng), reach)
	case 7: // touching a rim, or along its tangent
		n := across(rng, axis)
		dir := near(rng, []geom.Vec3{n.Cross(axis), across(rng, n.Add(axis))}[rng.IntN(2)])
		target := end.AddScaled(tiny(rng)*c.Radius, axis).AddScaled(c.Radius*(1+tiny(rng)), n)
		return c, toward(rng, target, dir, reach)
	}
	// Through both rims, or both discs.
	from := c.A.AddScaled(c.Radius*[]float64{1, rng.Float64()}[rng.IntN(2)], across(rng, axis))
	to := c.B.AddScaled(c.Radius*[]float64{1, rng.Float64()}[rng.IntN(2)], across(rng, axis))
	dir, ok := geom.Direction(to.Sub(from))
	if !ok {
		dir = axis
	}
	return c, toward(rng, from, dir, reach)
}

func boxRay(rng *rand.Rand) (validated, geom.Ray) {
	scale := size(rng)
	extent := func() float64 { return scale * shapetest.LogUniform(rng, 1e-3, 1) }
	b := &shapes.Box{HalfExtents: geom.Vec3{X: extent(), Y: extent(), Z: extent()}, Rotation: geom.Identity()}
	switch rng.IntN(4) {
	case 0:
	case 1:
		quarter := func() geom.Angle { return 90 * geom.Angle(rng.IntN(4)) }
		b.Rotation = geom.RotationXYZ(quarter(), quarter(), quarter())
	default:
		b.Rotation = shapetest.Rotation(rng)
	}
	b.Center = place(rng, scale)

	// A point in or near the box, more often than not close to the plane of a face. And a direction, more often than
	// not nearly perpendicular to an axis of the box.
	coordinate := func(h float64) float64 {
		switch rng.IntN(4) {
		case 0:
			return -h * (1 + tiny(rng))
		case 1:
			return h * (1 + tiny(rng))
		case 2:
			return h * 3 * (2*rng.Float64() - 1)
		}
		return h * (2*rng.Float64() - 1)
	}
	slope := func() float64 {
		if rng.IntN(2) == 0 {
			return tiny(rng)
		}
		return 2*rng.Float64() - 1
	}
	h := b.HalfExtents
	target := b.Center.Add(b.Rotation.MulVec(geom.Vec3{X: coordinate(h.X), Y: coordinate(h.Y), Z: coordinate(h.Z)}))
	dir, ok := geom.Direction(b.Rotation.MulVec(geom.Vec3{X: slope(), Y: slope(), Z: slope()}))
	if !ok || rng.IntN(6) == 0 {
		dir = axisAligned(rng)
	}
	return b, toward(rng, target, dir, scale)
}
