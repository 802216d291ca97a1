package explain

import (
	"flag"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/figure"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/lone"
	"pillbox/internal/fixture/shipped"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

var (
	whole = flag.Bool("whole", false, "compare the pixels of whole pictures; this takes hours")
)

// eachScene calls f as a subtest for every shipped scene.
func eachScene(t *testing.T, f func(t *testing.T, s *scene.Scene, opt pillbox.Options)) {
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		size := image.Pt(effort.Of(16, 40, 160), 0)
		if *whole {
			size = image.Point{} // that of the scene
		}
		f(t, s, pillbox.Options{Picture: pillbox.Picture{Size: size}})
	})
}

// TestPixelsEqualRender compares every pixel of every shipped scene with its explanation: the color with that of
// the renderer, and each sample's hit with that of the renderer's packets. With more effort, the pictures are larger,
// and with -whole they have the size that the scene states.
func TestPixelsEqualRender(t *testing.T) { eachScene(t, checkPixels) }

// TestPixelsOfRandomScenesEqualRender compares explained and rendered pixels of random scenes. The solids overlap,
// eyes and lights may be inside them, colors exceed 1, and mirrors face each other.
func TestPixelsOfRandomScenesEqualRender(t *testing.T) {
	for i := range effort.Of(12, 60, 1000) {
		s := randomScene(rand.New(rand.NewPCG(1, uint64(i))))
		t.Run(s.Name, func(t *testing.T) { checkPixels(t, s, pillbox.Options{}) })
	}
}

