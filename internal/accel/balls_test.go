package accel

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes/shapetest"
)

// meetsBall reports whether the cone may meet a ball.
func (q *ballQuery) meetsBall(b *ball) bool {
	g := emptyGroup
	g.set(0, b)
	met, _ := q.test(&g, 0)
	return met
}

// testCone holds the arguments of [ballQuery.set].
type testCone struct {
	apex, axis            geom.Vec3
	sin, cos, far, margin float64
}

func (c *testCone) query() (q ballQuery) {
	q.set(c.apex, c.axis, c.sin, c.cos, c.far, c.margin)
	return q
}

// turned returns a random direction at the given angle from the axis.
func (c *testCone) turned(rng *rand.Rand, angle float64) geom.Vec3 {
	side, _ := aside(shapetest.Direction(rng), c.axis)
	return c.axis.Scale(math.Cos(angle)).AddScaled(math.Sin(angle), side).Unit()
}

// TestFindAmong checks which balls the method findAmong finds. They must be those for which the method test, which tests a
// single ball, returns true. If a ball is not found, no ray of the cone may hit the solid inside the ball before the end of
// the cone. Balls that look at least as large as the cone must be found as large ones, but not those that look smaller.
func TestFindAmong(t *testing.T) { WithAndWithoutKernels(t, testFindAmong) }

func testFindAmong(t *testing.T) {
	near, apart, larger := 0, 0, 0
	scenes := effort.Of(75, 300, 3000)
	for seed := range uint64(scenes) {
		rng := rand.New(rand.NewPCG(47, seed))
		w := coverWorld(rng)
		all, some := w.ballsOf(), w.refs[:min(w.Len(), mostFound)]
		var b balls
		for _, at := range some {
			b.addBall(all, all.slots[w.objectNumber(at)])
		}
		for range 20 {
			angle := shapetest.LogUniform(rng, 1e-3, 1.5)
			c := testCone{
				apex: shapetest.Cube(rng, 5), axis: shapetest.Direction(rng),
				sin: math.Sin(angle), cos: math.Cos(angle), far: shapetest.LogUniform(rng, 0.1, 10),
			}
			var s coneSearch
			s.ballQuery = c.query()
			s.findAmong(&b)
			found, large := s.found[:s.count], s.large[:s.largeCount]
			for k, at := range some {
				slot, around := all.slots[w.objectNumber(at)], w.around(at)
				got := slices.Contains(found, slot)
				if want := s.meetsBall(&around); got != want {
					t.Fatalf("scene %d: ball %d meets the cone: %v, want %v", seed, k, got, want)
				}
				size := around.radius - float64(around.center.Sub(c.apex).Norm()*c.sin) // positive if the ball looks larger
				if isLarge := slices.Contains(large, slot); isLarge != (got && size > 0) && math.Abs(size) > 1e-4*around.radius {
					t.Fatalf("scene %d: ball %d is large: %v", seed, k, isLarge)
				} else if isLarge {
					larger++
				}
				if got {
					near++
					continue
				}
				apart++
				for range 30 {
					turn := angle * math.Sqrt(rng.Float64())
					if in, out, ok := w.chord(at, c.apex, c.turned(rng, turn)); ok && out > 1e-9 && float64(max(in, 0)*math.Cos(turn)) < c.far-1e-9 {
						t.Fatalf("scene %d: a ray of the cone meets solid %d at %v, whose ball is apart from the cone", seed, k, in)
					}
				}
			}
			if len(found) > len(some) || len(large) > len(found) {
				t.Fatalf("scene %d: %d of %d balls found, %d of them large", seed, len(found), len(some), len(large))
			}
		}
	}
	if near < 7*scenes || apart < 7*scenes || larger < 2*scenes || near-larger < 2*scenes {
		t.Errorf("%d balls met a cone, %d of them large, %d did not", near, larger, apart)
	}
}

