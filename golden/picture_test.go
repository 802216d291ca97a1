package golden

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/chart"
	"pillbox/internal/fixture/effort"
)

func picture(t *testing.T, got, want image.Image, tol Tolerance) *image.RGBA {
	t.Helper()
	return Picture(got, want, compare(t, got, want, tol)).(*image.RGBA)
}

// TestPictureSizes checks that the picture of a comparison has the documented size, for images of any shape.
func TestPictureSizes(t *testing.T) {
	lengths := []int{1, 2, 33, 299, 450, 2160, 5000}
	for i, w := range lengths {
		for j, h := range lengths {
			if w*h > 3e5 || (i+j)%2 != 0 {
				continue
			}
			want, got := paint(w, h, gray(70)), paint(w, h, gray(70))
			got.SetNRGBA(w-1, h-1, color.NRGBA{70, 70, 71, 255})
			got.SetNRGBA(w/2, 0, color.NRGBA{255, 0, 0, 100})
			for _, p := range []*image.RGBA{
				picture(t, got, want, Tolerance{}),
				picture(t, want, want, Tolerance{}),
				picture(t, got, paint(h, w, gray(9)), Tolerance{}),
			} {
				if s := p.Rect.Size(); s.X > 1880 || s.Y > 950 || s.X < 3*columnMin {
					t.Errorf("picture of %d x %d is %v", w, h, s)
				}
			}
		}
	}
	full := picture(t, paint(700, 700, noise(1, 0, 256)), paint(700, 700, noise(2, 0, 256)), Tolerance{MaxChannel: 1})
	if h := full.Rect.Dy(); h > 950 || h < 940 {
		t.Errorf("a picture with all that can be in it is %d high, promised is 950", h)
	}
	empty := image.NewNRGBA(image.Rectangle{})
	picture(t, empty, empty, Tolerance{})
	picture(t, empty, paint(5, 5, gray(0)), Tolerance{})
}

// TestPictureShowsEveryChange checks the picture of a comparison, whose third column shows the differences. A
// single changed pixel must glow there at its place, at every scale. Where the picture draws several changed
// pixels as one, it must show their largest difference.
func TestPictureShowsEveryChange(t *testing.T) {
	for _, size := range []image.Point{{1, 1}, {7, 5}, {64, 48}, {500, 400}, {1280, 720}, {3840, 3}, {3, 2000}} {
		want := paint(size.X, size.Y, gray(200))
		r := rand.New(rand.NewPCG(uint64(size.X), uint64(size.Y)))
		for range effort.Of(1, 5, 50) {
			at := image.Pt(r.IntN(size.X), r.IntN(size.Y))
			got := opaqueCopy(want)
			for range 3 {
				near := at.Add(image.Pt(r.IntN(3)-1, r.IntN(3)-1))
				got.SetNRGBA(near.X, near.Y, color.NRGBA{199, 200, 200, 255})
			}
			got.SetNRGBA(at.X, at.Y, color.NRGBA{200, 200, 80, 255})
			d := compare(t, got, want, Tolerance{})
			s := newSheet(got, want, d)
			cell := s.panels.cells(image.Rectangle{at, at.Add(image.Pt(1, 1))}).Add(s.corner(s.panels, 2))
			p := Picture(got, want, d).(*image.RGBA)
			middle := cell.Min.Add(cell.Size().Div(2))
			if c := p.RGBAAt(middle.X, middle.Y); c != glow(120) {
				t.Errorf("%v, change at %v: the picture has %v at %v, want %v", size, at, c, middle, glow(120))
			}
		}
	}
}

func TestPictureOfEqualImagesDoesNotGlow(t *testing.T) {
	m := paint(50, 40, noise(1, 0, 256))
	p := picture(t, m, m, Tolerance{})
	corner := newSheet(m, m, Diff{}).corner(newSheet(m, m, compare(t, m, m, Tolerance{})).panels, 2)
	for y := corner.Y; y < corner.Y+40; y++ {
		for x := corner.X; x < corner.X+50; x++ {
			if c := p.RGBAAt(x, y); c.R != c.G || c.G != c.B || c.R > 100 {
				t.Fatalf("(%d, %d) is %v, want a dark gray", x, y, c)
			}
		}
	}
}

