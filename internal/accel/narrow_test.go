package accel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestNarrowedMasks compares what a narrower finds with the exact chords of capsules, boxes and cylinders that are larger or smaller than
// the real ones. Some rays are tangents of solids, or miss or hit them by about the margin. Two properties must hold for
// all rays: one that is removed from the mask of a solid misses the solid with the margin; and one that is reported as
// blocked lies inside a solid with the margin somewhere, enters this solid from outside and does so before the light. Of the
// rays that miss the solid or lie inside it with a larger margin, few may be left to exact tests.
func TestNarrowedMasks(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels")
	}
	rng := rand.New(rand.NewPCG(71, 1))
	var count narrowedRays
	cases := effort.Of(2000, 50_000, 1_000_000)
	for range cases {
		c := newNarrowCase(rng)
		left := map[int32]bool{}
		for _, k := range c.narrow(t) {
			left[k] = true
		}
		for k := range c.near {
			if !left[int32(k)] {
				c.m.masks[k] = 0 // undefined
			}
		}
		c.check(t, &count)
	}
	if min(count.removed, count.blocked, count.left) < 16*cases || count.extra > 0 || count.unsure > 0 {
		t.Errorf("%+v", count)
	}
	t.Logf("%+v", count)
}

// TestNarrowingHasLimits checks that a narrower leaves all rays of a mask to exact tests if the origin lies in the outer ball or
// if numbers are too large, too small or invalid.
func TestNarrowingHasLimits(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels")
	}
	rng := rand.New(rand.NewPCG(72, 1))
	for i := range effort.Of(2000, 10_000, 100_000) {
		c := newNarrowCase(rng)
		capsules, boxes, cylinders := c.s.capsules, c.s.boxes, c.s.cylinders
		switch x := wrongNumbers[rng.IntN(len(wrongNumbers))]; i % 4 {
		case 0:
			c.m.origin = geom.Vec3{X: x, Y: x, Z: x}
		case 1:
			for k := range capsules {
				capsules[k].A.Y = x
			}
			for k := range boxes {
				boxes[k].Center.Y = x
			}
			for k := range cylinders {
				cylinders[k].A.Y = x
			}
		case 2:
			for k := range capsules {
				capsules[k].Radius = math.Abs(x)
			}
			for k := range boxes {
				boxes[k].HalfExtents.Z = math.Abs(x)
			}
			for k := range cylinders {
				cylinders[k].Radius = math.Abs(x)
			}
		case 3:
			for k := range c.around.nested {
				b := &c.around.nested[k]
				b.outer = -below(-b.center.Sub(c.m.origin).Norm())
			}
		}
		if i%4 != 3 {
			c.surround()
		}
		left := c.narrow(t)
		if c.m.blocked&firstRays(c.n) != c.given {
			t.Fatalf("case %d: rays %x are blocked, and %x were before", i, c.m.blocked, c.given)
		}
		for k, may := range c.ahead {
			if may &^= c.given; may != 0 && (!slices.Contains(left, int32(k)) || c.m.masks[k] != may) {
				t.Fatalf("case %d: the mask of solid %d changed from %x to %x", i, k, may, c.m.masks[k])
			}
		}
	}
}

var wrongNumbers = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 1e160}

// narrowedRays counts pairs of a solid and a ray that was open before.
type narrowedRays struct {
	removed, blocked, left int
	extra                  int // those that are left although the ray clearly misses the solid
	unsure                 int // those that are left although the ray clearly hits the solid
}

// narrowCase is a random input of a narrower.
type narrowCase struct {
	m      masker
	t      narrower
	l      shadowRays
	n      int // the number of rays
	s      solids
	around leafBalls
	near   []int32
	given  rayMask   // the rays that are blocked before
	ahead  []rayMask // the masks before
	scale  float64   // sizes and distances are about this large
}