// TestBallQueryMeets checks that a query finds all balls that touch a ray of the cone, and few others. The cones have all
// angles and distances from the origin. Each ball touches a random ray, or the part of a ray closest to a ball's center, or is
// apart by a small part of the distance. The distances are computed exactly.
func TestBallQueryMeets(t *testing.T) {
	rng := rand.New(rand.NewPCG(60, 1))
	var extra, missed int
	cases := effort.Of(40_000, 200_000, 2_000_000)
	for range cases {
		size := shapetest.LogUniform(rng, 1e-12, 1e8)
		c := testCone{axis: shapetest.Direction(rng), far: math.Inf(1)}
		if rng.IntN(4) > 0 { // the origin is far from the cone, compared with its size
			c.apex = shapetest.Cube(rng, 1).Scale(float64(size * shapetest.LogUniform(rng, 1e-3, 1e6)))
		}
		angle := shapetest.LogUniform(rng, 1e-6, math.Pi/2)
		if rng.IntN(8) == 0 {
			angle = math.Pi/2 - shapetest.LogUniform(rng, 1e-8, 1)
		}
		c.sin, c.cos = math.Sin(angle), math.Cos(angle)
		if rng.IntN(2) == 0 {
			c.far = float64(size * rng.Float64())
		}
		if rng.IntN(2) == 0 {
			c.margin = float64(size * shapetest.LogUniform(rng, 1e-9, 1))
		}
		q := c.query()
		// The ball touches the ray at a point in front of the end, often from the outside of the cone.
		turn := angle * math.Sqrt(rng.Float64()) * (1 - 0x1p-40)
		if rng.IntN(2) == 0 {
			turn = angle * (1 - 0x1p-40)
		}
		dir := c.turned(rng, turn)
		dist := float64(size * rng.Float64())
		switch most := c.far / math.Cos(turn); {
		case rng.IntN(8) == 0:
			dist = 0
		case dist > most || rng.IntN(4) == 0 && most < size:
			dist = float64(most * (1 - 0x1p-40))
		}
		touch := c.apex.AddScaled(dist, dir)
		away := shapetest.Direction(rng)
		switch rng.IntN(4) {
		case 0: // from the side
			if side, ok := aside(dir, c.axis); ok {
				away = side.Scale(c.cos).AddScaled(-c.sin, c.axis)
			}
		case 1: // from the end
			away = c.axis
		case 2: // from behind
			away = c.axis.Neg()
		}
		gap := float64(size * shapetest.LogUniform(rng, 1e-6, 10))
		b := ball{center: touch.AddScaled(gap, away)}
		b.radius = math.Nextafter(exactDistance(touch, b.center), math.Inf(1)) - c.margin
		if !(b.radius >= 0) {
			continue
		}
		if !q.meetsBall(&b) {
			t.Fatalf("%+v: the ball %v, which touches the ray along %v at %v, is not found", c, b, dir, dist)
		}
		// A smaller ball is apart from the cone if a plane separates them.
		f := b.center.Sub(c.apex)
		along := f.Dot(c.axis)
		across := f.AddScaled(-along, c.axis).Norm()
		apart := max(-along, along-c.far, float64(across*c.cos)-float64(along*c.sin)) - c.margin
		b.radius = apart - float64(1e-3*f.Norm()) - float64(1e-6*c.apex.MaxAbs()) - 2*leastPadding
		if b.radius > 0 && angle < 1.5 {
			if missed++; q.meetsBall(&b) {
				extra++
			}
		}
	}
	if missed < cases/20 || extra > missed/1000 {
		t.Errorf("found %d of %d balls that are apart from the cone", extra, missed)
	}
}

// exactDistance returns the distance of two points, rounded up.
func exactDistance(a, b geom.Vec3) float64 {
	sum := new(big.Float)
	for _, x := range [][2]float64{{a.X, b.X}, {a.Y, b.Y}, {a.Z, b.Z}} {
		d := new(big.Float).SetPrec(2000).SetFloat64(x[0])
		d.Sub(d, new(big.Float).SetFloat64(x[1]))
		sum.SetPrec(4000).Add(sum, d.Mul(d, d))
	}
	x, _ := sum.SetMode(big.ToPositiveInf).SetPrec(60).Sqrt(sum).Float64()
	return math.Nextafter(x, math.Inf(1))
}

// TestBallQueryOdd checks that a query finds a ball if a number is so large that squares overflow, or not finite, or if the
// cone contains almost half of all directions.
func TestBallQueryOdd(t *testing.T) {
	rng := rand.New(rand.NewPCG(61, 1))
	for range 10_000 {
		c := testCone{
			apex: shapetest.Cube(rng, 1), axis: shapetest.Direction(rng), sin: 0.1, cos: math.Sqrt(0.99),
			far: shapetest.LogUniform(rng, 0.1, 100), margin: shapetest.LogUniform(rng, 1e-9, 0.1),
		}
		b := ball{c.apex.AddScaled(-4, c.axis), 1} // behind the cone
		if q := c.query(); q.meetsBall(&b) {
			t.Fatalf("%+v: found %v", c, b)
		}
		odd := []float64{1e19, -1e19, 1e38, 1e60, -1e160, 1e200, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}[rng.IntN(10)]
		if i := rng.IntN(9); i < 6 {
			*[]*float64{&c.apex.X, &c.apex.Y, &c.apex.Z, &b.center.X, &b.center.Y, &b.center.Z}[i] = odd
		} else if i == 6 {
			b.radius = math.Abs(odd)
		} else if i == 7 {
			c.margin = math.Abs(odd)
		} else {
			angle := math.Pi/2 - shapetest.LogUniform(rng, 1e-9, 7e-6)
			c.sin, c.cos = math.Sin(angle), math.Cos(angle)
		}
		if q := c.query(); !q.meetsBall(&b) {
			t.Fatalf("%+v: %v is not found", c, b)
		}
	}
}

// TestTinyBalls checks that a query finds balls that touch a ray, although squares underflow.
func TestTinyBalls(t *testing.T) {
	rng := rand.New(rand.NewPCG(62, 1))
	for range 100_000 {
		size := shapetest.LogUniform(rng, 1e-50, 1e-10)
		angle := shapetest.LogUniform(rng, 1e-6, 1.5)
		c := testCone{axis: shapetest.Direction(rng), sin: math.Sin(angle), cos: math.Cos(angle), far: size}
		touch := c.turned(rng, angle*(1-0x1p-40)).Scale(float64(size * rng.Float64()))
		b := ball{center: touch.Add(shapetest.Cube(rng, size))}
		b.radius = exactDistance(touch, b.center)
		if q := c.query(); !q.meetsBall(&b) {
			t.Fatalf("%+v: %v is not found", c, b)
		}
	}
}
