package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/png"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pillbox"
	picturecmd "pillbox/cmd/render/picture"
	"pillbox/cmd/render/program/programtest"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/picture"
	"pillbox/pngfile"
)

// picturesque is a scene whose picture has opaque and transparent pixels and, with antialias 2, partly transparent
// ones.
const picturesque = `
[image]
width = 64
height = 48
antialias = 2
background = "transparent"

[camera]
position = [0, 1, 6]
look_at = [0, 0, 0]

[[light]]
direction = [-1, -2, -1]

[[sphere]]
center = [0.1, 0.2, 0]
radius = 1
color = "red"

[[capsule]]
a = [-2, -1, 0]
b = [-1, 1, -1]
radius = 0.4

[[box]]
center = [0, -1.2, 0]
half_extents = [2, 0.2, 1]
color = "#336699"
`

// decode reads a picture that the program wrote.
func decode(t *testing.T, name string) *image.NRGBA {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return picture.Straighten(img)
}

func TestRenderRegionIsCrop(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	for _, flags := range []string{"", " --width 50", " --height 31 --antialias 3"} {
		programtest.MustRun(t, "s.toml -o whole.png"+flags)
		programtest.MustRun(t, "s.toml -o part.png --region 10,5,33,29"+flags)
		whole, part := decode(t, "whole.png"), decode(t, "part.png")
		crop := image.NewNRGBA(image.Rect(0, 0, 23, 24))
		for y := range 24 {
			for x := range 23 {
				crop.SetNRGBA(x, y, whole.NRGBAAt(10+x, 5+y))
			}
		}
		if part.Rect != crop.Rect || !slices.Equal(part.Pix, crop.Pix) {
			t.Errorf("with%s, the region is not the crop of the whole picture", flags)
		}
	}
}

func TestRenderSize(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	for flags, want := range map[string]image.Point{
		"":                       image.Pt(64, 48),
		" --width 32":            image.Pt(32, 24),
		" --height 12":           image.Pt(16, 12),
		" --width 9 --height 30": image.Pt(9, 30),
	} {
		programtest.MustRun(t, "s.toml"+flags)
		if got := decode(t, "s.png").Rect.Size(); got != want {
			t.Errorf("render%s makes %v pixels, want %v", flags, got, want)
		}
	}
}

func TestRenderWorkersChangeNothing(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "s.toml -o 1.png --workers 1")
	programtest.MustRun(t, "s.toml -o 7.png --workers 7")
	if !slices.Equal(decode(t, "1.png").Pix, decode(t, "7.png").Pix) {
		t.Error("workers change pixels")
	}
}

// TestRenderPNG checks that a PNG written during rendering equals a PNG encoded afterwards.
func TestRenderPNG(t *testing.T) {
	programtest.InFolder(t, map[string]string{
		"clear.toml":  picturesque,
		"opaque.toml": strings.Replace(picturesque, `"transparent"`, `"white"`, 1),
	})
	for scene, color := range map[string]pngfile.Color{"clear": pngfile.RGBA, "opaque": pngfile.RGB} {
		programtest.MustRun(t, scene+".toml -o 1.png --width 1000 --workers 1")
		programtest.MustRun(t, scene+".toml -o 3.png --width 1000 --workers 3")
		var want strings.Builder
		if err := pngfile.NewEncoder(&want, decode(t, "1.png"), pngfile.Options{Color: color}).Close(); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"1.png", "3.png"} {
			if got := programtest.ReadText(t, name); got != want.String() {
				t.Errorf("%s of %s.toml is not the file that its pixels give", name, scene)
			}
		}
	}
}

// TestRenderFormats reads back a picture in every format. TIFF and PNG must have the same pixels, and BMP the
// picture composited over black. JPEG may differ slightly.
func TestRenderFormats(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "s.toml")
	want := decode(t, "s.png")
	black := toOpaque(want)
	for _, test := range []struct {
		ext       string
		want      *image.NRGBA
		tolerance float64
	}{
		{".tiff", want, 0}, {".tif", want, 0}, {".bmp", black, 0}, {".jpg", black, 2}, {".jpeg", black, 2},
	} {
		programtest.MustRun(t, "s.toml -o s"+test.ext)
		if got := distance(decode(t, "s"+test.ext), test.want); got > test.tolerance {
			t.Errorf("%s differs from .png by %v a channel, want at most %v", test.ext, got, test.tolerance)
		}
	}
}

// toOpaque composites a picture over black, pixel by pixel.
func toOpaque(img *image.NRGBA) *image.NRGBA {
	flat := image.NewNRGBA(img.Rect)
	for y := range img.Rect.Dy() {
		for x := range img.Rect.Dx() {
			r, g, b, _ := img.NRGBAAt(x, y).RGBA()
			flat.SetNRGBA(x, y, color.NRGBA{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8), 255})
		}
	}
	return flat
}

// distance returns the mean absolute difference of two pictures' channel values.
func distance(a, b *image.NRGBA) float64 {
	if a.Rect != b.Rect {
		return 255
	}
	sum := 0
	for i := range a.Pix {
		sum += max(int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i]))
	}
	return float64(sum) / float64(len(a.Pix))
}

func TestRenderToStandardOutput(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	programtest.MustRun(t, "s.toml")
	got := programtest.Invocation{Stdin: strings.NewReader(picturesque)}.Run("-", "-o", "-")
	img, err := png.Decode(strings.NewReader(got.Stdout))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(img.(*image.NRGBA).Pix, decode(t, "s.png").Pix) {
		t.Error("standard output gets another picture than a file")
	}
	programtest.WantFiles(t, "s.png", "s.toml")
}

