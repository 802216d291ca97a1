package follow_test

import (
	"fmt"
	"image"
	"math"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// sky returns a scene with a floor at y = 0 under a visible sky. The function add adds solids, which hide parts of
// the sky.
func sky(t *testing.T, samples int, distance float64, add func(*scene.Scene)) *follow.Prepared {
	t.Helper()
	s := scene.New()
	s.Shading.Samples, s.Shading.Occlusion = samples, scene.Occlusion{Enabled: true, Distance: distance}
	s.Boxes = []shapes.Box{slab(geom.Vec3{Y: -1}, geom.Vec3{X: 1e9, Y: 1, Z: 1e9})}
	add(s)
	s.Objects = scene.NewObjects(make([]scene.Object, len(s.Spheres)+len(s.Boxes)+len(s.Cylinders))...)
	return prepare(t, s, pillbox.Picture{Size: image.Pt(16, 16)})
}

func slab(center, half geom.Vec3) shapes.Box {
	return shapes.Box{Center: center, HalfExtents: half, Rotation: geom.Identity()}
}

// open samples the sky above the point (x, 0, z) of the floor, as for 64 different pixels. For each pixel, it
// computes the share of the sky that is not hidden. It returns the mean of these shares, and their root mean square
// error compared with the exact share, want.
func open(t *testing.T, st *follow.Prepared, x, z, want float64) (mean, rms float64) {
	t.Helper()
	const pixels = 64
	r := geom.Ray{Origin: geom.Vec3{X: x, Y: 0.01, Z: z}, Dir: geom.Vec3{Y: -1}}
	for i := range pixels {
		q := st.Intersect(st.ViewerRay(r), sampler.Position{X: i % 8, Y: i / 8}, nil)
		if q.Normal != (geom.Vec3{Y: 1}) {
			t.Fatalf("the ray does not hit the floor but %+v", q.Hit)
		}
		o := st.SampleOcclusion(&q)
		got := o.Share()
		mean += got / pixels
		rms += (got - want) * (got - want) / pixels
	}
	return mean, math.Sqrt(rms)
}

// TestOcclusionClosedForms compares the share of the sky that is not hidden with exact formulas. The error must be
// at most that of independent samples, and decrease with more samples. The share that a solid hides is its form
// factor as seen from the point of the floor (Howell, "A catalog of radiation heat transfer configuration factors",
// B-4, B-12 and B-42).
func TestOcclusionClosedForms(t *testing.T) {
	wall := slab(geom.Vec3{X: -1e9}, geom.Vec3{X: 1e9, Y: 4e9, Z: 4e9}) // its face is at x = 0
	side := slab(geom.Vec3{Z: -1e9}, geom.Vec3{X: 4e9, Y: 4e9, Z: 1e9}) // at z = 0
	// Projected onto the floor, the directions fill a disc evenly. Those that reach the wall within the distance of
	// ambient occlusion form a part of this disc, cut off by a chord.
	within := func(chord float64) float64 {
		return (math.Acos(chord) - chord*math.Sqrt(1-chord*chord)) / math.Pi
	}
	corner := func(a, b float64) float64 { // of a rectangle with edges a and b at height 1, below its corner
		p, q := math.Hypot(1, a), math.Hypot(1, b)
		return (a/p*math.Atan(b/p) + b/q*math.Atan(a/q)) / (2 * math.Pi)
	}
	for name, c := range map[string]struct {
		x, z, distance float64
		add            func(*scene.Scene)
		hidden         float64
	}{
		"an empty sky":               {x: 1, add: func(*scene.Scene) {}},
		"two walls":                  {x: 1, add: func(s *scene.Scene) { s.Boxes = append(s.Boxes, wall) }, hidden: 0.5},
		"in the corner of two walls": {x: 1e-3, add: func(s *scene.Scene) { s.Boxes = append(s.Boxes, wall) }, hidden: 0.5},
		"three walls":                {x: 1, z: 2, add: func(s *scene.Scene) { s.Boxes = append(s.Boxes, wall, side) }, hidden: 0.75},
		"a near wall":                {x: 1, distance: 2, add: func(s *scene.Scene) { s.Boxes = append(s.Boxes, wall) }, hidden: within(0.5)},
		"a far wall":                 {x: 3, distance: 2, add: func(s *scene.Scene) { s.Boxes = append(s.Boxes, wall) }},
		"a sphere above": {add: func(s *scene.Scene) {
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: geom.Vec3{Y: 2}, Radius: 1.2})
		}, hidden: 0.36},
		"a sphere aside": {x: 1.5, add: func(s *scene.Scene) {
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: geom.Vec3{Y: 2}, Radius: 1.2})
		}, hidden: 1.2 * 1.2 * 2 / math.Pow(1.5*1.5+4, 1.5)},
		"a plate": {x: 0.5, z: 0.25, add: func(s *scene.Scene) {
			s.Boxes = append(s.Boxes, slab(geom.Vec3{Y: 1.01}, geom.Vec3{X: 1, Y: 0.01, Z: 2}))
		}, hidden: corner(0.5, 1.75) + corner(0.5, 2.25) + corner(1.5, 1.75) + corner(1.5, 2.25)},
		"a disc": {add: func(s *scene.Scene) {
			s.Cylinders = append(s.Cylinders, shapes.Cylinder{A: geom.Vec3{Y: 1}, B: geom.Vec3{Y: 1.01}, Radius: 0.75})
		}, hidden: 0.5625 / 1.5625},
	} {
		t.Run(name, func(t *testing.T) {
			first, last := 0.0, 0.0
			for n := 4; n <= 4096; n *= 4 {
				mean, rms := open(t, sky(t, n, c.distance, c.add), c.x, c.z, 1-c.hidden)
				// Independent directions have the standard error sqrt(p (1 - p) / n); those of a net are better.
				alone := math.Sqrt(c.hidden * (1 - c.hidden) / float64(n))
				if rms > alone || math.Abs(mean-(1-c.hidden)) > alone/4+1e-12 {
					t.Errorf("%d samples: %.5f with an error of %.5f, want %.5f with at most %.5f", n, mean, rms, 1-c.hidden, alone)
				}
				if n == 4 {
					first = rms
				}
				last = rms
			}
			// The error of independent samples would fall to 1/32; that of a net falls faster.
			if last > first/60 {
				t.Errorf("the error falls from %.5f to %.5f with 1024 times as many samples", first, last)
			}
		})
	}
}

