package golden

import (
	"context"
	"errors"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

func gradient(more uint8) func(x, y int) color.NRGBA {
	return func(x, y int) color.NRGBA {
		b := uint8(128)
		if x >= 20 {
			b += more
		}
		return color.NRGBA{uint8(x * 255 / 39), uint8(y * 255 / 27), b, 255}
	}
}

func checker(shift int) func(x, y int) color.NRGBA {
	return func(x, y int) color.NRGBA {
		if ((x+shift)/4+y/4)%2 != 0 {
			return color.NRGBA{255, 255, 255, 255}
		}
		return color.NRGBA{0, 0, 0, 255}
	}
}

// noise returns a function that makes pixels with random channels, from low up to but excluding low + levels. The
// function must be called for the pixels in row-major order. It uses a linear congruential generator, so the same
// seed gives the same image in any language.
func noise(seed uint32, low, levels int) func(x, y int) color.NRGBA {
	next := func() uint8 {
		seed = seed*1664525 + 1013904223
		return uint8(low + int(seed>>24)*levels/256)
	}
	return func(x, y int) color.NRGBA {
		r, g, b := next(), next(), next()
		return color.NRGBA{r, g, b, 255}
	}
}

func gray(v uint8) func(x, y int) color.NRGBA {
	return func(x, y int) color.NRGBA { return color.NRGBA{v, v, v, 255} }
}

func dot(x, y int) color.NRGBA {
	if x == 13 && y == 9 {
		return color.NRGBA{255, 255, 255, 255}
	}
	return color.NRGBA{96, 96, 96, 255}
}

func stripes(r, g uint8) func(x, y int) color.NRGBA {
	return func(x, y int) color.NRGBA {
		if x/5%2 != 0 {
			return color.NRGBA{r, g, 40, 255}
		}
		return color.NRGBA{40, 40, 40, 255}
	}
}

func disc(alpha uint8) func(x, y int) color.NRGBA {
	return func(x, y int) color.NRGBA {
		if (x-20)*(x-20)+(y-14)*(y-14) < 81 {
			return color.NRGBA{220, 60, 20, alpha}
		}
		return color.NRGBA{220, 60, 20, 0}
	}
}

func paint(w, h int, f func(x, y int) color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetNRGBA(x, y, f(x, y))
		}
	}
	return m
}

// TestCompareFLIPAgreesWithIndependentImplementation compares errors with those of a second implementation of the
// paper, written in Python for this test only, with whole two-dimensional kernels and without tiles. The pair of
// images that the authors publish, with mean 0.159691 at the same PixelsPerDegree, is not part of this repository.
func TestCompareFLIPAgreesWithIndependentImplementation(t *testing.T) {
	for _, p := range []struct {
		name      string
		want, got func(x, y int) color.NRGBA // of 40 x 28 pixels
		mean, p99 float64
	}{
		{"gradient", gradient(0), gradient(16), 0.105687037, 0.223235424},
		{"shifted checker", checker(0), checker(39), 0.320720556, 0.961520731},
		{"noise", noise(1, 0, 256), noise(2, 0, 256), 0.429278031, 0.807535111},
		{"faint noise", gray(120), noise(7, 112, 17), 0.055603079, 0.113449904},
		{"lost dot", dot, gray(96), 0.005175411, 0.173738848},
		{"stripes", stripes(200, 40), stripes(40, 200), 0.791548560, 0.981156703},
		{"half transparent", disc(255), disc(128), 0.140646051, 0.547846456},
	} {
		got, err := CompareFLIP(paint(40, 28, p.got), paint(40, 28, p.want))
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got.Mean-p.mean) > 1e-6 || math.Abs(got.P99-p.p99) > 1e-6 {
			t.Errorf("%s: got %+v, want mean %v, 99th percentile %v", p.name, got, p.mean, p.p99)
		}
	}
}

