package chart

import (
	"image/color"
	"math"
)

// Distinct returns color n >= 0 of a sequence in which neighbors are easy to distinguish. Hues advance by the golden
// section, whose multiples cover the circle evenly. Brightness and saturation alternate.
func Distinct(n int) color.NRGBA {
	hue := math.Mod(float64(n)*(math.Sqrt(5)-1)/2, 1) * 6
	value := []float64{255, 200, 150}[n%3]
	lowest := value * []float64{0.15, 0.5}[n/3%2]
	channel := func(shift float64) uint8 {
		// HSV to RGB: a trapezoid over the hue, 0 to 6, the same for each channel but shifted.
		h := math.Mod(hue+shift, 6)
		f := max(0, min(h, 4-h, 1))
		return uint8(lowest + float64((value-lowest)*f) + 0.5)
	}
	return color.NRGBA{channel(2), channel(0), channel(4), 0xff}
}
