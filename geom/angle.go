package geom

import "math"

// Angle is an angle in degrees. Scene files use degrees. A quarter turn is exact in degrees, but not in
// radians.
type Angle float64

// Degree is the unit of [Angle].
const Degree Angle = 1

// Degrees returns the angle in degrees.
func (a Angle) Degrees() float64 { return float64(a) }

// SinCos returns the sine and the cosine of a. They are exact at every multiple of 90 degrees, and within one unit
// in the last place elsewhere. They have the same bits on every platform. An infinite or NaN angle gives NaN.
func (a Angle) SinCos() (sin, cos float64) {
	// Mod is exact, and so is the subtraction: the two numbers lie within a factor of two
	// of each other unless quadrant is 0 (Sterbenz, "Floating-Point Computation", 1974).
	turn := math.Mod(math.Abs(float64(a)), 360)
	if !isFinite(turn) {
		return math.NaN(), math.NaN()
	}
	quadrant := math.Floor(turn/90 + 0.5)
	sin, cos = sinCosReduced(turn - float64(90*quadrant))
	switch quadrant {
	case 1:
		sin, cos = cos, -sin
	case 2:
		sin, cos = -sin, -cos
	case 3:
		sin, cos = -cos, sin
	}
	if a < 0 {
		sin = -sin
	}
	// Adding zero turns -0 into 0.
	return sin + 0, cos + 0
}

// Tan returns the tangent of a, within three units in the last place, and an infinity at
// odd multiples of 90 degrees.
func (a Angle) Tan() float64 {
	sin, cos := a.SinCos()
	return sin / cos
}

// pi/180 as the sum of two float64.
const (
	radianHi = 0.017453292519943295
	radianLo = 2.9486522708701687e-19
)

// sinCosReduced returns the sine and cosine of x degrees, |x| <= 45. The angle in radians is carried in
// two floats, hi + lo, so that the rounding of the angle does not add to the error. The polynomials are
// those of FreeBSD's msun (k_sin.c, k_cos.c, Sun Microsystems 1993), whose error is below 0.6 units in
// the last place on this range.
func sinCosReduced(x float64) (sin, cos float64) {
	hi := float64(x * radianHi)
	lo := math.FMA(x, radianHi, -hi) + float64(x*radianLo)
	return kernelSin(hi, lo), kernelCos(hi, lo)
}

func kernelSin(x, tail float64) float64 {
	const (
		s1 = -1.66666666666666324348e-01
		s2 = 8.33333333332248946124e-03
		s3 = -1.98412698298579493134e-04
		s4 = 2.75573137070700676789e-06
		s5 = -2.50507602534068634195e-08
		s6 = 1.58969099521155010221e-10
	)
	z := float64(x * x)
	v := float64(z * x)
	r := polynomial(z, s2, s3, s4, s5, s6)
	return x - ((float64(z*(float64(0.5*tail)-float64(v*r))) - tail) - float64(v*s1))
}

func kernelCos(x, tail float64) float64 {
	const (
		c1 = 4.16666666666666019037e-02
		c2 = -1.38888888888741095749e-03
		c3 = 2.48015872894767294178e-05
		c4 = -2.75573143513906633035e-07
		c5 = 2.08757232129817482790e-09
		c6 = -1.13596475577881948265e-11
	)
	z := float64(x * x)
	r := float64(z * polynomial(z, c1, c2, c3, c4, c5, c6))
	half := float64(0.5 * z)
	w := 1 - half
	return w + (((1 - w) - half) + (float64(z*r) - float64(x*tail)))
}

// polynomial evaluates c[0] + c[1] z + c[2] z^2 + ... by Horner's rule.
func polynomial(z float64, c ...float64) float64 {
	p := 0.0
	for i := len(c) - 1; i >= 0; i-- {
		p = c[i] + float64(z*p)
	}
	return p
}
