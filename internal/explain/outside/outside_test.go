package outside_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/explain/outside"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/follow"
	"pillbox/scene"
)

var pictures = flag.String("pictures", "", "write pictures of the shipped scenes into this `folder`")

// subjectOf explains the middle pixel of a picture of s with the given size, and returns its path as a subject.
func subjectOf(t *testing.T, s *scene.Scene, size image.Point) *outside.Subject {
	t.Helper()
	prepared, err := pillbox.Prepare(s, pillbox.Picture{Size: size})
	if err != nil {
		t.Fatal(err)
	}
	st := follow.Of(prepared)
	pixel := st.Size.Div(2)
	rays := st.PixelRays(pixel, 1)
	path := st.Follow(st.CameraRay(rays.SampleRay(0, 0)), follow.PositionOf(&rays, 0), nil)
	return &outside.Subject{Prepared: prepared, Pixel: &pixel, Path: path}
}

// aside returns a camera that looks at the path of x from the side.
func aside(x *outside.Subject) camera.Camera {
	c := x.Camera()
	back := c.Position.Sub(c.LookAt)
	side, _ := geom.Direction(c.Up.Cross(back))
	up, _ := geom.Direction(back.Cross(side))
	d := back.Norm()
	c.Position = c.LookAt.AddScaled(0.6, back).AddScaled(0.6*d, side).AddScaled(0.4*d, up)
	return c
}

// TestMarksLieOnThePath checks that the axis of the capsule that marks a ray is exactly the segment that the tracer
// computed.
func TestMarksLieOnThePath(t *testing.T) {
	rays := 0
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		x := subjectOf(t, s, image.Pt(40, 0))
		marks := x.Marks(aside(x))
		if err := marks.Validate(); err != nil {
			t.Fatal(err)
		}
		drawn := map[string][]geom.Segment{}
		for i, c := range marks.Capsules {
			name := marks.Objects.Name(len(marks.Spheres) + i)
			drawn[name] = append(drawn[name], geom.Segment{A: c.A, B: c.B})
		}
		for p := x.Path; p != nil; p = p.Mirror {
			end := p.Ray.Origin.AddScaled(x.Far(), p.Ray.Dir)
			if p.IsSolid() {
				end = p.Hit.Point
			}
			want(t, drawn, explain.RayName(p.Depth, -1), geom.Segment{A: p.Ray.Origin, B: end})
			rays++
			for _, a := range p.Lights {
				name := explain.RayName(p.Depth, a.Index)
				switch {
				case len(a.Points) > 0:
					if len(drawn[name]) != len(a.Points) {
						t.Errorf("%d of the %d points of %s are drawn", len(drawn[name]), len(a.Points), name)
					}
				case a.Visibility == follow.Blocked:
					want(t, drawn, name, geom.Segment{A: p.Hit.Point, B: p.Hit.Point.AddScaled(a.T, a.Dir)})
				case a.Visibility == follow.Visible && a.Dir != geom.Vec3{}:
					want(t, drawn, name, geom.Segment{A: p.Hit.Point, B: p.Hit.Point.AddScaled(math.Min(a.Reach, x.Far()), a.Dir)})
				case a.Visibility == follow.Enclosed:
					ray := geom.Ray{Origin: p.Hit.Point, Dir: a.Dir}
					span, _ := s.Solid(int(a.Object)).Span(ray)
					want(t, drawn, name, geom.Segment{A: ray.Origin, B: ray.At(span.Far.T)})
				case len(drawn[name]) > 0:
					t.Errorf("%s is drawn, but the light %s", name, a.Visibility)
				}
			}
		}
	})
	if rays < effort.Of(10, 40, 40) {
		t.Errorf("only %d rays are compared", rays)
	}
}

func want(t *testing.T, drawn map[string][]geom.Segment, name string, s geom.Segment) {
	t.Helper()
	if got := drawn[name]; len(got) != 1 || got[0] != s {
		t.Errorf("%s is drawn as %v, want %v", name, got, s)
	}
}

