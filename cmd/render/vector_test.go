package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"strings"
	"testing"

	"pillbox"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/picture"
)

const figureScene = `image = { width = 120, height = 80, background = "transparent" }
camera = { position = [0, 0, 9], look_at = [0, 0, 0] }
sphere = [{ name = "ball", center = [0, 0, 0], radius = 1 }]
label = [{ text = "Ball", on = "ball", offset = [0, 30], size = 9 }]
animation = { duration = 0.2, fps = 10 }
`

// inFigureFolder changes to a new folder with the scenes a.toml, which has annotations, and plain.toml, which has
// none.
func inFigureFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	plain, _, _ := strings.Cut(figureScene, "label")
	for name, text := range map[string]string{"a.toml": figureScene, "plain.toml": plain} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// hashOfPNG returns the pixel hash of a PNG.
func hashOfPNG(t *testing.T, name string) string {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(readFile(t, name)))
	if err != nil {
		t.Fatal(err)
	}
	return pillbox.Hash(picture.Straighten(img))
}

// TestAnnotatedPictures checks that all ways to render a scene draw its annotations, with the same pixels.
func TestAnnotatedPictures(t *testing.T) {
	inFigureFolder(t)
	for _, args := range [][]string{{"a.toml"}, {"plain.toml"}, {"a.toml", "-o", "part.png", "--region", "10,20,110,80"},
		{"animate", "a.toml", "-o", "f%d.png"}} {
		if got := (programtest.Invocation{}).Run(args...); got.Status != 0 {
			t.Fatalf("%q: %+v", args, got)
		}
	}
	want := hashOfPNG(t, "a.png")
	if hash := (programtest.Invocation{}).Run("hash", "a.toml"); strings.TrimSpace(hash.Stdout) != want {
		t.Errorf("render hash prints %q, want %q", hash.Stdout, want)
	}
	if hashOfPNG(t, "plain.png") == want {
		t.Error("the annotations are missing")
	}
	for _, name := range []string{"f0.png", "f1.png"} {
		if hashOfPNG(t, name) != want {
			t.Errorf("%s differs", name)
		}
	}
	whole, _ := png.Decode(bytes.NewReader(readFile(t, "a.png")))
	part, _ := png.Decode(bytes.NewReader(readFile(t, "part.png")))
	for y := range 60 {
		for x := range 100 {
			if part.At(x, y) != whole.At(x+10, y+20) {
				t.Fatalf("pixel %d, %d of the region differs", x, y)
			}
		}
	}
	if got := (programtest.Invocation{}).Run("a.toml", "-o", "-"); got.Status != 0 || got.Stdout != string(readFile(t, "a.png")) {
		t.Error("standard output has another picture")
	}
}

// TestVectorFiles checks the size of SVG and PDF files with and without --size and --dpi, and the text in the SVG.
func TestVectorFiles(t *testing.T) {
	inFigureFolder(t)
	for _, args := range [][]string{{"-o", "a.svg", "--size", "2.54cm", "--dpi", "150"}, {"-o", "a.pdf", "--size", "1in x 48pt", "--dpi", "150"}, {"-o", "b.PDF"}} {
		if got := (programtest.Invocation{}).Run(append([]string{"a.toml"}, args...)...); got.Status != 0 {
			t.Fatalf("%q: %+v", args, got)
		}
	}
	svg := string(readFile(t, "a.svg"))
	for _, want := range []string{`width="1in"`, `viewBox="0 0 150 100"`, ">Ball</text>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the SVG lacks %s", want)
		}
	}
	if pdf := readFile(t, "a.pdf"); !bytes.Contains(pdf, []byte("/MediaBox [0 0 72 48]")) {
		t.Error("the PDF has another size")
	}
	if pdf := readFile(t, "b.PDF"); !bytes.Contains(pdf, []byte("/MediaBox [0 0 90 60]")) {
		t.Error("the PDF without a resolution has another size")
	}
}

func TestFigureMisuse(t *testing.T) {
	inFigureFolder(t)
	for _, test := range []struct{ args, want string }{
		{"a.toml --size 85mm", "--dpi"},
		{"a.toml --size 85mm --dpi 300 --width 20", "--width"},
		{"a.toml --size 9in --dpi 60000", "must be 1 to 32768 pixels"},
		{"a.toml -o a.svg --region 0,0,9,9", "whole picture"},
		{"a.toml --shard 0/2", "annotations"},
		{"animate a.toml --shard 0/2 -o a.shard", "annotations"},
	} {
		if got := (programtest.Invocation{}).Run(strings.Fields(test.args)...); got.Status != 2 || !strings.Contains(got.Stderr, test.want) {
			t.Errorf("%s: %+v, want %q", test.args, got, test.want)
		}
	}
	if entries, _ := os.ReadDir("."); len(entries) != 2 {
		t.Error(fmt.Sprint("files were written: ", entries))
	}
}
