package course

import (
	"math"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes"
)

// slabWays are ways in which right programs compute where a line crosses the planes c - h and c + h perpendicular to an axis. The
// line starts at o and has the direction d along the axis, which is not 0. All of them are usual, and all round differently.
var slabWays = map[string]func(o, d, c, h float64) (t0, t1 float64){
	"planes, divided": func(o, d, c, h float64) (t0, t1 float64) { return (c - h - o) / d, (c + h - o) / d },
	"planes, times the inverse": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		return float64(c-h-o) * m, float64(c+h-o) * m
	},
	"planes, origin divided before": func(o, d, c, h float64) (t0, t1 float64) { return (c-h)/d - o/d, (c+h)/d - o/d },
	"planes, origin times the inverse before": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		k := float64(o * m)
		return float64((c-h)*m) - k, float64((c+h)*m) - k
	},
	"planes, fused": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		return math.FMA(c-h, m, -(o * m)), math.FMA(c+h, m, -(o * m))
	},
	"planes, origin fused": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		return math.FMA(-o, m, (c-h)*m), math.FMA(-o, m, (c+h)*m)
	},
	"center and origin apart": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		middle, half := float64(c*m)-float64(o*m), float64(h*math.Abs(m))
		return middle - half, middle + half
	},
	"center and origin apart, fused": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		middle := math.FMA(c, m, -(o * m))
		return math.FMA(-h, math.Abs(m), middle), math.FMA(h, math.Abs(m), middle)
	},
	"middle and half": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		middle, half := float64((c-o)*m), float64(h*math.Abs(m))
		return middle - half, middle + half
	},
	"middle and half, divided": func(o, d, c, h float64) (t0, t1 float64) {
		return (c-o)/d - h/math.Abs(d), (c-o)/d + h/math.Abs(d)
	},
	"middle and half, fused": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		return math.FMA(c-o, m, -(h * math.Abs(m))), math.FMA(c-o, m, h*math.Abs(m))
	},
	"half fused": func(o, d, c, h float64) (t0, t1 float64) {
		m := 1 / d
		return math.FMA(-h, m, float64(c-o)*m), math.FMA(h, m, float64(c-o)*m)
	},
	"equations of the planes": func(o, d, c, h float64) (t0, t1 float64) {
		plane := func(n float64) float64 { return (float64(n*c) + h - float64(n*o)) / float64(n*d) }
		return plane(-1), plane(1)
	},
	"homogeneous": func(o, d, c, h float64) (t0, t1 float64) { return (o - c + h) / -d, (o - c - h) / -d },
}

// boxFrames are ways to get the coordinates of the origin and the center along an axis.
var boxFrames = map[string]func(q *lineQuestion, axis geom.Vec3) (o, c float64){
	"the world's": func(q *lineQuestion, axis geom.Vec3) (o, c float64) {
		return axis.Dot(q.ray.Origin), axis.Dot(q.shape.(*shapes.Box).Center)
	},
	"from the center": func(q *lineQuestion, axis geom.Vec3) (o, c float64) {
		return axis.Dot(q.ray.Origin.Sub(q.shape.(*shapes.Box).Center)), 0
	},
	"from the origin": func(q *lineQuestion, axis geom.Vec3) (o, c float64) {
		return 0, axis.Dot(q.shape.(*shapes.Box).Center.Sub(q.ray.Origin))
	},
}

// TestRightBoxesPass checks that programs pass that intersect slabs in any usual way and in any frame.
func TestRightBoxesPass(t *testing.T) {
	for seed := range uint64(effort.Of(2, 20, 200)) {
		for i, q := range questionsOf[lineQuestion, crossings](t, "box", seed) {
			for frame, at := range boxFrames {
				for name, way := range slabWays {
					if p := judgeLine(&q, slabCrossings(&q, at, way)); p != nil {
						t.Errorf("seed %d, question %d: coordinates are %s, %s: %s %s, box %v of the line %v", seed, i, frame, name, p.field, p.what, q.shape, q.ray)
					}
				}
			}
		}
	}
}

// questionsOf returns the questions of an exam of a stage.
func questionsOf[Q, A any](t *testing.T, stage string, seed uint64) []Q {
	t.Helper()
	s, _ := Find(stage)
	e, err := s.Exam(Options{Seed: seed})
	if err != nil {
		t.Fatal(err)
	}
	all := make([]Q, e.Len())
	for i := range all {
		all[i] = e.question(i).(*asked[Q, A]).q
	}
	return all
}

// slabCrossings returns the answer of a program that intersects slabs in the given frame and way.
func slabCrossings(q *lineQuestion, at func(q *lineQuestion, axis geom.Vec3) (o, c float64), way func(o, d, c, h float64) (t0, t1 float64)) crossings {
	b := q.shape.(*shapes.Box)
	near, far := math.Inf(-1), math.Inf(1)
	var enters, leaves geom.Vec3
	for i, axis := range [...]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z} {
		o, c := at(q, axis)
		d, h := axis.Dot(q.ray.Dir), part(b.HalfExtents, i)
		if d == 0 {
			if o < c-h || o > c+h {
				return crossings{}
			}
			continue
		}
		t0, t1 := way(o, d, c, h)
		back := axis.Neg()
		if d < 0 {
			back = axis
		}
		if t := min(t0, t1); t > near {
			near, enters = t, back
		}
		if t := max(t0, t1); t < far {
			far, leaves = t, back.Neg()
		}
	}
	if near > far {
		return crossings{}
	}
	c := crossingsAt(q.ray, func(_ geom.Vec3, i int) geom.Vec3 { return [...]geom.Vec3{enters, leaves}[i] }, near, far)
	c.Face = faceName(b, enters)
	return c
}

// TestTouchingEdgesAreStrict checks that a miss is wrong where a line touches an edge.
func TestTouchingEdgesAreStrict(t *testing.T) {
	for _, a := range boxAsks() {
		if a.name != "touching an edge" {
			continue
		}
		for i := range 1000 {
			q := a.make(newDice(&Options{Seed: 1}, i))
			if p := judgeLine(&q, crossings{}); p == nil {
				t.Fatalf("question %d: a miss of the box %v by the line %v passes", i, q.shape, q.ray)
			}
		}
	}
}

// TestShortFloatsNeedWrongDigits checks that misses alone are not called a lack of digits.
func TestShortFloatsNeedWrongDigits(t *testing.T) {
	m := shortFloats("box.md")
	q := lineQuestion{geom.Ray{Origin: geom.Vec3{X: 1, Z: -4}, Dir: geom.Vec3{Z: 1}}, &shapes.Sphere{Radius: 1}}
	if miss := (crossings{}); !m.may(&q, miss) || m.sort(&q, miss) != -1 {
		t.Error("a miss of a tangent is no answer of 32-bit floats, or shows them")
	}
	if right := solveLine(&q); m.sort(&q, right) != 0 {
		t.Error("an answer with numbers shows no digits")
	}
}
