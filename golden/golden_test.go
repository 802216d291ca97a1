package golden

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// imageKinds returns functions that make random images, one for each image type that the reader handles separately.
func imageKinds() map[string]func(r *rand.Rand, b image.Rectangle) image.Image {
	return map[string]func(r *rand.Rand, b image.Rectangle) image.Image{
		"NRGBA": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewNRGBA(b)
			fill(r, m.Pix)
			return m
		},
		"NRGBA window": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewNRGBA(b.Inset(-3))
			fill(r, m.Pix)
			return m.SubImage(b)
		},
		"RGBA": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewRGBA(b)
			fill(r, m.Pix)
			for p := m.Pix; len(p) > 0; p = p[4:] {
				for i := range 3 {
					p[i] = uint8(int(p[i]) * int(p[3]) / 255)
				}
			}
			return m
		},
		"opaque RGBA": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewRGBA(b)
			fill(r, m.Pix)
			for i := 3; i < len(m.Pix); i += 4 {
				m.Pix[i] = 255
			}
			return m
		},
		"Gray": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewGray(b)
			fill(r, m.Pix)
			return m
		},
		"Paletted": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewPaletted(b, color.Palette{
				color.NRGBA{1, 2, 3, 0}, color.NRGBA{200, 100, 50, 128}, color.RGBA{9, 8, 7, 255}, color.RGBA{10, 20, 5, 30},
			})
			fill(r, m.Pix)
			for i := range m.Pix {
				m.Pix[i] %= 4
			}
			return m
		},
		"NRGBA64": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewNRGBA64(b)
			fill(r, m.Pix)
			return m
		},
		"opaque RGBA64": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewRGBA64(b)
			fill(r, m.Pix)
			for i := 6; i < len(m.Pix); i += 8 {
				m.Pix[i], m.Pix[i+1] = 255, 255
			}
			return m
		},
		"Gray16": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewGray16(b)
			fill(r, m.Pix)
			return m
		},
		"YCbCr": func(r *rand.Rand, b image.Rectangle) image.Image {
			m := image.NewYCbCr(b, image.YCbCrSubsampleRatio420)
			fill(r, m.Y)
			fill(r, m.Cb)
			fill(r, m.Cr)
			return m
		},
	}
}

func fill(r *rand.Rand, p []uint8) {
	for i := range p {
		p[i] = uint8(r.Uint32())
		if r.IntN(4) == 0 { // alpha and colors at the ends more often than by chance
			p[i] = uint8(r.IntN(2) * 255)
		}
	}
}

func randomNRGBA(r *rand.Rand) *image.NRGBA {
	m := image.NewNRGBA(randomBounds(r))
	fill(r, m.Pix)
	return m
}

// randomBounds returns random bounds, which need not start at 0.
func randomBounds(r *rand.Rand) image.Rectangle {
	min := image.Pt(r.IntN(41)-20, r.IntN(41)-20)
	return image.Rectangle{min, min.Add(image.Pt(1+r.IntN(45), 1+r.IntN(45)))}
}

// disturb returns a copy of m in which some pixels differ: few or most of them, by a little or a lot, as single
// pixels or as whole lines.
func disturb(r *rand.Rand, m *image.NRGBA) *image.NRGBA {
	c := image.NewNRGBA(m.Rect)
	copy(c.Pix, m.Pix)
	often, most := 1+r.IntN(60), 1+r.IntN(255)
	for i := 0; i < len(c.Pix); i += 1 + r.IntN(often) {
		c.Pix[i] += uint8(r.IntN(most))
	}
	return c
}

func randomMasks(r *rand.Rand) []image.Rectangle {
	var masks []image.Rectangle
	for range r.IntN(4) {
		min := image.Pt(r.IntN(60)-10, r.IntN(60)-10)
		masks = append(masks, image.Rectangle{min, min.Add(image.Pt(r.IntN(20), r.IntN(20)))})
	}
	return masks
}

