package tracer_test

import (
	"fmt"
	"image"
	"math"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
	"pillbox/shade"
)

// cone is the set of directions whose angle to an axis is at most a given angle.
type cone struct {
	axis     geom.Vec3
	sin, cos float64 // of the angle
}

// coneTo returns the directions from p in which rays hit the ball.
func coneTo(p, center geom.Vec3, radius float64) cone {
	d := center.Sub(p)
	sin := radius / d.Norm()
	return cone{d.Unit(), sin, math.Sqrt(1 - sin*sin)}
}

// above returns the hemisphere of directions around the unit vector m.
func above(m geom.Vec3) cone { return cone{m, 1, 0} }

// lens returns the integral of the cosine of the angle to n over the directions that are in both a and b. These
// directions must be above the horizon of n.
//
// By Stokes' theorem it is n.E, where E is half the integral of r x dr along the border. The border consists of two
// arcs: the part of each cone's circle that lies inside the other cone.
func lens(a, b cone, n geom.Vec3) float64 {
	c := a.axis.Dot(b.axis)
	switch {
	case c <= a.cos*b.cos-a.sin*b.sin:
		return 0
	case c >= a.cos*b.cos+a.sin*b.sin:
		if b.sin < a.sin {
			a = b
		}
		return math.Pi * a.sin * a.sin * a.axis.Dot(n)
	}
	s := math.Sqrt(1 - c*c)
	arc := func(a, b cone) geom.Vec3 {
		half := math.Acos((b.cos - a.cos*c) / (a.sin * s)) // of the angle of the arc
		toward := b.axis.AddScaled(-c, a.axis).Scale(1 / s)
		return a.axis.Scale(a.sin*a.sin*half).AddScaled(-a.cos*a.sin*math.Sin(half), toward)
	}
	return arc(a, b).Add(arc(b, a)).Dot(n)
}

// oracle is a scene with a white floor at y = 0, seen from above, for which there is a formula for the light on the
// floor.
type oracle struct {
	name   string
	scene  string  // all but the camera and the number of samples
	x, z   float64 // the middle of the view
	height float64 // of the view

	// at returns the exact color of a point of the floor, and its color if no solid hid any light.
	at func(p geom.Vec3) (want, whole float64)
}

// Positions and radii of two balls on the y axis: the light, and the ball in front of it.
const (
	lampHeight, lampRadius = 8.0, 1.0
	moonHeight, moonRadius = 3.0, 1.25
)

// oracles returns the scenes for which there are exact formulas. Borders of solids are not parallel to an axis of
// the frame in which directions are sampled, because nets integrate such borders exactly and the error would be
// zero.
func oracles() []oracle {
	const (
		floor    = "\n[[box]]\ncolor = 'white'\ncenter = [0, -1, 0]\nhalf_extents = [1e6, 1, 1e6]\n"
		cube     = "\n[[box]]\ncolor = 'white'\nhalf_extents = [1e6, 1e6, 1e6]\n"
		sky      = "ambient = 1\n[shading.occlusion]\n"
		distance = 2.0
	)
	up := geom.Vec3{Y: 1}
	// The wall's face contains the y axis, and so does the face of the wall beside it.
	in, across := geom.Vec3{X: math.Cos(0.5), Z: math.Sin(0.5)}, geom.Vec3{X: -math.Sin(0.5), Z: math.Cos(0.5)}
	wall := func(n geom.Vec3) string {
		c := n.Scale(-1e6)
		return cube + fmt.Sprintf("center = [%v, 0, %v]\naxes = [[%v, 0, %v], [0, 1, 0], [%v, 0, %v]]\n", c.X, c.Z, in.X, in.Z, across.X, across.Z)
	}
	lamp := geom.Vec3{X: 3, Y: 6}
	of := func(share float64) func(geom.Vec3) (float64, float64) {
		return func(geom.Vec3) (float64, float64) { return share, 1 }
	}
	return []oracle{
		{"a ball of light over an edge", "ambient = 0\n[[light]]\nposition = [3, 6, 0]\nradius = 1.5\n" + floor + cube + "center = [-1e6, 1000002, 0]\n", -1.7, 0, 2, func(p geom.Vec3) (want, whole float64) {
			// The edge lies at the height 2 above the z axis. A point below the solid sees the light beyond the plane
			// through the point and the edge.
			l := coneTo(p, lamp, 1.5)
			return lens(l, above(geom.Vec3{X: 2, Y: p.X}.Unit()), up) / (math.Pi * l.sin * l.sin), l.axis.Y
		}},
		{"a ball of light behind a ball", fmt.Sprintf("ambient = 0\n[[light]]\nposition = [0, %v, 0]\nradius = %v\n[[sphere]]\ncenter = [0, %v, 0]\nradius = %v\n", lampHeight, lampRadius, moonHeight, moonRadius) + floor, 2, 0, 4, func(p geom.Vec3) (want, whole float64) {
			l := coneTo(p, geom.Vec3{Y: lampHeight}, lampRadius)
			hidden := lens(l, coneTo(p, geom.Vec3{Y: moonHeight}, moonRadius), up) / (math.Pi * l.sin * l.sin)
			return l.axis.Y - hidden, l.axis.Y
		}},
		{"a corner of two walls", sky + floor + wall(in), 3, 0, 2, of(1. / 2)},
		{"a corner of three walls", sky + floor + wall(in) + wall(across), 2, 3, 2, of(1. / 4)},
		{"the sky behind a ball", sky + floor + "[[sphere]]\ncenter = [0, 2, 0]\nradius = 1.2\n", 1, 0, 2, func(p geom.Vec3) (want, whole float64) {
			return 1 - lens(above(up), coneTo(p, geom.Vec3{Y: 2}, 1.2), up)/math.Pi, 1
		}},
		{"a near wall", sky + fmt.Sprintf("distance = %v\n", distance) + floor + wall(in), 2.5, 0, 2, func(p geom.Vec3) (want, whole float64) {
			// Projected onto the floor, the directions fill a disc evenly. Those that reach the wall within the
			// distance of ambient occlusion are beyond a chord of the disc.
			chord := min(p.Dot(in)/distance, 1)
			return 1 - (math.Acos(chord)-chord*math.Sqrt(1-chord*chord))/math.Pi, 1
		}},
	}
}