func TestPictureWithinTolerance(t *testing.T) {
	want, got := paint(20, 20, gray(50)), paint(20, 20, gray(50))
	got.SetNRGBA(4, 5, color.NRGBA{52, 50, 50, 255})
	d := compare(t, got, want, Tolerance{MaxChannel: 2})
	s := newSheet(got, want, d)
	at := s.panels.cells(image.Rect(4, 5, 5, 6)).Add(s.corner(s.panels, 2)).Min
	if c := Picture(got, want, d).At(at.X, at.Y); !sameColor(c, mildColor) {
		t.Errorf("a tolerated difference is drawn in %v, want %v", c, mildColor)
	}
}

func sameColor(a, b color.Color) bool {
	return color.RGBAModel.Convert(a) == color.RGBAModel.Convert(b)
}

// TestPictureTransparency checks that the picture of a comparison shows a checkerboard behind the transparent
// parts of an image.
func TestPictureTransparency(t *testing.T) {
	m := paint(300, 300, disc(0))
	d := compare(t, m, m, Tolerance{})
	at := newSheet(m, m, d).corner(newSheet(m, m, d).panels, 0)
	p := Picture(m, m, d)
	board := chart.OnCheckerboard(image.NewNRGBA(image.Rect(0, 0, 300, 1)))
	for x := range 300 {
		if c, want := p.At(at.X+x, at.Y), board.At(x, 0); !sameColor(c, want) {
			t.Fatalf("behind a transparent pixel at (%d, 0) stands %v, want %v", x, c, want)
		}
	}
}

// TestPictureIgnoresBounds checks that the picture does not depend on where the bounds of the images start.
func TestPictureIgnoresBounds(t *testing.T) {
	want, got := paint(120, 90, gradient(0)), paint(120, 90, gradient(9))
	shift := func(m *image.NRGBA) image.Image {
		s := *m
		s.Rect = s.Rect.Add(image.Pt(-7, 1000))
		return &s
	}
	a, b := picture(t, got, want, Tolerance{}), picture(t, shift(got), shift(want), Tolerance{})
	if !bytes.Equal(a.Pix, b.Pix) {
		t.Error("moved bounds change the picture")
	}
}

// TestPictureOfForeignDiff checks that a Diff of other images gives a wrong picture but no panic.
func TestPictureOfForeignDiff(t *testing.T) {
	d := compare(t, paint(900, 900, noise(1, 0, 256)), paint(900, 900, noise(2, 0, 256)), Tolerance{MaxChannel: 200})
	Picture(paint(3, 3, gray(0)), paint(3, 3, gray(1)), d)
	Picture(paint(3, 3, gray(0)), paint(3, 4, gray(1)), d)
}

// TestPictureTextsFit checks that the longest texts fit into the narrowest picture, so that its margins are empty.
func TestPictureTextsFit(t *testing.T) {
	huge := Diff{
		Got: image.Pt(3840, 2160), Want: image.Pt(3840, 2160),
		Differing: 8294400, Changed: 8294400, First: image.Pt(3839, 2159),
		Max: 255, MaxAt: image.Pt(3839, 2159), Mean: 0.000123456,
		Clusters:  make([]Cluster, 1234567),
		Tolerance: Tolerance{255, 8294400, make([]image.Rectangle, 1000)},
	}
	s := newSheet(paint(1, 1, gray(0)), paint(1, 1, gray(0)), huge)
	s.heading()
	huge.Changed--
	s.diff = huge
	s.legend(append(s.changeItems(), s.frameItem("enlarged below", insetColor))...)
	img := s.Image()
	for _, column := range []int{s.size.X - margin, margin - 1} {
		for y := range s.size.Y {
			if c := img.RGBAAt(column, y); !sameColor(c, s.Paper) {
				t.Fatalf("something is drawn in the margin at (%d, %d)", column, y)
			}
		}
	}
	for _, line := range []string{"want 16000000 x 16000000", "changes, enlarged 32 times", "both sizes, reduced to 0.00375 %"} {
		if w := s.text(line, textSize, s.Ink, 0, 0); w > columnMin {
			t.Errorf("%q is %d wide, a column %d", line, w, columnMin)
		}
	}
}

// TestGlowRises checks that larger differences are drawn at least as bright.
func TestGlowRises(t *testing.T) {
	last := 0.0
	for v := 1; v <= 255; v++ {
		c := glow(v)
		luma := 0.2126*linear(float64(c.R)/255) + 0.7152*linear(float64(c.G)/255) + 0.0722*linear(float64(c.B)/255)
		if luma < last {
			t.Errorf("glow(%d) is darker than glow(%d)", v, v-1)
		}
		last = luma
	}
}