// slowDiff computes the result of Compare for 8-bit images of equal size in another way: pixel by pixel, with
// clusters found by flood fill.
func slowDiff(got, want *image.NRGBA, tol Tolerance) Diff {
	size := got.Rect.Size()
	d := Diff{Got: size, Want: size, Tolerance: tol}
	changed := map[image.Point]int{}
	sum := 0
	for y := range size.Y {
		for x := range size.X {
			p := image.Pt(x, y)
			if slices.ContainsFunc(tol.Masks, p.In) {
				continue
			}
			a := got.NRGBAAt(got.Rect.Min.X+x, got.Rect.Min.Y+y)
			b := want.NRGBAAt(want.Rect.Min.X+x, want.Rect.Min.Y+y)
			differences := []int{abs(a.R, b.R), abs(a.G, b.G), abs(a.B, b.B), abs(a.A, b.A)}
			peak := slices.Max(differences)
			if peak == 0 {
				continue
			}
			d.Differing++
			for _, v := range differences {
				sum += v
			}
			if peak > d.Max {
				d.Max, d.MaxAt = peak, p
			}
			if peak > tol.MaxChannel {
				if d.Changed == 0 {
					d.First = p
				}
				d.Changed++
				changed[p] = peak
			}
		}
	}
	d.Mean = float64(sum) / float64(4*size.X*size.Y)
	d.Clusters = flood(size, changed)
	return d
}

func abs(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// flood removes the pixels from changed and returns their clusters, found by flood fill.
func flood(size image.Point, changed map[image.Point]int) []Cluster {
	var all []Cluster
	for y := range size.Y {
		for x := range size.X {
			if changed[image.Pt(x, y)] == 0 {
				continue
			}
			c := Cluster{First: image.Pt(x, y)}
			var members []image.Point
			stack := []image.Point{c.First}
			peaks := map[image.Point]int{c.First: changed[c.First]}
			delete(changed, c.First)
			for len(stack) > 0 {
				p := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				members = append(members, p)
				for dy := -1; dy <= 1; dy++ {
					for dx := -1; dx <= 1; dx++ {
						q := p.Add(image.Pt(dx, dy))
						if peak := changed[q]; peak != 0 {
							peaks[q] = peak
							delete(changed, q)
							stack = append(stack, q)
						}
					}
				}
			}
			slices.SortFunc(members, func(p, q image.Point) int { return (p.Y-q.Y)*1000 + p.X - q.X })
			c.Pixels = len(members)
			for _, p := range members {
				c.Bounds = c.Bounds.Union(image.Rectangle{p, p.Add(image.Pt(1, 1))})
				if peaks[p] > c.Max {
					c.Max, c.MaxAt = peaks[p], p
				}
			}
			all = append(all, c)
		}
	}
	slices.SortStableFunc(all, func(a, b Cluster) int { return b.Pixels - a.Pixels })
	return all
}

func compare(t *testing.T, got, want image.Image, tol Tolerance) Diff {
	t.Helper()
	d, err := Compare(got, want, tol)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestCompareAgainstSlowComparison(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		want := randomNRGBA(r)
		got := disturb(r, want)
		tol := Tolerance{r.IntN(256), r.IntN(100), randomMasks(r)}
		d, slow := compare(t, got, want, tol), slowDiff(got, want, tol)
		if !reflect.DeepEqual(d, slow) {
			t.Fatalf("seed %d: Compare = %+v, want %+v", seed, d, slow)
		}
		if d.Passes() != (slow.Changed <= tol.MaxPixels) {
			t.Errorf("seed %d: Passes() = %v with %d changed and %d tolerated", seed, d.Passes(), d.Changed, tol.MaxPixels)
		}
	}
}

// TestCompareClustersOfHardShapes checks clusters with shapes that fall into several pieces if an algorithm checks
// too few neighbors.
func TestCompareClustersOfHardShapes(t *testing.T) {
	for name, picture := range map[string]string{
		"anti-diagonal": "...#\n..#.\n.#..\n#...",
		"comb":          "#.#.#\n#.#.#\n#####",
		"upside down":   "#####\n#.#.#\n#.#.#",
		"spiral":        "#######\n......#\n#####.#\n#...#.#\n#.###.#\n#.....#\n#######",
		"checker":       "#.#.#\n.#.#.\n#.#.#",
		"gap of one":    "##.##\n##.##",
		"two rows off":  "###\n...\n###",
		"wide on two":   "#..#\n####\n#..#\n....\n#..#",
		"row wrap":      "..##\n....\n##..",
		"next row only": "...#\n#...",
		"touch by tip":  "##....\n..##..\n....##",
		"w":             "#.#.#\n.#.#.",
		"single":        "#",
	} {
		rows := strings.Split(picture, "\n")
		want := image.NewNRGBA(image.Rect(0, 0, len(rows[0]), len(rows)))
		got := image.NewNRGBA(want.Rect)
		for y, row := range rows {
			for x, c := range row {
				if c == '#' {
					got.SetNRGBA(x, y, color.NRGBA{A: uint8(1 + x)})
				}
			}
		}
		d, slow := compare(t, got, want, Tolerance{}), slowDiff(got, want, Tolerance{})
		if !reflect.DeepEqual(d, slow) {
			t.Errorf("%s: Compare = %+v, want %+v", name, d, slow)
		}
	}
}

func TestCompareFindsWhatWasPlanted(t *testing.T) {
	want := paint(300, 200, gradient(0))
	got := paint(300, 200, gradient(0))
	for _, p := range []image.Point{{299, 0}, {17, 130}, {18, 131}, {16, 132}, {0, 199}} {
		c := got.NRGBAAt(p.X, p.Y)
		c.G ^= 4
		got.SetNRGBA(p.X, p.Y, c)
	}
	c := got.NRGBAAt(18, 131)
	c.A -= 9
	got.SetNRGBA(18, 131, c)

	d := compare(t, got, want, Tolerance{})
	if d.Changed != 5 || d.Differing != 5 || d.Max != 9 || d.MaxAt != image.Pt(18, 131) || d.First != image.Pt(299, 0) {
		t.Errorf("Compare = %+v", d)
	}
	if mean := float64(5*4+9) / (4 * 300 * 200); d.Mean != mean {
		t.Errorf("Mean = %v, want %v", d.Mean, mean)
	}
	one := func(x, y int) Cluster {
		return Cluster{image.Rect(x, y, x+1, y+1), 1, image.Pt(x, y), 4, image.Pt(x, y)}
	}
	clusters := []Cluster{
		{image.Rect(17, 130, 19, 132), 2, image.Pt(17, 130), 9, image.Pt(18, 131)},
		one(299, 0), one(16, 132), one(0, 199),
	}
	if !reflect.DeepEqual(d.Clusters, clusters) {
		t.Errorf("Clusters = %+v, want %+v", d.Clusters, clusters)
	}
}

func TestCompareIsSymmetric(t *testing.T) {
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		want := randomNRGBA(r)
		got := disturb(r, want)
		tol := Tolerance{r.IntN(50), r.IntN(100), randomMasks(r)}
		if a, b := compare(t, got, want, tol), compare(t, want, got, tol); !reflect.DeepEqual(a, b) {
			t.Fatalf("seed %d: %+v and %+v", seed, a, b)
		}
	}
}

