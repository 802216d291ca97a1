package course

import (
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// cutAsks returns the kinds of questions about a line and a cut solid.
func cutAsks() []ask[cutQuestion] {
	// by returns a kind of question about a line through a solid. The function sections returns the sections.
	by := func(class Class, name string, sections func(d *dice, through throughSolid) []shapes.Section) ask[cutQuestion] {
		return ask[cutQuestion]{class, name, func(d *dice) cutQuestion {
			through := d.throughSolid()
			return through.cutBy(sections(d, through)...)
		}}
	}
	one := func(class Class, name string, section func(d *dice, through throughSolid) shapes.Section) ask[cutQuestion] {
		return by(class, name, func(d *dice, through throughSolid) []shapes.Section { return []shapes.Section{section(d, through)} })
	}
	two := func(class Class, name string, pair func(d *dice, through throughSolid) (a, b shapes.Section)) ask[cutQuestion] {
		return by(class, name, func(d *dice, through throughSolid) []shapes.Section {
			a, b := pair(d, through)
			if d.IntN(2) == 0 {
				a, b = b, a
			}
			return []shapes.Section{a, b}
		})
	}
	// moved returns a kind of question like that of a, whose ray starts at the place that the function start returns.
	moved := func(name string, a ask[cutQuestion], start func(d *dice, q *cutQuestion) float64) ask[cutQuestion] {
		return ask[cutQuestion]{Degenerate, name, func(d *dice) cutQuestion {
			q := a.make(d)
			q.ray.Origin = q.ray.At(start(d, &q))
			return q
		}}
	}
	enters := one(Ordinary, "enters through the section", func(d *dice, through throughSolid) shapes.Section {
		return d.section(through, through.at(d.between(0.3, 0.7)), toKept)
	})
	leaves := one(Ordinary, "leaves through the section", func(d *dice, through throughSolid) shapes.Section {
		return d.section(through, through.at(d.between(0.3, 0.7)), toRemoved)
	})
	return append([]ask[cutQuestion]{
		enters, leaves,
		one(Ordinary, "crosses the section outside the solid", func(d *dice, through throughSolid) shapes.Section {
			return d.elsewhere(through)
		}),
		one(Ordinary, "only in what is taken away", func(d *dice, through throughSolid) shapes.Section {
			s := d.elsewhere(through)
			s.Normal = s.Normal.Neg()
			return s
		}),
		two(Ordinary, "two sections, in through one and out through the other", func(d *dice, through throughSolid) (a, b shapes.Section) {
			return d.section(through, through.at(d.between(0.1, 0.4)), toKept), d.section(through, through.at(d.between(0.6, 0.9)), toRemoved)
		}),
		two(Ordinary, "two sections, one after the other", func(d *dice, through throughSolid) (a, b shapes.Section) {
			way := d.way()
			return d.section(through, through.at(d.between(0.1, 0.45)), way), d.section(through, through.at(d.between(0.55, 0.9)), way)
		}),
		two(Ordinary, "two sections, nothing in common", func(d *dice, through throughSolid) (a, b shapes.Section) {
			return d.section(through, through.at(d.between(0.6, 0.9)), toKept), d.section(through, through.at(d.between(0.1, 0.4)), toRemoved)
		}),
		two(Ordinary, "two sections, one crossed outside the solid", func(d *dice, through throughSolid) (a, b shapes.Section) {
			return d.section(through, through.at(d.between(0.3, 0.7)), d.way()), d.elsewhere(through)
		}),
		{Ordinary, "past the solid", func(d *dice) cutQuestion {
			line := sphereAsks()[1].make(d)
			s := line.shape.(*shapes.Sphere)
			return cutQuestion{line.ray, s, numbered(shapes.Section{Point: d.inBall(s.Center, s.Radius), Normal: d.direction()})}
		}},
		{Degenerate, "parallel to the section, kept", func(d *dice) cutQuestion { return d.alongSection(-d.between(0.1, 0.8)) }},
		{Degenerate, "parallel to the section, taken away", func(d *dice) cutQuestion { return d.alongSection(d.between(0.1, 0.8)) }},
		{Degenerate, "in the section", func(d *dice) cutQuestion { return d.alongSection(0) }},
		one(Degenerate, "nearly parallel to the section", func(d *dice, through throughSolid) shapes.Section {
			n := d.across(through.ray.Dir).AddScaled(d.tilt(), through.ray.Dir).Unit()
			return d.inPlane(through, through.at(d.between(0.3, 0.7)), n)
		}),
		one(Degenerate, "through the edge of the cut face", func(d *dice, through throughSolid) shapes.Section {
			return d.section(through, through.at(float64(d.turn%2)), [...]way{toKept, toRemoved}[d.turn/2%2])
		}),
		one(Degenerate, "next to the edge of the cut face", func(d *dice, through throughSolid) shapes.Section {
			end := d.IntN(2)
			return d.section(through, through.at(float64(end))+d.nearMiss()*sizeOf(through.shape), [...]way{toKept, toRemoved}[end])
		}),
		one(Degenerate, "the section touches the solid", func(d *dice, through throughSolid) shapes.Section {
			return d.tangentSection(through.shape, 0)
		}),
		one(Degenerate, "the section is outside the solid", func(d *dice, through throughSolid) shapes.Section {
			return d.tangentSection(through.shape, d.between(0.1, 1))
		}),
		two(Degenerate, "two sections, next to their edge", func(d *dice, through throughSolid) (a, b shapes.Section) {
			t := through.at(d.between(0.3, 0.7))
			return d.section(through, t, toKept), d.section(through, t+d.nearMiss()*sizeOf(through.shape), toRemoved)
		}),
		two(Degenerate, "the same section twice", func(d *dice, through throughSolid) (a, b shapes.Section) {
			a = d.section(through, through.at(d.between(0.3, 0.7)), d.way())
			return a, a
		}),
		moved("from inside what is left", enters, func(d *dice, q *cutQuestion) float64 { return q.between(d.between(0.2, 0.8)) }),
		moved("from inside what was taken away", leaves, func(d *dice, q *cutQuestion) float64 {
			return q.between(1) + float64(d.between(0.1, 0.5)*(q.between(1)-q.between(0)))
		}),
		moved("behind", enters, func(d *dice, q *cutQuestion) float64 { return q.between(1) + d.length(1, 8) }),
		moved("on the cut face", leaves, func(_ *dice, q *cutQuestion) float64 { return q.between(1) }),
	}, specialCuts()...)
}

// specialCuts returns kinds of questions about the special lines of the stages sphere, box and capsule, and a section.
func specialCuts() []ask[cutQuestion] {
	return linesAt(9, "a special line", slices.Concat(sphereAsks(), boxAsks(), capsuleAsks()), func(d *dice, next func() lineQuestion) (cutQuestion, bool) {
		line := next()
		if span, ok := line.shape.Span(line.ray); ok {
			through := throughSolid{line, span}
			return through.cutBy(d.section(through, through.at(d.between(0.3, 0.7)), d.way())), true
		}
		return cutQuestion{line.ray, line.shape, numbered(shapes.Section{Point: placeOf(line.shape), Normal: d.direction()})}, true
	})
}

// numbered returns the sections with their indices.
func numbered(sections ...shapes.Section) []shapes.Section {
	for i := range sections {
		sections[i].Index = i
	}
	return sections
}

// throughSolid is a line that crosses a solid.
type throughSolid struct {
	lineQuestion
	span shapes.Span
}

// at returns a distance along the line: 0 stands for the crossing where the line enters the whole solid, 1 for that where it
// leaves.
func (l *throughSolid) at(part float64) float64 {
	return l.span.Near.T + float64(part*(l.span.Far.T-l.span.Near.T))
}

// cutBy returns the question about the line and the solid cut by the given sections.
func (l *throughSolid) cutBy(sections ...shapes.Section) cutQuestion {
	return cutQuestion{l.ray, l.shape, numbered(sections...)}
}

// between returns a distance along the line: 0 stands for the crossing where the line enters what is left of the solid, 1 for
// that where it leaves. The line must cross it.
func (q *cutQuestion) between(part float64) float64 {
	c := solveCut(q)
	return c.T[0] + float64(part*(c.T[c.Count-1]-c.T[0]))
}

// throughSolid returns a line through a sphere, a box or a capsule.
func (d *dice) throughSolid() throughSolid {
	all := [...]ask[lineQuestion]{sphereAsks()[0], boxAsks()[0], capsuleAsks()[0], capsuleAsks()[1]}
	for {
		line := all[d.IntN(len(all))].make(d)
		span, ok := line.shape.Span(line.ray)
		if ok && span.Far.T-span.Near.T > sizeOf(line.shape)/4 {
			return throughSolid{line, span}
		}
	}
}

// way says how a line crosses a section. It is the sign of d · N.
type way float64

const (
	toKept    way = -1 // from the removed to the kept side
	toRemoved way = 1
)

func (d *dice) way() way { return [...]way{toKept, toRemoved}[d.IntN(2)] }

// section returns a section that a line crosses at the distance t.
func (d *dice) section(l throughSolid, t float64, w way) shapes.Section {
	for {
		n := d.direction()
		if cos := n.Dot(l.ray.Dir) * float64(w); cos > 0.2 {
			return d.inPlane(l, t, n)
		}
	}
}

// inPlane returns a section with a normal that a line crosses at the distance t. The section's point lies elsewhere in the
// plane.
func (d *dice) inPlane(l throughSolid, t float64, normal geom.Vec3) shapes.Section {
	return shapes.Section{Point: l.ray.At(t).AddScaled(d.length(0, 2), d.across(normal)), Normal: normal}
}

// elsewhere returns a section that a line crosses outside the solid, and that keeps the part of the line in the solid.
func (d *dice) elsewhere(l throughSolid) shapes.Section {
	past := d.between(0.1, 0.5)
	if d.IntN(2) == 0 {
		return d.section(l, l.at(-past), toKept)
	}
	return d.section(l, l.at(1+past), toRemoved)
}

// tangentSection returns a section parallel to the surface of a solid, at a distance from the surface that is given as a
// multiple of the solid's size. It keeps the whole solid, or it takes it away.
func (d *dice) tangentSection(s shapes.Shape, apart float64) shapes.Section {
	p, out := d.onSurface(s)
	p = p.AddScaled(apart*sizeOf(s), out)
	if d.IntN(2) == 0 {
		out = out.Neg()
	}
	return shapes.Section{Point: p, Normal: out}
}

// alongSection returns a question whose line is parallel to a coordinate axis and to a section. The height of the line above
// the section is a multiple of the solid's size; if the height is positive, the line is on the removed side.
func (d *dice) alongSection(height float64) cutQuestion {
	through := d.throughSolid()
	dir := d.axis()
	r := geom.Ray{Origin: through.ray.At(through.at(0.5)).AddScaled(-d.length(4, 8), dir), Dir: dir}
	n := d.acrossAxis(dir)
	p := r.Origin.AddScaled(-height*sizeOf(through.shape), n).AddScaled(d.length(2, 6), n.Cross(dir))
	return cutQuestion{r, through.shape, numbered(shapes.Section{Point: p, Normal: n})}
}
