package arealight

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

func ball(center geom.Vec3, radius float64) Emitter {
	return New(&shade.Light{Position: center, Radius: radius})
}

func sun(angle geom.Angle) Emitter {
	return New(&shade.Light{Directional: true, Direction: geom.Vec3{Z: -1}, Angle: angle})
}

func direction(rng *rand.Rand) geom.Vec3 {
	return geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64()}.Unit()
}

// capOf returns a cap of directions around the z axis, and a surface normal. sin is the sine of the cap's half
// angle, and cos is the cosine of the angle between the normal and the z axis.
func capOf(sin, cos float64) (Cap, geom.Vec3) {
	c := Cap{Axis: geom.Vec3{Z: 1}, Sin: sin, Cos: math.Sqrt((1 - sin) * (1 + sin)), Distance: math.Inf(1)}
	return c, geom.Vec3{X: math.Sqrt((1 - cos) * (1 + cos)), Z: cos}
}

// TestCosineOfWholeCap checks that a light entirely above the horizon gives exactly the same light as one without a
// size, and that a light entirely below the horizon gives none.
func TestCosineOfWholeCap(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	whole := 0
	for range 10_000 {
		l := shade.Light{Position: direction(rng).Scale(3), Radius: 2 * rng.Float64(), Directional: rng.IntN(2) == 0, Direction: direction(rng), Angle: geom.Angle(90 * rng.Float64())}
		e, n := New(&l), direction(rng)
		c := e.From(geom.Vec3{})
		dir, _ := l.Toward(geom.Vec3{})
		cos, got := shade.Cosine(n, dir), c.Cosine(n)
		switch {
		case c.IsWhole(n):
			whole++
			if got != cos {
				t.Fatalf("%+v: Cosine = %v, want %v", l, got, cos)
			}
		case cos <= -c.Sin && got != 0:
			t.Fatalf("%+v: Cosine = %v of a light below the horizon, want 0", l, got)
		case got < max(0, cos) || got > 1:
			t.Fatalf("%+v: Cosine = %v, want at least %v and at most 1", l, got, max(0, cos))
		}
	}
	if whole < 1000 {
		t.Errorf("only %d lights were above the horizon", whole)
	}
}

// TestCosineOfClippedCap compares the closed form for caps that the horizon cuts with a sum over many directions.
func TestCosineOfClippedCap(t *testing.T) {
	const side = 500
	for _, sin := range []float64{1e-4, 0.02, 0.2, 0.26, 0.5, 0.9, 0.999, 1} {
		for _, ratio := range []float64{-0.99, -0.7, -0.2, 0, 0.3, 0.8, 0.99} {
			c, n := capOf(sin, ratio*sin)
			oneMinusCos, sum := sin*sin/(1+c.Cos), 0.0
			for i := range side {
				for j := range side {
					d := sampler.Cap((float64(i)+0.5)/side, (float64(j)+0.5)/side, oneMinusCos)
					sum += max(0, shade.Cosine(n, d))
				}
			}
			// The mean times the solid angle 2 pi (1 - cos a), divided by pi sin^2 a.
			want := sum / (side * side) * 2 / (1 + c.Cos)
			if got := c.Cosine(n); math.Abs(got-want) > 1e-5*sin {
				t.Errorf("sin a = %v, N.L = %v: Cosine = %v, want %v", sin, ratio*sin, got, want)
			}
		}
	}
}

// TestCosineIsContinuous checks that the closed form has no jump where the horizon begins to cut the cap or ceases
// to, and that it increases with N.L in between. It must be precise for caps of any size.
func TestCosineIsContinuous(t *testing.T) {
	for _, sin := range []float64{1e-30, 1e-15, 1e-9, 1e-6, 1e-3, 0.1, 0.2, 0.24, 0.25, 0.3, 0.7, 0.99, 1 - 1e-9, 1} {
		last := 0.0
		for k := -1000; k <= 1000; k++ {
			cos := float64(k) / 1000 * sin
			c, _ := capOf(sin, cos)
			if k > -1000 && k < 1000 {
				got := c.clipped(cos)
				if !(got >= last-1e-13*sin) {
					t.Fatalf("sin a = %v: at N.L = %v the light is %v, and %v just before", sin, cos, got, last)
				}
				if got-last > 2e-3*sin {
					t.Fatalf("sin a = %v: at N.L = %v the light jumps by %v", sin, cos, got-last)
				}
				last = got
			}
		}
		if math.Abs(last-sin) > 2e-3*sin {
			t.Errorf("sin a = %v: the closed form ends at %v, want %v", sin, last, sin)
		}
		// Half of a small cap gives 2/(3 pi) of its sine: the mean height of a half-disc.
		if c, n := capOf(sin, 0); sin < 1e-6 && math.Abs(c.Cosine(n)/sin-2/(3*math.Pi)) > 1e-9 {
			t.Errorf("sin a = %v: half of the light gives %v, want %v", sin, c.Cosine(n), sin*2/(3*math.Pi))
		}
	}
}