// TestCompareEqualImages checks that an image equals itself, itself as another image type, and its decoded PNG.
func TestCompareEqualImages(t *testing.T) {
	for name, kind := range imageKinds() {
		for seed := range uint64(20) {
			r := rand.New(rand.NewPCG(seed, 3))
			m := kind(r, randomBounds(r))
			for how, same := range map[string]image.Image{"itself": m, "through At": opaqueType{m}, "its PNG": reread(t, m)} {
				if d := compare(t, same, m, Tolerance{}); !d.Passes() || d.Differing != 0 || d.Clusters != nil {
					t.Errorf("%s, seed %d, with %s: %v", name, seed, how, d)
				}
			}
		}
	}
}

// opaqueType hides the type of an image, so that Compare must read its pixels with At.
type opaqueType struct{ image.Image }

func reread(t *testing.T, m image.Image) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	m, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCompareSeesEveryBit checks that Compare detects a change of any bit of an image.NRGBA or image.NRGBA64.
func TestCompareSeesEveryBit(t *testing.T) {
	b := image.Rect(2, 3, 8, 9)
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 4))
		for _, pair := range [][2]image.Image{{image.NewNRGBA(b), image.NewNRGBA(b)}, {image.NewNRGBA64(b), image.NewNRGBA64(b)}} {
			p, q := pix(pair[0]), pix(pair[1])
			fill(r, p)
			copy(q, p)
			q[r.IntN(len(q))] ^= 1 << r.IntN(8)
			if d := compare(t, pair[0], pair[1], Tolerance{}); d.Changed != 1 || d.Max == 0 || d.Passes() {
				t.Fatalf("%T, seed %d: %v", pair[0], seed, d)
			}
		}
	}
}

