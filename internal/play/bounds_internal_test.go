package play

import (
	"testing"

	"pillbox/scene"
	"pillbox/shade"
)

// TestRaysAtPoint checks that the samples of lights with a size and of the sky count as rays.
func TestRaysAtPoint(t *testing.T) {
	s := &scene.Scene{Lights: []scene.Light{{}, {Light: shade.Light{Radius: 1}}, {Light: shade.Light{Directional: true, Angle: 1}}}}
	s.Shading.Samples = 64
	if got, want := raysAtPoint(s), 2+2*64; got != want {
		t.Errorf("raysAtPoint = %d, want %d", got, want)
	}
	s.Shading.Occlusion.Enabled = true
	if got, want := raysAtPoint(s), 2+3*64; got != want {
		t.Errorf("with occlusion, raysAtPoint = %d, want %d", got, want)
	}
}
