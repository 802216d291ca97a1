package explain

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"pillbox"
	"pillbox/accel"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shapes"
)

func randomSegment(rng *rand.Rand) geom.Segment {
	return geom.Segment{A: cube(rng, 4), B: cube(rng, 4)}
}

// lone returns a scene of one solid.
func lone(s shapes.Shape) *scene.Scene {
	x := &scene.Scene{Name: "scene.toml", Objects: make([]scene.Object, 1)}
	x.Image = scene.Image{Width: 8, Height: 8, Antialias: 1}
	switch s := s.(type) {
	case *shapes.Sphere:
		x.Spheres = []shapes.Sphere{*s}
	case *shapes.Capsule:
		x.Capsules = []shapes.Capsule{*s}
	case *shapes.Box:
		x.Boxes = []shapes.Box{*s}
	}
	return x
}

// TestDiagramLabels draws random solids with rays and segments that graze them, of sizes from
// the smallest to the largest, and looks for labels that cover each other or leave the
// diagram.
func TestDiagramLabels(t *testing.T) {
	for i := range often(60, 3000) {
		rng := rand.New(rand.NewPCG(14, uint64(i)))
		shape := randomSolid(rng)
		r := randomRay(rng, shape)
		tracer, err := New(lone(shape), pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var k *sketch
		opt := DiagramOptions{Dark: i%2 == 0, Object: 0}
		if i%4 == 3 {
			k = tracer.Segment(geom.Segment{A: r.Origin, B: r.At(uniform(rng, 0, 20))}).sketch(opt)
		} else {
			k = tracer.sketch(aimed(t, tracer, r).Path, "a ray", opt)
		}
		k.finish(shape)
		if len(k.taken) < 2 {
			t.Errorf("seed %d: only %d labels", i, len(k.taken))
		}
		for j, b := range k.taken {
			if !canvasBox().contains(point{b.x0, b.y0}) || !canvasBox().contains(point{b.x1, b.y1}) {
				t.Errorf("seed %d: label %d at %v leaves the diagram", i, j, b)
			}
			for _, c := range k.taken[:j] {
				if b.overlaps(c) {
					t.Errorf("seed %d: labels at %v and %v overlap", i, b, c)
				}
			}
		}
	}
}

func TestDiagramOfPixelMarksIt(t *testing.T) {
	s, err := scene.Load("../scenes/sphere.toml")
	if err != nil {
		t.Fatal(err)
	}
	tracer, err := New(s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, dark := range []bool{false, true} {
		x, err := tracer.Pixel(image.Pt(160, 120))
		if err != nil {
			t.Fatal(err)
		}
		img, err := x.Diagram(DiagramOptions{Dark: dark, Object: accel.None})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := img.Bounds().Size(), image.Pt(1200, 800); got != want {
			t.Errorf("size %v, want %v", got, want)
		}
		if got, want := color.NRGBAModel.Convert(img.At(2, 2)), themeOf(dark).paper; got != want {
			t.Errorf("the corner is %v, want %v", got, want)
		}
		// The picture is 267 x 200 in the middle of the column, the cross hairs on its middle.
		mark := color.NRGBAModel.Convert(img.At(1012, 104)).(color.NRGBA)
		if mark.R < 0x90 || mark.G > 0x90 {
			t.Errorf("there is %v where the pixel should be marked", mark)
		}
	}
}

func TestDiagramOfNothing(t *testing.T) {
	s := lone(&shapes.Sphere{Radius: 1})
	s.Spheres, s.Objects = nil, nil
	tracer, err := New(s, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []Explanation{aimed(t, tracer, geom.Ray{Dir: geom.Vec3{X: 1}}), tracer.Segment(geom.Segment{})} {
		if _, err := x.Diagram(DiagramOptions{Object: accel.None}); err != ErrNothing {
			t.Errorf("%T: error %v, want ErrNothing", x, err)
		}
	}
}
