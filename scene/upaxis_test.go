package scene_test

import (
	"bytes"
	"testing"

	"pillbox/scene"
)

// TestUpAxis checks the values of the key up, and that WriteTOML keeps them.
func TestUpAxis(t *testing.T) {
	const ball = "[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"
	for text, want := range map[string]bool{"": false, "up = \"y\"\n": false, "up = \"z\"\n": true} {
		s, err := scene.Decode("s.toml", []byte(text+ball))
		if err != nil || s.ZUp != want {
			t.Fatalf("%q: %v, ZUp %v, want %v", text, err, s.ZUp, want)
		}
		var b bytes.Buffer
		if err := s.WriteTOML(&b); err != nil {
			t.Fatal(err)
		}
		if again, err := scene.Decode("s.toml", b.Bytes()); err != nil || again.ZUp != want {
			t.Errorf("%q: written and read again: %v, ZUp %v, want %v", text, err, again.ZUp, want)
		}
	}
	for _, bad := range []string{"up = \"x\"\n", "up = [0, 0, 1]\n"} {
		if _, err := scene.Decode("s.toml", []byte(bad+ball)); err == nil {
			t.Errorf("%q is valid", bad)
		}
	}
}
