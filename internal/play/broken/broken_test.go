package broken_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/fixture/shipped"
	"pillbox/internal/play/broken"
	"pillbox/scene"
)

func Example() {
	m, _ := broken.Find("acne")
	s, err := scene.Decode("acne.toml", []byte(m.Scene()))
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(40, 30)})
	if err != nil {
		fmt.Println(err)
		return
	}
	img, err := broken.Render(context.Background(), p, m, pillbox.Work{})
	fmt.Println(m.Fault, img.Rect.Size(), err)
	// Output: Every solid may shadow a point, its own too. (40,30) <nil>
}

// TestEveryMistakeShows checks that each mistake changes at least 1 % of the pixels of its own scene. The mistakes
// gamma and ydown must change a pixel in at least half of the shipped scenes, and acne in at least a quarter.
func TestEveryMistakeShows(t *testing.T) {
	for _, m := range broken.Mistakes() {
		s, err := scene.Decode(m.Name, []byte(m.Scene()))
		if err != nil {
			t.Fatal(err)
		}
		if wrong, all := wrongPixels(t, s, m, image.Rectangle{}); wrong*100 < all {
			t.Errorf("%s: only %d of %d pixels are wrong in its own scene", m.Name, wrong, all)
		}
	}
	shown := map[string]int{}
	scenes := 0
	shipped.Each(t, func(t *testing.T, s *scene.Scene) {
		scenes++
		for _, m := range broken.Mistakes() {
			if wrong, _ := wrongPixels(t, s, m, image.Rectangle{}); wrong > 0 {
				shown[m.Name]++
			}
		}
	})
	for _, name := range []string{"gamma", "ydown"} {
		if shown[name] < scenes/2 {
			t.Errorf("%s shows in %d of %d scenes", name, shown[name], scenes)
		}
	}
	if shown["acne"] < scenes/4 {
		t.Errorf("acne shows in %d of %d scenes", shown["acne"], scenes)
	}
}

// wrongPixels renders a small picture of s with and without the mistake m. It returns the number of pixels that
// differ, and of all pixels. Both are 0 if the scene is too large for the mistake.
func wrongPixels(t *testing.T, s *scene.Scene, m broken.Mistake, region image.Rectangle) (wrong, all int) {
	t.Helper()
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(60, 0), Antialias: 1, Region: region})
	if err != nil {
		t.Fatal(err)
	}
	got, err := broken.Render(t.Context(), p, m, pillbox.Work{})
	if err != nil {
		if strings.Contains(err.Error(), "too large") {
			return 0, 0
		}
		t.Fatal(err)
	}
	film, err := p.Render(t.Context(), pillbox.Work{})
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(got.Pix); i += 4 {
		if !slices.Equal(got.Pix[i:i+4], film.Image.Pix[i:i+4]) {
			wrong++
		}
	}
	return wrong, len(got.Pix) / 4
}

// TestRegion checks that a region has the same pixels as the whole picture with a mistake.
func TestRegion(t *testing.T) {
	for _, m := range broken.Mistakes() {
		s, err := scene.Decode(m.Name, []byte(m.Scene()))
		if err != nil {
			t.Fatal(err)
		}
		part := image.Rect(10, 7, 31, 20)
		pictures := [2]*image.NRGBA{}
		for i, region := range []image.Rectangle{{}, part} {
			p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(60, 45), Antialias: 2, Region: region})
			if err != nil {
				t.Fatal(err)
			}
			if pictures[i], err = broken.Render(t.Context(), p, m, pillbox.Work{}); err != nil {
				t.Fatal(err)
			}
		}
		for y := part.Min.Y; y < part.Max.Y; y++ {
			for x := part.Min.X; x < part.Max.X; x++ {
				if got, want := pictures[1].NRGBAAt(x-part.Min.X, y-part.Min.Y), pictures[0].NRGBAAt(x, y); got != want {
					t.Fatalf("%s: pixel %d, %d is %v, in the whole picture %v", m.Name, x, y, got, want)
				}
			}
		}
	}
}

// TestSceneIsUntouched checks that rendering with a mistake does not change the scene.
func TestSceneIsUntouched(t *testing.T) {
	m, _ := broken.Find("gamma")
	s, err := scene.Decode("gamma", []byte(m.Scene()))
	if err != nil {
		t.Fatal(err)
	}
	before := s.Objects.Of(1)
	wrongPixels(t, s, m, image.Rectangle{})
	if after := s.Objects.Of(1); after != before {
		t.Errorf("the material was %v and is %v", before, after)
	}
}

func TestErrors(t *testing.T) {
	if _, ok := broken.Find("none"); ok {
		t.Error("a mistake that does not exist is found")
	}
	m, _ := broken.Find("acne")
	s, err := scene.Decode("acne", []byte(m.Scene()))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := broken.Render(t.Context(), p, broken.Mistake{Name: "none"}, pillbox.Work{}); err == nil {
		t.Error("a mistake that does not exist is rendered")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, m := range broken.Mistakes() {
		if _, err := broken.Render(ctx, p, m, pillbox.Work{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: the error is %v", m.Name, err)
		}
	}
}