// TestAtan2 compares the function atan2 with that of the standard library, whose error is less than 1e-16.
func TestAtan2(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 0))
	for range 100_000 {
		y, x := math.Exp(40*rng.Float64()-20), (2*rng.Float64()-1)*math.Exp(40*rng.Float64()-20)
		if got, want := atan2(y, x), math.Atan2(y, x); math.Abs(got-want) > 2e-15*want {
			t.Fatalf("atan2(%v, %v) = %v, want %v", y, x, got, want)
		}
	}
	for _, c := range [][3]float64{{0, 1, 0}, {1, 0, math.Pi / 2}, {0, -1, math.Pi}, {1, 1, math.Pi / 4}} {
		if got := atan2(c[0], c[1]); math.Abs(got-c[2]) > 1e-15 {
			t.Errorf("atan2(%v, %v) = %v, want %v", c[0], c[1], got, c[2])
		}
	}
}

// TestExcess compares the function excess with the sum of its series, computed with 100 digits.
func TestExcess(t *testing.T) {
	for k := range 65 {
		z := float64(k) / 1024
		sum, power := new(big.Float).SetPrec(300), big.NewFloat(1).SetPrec(300)
		for i := range 200 {
			term := new(big.Float).Quo(power, big.NewFloat(float64(2*i+3)))
			if sum.Add(sum, term.Mul(term, big.NewFloat(1-2*float64(i&1)))); z == 0 {
				break
			}
			power.Mul(power, big.NewFloat(z))
		}
		if want, _ := sum.Float64(); math.Abs(excess(z)-want) > 1.2e-16 {
			t.Errorf("excess(%v) = %v, want %v", z, excess(z), want)
		}
	}
}

// TestPoints checks the points of a light: they lie above the horizon and on the front of the ball, shadow rays to
// them end before the ball, and their weights are the cosines.
func TestPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	s := sampler.New(64, 1)
	clipped, alone := 0, 0
	var points Points
	for i := range 5000 {
		center, radius := direction(rng).Scale(math.Exp(6*rng.NormFloat64())), 0.0
		radius = center.Norm() * (1 - math.Exp(-8*rng.Float64()))
		e, n := ball(center, radius), direction(rng)
		c := e.From(geom.Vec3{})
		if !(c.Cosine(n) > 0) || radius == 0 {
			continue
		}
		c.Points(n, s.Set(sampler.Position{X: i}, sampler.Light(0), 0), s.Points(), &points)
		if c.IsWhole(n) && points.Len() != 64 {
			t.Fatalf("%+v has %d points of 64, although the horizon cuts nothing", c, points.Len())
		}
		if points.Len() < 64 {
			clipped++
		}
		for k := range points.Len() {
			p := points.At(k)
			if math.Abs(p.Dir.Norm()-1) > 1e-15 || p.Dir.Dot(c.Axis) < c.Cos-1e-15 {
				t.Fatalf("%+v has the point %+v, which is outside the cap", c, p)
			}
			if w := n.Dot(p.Dir); p.Weight != w && !(points.Len() == 1 && p.Weight == 1 && w > -1e-15) {
				t.Fatalf("%+v has the point %+v, whose weight is not %v", c, p, w)
			}
			if points.Len() == 1 && p.Weight == 1 {
				alone++
			}
			at := p.Dir.Scale(p.Reach)
			if off := at.Sub(center).Norm() - radius; !(math.Abs(off) < 1e-7*radius) || p.Reach > c.Distance {
				t.Fatalf("%+v has the point %+v, which is %g from the surface of the ball, whose radius is %v", c, p, off, radius)
			}
		}
	}
	if clipped < 100 || alone < 10 {
		t.Errorf("%d caps were clipped, and %d had the highest point only", clipped, alone)
	}
}

