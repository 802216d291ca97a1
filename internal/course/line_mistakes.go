package course

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// lineChange is a mistake in the stages about a line and a solid that changes the question or the right answer.
type lineChange = change[lineQuestion, crossings]

// lineVariant is a mistake in the stages about a line and a solid, with a function that computes the answer with
// it.
type lineVariant = variant[lineQuestion, crossings]

// onlyRoots returns an edit that calls f to change the ray or the solid, but only while the distances t are computed.
// The points lie on the right ray, at these wrong distances. For a sphere or a capsule, the normals are then computed
// from the points. For a box or a cylinder, they are the normals of the changed solid.
func onlyRoots(f func(q *lineQuestion)) func(q *lineQuestion) func(*crossings) {
	return func(q *lineQuestion) func(*crossings) {
		right := *q
		f(q)
		return func(c *crossings) {
			for i, t := range c.T {
				c.Points[i] = right.ray.At(t)
				if round(right.shape) {
					c.Normals[i] = rightNormal(right.shape)(c.Points[i], i)
				}
			}
		}
	}
}

// round reports whether s is a sphere or a capsule: their normals follow from the points alone.
func round(s shapes.Shape) bool {
	switch s.(type) {
	case *shapes.Sphere, *shapes.Capsule:
		return true
	case *shapes.Cylinder, *shapes.Box:
		return false
	}
	panic("course: a solid of an unknown kind")
}

// resized returns a copy of s whose radius or half extents are multiplied by factor. Its center, or its axis, is the
// same.
func resized(s shapes.Shape, factor float64) shapes.Shape {
	switch s := s.(type) {
	case *shapes.Sphere:
		return &shapes.Sphere{Center: s.Center, Radius: factor * s.Radius}
	case *shapes.Capsule:
		return &shapes.Capsule{A: s.A, B: s.B, Radius: factor * s.Radius}
	case *shapes.Cylinder:
		return &shapes.Cylinder{A: s.A, B: s.B, Radius: factor * s.Radius}
	case *shapes.Box:
		return &shapes.Box{Center: s.Center, HalfExtents: s.HalfExtents.Scale(factor), Rotation: s.Rotation}
	}
	panic("course: a solid of an unknown kind")
}

// placeOf returns the point of the solid s that most programs subtract from the ray's origin. It is the center of a
// sphere or a box, and the end A of the axis of a capsule or a cylinder.
func placeOf(s shapes.Shape) geom.Vec3 {
	switch s := s.(type) {
	case *shapes.Capsule:
		return s.A
	case *shapes.Cylinder:
		return s.A
	case *shapes.Sphere:
		return s.Center
	case *shapes.Box:
		return s.Center
	}
	panic("course: a solid of an unknown kind")
}

// touching returns the mistake of reporting a miss if the line only touches the solid.
func touching(lesson string) lineChange {
	return lineChange{
		Mistake{"touching is taken for missing", "A line that touches the surface has a point in common with it: a discriminant of 0 is a hit, and so is a line in a face. Use < and >, not <= and >=.", lesson},
		telling(func(q *lineQuestion, c *crossings) {
			if small, ok := grown(q.shape, -leewayOf(q.ray, q.shape)); ok {
				if _, inside := small.Span(q.ray); !inside {
					*c = crossings{}
				}
			}
		}),
	}
}

// keep keeps only crossing i, if there are two.
func (c *crossings) keep(i int) {
	if c.Count == 2 {
		c.Count, c.T, c.Points, c.Normals = 1, c.T[i:i+1], c.Points[i:i+1], c.Normals[i:i+1]
	}
}

// normalChange returns an edit that replaces each normal by the result of f. The arguments of f are the point, the
// normal there and the index of the crossing.
func normalChange(f func(q *lineQuestion, p, n geom.Vec3, i int) geom.Vec3) func(*lineQuestion) func(*crossings) {
	return telling(func(q *lineQuestion, c *crossings) {
		for i, n := range c.Normals {
			c.Normals[i] = f(q, c.Points[i], n, i)
		}
	})
}

// shortFloats returns the mistake of computing with 32 bits. Which digits are wrong depends on the program, but all
// errors are small.
func shortFloats(lesson string) random[lineQuestion, crossings] {
	return random[lineQuestion, crossings]{
		Mistake: Mistake{"32-bit floats are not precise enough", "All wrong numbers are right to six or seven digits. Use 64-bit floats everywhere.", lesson},
		may: func(q *lineQuestion, given crossings) bool {
			want := solveLine(q)
			size := lineScale(q) * 0x1p-16
			if given.Count == want.Count && given.Face != want.Face {
				return false
			}
			if given.Count != want.Count {
				large, _ := grown(q.shape, 2*size)
				small, ok := grown(q.shape, -2*size)
				_, outer := large.Span(q.ray)
				inner := false
				if ok {
					_, inner = small.Span(q.ray)
				}
				return outer && !inner // nearly tangent
			}
			for i, t := range want.T {
				if !(math.Abs(t-given.T[i]) <= size*16) || !near(want.Points[i], given.Points[i], size*16) {
					return false
				}
				n := want.Normals[i]
				if round(q.shape) {
					n = rightNormal(q.shape)(given.Points[i], i)
				}
				if !near(n, given.Normals[i], size*16/sizeOf(q.shape)+0x1p-16) {
					return false
				}
			}
			return true
		},
	}
}

