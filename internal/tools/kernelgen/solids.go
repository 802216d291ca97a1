package main

// group holds the operands of a kernel for a group of neighboring rays and a solid.
type group struct {
	rays, solid address
	offset      address // offset of the group in the rays' arrays
	origin, way array   // the rays' origins and directions
	next        string  // label after the group
	slow        string  // label for rays that need the portable code
	open        mask

	// These fields are for kernels in which each ray has its own origin. Such a kernel prepares the solid
	// for every origin itself; the names of the prepared fields are, for example, those of sphereFrom. If
	// all rays share an origin, the solid is already prepared in memory, and seen is nil.
	scratch int                // memory for fields that differ from ray to ray
	seen    map[int]func() vec // functions that return these fields
	same    map[int]int        // offsets of the other fields in the solid
}

// array is the layout of vectors in memory: an array for each component, or a single vector for all
// rays.
type array struct {
	at, stride int
	one        bool
}

func (g *group) load(array int) vec { return target.load(g.rays, g.offset, array) }

func (g *group) store(v vec, array int) { target.store(v, g.rays, g.offset, array) }

func (g *group) vectors(a array) [3]vec {
	if a.one {
		return vector(g.rays, a.at)
	}
	return [3]vec{g.load(a.at), g.load(a.at + a.stride), g.load(a.at + 2*a.stride)}
}

func (g *group) dir() [3]vec { return g.vectors(g.way) }

// number returns a field of the prepared solid.
func (g *group) number(field int) vec {
	if read, ok := g.seen[field]; ok {
		return read()
	}
	if at, ok := g.same[field]; ok {
		return number(g.solid, at)
	}
	if g.seen != nil {
		panic("a field of the solid is not seen")
	}
	return number(g.solid, field)
}

func (g *group) vector(field int) [3]vec {
	return [3]vec{g.number(field), g.number(field + 8), g.number(field + 16)}
}

// The method see stores the vector v as a field of the prepared solid that differs from ray to ray.
func (g *group) see(field int, v vec) {
	if len(g.seen) == scratchVectors {
		panic("too little scratch memory")
	}
	g.seen[field] = target.keep(v, g.rays, g.scratch+scratchBytes*len(g.seen))
}

func (g *group) seeVector(field int, v [3]vec) {
	for k := range v {
		g.see(field+8*k, v[k])
	}
}

// separate prepares g for rays with different origins. The caller then stores the fields of the solid with see.
func (g *group) separate(scratch int) {
	g.scratch, g.seen, g.same = scratch, map[int]func() vec{}, map[int]int{}
}

func vector(base address, disp int) [3]vec {
	return [3]vec{number(base, disp), number(base, disp+8), number(base, disp+16)}
}

// number returns a vector of equal numbers.
func number(base address, disp int) vec { return target.all(base, disp) }

// sphereChord returns where the lines of the group's rays enter and leave a sphere, and the mask of the open rays
// whose lines meet it. The formulas are those of sphereFrom.chord in package accel.
func sphereChord(g *group) (near, far vec, ok mask) {
	near, far, ok = sphereChordAt(g, 0)
	return near, far, and(g.open, ok)
}

func sphereChordAt(g *group, disp int) (near, far vec, ok mask) {
	d, f := g.dir(), g.vector(disp+sphereFromF)
	c := dot(f, d) // -b
	for i := range f {
		f[i] = sub(f[i], mul(c, d[i]))
	}
	disc := sub(g.number(disp+sphereFromR2), dot(f, f))
	none := zero()
	ok = compare(greaterOrEqual, disc, none)
	h := sqrt(disc)
	b := sub(none, c)
	return sub(b, h), add(b, h), ok
}

// boxChord returns where the lines of the group's rays enter and leave a box, and the mask of the open rays whose
// lines meet it. The formulas are those of boxFrom.chord, with the comparisons of the function cut.
func boxChord(g *group) (near, far vec, ok mask) {
	for axis := range 3 {
		_, in, out := slab(g, axis)
		if axis == 0 {
			near, far = constant(negInf), constant(posInf)
		}
		near, far = larger(near, in), smaller(far, out)
	}
	return near, far, and(g.open, compare(lessOrEqual, near, far))
}

