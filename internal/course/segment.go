package course

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// segmentQuestion is a segment and a sphere.
type segmentQuestion struct {
	seg    geom.Segment
	sphere shapes.Sphere
	exact  bool // floating-point arithmetic is exact for this question, so there is no tolerance
}

// MarshalJSON encodes the fields of segment and sphere in one object.
func (q *segmentQuestion) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		A triple `json:"a"`
		B triple `json:"b"`
		sphereFields
	}{tripleOf(q.seg.A), tripleOf(q.seg.B), sphereFieldsOf(&q.sphere)})
}

// segmentAnswer is the answer of the stage: whether the segment touches the sphere, and its point closest to the center.
type segmentAnswer struct {
	Touches bool
	Closest geom.Vec3
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (t segmentAnswer) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Touches bool `json:"touches"`
		Closest any  `json:"closest"`
	}{t.Touches, finite(tripleOf(t.Closest))})
}

// segmentStage returns the stage about whether a segment touches a sphere.
func segmentStage() kind {
	// beside returns a segment and a sphere. The perpendicular from the sphere's center to the line of the segment has
	// the given length in radii, and its foot is at parameter t.
	beside := func(d *dice, t, radii float64) segmentQuestion {
		a := d.point(5)
		seg := geom.Segment{A: a, B: a.AddScaled(d.length(2, 8), d.direction())}
		s := shapes.Sphere{Radius: d.length(0.4, 3)}
		s.Center = seg.At(t).AddScaled(radii*s.Radius, d.across(seg.B.Sub(seg.A).Unit()))
		return segmentQuestion{seg: seg, sphere: s}
	}
	return &stageOf[segmentQuestion, segmentAnswer]{
		asks: []ask[segmentQuestion]{
			{Ordinary, "touches", func(d *dice) segmentQuestion { return beside(d, d.between(0.1, 0.9), d.between(0.1, 0.9)) }},
			{Ordinary, "passes by", func(d *dice) segmentQuestion { return beside(d, d.between(0.1, 0.9), d.between(1.1, 2.5)) }},
			{Ordinary, "beyond b", func(d *dice) segmentQuestion { return beside(d, d.between(1.1, 2), d.between(0.1, 2)) }},
			{Ordinary, "beyond a", func(d *dice) segmentQuestion { return beside(d, d.between(-1, -0.1), d.between(0.1, 2)) }},
			{Degenerate, "zero length", func(d *dice) segmentQuestion {
				q := beside(d, 0, d.between(0.3, 2))
				q.seg.B = q.seg.A
				return q
			}},
			{Degenerate, "touching exactly, or missing by one unit", func(d *dice) segmentQuestion { return d.unitOff(0) }},
			{Degenerate, "touching exactly beyond an end, or missing by one unit", func(d *dice) segmentQuestion { return d.unitOff(2*(d.turn%2) - 1) }},
			{Degenerate, "nearly touching", func(d *dice) segmentQuestion {
				d.everyScale()
				return beside(d, d.between(0.1, 0.9), 1+d.nearMiss())
			}},
			{Degenerate, "nearly touching beyond an end", func(d *dice) segmentQuestion {
				d.everyScale()
				b := d.IntN(2) // 1: at the end b
				q := beside(d, float64(b), 1)
				end := q.seg.At(float64(b))
				out := q.sphere.Center.Sub(end).AddScaled(float64(2*b-1)*d.between(0, 2), q.seg.B.Sub(q.seg.A)).Unit()
				q.sphere.Center = end.AddScaled(q.sphere.Radius*(1+d.nearMiss()), out)
				return q
			}},
			{Degenerate, "inside", func(d *dice) segmentQuestion {
				q := beside(d, 0.5, 0.3)
				q.sphere.Radius *= 30
				return q
			}},
			{Degenerate, "through the center", func(d *dice) segmentQuestion { return beside(d, 0.5, 0) }},
			{Degenerate, "pointing at the center", func(d *dice) segmentQuestion {
				q := beside(d, 1.5, 0)
				q.sphere.Radius = q.seg.B.Sub(q.sphere.Center).Norm() * d.between(0.5, 0.9)
				return q
			}},
			{Degenerate, "very short", func(d *dice) segmentQuestion {
				d.everyScale()
				q := beside(d, 0, 0.5)
				along := q.seg.B.Sub(q.seg.A).Unit()
				q.seg.B = q.seg.A.AddScaled(16*math.Abs(d.nearMiss())*q.sphere.Radius, along)
				q.sphere.Center = q.seg.B.AddScaled(q.sphere.Radius*d.between(0.5, 1.5), along)
				return q
			}},
		},
		solve: solveSegment, judge: judgeSegment,
		read: func(_ *segmentQuestion, r *reader) segmentAnswer {
			return segmentAnswer{r.flag("touches"), r.vec("closest")}
		},
		scale: segmentScale,
		derive: func(q *segmentQuestion) Derivation {
			return Derivation{
				Args:  []string{"explain", "-", "--segment=" + vecText(q.seg.A) + "," + vecText(q.seg.B)},
				Stdin: toml(&q.sphere),
			}
		},
		library: segmentMistakes(), changes: segmentChanges(), alone: segmentAlone(), slips: segmentSlips(), features: segmentFeatures(), pairSample: 200, pixels: segmentPixels(),
		books: books[segmentQuestion, segmentAnswer]{lesson: "segment.md", styles: 1, run: (*program).segment},
	}
}