// thresholds are the powers of ten that programs use as a fixed epsilon.
func thresholds() []float64 {
	return []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-12}
}

// epsilons returns one variant of the mistake m for each of the [thresholds]. The function solve computes the answer
// of a program that uses the threshold as its epsilon.
func epsilons[Q, A any](m Mistake, solve func(q *Q, epsilon float64) A) []variant[Q, A] {
	var all []variant[Q, A]
	for _, e := range thresholds() {
		all = append(all, variant[Q, A]{m, func(q *Q) A { return solve(q, e) }})
	}
	return all
}

// limits returns one variant of the mistake m for each large number that programs use in place of infinity. The
// function solve computes the answer of a program that uses the number.
func limits[Q, A any](m Mistake, solve func(q *Q, limit float64) A) []variant[Q, A] {
	var all []variant[Q, A]
	for _, limit := range []float64{1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10} {
		all = append(all, variant[Q, A]{m, func(q *Q) A { return solve(q, limit) }})
	}
	return all
}

// boxChanges returns the mistakes about boxes that change the question or the right answer.
func boxChanges() []lineChange {
	const lesson = "box.md"
	order := Mistake{"the half extents are in the wrong order", "half_extents[i] belongs to axes[i].", lesson}
	permuted := func(i, j, k int) lineChange {
		return lineChange{order, asking[lineQuestion, crossings](func(q *lineQuestion) {
			b := *q.shape.(*shapes.Box)
			h := b.HalfExtents
			b.HalfExtents = geom.Vec3{X: part(h, i), Y: part(h, j), Z: part(h, k)}
			q.shape = &b
		})}
	}
	resize := func(factor float64) func(*lineQuestion) func(*crossings) {
		return asking[lineQuestion, crossings](func(q *lineQuestion) { q.shape = resized(q.shape, factor) })
	}
	face := func(f func(q *lineQuestion, c *crossings)) func(*lineQuestion) func(*crossings) {
		return telling(func(q *lineQuestion, c *crossings) {
			if c.Count > 0 && c.Face != "" {
				f(q, c)
			}
		})
	}
	swap := map[byte]string{'+': "-", '-': "+"}
	return []lineChange{
		touching(lesson),
		{Mistake{"half extents are doubled", "half_extents are distances from the center to the faces: the slab extends from -h to h.", lesson}, resize(2)},
		permuted(1, 0, 2), permuted(2, 1, 0), permuted(0, 2, 1), permuted(1, 2, 0), permuted(2, 0, 1),
		{Mistake{"the face is that through which the line leaves", "face is the one through which the line enters: that of the slab with the last entry.", lesson},
			face(func(q *lineQuestion, c *crossings) {
				if span, ok := q.shape.Span(q.ray); ok {
					c.Face = faceName(q.shape.(*shapes.Box), span.Far.Normal)
				}
			})},
		{Mistake{"the sign of the face is reversed", "A line with a positive direction along an axis enters through the face at -h.", lesson},
			face(func(_ *lineQuestion, c *crossings) { c.Face = swap[c.Face[0]] + c.Face[1:] })},
		{Mistake{"the normals point inward", "The outward normal of the face +x is the box's axis X.", lesson},
			telling(func(_ *lineQuestion, c *crossings) {
				for i := range c.Normals {
					c.Normals[i] = c.Normals[i].Neg()
				}
			})},
	}
}

