package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/scene"
)

// TestVerifyFindsDifference verifies a scene against the tree of another one, whose ball is
// smaller.
func TestVerifyFindsDifference(t *testing.T) {
	right := parse(t, small)
	wrongTree := parse(t, strings.Replace(small, "radius = 2", "radius = 1.5", 1)).World()
	region := image.Rect(3, 4, 38, 29)

	var stdout bytes.Buffer
	p := &program{streams: streams{out: screen{Writer: &stdout}}, render: pillbox.Render}
	r := &rendering{program: p, opt: pillbox.Options{World: wrongTree, Region: region}}
	err := r.compareWithBrute(t.Context(), right)
	var f *failure
	if !errors.As(err, &f) || f.status != statusDifferent {
		t.Errorf("got %v, want exit status %d", err, statusDifferent)
	}

	draw := func(world *accel.World) *image.NRGBA {
		film, err := pillbox.Render(t.Context(), right, pillbox.Options{World: world})
		if err != nil {
			t.Fatal(err)
		}
		return film.Image
	}
	good, bad := draw(right.World()), draw(wrongTree)
	at := region.Min
	for good.NRGBAAt(at.X, at.Y) == bad.NRGBAAt(at.X, at.Y) {
		if at.X++; at.X == region.Max.X {
			at = image.Pt(region.Min.X, at.Y+1)
		}
	}
	want := fmt.Sprintf("small.toml: pixel (%d, %d): %s, by brute force %s; hit nothing, by brute force sphere \"ball\" ",
		at.X, at.Y, hex(bad, at), hex(good, at))
	if got := stdout.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func parse(t *testing.T, text string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("small.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestFirstDifference(t *testing.T) {
	a, b := image.NewNRGBA(image.Rect(0, 0, 5, 4)), image.NewNRGBA(image.Rect(0, 0, 5, 4))
	if at, found := firstDifference(a, b); found {
		t.Errorf("equal images differ at %v", at)
	}
	for _, want := range []image.Point{{4, 3}, {0, 3}, {4, 1}, {0, 0}} {
		b.Pix[b.PixOffset(want.X, want.Y)+3] = 1
		if at, found := firstDifference(a, b); !found || at != want {
			t.Errorf("got %v, %v, want %v", at, found, want)
		}
	}
}
