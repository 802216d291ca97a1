package course

import (
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// nearMisses are distances that the questions of this file use, as fractions of a solid's size: from a point to the
// surface, for example, or from a line to a tangent. The smallest one is a few times the leeway. It is the most frequent,
// because it also exposes the smallest wrong tolerances.
var nearMisses = [...]float64{1e-2, 1e-10, 1e-4, 1e-10, 1e-7, 1e-10, 1e-10}

// nearMiss returns an element of nearMisses, with either sign. Successive questions use the elements in turn.
func (d *dice) nearMiss() float64 {
	h := nearMisses[d.turn/2%len(nearMisses)]
	if d.turn%2 == 0 {
		return -h
	}
	return h
}

// everyScale chooses the question's scale: lengths are rescaled in about two thirds of the questions. The number of
// scales, 11, has no divisor in common with 14, the number of near misses with their signs. So every near miss occurs
// at every scale.
func (d *dice) everyScale() {
	scales := [...]float64{1, 1e13, 1, 1e13, 1e4, 1e13, 1e13, 1, 1e13, 1, 1e3}
	i := d.turn % len(scales)
	d.scale, d.part = scales[i], i < 6
}

// tilt returns a number from 1e-10 to 3e-10 in magnitude, with alternating signs. Questions use it for a small distance,
// as a fraction of the solid's size, or as the sine of a small angle.
func (d *dice) tilt() float64 {
	t := 1e-10 * d.between(1, 3)
	if d.turn%2 == 0 {
		return -t
	}
	return t
}

// unit returns a length of 1 at the question's scale.
func (d *dice) unit() float64 { return d.length(1, 1) }

// nextToSurface returns a ray that starts close to the surface of a solid, inside or outside, at an angle to it.
func (d *dice) nextToSurface(s shapes.Shape) lineQuestion {
	p, out := d.onSurface(s)
	for {
		dir := d.direction()
		if cos := dir.Dot(out); cos < -0.2 || cos > 0.2 {
			return lineQuestion{geom.Ray{Origin: p.AddScaled(d.nearMiss()*sizeOf(s), out), Dir: dir}, s}
		}
	}
}

// sizeOf returns the radius of a sphere or a capsule, and the smallest half extent of a box. For a cylinder, it returns
// the radius or half the length, whichever is smaller.
func sizeOf(s shapes.Shape) float64 {
	switch s := s.(type) {
	case *shapes.Sphere:
		return s.Radius
	case *shapes.Capsule:
		return s.Radius
	case *shapes.Cylinder:
		return min(s.Radius, s.B.Sub(s.A).Norm()/2)
	case *shapes.Box:
		return min(s.HalfExtents.X, s.HalfExtents.Y, s.HalfExtents.Z)
	}
	panic("course: a solid of an unknown kind")
}

// onSurface returns a random point on the surface of a solid, and the outward normal there.
func (d *dice) onSurface(s shapes.Shape) (p, out geom.Vec3) {
	switch s := s.(type) {
	case *shapes.Sphere:
		out = d.direction()
		return s.Center.AddScaled(s.Radius, out), out
	case *shapes.Capsule:
		out = d.direction()
		end := s.A
		u, ok := geom.Direction(s.B.Sub(s.A))
		if ok && d.IntN(2) == 0 {
			out = d.across(u)
			end = geom.Segment{A: s.A, B: s.B}.At(d.between(0.1, 0.9))
		} else if out.Dot(u) > 0 {
			end = s.B
		}
		return end.AddScaled(s.Radius, out), out
	case *shapes.Cylinder:
		u, _ := geom.Direction(s.B.Sub(s.A))
		out = d.across(u)
		if d.IntN(2) == 0 {
			return geom.Segment{A: s.A, B: s.B}.At(d.between(0.1, 0.9)).AddScaled(s.Radius, out), out
		}
		return s.B.AddScaled(s.Radius*d.between(0, 0.9), out), u
	case *shapes.Box:
		face := d.axis()
		at := geom.Vec3{X: d.between(-0.9, 0.9), Y: d.between(-0.9, 0.9), Z: d.between(-0.9, 0.9)}
		at = at.AddScaled(-at.Dot(face)*face.Dot(face), face).Add(face)
		return inBox(s, at), s.Rotation.MulVec(face)
	}
	panic("course: a solid of an unknown kind")
}

// inBox returns a point of a box. The coordinates of the point, along the axes of the box, are given as multiples of
// the half extents.
func inBox(b *shapes.Box, at geom.Vec3) geom.Vec3 {
	h := b.HalfExtents
	return b.Center.Add(b.Rotation.MulVec(geom.Vec3{X: at.X * h.X, Y: at.Y * h.Y, Z: at.Z * h.Z}))
}

// grazing returns a line that is almost tangent to a solid: it passes just inside or outside of the surface.
func (d *dice) grazing(s shapes.Shape) lineQuestion {
	p, out := d.onSurface(s)
	along := d.across(out)
	return lineQuestion{geom.Ray{Origin: p.AddScaled(d.nearMiss()*sizeOf(s), out).AddScaled(-d.length(1, 10), along), Dir: along}, s}
}

// closeRound returns kinds of questions about lines that are almost tangent to a solid, and about origins close to its
// surface. solid generates the solid.
func closeRound[S shapes.Shape](solid func(d *dice) S) []ask[lineQuestion] {
	return []ask[lineQuestion]{
		{Degenerate, "next to tangent", func(d *dice) lineQuestion {
			d.everyScale()
			return d.grazing(solid(d))
		}},
		{Degenerate, "next to the surface", func(d *dice) lineQuestion {
			d.everyScale()
			return d.nextToSurface(solid(d))
		}},
	}
}

// closeCapsules returns the kinds of questions of [closeRound] for capsules, and further kinds: about lines that
// are almost parallel to the axis, and about axes that have almost no length.
func closeCapsules(capsule func(d *dice) *shapes.Capsule) []ask[lineQuestion] {
	return append(closeRound(capsule), []ask[lineQuestion]{
		{Degenerate, "through the side, nearly along the axis", func(d *dice) lineQuestion {
			d.everyScale()
			c := capsule(d)
			u := c.B.Sub(c.A).Unit()
			out := d.across(u)
			p := geom.Segment{A: c.A, B: c.B}.At(d.between(0.2, 0.8)).AddScaled(c.Radius, out)
			dir := u.AddScaled(d.tilt(), out).Unit()
			q := lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), dir), Dir: dir}, c}
			d.eitherEnd(&c.A, &c.B)
			return q
		}},
		{Degenerate, "axis of nearly zero length", func(d *dice) lineQuestion {
			d.everyScale()
			c := capsule(d)
			u := c.B.Sub(c.A).Unit()
			c.B = c.A.AddScaled(16*d.nearMiss()*c.Radius, u)
			return lineQuestion{d.rayInto(c, c.A, c.Radius), c}
		}},
	}...)
}

