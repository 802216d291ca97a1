package ink_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pillbox/internal/geom2"
	"pillbox/internal/ink"
)

// Example draws a line with a label, and prints the gray of a row of pixels across the line.
func Example() {
	img := image.NewNRGBA(image.Rect(0, 0, 8, 3))
	page := ink.Page{Size: img.Rect.Size()}
	page.Marks = append(page.Marks,
		&ink.Fill{Points: []ink.Point{{X: 0, Y: 0}, {X: 8, Y: 0}, {X: 8, Y: 3}, {X: 0, Y: 3}}, Color: ink.Color{R: 255, G: 255, B: 255}},
		&ink.Line{Points: []ink.Point{{X: 3, Y: -1}, {X: 3, Y: 4}}, Width: 1.5})
	page.Draw(context.Background(), img, image.Point{})
	for x := range 8 {
		fmt.Print(img.NRGBAAt(x, 1).R, " ")
	}
	// Output: 255 255 64 64 255 255 255 255
}

func point(rng *rand.Rand, size float64) ink.Point {
	return ink.Point{X: (1.4*rng.Float64() - 0.2) * size, Y: (1.4*rng.Float64() - 0.2) * size}
}

// marks returns a random mark of each kind, for a picture with sides of length size.
func marks(rng *rand.Rand, size float64) []ink.Mark {
	p, q, r := point(rng, size), point(rng, size), point(rng, size)
	return []ink.Mark{
		&ink.Line{Points: []ink.Point{p, q, r}, Width: 0.3 + 6*rng.Float64(), Round: rng.IntN(2) == 0},
		&ink.Fill{Points: []ink.Point{p, q, r, point(rng, size), point(rng, size)}},
		&ink.Text{Text: "å8Ω", At: ink.Point{X: 2 * rng.Float64(), Y: size * (0.6 + 0.3*rng.Float64())}, Size: size * (0.2 + 0.3*rng.Float64()), Bold: rng.IntN(2) == 0},
	}
}

// winding returns how often polygons wind around the point at. It adds the angles under which the edges are seen
// from the point, in full turns.
func winding(polygons [][]ink.Point, at ink.Point) int {
	sum := 0.0
	for _, points := range polygons {
		for i, p := range points {
			a, b := p.Sub(at), points[(i+1)%len(points)].Sub(at)
			sum += math.Atan2(a.X*b.Y-a.Y*b.X, a.X*b.X+a.Y*b.Y)
		}
	}
	return int(math.Round(sum / (2 * math.Pi)))
}

// TestCoverageAgainstSamples compares the coverage of pixels with the share of sample points around which the
// polygons wind.
func TestCoverageAgainstSamples(t *testing.T) {
	const size, side = 8, 12
	for seed := range uint64(5) {
		for _, m := range marks(rand.New(rand.NewPCG(seed, 1)), size) {
			polygons := ink.Polygons(m)
			got := ink.Covered(polygons, image.Rect(0, 0, size, size))
			for i, covered := range got {
				inside := 0
				for s := range side * side {
					at := ink.Point{X: float64(i%size) + (float64(s%side)+0.5)/side, Y: float64(i/size) + (float64(s/side)+0.5)/side}
					if winding(polygons, at) != 0 {
						inside++
					}
				}
				// Either may be wrong by half the distance of its samples along each edge in the pixel.
				if is, want := float64(covered)/ink.FullCoverage, float64(inside)/(side*side); math.Abs(is-want) > 0.11 {
					t.Fatalf("seed %d: coverage of pixel %d, %d of %+v = %.3f, samples %.3f", seed, i%size, i/size, m, is, want)
				}
			}
		}
	}
}

