package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"strings"
	"testing"
)

func TestHashOfSceneAndImage(t *testing.T) {
	inFolder(t, map[string]string{"s.toml": picturesque})
	mustRun(t, "s.toml")
	mustRun(t, "s.toml -o s.tiff")
	want := mustRun(t, "hash s.toml").stdout
	if len(want) != 65 {
		t.Fatalf("got %q, want 64 digits", want)
	}
	for _, name := range []string{"s.png", "s.tiff"} {
		if got := mustRun(t, "hash "+name).stdout; got != want {
			t.Errorf("hash %s = %q, want %q", name, got, want)
		}
	}
	for _, text := range []string{picturesque, readText(t, "s.png")} {
		got := invocation{stdin: strings.NewReader(text)}.run("hash", "-")
		if got.stdout != want || got.status != statusDone {
			t.Errorf("from standard input: %+v, want %q", got, want)
		}
	}
}

func TestHashKeepsTransparentColors(t *testing.T) {
	img := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.NRGBA{10, 20, 30, 1}, color.NRGBA{200, 0, 7, 0}})
	img.Pix[1] = 1
	same := image.NewNRGBA(img.Rect)
	copy(same.Pix, []uint8{10, 20, 30, 1, 200, 0, 7, 0})
	hash := func(img image.Image) string {
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		return invocation{stdin: &b}.run("hash", "-").stdout
	}
	if a, b := hash(img), hash(same); a != b {
		t.Errorf("palette hashes to %s, want %s", a, b)
	}
}

func TestHashRefusesDeepImages(t *testing.T) {
	for _, img := range []image.Image{
		image.NewNRGBA64(image.Rect(0, 0, 1, 1)), image.NewRGBA64(image.Rect(0, 0, 1, 1)), image.NewGray16(image.Rect(0, 0, 1, 1)),
	} {
		r, w := io.Pipe()
		go func() { w.CloseWithError(png.Encode(w, img)) }()
		got := invocation{stdin: r}.run("hash", "-")
		if got.status != statusWrong || !strings.Contains(got.stderr, "16 bits") {
			t.Errorf("%T: %+v, want a refusal", img, got)
		}
	}
}