// capsuleChord returns where the lines of the group's rays enter and leave a capsule, and the mask of the open
// rays whose lines meet it. The axis must have a length. The formulas are those of capsuleFrom.chord. If an open
// ray is nearly parallel to the axis, the code jumps to g.slow; if no line meets the infinite cylinder around the
// axis, it jumps to g.next.
func capsuleChord(g *group) (near, far vec, ok mask) {
	u, d := g.vector(capsuleFromU), g.dir()
	dy := dot(d, u)
	for i := range d {
		d[i] = sub(d[i], mul(dy, u[i]))
	}
	a := dot(d, d)
	target.leaveIfAny(and(g.open, compare(less, a, constant(0x1p-104))), g.slow)
	f := g.vector(capsuleFromF2)
	b := div(sub(zero(), dot(f, d)), a)
	for i := range f {
		f[i] = add(f[i], mul(b, d[i]))
	}
	disc := sub(g.number(capsuleFromA+sphereFromR2), dot(f, f))
	ok = and(g.open, compare(greaterOrEqual, disc, zero()))
	target.leaveIfNone(ok, g.next)
	h := sqrt(div(disc, a))
	near, far = sub(b, h), add(b, h)

	y, length := g.number(capsuleFromY), g.number(capsuleFromLength)
	yNear, yFar := add(y, mul(near, dy)), add(y, mul(far, dy))
	none := zero()
	beyond := or(
		or(compare(less, yNear, none), compare(less, yFar, none)),
		or(compare(greater, yNear, length), compare(greater, yFar, length)))
	target.ifAny(and(ok, beyond), "body", func() {
		overEnd(g, capsuleFromA, less, zero, dy, yNear, yFar, near, far, ok)
		overEnd(g, capsuleFromB, greater, func() vec { return g.number(capsuleFromLength) }, dy, yNear, yFar, near, far, ok)
		move(larger(far, near), far)
	})
	return near, far, ok
}

// cylinderChord returns where the lines of the group's rays enter and leave a cylinder, and the mask of the open
// rays whose lines meet it. The formulas are those of cylinderFrom.chord. If no line meets the infinite cylinder
// around the axis, the code jumps to g.next.
func cylinderChord(g *group) (near, far vec, ok mask) {
	u, d := g.vector(cylinderFromU), g.dir()
	dy := dot(d, u)
	d = minus(d, dy, u)
	a := dot(d, d)
	parallel := compare(less, a, constant(0x1p-104))
	f := g.vector(cylinderFromF2)
	b := choose(parallel, zero(), div(sub(zero(), dot(f, d)), a))
	for i := range f {
		f[i] = add(f[i], mul(b, d[i]))
	}
	disc := sub(g.number(cylinderFromR2), dot(f, f))
	ok = and(g.open, compare(greaterOrEqual, disc, zero()))
	target.leaveIfNone(ok, g.next)
	h := choose(parallel, constant(posInf), sqrt(div(disc, a)))
	in, out := slabBetween(g, cylinderFromLower, cylinderFromUpper, dy)
	near, far = larger(sub(b, h), in), smaller(add(b, h), out)
	return near, far, and(ok, compare(lessOrEqual, near, far))
}

// minus returns v - s w.
func minus(v [3]vec, s vec, w [3]vec) [3]vec {
	for k := range v {
		v[k] = sub(v[k], mul(s, w[k]))
	}
	return v
}

// overEnd corrects the crossings near and far, in place, at one end of a capsule. The function at returns
// the height of this end along the axis. Crossings beyond the end are replaced by the crossings with the
// ball at the end. The chord of the ball is computed first, because this needs many registers.
func overEnd(g *group, end int, beyond relation, at func() vec, dy, yNear, yFar, near, far vec, ok mask) {
	endNear, endFar, meets := sphereChordAt(g, end)
	height := at()
	nearOut, farOut := compare(beyond, yNear, height), compare(beyond, yFar, height)
	cut := div(sub(height, g.number(capsuleFromY)), dy)
	endNear, endFar = choose(meets, endNear, cut), choose(meets, endFar, cut)
	move(choose(nearOut, endNear, near), near)
	move(choose(farOut, endFar, far), far)
	// A line that is beyond this end at both crossings and misses the ball there misses the capsule.
	missed := without(and(nearOut, farOut), meets)
	move(without(ok, missed), ok)
}

