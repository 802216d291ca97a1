package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/fixture"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// TestVerifyFindsDifference verifies a scene against a wrong acceleration structure, that of a scene with a smaller
// ball. The difference must be reported.
func TestVerifyFindsDifference(t *testing.T) {
	right := parseScene(t, fixture.Ball)
	region := image.Rect(3, 4, 38, 29)
	good, err := pillbox.Prepare(right, pillbox.Picture{Region: region})
	if err != nil {
		t.Fatal(err)
	}
	smaller := parseScene(t, strings.Replace(fixture.Ball, "radius = 2", "radius = 1.5", 1))
	st := *follow.Of(good)
	st.World = accel.New(accel.Source{Spheres: smaller.Spheres, Capsules: smaller.Capsules, Boxes: smaller.Boxes, Cylinders: smaller.Cylinders})
	bad := new(pillbox.Prepared)
	follow.Hold(bad, &st)

	var stdout bytes.Buffer
	p := &command.Env{Streams: command.Streams{Out: cli.Screen{Writer: &stdout}}, Render: pillbox.Render}
	r := &rendering{Env: p, prepared: bad, opt: pillbox.Options{Picture: pillbox.Picture{Region: region}}}
	err = r.compareWithBrute(t.Context(), right)
	var f *cli.Failure
	if !errors.As(err, &f) || f.Status != cli.StatusDifferent {
		t.Errorf("got %v, want exit status %d", err, cli.StatusDifferent)
	}

	draw := func(p *pillbox.Prepared) *image.NRGBA {
		film, err := p.Render(t.Context(), pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		return film.Image
	}
	goodImage, badImage := draw(good), draw(bad)
	at := image.Point{}
	for goodImage.NRGBAAt(at.X, at.Y) == badImage.NRGBAAt(at.X, at.Y) {
		if at.X++; at.X == region.Dx() {
			at = image.Pt(0, at.Y+1)
		}
	}
	want := fmt.Sprintf("small.toml: pixel (%d, %d): %s, by brute force %s; hit nothing, by brute force sphere \"ball\" ",
		region.Min.X+at.X, region.Min.Y+at.Y, hex(badImage, at), hex(goodImage, at))
	if got := stdout.String(); !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func parseScene(t *testing.T, text string) *scene.Scene {
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