// TestSolidsAreUnchanged checks that pixels without a mark equal those of the scene rendered with the other camera.
// These must be most pixels. The lights must stay where the scene's own camera puts them.
func TestSolidsAreUnchanged(t *testing.T) {
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		x := subjectOf(t, s, image.Pt(40, 0))
		c := aside(x)
		for _, n := range []int{1, 2} {
			pic := outside.Picture{Camera: c, Size: image.Pt(60, 45), Antialias: n}
			got, err := x.Render(t.Context(), pic)
			if err != nil {
				t.Fatal(err)
			}
			covered := render(t, x.Marks(c), pic)
			if n > 1 && (s.Shading.Occlusion.Enabled || hasSize(s)) {
				continue // sampled at other points
			}
			seen := *s
			seen.Camera, seen.Lights, seen.Image.Adaptive, seen.Outline, seen.Fog = &c, nil, false, nil, nil
			for _, l := range follow.Of(x.Prepared).Lights {
				seen.Lights = append(seen.Lights, scene.Light{Light: l.Light})
			}
			want := render(t, &seen, pic)
			free := 0
			for i := 0; i < len(want.Pix); i += 4 {
				if covered.Pix[i+3] != 0 {
					continue
				}
				free++
				if !bytes.Equal(got.Pix[i:i+4], want.Pix[i:i+4]) {
					t.Fatalf("antialias %d, pixel %d: %v, want %v", n, i/4, got.Pix[i:i+4], want.Pix[i:i+4])
				}
			}
			if all := len(want.Pix) / 4; free < all*3/4 || free > all-20 {
				t.Errorf("antialias %d: no mark is at %d of %d pixels", n, free, all)
			}
		}
	})
}

func hasSize(s *scene.Scene) bool {
	for i := range s.Lights {
		if s.Lights[i].HasSize() {
			return true
		}
	}
	return false
}

func render(t *testing.T, s *scene.Scene, pic outside.Picture) *image.NRGBA {
	t.Helper()
	film, err := pillbox.Render(t.Context(), s, pillbox.Options{Picture: pillbox.Picture{Size: pic.Size, Antialias: pic.Antialias}})
	if err != nil {
		t.Fatal(err)
	}
	return film.Image
}

// TestNearerMarkCovers checks that a mark in front of a solid has its own color, and that a mark behind a solid is
// faintly visible.
func TestNearerMarkCovers(t *testing.T) {
	s, err := scene.Decode("wall.toml", []byte(`
		[image]
		background = "black"
		[camera]
		position = [0, 0, 5]
		look_at = [0, 0, 0]
		[[light]]
		direction = [0, 0, -1]
		[[box]]
		center = [0, 0, -1]
		half_extents = [9, 9, 1]
		color = "black"
	`))
	if err != nil {
		t.Fatal(err)
	}
	x := subjectOf(t, s, image.Pt(9, 9))
	look := func(z float64) int {
		c := camera.Camera{Position: geom.Vec3{X: 2, Y: 0.5, Z: z}, LookAt: geom.Vec3{Z: z / 10}, Up: geom.Vec3{Y: 1}, FOV: 40}
		img, err := x.Render(t.Context(), outside.Picture{Camera: c, Size: image.Pt(61, 61), Antialias: 1})
		if err != nil {
			t.Fatal(err)
		}
		brightest := 0
		for y := 25; y < 36; y++ {
			for i := 25; i < 36; i++ {
				brightest = max(brightest, int(img.NRGBAAt(i, y).B))
			}
		}
		return brightest
	}
	if front, back := look(5), look(-9); front < 200 || back > front*3/4 || back < 40 {
		t.Errorf("the ray is %d before the wall and %d behind it", front, back)
	}
}

// TestCanceled checks that canceling the context ends the render.
func TestCanceled(t *testing.T) {
	x := subjectOf(t, scene.New(), image.Pt(8, 6))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := x.Render(ctx, outside.Picture{Camera: aside(x), Size: image.Pt(8, 6), Antialias: 1}); !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

// TestPictures writes pictures for people to look at.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("needs -pictures")
	}
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		x := subjectOf(t, s, image.Pt(320, 0))
		img, err := x.Render(t.Context(), outside.Picture{Camera: aside(x), Size: image.Pt(480, 320), Antialias: 2})
		if err != nil {
			t.Fatal(err)
		}
		var data bytes.Buffer
		if err := png.Encode(&data, img); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*pictures, filepath.Base(s.Name)+".png"), data.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	})
}
