package course

import (
	"encoding/json"
	"fmt"
	"math"

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
		features: segmentFeatures(), pixels: segmentPixels(),
		books: books[segmentQuestion, segmentAnswer]{lesson: "segment.md", styles: 1, run: (*program).segment},
	}
}

// unitOff returns a question about a sphere and a segment that is parallel to an axis. All its numbers are integers
// of at most 24 bits times a power of two, and the segment's length is a power of two. In terms of these integers, the squared
// distance of the sphere's center from the segment differs from the squared radius by at most 1. Every usual formula decides this
// rightly, also one that rounds, such as a hypotenuse that is scaled by the largest coordinate. The point closest to the center is
// end a if place is negative, end b if place is positive, and the middle of the segment if place is 0.
func (d *dice) unitOff(place int) segmentQuestion {
	bits := 1 + d.size()*23/28
	x, y, r := d.plainTriple(bits)
	if side := d.side(); side != 0 {
		const most = 1 << 24
		for r = most; r >= most; {
			x, y, r = d.nearSquares(bits, side)
		}
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

// plainTriple returns x, y and r with x² + y² = r² and about the given number of bits: a power of two times (3, 4, 5), or an
// integer times (1, 0, 1), with x and y in either order. No usual formula for the length of (x, y) rounds it to another number than r.
func (d *dice) plainTriple(bits int) (x, y, r int64) {
	unit := int64(1) << max(0, bits-3)
	x, y, r = 3*unit, 4*unit, 5*unit
	if d.IntN(2) == 0 {
		r = d.bits(bits)
		x, y = r, 0
	}
	if d.IntN(2) == 0 {
		x, y = y, x
	}
	return x, y, r
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