func TestRenderNotToTerminal(t *testing.T) {
	got := programtest.Invocation{OutColumns: 80}.Run("-", "-o", "-")
	if got.Status != cli.StatusWrong || got.Stdout != "" || !strings.Contains(got.Stderr, "terminal") {
		t.Errorf("got %+v, want a refusal", got)
	}
}

func TestRenderKeepsOldOutputOnFailure(t *testing.T) {
	programtest.InFolder(t, map[string]string{"wrong.toml": programtest.Wrong, "wrong.png": "old"})
	if got := (programtest.Invocation{}).Run("wrong.toml"); got.Status != cli.StatusWrong {
		t.Errorf("exit status %d, want %d", got.Status, cli.StatusWrong)
	}
	if got := programtest.ReadText(t, "wrong.png"); got != "old" {
		t.Errorf("the old picture became %q", got)
	}
	programtest.WantFiles(t, "wrong.png", "wrong.toml")
}

func TestRenderStats(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	got := programtest.MustRun(t, "s.toml --stats --region 0,0,20,10")
	dec := json.NewDecoder(strings.NewReader(got.Stderr))
	dec.DisallowUnknownFields()
	var s picturecmd.Stats
	if err := dec.Decode(&s); err != nil || dec.More() {
		t.Fatalf("%q: %v", got.Stderr, err)
	}
	if s.Solids != 3 || s.Width != 20 || s.Height != 10 || s.Rays.Primary != 20*10*4 {
		t.Errorf("got %+v", s)
	}
	if want := pillbox.Hash(decode(t, "s.png")); s.PixelHash != want {
		t.Errorf("pixel hash %s, want %s", s.PixelHash, want)
	}
	for name, seconds := range map[string]float64{"load": s.Load, "build": s.Build, "render": s.Render, "encode": s.Encode} {
		if seconds < 0 || seconds > s.Total {
			t.Errorf("%s takes %v s of %v s", name, seconds, s.Total)
		}
	}
	const fields = `{"solids": "width": "height": "load_s": "build_s": "render_s": "encode_s": "views_s": "total_s": "rays":{"primary": "shadow": "mirror": "pixel_hash":`
	rest := got.Stderr
	for _, f := range strings.Fields(fields) {
		var found bool
		if _, rest, found = strings.Cut(rest, f); !found {
			t.Errorf("%q lacks %s, or has it too early", got.Stderr, f)
		}
	}
}

func TestDefaultOutput(t *testing.T) {
	for scene, want := range map[string]string{
		"demo.toml": "demo.png", "scenes/demo.toml": "demo.png", "../a.b.toml": "a.b.png", "demo": "demo.png",
		"-": "scene.png", ".toml": "scene.png", "-x": "-x.png",
	} {
		if got := command.DefaultOutput(scene); got != want {
			t.Errorf("defaultOutput(%q) = %q, want %q", scene, got, want)
		}
	}
}

func TestRenderOnTerminal(t *testing.T) {
	programtest.InFolder(t, map[string]string{"s.toml": picturesque})
	got := programtest.Invocation{ErrColumns: 80}.Run("s.toml")
	if !strings.Contains(got.Stderr, "s.png: 64 x 48 pixels in ") {
		t.Errorf("got %q, want a summary", got.Stderr)
	}
	for args, want := range map[string]string{
		"s.toml":                           `s\.png: 64 x 48 pixels in \d+\.\d\d s\n`,
		"s.toml -o -":                      `standard output: 64 x 48 pixels in \d+\.\d\d s\n`,
		"s.toml -o x.bmp --region 0,0,5,7": `render: warning: x\.bmp has no transparency: .*\nx\.bmp: 5 x 7 pixels in \d+\.\d\d s\n`,
		"s.toml --aov depth=d.pfm --aov normal=n.png":    `s\.png: 64 x 48 pixels in \d+\.\d\d s, with d\.pfm, n\.png\n`,
		"contact s.toml --width 20":                      `s\.contact\.png: \d+ x \d+ pixels in \d+\.\d\d s\n`,
		"diff s.png s.png -o same.png":                   `same\.png: \d+ x \d+ pixels in \d+\.\d\d s\n`,
		"explain s.toml --pixel 32,24 --diagram why.png": `why\.png: 1200 x 800 pixels in \d+\.\d\d s\n`,
		"explain s.toml --pixel 32,24 --diagram why.svg": `why\.svg: 1200 x 800 pixels in \d+\.\d\d s\n`,
	} {
		got := programtest.Invocation{ErrColumns: 80}.Run(strings.Fields(args)...)
		last := got.Stderr[strings.LastIndex(got.Stderr, "\r")+1:]
		if got.Status != 0 || !regexp.MustCompile("^"+want+"$").MatchString(last) {
			t.Errorf("render %s exits %d and says last %q, want %s", args, got.Status, last, want)
		}
		if got := (programtest.Invocation{ErrColumns: 80}).Run(append(strings.Fields(args), "--quiet")...); got.Stderr != "" {
			t.Errorf("render %s with --quiet says %q", args, got.Stderr)
		}
		if strings.HasPrefix(args, "diff") || strings.HasPrefix(args, "explain") || strings.HasSuffix(args, "-o -") {
			want = "" // the result is on standard output
		}
		if got := (programtest.Invocation{}).Run(strings.Fields(args)...); !regexp.MustCompile("^" + want + "$").MatchString(got.Stderr) {
			t.Errorf("render %s without a terminal says %q, want %s", args, got.Stderr, want)
		}
	}
}