// TestCompareSeesLowBytes checks that Compare detects a change of the low byte of a channel, in every image type
// that has 16-bit channels.
func TestCompareSeesLowBytes(t *testing.T) {
	b := image.Rect(0, 0, 2, 1)
	for _, c := range []struct {
		got, want draw.Image
		color     color.Color
	}{
		{image.NewGray16(b), image.NewGray16(b), color.Gray16{1}},
		{image.NewRGBA64(b), image.NewRGBA64(b), color.RGBA64{0, 1, 0, 65535}},
		{image.NewNRGBA64(b), image.NewNRGBA64(b), color.NRGBA64{0, 0, 1, 7}},
		{image.NewAlpha16(b), image.NewAlpha16(b), color.Alpha16{1}},
	} {
		c.got.Set(1, 0, c.color)
		if d := compare(t, c.got, c.want, Tolerance{}); d.Changed != 1 || d.First != image.Pt(1, 0) {
			t.Errorf("%T: %v", c.got, d)
		}
	}
}

func pix(m image.Image) []uint8 {
	if m, ok := m.(*image.NRGBA64); ok {
		return m.Pix
	}
	return m.(*image.NRGBA).Pix
}

func TestCompareColorUnderAlphaZero(t *testing.T) {
	got, want := paint(3, 3, disc(0)), paint(3, 3, disc(0))
	got.SetNRGBA(1, 2, color.NRGBA{R: 219, G: 60, B: 20})
	if d := compare(t, got, want, Tolerance{}); d.Changed != 1 || d.Max != 1 || d.First != image.Pt(1, 2) {
		t.Errorf("Compare = %v", d)
	}
}

func TestCompareRoundsUpDifferencesOfSixteenBits(t *testing.T) {
	for _, c := range []struct{ got, want uint16 }{{1, 1}, {257, 1}, {258, 2}, {65535, 255}} {
		got, want := image.NewNRGBA64(image.Rect(0, 0, 1, 1)), image.NewNRGBA64(image.Rect(0, 0, 1, 1))
		got.SetNRGBA64(0, 0, color.NRGBA64{R: c.got})
		if d := compare(t, got, want, Tolerance{}); d.Max != int(c.want) || d.Mean != float64(c.got)/257/4 {
			t.Errorf("difference of %d: Max = %d, Mean = %v, want %d", c.got, d.Max, d.Mean, c.want)
		}
	}
}

func TestCompareEightBitsWithSixteen(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		m := randomNRGBA(r)
		other := disturb(r, m)
		wide := image.NewNRGBA64(other.Rect)
		for i, v := range other.Pix {
			wide.Pix[2*i], wide.Pix[2*i+1] = v, v
		}
		narrow, mixed := compare(t, m, other, Tolerance{MaxChannel: 3}), compare(t, m, wide, Tolerance{MaxChannel: 3})
		if !reflect.DeepEqual(narrow, mixed) {
			t.Errorf("seed %d: at 8 bits %+v, at 16 %+v", seed, narrow, mixed)
		}
	}
}

func TestCompareToleranceIsMonotone(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 6))
		want := randomNRGBA(r)
		got := disturb(r, want)
		last := compare(t, got, want, Tolerance{})
		for channel := 1; channel <= 255; channel += 1 + r.IntN(20) {
			d := compare(t, got, want, Tolerance{MaxChannel: channel})
			if d.Changed > last.Changed || d.Differing != last.Differing || d.Max != last.Max || d.Mean != last.Mean {
				t.Fatalf("seed %d, tolerance %d: %v after %v", seed, channel, d, last)
			}
			last = d
		}
		masks := randomMasks(r)
		if d := compare(t, got, want, Tolerance{Masks: masks}); d.Differing > last.Differing {
			t.Errorf("seed %d: masks %v make %d pixels differ instead of %d", seed, masks, d.Differing, last.Differing)
		}
		if d := compare(t, got, want, Tolerance{Masks: []image.Rectangle{image.Rect(-9, -9, 99, 99)}}); d.Differing != 0 {
			t.Errorf("seed %d: all is masked, yet %v", seed, d)
		}
	}
}

func TestCompareSameForAnyNumberOfProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	got, want := paint(150, 333, noise(3, 0, 256)), paint(150, 333, noise(4, 0, 256))
	var diffs []Diff
	var flips []FLIP
	for _, processors := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(processors)
		diffs = append(diffs, compare(t, got, want, Tolerance{MaxChannel: 180}))
		flips = append(flips, compareFLIP(t, got, want))
	}
	for i := range diffs {
		if !reflect.DeepEqual(diffs[i], diffs[0]) {
			t.Errorf("Compare = %v, alone %v", diffs[i], diffs[0])
		}
		if flips[i] != flips[0] {
			t.Errorf("CompareFLIP = %v, alone %v", flips[i], flips[0])
		}
	}
}

func TestCompareSizes(t *testing.T) {
	got, want := paint(4, 3, gray(1)), paint(4, 4, gray(1))
	d := compare(t, got, want, Tolerance{MaxChannel: 255, MaxPixels: 100})
	if d.Passes() || d.Got != image.Pt(4, 3) || d.Want != image.Pt(4, 4) || d.Differing != 0 {
		t.Errorf("Compare = %+v", d)
	}
	for _, empty := range []image.Rectangle{{}, image.Rect(0, 0, 5, 0), image.Rect(0, 0, 0, 5)} {
		if d := compare(t, image.NewNRGBA(empty), image.NewNRGBA(empty), Tolerance{}); !d.Passes() {
			t.Errorf("two empty images of bounds %v: %v", empty, d)
		}
	}
}

func TestCompareErrors(t *testing.T) {
	m := paint(1, 1, gray(0))
	for _, c := range []struct {
		got, want image.Image
		tol       Tolerance
		err       string
	}{
		{nil, m, Tolerance{}, "got nil"},
		{m, nil, Tolerance{}, "got nil"},
		{m, m, Tolerance{MaxChannel: -1}, "0 to 255, got -1"},
		{m, m, Tolerance{MaxChannel: 256}, "0 to 255, got 256"},
		{m, m, Tolerance{MaxPixels: -2}, "negative, got -2"},
	} {
		if _, err := Compare(c.got, c.want, c.tol); err == nil || !strings.Contains(err.Error(), c.err) {
			t.Errorf("Compare(%v, %v, %+v) = %v, want an error with %q", c.got, c.want, c.tol, err, c.err)
		}
	}
}

func TestCompareKeepsItsOwnMasks(t *testing.T) {
	masks := []image.Rectangle{image.Rect(0, 0, 1, 1)}
	d := compare(t, paint(2, 2, gray(0)), paint(2, 2, gray(1)), Tolerance{Masks: masks})
	masks[0] = image.Rect(0, 0, 2, 2)
	if d.Tolerance.Masks[0] != image.Rect(0, 0, 1, 1) {
		t.Errorf("Tolerance.Masks = %v after the caller changed its own", d.Tolerance.Masks)
	}
}

func TestDiffString(t *testing.T) {
	a, b := paint(9, 9, gray(10)), paint(9, 9, gray(10))
	b.SetNRGBA(2, 3, color.NRGBA{10, 10, 30, 255})
	for _, c := range []struct {
		got  image.Image
		tol  Tolerance
		want string
	}{
		{a, Tolerance{}, "no pixel differs"},
		{b, Tolerance{}, "1 pixel of 81 changed in 1 cluster, largest channel difference 20 at (2, 3), first at (2, 3)"},
		{b, Tolerance{MaxChannel: 20}, "1 pixel within tolerance, largest channel difference 20 at (2, 3)"},
		{paint(8, 9, gray(0)), Tolerance{}, "size 8 x 9, want 9 x 9"},
	} {
		if got := compare(t, c.got, a, c.tol).String(); got != c.want {
			t.Errorf("String() = %q, want %q", got, c.want)
		}
	}
}

// TestStraightAgreesWithColorModel compares the reader's own conversion of image.RGBA rows with that of package
// image/color.
func TestStraightAgreesWithColorModel(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 256, 256))
	for a := range 256 {
		for v := range a + 1 {
			m.SetRGBA(v, a, color.RGBA{uint8(v), uint8(a - v), uint8(a), uint8(a)})
		}
	}
	if d := compare(t, m, opaqueType{m}, Tolerance{}); d.Differing != 0 {
		t.Errorf("%v", d)
	}
}

