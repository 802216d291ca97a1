// Package shapetest tests implementations of [shapes.Shape] against the contract that the renderer
// relies on. It also has a corpus of hard rays, and random solids, rays, points, directions and
// rotations for tests of other packages. Random values depend only on the generator that the caller
// passes.
package shapetest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/shapes"
)

// Check tests shape against the contract of [shapes.Shape] with n random rays, and with segments of
// their lines. The rays go through the shape, past it and along its surface; they start inside, on its
// surface, near it and far away; some are parallel to a coordinate axis or to a normal of the shape.
// They depend only on shape and seed.
//
// It checks that
//
//   - no result is NaN or changes from call to call;
//   - Span is ordered; its normals point outward, with lengths within four units in the last place of
//     1; Tangent means that both hits are equal; and Crossings agrees with Span;
//   - the points of a Span lie on the surface, within Bounds, and on the inner side of every tangent
//     plane of the surface;
//   - every line through a point inside meets the surface both before and behind that point;
//   - Intersect returns the first crossing of Span strictly between tMin and tMax, for every
//     order of these four numbers;
//   - reversing a ray, or moving its origin along its line, moves the hits accordingly;
//   - Touches holds for exactly those segments that reach the inside of a Span.
//
// Errors within [shapes.Slack] are allowed. A shape must be convex. The thinner it is, the weaker the
// checks; a shape not much thicker than the allowed errors is itself an error.
//
// The error contains the seed, and the ray in Go syntax, exact to the bit.
func Check(shape shapes.Shape, seed uint64, n int) error {
	c := checker{shape: shape, rng: rand.New(rand.NewPCG(seed, 0))}
	if err := c.survey(); err != nil {
		return fmt.Errorf("shapetest: seed %d: %w", seed, err)
	}
	for i := range n {
		r, in := c.ray()
		if err := c.check(r, in); err != nil {
			return fmt.Errorf("shapetest: seed %d, ray %d: %w\nray := %s", seed, i, err, goRay(r))
		}
	}
	return nil
}

// checker is the shape under test, with facts gathered from its methods.
type checker struct {
	shape  shapes.Shape
	rng    *rand.Rand
	bounds geom.Bounds
	size   float64   // half the diagonal of bounds
	middle geom.Vec3 // a point well inside
	depth  float64   // a lower bound on the distance of middle from the surface
	known  []surface
}

// surface is a point of the surface and the normal there, as Span returned them, with a bound on their
// error.
type surface struct {
	point, normal geom.Vec3
	slack         float64
}

// inner is a point of a ray's line that lies inside the shape.
type inner struct {
	t     float64
	depth float64 // a lower bound on the distance to the surface; 0 if there is no such point
}

const (
	probes  = 64 // lines that each step of the survey casts
	maxKept = 64 // points of the surface that are remembered

	// minThickness is the least thickness, in units of the slack, that leaves the checks room for their
	// tolerances.
	minThickness = 1024
)

// survey finds a point deep inside the shape and points on its surface.
func (c *checker) survey() error {
	c.bounds = c.shape.Bounds()
	if c.bounds.IsEmpty() || !c.bounds.Min.IsFinite() || !c.bounds.Max.IsFinite() {
		return fmt.Errorf("Bounds() = %v, want finite and not empty", c.bounds)
	}
	c.size = c.bounds.Size().Norm() / 2
	c.middle = c.bounds.Center()
	var sum geom.Vec3
	found := 0
	for range probes {
		r := geom.Ray{Origin: c.middle, Dir: c.direction()}
		span, ok := c.shape.Span(r)
		if !ok {
			continue
		}
		if err := c.checkSpan(r, span); err != nil {
			return fmt.Errorf("%w, Span = %+v\nray := %s", err, span, goRay(r))
		}
		sum = sum.Add(r.At((span.Near.T + span.Far.T) / 2).Sub(c.middle))
		found++
	}
	if found == 0 {
		return fmt.Errorf("no line through the center of Bounds() = %v meets the shape", c.bounds)
	}
	c.middle = c.middle.AddScaled(1/float64(found), sum)

	thickness := math.Inf(1)
	for range probes {
		r := geom.Ray{Origin: c.middle, Dir: c.direction()}
		span, ok := c.shape.Span(r)
		if !ok {
			return fmt.Errorf("Span misses, but %v is inside\nray := %s", c.middle, goRay(r))
		}
		thickness = min(thickness, span.Far.T-span.Near.T)
	}
	if limit := minThickness * c.slack(geom.Ray{Origin: c.middle}); !(thickness > limit) {
		return fmt.Errorf("the shape is too thin to check at its size and place: %g, want more than %g", thickness, limit)
	}
	// The middle is near the center of mass, which divides every chord of a convex body at worst 3 to 1 (Minkowski). So
	// the depth is about a quarter of the thickness or more. It is halved again because other chords may be shorter
	// than those of the probes.
	c.depth = thickness / 8
	return nil
}

