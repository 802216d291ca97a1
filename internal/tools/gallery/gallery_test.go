package main

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox/golden"
	"pillbox/internal/fixture"
	"pillbox/internal/fixture/effort"
	"pillbox/scene"
)

var long = flag.Bool("long", false, "run the gallery's commands in full, and compare their pictures with those in docs/gallery")

// root is the module's root, relative to this folder, where the tests run.
const root = "../../.."

// Example prints the first lines of a scene.
func Example() {
	f := &files{}
	robot(f, 0)
	os.Stdout.Write(f.scene.Bytes()[:bytes.IndexByte(f.scene.Bytes(), '\n')])
	// Output: # A robot arm. Written by 'go run ./internal/tools/gallery robot'.
}

// commands returns the arguments of the commands in docs/gallery.md.
func commands(t *testing.T) (all [][]string) {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs/gallery.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^\$ (.*)$`).FindAllStringSubmatch(string(page), -1) {
		all = append(all, strings.Fields(m[1]))
	}
	return all
}

// reduced returns the arguments of a command in the gallery, with an additional flag that makes the scene or the
// picture smaller. In a campaign, it returns them unchanged.
func reduced(words []string) []string {
	switch {
	case effort.IsCampaign() || words[0] == "explain" || strings.HasPrefix(words[0], "robot"):
		return words
	case words[0] == "render" || words[0] == "animate":
		return append(words, "--width", "24")
	case words[0] == "sculpture":
		return append(words, "-size", "2000")
	case words[0] == "city":
		return append(words, "-size", "12")
	case words[0] == "vesicle":
		return append(words, "-size", "20")
	case words[0] == "molecule":
		return append(words, "-size", "6")
	}
	return append(words, "--width", "24")
}

// TestCommandsRun runs the commands of docs/gallery.md in order. Outside campaigns, pictures and scenes are small.
func TestCommandsRun(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("go is not installed")
	}
	dir := t.TempDir()
	program := fixture.Program(t, "render", dir)
	n := 0
	for _, words := range commands(t) {
		n++
		isRender := words[0] == "render"
		if !isRender && !slices.Equal(words[:3], []string{"go", "run", "./internal/tools/gallery"}) {
			t.Fatalf("unknown command %q", words)
		}
		args := reduced(words[1:])
		if !isRender {
			args = reduced(words[3:])
		}
		for i, w := range args {
			_, err := os.Stat(filepath.Join(root, w))
			switch isFile := strings.Contains(w, ".") && !strings.Contains(w, ","); {
			case isFile && err == nil:
				args[i] = filepath.Join(root, w)
			case isFile:
				args[i] = filepath.Join(dir, w)
			}
		}
		if !isRender {
			if err := run(args); err != nil {
				t.Errorf("%q: %v", words, err)
			}
			continue
		}
		if text, err := exec.Command(program, args...).CombinedOutput(); err != nil || bytes.Contains(text, []byte("warning")) && !effort.IsCampaign() && !slices.Contains(words, "--quiet") {
			t.Errorf("%q: %v\n%s", words, err, text)
		}
	}
	if n != 19 {
		t.Errorf("%d commands, want 19", n)
	}
	if effort.IsCampaign() {
		compare(t, dir)
	}
}

// compare compares the pictures in docs/gallery with those that the commands have written to dir.
func compare(t *testing.T, dir string) {
	for _, name := range pictures(t) {
		var read [2][]byte
		for i, file := range []string{name, filepath.Join(dir, filepath.Base(name))} {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			read[i] = data
		}
		want, err := png.Decode(bytes.NewReader(read[0]))
		if err != nil {
			t.Fatal(err)
		}
		got, err := png.Decode(bytes.NewReader(read[1]))
		if err != nil {
			t.Fatal(err)
		}
		if d, err := golden.Compare(want, got, golden.Tolerance{}); err != nil || d.Changed > 0 {
			t.Errorf("%s differs from the picture that the command makes: %+v, %v", name, d, err)
		}
	}
}

func pictures(t *testing.T) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(root, "docs/gallery/*.png"))
	if err != nil || len(all) != len(works()) {
		t.Fatalf("%d pictures, want %d: %v", len(all), len(works()), err)
	}
	return all
}

// TestPicturesAreSmall checks that the pictures of the gallery take little space in the repository.
func TestPicturesAreSmall(t *testing.T) {
	for _, name := range pictures(t) {
		if info, err := os.Stat(name); err != nil || info.Size() > 150_000 {
			t.Errorf("%s is too large: %v, %v", name, info.Size(), err)
		}
	}
}

// TestScenesAreTheSame checks that a scene is determined by its name and size, and is valid at every size.
func TestScenesAreTheSame(t *testing.T) {
	for _, w := range works() {
		for _, size := range []int{1, 2, 30} {
			var texts [2][]byte
			for i := range texts {
				name := filepath.Join(t.TempDir(), "out.toml")
				if err := save(w, size, name); err != nil {
					t.Fatal(err)
				}
				if _, err := scene.Load(name); err != nil {
					t.Errorf("%s of size %d: %v", w.name, size, err)
				}
				texts[i], _ = os.ReadFile(name)
			}
			if !bytes.Equal(texts[0], texts[1]) {
				t.Errorf("%s of size %d differs between two runs", w.name, size)
			}
		}
	}
}

func TestRunRefuses(t *testing.T) {
	for _, args := range [][]string{nil, {"house"}, {"robot", "-o", "x.png"}, {"city", "-size", "0"}, {"city", "more"}, {"city", "-size", "x"}} {
		if err := run(args); err == nil {
			t.Errorf("%q is no error", args)
		}
	}
}
