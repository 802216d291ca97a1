package conformance_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pillbox"
	"pillbox/scene"
)

var long = flag.Bool("long", false, "also run the checks that take long")

// TestMain runs the tests in the module's root folder, which all their paths are relative to.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// names returns the shipped scenes, without directory and extension.
func names(t testing.TB) []string {
	files, err := filepath.Glob("scenes/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenes: %v", err)
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(filepath.Base(f), ".toml")
	}
	return files
}

func load(t testing.TB, name string) *scene.Scene {
	t.Helper()
	s, err := scene.Load(filepath.Join("scenes", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func render(t testing.TB, s *scene.Scene, opt pillbox.Options) *pillbox.Film {
	t.Helper()
	film, err := pillbox.Render(context.Background(), s, opt)
	if err != nil {
		t.Fatal(err)
	}
	return film
}
