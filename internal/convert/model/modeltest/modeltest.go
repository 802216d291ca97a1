// Package modeltest contains checks that the tests of all readers share.
package modeltest

import (
	"bytes"
	"strings"
	"testing"

	"pillbox/internal/convert/model"
	"pillbox/scene"
)

// Load writes a scene and loads the result. It fails the test if either causes an error.
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

// Check checks the result of a reader, m and err, for any input. An error must be one line without escape characters.
// If none exists and m can be written, the scene that was written must be loadable.
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