// boxVariants returns wrong solutions for boxes. Each makes one mistake in its method.
func boxVariants() []lineVariant {
	const lesson = "box.md"
	half := Mistake{"only one of origin and direction is turned into the box's frame", "The slabs are those of the box's own axes: both origin and direction need their coordinates along these.", lesson}
	slab := func(f func(s *slabs)) func(q *lineQuestion) crossings {
		return func(q *lineQuestion) crossings {
			s := slabsOf(q)
			f(&s)
			in, out, ok := s.enclosed()
			if !ok {
				return crossings{}
			}
			return s.cross(in, out)
		}
	}
	// ends returns a variant in which f computes the answer from the distances of the slabs.
	ends := func(f func(s *slabs, in, out [3]float64) crossings) func(q *lineQuestion) crossings {
		return func(q *lineQuestion) crossings {
			s := slabsOf(q)
			in, out, ok := s.enclosed()
			if !ok {
				return crossings{}
			}
			return f(&s, in, out)
		}
	}
	return []lineVariant{
		{half, slab(func(s *slabs) { s.d = [3]float64{s.r.Dir.X, s.r.Dir.Y, s.r.Dir.Z} })},
		{half, slab(func(s *slabs) {
			f := s.r.Origin.Sub(s.b.Center)
			s.o = [3]float64{f.X, f.Y, f.Z}
		})},
		{Mistake{"the last entry is not compared with the first exit", "The line misses the box if it leaves one slab before it enters another: if near > far.", lesson},
			ends(func(s *slabs, in, out [3]float64) crossings {
				entry, exit := last(in), last([3]float64{-out[0], -out[1], -out[2]})
				return s.at(in[entry], out[exit], entry, exit)
			})},
		{Mistake{"the last entry is not compared with the first exit", "The line misses the box if it leaves one slab before it enters another: if near > far.", lesson},
			ends(func(s *slabs, in, out [3]float64) crossings {
				entry, exit := last(in), last([3]float64{-out[0], -out[1], -out[2]})
				c := s.at(in[entry], out[exit], entry, exit)
				if in[entry] >= out[exit] { // taken for one crossing
					c.keep(0)
				}
				return c
			})},
		{Mistake{"the box is turned the wrong way", "A coordinate along an axis is the dot product with that axis. Using the axes as columns where they are rows rotates by the opposite angle.", lesson},
			slab(func(s *slabs) { // the normals are right
				wrong := slabsOf(&lineQuestion{s.r, &shapes.Box{Center: s.b.Center, HalfExtents: s.b.HalfExtents, Rotation: transposed(s.b.Rotation)}})
				s.o, s.d = wrong.o, wrong.d
			})},
		{Mistake{"the slabs are joined instead of intersected", "The line is in the box while it is in all three slabs: from the largest of the entries to the smallest of the exits.", lesson},
			ends(func(s *slabs, in, out [3]float64) crossings {
				for i := range 3 { // skip slabs that do not limit the line
					if math.IsInf(in[i], -1) {
						in[i], out[i] = math.Inf(1), math.Inf(-1)
					}
				}
				entry, exit := last([3]float64{-in[0], -in[1], -in[2]}), last(out)
				if in[entry] > out[exit] {
					return crossings{}
				}
				return s.at(in[entry], out[exit], entry, exit)
			})},
		{Mistake{"the first entry is used instead of the last", "The line is in the box only while it is in all three slabs: it enters the box where it enters the last of them.", lesson},
			ends(func(s *slabs, in, out [3]float64) crossings {
				for i := range 3 {
					if math.IsInf(in[i], -1) {
						in[i] = math.Inf(1)
					}
				}
				entry, exit := last([3]float64{-in[0], -in[1], -in[2]}), last([3]float64{-out[0], -out[1], -out[2]})
				if in[entry] > out[exit] {
					return crossings{}
				}
				return s.at(in[entry], out[exit], entry, exit)
			})},
		{Mistake{"the last exit is used instead of the first", "The line is in the box only while it is in all three slabs: it leaves the box where it leaves the first of them.", lesson},
			ends(func(s *slabs, in, out [3]float64) crossings {
				for i := range 3 {
					if math.IsInf(out[i], 1) {
						out[i] = math.Inf(-1)
					}
				}
				entry, exit := last(in), last(out)
				if in[entry] > out[exit] {
					return crossings{}
				}
				return s.at(in[entry], out[exit], entry, exit)
			})},
		{Mistake{"the search starts at 0", "The whole line counts: before the first slab it reaches from minus to plus infinity.", lesson},
			ends(func(s *slabs, in, out [3]float64) crossings {
				entry, exit := last(in), last([3]float64{-out[0], -out[1], -out[2]})
				near := max(0, in[entry])
				if near > out[exit] {
					return crossings{}
				}
				c := s.at(near, out[exit], entry, exit)
				if in[entry] <= 0 {
					c.Normals[0], c.Face = geom.Vec3{}, "" // no slab set them
				}
				return c
			})},
		{Mistake{"distances are multiplied by the direction", "The plane at h is reached at t = (h - o') / d': divide by the direction.", lesson},
			func(q *lineQuestion) crossings {
				s := slabsOf(q)
				in, out, ok := s.enclosed()
				if !ok {
					return crossings{}
				}
				for i, d := range s.d {
					if d != 0 {
						in[i], out[i] = float64(in[i]*d)*d, float64(out[i]*d)*d
						if in[i] > out[i] {
							in[i], out[i] = out[i], in[i]
						}
					}
				}
				return s.cross(in, out)
			}},
	}
}

// anyFace means any face of a box in the answer of a wrong program, where programs with the same mistake name
// different faces. The function [alike] considers anyFace equal to every face.
const anyFace = "any"

// last returns the index of the largest of three numbers. Of equal numbers, it takes the first.
func last(x [3]float64) int {
	k := 0
	for i := range x {
		if x[i] > x[k] {
			k = i
		}
	}
	return k
}

// enclosed returns the distances at which the line enters and leaves each of the box's three slabs, the spaces
// between two opposite faces. For a slab that is parallel to the line, the distances are minus and plus infinity.
// The result ok is false if the line is parallel to a slab and outside of it.
func (s *slabs) enclosed() (in, out [3]float64, ok bool) {
	in, out = s.times()
	for i, d := range s.d {
		if d != 0 {
			continue
		}
		if math.Abs(s.o[i]) > s.h[i] {
			return in, out, false
		}
		in[i], out[i] = math.Inf(-1), math.Inf(1)
	}
	return in, out, true
}