// unitOff returns a question about a sphere and a segment that is parallel to an axis. All its numbers are integers
// of at most 26 bits times a power of two, and the segment's length is a power of two. So every usual formula is
// evaluated without rounding. In terms of these integers, the squared distance of the sphere's center from the
// segment differs from the squared radius by at most 1. The point closest to the center is end a if place is
// negative, end b if place is positive, and the middle of the segment if place is 0.
func (d *dice) unitOff(place int) segmentQuestion {
	const most = 1 << 26
	x, y, r := d.nearSquares(1+d.size()*25/28, d.side())
	for r >= most {
		x, y, r = d.nearSquares(1+d.size()*25/28, d.side())
	}
	order := d.Perm(3)
	length := int64(2) << d.IntN(20)
	along := length / 2
	switch {
	case place < 0:
		along = -x
		x = 0
	case place > 0:
		along = length + x
		x = 0
	}
	unit := [...]float64{1, 0x1p-40, 1, 0x1p20}[d.turn/3%4]
	at := func(parts [3]int64) geom.Vec3 {
		var v [3]float64
		for i, n := range parts {
			v[order[i]] = float64(n) * unit
		}
		return geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
	}
	a := [3]int64{d.Int64N(200) - 100, d.Int64N(200) - 100, d.Int64N(200) - 100}
	return segmentQuestion{
		seg:    geom.Segment{A: at(a), B: at([3]int64{a[0] + length, a[1], a[2]})},
		sphere: shapes.Sphere{Center: at([3]int64{a[0] + along, a[1] + x, a[2] + y}), Radius: float64(r) * unit},
		exact:  true,
	}
}

// segmentScale returns the largest coordinate, or the radius if that is larger.
func segmentScale(q *segmentQuestion) float64 {
	return max(q.seg.A.MaxAbs(), q.seg.B.MaxAbs(), q.sphere.Center.MaxAbs(), q.sphere.Radius)
}

func solveSegment(q *segmentQuestion) segmentAnswer {
	p, _ := q.seg.Closest(q.sphere.Center)
	return segmentAnswer{q.sphere.Touches(q.seg), p}
}

// judgeSegment judges an answer. The closest point may be off by the leeway. If the distance of the closest point
// from the center equals the radius within the leeway, touching and not touching are both right. The exception is a
// question for which floating-point arithmetic is exact.
func judgeSegment(q *segmentQuestion, given segmentAnswer) *problem {
	want := solveSegment(q)
	e := Leeway * segmentScale(q)
	if !near(given.Closest, want.Closest, 4*e) {
		return differ("closest", fmt.Sprintf("is off by more than the leeway of %.2g", 4*e), tripleOf(want.Closest), tripleOf(given.Closest))
	}
	gap := want.Closest.Sub(q.sphere.Center).Norm() - q.sphere.Radius
	if given.Touches != want.Touches && (q.exact || math.Abs(gap) > 4*e) {
		return differ("touches", fmt.Sprintf("the closest point lies %.6g from the center, the radius is %.6g", gap+q.sphere.Radius, q.sphere.Radius), want.Touches, given.Touches)
	}
	return nil
}