// TestOcclusionOfHemispheres uses a sky with one color above the horizon and another below. The floor must hide the
// lower half from the wall, and the wall must hide one half of the upper half from the floor.
func TestOcclusionOfHemispheres(t *testing.T) {
	top, bottom := shade.Color{R: 0.75, G: 0.5, B: 0.125}, shade.Color{R: 0.25, G: 0.5, B: 1}
	st := sky(t, 4096, 0, func(s *scene.Scene) {
		s.Shading.Ambient = shade.Gradient{Top: top, Bottom: bottom}
		s.Boxes = append(s.Boxes, slab(geom.Vec3{X: -2}, geom.Vec3{X: 1, Y: 1e9, Z: 1e9})) // its face is at x = -1
	})
	for what, c := range map[string]struct {
		r    geom.Ray
		want shade.Color
	}{
		"the floor sees one half of the sky above":            {geom.Ray{Origin: geom.Vec3{Y: 1}, Dir: geom.Vec3{Y: -1}}, top.Scale(0.5)},
		"the wall sees the sky above only, half of its share": {geom.Ray{Origin: geom.Vec3{Y: 1}, Dir: geom.Vec3{X: -1}}, top.Scale(0.5)},
		"the back of the wall sees no more":                   {geom.Ray{Origin: geom.Vec3{X: -9, Y: 1}, Dir: geom.Vec3{X: 1}}, top.Scale(0.5)},
	} {
		p := st.Follow(st.ViewerRay(c.r), sampler.Position{}, nil)
		got := p.Irradiance
		for _, a := range p.Lights {
			got = got.Sub(a.Irradiance)
		}
		if d := got.Sub(c.want); math.Abs(d.R)+math.Abs(d.G)+math.Abs(d.B) > 0.005 {
			t.Errorf("%s: %v, want %v", what, got, c.want)
		}
	}
}