// boxAlone returns the mistakes of the stage box that depend on a fixed number, with one variant for each typical
// number.
func boxAlone() []lineVariant {
	const lesson = "box.md"
	parallel := Mistake{"a fixed epsilon decides about parallel", "A component of 10^-7 moves a ray far in a large scene. Only a component of exactly 0 needs care.", "traps.md#a-fixed-epsilon"}
	infinite := Mistake{"a large number stands for infinity", "A scene may be larger than any number that you choose. Start with minus and plus infinity.", lesson}
	all := epsilons(parallel, func(q *lineQuestion, epsilon float64) crossings {
		s := slabsOf(q)
		for i, d := range s.d {
			if math.Abs(d) < epsilon {
				s.d[i] = 0
			}
		}
		in, out, ok := s.enclosed()
		if !ok {
			return crossings{}
		}
		return s.cross(in, out)
	})
	all = slices.Concat(all, epsilons(parallelMiss(), missIfParallel), faceEpsilons())
	return append(all, limits(infinite, func(q *lineQuestion, limit float64) crossings {
		s := slabsOf(q)
		in, out, ok := s.enclosed()
		entry, exit := last(in), last([3]float64{-out[0], -out[1], -out[2]})
		near, far := max(-limit, in[entry]), min(limit, out[exit])
		if !ok || near > far {
			return crossings{}
		}
		c := s.at(near, far, entry, exit)
		if near == -limit { // the normal and the face depend on the program
			c.Normals[0], c.Face = anything(), anyFace
		}
		if far == limit {
			c.Normals[1] = anything()
		}
		return c
	})...)
}

// capsuleVariants returns wrong solutions for capsules. Each makes one mistake in its method.
func capsuleVariants() []lineVariant {
	const lesson = "capsule.md"
	noEnd := Mistake{"the cylinder has no end", "The body reaches from height 0 to L along the axis. Crossings above or below that range count only if they belong to a ball.", lesson}
	unsorted := Mistake{"the roots are not sorted", "Three round parts have up to six roots, in any order: t_near is the smallest of all, t_far the largest.", lesson}
	// of returns a variant that answers with f. If the axis has length zero, the variant returns the right answer.
	of := func(f func(b *body) crossings) func(q *lineQuestion) crossings {
		return func(q *lineQuestion) crossings {
			b := bodyOf(q)
			if b.length == 0 {
				return solveLine(q)
			}
			return f(&b)
		}
	}
	return []lineVariant{
		{noEnd, of(func(b *body) crossings { // together with the balls
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, t := range b.rootsWithin(math.Inf(-1), math.Inf(1)) {
				lo, hi = min(lo, t), max(hi, t)
			}
			return b.outermost(lo, hi)
		})},
		{Mistake{"the body reaches beyond the ends", "The straight part of a capsule ends at a and b. The radius comes on top of its length, as the balls.", lesson},
			of(func(b *body) crossings {
				lo, hi := math.Inf(1), math.Inf(-1)
				for _, t := range b.rootsWithin(-b.c.Radius, b.length+b.c.Radius) {
					lo, hi = min(lo, t), max(hi, t)
				}
				return b.outermost(lo, hi)
			})},
		{unsorted, of(func(b *body) crossings {
			all := b.rootsWithin(0, b.length)
			if len(all) == 0 || !b.ok && !b.parallel() {
				return crossings{}
			}
			return b.outermost(all[0], all[len(all)-1])
		})},
		{unsorted, of(func(b *body) crossings { // the balls first
			all := b.rootsWithin(0, b.length)
			if len(all) == 0 || !b.ok && !b.parallel() {
				return crossings{}
			}
			balls := len(b.rootsWithin(math.Inf(1), math.Inf(1)))
			all = slices.Concat(all[len(all)-balls:], all[:len(all)-balls])
			return b.outermost(all[0], all[len(all)-1])
		})},
		{Mistake{"the body has no end at b", "The body reaches from height 0 to L along the axis. Crossings above L count only if they belong to a ball.", lesson},
			of(func(b *body) crossings { return b.within(0, math.Inf(1)) })},
		{Mistake{"the body has no end at a", "The body reaches from height 0 to L along the axis. Crossings below 0 count only if they belong to a ball.", lesson},
			of(func(b *body) crossings { return b.within(math.Inf(-1), b.length) })},
		{Mistake{"the balls are tested only where the line misses the body", "A line may enter through a ball and leave through the body: collect the crossings of all parts.", lesson},
			of(func(b *body) crossings {
				all := b.rootsWithin(0, b.length)
				balls := b.rootsWithin(math.Inf(1), math.Inf(1))
				if !b.ok && !b.parallel() {
					return crossings{}
				}
				if len(all) > len(balls) {
					all = all[:len(all)-len(balls)]
				}
				if len(all) == 0 {
					return crossings{}
				}
				return b.outermost(slices.Min(all), slices.Max(all))
			})},
		{capsuleParallelMiss(), of(func(b *body) crossings {
			if b.parallel() {
				return crossings{}
			}
			return b.ends(b.c.A, b.c.B)
		})},
		{Mistake{"the part across the axis is taken for a unit vector", "The part of the direction across the axis is shorter than 1: divide by |d2|².", lesson},
			of(func(b *body) crossings {
				other := *b
				other.near, other.far, other.ok = b.shortCircle()
				if !other.ok && !b.parallel() {
					return crossings{}
				}
				return other.ends(b.c.A, b.c.B)
			})},
		{Mistake{"the discriminant is not divided by |d2|²", "The part of the direction across the axis is shorter than 1: h = √(disc / |d2|²).", lesson},
			of(func(b *body) crossings {
				other := *b
				mid, h := (b.near+b.far)/2, (b.far-b.near)/2*b.d2.Norm()
				other.near, other.far = mid-h, mid+h
				return other.ends(b.c.A, b.c.B)
			})},
		{Mistake{"heights are measured from the wrong end", "With u from a to b, the height of a point p is (p - a) · u: 0 at a and L at b.", lesson},
			of(func(b *body) crossings {
				other := *b
				other.y -= b.length
				return other.ends(b.c.A, b.c.B)
			})},
		{Mistake{"heights are measured from the wrong end", "With u from a to b, the height of a point p is (p - a) · u: 0 at a and L at b.", lesson},
			of(func(b *body) crossings {
				other := *b
				other.y -= b.length
				return other.byPart(b.c.A, b.c.B)
			})},
		{Mistake{"the ball at end b is forgotten", "A capsule has a ball at each end of its axis. Test both.", lesson},
			of(func(b *body) crossings { return b.byPart(b.c.A) })},
	}
}