func segmentMistakes() []variant[segmentQuestion, segmentAnswer] {
	const lesson = "segment.md"
	// at returns an answer whose closest point is the point of the segment at parameter t, and whose field Touches is
	// right for this point.
	at := func(q *segmentQuestion, t float64) segmentAnswer {
		p := q.seg.A.AddScaled(t, q.seg.B.Sub(q.seg.A))
		return segmentAnswer{p.Sub(q.sphere.Center).Norm2() <= q.sphere.Radius*q.sphere.Radius, p}
	}
	parameter := func(q *segmentQuestion) float64 {
		ab := q.seg.B.Sub(q.seg.A)
		return q.sphere.Center.Sub(q.seg.A).Dot(ab) / ab.Norm2()
	}
	isPoint := func(q *segmentQuestion) bool { return q.seg.A == q.seg.B }
	compared := func(f func(dist2, r float64) bool) func(q *segmentQuestion) segmentAnswer {
		return func(q *segmentQuestion) segmentAnswer {
			p, _ := q.seg.Closest(q.sphere.Center)
			return segmentAnswer{f(p.Sub(q.sphere.Center).Norm2(), q.sphere.Radius), p}
		}
	}
	clamped := func(lo, hi float64) func(q *segmentQuestion) segmentAnswer {
		return func(q *segmentQuestion) segmentAnswer {
			if isPoint(q) {
				return solveSegment(q)
			}
			return at(q, max(lo, min(hi, parameter(q))))
		}
	}
	return []variant[segmentQuestion, segmentAnswer]{
		{Mistake{"a squared distance is compared with the radius", "Compare squares with squares: |c - q|² with r².", lesson},
			compared(func(d2, r float64) bool { return d2 <= r })},
		{Mistake{"the comparison is reversed", "The segment touches if the distance is at most the radius.", lesson},
			compared(func(d2, r float64) bool { return d2 >= r*r })},
		{Mistake{"the parameter is not clamped to the segment", "The foot of the perpendicular may lie beyond an end. Clamp the parameter to 0..1.", lesson},
			clamped(math.Inf(-1), math.Inf(1))},
		{Mistake{"the parameter is clamped at a only", "The foot may lie beyond b, too. Clamp the parameter to 0..1 at both ends.", lesson},
			clamped(0, math.Inf(1))},
		{Mistake{"the parameter is clamped at b only", "The foot may lie before a, too. Clamp the parameter to 0..1 at both ends.", lesson},
			clamped(math.Inf(-1), 1)},
		{Mistake{"a segment of zero length divides by zero", "If a equals b, the parameter is 0 / 0, which is NaN. Such a segment is a point.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				if !isPoint(q) {
					return solveSegment(q)
				}
				return segmentAnswer{false, nowhere()}
			}},
		{Mistake{"only the ends are tested", "The closest point may lie between the ends: project the center onto the segment.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				c := q.sphere.Center
				if q.seg.A.Sub(c).Norm2() <= q.seg.B.Sub(c).Norm2() {
					return at(q, 0)
				}
				return at(q, 1)
			}},
		{Mistake{"the projection is not divided by the squared length", "The parameter is (c - a) · (b - a) / |b - a|². Without the division it is right only for segments of length 1.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				return at(q, max(0, min(1, q.sphere.Center.Sub(q.seg.A).Dot(q.seg.B.Sub(q.seg.A)))))
			}},
		{Mistake{"the projection is divided by the length", "The parameter is (c - a) · (b - a) / |b - a|²: divide once to make b - a a unit vector, and once more to make the distance a fraction.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				if isPoint(q) {
					return solveSegment(q)
				}
				return at(q, max(0, min(1, float64(parameter(q)*q.seg.Length()))))
			}},
		{Mistake{"the parameter is measured from the wrong end", "With q = a + t (b - a), t is (c - a) · (b - a) / |b - a|²: from a, not from b.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				if isPoint(q) {
					return solveSegment(q)
				}
				return at(q, max(0, min(1, parameter(q)-1)))
			}},
		{Mistake{"the parameter is measured from the wrong end", "With q = a + t (b - a), t is (c - a) · (b - a) / |b - a|²: from a, not from b.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				if isPoint(q) {
					return solveSegment(q)
				}
				return at(q, max(0, min(1, 1-parameter(q))))
			}},
		{Mistake{"the parameter is clamped to the length", "On the segment the parameter of a + t (b - a) runs from 0 at a to 1 at b. Only with a unit vector does it run to the length.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				if isPoint(q) {
					return solveSegment(q)
				}
				return at(q, max(0, min(q.seg.Length(), parameter(q))))
			}},
		{Mistake{"the center is projected without subtracting a", "The parameter is (c - a) · (b - a) / |b - a|²: the vector from a to the center is projected.", lesson},
			func(q *segmentQuestion) segmentAnswer {
				if isPoint(q) {
					return solveSegment(q)
				}
				ab := q.seg.B.Sub(q.seg.A)
				return at(q, max(0, min(1, q.sphere.Center.Dot(ab)/ab.Norm2())))
			}},
		{Mistake{"the parameter is clamped to -1 and 1", "On the segment the parameter runs from 0 at a to 1 at b.", lesson}, clamped(-1, 1)},
		{Mistake{"only the middle of the segment is tested", "The closest point may lie anywhere on the segment: project the center onto it.", lesson},
			func(q *segmentQuestion) segmentAnswer { return at(q, 0.5) }},
	}
}