func newNarrowCase(rng *rand.Rand) *narrowCase {
	c := &narrowCase{scale: 1, n: 1 + rng.IntN(maxMasked)}
	if rng.IntN(4) == 0 {
		c.scale = shapetest.LogUniform(rng, 1e-30, 1e30)
	}
	o := shapetest.Cube(rng, 2).Scale(shapetest.LogUniform(rng, 1e-3, 1e3) * c.scale)
	if rng.IntN(4) == 0 {
		o = geom.Vec3{}
	}
	toward, spread := shapetest.Direction(rng), shapetest.LogUniform(rng, 1e-4, 1)
	for k := range c.n {
		c.l.set(k, &geom.Ray{Origin: o, Dir: toward.AddScaled(spread, shapetest.Cube(rng, 1)).Unit()}, 1)
	}
	margin := shapetest.LogUniform(rng, 1e-13, 1e-2)
	c.m.origin, c.m.margin = o, (o.Norm()+c.scale)*margin
	for range 1 + rng.IntN(9) {
		at := toward.AddScaled(spread, shapetest.Cube(rng, 1)).Scale(c.scale * shapetest.LogUniform(rng, 1e-2, 1e2))
		size := at.Norm() * min(0.9, spread*shapetest.LogUniform(rng, 1e-2, 10))
		c.add(rng, at, size)
		if rng.IntN(4) > 0 {
			c.m.light = at.Norm() * shapetest.LogUniform(rng, 0.5, 100)
		}
	}
	for k := range c.around.refs {
		c.near = append(c.near, int32(k))
	}
	rng.Shuffle(len(c.near), func(i, j int) { c.near[i], c.near[j] = c.near[j], c.near[i] })
	if rng.IntN(4) == 0 {
		c.given = rayMask(rng.Uint64()) & firstRays(c.n) &^ 1
	}
	c.surround()
	return c
}

// add adds a solid of about the given size. Its center is at, seen from the origin of the rays. In most cases, the solid touches
// a ray, or nearly does.
func (c *narrowCase) add(rng *rand.Rand, at geom.Vec3, size float64) {
	o, d := c.m.origin, c.l.dir(rng.IntN(c.n))
	near := 1 + shapetest.Uniform(rng, -1, 1)*shapetest.LogUniform(rng, 1e-9, 1e-3)
	off := []float64{-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2}[rng.IntN(9)] * c.m.margin
	if kind := rng.IntN(3); kind < 2 {
		axis := shapetest.Direction(rng).Scale(size * rng.Float64())
		switch rng.IntN(8) {
		case 0:
			axis = d.Scale(axis.Norm())
		case 1:
			axis = d.AddScaled(shapetest.LogUniform(rng, 1e-12, 1e-2), shapetest.Direction(rng)).Scale(axis.Norm())
		case 2:
			if kind == 0 {
				axis = geom.Vec3{}
			}
		}
		radius := distanceToLine(at.Sub(axis), axis.Scale(2), d)*near + off
		if rng.IntN(4) == 0 || !(radius > 0) {
			radius = size * shapetest.LogUniform(rng, 1e-4, 1)
		}
		at = at.Add(o)
		if kind == 1 {
			p := newCylinder(shapes.Cylinder{A: at.Sub(axis), B: at.Add(axis), Radius: radius}, 0)
			if p.length > 0 {
				c.around.refs = append(c.around.refs, newPrimRef(cylinderKind, len(c.s.cylinders)))
				c.s.cylinders = append(c.s.cylinders, p)
				return
			}
		}
		c.around.refs = append(c.around.refs, newPrimRef(capsuleKind, len(c.s.capsules)))
		c.s.capsules = append(c.s.capsules, newCapsule(shapes.Capsule{A: at.Sub(axis), B: at.Add(axis), Radius: radius}, 0))
		return
	}
	h := geom.Vec3{X: size * shapetest.LogUniform(rng, 1e-4, 1), Y: size * shapetest.LogUniform(rng, 1e-2, 1), Z: size * shapetest.LogUniform(rng, 1e-2, 1)}
	b := box{Box: shapes.Box{Center: at.Add(o), Rotation: shapetest.Rotation(rng)}}
	if rng.IntN(8) == 0 {
		b.Rotation = geom.Identity()
	}
	if rng.IntN(4) > 0 {
		if ratio := growthToLine(b.Rotation, h, at, d); ratio < 100 {
			h = h.Scale(ratio * near).Add(geom.Vec3{X: off, Y: off, Z: off})
		}
	}
	b.HalfExtents = geom.Vec3{X: max(h.X, 1e-6*size), Y: max(h.Y, 1e-6*size), Z: max(h.Z, 1e-6*size)}
	c.around.refs = append(c.around.refs, newPrimRef(boxKind, len(c.s.boxes)))
	c.s.boxes = append(c.s.boxes, b)
}

