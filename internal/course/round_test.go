package course

import (
	"math"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
)

// ballWays are ways in which right programs compute where the line o + t d crosses a ball. The length of d is 1.
var ballWays = map[string]func(o, d, c geom.Vec3, r float64) (near, far float64, ok bool){
	"perpendicular from the center": func(o, d, c geom.Vec3, r float64) (near, far float64, ok bool) {
		w := c.Sub(o)
		mid := w.Dot(d)
		l := w.Sub(d.Scale(mid))
		h := math.Sqrt(float64(r*r) - l.Dot(l))
		return mid - h, mid + h, h >= 0
	},
	"foot on the line": func(o, d, c geom.Vec3, r float64) (near, far float64, ok bool) {
		mid := c.Sub(o).Dot(d)
		l := o.Add(d.Scale(mid)).Sub(c)
		h := math.Sqrt(float64(r*r) - l.Dot(l))
		return mid - h, mid + h, h >= 0
	},
	"cross product": func(o, d, c geom.Vec3, r float64) (near, far float64, ok bool) {
		w := c.Sub(o)
		mid, l := w.Dot(d), w.Cross(d).Norm()
		h := math.Sqrt((r - l) * (r + l))
		return mid - h, mid + h, h >= 0
	},
}

// crossed is where a line crosses an infinite cylinder. A parallel line that is not inside misses it.
type crossed struct {
	near, far float64
	parallel  bool // the line is parallel to the axis, and near and far are not set
	ok        bool
}

// sideWays are ways in which right programs compute where the line o + t d crosses an infinite cylinder with the radius r, whose axis
// leads from the point 0 in the direction u. The lengths of d and u are 1.
var sideWays = map[string]func(o, d, u geom.Vec3, r float64) crossed{
	"parts across the axis": func(o, d, u geom.Vec3, r float64) crossed {
		o2, d2 := o.Sub(u.Scale(o.Dot(u))), d.Sub(u.Scale(d.Dot(u)))
		a := d2.Dot(d2)
		if a < 1e-30 {
			return crossed{parallel: true, ok: o2.Norm() <= r}
		}
		mid := -o2.Dot(d2) / a
		l := o2.Add(d2.Scale(mid))
		h := math.Sqrt((float64(r*r) - l.Dot(l)) / a)
		return crossed{near: mid - h, far: mid + h, ok: h >= 0}
	},
	"in a frame": func(o, d, u geom.Vec3, r float64) crossed {
		ox, oy, dx, dy := inFrame(o, d, u)
		a := float64(dx*dx) + float64(dy*dy)
		if a < 1e-30 {
			return crossed{parallel: true, ok: math.Hypot(ox, oy) <= r}
		}
		mid := -(float64(ox*dx) + float64(oy*dy)) / a
		l := math.Hypot(ox+float64(mid*dx), oy+float64(mid*dy))
		h := math.Sqrt((r - l) * (r + l) / a)
		return crossed{near: mid - h, far: mid + h, ok: h >= 0}
	},
	"in a frame, with a determinant": func(o, d, u geom.Vec3, r float64) crossed {
		ox, oy, dx, dy := inFrame(o, d, u)
		a := float64(dx*dx) + float64(dy*dy)
		if a < 1e-30 {
			return crossed{parallel: true, ok: math.Hypot(ox, oy) <= r}
		}
		det, b := float64(ox*dy)-float64(oy*dx), float64(ox*dx)+float64(oy*dy)
		h := math.Sqrt(float64(r*r*a) - float64(det*det))
		return crossed{near: (-b - h) / a, far: (-b + h) / a, ok: h >= 0}
	},
}

// inFrame returns the parts of o and d along two axes perpendicular to u and to each other.
func inFrame(o, d, u geom.Vec3) (ox, oy, dx, dy float64) {
	e := geom.Vec3{X: 1}
	if math.Abs(u.X) > 0.9 {
		e = geom.Vec3{Y: 1}
	}
	x := u.Cross(e).Unit()
	y := u.Cross(x)
	return o.Dot(x), o.Dot(y), d.Dot(x), d.Dot(y)
}

// TestRightRoundSolidsPass checks that programs pass that compute crossings of spheres, capsules and cylinders in usual ways, also if
// they start at the other end of the axis.
func TestRightRoundSolidsPass(t *testing.T) {
	for _, stage := range []string{"sphere", "capsule", "cylinder"} {
		for seed := range uint64(effort.Of(1, 10, 100)) {
			for i, q := range questionsOf[lineQuestion, crossings](t, stage, seed) {
				for name, given := range roundAnswers(&q) {
					if p := judgeLine(&q, given); p != nil {
						t.Errorf("stage %s, seed %d, question %d: %s: %s %s, want %v, got %v, %v and the line %v", stage, seed, i, name, p.field, p.what, p.want, p.got, q.shape, q.ray)
					}
				}
			}
		}
	}
}