// capsuleNormals returns the mistakes about the normals of capsules, as changes to the right answer.
func capsuleNormals() []lineChange {
	const lesson = "capsule.md"
	axis := Mistake{"the normal points from one point of the axis", "The normal points away from the closest point of the axis, which is different for each point of the surface.", lesson}
	from := func(foot func(c *shapes.Capsule, p geom.Vec3) geom.Vec3) func(*lineQuestion) func(*crossings) {
		return normalChange(func(q *lineQuestion, p, _ geom.Vec3, _ int) geom.Vec3 {
			return p.Sub(foot(q.shape.(*shapes.Capsule), p)).Unit()
		})
	}
	// bodyFrom returns an edit after which the normals of the body point away from the point that foot returns. The balls
	// at the ends keep the right normals.
	bodyFrom := func(foot func(c *shapes.Capsule) geom.Vec3) func(*lineQuestion) func(*crossings) {
		return from(func(c *shapes.Capsule, p geom.Vec3) geom.Vec3 {
			nearest, _ := geom.Segment{A: c.A, B: c.B}.Closest(p)
			if nearest != c.A && nearest != c.B {
				return foot(c)
			}
			return nearest
		})
	}
	end := func(f func(c *shapes.Capsule, foot geom.Vec3) geom.Vec3) func(*lineQuestion) func(*crossings) {
		return from(func(c *shapes.Capsule, p geom.Vec3) geom.Vec3 {
			foot, _ := geom.Segment{A: c.A, B: c.B}.Closest(p)
			return f(c, foot)
		})
	}
	onlyEnd := Mistake{"both balls have the normal of one ball", "At the end b the normal points away from b, at the end a from a.", lesson}
	onAxis := Mistake{"the normal of the body points from one point of the axis", "On the body the normal points away from the closest point of the axis, a + y u, which is different for each point of the surface.", lesson}
	return []lineChange{
		{Mistake{"the normal of the body is used at the ends", "The normal points away from the closest point of the axis. At the ends that is a or b, not the foot on the infinite line.", lesson},
			normalChange(func(q *lineQuestion, p, n geom.Vec3, _ int) geom.Vec3 {
				s := q.shape.(*shapes.Capsule)
				if s.A == s.B {
					return n
				}
				u := s.B.Sub(s.A).Unit()
				f := p.Sub(s.A)
				across := f.AddScaled(-f.Dot(u), u)
				if across.Norm() < 1e-6*s.Radius {
					return anything()
				}
				return across.Unit()
			})},
		{axis, from(func(c *shapes.Capsule, _ geom.Vec3) geom.Vec3 { return geom.Segment{A: c.A, B: c.B}.At(0.5) })},
		{axis, from(func(c *shapes.Capsule, _ geom.Vec3) geom.Vec3 { return c.A })},
		{axis, from(func(c *shapes.Capsule, _ geom.Vec3) geom.Vec3 { return c.B })},
		{onAxis, bodyFrom(func(c *shapes.Capsule) geom.Vec3 { return c.A })},
		{onAxis, bodyFrom(func(c *shapes.Capsule) geom.Vec3 { return c.B })},
		{onAxis, bodyFrom(func(c *shapes.Capsule) geom.Vec3 { return geom.Segment{A: c.A, B: c.B}.At(0.5) })},
		{onlyEnd, end(func(c *shapes.Capsule, foot geom.Vec3) geom.Vec3 {
			if foot == c.B {
				return c.A
			}
			return foot
		})},
		{onlyEnd, end(func(c *shapes.Capsule, foot geom.Vec3) geom.Vec3 {
			if foot == c.A {
				return c.B
			}
			return foot
		})},
	}
}