// distanceToLine returns the distance of the line along d from the segment from a to a + w.
func distanceToLine(a, w, d geom.Vec3) float64 {
	p, q := a.Cross(d), w.Cross(d)
	s := 0.0
	if q.Norm2() > 0 {
		s = max(0, min(1, -p.Dot(q)/q.Norm2()))
	}
	return p.AddScaled(s, q).Norm()
}

// growthToLine returns the factor by which the half extents h of a box with the center f must grow to touch the line along d.
func growthToLine(axes geom.Mat3, h, f, d geom.Vec3) float64 {
	x, v := axes.TransposeMulVec(f.Cross(d)), axes.TransposeMulVec(d)
	return max(math.Abs(x.X)/(h.Y*math.Abs(v.Z)+h.Z*math.Abs(v.Y)),
		math.Abs(x.Y)/(h.Z*math.Abs(v.X)+h.X*math.Abs(v.Z)),
		math.Abs(x.Z)/(h.X*math.Abs(v.Y)+h.Y*math.Abs(v.X)))
}

// surround computes the balls of the solids.
func (c *narrowCase) surround() {
	c.around.nested = c.around.nested[:0]
	for _, at := range c.around.refs {
		b := c.s.around(at)
		c.around.nested = append(c.around.nested, nestedBalls{b.center, -below(-b.radius), below(c.s.inside(at))})
	}
}

// narrow narrows masks of all rays that make an angle of less than 90 degrees with the direction to the solid, as find does,
// too.
func (c *narrowCase) narrow(t *testing.T) []int32 {
	m := &c.m
	if !m.find(&c.l, c.n, c.around.nested, c.near) { // for the rounded directions
		t.Skip("no kernel for masks")
	}
	for i, k := range c.near {
		b, ahead := &c.around.nested[k], rayMask(0)
		f := b.center.Sub(m.origin)
		for j := range c.n {
			if !(f.Dot(c.l.dir(j)) <= 0) {
				ahead |= 1 << j
			}
		}
		dist := f.Norm()
		considered := dist > 1e-10 && dist < 1e15 && dist > (1+1./narrowSpace)*(float64(b.outer)+m.margin)
		if considered && m.masks[i]&firstRays(c.n)&^m.blocked&^ahead != 0 {
			t.Fatalf("a mask contains a ray that makes an angle of 90 degrees or more with the direction to the ball %+v", b)
		}
		m.masks[i] = ahead
		c.ahead = append(c.ahead, ahead)
	}
	m.blocked = c.given | ^firstRays(c.n)
	return c.t.narrow(m, &c.s, &c.around, c.near)
}

// grown returns a copy of a solid whose surface is farther outside by the given distance, which may be negative, and false if
// nothing remains.
func (c *narrowCase) grown(at primRef, by float64) (*solids, primRef, bool) {
	switch i := at.index(); at.kind() {
	case capsuleKind:
		return grownCapsule(c.s.capsules[i].Capsule, by)
	case boxKind:
		b := c.s.boxes[i]
		b.HalfExtents = b.HalfExtents.Add(geom.Vec3{X: by, Y: by, Z: by})
		return &solids{boxes: []box{b}}, newPrimRef(boxKind, 0), min(b.HalfExtents.X, b.HalfExtents.Y, b.HalfExtents.Z) > 0
	default:
		p := c.s.cylinders[i]
		ok := p.Radius+by > 0 && p.length+2*by > 0
		p = newCylinder(shapes.Cylinder{A: p.A.AddScaled(-by, p.u), B: p.B.AddScaled(by, p.u), Radius: p.Radius + by}, 0)
		return &solids{cylinders: []cylinder{p}}, newPrimRef(cylinderKind, 0), ok
	}
}

func grownCapsule(p shapes.Capsule, by float64) (*solids, primRef, bool) {
	p.Radius += by
	return &solids{capsules: []capsule{newCapsule(p, 0)}}, newPrimRef(capsuleKind, 0), p.Radius > 0
}