// unit returns the vectors v scaled to unit length, as geom.Vec3.Unit does.
func unit(v [3]vec) [3]vec {
	norm := sqrt(dot(v, v))
	for k := range v {
		v[k] = div(v[k], norm)
	}
	return v
}

// seenFrom returns the vectors from a point of the solid to the rays' origins.
func (g *group) seenFrom(point int) [3]vec {
	v := g.vectors(g.origin)
	for k, p := range vector(g.solid, point) {
		v[k] = sub(v[k], p)
	}
	return v
}

func (g *group) square(field int) vec {
	r := number(g.solid, field)
	return mul(r, r)
}

// sphereFrom prepares a sphere for the origin of each ray of the group, as the method sphere.from of package accel
// does for one origin.
func sphereFrom(g *group) {
	g.seeVector(sphereFromF, g.seenFrom(sphereCenter))
	g.see(sphereFromR2, g.square(sphereRadius))
}

// capsuleFrom prepares a capsule for the origin of each ray, as capsule.from does for one origin. It omits the
// axis, which only normals need: see axisFrom.
func capsuleFrom(g *group) {
	g.same[capsuleFromLength] = capsuleLength
	for k := range 3 {
		g.same[capsuleFromU+8*k] = capsuleU + 8*k
	}
	r2 := g.square(capsuleRadius)
	g.see(capsuleFromA+sphereFromR2, r2)
	g.see(capsuleFromB+sphereFromR2, r2)
	g.seeVector(capsuleFromB+sphereFromF, g.seenFrom(capsuleB))
	f, u := g.seenFrom(capsuleA), g.vector(capsuleFromU)
	g.seeVector(capsuleFromA+sphereFromF, f)
	y := dot(f, u)
	g.see(capsuleFromY, y)
	for k := range f {
		f[k] = sub(f[k], mul(y, u[k]))
	}
	g.seeVector(capsuleFromF2, f)
}

// axisFrom prepares the fields of a capsule that capsuleNormal needs, for the origin of each ray.
func axisFrom(g *group) {
	g.see(capsuleFromA+sphereFromR2, g.square(capsuleRadius))
	g.seeVector(capsuleFromA+sphereFromF, g.seenFrom(capsuleA))
	axis := vector(g.solid, capsuleB)
	for k, a := range vector(g.solid, capsuleA) {
		axis[k] = sub(axis[k], a)
	}
	g.seeVector(capsuleFromAxis, axis)
}

// cylinderFrom prepares a cylinder for the origin of each ray, as cylinder.from does for one origin.
func cylinderFrom(g *group) {
	for k := range 3 {
		g.same[cylinderFromU+8*k] = cylinderU + 8*k
	}
	g.see(cylinderFromR2, g.square(cylinderRadius))
	f, u := g.seenFrom(cylinderA), g.vector(cylinderFromU)
	y := dot(f, u)
	g.see(cylinderFromLower, sub(zero(), y))
	g.see(cylinderFromUpper, sub(number(g.solid, cylinderLength), y))
	g.seeVector(cylinderFromF2, minus(f, y, u))
}

// boxFrom prepares a box for the origin of each ray, as box.from does for one origin.
func boxFrom(g *group) {
	f := g.seenFrom(boxCenter)
	for axis := range 3 {
		for k := range 3 {
			g.same[boxFromAxes+24*axis+8*k] = boxAxes + 24*axis + 8*k
		}
		p, h := dot(f, g.vector(boxFromAxes+24*axis)), number(g.solid, boxHalf+8*axis)
		g.see(boxFromLower+8*axis, sub(sub(zero(), h), p))
		g.see(boxFromUpper+8*axis, sub(h, p))
	}
}

// away returns the vectors from the center of a sphere to the rays' hits. disp is the offset of the sphere's
// fields in the prepared solid.
func away(g *group, disp int) [3]vec {
	d, f, t := g.dir(), g.vector(disp+sphereFromF), g.load(offT)
	for k := range f {
		f[k] = add(f[k], mul(t, d[k]))
	}
	return f
}

