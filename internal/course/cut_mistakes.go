package course

import (
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// cutVariant is a mistake in the stage about cut solids, with a function that computes the answer with it.
type cutVariant = variant[cutQuestion, cutCrossings]

// clipping is the interval of a line in a solid while a program intersects it with the kept sides of sections.
type clipping struct {
	q         *cutQuestion
	near, far shapes.Hit
	in, out   int // the indices of the sections in which the interval begins and ends, or -1
	missed    bool
}

// plane returns the distance at which the line crosses section i, the height of the origin below the plane, and how fast
// the line rises toward the removed side.
func (c *clipping) plane(i int) (t, left, rise float64) {
	s := &c.q.sections[i]
	left, rise = -s.Beyond(c.q.ray.Origin), c.q.ray.Dir.Dot(s.Normal)
	return left / rise, left, rise
}

func (c *clipping) enter(i int, t float64) {
	c.near, c.in = shapes.Hit{T: t, Normal: c.q.sections[i].Normal}, i
}

func (c *clipping) leave(i int, t float64) {
	c.far, c.out = shapes.Hit{T: t, Normal: c.q.sections[i].Normal}, i
}

// cut intersects the interval with the kept side of section i.
func (c *clipping) cut(i int) {
	switch t, left, rise := c.plane(i); {
	case rise < 0:
		if t > c.near.T {
			c.enter(i, t)
		}
	case rise > 0:
		if t < c.far.T {
			c.leave(i, t)
		}
	case left < 0:
		c.missed = true
	}
}

// crossings returns the two ends of the interval, in any order.
func (c *clipping) crossings() cutCrossings {
	var out cutCrossings
	out.add(c.near, c.in)
	if c.near.T != c.far.T {
		out.add(c.far, c.out)
	}
	return out
}

// clippedBy returns a solution that calls section for each section of a question, and reports a miss if the interval ends
// before it begins.
func clippedBy(section func(c *clipping, i int)) func(q *cutQuestion) cutCrossings {
	return func(q *cutQuestion) cutCrossings {
		c, ok := clippingOf(q, section)
		if !ok || c.near.T > c.far.T {
			return cutCrossings{}
		}
		return c.crossings()
	}
}

// clippingOf returns the interval of a question's line after section was called for each section. It returns false if the
// line misses the whole solid, or if section found a miss.
func clippingOf(q *cutQuestion, section func(c *clipping, i int)) (clipping, bool) {
	whole, ok := q.shape.Span(q.ray)
	c := clipping{q: q, near: whole.Near, far: whole.Far, in: -1, out: -1}
	if !ok {
		return c, false
	}
	for i := range q.sections {
		section(&c, i)
	}
	return c, !c.missed
}

// cutVariants returns wrong solutions for cut solids. Each makes one mistake in its method.
func cutVariants() []cutVariant {
	const common = cutLesson + "#common-mistakes"
	parallel := cutLesson + "#question"
	gone := Mistake{"lines that miss what is left are still reported", "If the interval in the solid and the kept side have nothing in common, nothing is left on the line: a miss if t_near > t_far.", cutLesson}
	ahead := Mistake{"crossings behind the origin are omitted", "This stage asks for the whole line: t may be negative.", cutLesson}
	where := func(fits func(t float64) bool) func(q *cutQuestion) cutCrossings {
		return func(q *cutQuestion) cutCrossings {
			c := solveCut(q)
			return c.where(func(i int) bool { return fits(c.T[i]) })
		}
	}
	return []cutVariant{
		{Mistake{"the intervals are joined instead of intersected", "What is left is both in the solid and on the kept side: the larger of the two entries, the smaller of the two exits.", cutLesson},
			clippedBy(func(c *clipping, i int) {
				switch t, _, rise := c.plane(i); {
				case rise < 0 && t < c.near.T:
					c.enter(i, t)
				case rise > 0 && t > c.far.T:
					c.leave(i, t)
				}
			})},
		{gone, func(q *cutQuestion) cutCrossings { // as an interval that ends before it begins
			c, ok := clippingOf(q, (*clipping).cut)
			if !ok {
				return cutCrossings{}
			}
			return c.crossings()
		}},
		{gone, func(q *cutQuestion) cutCrossings { // whole
			c, ok := clippingOf(q, (*clipping).cut)
			if ok && c.near.T > c.far.T {
				c, _ = clippingOf(q, func(*clipping, int) {})
			}
			if !ok {
				return cutCrossings{}
			}
			return c.crossings()
		}},
		{gone, func(q *cutQuestion) cutCrossings { // a section that leaves nothing is ignored
			c, ok := clippingOf(q, func(c *clipping, i int) {
				before := *c
				if c.cut(i); c.near.T > c.far.T {
					*c = before
				}
			})
			if !ok {
				return cutCrossings{}
			}
			return c.crossings()
		}},
		{Mistake{"the crossings are sorted after the cut", "If t_near > t_far after the cut, nothing is left on the line. Sorting the two hides this: decide about a miss first.", cutLesson},
			func(q *cutQuestion) cutCrossings {
				c, ok := clippingOf(q, (*clipping).cut)
				if !ok {
					return cutCrossings{}
				}
				if c.near.T > c.far.T {
					c.near, c.far, c.in, c.out = c.far, c.near, c.out, c.in
				}
				return c.crossings()
			}},
		{Mistake{"planes that the line crosses outside of the solid are ignored", "If s is not between t_near and t_far, the section takes away nothing of the interval, or all of it. max and min find out which.", cutLesson},
			clippedBy(func(c *clipping, i int) {
				if t, _, _ := c.plane(i); c.near.T < t && t < c.far.T {
					c.cut(i)
				}
			})},
		{Mistake{"the cut face has no edge", "A plane has no end, but the cut face does: it ends at the surface of the solid. Use s only if it is inside the interval of the solid.", common},
			clippedBy(func(c *clipping, i int) {
				switch t, left, rise := c.plane(i); {
				case rise < 0:
					c.enter(i, t)
				case rise > 0:
					c.leave(i, t)
				case left < 0:
					c.missed = true
				}
			})},
		{Mistake{"only the entry is cut", "If d · N is positive, the line leaves the kept side at s: t_far = min(t_far, s).", cutLesson},
			clippedBy(func(c *clipping, i int) {
				if _, _, rise := c.plane(i); rise <= 0 {
					c.cut(i)
				}
			})},
		{Mistake{"only the exit is cut", "If d · N is negative, the line enters the kept side at s: t_near = max(t_near, s).", cutLesson},
			clippedBy(func(c *clipping, i int) {
				if _, _, rise := c.plane(i); rise >= 0 {
					c.cut(i)
				}
			})},
		{Mistake{"crossings are discarded instead of intervals cut", "If a crossing lies on the side that is taken away, the line still crosses the cut face. Otherwise the solid looks hollow.", common},
			func(q *cutQuestion) cutCrossings {
				c, ok := clippingOf(q, func(*clipping, int) {})
				if !ok {
					return cutCrossings{}
				}
				all := c.crossings()
				return all.where(func(i int) bool {
					return !slices.ContainsFunc(q.sections, func(s shapes.Section) bool { return s.Beyond(q.ray.At(all.T[i])) > 0 })
				})
			}},
		{Mistake{"lines parallel to a section are never taken away", "If d · N is 0, all of the line is on the side of its origin. If f · N > 0, all of it was taken away.", parallel},
			clippedBy(func(c *clipping, i int) {
				if _, _, rise := c.plane(i); rise != 0 {
					c.cut(i)
				}
			})},
		{parallelCutMiss(), clippedBy(func(c *clipping, i int) {
			if _, _, rise := c.plane(i); rise == 0 {
				c.missed = true
			}
			c.cut(i)
		})},
		{ahead, where(func(t float64) bool { return t > 0 })},
		{ahead, where(func(t float64) bool { return t >= 0 })},
	}
}

// parallelCutMiss returns the mistake of a program that takes lines parallel to a section, or nearly so, for misses.
func parallelCutMiss() Mistake {
	return Mistake{"lines parallel to a section always miss", "If d · N is 0, all of the line is on the side of its origin. If f · N <= 0, the section takes nothing of it away.", cutLesson + "#question"}
}

// where returns the crossings for whose index fits returns true.
func (c *cutCrossings) where(fits func(i int) bool) cutCrossings {
	var out cutCrossings
	for i, t := range c.T {
		if fits(i) {
			out.Count++
			out.T, out.Normals, out.Faces = append(out.T, t), append(out.Normals, c.Normals[i]), append(out.Faces, c.Faces[i])
		}
	}
	return out
}

// cutChanges returns the mistakes of the stage cut that change the question or the right answer.
func cutChanges() []change[cutQuestion, cutCrossings] {
	const normal = cutLesson + "#the-normal-of-a-cut-face"
	solids := Mistake{"the cut face has the normal of the solid", "Whichever interval has the end also has the normal: that of the section if the line enters or leaves at s.", normal}
	removed := Mistake{"the side that is taken away is kept", "The normal of a section points to what is taken away. The line enters the kept side where d · N is negative.", cutLesson}
	asking := asking[cutQuestion, cutCrossings]
	// normals returns an edit that replaces each normal by the result of f. The argument section is the index of the section,
	// or negative on the surface of the whole solid.
	normals := func(f func(q *cutQuestion, n geom.Vec3, t float64, section, i int) geom.Vec3) func(*cutQuestion) func(*cutCrossings) {
		return telling(func(q *cutQuestion, c *cutCrossings) {
			c.Normals = slices.Clone(c.Normals)
			for i, n := range c.Normals {
				c.Normals[i] = f(q, n, c.T[i], q.sectionOf(c.Faces[i]), i)
			}
		})
	}
	// faces returns an edit that replaces the index of the section in the name of each cut face by the result of f, which may
	// be negative for the surface of the whole solid.
	faces := func(f func(q *cutQuestion, section int) int) func(*cutQuestion) func(*cutCrossings) {
		return telling(func(q *cutQuestion, c *cutCrossings) {
			c.Faces = slices.Clone(c.Faces)
			for k, face := range c.Faces {
				if i := q.sectionOf(face); i >= 0 {
					c.Faces[k] = faceOfSection(f(q, i))
				}
			}
		})
	}
	reversed := func(q *cutQuestion) {
		q.sections = slices.Clone(q.sections)
		for i := range q.sections {
			q.sections[i].Normal = q.sections[i].Normal.Neg()
		}
	}
	return []change[cutQuestion, cutCrossings]{
		{removed, asking(reversed)},
		{removed, func(q *cutQuestion) func(*cutCrossings) { // with the right normals
			reversed(q)
			return normals(func(_ *cutQuestion, n geom.Vec3, _ float64, section, _ int) geom.Vec3 {
				if section >= 0 {
					return n.Neg()
				}
				return n
			})(q)
		}},
		{Mistake{"the normal of the cut face is reversed", "The outward normal of a cut face is N: it points to what is taken away, where the line enters and where it leaves.", normal},
			normals(func(_ *cutQuestion, n geom.Vec3, _ float64, section, _ int) geom.Vec3 {
				if section >= 0 {
					return n.Neg()
				}
				return n
			})},
		{solids, normals(func(q *cutQuestion, n geom.Vec3, _ float64, section, i int) geom.Vec3 { // of the crossing with the whole solid
			whole, ok := q.shape.Span(q.ray)
			switch {
			case section < 0 || !ok:
				return n
			case i == 0:
				return whole.Near.Normal
			}
			return whole.Far.Normal
		})},
		{solids, normals(func(q *cutQuestion, n geom.Vec3, t float64, section, i int) geom.Vec3 { // computed from the point
			if section < 0 {
				return n
			}
			if !round(q.shape) {
				whole, _ := q.shape.Span(q.ray)
				return [...]shapes.Hit{whole.Near, whole.Far}[i].Normal
			}
			away, _ := outward(q.shape, q.ray.At(t))
			return away.Unit()
		})},
		{Mistake{"the normals are turned toward the ray", "This stage requires outward normals, even where the line leaves. A later stage turns them toward the viewer.", normal},
			normals(func(q *cutQuestion, n geom.Vec3, _ float64, _, _ int) geom.Vec3 { return towardViewer(n, q.ray) })},
		{Mistake{"only the first section is used", "Cut the interval that the first section leaves with the second one, too.", cutLesson},
			asking(func(q *cutQuestion) { q.sections = q.sections[:1] })},
		{Mistake{"only the last section is used", "Cut the interval that the first section leaves, and not that of the whole solid, with the second one.", cutLesson},
			asking(func(q *cutQuestion) { q.sections = q.sections[len(q.sections)-1:] })},
		{Mistake{"no section is used", "Cut the interval of the line in the solid with the kept side of each section.", cutLesson},
			asking(func(q *cutQuestion) { q.sections = nil })},
		{Mistake{"the sections are numbered from 1", "The first section in the list is section 0.", cutLesson},
			faces(func(_ *cutQuestion, i int) int { return i + 1 })},
		{Mistake{"the sections are numbered from the last to the first", "The first section in the list is section 0.", cutLesson},
			faces(func(q *cutQuestion, i int) int { return len(q.sections) - 1 - i })},
		{Mistake{"cut faces are called solid", "If the line enters or leaves at s, the crossing is on the cut face of this section: report its number.", normal},
			faces(func(*cutQuestion, int) int { return -1 })},
	}
}

// cutAlone returns the mistakes of the stage cut that depend on a fixed epsilon, with one variant for each typical epsilon.
func cutAlone() []cutVariant {
	parallel := Mistake{"a fixed epsilon decides about parallel", "A line that rises by 10^-7 crosses the plane far away, but it does. Only d · N of exactly 0 needs care.", "traps.md#a-fixed-epsilon"}
	nearly := func(section func(c *clipping, left float64)) func(q *cutQuestion, epsilon float64) cutCrossings {
		return func(q *cutQuestion, epsilon float64) cutCrossings {
			return clippedBy(func(c *clipping, i int) {
				if _, left, rise := c.plane(i); rise < epsilon && rise > -epsilon {
					section(c, left)
					return
				}
				c.cut(i)
			})(q)
		}
	}
	return slices.Concat(
		epsilons(parallel, nearly(func(c *clipping, left float64) { c.missed = c.missed || left < 0 })),
		epsilons(parallelCutMiss(), nearly(func(c *clipping, _ float64) { c.missed = true })),
	)
}
