package course

import (
	"math"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
)

// slabWays are ways in which right programs compute where a line enters and leaves a slab around 0 of half the width h, if the
// line starts at o and has the direction d, which is not 0. They round differently.
var slabWays = map[string]func(o, d, h float64) (t0, t1 float64){
	"subtract, divide":            func(o, d, h float64) (t0, t1 float64) { return (-h - o) / d, (h - o) / d },
	"subtract, multiply":          func(o, d, h float64) (t0, t1 float64) { m := 1 / d; return (-h - o) * m, (h - o) * m },
	"middle and half, divided":    func(o, d, h float64) (t0, t1 float64) { return -o/d - h/math.Abs(d), -o/d + h/math.Abs(d) },
	"middle and half, multiplied": func(o, d, h float64) (t0, t1 float64) { m := 1 / d; n, k := m*o, math.Abs(m)*h; return -n - k, -n + k },
	"fused": func(o, d, h float64) (t0, t1 float64) {
		m := 1 / d
		return math.FMA(-m, o, -math.Abs(m)*h), math.FMA(-m, o, math.Abs(m)*h)
	},
	"half fused": func(o, d, h float64) (t0, t1 float64) {
		m := 1 / d
		return math.FMA(-math.Abs(m), h, -m*o), math.FMA(math.Abs(m), h, -m*o)
	},
}

// TestRightBoxesPass checks that programs pass that intersect slabs in any usual way: a question in which a miss is wrong has a
// crossing for each of them.
func TestRightBoxesPass(t *testing.T) {
	exact, diagonal := 0, 0
	for _, a := range boxAsks() {
		for seed := range uint64(40) {
			for i := range 20 {
				q := a.make(newDice(&Options{Seed: seed}, i))
				if !q.isExact() || solveLine(&q).Count == 0 {
					continue
				}
				exact++
				if isDiagonal(q.ray.Dir) {
					diagonal++
				}
				for name, way := range slabWays {
					if !crossesSlabs(&q, way) {
						t.Fatalf("%s, seed %d, question %d: %s misses the box %v of the line %v", a.name, seed, i, name, q.shape, q.ray)
					}
				}
			}
		}
	}
	if exact < 1000 || diagonal < 500 {
		t.Errorf("%d questions in which a miss is wrong, %d with lines at 45 degrees", exact, diagonal)
	}
}

// crossesSlabs reports whether a line crosses an upright box, as a program computes it that intersects slabs in a way.
func crossesSlabs(q *lineQuestion, way func(o, d, h float64) (t0, t1 float64)) bool {
	b := q.shape.(*shapes.Box)
	last, first := math.Inf(-1), math.Inf(1)
	from := q.ray.Origin.Sub(b.Center)
	for i := range 3 {
		o, d, h := part(from, i), part(q.ray.Dir, i), part(b.HalfExtents, i)
		if d == 0 {
			if math.Abs(o) > h {
				return false
			}
			continue
		}
		t0, t1 := way(o, d, h)
		last, first = max(last, min(t0, t1)), min(first, max(t0, t1))
	}
	return last <= first
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
