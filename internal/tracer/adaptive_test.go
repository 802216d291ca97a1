package tracer_test

import (
	"image"
	"slices"
	"testing"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/golden"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// Limits for the differences between adaptive and full antialiasing, as in docs/scene.md. maxDifferent is the
// fraction of pixels that may differ, and maxDifferentSampled is that for scenes with soft light. maxFarDifferent
// is the fraction of pixels that may differ by more than maxSteps 8-bit steps.
const (
	maxDifferent        = 0.01
	maxDifferentSampled = 0.06
	maxSteps            = 4
	maxFarDifferent     = 0.0002

	maxShare = 0.4 // of the camera rays of full 3 x 3 antialiasing, in scenes for which isSampled is false
)

// TestAdaptiveIsCloseToFull compares adaptive with full antialiasing, for scenes with most kinds of edges or, in
// a campaign, for all scenes. Differences must be within the limits above.
func TestAdaptiveIsCloseToFull(t *testing.T) {
	some := []string{"adaptive", "checker", "demo", "light-inside", "mirror-mirror", "occlusion", "parts", "penumbra", "penumbra-adaptive", "transparent"}
	switch {
	case effort.IsCampaign():
		some = shipped.Names(t)
	case !effort.IsAll():
		some = []string{"adaptive", "mirror-mirror", "penumbra-adaptive"}
	}
	for _, name := range some {
		t.Run(name, func(t *testing.T) {
			s := shipped.Load(t, name)
			opt := options{Picture: pillbox.Picture{Size: image.Pt(min(s.Image.Width, 480), 0), Antialias: 3}}
			if effort.IsCampaign() {
				opt.Size = image.Point{}
			}
			full := antialiased(t, *s, false, opt)
			adaptive := antialiased(t, *s, true, opt)
			diff, err := golden.Compare(adaptive.Image, full.Image, golden.Tolerance{MaxChannel: maxSteps})
			if err != nil {
				t.Fatal(err)
			}
			refined := 0
			for _, r := range adaptive.Refined {
				if r {
					refined++
				}
			}
			pixels := float64(len(adaptive.Refined))
			share := float64(adaptive.Rays.Primary) / float64(full.Rays.Primary)
			t.Logf("%.2f%% of the pixels differ, by at most %d; %.1f%% refined, %.2f of the rays", 100*float64(diff.Differing)/pixels,
				diff.Max, 100*float64(refined)/pixels, share)
			limit := maxDifferent
			if isSampled(s) {
				limit = maxDifferentSampled
			}
			if float64(diff.Differing) > limit*pixels || float64(diff.Changed) > maxFarDifferent*pixels {
				t.Errorf("%d of %g pixels differ, %d by more than %d", diff.Differing, pixels, diff.Changed, maxSteps)
			}
			if !isSampled(s) && share > maxShare {
				t.Errorf("%.2f of the rays", share)
			}
			if refined > 0 && full.Refined != nil {
				t.Error("full antialiasing says what it refined")
			}
		})
	}
}

// TestAdaptiveDependsOnThePictureAlone checks that tiles, regions and brute force do not change a picture with
// adaptive antialiasing.
func TestAdaptiveDependsOnThePictureAlone(t *testing.T) {
	for _, name := range shipped.Names(t) {
		t.Run(name, func(t *testing.T) {
			s := shipped.Load(t, name)
			opt := options{Picture: pillbox.Picture{Size: image.Pt(sideOf(60), 0), Antialias: 2}}
			want := antialiased(t, *s, true, opt)
			size := want.Image.Rect.Size()
			check := func(what string, got *pillbox.Film) {
				t.Helper()
				part := want.Image.SubImage(got.Region).(*image.NRGBA)
				if pillbox.Hash(got.Image) != pillbox.Hash(part) {
					t.Errorf("another picture with %s", what)
				}
				for i, refined := range got.Refined {
					p := got.Region.Min.Add(image.Pt(i%got.Region.Dx(), i/got.Region.Dx()))
					if refined != want.Refined[p.Y*size.X+p.X] {
						t.Fatalf("with %s pixel %v is refined: %v", what, p, refined)
					}
				}
			}
			for _, tile := range []int{5, 1000} {
				opt := opt
				opt.tileSize, opt.Workers = tile, 2
				check("other tiles", antialiased(t, *s, true, opt))
			}
			part := opt
			part.Region = image.Rect(size.X/3, size.Y/3, size.X/2+1, size.Y/2+1)
			part.tileSize = 1
			check("a region, pixel by pixel", antialiased(t, *s, true, part))
			if effort.IsAll() && !testing.Short() {
				slow := opt
				slow.brute = true
				check("brute force", antialiased(t, *s, true, slow))
			}
		})
	}
}

// isSampled reports whether s has lights with a size or ambient occlusion.
func isSampled(s *scene.Scene) bool {
	return s.Shading.Occlusion.Enabled || slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.Radius > 0 || l.Angle > 0 })
}

