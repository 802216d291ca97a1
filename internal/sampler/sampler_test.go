package sampler

import (
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// addPoints appends the points of set to list. Each point is a pair of 32-bit integers.
func addPoints(list [][2]uint32, s Sampler, set Set) [][2]uint32 {
	for k := range s.Points() {
		u, v := set.Point(k)
		list = append(list, [2]uint32{uint32(u * 0x1p32), uint32(v * 0x1p32)})
	}
	return list
}

// checkNet reports an error if the 2^m points are not a (0, m, 2)-net. In such a net, every rectangle of area 2^-m
// whose sides are powers of two contains exactly one point.
func checkNet(points [][2]uint32) error {
	m := bits.Len(uint(len(points))) - 1
	if len(points) != 1<<m {
		return fmt.Errorf("%d points, not a power of two", len(points))
	}
	for wide := 0; wide <= m; wide++ {
		seen := make([]bool, len(points))
		for _, p := range points {
			// 1<<wide columns, 1<<(m-wide) rows
			cell := uint64(p[0])<<wide>>32<<(m-wide) | uint64(p[1])<<(m-wide)>>32
			if seen[cell] {
				return fmt.Errorf("of %d points, two lie in one of %d x %d rectangles", len(points), 1<<wide, 1<<(m-wide))
			}
			seen[cell] = true
		}
	}
	return nil
}

func randomPosition(rng *rand.Rand, samples int) Position {
	return Position{X: rng.IntN(1<<16) - 1<<14, Y: rng.IntN(1<<16) - 1<<14, Sample: rng.IntN(samples)}
}

// TestSetsAreNets checks that the points of a single set form a net, as [checkNet] defines it. The points of all
// sets of a pixel must form a net, too, and so must those of a square of pixels.
func TestSetsAreNets(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 0))
	for i := range 400 {
		points, samples := 1<<rng.IntN(9), 1<<(2*rng.IntN(3))
		s, at := New(points, samples), randomPosition(rng, samples)
		purpose, reflections := Purpose(rng.Uint32N(5)), rng.IntN(3)
		if err := checkNet(addPoints(nil, s, s.Set(at, purpose, reflections))); err != nil {
			t.Fatalf("set %d: %v", i, err)
		}
		side := 1 << rng.IntN(3)
		var square [][2]uint32
		for y := range side {
			for x := range side {
				var pixel [][2]uint32
				for k := range samples {
					p := Position{at.X&^(side-1) + x, at.Y&^(side-1) + y, k}
					pixel = addPoints(pixel, s, s.Set(p, purpose, reflections))
				}
				if err := checkNet(pixel); err != nil {
					t.Fatalf("all sets of pixel %d: %v", i, err)
				}
				square = append(square, pixel...)
			}
		}
		if err := checkNet(square); err != nil {
			t.Fatalf("square %d of %d x %d pixels: %v", i, side, side, err)
		}
	}
}

// TestLimits checks that the largest sets form nets, and that no two sets of a tile share a point.
func TestLimits(t *testing.T) {
	s := New(MaxPoints, MaxSamples)
	if s.Points() != MaxPoints {
		t.Errorf("Points() = %d, want %d", s.Points(), MaxPoints)
	}
	if err := checkNet(addPoints(nil, s, s.Set(Position{X: 9, Y: -7, Sample: MaxSamples - 1}, Light(3), 2))); err != nil {
		t.Error(err)
	}
	for _, samples := range []int{1, 3, 9, 16, 255, MaxSamples} {
		s := New(MaxPoints, samples)
		firsts := map[uint32]bool{}
		for y := range 1 << tileBits {
			for x := range 1 << tileBits {
				for k := range samples {
					firsts[s.Set(Position{x, y, k}, Occlusion, 0).first] = true
				}
			}
		}
		if want := samples << (2 * tileBits); len(firsts) != want {
			t.Errorf("with %d samples per pixel, a tile has %d different sets, want %d", samples, len(firsts), want)
		}
	}
}