// TestCoverageOfRectangles checks that coverage is the exact area for rectangles with corners at multiples of 1/32
// of a pixel.
func TestCoverageOfRectangles(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const size = 5
	overlap := func(from, to, pixel float64) float64 { return max(0, min(to, pixel+1)-max(from, pixel)) }
	for range 500 {
		coordinate := func() float64 { return float64(rng.IntN(32*size)) / 32 }
		x, y := [2]float64{coordinate(), coordinate()}, [2]float64{coordinate(), coordinate()}
		corners := []ink.Point{{X: x[0], Y: y[0]}, {X: x[1], Y: y[0]}, {X: x[1], Y: y[1]}, {X: x[0], Y: y[1]}}
		for i, got := range ink.Covered([][]ink.Point{corners}, image.Rect(0, 0, size, size)) {
			want := overlap(min(x[0], x[1]), max(x[0], x[1]), float64(i%size)) * overlap(min(y[0], y[1]), max(y[0], y[1]), float64(i/size))
			if float64(got) != want*ink.FullCoverage {
				t.Fatalf("coverage of pixel %d of %v = %v, want %v", i, corners, float64(got)/ink.FullCoverage, want)
			}
		}
	}
}

// TestOverlapsCoverOnce checks that polygons that are drawn twice at once give the same coverage as once.
func TestOverlapsCoverOnce(t *testing.T) {
	for _, m := range marks(rand.New(rand.NewPCG(3, 3)), 20) {
		once := ink.Polygons(m)
		if _, fill := m.(*ink.Fill); fill {
			continue // its polygon may cross itself with opposite windings
		}
		rect := image.Rect(0, 0, 20, 20)
		if !reflect.DeepEqual(ink.Covered(once, rect), ink.Covered(append(once, once...), rect)) {
			t.Errorf("%+v twice covers more than once", m)
		}
	}
}

func noise(rng *rand.Rand, r image.Rectangle) *image.NRGBA {
	img := image.NewNRGBA(r)
	for i := range img.Pix {
		img.Pix[i] = uint8(rng.IntN(256))
	}
	return img
}

// TestDrawRegion checks that drawing a region gives the same pixels as in the whole picture.
func TestDrawRegion(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	const size = 40
	page := ink.Page{Size: image.Pt(size, size)}
	for range 6 {
		page.Marks = append(page.Marks, marks(rng, size)...)
	}
	page.Marks = append(page.Marks, &ink.Text{Text: "halo", At: ink.Point{X: 3, Y: 20}, Size: 14, Halo: ink.Halo{Width: 2, Color: ink.Color{R: 255}}})
	whole := noise(rng, image.Rect(0, 0, size, size))
	for range 20 {
		x, y := rng.IntN(size), rng.IntN(size)
		region := image.Rect(x, y, x+1+rng.IntN(size-x), y+1+rng.IntN(size-y))
		part := image.NewNRGBA(image.Rectangle{Max: region.Size()})
		want := image.NewNRGBA(whole.Rect)
		copy(want.Pix, whole.Pix)
		for y := range region.Dy() {
			for x := range region.Dx() {
				part.SetNRGBA(x, y, whole.NRGBAAt(region.Min.X+x, region.Min.Y+y))
			}
		}
		page.Draw(t.Context(), want, image.Point{})
		page.Draw(t.Context(), part, region.Min)
		for y := range region.Dy() {
			for x := range region.Dx() {
				if part.NRGBAAt(x, y) != want.NRGBAAt(region.Min.X+x, region.Min.Y+y) {
					t.Fatalf("pixel %d, %d of %v differs", x, y, region)
				}
			}
		}
	}
}

// TestBlend compares mixed colors with the formula of the operator over, for some colors and all weights.
func TestBlend(t *testing.T) {
	for _, under := range []color.NRGBA{{0, 0, 0, 0}, {10, 200, 30, 255}, {255, 0, 7, 128}, {9, 9, 9, 1}} {
		for tenths := range 11 {
			share := float64(tenths) / 10
			img := image.NewNRGBA(image.Rect(0, 0, 1, 1))
			img.SetNRGBA(0, 0, under)
			page := ink.Page{Marks: []ink.Mark{&ink.Fill{Points: []ink.Point{{}, {X: share}, {X: share, Y: 1}, {Y: 1}}, Color: ink.Color{R: 40, G: 80, B: 120}}}}
			page.Draw(context.Background(), img, image.Point{})
			alpha := share*255 + float64(under.A)*(1-share)
			got := img.NRGBAAt(0, 0)
			if math.Abs(float64(got.A)-alpha) > 1 {
				t.Errorf("%v under %v: alpha %d, want %v", under, share, got.A, alpha)
			}
			want := (share*255*40 + float64(under.A)*(1-share)*float64(under.R)) / alpha
			if alpha > 0 && math.Abs(float64(got.R)-want) > 1.1 { // the share is rounded to 1/256
				t.Errorf("%v under %v: red %d, want %v", under, share, got.R, want)
			}
		}
	}
}