// bound returns the solid that a narrower uses in place of a solid and that contains it, or lies in it: a cylinder is replaced
// by a capsule. The surface is moved as grown does.
func (c *narrowCase) bound(at primRef, by float64, contains bool) (*solids, primRef, bool) {
	if at.kind() != cylinderKind {
		return c.grown(at, by)
	}
	p := &c.s.cylinders[at.index()]
	if contains {
		return grownCapsule(shapes.Capsule{A: p.A, B: p.B, Radius: p.Radius}, by)
	}
	r := min(p.Radius, p.length/2)
	return grownCapsule(shapes.Capsule{A: p.A.AddScaled(r, p.u), B: p.B.AddScaled(-r, p.u), Radius: r}, by)
}

// meets reports whether the line of ray k meets a solid. The other arguments are the results of grown or bound.
func (c *narrowCase) meets(k int, s *solids, at primRef, ok bool) bool {
	if ok {
		_, _, ok = s.chord(at, c.m.origin, c.l.dir(k))
	}
	return ok
}

func (c *narrowCase) meetsGrown(k int, at primRef, by float64) bool {
	s, at, ok := c.grown(at, by)
	return c.meets(k, s, at, ok)
}

// check checks the result of narrow.
func (c *narrowCase) check(t *testing.T, count *narrowedRays) {
	margin := c.m.margin
	for j := range c.n {
		certain, blocked := false, c.m.blocked>>j&1 == 1
		for i, k := range c.near {
			at := c.around.refs[k]
			dist, outer := c.around.nested[k].center.Sub(c.m.origin).Norm(), float64(c.around.nested[k].outer)
			isOutside := dist > outer+margin
			if isOutside && blocked && !certain {
				near, _, ok := c.s.chord(at, c.m.origin, c.l.dir(j))
				certain = ok && near > 0 && near < c.m.light && c.meetsGrown(j, at, -margin)
			}
			if (c.given|^c.ahead[i])>>j&1 == 1 {
				continue
			}
			may := c.m.masks[i]>>j&1 == 1
			if !may && !blocked && c.meetsGrown(j, at, margin) {
				s, k, _ := c.grown(at, 0)
				t.Fatalf("the mask omits the ray along %v from %v with the margin %v, which may meet %+v", c.l.dir(j), c.m.origin, margin, s.shape(k))
			}
			switch {
			case blocked:
				count.blocked++
			case !may:
				count.removed++
			default:
				count.left++
				c.countAvoidable(count, j, at, dist, outer)
			}
		}
		switch isNew := blocked && c.given>>j&1 == 0; {
		case c.given>>j&1 == 1 && !blocked:
			t.Fatalf("ray %d, which was blocked before, is open", j)
		case isNew && !certain:
			t.Fatalf("the ray along %v from %v is reported as blocked with the margin %v and the light at %v, but hits none of the solids %+v, %+v, %+v", c.l.dir(j), c.m.origin, margin, c.m.light, c.s.capsules, c.s.boxes, c.s.cylinders)
		}
	}
}

// countAvoidable counts ray j, which is left for a solid, if it clearly misses or hits the solid.
func (c *narrowCase) countAvoidable(count *narrowedRays, j int, at primRef, dist, outer float64) {
	const finest, coarsest = 1e-9, 1e14 // distances
	apart := 2*c.m.margin + 2e-4*dist
	if at.kind() == boxKind { // if the ray is almost parallel to an axis of the box, planes parallel to both are inaccurate
		apart *= 5
		if v := c.s.boxes[at.index()].Rotation.TransposeMulVec(c.l.dir(j)); v.MaxAbs() > 0.98 {
			return
		}
	}
	if !(dist > finest && dist < coarsest && dist > (1+1./narrowSpace)*(outer+2*c.m.margin)) {
		return
	}
	if s, at, ok := c.bound(at, apart, true); !c.meets(j, s, at, ok) {
		count.extra++
	}
	if s, at, ok := c.bound(at, -apart, false); dist+outer < 0.99*c.m.light && c.meets(j, s, at, ok) {
		count.unsure++
	}
}
