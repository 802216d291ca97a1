package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/shapes/shapetest"
)

// TestRayMasks compares what a masker finds with the distances of the rays from the balls. Some rays are tangents of balls, or
// miss or hit them by less than the margin. The balls have all sizes and distances; some of these are zero, tiny, huge or not
// finite. Two properties must hold for all of them: a ray that is reported as blocked hits an inner ball of which the origin
// lies outside and the light beyond; and a ray that is not in a mask misses the outer ball or is blocked. Few other rays may be
// left to exact tests.
func TestRayMasks(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels")
	}
	rng := rand.New(rand.NewPCG(59, 1))
	const tiny = 1e6 * leastMaskMargin // larger distances are not affected by the least margin
	var c maskCase
	var met, passed, extra, sure, unsure int
	cases := effort.Of(5000, 20_000, 200_000)
	for range cases {
		c.fill(rng)
		m := c.find(t)
		margin, light := c.margin, c.light
		for j := range c.n {
			dir, certain := c.rays.dir(j), false
			blocked, all := m.blocked>>j&1 == 1, true
			for i, k := range c.near {
				b := &c.balls[k]
				f, outer, inner := b.center.Sub(c.origin), float64(b.outer)+margin/2, float64(b.inner)-margin
				off, dist := distanceFromLine(f, dir), f.Norm()
				overflows := !(f.Norm2() < 1.00001*math.MaxFloat32)
				if !overflows && f.Dot(dir) > 0 && dist > float64(b.outer)+margin && dist < light {
					certain = certain || off <= inner*(1+1e-12)
					clear := outer < 0.999*dist && dist < 0.999*light && off < 0.99*inner-1e-4*dist
					all = all && !(inner < dist/2 && clear && dist > tiny)
				}
				may := m.masks[i]>>j&1 == 1
				switch meets := overflows || dist <= outer || f.Dot(dir) > 0 && off <= outer; {
				case blocked:
				case !may && meets:
					t.Fatalf("the mask omits a ray at distance %v from the center %v of a ball of radius %v", off, f, outer)
				case !may:
					passed++
				case meets:
					met++
				case dist > tiny:
					extra++
				}
			}
			switch isNew := blocked && c.given>>j&1 == 0; {
			case c.given>>j&1 == 1 && !blocked:
				t.Fatalf("ray %d, which was blocked before, is open", j)
			case isNew && !certain:
				t.Fatalf("the ray along %v from %v is reported as blocked, but it hits none of the balls %+v, with the margin %v and the light at %v", dir, c.origin, c.balls, margin, light)
			case isNew:
				sure++
			case !blocked && !all:
				unsure++
			}
		}
	}
	if min(met, sure, passed/2) < 5*cases/2 || extra > passed/15 || unsure > 0 {
		t.Errorf("%d rays meet a ball, %d do not; the masks contain %d others; %d rays are blocked, and %d more should be", met, passed, extra, sure, unsure)
	}
	t.Log(met, passed, extra, sure, unsure)
}

// maskCase is a random argument of masker.find.
type maskCase struct {
	origin        geom.Vec3
	margin, light float64
	n             int
	rays          shadowRays
	balls         []nestedBalls
	near          []int32
	given         rayMask // the rays that are already blocked
}

func (c *maskCase) fill(rng *rand.Rand) {
	odd := []float64{0, 1e-300, 1e-160, 1e160, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	o := shapetest.Cube(rng, 2).Scale(shapetest.LogUniform(rng, 1e-3, 1e3))
	if rng.IntN(4) == 0 {
		o = geom.Vec3{}
	}
	margin, light := shapetest.LogUniform(rng, 1e-15, 0.1)*o.Norm(), 0.0
	toward, spread := shapetest.Direction(rng), shapetest.LogUniform(rng, 1e-4, 2)
	n := 1 + rng.IntN(maxMasked)
	for k := range n {
		dir := toward.AddScaled(spread, shapetest.Cube(rng, 1)).Unit()
		c.rays.set(k, &geom.Ray{Origin: o, Dir: dir}, 1)
	}
	balls := make([]nestedBalls, 1+rng.IntN(20))
	var near []int32
	for k := range balls {
		dir, _ := geom.Direction(toward.AddScaled(spread, shapetest.Cube(rng, 1)))
		dist := shapetest.LogUniform(rng, 1e-6, 1e6)
		if o == (geom.Vec3{}) && rng.IntN(4) == 0 {
			dist *= shapetest.LogUniform(rng, 1e-24, 1e15)
		}
		center := o.AddScaled(dist, dir)
		dist = center.Sub(o).Norm()
		outer := dist * min(1, spread*shapetest.LogUniform(rng, 1e-3, 3))
		inner := outer * min(1, shapetest.LogUniform(rng, 1e-2, 10))
		off1 := math.Copysign(shapetest.LogUniform(rng, 1e-9, 1), rng.Float64()-0.5)
		off := math.Abs(distanceFromLine(center.Sub(o), c.rays.dir(rng.IntN(n))))
		switch rng.IntN(20) {
		case 0:
			outer = dist * (1 + off1)
		case 1:
			*[]*float64{&center.X, &center.Y, &center.Z}[rng.IntN(3)] = odd[rng.IntN(len(odd))]
		case 2:
			outer = odd[rng.IntN(len(odd))]
		case 3:
			center = o.AddScaled(odd[rng.IntN(len(odd))], dir)
		case 4, 5, 6, 7, 8:
			outer = off
		case 9, 10, 11, 12, 13:
			inner, outer = off+margin, max(outer, off+margin)
		}
		balls[k] = nestedBalls{center, float32(outer), float32(min(inner, outer))}
		near = append(near, int32(k))
		switch rng.IntN(4) {
		case 0, 1:
			light = dist * shapetest.LogUniform(rng, 0.5, 100)
		case 2:
			light = dist * (1 + off1)
		case 3: // a distance rounded to single precision may be smaller
			light = dist * (1 - shapetest.LogUniform(rng, 1e-9, 1e-6))
		}
	}
	rng.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
	c.origin, c.margin, c.light, c.n, c.balls, c.near, c.given = o, margin, light, n, balls, near, 0
	switch rng.IntN(8) {
	case 0:
		c.given = rayMask(rng.Uint64()) & firstRays(n)
	case 1:
		c.given = 0xff << (8 * rng.IntN(8)) & firstRays(n)
	}
}

func (c *maskCase) find(t *testing.T) *masker {
	m := &masker{origin: c.origin, margin: c.margin, light: c.light, blocked: c.given}
	if !m.find(&c.rays, c.n, c.balls, c.near) {
		t.Skip("no kernel for masks")
	}
	return m
}

// distanceFromLine returns the distance of the point f from the line through the origin along the unit vector dir.
func distanceFromLine(f, dir geom.Vec3) float64 { return f.Cross(dir).Norm() }
