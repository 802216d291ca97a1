package accel

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/sampler"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// coverWorld returns a world of 1 to 12 random solids, many of which overlap.
func coverWorld(rng *rand.Rand) *BVH {
	var s Source
	for range 1 + rng.IntN(12) {
		p, r := shapetest.Cube(rng, 3), shapetest.LogUniform(rng, 0.05, 2)
		switch rng.IntN(4) {
		case 0:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: p, Radius: r})
		case 1:
			s.Capsules = append(s.Capsules, shapes.Capsule{A: p, B: shapetest.Cube(rng, 3), Radius: r})
		case 2:
			h := geom.Vec3{X: r, Y: shapetest.Uniform(rng, 0.05, 3), Z: r / 2}
			s.Boxes = append(s.Boxes, shapes.Box{Center: p, HalfExtents: h, Rotation: shapetest.Rotation(rng)})
		case 3:
			s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: p, B: p.AddScaled(r, shapetest.Direction(rng)), Radius: r})
		}
	}
	return New(s)
}

// TestCoverAgreesWithRays checks what Cover reports about the cone of rays from a point to a light. It casts
// random rays of this cone, half of them along its border. All must be blocked if the result is Covered, and none
// if it is Open.
func TestCoverAgreesWithRays(t *testing.T) {
	decided := map[Cover]int{}
	for seed := range uint64(600) {
		rng := rand.New(rand.NewPCG(41, seed))
		w := coverWorld(rng)
		l := AreaLight{Center: shapetest.Cube(rng, 6), Radius: shapetest.LogUniform(rng, 1e-3, 1)}
		if rng.IntN(2) == 0 {
			angle := shapetest.LogUniform(rng, 1e-4, 1.5)
			l = AreaLight{Axis: shapetest.Direction(rng), Sin: math.Sin(angle), Cos: math.Cos(angle)}
		}
		var axes []SecondaryRay
		var cones []Cone
		for range 40 {
			// Choose a point anywhere and cast a random ray from it. In about three of four cases, if the ray
			// hits a solid from outside, use the hit's point instead.
			d := SecondaryRay{Ray: geom.Ray{Origin: shapetest.Cube(rng, 4)}, Object: None}
			if hit := w.TraverseNearest(geom.Ray{Origin: d.Ray.Origin, Dir: shapetest.Direction(rng)}, nil); hit.Object != None && !hit.Inside && rng.IntN(4) > 0 {
				d.Ray.Origin, d.Object = hit.Point, hit.Object
			}
			c := Cone{Sin: l.Sin, Cos: l.Cos, Near: math.Inf(1), Far: math.Inf(1)}
			d.Ray.Dir = l.Axis
			if l.Radius > 0 {
				v := l.Center.Sub(d.Ray.Origin)
				dist := v.Norm()
				if dist <= l.Radius {
					continue
				}
				d.Ray.Dir = v.Div(dist)
				c.Sin = l.Radius / dist
				c.Cos = math.Sqrt((dist-l.Radius)*(dist+l.Radius)) / dist
				c.Near, c.Far = (dist-l.Radius)*(1-0x1p-39), dist*c.Cos*c.Cos*(1+0x1p-40)
			}
			axes, cones = append(axes, d), append(cones, c)
		}
		covers := make([]Cover, len(axes))
		w.Cover(&l, axes, cones, covers, nil)
		for i, cover := range covers {
			decided[cover]++
			if cover == Partial {
				continue
			}
			d, c := axes[i], cones[i]
			frame := sampler.Frame(d.Ray.Dir)
			for range 300 {
				u := rng.Float64()
				if rng.IntN(2) == 0 {
					u = 1 // the border
				}
				phi := 2 * math.Pi * rng.Float64()
				drop := u * c.Sin * c.Sin / (1 + c.Cos)
				s := math.Sqrt(drop * (2 - drop))
				ray := d
				ray.Ray.Dir = frame.MulVec(geom.Vec3{X: s * math.Cos(phi), Y: s * math.Sin(phi), Z: 1 - drop}).Unit()
				reach := math.Inf(1)
				if l.Radius > 0 {
					half := math.Sqrt(max(0, c.Sin*c.Sin-s*s))
					reach = axes[i].Ray.Origin.Sub(l.Center).Norm() * c.Cos * c.Cos / (1 - drop + half) * (1 - 0x1p-40)
				}
				if blocked := w.TraverseBlocked(ray, reach, nil).Object != None; blocked != (cover == Covered) {
					t.Fatalf("scene %d, point %d: Cover says %d, but a ray %v is blocked: %v", seed, i, cover, ray.Ray, blocked)
				}
			}
		}
	}
	for cover, n := range map[Cover]int{Partial: 500, Open: 500, Covered: 500} {
		if decided[cover] < n {
			t.Errorf("cover %d occurred %d times only", cover, decided[cover])
		}
	}
	t.Log(decided)
}

