package course

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// lineChange is a mistake in the stages about a line and a solid that changes the question or the right answer.
type lineChange = change[lineQuestion, crossings]

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

// keep keeps only crossing i, if there are two.
func (c *crossings) keep(i int) {
	if c.Count == 2 {
		c.Count, c.T, c.Points, c.Normals = 1, c.T[i:i+1], c.Points[i:i+1], c.Normals[i:i+1]
	}
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
		sorts: 1,
		sort: func(q *lineQuestion, given crossings) int {
			if given.Count != solveLine(q).Count {
				return -1 // no digits are wrong
			}
			return 0
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

// parallel reports whether the line is parallel to the axis, up to rounding.
func (b *body) parallel() bool { return b.d2.Norm2() < shapes.ParallelSine*shapes.ParallelSine }

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