func compareFLIP(t *testing.T, got, want image.Image, masks ...image.Rectangle) FLIP {
	t.Helper()
	f, err := CompareFLIP(got, want, masks...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestCompareFLIPOfPlainColors checks images of one color. The filters do not change these, so the error follows
// from the colors alone.
func TestCompareFLIPOfPlainColors(t *testing.T) {
	plain := func(c color.NRGBA) *image.NRGBA {
		return paint(30, 30, func(x, y int) color.NRGBA { return c })
	}
	black, white := plain(color.NRGBA{0, 0, 0, 255}), plain(color.NRGBA{255, 255, 255, 255})
	green, blue := plain(color.NRGBA{0, 255, 0, 255}), plain(color.NRGBA{0, 0, 255, 255})

	// No two colors of sRGB are farther apart than green and blue: error 1 by definition.
	if f := compareFLIP(t, green, blue); math.Abs(f.Mean-1) > 1e-9 || math.Abs(f.P99-1) > 1e-9 {
		t.Errorf("green against blue: %+v, want 1", f)
	}
	// L* differs by 100, a* and b* not at all; 41.2761 is the power 0.7 of green against blue.
	d := math.Pow(100, 0.7) / 41.276098414595445
	if f := compareFLIP(t, black, white); math.Abs(f.Mean-(0.95+(d-0.4)/0.6*0.05)) > 1e-9 {
		t.Errorf("black against white: %+v", f)
	}
}

func TestCompareFLIPOfEqualImages(t *testing.T) {
	m := paint(70, 70, noise(1, 0, 256))
	if f := compareFLIP(t, m, m); f != (FLIP{}) {
		t.Errorf("an image against itself: %+v", f)
	}
	empty := image.NewNRGBA(image.Rectangle{})
	if f := compareFLIP(t, empty, empty); f != (FLIP{}) {
		t.Errorf("two empty images: %+v", f)
	}
	clear, hidden := paint(20, 20, disc(0)), paint(20, 20, disc(0))
	hidden.SetNRGBA(9, 9, color.NRGBA{255, 255, 255, 0})
	if f := compareFLIP(t, clear, hidden); f != (FLIP{}) {
		t.Errorf("a difference under alpha 0: %+v", f)
	}
}

// TestCompareFLIPSymmetries checks that the error stays the same if both images are mirrored, turned upside down,
// transposed, or exchanged.
func TestCompareFLIPSymmetries(t *testing.T) {
	a, b := paint(80, 67, noise(5, 0, 256)), paint(80, 67, noise(6, 60, 120))
	f := compareFLIP(t, a, b)
	for name, move := range map[string]func(x, y int) (int, int){
		"mirrored":    func(x, y int) (int, int) { return 79 - x, y },
		"upside down": func(x, y int) (int, int) { return x, 66 - y },
		"transposed":  func(x, y int) (int, int) { return y, x },
	} {
		if g := compareFLIP(t, moved(a, move), moved(b, move)); math.Abs(g.Mean-f.Mean) > 1e-12 || math.Abs(g.P99-f.P99) > 1e-12 {
			t.Errorf("%s: %+v, want %+v", name, g, f)
		}
	}
	if g := compareFLIP(t, b, a); g != f {
		t.Errorf("exchanged: %+v, want %+v", g, f)
	}
}

func moved(m *image.NRGBA, to func(x, y int) (int, int)) *image.NRGBA {
	w, h := to(m.Rect.Dx()-1, m.Rect.Dy()-1)
	x0, y0 := to(0, 0)
	n := image.NewNRGBA(image.Rect(0, 0, max(w, x0)+1, max(h, y0)+1))
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			u, v := to(x, y)
			n.SetNRGBA(u, v, m.NRGBAAt(x, y))
		}
	}
	return n
}

// TestCompareFLIPIgnoresTiles checks that a spot far from the border of the image has the same error everywhere,
// also across the border of two tiles.
func TestCompareFLIPIgnoresTiles(t *testing.T) {
	spot := func(at image.Point) FLIP {
		m := paint(200, 160, gray(90))
		for y := range 3 {
			for x := range 4 {
				m.SetNRGBA(at.X+x, at.Y+y, color.NRGBA{250, 20, 20, 255})
			}
		}
		return compareFLIP(t, m, paint(200, 160, gray(90)))
	}
	want := spot(image.Pt(30, 30))
	for _, p := range []image.Point{{62, 63}, {64, 64}, {60, 20}, {74, 54}, {117, 127}, {140, 100}} {
		if got := spot(p); math.Abs(got.Mean-want.Mean) > 1e-12 || math.Abs(got.P99-want.P99) > 1e-12 {
			t.Errorf("at %v: %+v, want %+v", p, got, want)
		}
	}
}