// roundAnswers returns the answers of right programs to a question, by the names of their ways.
func roundAnswers(q *lineQuestion) map[string]crossings {
	all := make(map[string]crossings)
	for name, ball := range ballWays {
		switch s := q.shape.(type) {
		case *shapes.Sphere:
			near, far, ok := ball(q.ray.Origin, q.ray.Dir, s.Center, s.Radius)
			all[name] = answerOf(q, near, far, ok, func(p geom.Vec3, _ int) geom.Vec3 { return p.Sub(s.Center).Div(s.Radius) })
			continue
		case *shapes.Cylinder:
			name = ""
		}
		for side, way := range sideWays {
			switch s := q.shape.(type) {
			case *shapes.Capsule:
				all[name+", "+side] = capsuleCrossings(q, s.A, s.B, s.Radius, ball, way)
				all[name+", "+side+", from b"] = capsuleCrossings(q, s.B, s.A, s.Radius, ball, way)
			case *shapes.Cylinder:
				all[side] = cylinderCrossings(q, s.A, s.B, s.Radius, way)
				all[side+", from b"] = cylinderCrossings(q, s.B, s.A, s.Radius, way)
			}
		}
	}
	return all
}

// answerOf returns the answer of a program that finds crossings at near and far, or none if ok is false.
func answerOf(q *lineQuestion, near, far float64, ok bool, normal func(p geom.Vec3, i int) geom.Vec3) crossings {
	switch {
	case !ok:
		return crossings{}
	case near == far:
		return crossingsAt(q.ray, normal, near)
	}
	return crossingsAt(q.ray, normal, near, far)
}

// capsuleCrossings returns the answer of a program that joins the crossings of the side between the ends with those of the
// balls beyond them.
func capsuleCrossings(q *lineQuestion, a, b geom.Vec3, r float64, ball func(o, d, c geom.Vec3, r float64) (near, far float64, ok bool), side func(o, d, u geom.Vec3, r float64) crossed) crossings {
	w := b.Sub(a)
	near, far := math.Inf(1), math.Inf(-1)
	keep := func(t float64, isPart bool) {
		if isPart {
			near, far = min(near, t), max(far, t)
		}
	}
	height := func(t float64) float64 { return q.ray.At(t).Sub(a).Dot(w) }
	if w != (geom.Vec3{}) {
		if c := side(q.ray.Origin.Sub(a), q.ray.Dir, w.Unit(), r); c.ok && !c.parallel {
			for _, t := range [...]float64{c.near, c.far} {
				keep(t, 0 <= height(t) && height(t) <= w.Dot(w))
			}
		}
	}
	for i, end := range [...]geom.Vec3{a, b} {
		if t0, t1, ok := ball(q.ray.Origin, q.ray.Dir, end, r); ok {
			for _, t := range [...]float64{t0, t1} {
				keep(t, i == 0 && height(t) <= 0 || i == 1 && height(t) >= w.Dot(w))
			}
		}
	}
	return answerOf(q, near, far, near <= far, func(p geom.Vec3, _ int) geom.Vec3 {
		on, _ := geom.Segment{A: a, B: b}.Closest(p)
		return p.Sub(on).Unit()
	})
}

// cylinderCrossings returns the answer of a program that intersects the interval of the side with that of the discs.
func cylinderCrossings(q *lineQuestion, a, b geom.Vec3, r float64, side func(o, d, u geom.Vec3, r float64) crossed) crossings {
	w := b.Sub(a)
	u, length, o := w.Unit(), w.Norm(), q.ray.Origin.Sub(a)
	c := side(o, q.ray.Dir, u, r)
	if c.parallel {
		c.near, c.far = math.Inf(-1), math.Inf(1)
	}
	var discs [2]geom.Vec3 // normals of the discs through which the line enters and leaves; 0: it does so through the side
	y, dy := o.Dot(u), q.ray.Dir.Dot(u)
	switch t0, t1 := -y/dy, (length-y)/dy; {
	case dy == 0:
		c.ok = c.ok && 0 <= y && y <= length
	default:
		first := u.Neg()
		if t0 > t1 {
			t0, t1, first = t1, t0, u
		}
		if t0 > c.near {
			c.near, discs[0] = t0, first
		}
		if t1 < c.far {
			c.far, discs[1] = t1, first.Neg()
		}
	}
	return answerOf(q, c.near, c.far, c.ok && c.near <= c.far, func(p geom.Vec3, i int) geom.Vec3 {
		if discs[i] != (geom.Vec3{}) {
			return discs[i]
		}
		p = p.Sub(a)
		return p.Sub(u.Scale(p.Dot(u))).Unit()
	})
}
