// Package modeltest holds what tests of every reader of other programs' files do with what was read.
package modeltest

import (
	"bytes"
	"strings"
	"testing"

	"pillbox/internal/convert/model"
	"pillbox/scene"
)

// Load writes a scene and loads what was written. The test ends if either fails.
func Load(t testing.TB, m *model.Scene) *scene.Scene {
	t.Helper()
	var b bytes.Buffer
	if err := m.Write(&b, model.Tables{}); err != nil {
		t.Fatal(err)
	}
	s, err := scene.Decode("m.toml", b.Bytes())
	if err != nil {
		t.Fatalf("%v\n%s", err, b.Bytes())
	}
	return s
}

// Check holds what a reader returned for any input to what all readers keep: an error is one line
// without control characters, and a scene that can be written (something is left, and nothing is too far
// out) can be loaded.
func Check(t testing.TB, m *model.Scene, err error) {
	t.Helper()
	if err != nil {
		if strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("the error has control characters: %q", err)
		}
		return
	}
	if m.Write(new(bytes.Buffer), model.Tables{}) == nil {
		Load(t, m)
	}
}