// closeCylinders returns the kinds of questions of [closeRound] for cylinders, and further kinds: about lines that
// pass close to a rim, and about lines that are almost parallel to the axis or to a disc.
func closeCylinders() []ask[lineQuestion] {
	return append(closeRound((*dice).cylinder), []ask[lineQuestion]{
		{Degenerate, "next to the rim", func(d *dice) lineQuestion {
			d.everyScale()
			c := d.cylinder()
			u, _ := axisOf(c)
			out := d.across(u)
			past := out.Sub(u).AddScaled(d.between(-0.5, 0.5), out.Cross(u)).Unit()
			if d.IntN(2) == 0 {
				past = past.Neg()
			}
			p := inCylinder(c, 1, 1, out).AddScaled(d.nearMiss()*sizeOf(c), out.Add(u))
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), past), Dir: past}, c}
		}},
		{Degenerate, "into or out of the solid, next to the rim", func(d *dice) lineQuestion {
			d.everyScale()
			c := d.cylinder()
			u, _ := axisOf(c)
			out := d.across(u)
			dir := out.Add(u).AddScaled(d.between(-0.5, 0.5), out.Cross(u)).Unit()
			if d.IntN(2) == 0 {
				dir = dir.Neg()
			}
			p := inCylinder(c, 1, 1, out).AddScaled(d.nearMiss()*sizeOf(c), out)
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), dir), Dir: dir}, c}
		}},
		{Degenerate, "parallel to the discs, next to one", func(d *dice) lineQuestion {
			nearMiss, atB := d.nearMiss(), d.turn/2%2 == 0
			d.everyScale()
			c := d.alongAxis()
			u, length := axisOf(c)
			at := -nearMiss * sizeOf(c)
			if atB {
				at = length - at
			}
			dir := d.acrossAxis(u)
			return lineQuestion{geom.Ray{Origin: c.A.AddScaled(at, u).AddScaled(-d.length(1, 10), dir), Dir: dir}, c}
		}},
		{Degenerate, "parallel to the axis, next to the side", func(d *dice) lineQuestion {
			nearMiss := d.nearMiss()
			d.everyScale()
			c := d.alongAxis()
			u, _ := axisOf(c)
			out := d.acrossAxis(u)
			p := c.A.AddScaled(c.Radius+nearMiss*sizeOf(c), out)
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), u), Dir: u}, c}
		}},
		{Degenerate, "through the side, nearly along the axis", func(d *dice) lineQuestion {
			d.everyScale()
			c := d.cylinder()
			u, _ := axisOf(c)
			out := d.across(u)
			dir := u.AddScaled(d.tilt(), out).Unit()
			return lineQuestion{geom.Ray{Origin: inCylinder(c, d.between(0.2, 0.8), 1, out).AddScaled(-d.length(1, 10), dir), Dir: dir}, c}
		}},
		{Degenerate, "through a disc, nearly along it", func(d *dice) lineQuestion {
			d.everyScale()
			c := d.cylinder()
			u, _ := axisOf(c)
			dir := d.across(u).AddScaled(d.tilt(), u).Unit()
			p := inCylinder(c, 1, d.between(0, 0.5), d.across(u))
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), dir), Dir: dir}, c}
		}},
	}...)
}