// direction returns a random unit vector: any direction, one with zero components, a normal of the surface, or the
// cross product of two normals. The latter is parallel to the axis of a cylinder or to the edge of two faces.
func (c *checker) direction() geom.Vec3 {
	for {
		var v geom.Vec3
		switch k := c.rng.IntN(5); {
		case k == 0:
			v = c.zeroComponents()
		case k == 1 && len(c.known) > 0:
			v = c.pick().normal
		case k == 2 && len(c.known) > 0:
			v = c.pick().normal.Cross(c.pick().normal)
		case k == 3 && len(c.known) > 0:
			v = c.pick().normal.Cross(Cube(c.rng, 1))
		default:
			v = geom.Vec3{X: c.rng.NormFloat64(), Y: c.rng.NormFloat64(), Z: c.rng.NormFloat64()}
		}
		if c.rng.IntN(2) == 0 {
			v = v.Neg()
		}
		if d, ok := geom.Direction(v); ok {
			return d
		}
	}
}

// zeroComponents returns a vector with one or two components of 0 or -0.
func (c *checker) zeroComponents() geom.Vec3 {
	zero := math.Copysign(0, c.rng.Float64()-0.5)
	other := zero
	if c.rng.IntN(2) == 0 {
		other = c.rng.NormFloat64()
	}
	v := [3]float64{1, zero, other}
	c.rng.Shuffle(3, func(i, j int) { v[i], v[j] = v[j], v[i] })
	return geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
}

// The method around returns a random point of the shape's bounds, after these are scaled about their center.
func (c *checker) around(scale float64) geom.Vec3 {
	h, p := c.bounds.Size().Scale(scale/2), Cube(c.rng, 1)
	return c.bounds.Center().Add(geom.Vec3{X: h.X * p.X, Y: h.Y * p.Y, Z: h.Z * p.Z})
}

func (c *checker) pick() surface { return c.known[c.rng.IntN(len(c.known))] }

// ray returns a random ray and, for about half of the calls, a point inside the shape on its line.
func (c *checker) ray() (geom.Ray, inner) {
	var target geom.Vec3
	var depth float64
	dir := c.direction()
	switch k := c.rng.IntN(8); {
	case k < 2 || len(c.known) == 0:
		target, depth = c.middle, c.depth
	case k < 4: // between the middle and the surface, where by convexity the depth shrinks at most linearly
		s := 0.9 * c.rng.Float64()
		target, depth = c.middle.AddScaled(s, c.pick().point.Sub(c.middle)), (1-s)*c.depth
	case k < 5:
		target = c.around(1)
	case k < 6:
		target = c.around(3)
	default: // along the surface or from a point on or near it
		s := c.pick()
		target = s.point.AddScaled(c.size*math.Ldexp(c.rng.NormFloat64(), -c.rng.IntN(60)), s.normal)
		if d, ok := geom.Direction(s.normal.Cross(Cube(c.rng, 1))); ok && c.rng.IntN(3) > 0 {
			dir = d
		}
	}
	dist := 0.0
	if c.rng.IntN(4) > 0 {
		dist = c.size * math.Pow(10, 9*c.rng.Float64()-3)
	}
	if c.rng.IntN(4) == 0 {
		dist = -dist
	}
	r := geom.Ray{Origin: target.AddScaled(-dist, dir), Dir: dir}
	if depth -= c.slack(r); depth <= 0 { // rounding may have moved the line away
		return r, inner{}
	}
	return r, inner{dist, depth}
}

