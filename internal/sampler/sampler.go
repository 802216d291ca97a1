// Package sampler chooses the sample points with which integrals over a light, or over the directions above a
// surface, are estimated.
//
// A [Set] holds the points of one such integral at one interaction. Its points are a (0, m, 2)-net in base 2: if the
// unit square is divided into 2^m equal rectangles whose sides are powers of two, each rectangle contains exactly one
// of the 2^m points. The sets of a pixel are consecutive parts of one sequence. So the points of all its antialiasing
// samples together are also such a net, if the number of samples is a power of two. The pixels of a tile share one
// sequence, too. They use it in the order of a Z-curve whose quadrants are shuffled. So the points of neighboring
// pixels complement each other, and the noise of a picture has mostly high frequencies ("blue" noise), which are hard
// to see.
//
// The sequence is that of Sobol', scrambled by Owen's method, in which a hash replaces the random numbers. A set
// depends only on the pixel, the number of the antialiasing sample, the purpose and the number of reflections. All
// decisions are made in integers, and [Disc] needs only operations that are the same on every machine, so the points
// have the same bits everywhere.
//
// Sources: Sobol', "On the distribution of points in a cube and the approximate evaluation of integrals", 1967; Owen,
// "Randomly permuted (t,m,s)-nets and (t,s)-sequences", 1995; Burley, "Practical hash-based Owen scrambling", JCGT
// 9(4), 2020; Ahmed and Wonka, "Screen-space blue-noise diffusion of Monte Carlo sampling error via hierarchical
// ordering of pixels", 2020.
package sampler

import "math/bits"

const (
	// MaxPoints is the largest number of points in a set.
	MaxPoints = 1 << maxPointBits

	// MaxSamples is the largest number of antialiasing samples of a pixel.
	MaxSamples = 1 << maxSampleBits

	maxPointBits  = 12
	maxSampleBits = 8

	// tileBits is the binary logarithm of the edge of a tile. The pixels of a tile share a sequence of 2^32
	// points, so a tile has at most 2^(32 - maxPointBits - maxSampleBits) pixels.
	tileBits = (32 - maxPointBits - maxSampleBits) / 2
)

// Sampler makes the sets of a picture. It is a plain value.
type Sampler struct {
	pointBits  uint // the binary logarithm of the points in a set
	sampleBits uint // the binary logarithm of the antialiasing samples of a pixel, rounded up
}

// New returns the sampler of a picture. points is the number of points in each set, a power of two from 1 to
// [MaxPoints]; samples is the number of antialiasing samples in each pixel, from 1 to [MaxSamples].
func New(points, samples int) Sampler {
	return Sampler{uint(bits.Len(uint(points - 1))), uint(bits.Len(uint(samples - 1)))}
}

// Points returns the number of points in a set.
func (s Sampler) Points() int { return 1 << s.pointBits }

// Position identifies the antialiasing sample of the picture at which a path begins.
type Position struct {
	X, Y   int // the pixel; pixels outside of the picture have positions, too
	Sample int // the number of the antialiasing sample, 0 <= Sample < samples
}

// Purpose says what a set is used for. Sets for different purposes are independent.
type Purpose uint32

// Light is the purpose of points on the light with the given index.
func Light(i int) Purpose { return Purpose(i) + 1 }

// Occlusion is the purpose of directions above a surface, for ambient occlusion.
const Occlusion Purpose = 0

// Set is a set of points in the unit square.
type Set struct {
	first uint32 // the index of the first point in the sequence
	u, v  uint32 // the seeds with which the two coordinates are scrambled
}

// Set returns the points for a purpose at the interaction of a path after the given number of reflections.
func (s Sampler) Set(at Position, p Purpose, reflections int) Set {
	h := mix(uint64(uint32(at.X>>tileBits))<<32 | uint64(uint32(at.Y>>tileBits)))
	h = mix(h + uint64(p)<<32 + uint64(reflections))
	pixel := shuffle(interleave(at.X)|interleave(at.Y)<<1, uint32(h))
	seeds := mix(h)
	return Set{
		first: (pixel<<s.sampleBits | uint32(at.Sample)) << s.pointBits,
		u:     uint32(seeds),
		v:     uint32(seeds >> 32),
	}
}

// Point returns point k of the set, 0 <= k < [Sampler.Points]. Its coordinates are odd multiples of 2^-33, so they lie
// strictly between 0 and 1.
func (s Set) Point(k int) (u, v float64) {
	i := s.first | uint32(k)
	return fraction(scramble(i, s.u)), fraction(scramble(pascal(i), s.v))
}

// fraction returns the number in (0, 1) whose first 32 binary digits are the bits of x, the lowest bit first. One more
// digit, a 1, follows them.
func fraction(x uint32) float64 { return (float64(bits.Reverse32(x)) + 0.5) * 0x1p-32 }

// pascal returns the binary digits of the second coordinate of Sobol's point i, the first digit in the lowest bit. The
// digits of the first coordinate are i itself. The generator matrix is Pascal's triangle modulo 2: digit j of the
// result is the exclusive or of those bits k of i for which the binomial coefficient C(k, j) is odd. By Lucas' theorem
// it is odd exactly if the binary number k has all the bits of j. So the function needs only one step for each of the
// five binary digits of k.
func pascal(i uint32) uint32 {
	i ^= i >> 1 & 0x55555555
	i ^= i >> 2 & 0x33333333
	i ^= i >> 4 & 0x0f0f0f0f
	i ^= i >> 8 & 0x00ff00ff
	i ^= i >> 16
	return i
}

// scramble permutes the digits of a coordinate; the lowest bit is the first digit. It flips each digit or not,
// depending on the seed and on the digits before it. Such permutations map nets to nets. Every step is a permutation in
// which no bit depends on higher bits.
//
// Source: Vegdahl, "Building a better LK hash", psychopath.io, 2021, after Laine and Karras, "Stratified sampling for
// stochastic transparency", 2011.
func scramble(x, seed uint32) uint32 {
	x ^= x * 0x3d20adea
	x += seed
	x *= seed>>16 | 1
	x ^= x * 0x05526c56
	x ^= x * 0x53a22864
	return x
}

// interleave inserts a 0 bit above each of the lowest tileBits bits of x: 0b11 becomes 0b0101.
func interleave(x int) uint32 {
	v := uint32(x) & (1<<tileBits - 1)
	v = (v | v<<4) & 0x0f0f
	v = (v | v<<2) & 0x3333
	return (v | v<<1) & 0x5555
}

// shuffle permutes the positions on the Z-curve of a tile. The curve is halved again and again; the seed decides for
// each part whether its halves are exchanged. So the positions in each part of the curve remain together.
func shuffle(z, seed uint32) uint32 {
	const unused = 32 - 2*tileBits
	return bits.Reverse32(scramble(bits.Reverse32(z<<unused), seed)) >> unused
}

// mix returns a hash of x: the output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators", 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