// closeBoxes returns kinds of questions about boxes and lines that pass close to an edge or a corner, or run almost in
// a face. Some rays start close to the surface.
func closeBoxes(box func(d *dice) *shapes.Box) []ask[lineQuestion] {
	// beside returns a line through a face, less than 2e-9 of the box's size away from an edge. The line enters the box
	// there if inward is 1, and leaves it if inward is -1. Programs with a larger tolerance fail.
	beside := func(d *dice, inward float64) lineQuestion {
		d.everyScale()
		b := box(d)
		one := d.axis()
		two := d.acrossAxis(one)
		p := inBox(b, one.Add(two).AddScaled(d.between(-0.8, 0.8), one.Cross(two)))
		p = p.AddScaled(1e-10*d.between(1, 9)*sizeOf(b), b.Rotation.MulVec(one.Sub(two)))
		dir := b.Rotation.MulVec(one.Add(two).Scale(-inward).AddScaled(d.between(-0.5, 0.5), one.Cross(two)).Unit())
		back := d.length(1, 10)
		if inward < 0 && d.IntN(2) == 0 { // the ray starts inside, so the crossing is the first ahead
			back = d.between(0.1, 0.5) * sizeOf(b)
		}
		return lineQuestion{geom.Ray{Origin: p.AddScaled(-back, dir), Dir: dir}, b}
	}
	return []ask[lineQuestion]{
		{Degenerate, "in through a face, next to an edge", func(d *dice) lineQuestion { return beside(d, 1) }},
		{Degenerate, "out through a face, next to an edge", func(d *dice) lineQuestion { return beside(d, -1) }},
		{Degenerate, "next to an edge", func(d *dice) lineQuestion {
			d.everyScale()
			b := box(d)
			one := d.axis()
			two := d.acrossAxis(one)
			p := inBox(b, one.Add(two).AddScaled(d.between(-0.8, 0.8), one.Cross(two)))
			past := one.Sub(two).AddScaled(d.between(-0.5, 0.5), one.Cross(two)).Unit()
			p = p.Add(b.Rotation.MulVec(one.Add(two)).Scale(d.tilt() * sizeOf(b)))
			dir := b.Rotation.MulVec(past)
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), dir), Dir: dir}, b}
		}},
		{Degenerate, "next to a corner", func(d *dice) lineQuestion {
			d.everyScale()
			b := box(d)
			one := d.axis()
			two := d.acrossAxis(one)
			three := one.Cross(two)
			p := inBox(b, one.Add(two).Add(three))
			dir := b.Rotation.MulVec(one.Sub(two).AddScaled(d.between(0.3, 0.9), three).Unit())
			if d.IntN(2) == 0 {
				dir = dir.Neg()
			}
			p = p.AddScaled(d.nearMiss()*sizeOf(b), d.across(dir))
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), dir), Dir: dir}, b}
		}},
		{Degenerate, "next to a face", func(d *dice) lineQuestion {
			d.everyScale()
			b := box(d)
			b.Rotation = geom.Identity()
			p, out := d.onSurface(b)
			dir := d.acrossAxis(out)
			return lineQuestion{geom.Ray{Origin: p.AddScaled(d.tilt()*sizeOf(b), out).AddScaled(-d.length(1, 10), dir), Dir: dir}, b}
		}},
		{Degenerate, "through a face, nearly along it", func(d *dice) lineQuestion {
			d.everyScale()
			b := box(d)
			if d.IntN(2) == 0 {
				b.Rotation = geom.Identity()
			}
			face := d.axis()
			side := d.acrossAxis(face)
			p := inBox(b, face.AddScaled(d.between(-0.5, 0.5), side).AddScaled(d.between(-0.5, 0.5), face.Cross(side)))
			dir := b.Rotation.MulVec(side.AddScaled(d.tilt(), face).Unit())
			return lineQuestion{geom.Ray{Origin: p.AddScaled(-d.length(1, 10), dir), Dir: dir}, b}
		}},
		{Degenerate, "next to the surface", func(d *dice) lineQuestion {
			d.everyScale()
			return d.nextToSurface(box(d))
		}},
	}
}