// slack bounds the errors of the shape's results for r, and of points computed on r.
func (c *checker) slack(r geom.Ray) float64 {
	lo, hi := c.bounds.Min.Sub(r.Origin), c.bounds.Max.Sub(r.Origin)
	farthest := geom.Vec3{
		X: max(math.Abs(lo.X), math.Abs(hi.X)),
		Y: max(math.Abs(lo.Y), math.Abs(hi.Y)),
		Z: max(math.Abs(lo.Z), math.Abs(hi.Z)),
	}
	// A computed point on the ray is a sum of two vectors with rounded coordinates, so its error is less than 8 u times
	// the largest coordinate, with u = 2^-53.
	return float64(shapes.Slack*farthest.Norm()) + float64(0x1p-50*max(c.bounds.MaxAbs(), r.Origin.MaxAbs()))
}

// check runs all checks for one ray.
func (c *checker) check(r geom.Ray, in inner) error {
	span, ok := c.shape.Span(r)
	if !ok {
		return c.checkMiss(r, in)
	}
	for _, check := range []func(geom.Ray, shapes.Span) error{
		c.checkSpan, c.checkRepeat, c.checkIntersect, c.checkPoints,
	} {
		if err := check(r, span); err != nil {
			return fmt.Errorf("%w, Span = %+v", err, span)
		}
	}
	if in.depth > 0 {
		if err := c.checkThrough(r, span, in); err != nil {
			return fmt.Errorf("%w, Span = %+v, and %v is inside", err, span, r.At(in.t))
		}
	}
	return nil
}

func (c *checker) checkMiss(r geom.Ray, in inner) error {
	if in.depth > 0 {
		return fmt.Errorf("Span misses, but %v is inside", r.At(in.t))
	}
	if h, ok := c.shape.Intersect(r, math.Inf(-1), math.Inf(1)); ok {
		return fmt.Errorf("Span misses, Intersect = %+v", h)
	}
	if k := shapes.Crossings(c.shape, r); k != 0 {
		return fmt.Errorf("Span misses, Crossings = %d", k)
	}
	// The line misses. If a long segment of it still touches the shape, it must be within rounding of
	// the surface: moved toward the middle, the line must hit.
	foot := c.middle.Sub(r.Origin).Dot(r.Dir)
	seg := geom.Segment{A: r.At(foot - 2*c.size), B: r.At(foot + 2*c.size)}
	if !c.shape.Touches(seg) {
		return nil
	}
	step := 4 * c.slack(r) / c.depth
	moved := geom.Ray{Origin: r.Origin.AddScaled(step, c.middle.Sub(r.At(foot))), Dir: r.Dir}
	if _, ok := c.shape.Span(moved); step < 0.5 && !ok {
		return errors.New("Span misses by far, but Touches says that a segment of the line does not")
	}
	return nil
}

// checkSpan checks that distances are ordered and finite and normals have unit length.
func (c *checker) checkSpan(r geom.Ray, s shapes.Span) error {
	if !(s.Near.T <= s.Far.T) || math.IsInf(s.Near.T, 0) || math.IsInf(s.Far.T, 0) {
		return errors.New("distances are not ordered and finite")
	}
	if s.Tangent && s.Near != s.Far {
		return errors.New("a tangent has two hits")
	}
	want := 2
	if s.Tangent {
		want = 1
	}
	if k := shapes.Crossings(c.shape, r); k != want {
		return fmt.Errorf("Crossings = %d, want %d", k, want)
	}
	for _, h := range []shapes.Hit{s.Near, s.Far} {
		// An error of four units in the last place of the length is eight in its square, and computing
		// the square adds another two.
		if !(math.Abs(h.Normal.Norm2()-1) <= 10*0x1p-52) {
			return fmt.Errorf("normal %v is not unit, its length is 1%+g", h.Normal, h.Normal.Norm()-1)
		}
	}
	return nil
}

