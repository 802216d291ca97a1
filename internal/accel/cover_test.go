package accel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
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
	for seed := range effort.Of[uint64](50, 600, 6000) {
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
	for cover, n := range map[Cover]int{Partial: 200, Open: 200, Covered: 200} {
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
	cases := effort.Of(1500, 40_000, 1_000_000)
	for range cases {
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
	if min(behind[true], behind[false]) < cases/4 {
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
	blocked, cases := 0, effort.Of(300, 2000, 20_000)
	for seed := range uint64(cases) {
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
	if blocked < cases {
		t.Errorf("only %d rays are blocked", blocked)
	}
}

// TestLightsAreEnclosed checks the cone and the bounds with which Cover searches for the solids that block rays from several
// points. They must contain every ray from a point between given bounds to a point of the light.
func TestLightsAreEnclosed(t *testing.T) {
	rng := rand.New(rand.NewPCG(49, 1))
	w := New(Source{Spheres: []shapes.Sphere{{Center: shapetest.Cube(rng, 1), Radius: 1}}})
	s := w.newCoverTracer()
	rays := 0
	for range effort.Of(5000, 20_000, 200_000) {
		from := geom.EmptyBounds().Include(shapetest.Cube(rng, 3))
		from = from.Include(from.Min.AddScaled(shapetest.LogUniform(rng, 1e-3, 1), shapetest.Direction(rng)))
		l := AreaLight{Center: shapetest.Cube(rng, 5), Radius: shapetest.LogUniform(rng, 1e-3, 3)}
		d, c := SecondaryRay{Object: None, Ray: geom.Ray{Dir: geom.Vec3{X: 1}}}, Cone{Cos: 1}
		if rng.IntN(2) == 0 {
			angle := shapetest.LogUniform(rng, 1e-9, math.Pi/2)
			l = AreaLight{Axis: shapetest.Direction(rng), Sin: math.Sin(angle), Cos: math.Cos(angle)}
			d.Ray.Dir, c.Sin, c.Cos = l.Axis, l.Sin, l.Cos
		}
		s.light = &l
		if !s.aimTogether(from, &d, &c) {
			continue
		}
		slack := w.slackIn(from)
		ends := s.ends(from).Expand(slack)
		for range 10 {
			p := from.Min
			for _, x := range [][2]*float64{{&p.X, &from.Max.X}, {&p.Y, &from.Max.Y}, {&p.Z, &from.Max.Z}} {
				if rng.IntN(2) == 0 {
					*x[0] = *x[1]
				}
			}
			var end geom.Vec3
			if l.Radius > 0 {
				end = l.Center.AddScaled(l.Radius, shapetest.Direction(rng))
			} else if side, ok := aside(shapetest.Direction(rng), l.Axis); ok { // at the border of the light
				end = p.AddScaled(w.beyond(from), l.Axis.Scale(l.Cos).AddScaled(l.Sin, side))
			}
			if !ends.Contains(end) {
				t.Fatalf("a ray from %v to the light %+v ends at %v, outside of %v", p, l, end, ends)
			}
			if x := p.AddScaled(rng.Float64()*float64(rng.IntN(2)), end.Sub(p)); !s.search.meetsBall(&ball{center: x}) {
				t.Fatalf("a ray from %v to the light %+v comes to %v, outside of the cone %+v", p, l, x, s.search.ballQuery)
			}
			rays++
		}
	}
	if rays < 25_000 {
		t.Errorf("only %d rays", rays)
	}
}

// TestCoverSeesSkewCorners checks that Cover and BlockedSky do not miss a box that a ray touches only at a corner. The rotation of the box
// is as far from orthonormal as package shapes permits. So the corner lies outside the box's bounds and outside the ball
// around the box. Coordinates along one axis are almost zero, so that their rounding to single precision does not hide this.
func TestCoverSeesSkewCorners(t *testing.T) { WithAndWithoutKernels(t, testCoverSeesSkewCorners) }

func testCoverSeesSkewCorners(t *testing.T) {
	touched := 0
	for octant := range 8 {
		sign := func(bit int) float64 { return float64(1 - 2*(octant>>bit&1)) }
		toward := geom.Vec3{X: sign(0), Y: sign(1), Z: sign(2)}
		for axis := range 3 {
			b := shapes.Box{HalfExtents: geom.Vec3{X: 1, Y: 1, Z: 1}, Rotation: shapetest.Skew(geom.Identity(), toward)}
			*[]*float64{&b.Center.X, &b.Center.Y, &b.Center.Z}[axis] = -sign(axis)
			tip := shapetest.Corner(&b, toward).Sub(b.Center)
			var along [3]float64
			along[(axis+1)%3], along[(axis+2)%3] = sign((axis+1)%3), -sign((axis+2)%3)
			dir := geom.Vec3{X: along[0], Y: along[1], Z: along[2]}.Unit()
			w := New(Source{Boxes: []shapes.Box{b}})
			l := AreaLight{Axis: dir, Sin: 1e-15, Cos: 1}
			for inward := 0x1p-52; inward < 0x1p-46; inward *= 1.2 {
				d := SecondaryRay{Ray: geom.Ray{Origin: b.Center.AddScaled(1-inward, tip).AddScaled(-0.5, dir), Dir: dir}, Object: None}
				if w.TraverseBlocked(d, math.Inf(1), nil).Object == None {
					continue
				}
				touched++
				c := Cone{Sin: l.Sin, Cos: l.Cos, Near: math.Inf(1), Far: math.Inf(1)}
				for _, n := range []int{1, 40} { // one point, and several that share a search
					axes, cones, covers := slices.Repeat([]SecondaryRay{d}, n), slices.Repeat([]Cone{c}, n), make([]Cover, n)
					w.Cover(&l, axes, cones, covers, nil)
					if slices.Contains(covers, Open) {
						t.Fatalf("%d points: Cover misses the corner %v of %+v, which the ray %v touches", n, tip, b, d.Ray)
					}
				}
				sky := Sky{From: d, X: []float64{dir.X}, Y: []float64{dir.Y}, Z: []float64{dir.Z}, Reach: math.Inf(1), Blocked: make([]bool, 1)}
				if w.BlockedSky(&sky) && !sky.Blocked[0] {
					t.Fatalf("BlockedSky misses the corner %v of %+v, which the ray %v touches", tip, b, d.Ray)
				}
				break
			}
		}
	}
	if touched < 12 {
		t.Errorf("only %d rays touch a corner", touched)
	}
}

// TestCoverOfEndedSearches checks that Cover does not call a light visible if the search for the solids near a cone has
// ended early. The cone meets the bounds of many capsules and the balls around them, but only one solid: a small sphere.
func TestCoverOfEndedSearches(t *testing.T) { WithAndWithoutKernels(t, testCoverOfEndedSearches) }

func testCoverOfEndedSearches(t *testing.T) {
	l := AreaLight{Axis: geom.Vec3{Z: 1}, Sin: 0.01, Cos: math.Sqrt(1 - 1e-4)}
	c := Cone{Sin: l.Sin, Cos: l.Cos, Near: math.Inf(1), Far: math.Inf(1)}
	d := SecondaryRay{Ray: geom.Ray{Origin: geom.Vec3{Z: -20}, Dir: l.Axis}, Object: None}
	lost := 0
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(51, seed))
		var s Source
		for range 1600 {
			sin, cos := math.Sincos(math.Pi * (0.25 + 0.5*float64(rng.IntN(4))))
			p := geom.Vec3{X: cos, Y: sin}.Scale(shapetest.Uniform(rng, 1, 2))
			p.Z = shapetest.Uniform(rng, -5, 5)
			across := geom.Vec3{X: -5 * sin, Y: 5 * cos}
			a, b := p.Add(across), p.Sub(across)
			s.Capsules = append(s.Capsules, shapes.Capsule{A: a, B: b, Radius: 0.01})
		}
		s.Spheres = []shapes.Sphere{{Center: geom.Vec3{Z: shapetest.Uniform(rng, -8, 8)}, Radius: 0.01}}
		w := New(s)
		covers := make([]Cover, 1)
		if w.Cover(&l, []SecondaryRay{d}, []Cone{c}, covers, nil); covers[0] != Partial {
			t.Errorf("seed %d: Cover = %d, want %d", seed, covers[0], Partial)
		}
		if tracer := w.covers.list[0]; !slices.ContainsFunc(tracer.near, func(k int32) bool { return tracer.around.refs[k].kind() == sphereKind }) {
			lost++
		}
	}
	if lost < 10 {
		t.Errorf("only %d searches have not found the sphere", lost)
	}
}

// TestCoverOfSearchesThatFindNothing checks that Cover does not call a light visible if a search has ended early without finding
// a solid. The search visits bounds near the convex hull of the point and of the light's bounds, which contains many more spheres
// than the cone: one corner of the hull is full of them, and only few of these lie in the cone.
func TestCoverOfSearchesThatFindNothing(t *testing.T) {
	WithAndWithoutKernels(t, testCoverOfSearchesThatFindNothing)
}

func testCoverOfSearchesThatFindNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	var s Source
	inCone, c := 0, Cone{Sin: 0.5, Cos: math.Sqrt(0.75), Near: math.Inf(1), Far: math.Inf(1)}
	for range 60_000 {
		p := geom.Vec3{X: shapetest.Uniform(rng, 0.407, 0.55), Y: shapetest.Uniform(rng, 0.407, 0.55), Z: 1}
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: p, Radius: 1e-4})
		if p.Z > p.Norm()*c.Cos {
			inCone++
		}
	}
	w := New(s)
	l := AreaLight{Axis: geom.Vec3{Z: 1}, Sin: c.Sin, Cos: c.Cos}
	d := SecondaryRay{Ray: geom.Ray{Dir: l.Axis}, Object: None}
	covers := make([]Cover, 1)
	if w.Cover(&l, []SecondaryRay{d}, []Cone{c}, covers, nil); covers[0] != Partial {
		t.Errorf("Cover = %d, want %d", covers[0], Partial)
	}
	if s := &w.covers.list[0].search; s.count > 0 || s.visited == s.queued || inCone == 0 {
		t.Errorf("the search visited %d of %d nodes and found %d of %d spheres in the cone; it should end early and find none", s.visited, s.queued, s.count, inCone)
	}
}