// linesAt returns kinds of questions of another stage. The function use makes such a question from questions about a line
// and a solid, which it requests by calling next. These come from the degenerate kinds in asks, in turn. If use returns
// false, it is called again, and next continues with further lines. The result has as many elements as copies says. All
// have the same class and name.
func linesAt[Q any](copies int, name string, asks []ask[lineQuestion], use func(d *dice, next func() lineQuestion) (Q, bool)) []ask[Q] {
	asks = slices.DeleteFunc(slices.Clone(asks), func(a ask[lineQuestion]) bool { return a.class != Degenerate })
	all := make([]ask[Q], copies)
	for i := range all {
		all[i] = ask[Q]{Degenerate, name, func(d *dice) Q {
			turn := d.turn*copies + i
			next := func() lineQuestion {
				d.turn, d.scale = turn/len(asks), 1
				line := asks[turn%len(asks)].make(d)
				turn++
				return line
			}
			for {
				if q, ok := use(d, next); ok {
					return q
				}
			}
		}}
	}
	return all
}

// fromWithin moves the line's origin into its solid, so that the far crossing is the first one ahead of the origin. It
// returns the line unchanged if the line misses the solid.
func (d *dice) fromWithin(line lineQuestion) lineQuestion {
	if span, ok := line.shape.Span(line.ray); ok {
		line.ray.Origin = line.ray.At(span.Near.T + float64(d.between(0.2, 0.8)*(span.Far.T-span.Near.T)))
	}
	return line
}

// nextBeside returns a second question whose ray has the same origin as that of line. It calls next until it returns a
// question that fits, scales this to the size of line's solid, and moves it to the origin of line's ray. A question fits
// if all of these are true:
//
//   - Its ray starts outside of its solid.
//   - The directions of the two rays differ by at most about 84 degrees.
//   - Its [lineScale], after scaling, is at most twice that of line.
func (line lineQuestion) nextBeside(next func() lineQuestion) lineQuestion {
	p, size := line.ray.Origin, sizeOf(line.shape)
	far := 2 * lineScale(&line) // at a larger scale, rounding would hide what line is about
	for {
		other := next()
		o, factor := other.ray.Origin, size/sizeOf(other.shape)
		if other.ray.Dir.Dot(line.ray.Dir) < 0.1 || shapes.Contains(other.shape, o) || lineScale(&other)*factor > far {
			continue
		}
		return lineQuestion{
			geom.Ray{Origin: p, Dir: other.ray.Dir},
			moved(other.shape, func(q geom.Vec3) geom.Vec3 { return p.AddScaled(factor, q.Sub(o)) }, factor),
		}
	}
}

// moved returns a copy of s in another place and size. The function to maps its center or its ends to their new
// places, and its lengths are multiplied by factor.
func moved(s shapes.Shape, to func(geom.Vec3) geom.Vec3, factor float64) shapes.Shape {
	switch s := s.(type) {
	case *shapes.Sphere:
		return &shapes.Sphere{Center: to(s.Center), Radius: factor * s.Radius}
	case *shapes.Capsule:
		return &shapes.Capsule{A: to(s.A), B: to(s.B), Radius: factor * s.Radius}
	case *shapes.Cylinder:
		return &shapes.Cylinder{A: to(s.A), B: to(s.B), Radius: factor * s.Radius}
	case *shapes.Box:
		return &shapes.Box{Center: to(s.Center), HalfExtents: s.HalfExtents.Scale(factor), Rotation: s.Rotation}
	}
	panic("course: a solid of an unknown kind")
}