// checkRepeat checks that a second call returns the same Span.
func (c *checker) checkRepeat(r geom.Ray, s shapes.Span) error {
	if again, ok := c.shape.Span(r); !ok || again != s {
		return fmt.Errorf("asked again, Span = %+v, %v", again, ok)
	}
	return nil
}

// checkIntersect checks Intersect with limits tMin and tMax before, at, between and after the two
// crossings.
func (c *checker) checkIntersect(r geom.Ray, s shapes.Span) error {
	down := func(t float64) float64 { return math.Nextafter(t, math.Inf(-1)) }
	up := func(t float64) float64 { return math.Nextafter(t, math.Inf(1)) }
	limits := []float64{
		math.Inf(-1), down(s.Near.T), s.Near.T, up(s.Near.T), (s.Near.T + s.Far.T) / 2,
		down(s.Far.T), s.Far.T, up(s.Far.T), math.Inf(1), 0,
	}
	for _, tMin := range limits {
		for _, tMax := range limits {
			var want shapes.Hit
			wantOK := true
			switch {
			case tMin < s.Near.T && s.Near.T < tMax:
				want = s.Near
			case tMin < s.Far.T && s.Far.T < tMax:
				want = s.Far
			default:
				wantOK = false
			}
			got, ok := c.shape.Intersect(r, tMin, tMax)
			if ok != wantOK || ok && got != want {
				return fmt.Errorf("Intersect(%v, %v) = %+v, %v, want %+v, %v", tMin, tMax, got, ok, want, wantOK)
			}
		}
	}
	return nil
}

// checkPoints checks that the hits lie on the surface and within the bounds.
func (c *checker) checkPoints(r geom.Ray, s shapes.Span) error {
	e, tip := c.slack(r), c.tip(r)
	for _, h := range []shapes.Hit{s.Near, s.Far} {
		p := r.At(h.T)
		if !c.bounds.Expand(e).Contains(p) {
			return fmt.Errorf("hit %v lies outside Bounds() = %v", p, c.bounds)
		}
		if tip > 0.1 {
			continue // the shape is too thin or too far away for the following checks
		}
		if q := p.AddScaled(4*e, h.Normal); shapes.Contains(c.shape, q) {
			return fmt.Errorf("the shape contains %v, which lies outside the hit %v", q, p)
		}
		if q := p.AddScaled(2*tip, c.middle.Sub(p)); !shapes.Contains(c.shape, q) {
			return fmt.Errorf("the shape does not contain %v, which lies inside the hit %v", q, p)
		}
		for _, k := range c.known {
			if q := k.point.Sub(p); q.Dot(h.Normal) > 4*(e+k.slack)+tip*q.Norm() {
				return fmt.Errorf("%v on the surface lies outside the tangent plane at %v", k.point, p)
			}
		}
		if tip < 0.01 {
			c.keep(surface{p, h.Normal, e})
		}
	}
	return nil
}

// tip bounds the angle by which rounding tilts a normal: the slack over the radius of curvature.
func (c *checker) tip(r geom.Ray) float64 { return 2 * c.slack(r) / c.depth }

// keep stores a point of the surface; once maxKept are stored, it replaces a random one.
func (c *checker) keep(s surface) {
	if len(c.known) < maxKept {
		c.known = append(c.known, s)
		return
	}
	c.known[c.rng.IntN(maxKept)] = s
}