func TestCompareFLIPMasks(t *testing.T) {
	want, got := paint(60, 60, gradient(0)), paint(60, 60, gradient(0))
	for x := 10; x < 20; x++ {
		got.SetNRGBA(x, 33, color.NRGBA{255, 255, 255, 255})
	}
	if f := compareFLIP(t, got, want, image.Rect(10, 33, 20, 34)); f != (FLIP{}) {
		t.Errorf("all differences masked: %+v", f)
	}
	if f, all := compareFLIP(t, got, want, image.Rect(-5, 0, 15, 99)), compareFLIP(t, got, want); f.Mean <= 0 || f.Mean >= all.Mean {
		t.Errorf("half of the differences masked: %+v, without mask %+v", f, all)
	}
}

func TestCompareFLIPAtSixteenBits(t *testing.T) {
	widen := func(m *image.NRGBA) *image.NRGBA64 {
		w := image.NewNRGBA64(m.Rect)
		for i, v := range m.Pix {
			w.Pix[2*i], w.Pix[2*i+1] = v, v
		}
		return w
	}
	a, b := paint(40, 28, disc(255)), paint(40, 28, disc(128))
	if f, g := compareFLIP(t, a, b), compareFLIP(t, widen(a), widen(b)); math.Abs(f.Mean-g.Mean) > 1e-12 || math.Abs(f.P99-g.P99) > 1e-12 {
		t.Errorf("8 bits %+v, 16 bits %+v", f, g)
	}
}

func TestCompareFLIPErrors(t *testing.T) {
	m := paint(2, 2, gray(0))
	if _, err := CompareFLIP(m, paint(2, 3, gray(0))); err == nil {
		t.Error("images of different sizes: no error")
	}
	if _, err := CompareFLIP(nil, m); err == nil {
		t.Error("a nil image: no error")
	}
}

func TestPoolNearestRank(t *testing.T) {
	values := make([]float64, 200)
	for i := range values {
		values[i] = float64(200-i) / 200
	}
	for _, c := range []struct {
		values []float64
		n      int
		p99    float64
	}{
		{values, 200, 0.99}, // 198th of 200
		{values[:1], 1, 1},
		{values[:1], 99, 1}, // rank 99 (98.01 rounded up) of 99
		{values[:1], 100, 0},
		{values[:2], 100, 0.995},
	} {
		pool := newErrorPool(c.n)
		for i := range c.values {
			pool.addErrors(c.values[i : i+1])
		}
		if got := pool.figures().P99; got != c.p99 {
			t.Errorf("%d values of %d: P99 = %v, want %v", len(c.values), c.n, got, c.p99)
		}
	}
}

func TestColorSpacesInvert(t *testing.T) {
	for i := range 1000 {
		c := rgb{float64(i%10) / 9, float64(i/10%10) / 9, float64(i/100) / 9}
		back := c.xyz().opponent().xyz().rgb()
		for j := range c {
			if math.Abs(back[j]-c[j]) > 1e-12 {
				t.Fatalf("%v came back as %v", c, back)
			}
		}
	}
	if white := (rgb{1, 1, 1}).xyz(); white != (xyz{1, 1, 1}) {
		t.Errorf("white is %v", white)
	}
}

func TestReachHoldsAllFilters(t *testing.T) {
	if widest := math.Ceil(3 * math.Sqrt(0.04/(2*math.Pi*math.Pi)) * PixelsPerDegree); widest != reach {
		t.Errorf("reach = %d, want %v", reach, widest)
	}
	if math.Abs(PixelsPerDegree-67.0206) > 1e-4 {
		t.Errorf("PixelsPerDegree = %v", PixelsPerDegree)
	}
}

func BenchmarkCompareFLIP(b *testing.B) {
	want := paint(1280, 720, noise(1, 0, 256))
	one := opaqueCopy(want)
	one.Pix[len(one.Pix)/2] ^= 255
	for _, c := range []struct {
		name string
		got  image.Image
	}{{"one", one}, {"all", paint(1280, 720, noise(2, 0, 256))}} {
		b.Run("size=720p/differ="+c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := CompareFLIP(c.got, want); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(1280*720*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
		})
	}
}

