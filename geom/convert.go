package geom

// ClampInt returns the integer part of x, limited to lo..hi; NaN gives lo. It is the only
// way from a float to an integer in the packages that decide pixels: converting a float
// that is out of range gives different results on different machines.
func ClampInt(x float64, lo, hi int) int {
	switch {
	case !(x > float64(lo)):
		return lo
	case x >= float64(hi):
		return hi
	}
	return int(x)
}