// render returns the linear colors of a picture of the scene, and the points of the floor at the centers of the
// pixels.
func (o *oracle) render(t *testing.T, samples int, size image.Point) ([]float64, []geom.Vec3) {
	t.Helper()
	text := fmt.Sprintf("[camera]\nprojection = 'orthographic'\nposition = [%v, 0.5, %v]\nlook_at = [%v, 0, %v]\nup = [0, 0, -1]\nview_height = %v\n",
		o.x, o.z, o.x, o.z, o.height)
	text += fmt.Sprintf("[image]\nwidth = %d\nheight = %d\n[shading]\nsamples = %d\n", size.X, size.Y, samples)
	s, err := scene.Decode(o.name, []byte(text+o.scene))
	if err != nil {
		t.Fatal(err)
	}
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{Work: pillbox.Work{Linear: true}})
	if err != nil {
		t.Fatal(err)
	}
	var colors []float64
	var points []geom.Vec3
	pixel := o.height / float64(size.Y)
	for k, c := range film.Linear {
		if c != shade.Gray(c.R) {
			t.Fatalf("%s: a white floor has the color %v", o.name, c)
		}
		colors = append(colors, c.R)
		points = append(points, geom.Vec3{
			X: o.x + (float64(k%size.X)+0.5-float64(size.X)/2)*pixel,
			Z: o.z + (float64(k/size.X)+0.5-float64(size.Y)/2)*pixel,
		})
	}
	return colors, points
}

// noise holds the errors of pictures with 4, 8, 16, ... samples.
type noise struct {
	samples []float64
	rms     []float64 // the root mean square over the pixels
	alone   []float64 // the same for independent samples, in theory
	mean    []float64 // the mean over the pixels
}

// measure renders the scene with 4, 8, 16, ... samples, up to most.
func (o *oracle) measure(t *testing.T, most int, size image.Point) noise {
	t.Helper()
	var e noise
	for n := 4; n <= most; n *= 2 {
		square, variance, sum := 0.0, 0.0, 0.0
		colors, points := o.render(t, n, size)
		for k, got := range colors {
			want, whole := o.at(points[k])
			square += (got - want) * (got - want)
			variance += want * (whole - want) / float64(n)
			sum += got - want
		}
		pixels := float64(len(colors))
		e.samples, e.mean = append(e.samples, float64(n)), append(e.mean, sum/pixels)
		e.rms, e.alone = append(e.rms, math.Sqrt(square/pixels)), append(e.alone, math.Sqrt(variance/pixels))
	}
	return e
}