// TestMeasure compares the points of caps with and without kernels, bit for bit.
func TestMeasure(t *testing.T) {
	have := haveKernels
	if !have {
		t.Skip("this machine has no kernels")
	}
	defer func() { haveKernels = have }()
	rng := rand.New(rand.NewPCG(6, 0))
	var points [2]Points
	clipped := 0
	for i := range 5000 {
		e := sun(geom.Angle(180 * rng.Float64()))
		if i%64 == 0 {
			e = sun(180)
		} else if center := direction(rng).Scale(math.Exp(6 * rng.NormFloat64())); i%4 > 0 {
			e = ball(center, center.Norm()*(1-math.Exp(-8*rng.Float64())))
		}
		c, n, count := e.From(geom.Vec3{}), direction(rng), 1<<rng.IntN(7)
		if !(c.Cosine(n) > 0) {
			continue
		}
		set := sampler.New(count, 1).Set(sampler.Position{X: i}, sampler.Light(0), 0)
		for k := range points {
			haveKernels = k == 0
			c.Points(n, set, count, &points[k])
		}
		if points[0].Len() != points[1].Len() {
			t.Fatalf("%+v has %d points with kernels and %d without", c, points[0].Len(), points[1].Len())
		}
		if points[0].Len() < count {
			clipped++
		}
		for k := range points[0].Len() {
			if got, want := points[0].At(k), points[1].At(k); got != want {
				t.Fatalf("%+v has the point %+v with kernels and %+v without", c, got, want)
			}
		}
	}
	if clipped < 100 {
		t.Errorf("only %d caps were clipped", clipped)
	}
}

// TestHighestPoint checks that a cap with a small part above the horizon has a point in this part.
func TestHighestPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	for range 5000 {
		sin := math.Exp(-10 * rng.Float64())
		c, n := capOf(sin, -sin*(1-math.Exp(-30*rng.Float64())))
		p := c.highest(n)
		if h := n.Dot(p.Dir); !(h > -2e-16) || math.Abs(p.Dir.Norm()-1) > 1e-15 || math.Abs(p.Dir.Dot(c.Axis)-c.Cos) > 1e-15 {
			t.Fatalf("the highest point of %+v is %+v, at the height %v", c, p, h)
		}
	}
}

// TestHighestPointOfHemisphere checks that the highest point of a cap that is almost a hemisphere lies on the cap's border if the
// surface faces away from almost all of the cap. Otherwise its shadow ray would leave the cone that contains all shadow rays.
func TestHighestPointOfHemisphere(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 5000 {
		cos := math.Exp(-2 - 25*rng.Float64())
		axis, side := direction(rng), direction(rng)
		c := Cap{Axis: axis, Sin: math.Sqrt((1 - cos) * (1 + cos)), Cos: cos, Distance: 1}
		n := axis.Neg().AddScaled(cos*math.Exp(2*rng.Float64()), side).Unit()
		if p := c.highest(n); math.Abs(p.Dir.Norm()-1) > 1e-15 || math.Abs(p.Dir.Dot(axis)-cos) > 1e-15 {
			t.Fatalf("the highest point of %+v above a surface with the normal %v is %+v", c, n, p)
		}
	}
}

// TestInsideBall checks the cap of a ball for points on and inside the ball: it is the hemisphere around the
// direction to the center.
func TestInsideBall(t *testing.T) {
	e, n := ball(geom.Vec3{X: 2}, 2), geom.Vec3{X: 0.6, Y: 0.8}
	for _, x := range []float64{0, 0.5, 1.9} {
		c := e.From(geom.Vec3{X: x})
		if got := c.Cosine(n); !c.IsInside() || math.Abs(got-0.8) > 1e-15 {
			t.Errorf("at %v the light is %v, want (1 + 0.6)/2", x, got)
		}
	}
	c := e.From(geom.Vec3{X: -1e-9})
	if got := c.Cosine(n); c.IsInside() || math.Abs(got-0.8) > 1e-4 {
		t.Errorf("just outside the ball the light is %v, want about 0.8", got)
	}
	c = e.From(geom.Vec3{X: 2})
	if got := c.Cosine(n); !c.IsInside() || math.Abs(got-0.5) > 1e-15 {
		t.Errorf("at the center the light is %v, want 1/2", got)
	}
}

// TestHasSize checks that the Emitter of a light is zero if the light has no size or is too small for its size to
// matter.
func TestHasSize(t *testing.T) {
	for _, l := range []shade.Light{{}, {Directional: true, Radius: 1}, {Angle: 1}, {Directional: true, Angle: 1e-13}, {Radius: 1e-16}} {
		if e := New(&l); e != (Emitter{}) || e.HasSize() {
			t.Errorf("New(%+v) = %+v, want none", l, e)
		}
	}
	for _, l := range []shade.Light{{Radius: 1e-15}, {Directional: true, Angle: 1e-11, Direction: geom.Vec3{Z: 1}}} {
		if e := New(&l); !e.HasSize() {
			t.Errorf("New(%+v) has no size", l)
		}
	}
	e := sun(180)
	if c := e.From(geom.Vec3{}); c.Sin != 1 || c.Cos != 0 || c.IsInside() {
		t.Errorf("a sun of 180 degrees has the cap %+v", c)
	}
}