// within returns the first and the last crossing of the line with the capsule's parts: the two balls, and the part
// of the infinite cylinder at heights from lo to hi above the end A.
func (b *body) within(lo, hi float64) crossings {
	all := b.rootsWithin(lo, hi)
	if len(all) == 0 {
		return crossings{}
	}
	return b.outermost(slices.Min(all), slices.Max(all))
}

// shortCircle returns the distances at which the line crosses the infinite cylinder according to a faulty program: it
// takes the part of the direction across the axis for a unit vector. ok is false if the line misses.
func (b *body) shortCircle() (near, far float64, ok bool) {
	mid := -b.f2.Dot(b.d2)
	disc := float64(b.c.Radius*b.c.Radius) - b.f2.AddScaled(mid, b.d2).Norm2()
	h := math.Sqrt(disc)
	return mid - h, mid + h, !(disc < 0)
}

// byPart returns the first and the last crossing of the line with the capsule's cylinder and with the given balls.
// The normal at a crossing is that of the part, cylinder or ball, that was crossed there. The method ends computes
// the normals from the points instead.
func (b *body) byPart(balls ...geom.Vec3) crossings {
	near, far := shapes.Hit{T: math.Inf(1)}, shapes.Hit{T: math.Inf(-1)}
	take := func(t float64, foot geom.Vec3) {
		h := shapes.Hit{T: t, Normal: b.r.At(t).Sub(foot).Unit()}
		if t < near.T {
			near = h
		}
		if t > far.T {
			far = h
		}
	}
	for _, t := range [...]float64{b.near, b.far} {
		if y := b.y + float64(t*b.dy); b.ok && !b.parallel() && 0 <= y && y <= b.length {
			take(t, b.c.A.AddScaled(y, b.u))
		}
	}
	for _, end := range balls {
		if one, two, ok := b.ballRoots(end); ok && (b.ok || b.parallel()) {
			take(one, end)
			take(two, end)
		}
	}
	switch {
	case near.T > far.T:
		return crossings{}
	case near.T == far.T:
		return crossingsAt(b.r, func(geom.Vec3, int) geom.Vec3 { return near.Normal }, near.T)
	}
	normals := [...]geom.Vec3{near.Normal, far.Normal}
	return crossingsAt(b.r, func(_ geom.Vec3, i int) geom.Vec3 { return normals[i] }, near.T, far.T)
}

// parallel reports whether the line is parallel to the axis, up to rounding.
func (b *body) parallel() bool { return b.d2.Norm2() < shapes.ParallelSine*shapes.ParallelSine }

// isNearlyParallel reports whether the part of the direction across the axis, or its square, is below a fixed epsilon.
func (b *body) isNearlyParallel(epsilon float64, square bool) bool {
	size := b.d2.Norm()
	if square {
		size *= size
	}
	return size < epsilon
}

// capsuleParallelMiss returns the mistake of a program that takes lines parallel to a capsule's axis, or nearly so, for
// misses.
func capsuleParallelMiss() Mistake {
	return Mistake{"lines parallel to the axis always miss", "A line parallel to the axis never crosses the body, but it crosses both balls if its distance from the axis is at most the radius.", "capsule.md"}
}

// rootsWithin returns the distances at which the line crosses the infinite cylinder at heights from lo to hi above
// the end A. After them come the distances at which the line crosses the balls around A and B.
func (b *body) rootsWithin(lo, hi float64) []float64 {
	var all []float64
	for _, t := range [...]float64{b.near, b.far} {
		if y := b.y + float64(t*b.dy); b.ok && !b.parallel() && lo <= y && y <= hi {
			all = append(all, t)
		}
	}
	for _, end := range [...]geom.Vec3{b.c.A, b.c.B} {
		if near, far, ok := b.ballRoots(end); ok {
			all = append(all, near, far)
		}
	}
	return all
}

// outermost returns the crossings of the line with the capsule if they are at the distances lo and hi: one crossing
// if lo equals hi, and none if lo is +Inf.
func (b *body) outermost(lo, hi float64) crossings {
	if math.IsInf(lo, 1) {
		return crossings{}
	}
	if lo == hi {
		return crossingsAt(b.r, rightNormal(b.c), lo)
	}
	return crossingsAt(b.r, rightNormal(b.c), lo, hi)
}