// exponent fits a power of the number of samples to the errors, by least squares of logarithms, and returns its
// exponent.
func (e *noise) exponent() float64 {
	var sx, sy, sxx, sxy float64
	for i, n := range e.samples {
		x, y := math.Log(n), math.Log(e.rms[i])
		sx, sy, sxx, sxy = sx+x, sy+y, sxx+x*x, sxy+x*y
	}
	n := float64(len(e.samples))
	return (n*sxy - sx*sy) / (n*sxx - sx*sx)
}

// TestSoftLightClosedForms compares pictures with exact formulas. Independent samples would have the standard error
// sqrt(p (1 - p) / n), with the exponent -1/2. A scrambled net in two dimensions has the exponent -3/4 for an
// integrand with a jump at a smooth border (He and Wang, "On the convergence rate of randomized quasi-Monte Carlo
// for discontinuous functions", SIAM Journal on Numerical Analysis 53(5), 2015).
func TestSoftLightClosedForms(t *testing.T) {
	size := effort.Of(image.Pt(24, 16), image.Pt(24, 16), image.Pt(72, 48))
	var all []noise
	for _, o := range oracles() {
		e := o.measure(t, effort.Of(1024, 1024, scene.MaxSamples), size)
		all = append(all, e)
		t.Logf("%s: exponent %.3f, errors %.5f, means %.6f", o.name, e.exponent(), e.rms, e.mean)
		for i, n := range e.samples {
			// The errors of the pixels of a picture cancel each other out, so their mean is much smaller.
			if e.rms[i] > e.alone[i] || math.Abs(e.mean[i]) > e.alone[i]/8 {
				t.Errorf("%s: with %v samples the error is %.5f and its mean %.6f, want at most %.5f and %.6f", o.name, n, e.rms[i], e.mean[i], e.alone[i], e.alone[i]/8)
			}
		}
		if x := e.exponent(); x > -0.6 {
			t.Errorf("%s: the error falls with the power %.3f of the number of samples, want at most -0.6", o.name, x)
		}
	}
	if *convergence != "" {
		writeConvergence(t, oracles(), all)
	}
}

// TestPenumbraRadii measures where the umbra and the penumbra of a ball end, in the light of another ball. Exactly
// all light must be hidden inside the umbra, and exactly none outside the penumbra. Both borders are cones that
// touch both balls.
func TestPenumbraRadii(t *testing.T) {
	const (
		between = lampHeight - moonHeight
		width   = 1. / 64 // of a pixel
	)
	// A cone that touches both balls has its tip between or behind them, at the distance radius / sin from the center of a ball.
	border := func(sin, tip float64) float64 { return math.Abs(tip) * sin / math.Sqrt(1-sin*sin) }
	outer := (lampRadius + moonRadius) / between
	inner := (moonRadius - lampRadius) / between
	penumbra := border(outer, moonHeight+moonRadius/outer)
	umbra := border(inner, moonHeight+moonRadius/inner)

	o := oracles()[1]
	o.height = width
	for _, n := range []int{16, effort.Of(1024, 1024, scene.MaxSamples)} {
		dark, bright := 0.0, math.Inf(1) // the largest radius of darkness, the least of full light
		colors, points := o.render(t, n, image.Pt(384, 1))
		for k, got := range colors {
			r := points[k].Norm()
			want, whole := o.at(points[k])
			switch {
			case got == 0:
				dark = max(dark, r)
			case r < umbra:
				t.Errorf("%d samples: %v in the umbra at %v", n, got, r)
			case r > penumbra && math.Abs(got-whole) > 1e-15:
				t.Errorf("%d samples: %v outside the penumbra at %v, want %v", n, got, r, whole)
			case got >= whole*(1-1e-15):
				bright = min(bright, r)
			case r > umbra+width && r < penumbra-width && !(want > 0 && want < whole):
				t.Errorf("the closed form is %v of %v in the penumbra at %v", want, whole, r)
			}
		}
		// A visible or hidden sliver of the light whose depth is a fraction d of the light is about the fraction d^1.5
		// of its area. If this is less than the share of a few samples, the samples may miss the sliver.
		slack := width + (penumbra-umbra)*math.Pow(4/float64(n), 2./3)
		t.Logf("%d samples: umbra %.4f, want %.4f; penumbra %.4f, want %.4f; within %.4f", n, dark, umbra, bright, penumbra, slack)
		if dark > umbra+slack || bright < penumbra-slack || dark < umbra-width || bright > penumbra+width {
			t.Errorf("%d samples: umbra %v, want %v; penumbra %v, want %v; within %v", n, dark, umbra, bright, penumbra, slack)
		}
	}
}