// sphereNormal returns the outward normals of a sphere at the rays' hits, as sphereFrom.normal does.
func sphereNormal(g *group) [3]vec { return roundNormal(g, away(g, 0), sphereFromR2) }

// roundNormal returns unit vectors along the vectors away or, where these are too short, against the rays'
// directions. It is shapes.RoundNormal; r2 is the field with the squared radius. A quarter of the stored square is
// exactly 0.25*radius*radius, because multiplying by 0.25 does not round.
func roundNormal(g *group, away [3]vec, r2 int) [3]vec {
	n2 := dot(away, away)
	tiny := compare(less, n2, mul(constant(0.25), g.number(r2)))
	norm := sqrt(n2)
	for k, d := range g.dir() {
		away[k] = choose(tiny, sub(zero(), d), div(away[k], norm))
	}
	return away
}

// capsuleNormal returns the outward normals of a capsule at the rays' hits, as capsuleFrom.normal does.
func capsuleNormal(g *group) [3]vec {
	p, w := away(g, capsuleFromA), g.vector(capsuleFromAxis)
	along, norm2 := dot(w, p), dot(w, w)
	t := div(along, norm2)
	t = choose(compare(greaterOrEqual, along, norm2), constant(1), t)
	t = choose(compare(lessOrEqual, along, zero()), zero(), t)
	for k := range p {
		p[k] = sub(p[k], add(zero(), mul(t, w[k])))
	}
	return roundNormal(g, p, capsuleFromA+sphereFromR2)
}

// cylinderNormal returns the outward normals of a cylinder at the rays' hits, as cylinderFrom.normal does.
func cylinderNormal(g *group) [3]vec {
	u, d := g.vector(cylinderFromU), g.dir()
	dy, t := dot(d, u), g.load(offT)
	d = minus(d, dy, u)
	away := g.vector(cylinderFromF2)
	for k := range away {
		away[k] = add(away[k], mul(t, d[k]))
	}
	n := roundNormal(g, away, cylinderFromR2)
	in, out := slabBetween(g, cylinderFromLower, cylinderFromUpper, dy)
	enters := compare(equal, in, t)
	onDisc := or(enters, compare(equal, out, t))
	side := choose(enters, sub(constant(negZero), dy), dy)
	sign := or(and(side, constant(negZero)), constant(1))
	for k, v := range g.vector(cylinderFromU) {
		n[k] = choose(onDisc, mul(v, sign), n[k])
	}
	return n
}

// boxNormal returns the outward normals of a box at the rays' hits, as boxFrom.normal does. It goes through the
// faces from last to first, so that the first takes precedence.
func boxNormal(g *group) [3]vec {
	var d, in, out [3]vec
	for axis := range 3 {
		d[axis], in[axis], out[axis] = slab(g, axis)
	}
	n := g.vector(boxFromAxes + 24*2)
	side := d[2]
	turn := func(axis int, crossing, way vec) {
		k := compare(equal, crossing, g.load(offT))
		for i, v := range g.vector(boxFromAxes + 24*axis) {
			n[i] = choose(k, v, n[i])
		}
		side = choose(k, way, side)
	}
	turn(1, out[1], d[1])
	turn(0, out[0], d[0])
	for axis := 2; axis >= 0; axis-- {
		turn(axis, in[axis], sub(constant(negZero), d[axis]))
	}
	sign := or(and(side, constant(negZero)), constant(1))
	for i := range n {
		n[i] = mul(n[i], sign)
	}
	return n
}

// slab returns the component of the rays' directions along an axis of a box, and the distances at which
// they pass the faces perpendicular to it.
func slab(g *group, axis int) (d, in, out vec) {
	d = dot(g.vector(boxFromAxes+24*axis), g.dir())
	in, out = slabBetween(g, boxFromLower+8*axis, boxFromUpper+8*axis, d)
	return d, in, out
}

// slabBetween returns the distances at which rays that advance by d per unit of distance pass two
// parallel faces.
func slabBetween(g *group, lowerFace, upperFace int, d vec) (in, out vec) {
	inv := div(constant(1), d)
	lower, upper := g.number(lowerFace), g.number(upperFace)
	down := compare(less, inv, zero())
	return mul(choose(down, upper, lower), inv), mul(choose(down, lower, upper), inv)
}
