package geom

// ClampInt returns the integer part of x, limited to lo..hi; NaN gives lo. Code that decides pixels
// uses it instead of a conversion: converting a float that is out of the integer's range gives
// different results on different machines.
func ClampInt(x float64, lo, hi int) int {
	switch {
	case !(x > float64(lo)):
		return lo
	case x >= float64(hi):
		return hi
	}
	return int(x)
}
