package scene

import (
	"math"

	"pillbox/geom"
)

// unnormalized returns a vector whose [geom.Direction] is exactly d: the one stated in the file or, for
// scenes made in Go, one found by search. It returns false if the search fails, about once in a hundred
// thousand. d itself may not work, because normalizing it may change its last bit; but vectors next to
// multiples of d round differently, and one of them usually normalizes to exactly d.
func unnormalized(d, stated geom.Vec3) (geom.Vec3, bool) {
	if means(stated, d) {
		return stated, true
	}
	const (
		multiples = 1 << 10
		golden    = math.Phi - 1 // the fractional parts of its multiples are spread evenly over [0, 1)
	)
	for i := range multiples {
		x := float64(float64(i) * golden)
		v := d.Scale(1 + (x - math.Floor(x)))
		for _, x := range beside(v.X) {
			for _, y := range beside(v.Y) {
				for _, z := range beside(v.Z) {
					if w := (geom.Vec3{X: x, Y: y, Z: z}); means(w, d) {
						return w, true
					}
				}
			}
		}
	}
	return d, false
}

// means reports whether d is exactly the direction of v.
func means(v, d geom.Vec3) bool {
	direction, ok := geom.Direction(v)
	return ok && direction == d
}

// beside returns x and the two float64s next to x. For 0, it returns only 0.
func beside(x float64) []float64 {
	if x == 0 {
		return []float64{x}
	}
	return []float64{x, math.Nextafter(x, math.Inf(1)), math.Nextafter(x, math.Inf(-1))}
}