func BenchmarkCompare(b *testing.B) {
	want := paint(3840, 2160, noise(1, 0, 256))
	one := paint(3840, 2160, noise(1, 0, 256))
	one.Pix[len(one.Pix)/2] ^= 1
	opaque := image.NewRGBA(want.Rect)
	copy(opaque.Pix, want.Pix)
	for _, c := range []struct {
		name string
		got  image.Image
	}{
		{"type=NRGBA/differ=none", opaqueCopy(want)},
		{"type=RGBA/differ=none", opaque},
		{"type=NRGBA/differ=one", one},
		{"type=NRGBA/differ=all", paint(3840, 2160, noise(2, 0, 256))},
	} {
		b.Run("size=4k/"+c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Compare(c.got, want, Tolerance{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(3840*2160*float64(b.N)/1e6/b.Elapsed().Seconds(), "Mpixel/s")
		})
	}
}

func opaqueCopy(m *image.NRGBA) *image.NRGBA {
	c := image.NewNRGBA(m.Rect)
	copy(c.Pix, m.Pix)
	return c
}

// TestCompareListsTheLargestClusters compares noise with more clusters than are listed. The largest ones must be listed, and
// the picture must show the surroundings of the largest difference, whose cluster is not among them.
func TestCompareListsTheLargestClusters(t *testing.T) {
	const side = 300 // dots, each with a column and a row to the next one
	want := image.NewNRGBA(image.Rect(0, 0, 2*side, 2*side))
	got := image.NewNRGBA(want.Rect)
	large := 0
	for k := range side * side {
		p := image.Pt(2*(k%side), 2*(k/side))
		got.SetNRGBA(p.X, p.Y, color.NRGBA{A: 1})
		if k%7 == 0 {
			got.SetNRGBA(p.X, p.Y+1, color.NRGBA{A: 1}) // joins the dot below
			large++
		}
	}
	last := image.Pt(2*side-2, 2*side-2)
	got.SetNRGBA(last.X, last.Y, color.NRGBA{A: 9})
	d := compare(t, got, want, Tolerance{})
	slow := slowDiff(got, want, Tolerance{})
	all := len(slow.Clusters)
	slow.Clusters, slow.More = slow.Clusters[:MaxClusters], all-MaxClusters
	if large > MaxClusters || all <= MaxClusters || !reflect.DeepEqual(d, slow) {
		t.Errorf("%d of %d clusters, %d more", len(d.Clusters), all, d.More)
	}
	if !strings.Contains(d.String(), fmt.Sprint(all, " clusters")) {
		t.Errorf("%v, want %d clusters", d, all)
	}
	if v := insetView(d, columnMax, want.Rect.Max); !last.In(v.region) {
		t.Errorf("inset of %v, which does not contain %v", v.region, last)
	}
}

// TestPixelsOfFormats compares the pixels of images that are read without [image.Image.At] with those that At returns.
func TestPixelsOfFormats(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rect := image.Rect(-3, 5, 20, 9)
	noise := func(pix []uint8) {
		for i := range pix {
			pix[i] = uint8(r.Uint32())
		}
	}
	deep, gray, gray16, alpha, alpha16 := image.NewRGBA64(rect), image.NewGray(rect), image.NewGray16(rect), image.NewAlpha(rect), image.NewAlpha16(rect)
	cmyk, luma := image.NewCMYK(rect), image.NewYCbCr(rect, image.YCbCrSubsampleRatio420)
	for _, pix := range [][]uint8{gray.Pix, gray16.Pix, alpha.Pix, alpha16.Pix, cmyk.Pix, luma.Y, luma.Cb, luma.Cr} {
		noise(pix)
	}
	for y := rect.Min.Y; y < rect.Max.Y; y++ {
		for x := rect.Min.X; x < rect.Max.X; x++ {
			a := uint16(r.Uint32())
			deep.Set(x, y, color.NRGBA64{uint16(r.Uint32()), uint16(r.Uint32()), uint16(r.Uint32()), a})
		}
	}
	deep.SetRGBA64(0, 6, color.RGBA64{})
	for _, m := range []image.Image{deep, gray, gray16, alpha, alpha16, cmyk, luma} {
		for _, deeply := range []bool{isDeep(m), true} {
			plain := struct{ image.Image }{m} // hides the type
			for y := range rect.Dy() {
				if got, want := newReader(m, deeply).row(y), newReader(plain, deeply).row(y); !slices.Equal(got, want) {
					t.Errorf("%T, row %d: got %v, want %v", m, y, got, want)
				}
			}
		}
	}
}