// TestOcclusionFromInside checks occlusion inside a ball, which hides the whole sky. With a distance of occlusion,
// the ball must hide only the directions in which its surface is nearer than the distance.
func TestOcclusionFromInside(t *testing.T) {
	for _, distance := range []float64{0, 0.5, 1, 1.9, 2.1} {
		s := scene.New()
		s.Shading.Samples, s.Shading.Occlusion = 4096, scene.Occlusion{Enabled: true, Distance: distance}
		s.Spheres = []shapes.Sphere{{Radius: 1}}
		s.Objects = scene.NewObjects(scene.Object{})
		st := prepare(t, s, pillbox.Picture{Size: image.Pt(16, 16)})
		q := st.Intersect(st.ViewerRay(geom.Ray{Dir: geom.Vec3{X: 1}}), sampler.Position{X: 3}, nil)
		// In a direction at the angle a from the normal, the surface is at the distance 2 cos a. It is too far to hide
		// the sky if sin^2 a < 1 - distance^2 / 4. Projected onto a disc, these directions fill a smaller disc with
		// this fraction of the area.
		want := 0.0
		if 0 < distance && distance < 2 {
			want = 1 - distance*distance/4
		}
		if got := st.SampleOcclusion(&q).Share(); math.Abs(got-want) > 0.002 {
			t.Errorf("distance %v: open %v, want %v", distance, got, want)
		}
	}
}

// TestSkyIsOpenExactly checks that the ambient light has the same bits as without occlusion where nothing hides the
// sky.
func TestSkyIsOpenExactly(t *testing.T) {
	g := shade.Gradient{Top: shade.Color{R: 0.1, G: 0.7, B: 1.0 / 3}, Bottom: shade.Color{R: 0.9, G: 0.2, B: 0.05}}
	up := geom.Vec3{X: 0.36, Y: 0.8, Z: 0.48}
	for i := range 1000 {
		n := geom.Vec3{X: math.Sin(float64(i)), Y: math.Cos(float64(i)), Z: math.Sin(float64(3 * i))}.Unit()
		st := sampler.New(16, 1).Set(sampler.Position{X: i}, sampler.Occlusion, 0)
		var sky shade.Sky
		for k := range 16 {
			sky.Add(sampler.Frame(n).MulVec(sampler.Hemisphere(st.Point(k))), up, true)
		}
		for _, g := range []shade.Gradient{g, shade.Even(g.Top)} {
			if got, want := g.Under(&sky, n, up), g.Toward(n, up); got != want {
				t.Fatalf("normal %v: %v, want %v", n, got, want)
			}
		}
	}
}

// TestOcclusionNamesWhatHides checks that SampleOcclusion returns, for each hidden direction, the nearest solid
// that hides it.
func TestOcclusionNamesWhatHides(t *testing.T) {
	st := sky(t, 256, 0, func(s *scene.Scene) {
		s.Spheres = append(s.Spheres, shapes.Sphere{Center: geom.Vec3{Y: 2}, Radius: 0.5}, shapes.Sphere{Center: geom.Vec3{Y: 4}, Radius: 2})
	})
	q := st.Intersect(st.ViewerRay(geom.Ray{Origin: geom.Vec3{Y: 0.5}, Dir: geom.Vec3{Y: -1}}), sampler.Position{}, nil)
	hides := map[int32]int{}
	for _, a := range st.SampleOcclusion(&q).Samples {
		hides[a.Object]++
		if a.Object == accel.None {
			continue
		}
		if span, ok := st.Scene.Spheres[a.Object].Span(geom.Ray{Origin: q.Hit.Point, Dir: a.Dir}); !ok || span.Near.T != a.T {
			t.Fatalf("sphere %d at %v, but the ray enters it at %v", a.Object, a.T, span.Near.T)
		}
	}
	// Sphere 0 has the form factor (0.5/2)^2 = 1/16 and is in front of sphere 1, which has (2/4)^2 = 1/4.
	for object, want := range map[int32]int{0: 16, 1: 48, accel.None: 192} {
		if got := hides[object]; math.Abs(float64(got-want)) > 2 {
			t.Errorf("object %d: %d of 256 directions, want %d", object, got, want)
		}
	}
	if len(hides) != 3 {
		t.Error(fmt.Sprint(hides))
	}
}