// TestDashes checks that the dashes of a line have the given lengths, lie on the line, and begin at its first
// point.
func TestDashes(t *testing.T) {
	at := geom2.Pt
	line := []ink.Point{at(0, 0), at(10, 0), at(10, 7)}
	parts := ink.Dashes(line, 4, 2)
	want := [][]ink.Point{{at(0, 0), at(4, 0)}, {at(6, 0), at(10, 0)}, {at(10, 2), at(10, 6)}}
	if !reflect.DeepEqual(parts, want) {
		t.Errorf("Dashes = %v, want %v", parts, want)
	}
	if parts := ink.Dashes(line[:1], 4, 2); parts != nil {
		t.Errorf("a point has the dashes %v", parts)
	}
	for _, length := range []float64{0, -1, 5e-324, 1e-9, math.NaN()} { // too short for dashes
		for _, dashes := range [][2]float64{{length, length}, {length, 0}, {0, 4}, {4, 0}} {
			if parts := ink.Dashes(line, dashes[0], dashes[1]); !reflect.DeepEqual(parts, [][]ink.Point{line}) {
				t.Errorf("Dashes(%v) = %v, want the whole line", dashes, parts)
			}
		}
	}
	far := []ink.Point{{X: 0, Y: 0}, {X: math.Inf(1), Y: 0}}
	if parts := ink.Dashes(far, 4, 2); !reflect.DeepEqual(parts, [][]ink.Point{far}) {
		t.Errorf("Dashes of an infinite line = %v", parts)
	}
	if parts := ink.Dashes(line, 5e-324, 6); len(parts) != 3 { // a gap moves on, even if a dash does not
		t.Errorf("%d dashes of almost no length, want 3", len(parts))
	}
}

// TestFarAway checks that marks far outside the picture, and marks without extent, draw nothing and do not fail.
func TestFarAway(t *testing.T) {
	img := noise(rand.New(rand.NewPCG(1, 1)), image.Rect(0, 0, 9, 9))
	before := bytes.Clone(img.Pix)
	page := ink.Page{}
	for _, far := range []float64{1e3, 1e18, -1e300, math.Inf(1), math.NaN()} {
		page.Marks = append(page.Marks,
			&ink.Line{Points: []ink.Point{{X: far, Y: far}, {X: far + 1, Y: far}}, Width: 2, Round: true},
			&ink.Fill{Points: []ink.Point{{X: far, Y: 1}, {X: far, Y: 2}, {X: far, Y: 8}}},
			&ink.Text{Text: "far", At: ink.Point{X: far, Y: 5}, Size: 9})
	}
	page.Marks = append(page.Marks, &ink.Line{Width: 2}, &ink.Fill{}, &ink.Text{Size: 5}, &ink.Line{Points: []ink.Point{{X: 4, Y: 4}, {X: 4, Y: 4}}, Width: 3})
	page.Draw(context.Background(), img, image.Point{})
	if !bytes.Equal(img.Pix, before) {
		t.Error("something was drawn")
	}
}

// TestHaloCoverage compares the coverage of halos, whose strokes skip polygons that others cover, with that of the same
// polygons without skipping, for sizes far below and above the size of the clip.
func TestHaloCoverage(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	full := 0
	for _, size := range []float64{0.05, 1, 5, 9, 20, 47, 90, 160, 400} {
		for range 3 {
			clip := image.Rect(3, 2, 27, 22).Add(image.Pt(rng.IntN(9), rng.IntN(9)))
			text := &ink.Text{Text: "åg&8", At: ink.Point{X: 20 - size*2*rng.Float64(), Y: 10 + size*rng.Float64()}, Size: size, Halo: ink.Halo{Width: size * (0.02 + 0.2*rng.Float64())}}
			got, want := ink.HaloCovered(text, clip, true), ink.HaloCovered(text, clip, false)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("size %v: %+v in %v has another coverage as strokes", size, text, clip)
			}
			for _, c := range got {
				if c == ink.FullCoverage {
					full++
				}
			}
		}
	}
	if full < 1000 {
		t.Errorf("only %d pixels are covered entirely", full)
	}
}

