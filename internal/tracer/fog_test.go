package tracer_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pillbox"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// TestThinFog checks that fog without effect keeps every bit of a picture: with strength 0, or where it begins beyond
// everything.
func TestThinFog(t *testing.T) {
	beyond := scene.FogDepth{Depth: geom.MaxCoordinate}
	for i := range 30 {
		s := randomScene(rand.New(rand.NewPCG(61, uint64(i))))
		s.Fog = nil
		want := render(t, s, options{Work: pillbox.Work{Linear: true}})
		for _, f := range []scene.Fog{
			{Near: scene.FogDepth{Auto: true}, Far: scene.FogDepth{Auto: true}, Color: shade.Color{R: 1}, Background: true},
			{Near: beyond, Far: scene.FogDepth{Auto: true}, Color: shade.Color{R: 1}, Strength: 1},
		} {
			s.Fog = &f
			got := render(t, s, options{Work: pillbox.Work{Linear: true}})
			if !slices.Equal(got.Image.Pix, want.Image.Pix) || !slices.Equal(got.Linear, want.Linear) {
				t.Errorf("scene %d: %+v changes the picture", i, f)
			}
		}
	}
}

// TestThickFog checks that fog of the full strength from the camera on hides solids and, if it includes the background,
// everything.
func TestThickFog(t *testing.T) {
	red := shade.Color{R: 1}
	for i := range 30 {
		s := randomScene(rand.New(rand.NewPCG(62, uint64(i))))
		s.Image.Background.Transparent = false
		s.Fog = &scene.Fog{Far: scene.FogDepth{Depth: 1e-9}, Color: red, Strength: 1, Background: true}
		for k, got := range render(t, s, options{Work: pillbox.Work{Linear: true}}).Linear {
			if d := got.Sub(red); max(d.R, -d.R, d.G, d.B) > 1e-12 {
				t.Fatalf("scene %d: pixel %d is %v", i, k, got)
			}
		}
	}
}