// TestSobol compares the second coordinates of points with the definition of Sobol's sequence by direction numbers.
func TestSobol(t *testing.T) {
	var direction [32]uint32
	direction[0] = 1 << 31
	for k := 1; k < 32; k++ {
		direction[k] = direction[k-1] ^ direction[k-1]>>1 // of the primitive polynomial x + 1
	}
	rng := rand.New(rand.NewPCG(2, 0))
	for range 10_000 {
		i := rng.Uint32() >> rng.IntN(32)
		want := uint32(0)
		for k := range 32 {
			if i>>k&1 == 1 {
				want ^= direction[k]
			}
		}
		if got := bits.Reverse32(pascal(i)); got != want {
			t.Fatalf("the second coordinate of point %d is %08x, want %08x", i, got, want)
		}
	}
}

// TestScrambleIsNested checks that the digits of a number before a given digit determine whether scramble flips
// this digit; later digits have no influence. So if two numbers first differ in the fifth digit, their scrambled
// values also first differ in the fifth digit.
func TestScrambleIsNested(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	for range 100_000 {
		x, seed, same := rng.Uint32(), rng.Uint32(), rng.IntN(32)
		y := x ^ 1<<same ^ rng.Uint32()&^(1<<(same+1)-1)
		if got := bits.TrailingZeros32(scramble(x, seed) ^ scramble(y, seed)); got != same {
			t.Fatalf("%08x and %08x, which differ first in digit %d, are scrambled to values that differ first in digit %d", x, y, same, got)
		}
	}
}

// TestScrambleIsFair checks that each of the first digits is flipped for half of the seeds. The flips of any two
// digits must be independent, so exactly one of the two must be flipped for half of the seeds.
func TestScrambleIsFair(t *testing.T) {
	const (
		digits = 5
		seeds  = 1 << 14
		nodes  = 1<<digits - 1
		limit  = 0.5 / 128 * 5 // five standard deviations of a mean of 2^14 fair bits
	)
	rng := rand.New(rand.NewPCG(4, 0))
	var flips [nodes][seeds]bool
	for k := range seeds {
		seed := rng.Uint32()
		for digit, node := 0, 0; digit < digits; digit++ {
			for before := range uint32(1) << digit {
				flips[node][k] = scramble(before, seed)>>digit&1 == 1
				node++
			}
		}
	}
	share := func(flipped func(k int) bool) float64 {
		n := 0
		for k := range seeds {
			if flipped(k) {
				n++
			}
		}
		return float64(n) / seeds
	}
	for i := range nodes {
		if p := share(func(k int) bool { return flips[i][k] }); math.Abs(p-0.5) > limit {
			t.Errorf("flip %d happens for %.4f of the seeds, want 0.5", i, p)
		}
		for j := range i {
			if p := share(func(k int) bool { return flips[i][k] != flips[j][k] }); math.Abs(p-0.5) > limit {
				t.Errorf("flips %d and %d differ for %.4f of the seeds, want 0.5", i, j, p)
			}
		}
	}
}

// TestShuffleKeepsQuadrants checks that the shuffled Z-curve visits each pixel once. It must visit all pixels of a
// square of the quadtree in a row, without leaving the square in between.
func TestShuffleKeepsQuadrants(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 0))
	for range 100 {
		seed := rng.Uint32()
		seen := map[uint32]bool{}
		for y := range 1 << tileBits {
			for x := range 1 << tileBits {
				at := shuffle(interleave(x)|interleave(y)<<1, seed)
				seen[at] = true
				for level := 1; level <= tileBits; level++ {
					corner := shuffle(interleave(x>>level<<level)|interleave(y>>level<<level)<<1, seed)
					if at>>(2*level) != corner>>(2*level) {
						t.Fatalf("pixel %d, %d and the corner of its square of edge %d are visited at %d and %d", x, y, 1<<level, at, corner)
					}
				}
			}
		}
		if len(seen) != 1<<(2*tileBits) {
			t.Fatalf("the curve visits %d positions, want %d", len(seen), 1<<(2*tileBits))
		}
	}
}

