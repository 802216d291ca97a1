package geom2

import (
	"cmp"
	"slices"
)

// Clip returns the part of a convex polygon where a linear function of the point is not positive. Source: I. E. Sutherland and
// G. W. Hodgman, "Reentrant polygon clipping", Communications of the ACM 17, 1974.
func Clip(polygon []Point, beyond func(Point) float64) (part []Point) {
	for i, p := range polygon {
		q := polygon[(i+1)%len(polygon)]
		a, b := beyond(p), beyond(q)
		if a <= 0 {
			part = append(part, p)
		}
		if a <= 0 != (b <= 0) {
			part = append(part, p.Between(q, a/(a-b)))
		}
	}
	return part
}

// Hull returns the corners of the convex hull of points, counterclockwise if y points up. Source: A. M. Andrew, "Another
// efficient algorithm for convex hulls in two dimensions", Information Processing Letters 9, 1979.
func Hull(points []Point) []Point {
	sorted := slices.SortedFunc(slices.Values(points), func(a, b Point) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y))
	})
	sorted = slices.Compact(sorted)
	if len(sorted) < 3 {
		return sorted
	}
	half := func(points []Point) (out []Point) {
		for _, p := range points {
			for len(out) > 1 && !(out[len(out)-1].Sub(out[len(out)-2]).Left().Dot(p.Sub(out[len(out)-2])) > 0) {
				out = out[:len(out)-1]
			}
			out = append(out, p)
		}
		return out[:len(out)-1]
	}
	lower := half(sorted)
	slices.Reverse(sorted)
	return append(lower, half(sorted)...)
}
