package suite

import (
	"image"
	"image/color"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/golden"
	"pillbox/internal/fixture"
	"pillbox/scene"
)

// TestMasksOfAntialiased masks a solid and changes its color. Every changed pixel must be masked, including those
// that show the solid only in part.
func TestMasksOfAntialiased(t *testing.T) {
	smooth := strings.Replace(fixture.Ball, "width = 40", "width = 40\nantialias = 4", 1)
	before, after := parse(t, smooth), parse(t, smooth+"color = \"red\"\n")
	var pictures [2]*image.NRGBA
	for i, s := range []*scene.Scene{before, after} {
		film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pictures[i] = film.Image
	}
	masks, err := masksOf(t.Context(), []golden.Object{{Name: "ball"}}, after, nil)
	if err != nil {
		t.Fatalf("masksOf = %v, %v", masks, err)
	}
	open, err := golden.Compare(pictures[1], pictures[0], golden.Tolerance{})
	if err != nil || open.Passes() {
		t.Fatalf("without masks: %v, %v", open, err)
	}
	masked, err := golden.Compare(pictures[1], pictures[0], golden.Tolerance{Masks: masks})
	if err != nil || !masked.Passes() {
		t.Errorf("with masks: %v, %v", masked, err)
	}
}

// mirrorHall is a scene with a ball that casts a shadow on the floor, and a mirror that shows both.
const mirrorHall = `
[image]
width = 64
height = 48
antialias = 2
[camera]
position = [0, 3, 8]
look_at = [0, 1, 0]
[[light]]
direction = [-1, -2, -0.5]
[material.mirror]
mirror = 0.8
[[sphere]]
name = "ball"
center = [1, 1, 1]
radius = 0.6
[[box]]
center = [0, -0.1, 0]
half_extents = [5, 0.1, 5]
[[box]]
center = [0, 1.5, -2]
half_extents = [3, 1.5, 0.1]
material = "mirror"
`

// TestMasksOfShadowAndMirror masks a solid and removes it. With the options shadow and mirror, every changed pixel
// must be masked. Each option must mask more pixels, and without them some changed pixels must remain unmasked.
func TestMasksOfShadowAndMirror(t *testing.T) {
	with := parse(t, mirrorHall)
	from := strings.Index(mirrorHall, "[[sphere]]")
	without := parse(t, mirrorHall[:from]+mirrorHall[strings.Index(mirrorHall, "[[box]]"):])
	var pictures []*image.NRGBA
	for _, s := range []*scene.Scene{with, without} {
		film, err := pillbox.Render(t.Context(), s, pillbox.Options{})
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, film.Image)
	}
	left := func(o golden.Object) int {
		masks, err := masksOf(t.Context(), []golden.Object{o}, with, without)
		if err != nil {
			t.Fatal(err)
		}
		d, err := golden.Compare(pictures[1], pictures[0], golden.Tolerance{Masks: masks})
		if err != nil {
			t.Fatal(err)
		}
		return d.Changed
	}
	plain := left(golden.Object{Name: "ball"})
	shadow := left(golden.Object{Name: "ball", Shadow: true})
	mirror := left(golden.Object{Name: "ball", Mirror: true})
	both := left(golden.Object{Name: "ball", Shadow: true, Mirror: true})
	if both != 0 || !(plain > shadow && shadow > 0) || !(plain > mirror && mirror > 0) {
		t.Errorf("pixels left: %d, with shadow %d, with mirror %d, with both %d, want fewer and in the end none", plain, shadow, mirror, both)
	}
}

// TestRectangles checks that the rectangles cover exactly the marked pixels, each once.
func TestRectangles(t *testing.T) {
	for seed := range uint64(200) {
		set := randomSet(seed)
		count := make(map[image.Point]int)
		for _, r := range rectangles(set) {
			for y := r.Min.Y; y < r.Max.Y; y++ {
				for x := r.Min.X; x < r.Max.X; x++ {
					count[image.Pt(x, y)]++
				}
			}
		}
		for y := range set.Rect.Max.Y {
			for x := range set.Rect.Max.X {
				p := image.Pt(x, y)
				if want := int(set.AlphaAt(x, y).A); count[p] != want {
					t.Fatalf("seed %d: pixel %v covered %d times, want %d", seed, p, count[p], want)
				}
				delete(count, p)
			}
		}
		if len(count) > 0 {
			t.Fatalf("seed %d: pixels %v outside are covered", seed, count)
		}
	}
}

// randomSet returns an image in which random runs and blocks of pixels are marked.
func randomSet(seed uint64) *image.Alpha {
	r := rand.New(rand.NewPCG(seed, 1))
	set := image.NewAlpha(image.Rect(0, 0, 1+r.IntN(20), 1+r.IntN(20)))
	for range r.IntN(9) {
		at := image.Pt(r.IntN(20), r.IntN(20))
		block := image.Rectangle{at, at.Add(image.Pt(1+r.IntN(8), 1+r.IntN(8)))}.Intersect(set.Rect)
		for y := block.Min.Y; y < block.Max.Y; y++ {
			for x := block.Min.X; x < block.Max.X; x++ {
				set.SetAlpha(x, y, color.Alpha{A: 1})
			}
		}
	}
	return set
}

func parse(t *testing.T, text string) *scene.Scene {
	t.Helper()
	s, err := scene.Decode("small.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