// TestBehindFace checks isBehindFace for cones whose apex lies in front of a face. The result must be true if and
// only if no ray of the cone descends toward the face.
func TestBehindFace(t *testing.T) {
	rng := rand.New(rand.NewPCG(42, 1))
	behind := map[bool]int{}
	for range 20_000 {
		b := shapes.Box{Center: shapetest.Cube(rng, 10), HalfExtents: geom.Vec3{X: 9, Y: 9, Z: 9}, Rotation: shapetest.Rotation(rng)}
		normals := [3]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z}
		k := rng.IntN(3)
		up, along := normals[k].Scale(float64(2*rng.IntN(2)-1)), normals[(k+1)%3].AddScaled(rng.NormFloat64(), normals[(k+2)%3]).Unit()
		*[]*float64{&b.HalfExtents.X, &b.HalfExtents.Y, &b.HalfExtents.Z}[k] = 1
		w := New(Source{Boxes: []shapes.Box{b}})
		o := b.Center.AddScaled(1+shapetest.LogUniform(rng, 1e-6, 3), up)

		// The axis rises by almost the angle of the cone, so the steepest ray is almost parallel to the face.
		angle := shapetest.LogUniform(rng, 1e-4, 1.5)
		rise := angle * (1 + shapetest.Uniform(rng, -0.2, 0.2))
		if rise > math.Pi/2 {
			continue
		}
		d := SecondaryRay{Ray: geom.Ray{Origin: o, Dir: along.Scale(math.Cos(rise)).AddScaled(math.Sin(rise), up)}, Object: None}
		c := Cone{Sin: math.Sin(angle), Cos: math.Cos(angle), Near: math.Inf(1), Far: math.Inf(1)}
		if math.Abs(rise-angle) < 1e-9 {
			continue
		}
		got := w.newCoverTracer().isBehindFace(&w.boxes[0], &d, &c, 2*w.slack(o))
		if want := rise > angle; got != want {
			t.Fatalf("the axis rises by %v, the cone's angle is %v: behind the face: %v", rise, angle, got)
		}
		behind[got]++
	}
	if behind[true] < 5000 || behind[false] < 5000 {
		t.Errorf("behind a face: %v", behind)
	}
}

// TestAsideIsPerpendicular checks that the result of aside is a unit vector perpendicular to the axis. If the
// point is so close to the axis that rounding errors dominate, aside must return false instead of a wrong vector.
// The method misses uses the vector to construct planes that touch the cone.
func TestAsideIsPerpendicular(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 1))
	found, none := 0, 0
	for range 20_000 {
		axis := shapetest.Direction(rng)
		f := axis.Scale(shapetest.LogUniform(rng, 1e-3, 1e3)).AddScaled(shapetest.LogUniform(rng, 1e-20, 1), shapetest.Direction(rng))
		b, ok := aside(f, axis)
		if !ok {
			none++
			continue
		}
		found++
		if math.Abs(b.Dot(axis)) > 1e-15 || math.Abs(b.Norm()-1) > 1e-15 {
			t.Fatalf("aside(%v, %v) = %v, at the angle with the cosine %v", f, axis, b, b.Dot(axis))
		}
	}
	if found < 1000 || none < 100 {
		t.Errorf("%d directions, %d times none", found, none)
	}
}

// TestNarrowLights checks that Cover does not miss small spheres at the border of the cone of a directional light. The cosine
// of such a narrow cone is almost 1, so it determines the angle only roughly.
func TestNarrowLights(t *testing.T) { WithAndWithoutKernels(t, testNarrowLights) }

func testNarrowLights(t *testing.T) {
	blocked := 0
	for seed := range uint64(2000) {
		rng := rand.New(rand.NewPCG(48, seed))
		angle := shapetest.LogUniform(rng, 1e-12, 1e-2)
		c := Cone{Sin: math.Sin(angle), Cos: math.Cos(angle), Near: math.Inf(1), Far: math.Inf(1)}
		l := AreaLight{Axis: geom.Vec3{Z: 1}, Sin: c.Sin, Cos: c.Cos}
		var s Source
		for range 1 + rng.IntN(12) {
			phi, z := 2*math.Pi*rng.Float64(), shapetest.Uniform(rng, 0.5, 1)
			side := geom.Vec3{X: math.Cos(phi), Y: math.Sin(phi)}
			p := geom.Vec3{Z: z}.AddScaled(z*c.Sin*shapetest.Uniform(rng, 0.7, 1.2), side)
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: p, Radius: z * c.Sin * shapetest.LogUniform(rng, 1e-2, 0.3)})
		}
		w := New(s)
		var axes []SecondaryRay
		for range 3 {
			axes = append(axes, SecondaryRay{Ray: geom.Ray{Origin: shapetest.Cube(rng, 1e-3*c.Sin), Dir: l.Axis}, Object: None})
		}
		for n := range 3 { // one point, and several that share a search
			covers := make([]Cover, 1+n)
			w.Cover(&l, axes[:1+n], []Cone{c, c, c}[:1+n], covers, nil)
			for i, cover := range covers {
				for _, b := range s.Spheres {
					ray := axes[i]
					ray.Ray.Dir = b.Center.Sub(ray.Ray.Origin).Unit()
					if math.Hypot(ray.Ray.Dir.X, ray.Ray.Dir.Y) > c.Sin || w.TraverseBlocked(ray, math.Inf(1), nil).Object == None {
						continue
					}
					blocked++
					if cover == Open {
						t.Fatalf("seed %d: a cone of %v radians is open, but a ray of it meets a sphere around %v", seed, angle, b.Center)
					}
				}
			}
		}
	}
	if blocked < 2000 {
		t.Errorf("only %d rays are blocked", blocked)
	}
}
