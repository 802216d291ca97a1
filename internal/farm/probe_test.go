package farm

import (
	"context"
	"strings"
	"testing"

	"pillbox"
)

// TestProbe checks that this machine renders the probe scenes to the expected bits.
func TestProbe(t *testing.T) {
	probed.Store(false)
	if err := checkProbe(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestProbeSeesEveryFeature checks that every feature that determines pixels affects the picture of a probe scene.
func TestProbeSeesEveryFeature(t *testing.T) {
	all := probes()
	before := make([]string, len(all))
	for i, text := range all {
		before[i] = probeHash(t, text)
	}
	for _, change := range []struct{ old, new string }{
		{"fov = 37", "fov = 37.3"},
		{"view_height = 6.3", "view_height = 6.363"},
		{`, projection = "orthographic", view_height = 6.3`, ""},
		{", up = [0.1, 1, 0]", ""},
		{`antialias_mode = "adaptive"`, `antialias_mode = "full"`},
		{"antialias = 2", "antialias = 1"},
		{`bottom = "#221100"`, `bottom = "#222211"`},
		{"ambient = 0.15", "ambient = 0.16"},
		{"bounces = 3", "bounces = 1"},
		{"mirror = 0.55", "mirror = 0.54"},
		{"intensity = 0.3", "intensity = 0.31"},
		{"size = 0.7", "size = 0.71"},
		{"shadows = false", "shadows = true"},
		{`top = "#204060"`, `top = "#214060"`},
		{`background = "transparent"`, `background = "black"`},
		{"[[sphere]]\ncenter = [-1.3", "[[sphere]]\ncenter = [-1.4"},
		{"b = [1.9, 1.4, -0.3]", "b = [1.9, 1.3, -0.3]"},
		{"half_extents = [4, 0.4, 4]", "half_extents = [4, 0.5, 4]"},
		{"b = [-2.2, 0.8, 1.1]", "b = [-2.2, 0.9, 1.1]"},
		{"scale = 1.3", "scale = 1.4"},
		{"angle = 20", "angle = 30"},
		{"rotate = [10, 30, 20]", "rotate = [10, 30, 30]"},
		{"[[bulk]]\nshape = \"sphere\"\nfile = \"probe.csv\"\n", ""},
	} {
		found, seen := false, false
		for i, text := range all {
			if changed := strings.Replace(text, change.old, change.new, 1); changed != text {
				found, seen = true, seen || probeHash(t, changed) != before[i]
			}
		}
		if !found || !seen {
			t.Errorf("%q changed to %q: in a probe scene %v, seen in its pixels %v", change.old, change.new, found, seen)
		}
	}
}

func probeHash(t *testing.T, text string) string {
	t.Helper()
	film, err := renderProbe(context.Background(), text)
	if err != nil {
		t.Fatal(err)
	}
	return pillbox.Hash(film.Image)
}
