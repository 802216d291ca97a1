package course

import (
	"math"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
)

// closestWays are ways in which right programs compute the point of a segment that is closest to c. The ends a and b differ.
var closestWays = map[string]func(a, b, c geom.Vec3) geom.Vec3{
	"parameter from a": func(a, b, c geom.Vec3) geom.Vec3 {
		w := b.Sub(a)
		return a.AddScaled(min(max(c.Sub(a).Dot(w)/w.Norm2(), 0), 1), w)
	},
	"parameter from b": func(a, b, c geom.Vec3) geom.Vec3 {
		w := a.Sub(b)
		return b.AddScaled(min(max(c.Sub(b).Dot(w)/w.Norm2(), 0), 1), w)
	},
	"length along the unit vector": func(a, b, c geom.Vec3) geom.Vec3 {
		w := b.Sub(a)
		u := w.Unit()
		return a.AddScaled(min(max(c.Sub(a).Dot(u), 0), w.Norm()), u)
	},
	"mixed ends": func(a, b, c geom.Vec3) geom.Vec3 {
		w := b.Sub(a)
		t := min(max(c.Sub(a).Dot(w)/w.Norm2(), 0), 1)
		return a.Scale(1 - t).Add(b.Scale(t))
	},
	"three cases": func(a, b, c geom.Vec3) geom.Vec3 {
		w := b.Sub(a)
		switch along := c.Sub(a).Dot(w); {
		case along <= 0:
			return a
		case along >= w.Dot(w):
			return b
		default:
			return a.Add(w.Scale(along).Div(w.Dot(w)))
		}
	},
}

// withinWays are ways in which right programs test whether a vector is at most as long as a radius.
var withinWays = map[string]func(v geom.Vec3, radius float64) bool{
	"squares":     func(v geom.Vec3, r float64) bool { return v.Dot(v) <= r*r },
	"difference":  func(v geom.Vec3, r float64) bool { return v.Dot(v)-r*r <= 0 },
	"square root": func(v geom.Vec3, r float64) bool { return math.Sqrt(v.Dot(v)) <= r },
	"fused": func(v geom.Vec3, r float64) bool {
		return math.Sqrt(math.FMA(v.X, v.X, math.FMA(v.Y, v.Y, v.Z*v.Z))) <= r
	},
	"hypotenuse of a hypotenuse": func(v geom.Vec3, r float64) bool { return math.Hypot(math.Hypot(v.X, v.Y), v.Z) <= r },
	"scaled by the largest coordinate": func(v geom.Vec3, r float64) bool {
		m := v.MaxAbs()
		return m == 0 || m*v.Div(m).Norm() <= r
	},
	"scaled by the radius": func(v geom.Vec3, r float64) bool { return v.Div(r).Norm() <= 1 },
	"unit vector":          func(v geom.Vec3, r float64) bool { return v.Dot(v) == 0 || v.Dot(v.Div(v.Norm())) <= r },
}

// TestRightSegmentsPass checks that programs pass that find the closest point and compare its distance in any usual way.
func TestRightSegmentsPass(t *testing.T) {
	for seed := range uint64(effort.Of(2, 20, 200)) {
		for i, q := range questionsOf[segmentQuestion, segmentAnswer](t, "segment", seed) {
			for closest, find := range closestWays {
				p := q.seg.A
				if q.seg.A != q.seg.B {
					p = find(q.seg.A, q.seg.B, q.sphere.Center)
				}
				for within, test := range withinWays {
					if p := judgeSegment(&q, segmentAnswer{test(q.sphere.Center.Sub(p), q.sphere.Radius), p}); p != nil {
						t.Errorf("seed %d, question %d: %s, %s: %s %s, sphere %v and segment %v", seed, i, closest, within, p.field, p.what, q.sphere, q.seg)
					}
				}
			}
		}
	}
}