func checkPixels(t *testing.T, s *scene.Scene, opt pillbox.Options) {
	film, err := figure.Render(t.Context(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Linear = true
	linear, err := pillbox.Render(t.Context(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, opt.Picture)
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	size := film.Region.Size()
	for y := range size.Y {
		// The rays of a row of pixels, with all samples and with one sample per pixel.
		all, allHits := rowOfPixels(tracer, y, tracer.prepared.Antialias)
		one, oneHits := rowOfPixels(tracer, y, 1)
		for x := range size.X {
			pixel, err := tracer.Pixel(image.Pt(x, y))
			if err != nil {
				t.Fatal(err)
			}
			if want := film.Image.NRGBAAt(x, y); pixel.SRGB8 != want {
				t.Fatalf("pixel %d,%d is %v, rendered %v", x, y, pixel.SRGB8, want)
			}
			if want := linear.Linear[y*size.X+x]; pixel.Linear != want {
				t.Fatalf("pixel %d,%d is %v in linear light, rendered %v", x, y, pixel.Linear, want)
			}
			if refined := pixel.Weight == 1; film.Refined != nil && film.Refined[y*size.X+x] != refined {
				t.Fatalf("pixel %d,%d has %d samples, rendered refined %v", x, y, len(pixel.Samples), !refined)
			}
			row, hits, side := all, allHits, tracer.prepared.Antialias
			if pixel.Weight > 1 {
				row, hits, side = one, oneHits, 1
			}
			for i, sample := range pixel.Samples {
				at := x*side + i%side
				if want := hits[(i/side)*row.NX+at]; sample.traced().Hit != want || sample.Ray != row.SampleRay(at, i/side) {
					t.Fatalf("sample %d of pixel %d,%d meets %+v, rendered %+v", i, x, y, sample.traced().Hit, want)
				}
			}
		}
	}
}

// rowOfPixels returns the rays through the pixels of the row y, and their hits as the renderer's packets find them.
func rowOfPixels(t *Tracer, y, side int) (geom.Packet, []accel.Hit) {
	row := t.prepared.View.Packet(image.Rect(0, y, t.prepared.Size.X, y+1), side)
	hits := make([]accel.Hit, row.Len())
	t.prepared.World.Nearest(&row, hits)
	return row, hits
}

// explained returns the explanation of a pixel of the scene in the named file. at is the pixel's position.
func explained(t *testing.T, file string, at image.Point) *Pixel {
	t.Helper()
	s, err := scene.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	x, err := tracer.Pixel(at)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// aimed explains the ray r, whose direction is a unit vector.
func aimed(t *testing.T, tracer *Tracer, r geom.Ray) *Ray {
	t.Helper()
	x, err := tracer.Ray(r.Origin, r.Dir)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestRayOfSampleEqualsSample explains the ray of a pixel's last sample by its origin and direction, like a user
// who copies it from JSON. The hit and the color must be those of the sample, bit for bit.
func TestRayOfSampleEqualsSample(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		prepared, err := pillbox.Prepare(s, opt.Picture)
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		for i := range 50 {
			p := image.Pt(i*7919%tracer.prepared.Size.X, i*104729%tracer.prepared.Size.Y)
			pixel, err := tracer.Pixel(p)
			if err != nil {
				t.Fatal(err)
			}
			last := len(pixel.Samples) - 1
			want := pixel.Samples[last].traced()
			x := aimed(t, tracer, want.Ray)
			if got := x.traced(); got.Ray != want.Ray || got.Hit != want.Hit || got.Color != want.Color {
				t.Fatalf("pixel %v: the ray meets %+v and sees %v, the sample %+v and %v", p, got.Hit, got.Color, want.Hit, want.Color)
			}
			if !x.Cast || x.At != p || x.Sample != last {
				t.Fatalf("the ray of sample %d of pixel %v gets the points of sample %d of pixel %v, cast: %v", last, p, x.Sample, x.At, x.Cast)
			}
		}
	})
}

func TestRayBringsDirectionToUnitLength(t *testing.T) {
	prepared, err := pillbox.Prepare(lone.Scene(&shapes.Sphere{Radius: 1}), pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	x, err := tracer.Ray(geom.Vec3{Z: 5}, geom.Vec3{Z: -7})
	if err != nil || x.Path.Ray.Dir != (geom.Vec3{Z: -1}) || x.Hit.T != 4 {
		t.Errorf("%+v, %v", x, err)
	}
	for _, v := range []geom.Vec3{{}, {X: math.NaN()}, {Y: math.Inf(1)}} {
		if _, err := tracer.Ray(geom.Vec3{}, v); err != ErrNoDirection {
			t.Errorf("toward %v: error %v", v, err)
		}
	}
}

// randomScene returns a scene of random solids around the origin. The eye is among them or outside.
func randomScene(rng *rand.Rand) *scene.Scene {
	s := &scene.Scene{Name: "random"}
	s.Image = scene.Image{Width: 14, Height: 10, Antialias: 1 + rng.IntN(3), Adaptive: rng.IntN(3) == 0}
	color := func() shade.Color { return shade.Color{R: rng.Float64(), G: rng.Float64(), B: rng.Float64()} }
	s.Image.Background = scene.Background{Transparent: rng.IntN(3) == 0, Gradient: shade.Gradient{Top: color(), Bottom: color()}}
	s.Camera = &camera.Camera{
		Projection: camera.Projection(rng.IntN(2)),
		Position:   shapetest.Cube(rng, []float64{2, 12}[rng.IntN(2)]),
		Up:         shapetest.Direction(rng),
		FOV:        60,
		ViewHeight: 8,
	}
	ambient := shade.Even(shade.Gray(0.1))
	if rng.IntN(2) == 0 {
		ambient.Top = color()
	}
	s.Shading = scene.Shading{Ambient: ambient, Shadows: rng.IntN(4) > 0, Bounces: rng.IntN(4), Samples: 4}
	if rng.IntN(2) == 0 {
		s.Shading.Occlusion = scene.Occlusion{Enabled: true, Distance: float64(rng.IntN(3))}
	}
	for range rng.IntN(4) {
		s.Lights = append(s.Lights, scene.Light{Attached: rng.IntN(3) == 0, Light: shade.Light{
			Directional: rng.IntN(2) == 0,
			Position:    shapetest.Cube(rng, 5),
			Direction:   shapetest.Direction(rng),
			Color:       color(),
			Intensity:   3 * rng.Float64(),
		}})
		if l := &s.Lights[len(s.Lights)-1]; rng.IntN(2) == 0 {
			l.Cone.Angle = geom.Angle(shapetest.Uniform(rng, 20, 180))
			l.Cone.Edge = geom.Angle(max(0, shapetest.Uniform(rng, -0.2, 0.5))) * l.Cone.Angle
		}
	}
	var objects []scene.Object
	for range 1 + rng.IntN(25) {
		p, r := shapetest.Cube(rng, 4), shapetest.LogUniform(rng, 0.2, 3)
		switch rng.IntN(3) {
		case 0:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: p, Radius: r})
		case 1:
			s.Capsules = append(s.Capsules, shapes.Capsule{A: p, B: shapetest.Cube(rng, 4), Radius: r / 3})
		case 2:
			m, _ := geom.RotationQuaternion(rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64())
			s.Boxes = append(s.Boxes, shapes.Box{Center: p, HalfExtents: geom.Vec3{X: r, Y: r / 2, Z: r / 3}, Rotation: m})
		}
		material := shade.Material{Albedo: color(), Mirror: max(0, shapetest.Uniform(rng, -0.5, 1))}
		if rng.IntN(2) == 0 {
			material.Checker = &shade.Checker{Albedo: color(), Size: shapetest.LogUniform(rng, 0.05, 2)}
		}
		objects = append(objects, scene.Object{Material: material})
	}
	s.Objects = scene.NewObjects(objects...)
	return s
}

// TestTooLong checks that an explanation with too many steps is an error, and that it is found before its memory is taken.
func TestTooLong(t *testing.T) {
	lights := strings.Repeat("[[light]]\nposition = [0, 8, 0]\nradius = 2\n", 300)
	s, err := scene.Decode("lights.toml", []byte("[image]\nwidth = 2\nheight = 2\n[camera]\nposition = [0, 1, 9]\nlook_at = [0, 0, 0]\n"+
		"[shading]\nsamples = 4096\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n[[sphere]]\ncenter = [0, 4, 0]\nradius = 1\n"+lights))
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	if _, err := tracer.Ray(geom.Vec3{Z: 9}, geom.Vec3{Y: 0.08, Z: -1}); err == nil || !strings.Contains(err.Error(), "lower samples or antialias") {
		t.Errorf("%d lights with 4,096 samples are explained: %v", len(s.Lights), err)
	}
	s.Lights = s.Lights[:effort.Of(1, 3, 3)]
	if prepared, err = pillbox.Prepare(s, pillbox.Picture{}); err != nil {
		t.Fatal(err)
	}
	if _, err := New(prepared).Ray(geom.Vec3{Z: 9}, geom.Vec3{Y: 0.08, Z: -1}); err != nil {
		t.Errorf("%d lights: %v", len(s.Lights), err)
	}
}
