package play

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"pillbox/scene"
	"pillbox/scenes"
)

// TestShippedScenesNeedNoFiles checks that the page lists exactly the shipped scenes that can be decoded without
// other files.
func TestShippedScenesNeedNoFiles(t *testing.T) {
	names, err := fs.Glob(scenes.Files(), "*.toml")
	if err != nil || len(names) < 40 {
		t.Fatalf("%d scenes, %v", len(names), err)
	}
	for _, file := range names {
		_, err := scene.Decode(file, []byte(read(scenes.Files(), file)))
		name := strings.TrimSuffix(file, ".toml")
		listed := slices.ContainsFunc(shipped(), func(s shippedScene) bool { return s.Name == name })
		if listed != (err == nil) {
			t.Errorf("%s: in the list: %t; decoded alone: %v", name, listed, err)
		}
	}
}
