package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes/shapetest"
)

// TestRayMasks checks that the masks contain all rays that pass a ball closer than the margin, among them rays along
// tangents, and few others. The balls have all sizes and distances. If a ball contains the origin, or if the distance is zero,
// tiny, huge or not finite, the mask must contain all rays.
func TestRayMasks(t *testing.T) {
	if !haveKernels {
		t.Skip("no kernels")
	}
	rng := rand.New(rand.NewPCG(59, 1))
	odd := []float64{0, 1e-300, 1e-160, 1e160, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}
	met, passed, extra := 0, 0, 0
	for range 20_000 {
		var m masker
		var l shadowRays
		var b leafBalls
		o := shapetest.Cube(rng, 2).Scale(shapetest.LogUniform(rng, 1e-3, 1e3))
		if rng.IntN(4) == 0 {
			o = geom.Vec3{}
		}
		m.origin = o
		toward, spread := shapetest.Direction(rng), shapetest.LogUniform(rng, 1e-4, 2)
		n := 1 + rng.IntN(maxMasked)
		for k := range n {
			dir := toward.AddScaled(spread, shapetest.Cube(rng, 1)).Unit()
			l.set(k, &geom.Ray{Origin: o, Dir: dir}, 1)
		}
		var near []int32
		for k := range 1 + rng.IntN(9) {
			dir, _ := geom.Direction(toward.AddScaled(spread, shapetest.Cube(rng, 1)))
			dist := shapetest.LogUniform(rng, 1e-6, 1e6)
			center := o.AddScaled(dist, dir)
			dist = center.Sub(o).Norm()
			radius := dist * min(1, spread*shapetest.LogUniform(rng, 1e-3, 3))
			if j := rng.IntN(n); rng.IntN(2) == 0 { // the ray j is a tangent
				radius = math.Abs(distanceFromLine(center.Sub(o), l.dir(j)))
			}
			switch rng.IntN(20) {
			case 0:
				radius = dist * (1 + shapetest.LogUniform(rng, 1e-9, 1))
			case 1:
				*[]*float64{&center.X, &center.Y, &center.Z}[rng.IntN(3)] = odd[rng.IntN(len(odd))]
			case 3:
				center = o.AddScaled(odd[rng.IntN(len(odd))], dir)
			case 2:
				radius = odd[rng.IntN(len(odd))]
			}
			if k%lanes == 0 {
				b.groups = append(b.groups, ballGroup{})
			}
			g := &b.groups[k/lanes]
			g.x[k%lanes], g.y[k%lanes], g.z[k%lanes], g.radius[k%lanes] = center.X, center.Y, center.Z, radius
			near = append(near, int32(k))
		}
		rng.Shuffle(len(near), func(i, j int) { near[i], near[j] = near[j], near[i] })
		m.margin = shapetest.LogUniform(rng, 1e-15, 0.1) * o.Norm()
		if !m.find(&l, n, &b, near) {
			t.Skip("no kernel for masks")
		}
		for i, k := range near {
			g := &b.groups[k/lanes]
			f, radius := geom.Vec3{X: g.x[k%lanes], Y: g.y[k%lanes], Z: g.z[k%lanes]}.Sub(o), g.radius[k%lanes]+m.margin/2
			n2 := f.Norm2()
			all := !(n2 > 1e-280 && n2 < 1e280) || n2 <= radius*radius
			for j := range n {
				may := m.masks[i]>>j&1 == 1
				dir := l.dir(j)
				off := distanceFromLine(f, dir)
				switch {
				case !may && (all || f.Dot(dir) > 0 && off <= radius):
					t.Fatalf("the mask omits a ray at distance %v from the center %v of a ball of radius %v", off, f, radius)
				case !may:
					passed++
				case all || off <= radius:
					met++
				default:
					extra++
				}
			}
		}
	}
	if met < 100_000 || passed < 100_000 || extra > passed/20 {
		t.Errorf("%d rays meet a ball, %d do not; the masks contain %d others", met, passed, extra)
	}
	t.Log(met, passed, extra)
}

// distanceFromLine returns the distance of the point f from the line through the origin along the unit vector dir.
func distanceFromLine(f, dir geom.Vec3) float64 { return f.Cross(dir).Norm() }