// TestMapFLIP compares the numbers of MapFLIP with those of CompareFLIP, with and without masks. The picture must
// have the same mean and maximum.
func TestMapFLIP(t *testing.T) {
	want := image.NewNRGBA(image.Rect(0, 0, 150, 90))
	for i := range want.Pix {
		want.Pix[i] = 0xff
	}
	got := image.NewNRGBA(want.Rect)
	copy(got.Pix, want.Pix)
	for _, at := range []image.Point{{70, 40}, {71, 40}, {149, 89}} {
		got.SetNRGBA(at.X, at.Y, color.NRGBA{R: 0x20, A: 0xff})
	}
	for _, masks := range [][]image.Rectangle{nil, {image.Rect(140, 80, 150, 90)}} {
		figures, img, err := MapFLIP(got, want, masks...)
		if err != nil || figures != compareFLIP(t, got, want, masks...) {
			t.Fatalf("MapFLIP = %v, %v, want what CompareFLIP returns", figures, err)
		}
		const step = 1.0 / math.MaxUint16
		var sum, largest float64
		for y := range 90 {
			for x := range 150 {
				v := float64(img.Gray16At(x, y).Y) * step
				sum, largest = sum+v, max(largest, v)
			}
		}
		if math.Abs(sum/(150*90)-figures.Mean) > step || math.Abs(largest-figures.Max) > step {
			t.Errorf("the map has mean %v and maximum %v, want %v", sum/(150*90), largest, figures)
		}
		if near, far := img.Gray16At(70, 40).Y, img.Gray16At(10, 10).Y; near == 0 || far != 0 {
			t.Errorf("%d at a difference, %d far from any", near, far)
		}
		if corner := img.Gray16At(149, 89).Y; (corner == 0) != (masks != nil) {
			t.Errorf("%d in the corner with masks %v", corner, masks)
		}
	}
	if _, _, err := MapFLIP(got, image.NewNRGBA(image.Rect(0, 0, 1, 1))); err == nil {
		t.Error("no error for two sizes")
	}
}

// TestFLIPTooLarge checks that only pixels near a difference count, and that their number is limited.
func TestFLIPTooLarge(t *testing.T) {
	a, b := image.NewNRGBA(image.Rect(0, 0, 300, 200)), image.NewNRGBA(image.Rect(0, 0, 300, 200))
	b.SetNRGBA(32, 32, color.NRGBA{R: 255, A: 255}) // only the first block is near it
	for _, test := range []struct {
		most int
		want error
	}{{tileSize * tileSize, nil}, {tileSize*tileSize - 1, ErrFLIPTooLarge}} {
		if _, err := measureFLIP(t.Context(), a, b, nil, test.most, nil); !errors.Is(err, test.want) {
			t.Errorf("at most %d pixels: %v, want %v", test.most, err, test.want)
		}
	}
}

// TestFLIPBands checks that the border between two bands of tiles does not affect errors: a part of a high picture around it has
// the same errors as the whole picture.
func TestFLIPBands(t *testing.T) {
	const width, border, around = 70, tileSize * (bandTiles / 2), 3 * tileSize
	var images [2]*image.NRGBA
	for i := range images {
		images[i] = image.NewNRGBA(image.Rect(0, 0, width, border+20*around))
	}
	random := rand.New(rand.NewPCG(1, 2))
	for y := border - 20; y < border+20; y++ {
		for x := range width {
			images[0].SetNRGBA(x, y, color.NRGBA{R: uint8(random.Uint32()), G: uint8(random.Uint32()), A: 255})
		}
	}
	part := image.Rect(0, border-around, width, border+around)
	_, whole, err := MapFLIP(images[0], images[1])
	if err != nil {
		t.Fatal(err)
	}
	_, cut, err := MapFLIP(images[0].SubImage(part), images[1].SubImage(part))
	if err != nil {
		t.Fatal(err)
	}
	differing := 0
	for y := range part.Dy() {
		for x := range width {
			got, want := whole.Gray16At(x, part.Min.Y+y), cut.Gray16At(x, y)
			if got != want {
				t.Fatalf("pixel %d of row %d: %v, want %v", x, part.Min.Y+y, got, want)
			}
			if want.Y > 0 {
				differing++
			}
		}
	}
	if least := width * 40; differing < least {
		t.Errorf("%d pixels differ, want at least %d", differing, least)
	}
}

// TestFLIPEnds checks that CompareFLIPContext returns the cause of a context that has ended.
func TestFLIPEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	a, b := image.NewNRGBA(image.Rect(0, 0, 30, 20)), image.NewGray(image.Rect(0, 0, 30, 20))
	if _, err := CompareFLIPContext(ctx, a, b); !errors.Is(err, cause) {
		t.Errorf("%v, want %v", err, cause)
	}
}