// segmentChanges returns the mistakes of the stage segment that can be described as a changed question or a changed
// answer.
func segmentChanges() []change[segmentQuestion, segmentAnswer] {
	const lesson = "segment.md"
	resize := func(factor float64) func(*segmentQuestion) func(*segmentAnswer) {
		return asking[segmentQuestion, segmentAnswer](func(q *segmentQuestion) { q.sphere.Radius *= factor })
	}
	// decide returns an edit that sets Touches to a function of the closest point and its distance from the center.
	decide := func(f func(q *segmentQuestion, p geom.Vec3, dist float64) bool) func(*segmentQuestion) func(*segmentAnswer) {
		return telling(func(q *segmentQuestion, a *segmentAnswer) {
			a.Touches = f(q, a.Closest, a.Closest.Sub(q.sphere.Center).Norm())
		})
	}
	beyond := Mistake{"beyond the ends nothing touches", "If the foot lies beyond an end, that end is the closest point: compare its distance with the radius.", lesson}
	relative := Mistake{"the point is not relative to a", "t (b - a) is the vector from a to the closest point: add a.", lesson}
	outside := func(q *segmentQuestion, p geom.Vec3) bool { return p.Sub(q.sphere.Center).Norm() >= q.sphere.Radius }
	return []change[segmentQuestion, segmentAnswer]{
		{Mistake{"touching is taken for missing", "A sphere that touches the segment in one point touches it: compare with <=, not with <.", lesson},
			telling(func(q *segmentQuestion, a *segmentAnswer) {
				a.Touches = a.Touches && a.Closest.Sub(q.sphere.Center).Norm2() < float64(q.sphere.Radius*q.sphere.Radius)
			})},
		{Mistake{"the radius is taken for a diameter", "radius is the distance from the center to the surface. Do not halve it.", lesson}, resize(0.5)},
		{Mistake{"the radius is doubled", "radius is the distance from the center to the surface, and not half of it. Do not double it.", lesson}, resize(2)},
		{Mistake{"a distance is compared with the squared radius", "Compare squares with squares: |c - q|² with r².", lesson},
			decide(func(q *segmentQuestion, _ geom.Vec3, dist float64) bool {
				return dist <= float64(q.sphere.Radius*q.sphere.Radius)
			})},
		{relative, telling(func(q *segmentQuestion, a *segmentAnswer) { a.Closest = a.Closest.Sub(q.seg.A) })},
		{relative, func(q *segmentQuestion) func(*segmentAnswer) {
			return func(a *segmentAnswer) {
				if q.seg.A != q.seg.B {
					a.Closest = a.Closest.Sub(q.seg.A)
					a.Touches = !(a.Closest.Sub(q.sphere.Center).Norm2() > float64(q.sphere.Radius*q.sphere.Radius))
				}
			}
		}},
		{Mistake{"only the surface of the sphere counts", "A segment inside of the sphere touches it, too: the sphere is solid.", lesson},
			telling(func(q *segmentQuestion, a *segmentAnswer) {
				a.Touches = a.Touches && (outside(q, q.seg.A) || outside(q, q.seg.B))
			})},
		{beyond, telling(func(q *segmentQuestion, a *segmentAnswer) {
			a.Touches = a.Touches && a.Closest != q.seg.A && a.Closest != q.seg.B
		})},
		{beyond, telling(func(q *segmentQuestion, a *segmentAnswer) { // a segment that is a point has a case of its own
			a.Touches = a.Touches && (a.Closest != q.seg.A && a.Closest != q.seg.B || q.seg.A == q.seg.B)
		})},
	}
}