// capsuleAlone returns the mistakes of the stage capsule that depend on a fixed epsilon, with one variant for each
// typical epsilon.
func capsuleAlone() []lineVariant {
	const lesson = "capsule.md"
	parallel := Mistake{"a fixed epsilon decides about parallel", "A part across the axis of 10^-7 still moves the ray far in a large scene. Treat it as 0 only if it is rounding error: below 2^-52.", "traps.md#a-fixed-epsilon"}
	short := Mistake{"a fixed epsilon makes spheres of short capsules", "Whether an axis is short depends on the scene. Only a length of exactly 0 needs care.", "traps.md#a-fixed-epsilon"}
	across := func(square bool) func(q *lineQuestion, epsilon float64) crossings {
		return func(q *lineQuestion, epsilon float64) crossings {
			b := bodyOf(q)
			if b.length == 0 || !b.isNearlyParallel(epsilon, square) {
				return solveLine(q)
			}
			b.ok = false
			return b.ends(b.c.A, b.c.B)
		}
	}
	miss := func(square bool) func(q *lineQuestion, epsilon float64) crossings {
		return func(q *lineQuestion, epsilon float64) crossings {
			if b := bodyOf(q); b.length == 0 || !b.isNearlyParallel(epsilon, square) {
				return solveLine(q)
			}
			return crossings{}
		}
	}
	axis := func(square, roots bool) func(q *lineQuestion, epsilon float64) crossings {
		return func(q *lineQuestion, epsilon float64) crossings {
			c := q.shape.(*shapes.Capsule)
			size := c.B.Sub(c.A).Norm()
			if square {
				size *= size
			}
			if !(size < epsilon) {
				return solveLine(q)
			}
			ball := solveLine(&lineQuestion{q.ray, &shapes.Capsule{A: c.A, B: c.A, Radius: c.Radius}})
			for i, p := range ball.Points {
				if roots { // the normals are the capsule's
					ball.Normals[i] = rightNormal(c)(p, i)
				}
			}
			return ball
		}
	}
	return slices.Concat(epsilons(parallel, across(false)), epsilons(parallel, across(true)),
		epsilons(capsuleParallelMiss(), miss(false)), epsilons(capsuleParallelMiss(), miss(true)),
		epsilons(short, axis(false, false)), epsilons(short, axis(true, false)), epsilons(short, axis(false, true)), epsilons(short, axis(true, true)))
}

// cylinderParallelMiss returns the mistake of a program that takes lines parallel to a cylinder's axis, or nearly so, for
// misses.
func cylinderParallelMiss() Mistake {
	return Mistake{"lines parallel to the axis always miss", "A line parallel to the axis never crosses the side, but it crosses both discs if its distance from the axis is at most the radius.", "cylinder.md#question"}
}

// cylinderAlone returns the mistakes of the stage cylinder that depend on a fixed epsilon, with one variant for each
// typical epsilon.
func cylinderAlone() []lineVariant {
	miss := func(square bool) func(q *lineQuestion, epsilon float64) crossings {
		return func(q *lineQuestion, epsilon float64) crossings {
			if t := tubeOf(q); !t.isNearlyParallel(epsilon, square) {
				return solveLine(q)
			}
			return crossings{}
		}
	}
	return append(epsilons(cylinderParallelMiss(), miss(false)), epsilons(cylinderParallelMiss(), miss(true))...)
}

// cylinderVariants returns wrong solutions for cylinders: each makes one mistake in the method.
func cylinderVariants() []lineVariant {
	const lesson = "cylinder.md"
	// sides returns a variant in which f computes the crossings with the infinite cylinder. The discs then clip them.
	sides := func(f func(t *tube) (near, far float64)) func(q *lineQuestion) crossings {
		return func(q *lineQuestion) crossings {
			t := tubeOf(q)
			if t.isParallel() || !t.ok {
				return solveLine(q)
			}
			t.near, t.far = f(&t)
			return t.clipped(t.length)
		}
	}
	return []lineVariant{
		{Mistake{"the discriminant is not divided by |d2|²", "The part of the direction across the axis is shorter than 1: h = √(disc / |d2|²).", lesson},
			sides(func(t *tube) (near, far float64) {
				mid, h := (t.near+t.far)/2, (t.far-t.near)/2*t.d2.Norm()
				return mid - h, mid + h
			})},
		{Mistake{"the part across the axis is taken for a unit vector", "The part of the direction across the axis is shorter than 1: divide by |d2|².", lesson},
			func(q *lineQuestion) crossings {
				t := tubeOf(q)
				if t.isParallel() {
					return solveLine(q)
				}
				if t.near, t.far, t.ok = t.shortCircle(); !t.ok {
					return crossings{}
				}
				return t.clipped(t.length)
			}},
		{Mistake{"the height and the length have different units", "Along the unit axis, the heights of the side run from 0 to L, not to 1. Along b - a itself, they run from 0 to L², not to L.", lesson},
			func(q *lineQuestion) crossings {
				t := tubeOf(q)
				if t.dy == 0 || t.isParallel() || !t.ok {
					return solveLine(q)
				}
				return t.clipped(1)
			}},
	}
}

