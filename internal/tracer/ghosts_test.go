package tracer_test

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
)

// ghostly returns a copy of s in which the object with the given number is a ghost.
func ghostly(s *scene.Scene, number int, share float64) *scene.Scene {
	c := *s
	x := s.Objects.Of(number)
	x.Material.Mirror, x.Material.Ghost = 0, &shade.Ghost{Share: share}
	c.Objects = s.Objects.With(number, x)
	return &c
}

// without returns a copy of s in which nothing is visible of an object: it is tiny and far away.
func without(t *testing.T, s *scene.Scene, number int) *scene.Scene {
	t.Helper()
	c := *s
	c.Spheres, c.Capsules, c.Boxes, c.Cylinders = slices.Clone(s.Spheres), slices.Clone(s.Capsules), slices.Clone(s.Boxes), slices.Clone(s.Cylinders)
	switch k, i := s.Of(number); k {
	case scene.KindSphere:
		c.Spheres[i].Center.Y, c.Spheres[i].Radius = -1e6, 1e-6
	case scene.KindCapsule:
		c.Capsules[i].A.Y, c.Capsules[i].B, c.Capsules[i].Radius = -1e6, c.Capsules[i].A, 1e-6
		c.Capsules[i].B.Y = -1e6
	case scene.KindBox:
		c.Boxes[i].Center.Y, c.Boxes[i].HalfExtents = -1e6, c.Boxes[i].HalfExtents.Scale(1e-6)
	case scene.KindCylinder:
		c.Cylinders[i].A.Y, c.Cylinders[i].B.Y, c.Cylinders[i].Radius = -1e6, -1e6-1e-6, 1e-6
	}
	return &c
}

// TestGhostIsABlend compares scenes in which one solid is a ghost with two others: one in which the solid is opaque but
// blocks no light, because there are no shadows, and one without it. Where the solid is in front, the color must be the
// blend of both, and with a tiny share it must be that of the scene without the solid.
func TestGhostIsABlend(t *testing.T) {
	blends := 0
	for i := range effort.Of(600, 1500, 4000) {
		rng := rand.New(rand.NewPCG(31, uint64(i)))
		s := randomScene(rng)
		if s.Objects.Len() == 0 || s.Objects.HasGhosts() || s.Fog != nil && (s.Fog.Near.Auto || s.Fog.Far.Auto) {
			continue
		}
		s.Image.Antialias, s.Image.Background.Transparent, s.Outline = 1, false, nil
		s.Shading.Shadows, s.Shading.Occlusion.Enabled, s.Shading.Bounces = false, false, 0
		camera := s.CameraFor(s.Image.Width, s.Image.Height) // not affected by the solid
		s.Camera = &camera
		number, share := rng.IntN(s.Objects.Len()), rng.Float64()
		x := s.Objects.Of(number)
		x.Material.Mirror = 0
		s.Objects = s.Objects.With(number, x)
		opt := options{Work: pillbox.Work{Linear: true}}
		gone := without(t, s, number)
		if len(s.Lights) == 0 { // that of the camera depends on the solids
			s.Lights = []scene.Light{{Light: shade.Light{Directional: true, Direction: s.Camera.LookAt.Sub(s.Camera.Position).Unit(), Color: shade.White(), Intensity: 1}}}
			gone.Lights = s.Lights
		}
		front, behind := render(t, s, opt), render(t, gone, opt)
		mixed, faint := render(t, ghostly(s, number, share), opt), render(t, ghostly(s, number, 1e-15), opt)
		prepared, err := pillbox.Prepare(s, pillbox.Picture{})
		restPrepared, otherErr := pillbox.Prepare(gone, pillbox.Picture{})
		if err != nil || otherErr != nil {
			t.Fatal(err, otherErr)
		}
		st, rest := follow.Of(prepared), follow.Of(restPrepared)
		for k := range mixed.Linear {
			pixel := image.Pt(k%mixed.Region.Dx(), k/mixed.Region.Dx())
			rays := st.PixelRays(pixel, 1)
			hit := st.World.TraverseNearest(rays.At(0), nil)
			want := behind.Linear[k]
			if hit.Object == int32(number) && !hit.Inside && hit.T < rest.World.TraverseNearest(rays.At(0), nil).T {
				blends++
				want = behind.Linear[k].Mix(front.Linear[k], share)
			}
			if !near(mixed.Linear[k], want, 1e-12) && inGamut(front.Linear[k]) && inGamut(behind.Linear[k]) {
				t.Fatalf("scene %d, pixel %v: %v, want %v", i, pixel, mixed.Linear[k], want)
			}
			if !near(faint.Linear[k], behind.Linear[k], 1e-12) {
				t.Fatalf("scene %d, pixel %v with a faint ghost: %v, want %v", i, pixel, faint.Linear[k], behind.Linear[k])
			}
		}
	}
	if blends < 200 {
		t.Errorf("only %d pixels show a ghost in front", blends)
	}
}

// inGamut reports whether a color is not at the limit at which samples are clamped.
func inGamut(c shade.Color) bool { return max(c.R, c.G, c.B) < 1 }

func near(a, b shade.Color, tolerance float64) bool {
	d := a.Sub(b)
	return math.Abs(d.R)+math.Abs(d.G)+math.Abs(d.B) <= tolerance
}