// segmentAlone returns the mistakes of the stage segment that use a fixed epsilon. Each has one variant for each
// typical epsilon.
func segmentAlone() []variant[segmentQuestion, segmentAnswer] {
	short := Mistake{"a fixed epsilon makes points of short segments", "Whether a segment is short depends on the scene. Only a length of exactly 0 needs care.", "traps.md#a-fixed-epsilon"}
	touch := Mistake{"a fixed epsilon decides about touching", "How near is near depends on the scene. Compare |c - q|² with r² and nothing else.", "traps.md#a-fixed-epsilon"}
	point := func(square bool) func(q *segmentQuestion, epsilon float64) segmentAnswer {
		return func(q *segmentQuestion, epsilon float64) segmentAnswer {
			size := q.seg.Length()
			if square {
				size *= size
			}
			if !(size < epsilon) {
				return solveSegment(q)
			}
			return segmentAnswer{q.seg.A.Sub(q.sphere.Center).Norm2() <= float64(q.sphere.Radius*q.sphere.Radius), q.seg.A}
		}
	}
	all := slices.Concat(epsilons(short, point(false)), epsilons(short, point(true)))
	for _, sign := range [...]float64{1, -1} {
		all = append(all, epsilons(touch, func(q *segmentQuestion, epsilon float64) segmentAnswer {
			a := solveSegment(q)
			a.Touches = a.Closest.Sub(q.sphere.Center).Norm() <= q.sphere.Radius+sign*epsilon
			return a
		})...)
		all = append(all, epsilons(touch, func(q *segmentQuestion, epsilon float64) segmentAnswer {
			a := solveSegment(q)
			a.Touches = a.Closest.Sub(q.sphere.Center).Norm2() <= float64(q.sphere.Radius*q.sphere.Radius)+sign*epsilon
			return a
		})...)
	}
	return all
}

// segmentSlips returns one mistake for each slip (such as a wrong sign) with each of the inputs and the results of
// the stage segment.
func segmentSlips() []change[segmentQuestion, segmentAnswer] {
	const lesson = "segment.md"
	one := func(of func(q *segmentQuestion) *geom.Vec3) func(q *segmentQuestion) []*geom.Vec3 {
		return func(q *segmentQuestion) []*geom.Vec3 { return []*geom.Vec3{of(q)} }
	}
	return append(slipsOf(lesson, []input[segmentQuestion]{
		{what: "a", vector: one(func(q *segmentQuestion) *geom.Vec3 { return &q.seg.A })},
		{what: "b", vector: one(func(q *segmentQuestion) *geom.Vec3 { return &q.seg.B })},
		{what: "the center", vector: one(func(q *segmentQuestion) *geom.Vec3 { return &q.sphere.Center })},
		{what: "the radius", number: func(q *segmentQuestion) []*float64 { return []*float64{&q.sphere.Radius} }},
	}, asking[segmentQuestion, segmentAnswer]), resultSlips[segmentQuestion](lesson, []input[segmentAnswer]{
		{what: "the closest point", vector: func(a *segmentAnswer) []*geom.Vec3 { return []*geom.Vec3{&a.Closest} }},
	})...)
}