// shadowError returns the error of a set of points as samples of a light that a straight edge hides in part. The
// light is the unit disc. The edge is a line with the given normal, and at is its distance from the center of the
// disc. The error is the share of points on one side of the line minus the exact share.
func shadowError(s Sampler, set Set, normal [2]float64, at float64) float64 {
	n := 0
	for k := range s.Points() {
		if x, y := Disc(set.Point(k)); x*normal[0]+y*normal[1] < at {
			n++
		}
	}
	return float64(n)/float64(s.Points()) - (1 - (math.Acos(at)-at*math.Sqrt(1-at*at))/math.Pi)
}

// errorsOf returns the results of shadowError for all pixels of a square. The edge is the same for all pixels, and
// at is its distance from the center of the light.
func errorsOf(side, points int, purpose Purpose, at float64) []float64 {
	s := New(points, 1)
	errors := make([]float64, 0, side*side)
	for y := range side {
		for x := range side {
			errors = append(errors, shadowError(s, s.Set(Position{X: x, Y: y}, purpose, 0), [2]float64{0.8, 0.6}, at))
		}
	}
	return errors
}

func meanSquare(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v * v
	}
	return sum / float64(len(values))
}

// TestConvergence checks that the error of shadowError decreases faster than with random points, whose exponent is
// -0.5. Owen's scrambled nets have the exponent -0.75 for a region with a smooth border. The error must also have
// no bias: its average over many pixels must be small.
func TestConvergence(t *testing.T) {
	var logN, logE []float64
	for m := 2; m <= 12; m++ {
		errors := errorsOf(32, 1<<m, Light(0), 0.3)
		e := math.Sqrt(meanSquare(errors))
		logN, logE = append(logN, float64(m)), append(logE, math.Log2(e))
		t.Logf("%5d points: root mean square error %.5f", 1<<m, e)
		if mean := mean(errors); math.Abs(mean) > e/8 {
			t.Errorf("with %d points, the mean error is %g, and a single one %g", 1<<m, mean, e)
		}
	}
	slope := slope(logN, logE)
	t.Logf("exponent %.3f", slope)
	if slope > -0.68 {
		t.Errorf("the error falls with the exponent %.3f, want -0.75", slope)
	}
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// slope returns the slope of the line that fits the points (x, y) best.
func slope(x, y []float64) float64 {
	mx, my, xy, xx := mean(x), mean(y), 0.0, 0.0
	for i := range x {
		xy += (x[i] - mx) * (y[i] - my)
		xx += (x[i] - mx) * (x[i] - mx)
	}
	return xy / xx
}

// TestNoise checks three properties of the errors of a square of pixels. Those of neighboring pixels must not be
// correlated. Averages over smaller squares must decrease faster than those of independent errors. No row or column
// must stand out as a band.
func TestNoise(t *testing.T) {
	const side = 128
	for _, points := range []int{4, 16, 64} {
		for _, at := range []float64{-0.5, 0, 0.3, 0.8} {
			errors := errorsOf(side, points, Light(1), at)
			variance := meanSquare(errors)
			name := fmt.Sprintf("%d points, edge at %g", points, at)
			for _, lag := range []int{1, side, side + 1} {
				sum := 0.0
				for i := range errors[lag:] {
					sum += errors[i] * errors[i+lag]
				}
				if c := sum / float64(len(errors)) / variance; c > 0.03 {
					t.Errorf("%s: the correlation of pixels %d apart is %.3f, want at most that of independent ones", name, lag, c)
				}
			}
			for _, edge := range []int{2, 4, 8} {
				// Independent errors would give 1.
				if ratio := meanSquare(averages(errors, side, edge, edge)) * float64(edge*edge) / variance; ratio > 0.75 {
					t.Errorf("%s: the average of %d x %d pixels has %.2f of the variance of independent ones", name, edge, edge, ratio)
				}
			}
			for _, shape := range [][2]int{{side, 1}, {1, side}} {
				if ratio := meanSquare(averages(errors, side, shape[0], shape[1])) * side / variance; ratio > 1 {
					t.Errorf("%s: the averages of %d x %d pixels have %.2f of the variance of independent ones", name, shape[0], shape[1], ratio)
				}
			}
		}
	}
}

// averages divides a square of values, with sides of the length side, into rectangles. It returns the mean of each
// rectangle.
func averages(values []float64, side, width, height int) []float64 {
	var all []float64
	for y := 0; y < side; y += height {
		for x := 0; x < side; x += width {
			var part []float64
			for j := range height {
				part = append(part, values[(y+j)*side+x:][:width]...)
			}
			all = append(all, mean(part))
		}
	}
	return all
}

// TestPurposesAreIndependent checks that the errors of different sets of samples are not correlated. It compares
// the sets for two lights, for one light before and after a reflection, and for different tiles.
func TestPurposesAreIndependent(t *testing.T) {
	const side, at = 1 << tileBits, 0.3
	s := New(16, 1)
	errors := func(origin int, p Purpose, reflections int) (all []float64) {
		for y := range side {
			for x := range side {
				all = append(all, shadowError(s, s.Set(Position{X: origin + x, Y: y}, p, reflections), [2]float64{1, 0}, at))
			}
		}
		return all
	}
	base := errors(0, Light(0), 0)
	for name, other := range map[string][]float64{
		"another light":        errors(0, Light(1), 0),
		"ambient occlusion":    errors(0, Occlusion, 0),
		"after one reflection": errors(0, Light(0), 1),
		"another tile":         errors(side, Light(0), 0),
		"the tile to the left": errors(-side, Light(0), 0),
	} {
		sum := 0.0
		for i := range base {
			sum += base[i] * other[i]
		}
		if c := sum / float64(len(base)) / math.Sqrt(meanSquare(base)*meanSquare(other)); math.Abs(c) > 0.08 {
			t.Errorf("the correlation with %s is %.3f, want 0", name, c)
		}
	}
}

// TestBits checks that the points, and the directions made of them, have the same bits on every machine.
func TestBits(t *testing.T) {
	h := fnv.New64a()
	note := func(values ...float64) {
		for _, x := range values {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(x)))
		}
	}
	rng := rand.New(rand.NewPCG(6, 0))
	for range 2000 {
		s := New(64, 9)
		u, v := s.Set(randomPosition(rng, 9), Purpose(rng.Uint32N(5)), rng.IntN(3)).Point(rng.IntN(64))
		x, y := Disc(u, v)
		c, d := Cap(u, v, 2*rng.Float64()), Hemisphere(u, v)
		f := Frame(d)
		note(u, v, x, y, c.X, c.Y, c.Z, d.X, d.Y, d.Z, f.X.X, f.X.Y, f.X.Z, f.Y.X, f.Y.Y, f.Y.Z)
	}
	if got, want := h.Sum64(), uint64(0x6ac86dff3318e491); got != want {
		t.Errorf("the hash of the points is %#x, want %#x", got, want)
	}
}

func BenchmarkPoint(b *testing.B) {
	s, sum := New(16, 1), 0.0
	for i := 0; b.Loop(); i++ {
		set := s.Set(Position{X: i & 1023, Y: i >> 10 & 1023}, Light(0), 0)
		for k := range s.Points() {
			d := Cap(set.u01(k))
			sum += d.X
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*s.Points()), "ns/point")
	if math.IsNaN(sum) {
		b.Error("a point is not a number")
	}
}

// u01 returns arguments for the function Cap: the coordinates of point k of the set, and 0.1, which is 1 - cos for
// a cap whose angle has the cosine 0.9.
func (s Set) u01(k int) (u, v, oneMinusCos float64) {
	u, v = s.Point(k)
	return u, v, 0.1
}