// TestAdaptiveTellsManyLightsApart checks scenes with 2 to 128 equal lights at one position, whose shadows are
// therefore the same. Adaptive antialiasing must refine the same pixels as with a single light.
func TestAdaptiveTellsManyLightsApart(t *testing.T) {
	s := shipped.Load(t, "light-point")
	opt := options{Picture: pillbox.Picture{Size: image.Pt(sideOf(120), 0), Antialias: 2}}
	light := s.Lights[0]
	s.Lights = s.Lights[:1]
	want := antialiased(t, *s, true, opt)
	for _, n := range []int{2, 3, 63, 64, 65, 128} {
		s.Lights = slices.Repeat([]scene.Light{light}, n)
		if got := antialiased(t, *s, true, opt); !slices.Equal(got.Refined, want.Refined) {
			t.Errorf("with %d lights other pixels are refined than with one", n)
		}
	}
}

// TestAdaptiveTellsPenumbrasApart adds equal lights with penumbras to a scene, one after another. Every pixel that
// adaptive antialiasing refines with few lights must also be refined with more lights.
func TestAdaptiveTellsPenumbrasApart(t *testing.T) {
	s := shipped.Load(t, "penumbra")
	opt := options{Picture: pillbox.Picture{Size: image.Pt(sideOf(120), 0), Antialias: 2}}
	light := s.Lights[0]
	refined := make([]bool, 0)
	for n := range 5 {
		s.Lights = slices.Repeat([]scene.Light{light}, n)
		s.Shading.Occlusion.Enabled = true
		got := antialiased(t, *s, true, opt).Refined
		for i := range refined {
			if refined[i] && !got[i] {
				t.Fatalf("pixel %d is refined with %d lights, but not with %d", i, n-1, n)
			}
		}
		refined = got
	}
	if !slices.Contains(refined, true) || !slices.Contains(refined, false) {
		t.Error("all pixels or none are refined")
	}
}

// sideOf returns usual as the side of a picture or, with -short, a third of it. The race detector runs with -short,
// because small pictures show races as well as large ones.
func sideOf(usual int) int {
	if testing.Short() {
		return usual / 3
	}
	return effort.Of(usual/2, usual, usual)
}

func antialiased(t *testing.T, s scene.Scene, adaptive bool, opt options) *pillbox.Film {
	t.Helper()
	s.Image.Adaptive = adaptive
	return render(t, &s, opt)
}

// TestAdaptiveSeesEverySquare checks that pixels along the borders of a checker's squares are refined, even between
// squares of the same color. The center rays of such a pixel and of a neighbor hit different squares.
func TestAdaptiveSeesEverySquare(t *testing.T) {
	s := &scene.Scene{
		Image:  scene.Image{Width: 40, Height: 30, Antialias: 2, Adaptive: true},
		Camera: &camera.Camera{Projection: camera.Orthographic, Position: geom.Vec3{Z: 9}, Up: geom.Vec3{Y: 1}, ViewHeight: 30},
		Boxes:  []shapes.Box{{HalfExtents: geom.Vec3{X: 99, Y: 99, Z: 1}, Rotation: geom.Identity()}},
	}
	for size, want := range map[float64]int{
		0.5: 40 * 30,           // the middles of all pixels have the same color
		10:  8*30 + 6*40 - 8*6, // lines between squares: 5 down, of which 2 along the edges, and 3 across
		99:  2*30 + 2*40 - 2*2, // one down and one across
	} {
		s.Objects = scene.NewObjects(scene.Object{Material: shade.Material{Checker: &shade.Checker{Albedo: shade.White(), Size: size}}})
		refined := 0
		for _, r := range render(t, s, options{}).Refined {
			if r {
				refined++
			}
		}
		if refined != want {
			t.Errorf("squares of %v pixels: %d pixels are refined, want %d", size, refined, want)
		}
	}
}