// contrastRatio returns the contrast ratio of a and b that WCAG 2.1 defines. A ratio of 4.5 counts as legible.
func contrastRatio(a, b color.Color) float64 {
	luma := func(c color.Color) float64 {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		return 0.2126*linear(float64(n.R)/255) + 0.7152*linear(float64(n.G)/255) + 0.0722*linear(float64(n.B)/255) + 0.05
	}
	return math.Max(luma(a), luma(b)) / math.Min(luma(a), luma(b))
}

func TestPictureContrast(t *testing.T) {
	theme := chart.Light()
	for _, c := range []chart.Hex{theme.Ink, passColor, failColor} {
		if r := contrastRatio(c, theme.Paper); r < 4.5 {
			t.Errorf("text %06x on paper has contrast %.1f", int(c), r)
		}
	}
	ground := color.Gray{24 + 255/4} // the lightest that fade leaves
	for name, c := range map[string]color.Color{"box": boxColor, "frame": insetColor, "medium glow": glow(60), "strong glow": glow(255)} {
		if r := contrastRatio(c, ground); r < 2.5 {
			t.Errorf("%s on the faded image has contrast %.1f", name, r)
		}
	}
}

func TestFit(t *testing.T) {
	for _, c := range []struct {
		size image.Point
		want ratio
	}{
		{image.Pt(1, 1), ratio{maxZoom, 1}},
		{image.Pt(60, 10), ratio{10, 1}},
		{image.Pt(61, 10), ratio{9, 1}},
		{image.Pt(600, 450), ratio{1, 1}},
		{image.Pt(601, 450), ratio{600, 601}},
		{image.Pt(600, 900), ratio{450, 900}},
		{image.Pt(0, 0), ratio{maxZoom, 1}},
	} {
		if got := fit(c.size, image.Pt(600, 450)); got != c.want {
			t.Errorf("fit(%v) = %v, want %v", c.size, got, c.want)
		}
	}
}

func TestInsetShowsTheLargestDifference(t *testing.T) {
	for seed := range effort.Of[uint64](50, 200, 2000) {
		r := rand.New(rand.NewPCG(seed, 7))
		w, h := 1+r.IntN(900), 1+r.IntN(900)
		want, got := paint(w, h, gray(5)), paint(w, h, gray(5))
		for range 1 + r.IntN(5) {
			x, y, dx, dy := r.IntN(w), r.IntN(h), r.IntN(100), r.IntN(100)
			for v := y; v < min(y+dy+1, h); v++ {
				for u := x; u < min(x+dx+1, w); u++ {
					got.Pix[got.PixOffset(u, v)] = uint8(6 + r.IntN(200))
				}
			}
		}
		d := compare(t, got, want, Tolerance{})
		v := insetView(d, columnMax, image.Pt(w, h))
		if !d.MaxAt.In(v.region) || !v.region.In(image.Rect(0, 0, w, h)) {
			t.Errorf("seed %d: inset of %v, largest difference at %v, image %d x %d", seed, v.region, d.MaxAt, w, h)
		}
		if v.scale.num < minInset {
			t.Errorf("seed %d: inset enlarges %d times, promised are %d", seed, v.scale.num, minInset)
		}
		if s := v.size(); s.X > columnMax || s.Y > insetMax {
			t.Errorf("seed %d: inset of %v is drawn %v", seed, v.region, s)
		}
	}
}

func TestFactsTellTheTolerance(t *testing.T) {
	lines := facts(compare(t, paint(2, 1, gray(0)), paint(2, 1, gray(3)), Tolerance{MaxChannel: 1, MaxPixels: 1}))
	if want := "tolerance: 1 in a channel, 1 changed pixel, 0 masks; pixels that differ at all: 2"; !slices.Contains(lines, want) {
		t.Errorf("facts = %s, want %q among them", strings.Join(lines, "\n"), want)
	}
}

func BenchmarkPicture(b *testing.B) {
	for _, size := range []image.Point{{64, 48}, {3840, 2160}} {
		got, want := paint(size.X, size.Y, noise(1, 0, 256)), paint(size.X, size.Y, noise(2, 0, 256))
		d, err := Compare(got, want, Tolerance{})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("size=%dx%d", size.X, size.Y), func(b *testing.B) {
			for b.Loop() {
				Picture(got, want, d)
			}
		})
	}
}