// clipped returns the crossings with the cylinder that starts at A and has the given height. The line must cross the
// infinite cylinder.
func (t *tube) clipped(height float64) crossings {
	hits := t.circle()
	in, out := hits[0], hits[1]
	if t.dy != 0 {
		lower, upper := shapes.Hit{T: -t.y / t.dy, Normal: t.u.Neg()}, shapes.Hit{T: (height - t.y) / t.dy, Normal: t.u}
		if t.dy < 0 {
			lower, upper = upper, lower
		}
		if lower.T > in.T {
			in = lower
		}
		if upper.T < out.T {
			out = upper
		}
	} else if t.y < 0 || t.y > height {
		return crossings{}
	}
	if in.T > out.T {
		return crossings{}
	}
	normals := [...]geom.Vec3{in.Normal, out.Normal}
	return crossingsAt(t.r, func(_ geom.Vec3, i int) geom.Vec3 { return normals[i] }, in.T, out.T)
}

// lineSlips returns the slips for the stage about solids of the same kind as s. A slip is an error with one number or
// vector, such as a wrong sign. There are three kinds of slips:
//
//   - A number or vector of the question is wrong in the whole computation.
//   - A number or vector of the question is wrong only while the program computes the distances.
//   - A number or vector of the answer is wrong.
func lineSlips(lesson string, s shapes.Shape) []lineChange {
	inputs := []input[lineQuestion]{
		{what: "the ray's origin", vector: func(q *lineQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Origin} }},
		{what: "the direction", vector: func(q *lineQuestion) []*geom.Vec3 { return []*geom.Vec3{&q.ray.Dir} }},
	}
	vector := func(what string, of func(s shapes.Shape) []*geom.Vec3) {
		inputs = append(inputs, input[lineQuestion]{what: what, vector: func(q *lineQuestion) []*geom.Vec3 {
			q.shape = copied(q.shape)
			return of(q.shape)
		}})
	}
	radius := func(of func(s shapes.Shape) *float64) {
		inputs = append(inputs, input[lineQuestion]{what: "the radius", number: func(q *lineQuestion) []*float64 {
			q.shape = copied(q.shape)
			return []*float64{of(q.shape)}
		}})
	}
	switch s.(type) {
	case *shapes.Sphere:
		vector("the center", func(s shapes.Shape) []*geom.Vec3 { return []*geom.Vec3{&s.(*shapes.Sphere).Center} })
		radius(func(s shapes.Shape) *float64 { return &s.(*shapes.Sphere).Radius })
	case *shapes.Capsule:
		vector("a", func(s shapes.Shape) []*geom.Vec3 { return []*geom.Vec3{&s.(*shapes.Capsule).A} })
		vector("b", func(s shapes.Shape) []*geom.Vec3 { return []*geom.Vec3{&s.(*shapes.Capsule).B} })
		radius(func(s shapes.Shape) *float64 { return &s.(*shapes.Capsule).Radius })
	case *shapes.Cylinder:
		vector("a", func(s shapes.Shape) []*geom.Vec3 { return []*geom.Vec3{&s.(*shapes.Cylinder).A} })
		vector("b", func(s shapes.Shape) []*geom.Vec3 { return []*geom.Vec3{&s.(*shapes.Cylinder).B} })
		radius(func(s shapes.Shape) *float64 { return &s.(*shapes.Cylinder).Radius })
	case *shapes.Box:
		vector("the center", func(s shapes.Shape) []*geom.Vec3 { return []*geom.Vec3{&s.(*shapes.Box).Center} })
		vector("half_extents", func(s shapes.Shape) []*geom.Vec3 { return []*geom.Vec3{&s.(*shapes.Box).HalfExtents} })
		vector("each of the axes", func(s shapes.Shape) []*geom.Vec3 {
			m := &s.(*shapes.Box).Rotation
			return []*geom.Vec3{&m.X, &m.Y, &m.Z}
		})
	}
	results := []input[crossings]{
		{what: "the points", vector: func(c *crossings) []*geom.Vec3 { return pointers(c.Points) }},
		{what: "the normals", vector: func(c *crossings) []*geom.Vec3 { return pointers(c.Normals) }},
		{what: "t", number: func(c *crossings) []*float64 { return pointers(c.T) }},
	}
	return slices.Concat(slipsOf(lesson, inputs, asking[lineQuestion, crossings]), slipsOf(lesson, inputs, onlyRoots),
		resultSlips[lineQuestion](lesson, results))
}

// copied returns a copy of a solid.
func copied(s shapes.Shape) shapes.Shape {
	switch s := s.(type) {
	case *shapes.Sphere:
		c := *s
		return &c
	case *shapes.Capsule:
		c := *s
		return &c
	case *shapes.Cylinder:
		c := *s
		return &c
	case *shapes.Box:
		c := *s
		return &c
	}
	panic("course: a solid of an unknown kind")
}

// pointers returns pointers to the elements of a list.
func pointers[T any](list []T) []*T {
	all := make([]*T, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}