// TestManyIntervals checks the coverage of rows with so many crossings that they are united.
func TestManyIntervals(t *testing.T) {
	text := &ink.Text{Text: strings.Repeat("ig8", 400), At: ink.Point{X: 1, Y: 3}, Size: 0.04, Halo: ink.Halo{Width: 0.004}}
	clip := image.Rect(0, 0, 30, 6)
	if !reflect.DeepEqual(ink.HaloCovered(text, clip, true), ink.HaloCovered(text, clip, false)) {
		t.Error("the coverage is another one as strokes")
	}
}

// TestLettersAreWithinReach checks that letters do not extend further from the baseline than drawing assumes.
func TestLettersAreWithinReach(t *testing.T) {
	fonts := ink.NewFonts()
	for r := rune(' '); r < 0x2600; r++ {
		for i := range 5 {
			bold := i%2 == 1
			text := &ink.Text{Text: string(r), Size: 1, Bold: bold, Italic: i == 2 || i == 3, Signs: i == 4}
			for _, polygon := range ink.Polygons(text) {
				for _, p := range polygon {
					if p.X < -ink.Reach || p.X > fonts.WidthOf(text)+ink.Reach || math.Abs(p.Y) > ink.Reach {
						t.Fatalf("%q extends to %v", r, p)
					}
				}
			}
		}
	}
}

// TestLayers checks that the layers over a pixel give the pixel that drawing gives.
func TestLayers(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	const size = 30
	page := ink.Page{Size: image.Pt(size, size)}
	for range 3 {
		page.Marks = append(page.Marks, marks(rng, size)...)
	}
	page.Marks = append(page.Marks, &ink.Text{Text: "halo", At: ink.Point{X: 3, Y: 20}, Size: 14, Halo: ink.Halo{Width: 2, Color: ink.Color{R: 255}}})
	img := noise(rng, image.Rect(0, 0, size, size))
	before := *img
	before.Pix = bytes.Clone(img.Pix)
	if err := page.Draw(t.Context(), img, image.Point{}); err != nil {
		t.Fatal(err)
	}
	for i := range size * size {
		x, y := i%size, i/size
		layers, err := page.At(t.Context(), image.Pt(x, y))
		if err != nil {
			t.Fatal(err)
		}
		got := before.NRGBAAt(x, y)
		for _, l := range layers {
			got = l.Over(got)
		}
		if got != img.NRGBAAt(x, y) {
			t.Fatalf("pixel %d, %d: the layers give %v, drawing %v", x, y, got, img.NRGBAAt(x, y))
		}
	}
}

// TestDrawCanceled checks that drawing ends with its context.
func TestDrawCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	img := image.NewNRGBA(image.Rect(0, 0, 9, 9))
	page := ink.Page{Marks: []ink.Mark{&ink.Fill{Points: []ink.Point{{}, {X: 9}, {Y: 9}}}}}
	if err := page.Draw(ctx, img, image.Point{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Draw = %v", err)
	}
	if !bytes.Equal(img.Pix, make([]byte, len(img.Pix))) {
		t.Error("something was drawn")
	}
}

// TestLargeLetters checks that letters much larger than the picture take work in proportion to the picture only: with
// work in proportion to the letters, this test would take minutes.
func TestLargeLetters(t *testing.T) {
	img := image.NewNRGBA(image.Rect(0, 0, 60, 40))
	for _, size := range []float64{1e3, 1e5, 1e7, 1e12} {
		text := &ink.Text{Text: strings.Repeat("&8@", 100), At: ink.Point{X: -0.2 * size, Y: 0.3 * size}, Size: size, Color: ink.Color{B: 9}, Halo: ink.Halo{Width: size / 8}}
		page := ink.Page{Marks: []ink.Mark{text, &ink.Line{Points: []ink.Point{{X: -size, Y: -size}, {X: size, Y: size}}, Width: size}}}
		if err := page.Draw(t.Context(), img, image.Point{}); err != nil {
			t.Fatal(err)
		}
	}
}