// checkThrough compares the results of different methods for a line through a point inside the shape. The results may
// differ by rounding errors. The allowed difference at a crossing grows with the distance from the point, divided by
// the point's depth, because the line may meet the surface at a small angle. This bound is right because the depth is a
// concave function along a line.
func (c *checker) checkThrough(r geom.Ray, s shapes.Span, in inner) error {
	shifted := geom.Ray{Origin: r.At(c.rng.NormFloat64() * (s.Far.T - s.Near.T)), Dir: r.Dir}
	e := max(c.slack(r), c.slack(shifted))
	near, far := s.Near.T, s.Far.T
	if !(near <= in.t && in.t <= far) {
		return fmt.Errorf("the inner point, at %v, lies outside the span", in.t)
	}
	tolNear, tolFar := 4*e*(1+(in.t-near)/in.depth), 4*e*(1+(far-in.t)/in.depth)

	// The distance of the inner point from the tangent plane at a hit is at least in.depth. This detects a wrong
	// normal, too.
	if n := s.Near.Normal.Dot(r.Dir) * (in.t - near); n > tolNear+c.tip(r)*(in.t-near)-in.depth {
		return errors.New("the near normal points inward")
	}
	if n := s.Far.Normal.Dot(r.Dir) * (far - in.t); -n > tolFar+c.tip(r)*(far-in.t)-in.depth {
		return errors.New("the far normal points inward")
	}

	back := geom.Ray{Origin: r.Origin, Dir: r.Dir.Neg()}
	turned, ok := c.shape.Span(back)
	if !ok || math.Abs(turned.Near.T+far) > tolFar || math.Abs(turned.Far.T+near) > tolNear {
		return fmt.Errorf("turned round, the ray has Span %+v, %v", turned, ok)
	}
	shift := shifted.Origin.Sub(r.Origin).Dot(r.Dir)
	moved, ok := c.shape.Span(shifted)
	if !ok || math.Abs(moved.Near.T+shift-near) > tolNear || math.Abs(moved.Far.T+shift-far) > tolFar {
		return fmt.Errorf("moved by %v along its line, the ray has Span %+v, %v", shift, moved, ok)
	}

	length := far - near
	inside := func() float64 { // between the crossings, at random
		lo, hi := near+tolNear, far-tolFar
		return lo + (hi-lo)*c.rng.Float64()
	}
	before := near - tolNear - length*c.rng.Float64()
	after := far + tolFar + length*c.rng.Float64()
	a, b := inside(), inside()
	for _, k := range []struct {
		from, to float64
		want     bool
	}{
		{before, after, true}, {before, a, true}, {a, after, true}, {a, b, true}, {a, a, true},
		{before - length, before, false}, {after, after + length, false}, {before, before, false}, {after, after, false},
	} {
		if tolNear+tolFar > length/2 {
			break // the chord is shorter than its rounding errors
		}
		for _, seg := range []geom.Segment{
			{A: r.At(k.from), B: r.At(k.to)},
			{A: r.At(k.to), B: r.At(k.from)},
		} {
			if got := c.shape.Touches(seg); got != k.want {
				return fmt.Errorf("Touches = %v for the part from %v to %v", got, k.from, k.to)
			}
		}
	}
	return nil
}

// goRay returns r in Go syntax, to the bit.
func goRay(r geom.Ray) string {
	return fmt.Sprintf("geom.Ray{Origin: %s, Dir: %s}", goVec(r.Origin), goVec(r.Dir))
}

func goVec(v geom.Vec3) string {
	var parts []string
	for _, c := range []struct {
		name  string
		value float64
	}{{"X", v.X}, {"Y", v.Y}, {"Z", v.Z}} {
		literal := strconv.FormatFloat(c.value, 'g', -1, 64) // the shortest that gives the bits back
		if c.value == 0 && math.Signbit(c.value) {
			literal = "math.Copysign(0, -1)" // the literal -0 is 0
		}
		parts = append(parts, c.name+": "+literal)
	}
	return "geom.Vec3{" + strings.Join(parts, ", ") + "}"
}
