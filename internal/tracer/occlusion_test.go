package tracer_test

import (
	"context"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shapes/shapetest"
)

// allRays is a world that omits no ray of ambient occlusion, because its MayOcclude always returns true. Its
// BlockedSky does not trace the rays from a point together, so these rays are grouped by sectors.
type allRays struct{ follow.World }

func (allRays) MayOcclude(_, _ geom.Vec3, _ int32, _ float64) bool { return true }
func (allRays) BlockedSky(*accel.Sky) bool                         { return false }

// TestSkyDecisionIsExact compares pictures of random scenes with pictures in the world [allRays]. They must have
// the same bits. The number of workers and the size of tiles differ.
func TestSkyDecisionIsExact(t *testing.T) {
	all, cast := int64(0), int64(0)
	for i := range effort.Of(60, 300, 2000) {
		rng := rand.New(rand.NewPCG(12, uint64(i)))
		s := randomScene(rng)
		s.Shading.Occlusion = scene.Occlusion{Enabled: true, Distance: max(0, shapetest.Uniform(rng, -0.5, 2))}
		prepared, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		p := follow.Of(prepared)
		got, err := renderPrepared(context.Background(), p, options{Work: pillbox.Work{Linear: true, Workers: 1}, tileSize: 7})
		if err != nil {
			t.Fatal(err)
		}
		full := *p
		full.World = allRays{p.World}
		want, err := renderPrepared(context.Background(), &full, options{Work: pillbox.Work{Linear: true, Workers: 7}, tileSize: 3})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Linear, want.Linear) || !slices.Equal(got.Image.Pix, want.Image.Pix) {
			t.Fatalf("scene %d differs: %v", i, compare(t, got, want))
		}
		all, cast = all+want.Rays.Shadow, cast+got.Rays.Shadow
	}
	if cast == 0 || cast > all*97/100 {
		t.Errorf("%d of %d rays were cast: the decision is not tested", cast, all)
	}
}

// TestNoSkyNoRays checks that ambient occlusion costs no rays for a single ball, which hides no sky from itself,
// and does not change its picture.
func TestNoSkyNoRays(t *testing.T) {
	s, err := scene.Decode("ball.toml", []byte("[image]\nwidth = 30\nheight = 20\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := render(t, s, options{})
	s.Shading.Occlusion.Enabled = true
	got := render(t, s, options{})
	if got.Rays != want.Rays || !slices.Equal(got.Image.Pix, want.Image.Pix) {
		t.Errorf("rays %+v, want %+v, and the same picture: %v", got.Rays, want.Rays, compare(t, got, want))
	}
}

// TestManySamples compares a picture with the largest number of samples with the colors of package follow.
func TestManySamples(t *testing.T) {
	var s *scene.Scene
	var film *pillbox.Film
	for seed := uint64(0); film == nil || film.Rays.Shadow < scene.MaxSamples; seed++ {
		if seed == 50 {
			t.Fatal("no rays are cast: the test sees nothing")
		}
		s = randomScene(rand.New(rand.NewPCG(11, seed)))
		s.Lights, s.Image = nil, scene.Image{Width: 5, Height: 4, Antialias: 1, Background: s.Image.Background}
		s.Shading.Samples, s.Shading.Occlusion = scene.MaxSamples, scene.Occlusion{Enabled: true}
		film = render(t, s, options{Work: pillbox.Work{Linear: true}})
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	st := follow.Of(prepared)
	for k := range film.Linear {
		at := film.Region.Min.Add(image.Pt(k%film.Region.Dx(), k/film.Region.Dx()))
		if want, _ := followed(st, at, 1, sights{}); film.Linear[k] != want {
			t.Fatalf("pixel %v is %v, want %v", at, film.Linear[k], want)
		}
	}
}
