package fit

import (
	"cmp"
	"math"
	"slices"

	"pillbox/geom"
)

// boxAlong returns the smallest box around points that has a face perpendicular to an axis.
func boxAlong(axis geom.Vec3, points []geom.Vec3) Solid {
	u, v, across, along := flatten(axis, points)
	low, high := along[0], along[0]
	for _, h := range along {
		low, high = min(low, h), max(high, h)
	}
	r := smallestRectangle(across)
	x := u.Scale(r.cos).AddScaled(r.sin, v)
	axes := geom.Mat3{X: x.Unit(), Y: axis.Cross(x).Unit(), Z: axis}.Orthonormalized()
	// Measure the extents again, along the rounded axes.
	least, most := axes.TransposeMulVec(points[0]), axes.TransposeMulVec(points[0])
	for _, p := range points {
		q := axes.TransposeMulVec(p)
		least = geom.Vec3{X: min(least.X, q.X), Y: min(least.Y, q.Y), Z: min(least.Z, q.Z)}
		most = geom.Vec3{X: max(most.X, q.X), Y: max(most.Y, q.Y), Z: max(most.Z, q.Z)}
	}
	return Solid{
		Kind:        Box,
		Center:      axes.MulVec(least.Add(most).Scale(0.5)),
		HalfExtents: most.Sub(least).Scale(0.5),
		Axes:        axes,
	}
}

// rectangle is the orientation of a rectangle: the direction of one of its sides.
type rectangle struct{ cos, sin float64 }

// smallestRectangle returns the orientation of the rectangle of least area around points in the plane. points
// alternates x and y. One side of the rectangle lies along an edge of the points' convex hull.
func smallestRectangle(points []float64) rectangle {
	hull := hull2(points)
	best, area := rectangle{cos: 1}, math.Inf(1)
	for i, p := range hull {
		q := hull[(i+1)%len(hull)]
		dx, dy := q[0]-p[0], q[1]-p[1]
		length := math.Sqrt(float64(dx*dx) + float64(dy*dy))
		if !(length > 0) {
			continue
		}
		r := rectangle{dx / length, dy / length}
		if a := r.area(hull); a < float64(area*(1-1e-12)) {
			best, area = r, a
		}
	}
	return best
}

// area returns the area of the smallest rectangle of this orientation around points.
func (r rectangle) area(points [][2]float64) float64 {
	left, right, bottom, top := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range points {
		x, y := float64(p[0]*r.cos)+float64(p[1]*r.sin), float64(p[1]*r.cos)-float64(p[0]*r.sin)
		left, right, bottom, top = min(left, x), max(right, x), min(bottom, y), max(top, y)
	}
	return (right - left) * (top - bottom)
}

// hull2 returns the corners of the convex hull of points in the plane, counterclockwise. points alternates x and y.
// Source: Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
func hull2(points []float64) [][2]float64 {
	sorted := make([][2]float64, len(points)/2)
	for i := range sorted {
		sorted[i] = [2]float64{points[2*i], points[2*i+1]}
	}
	slices.SortFunc(sorted, func(a, b [2]float64) int {
		return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]))
	})
	sorted = slices.Compact(sorted)
	if len(sorted) < 3 {
		return sorted
	}
	var hull [][2]float64
	half := func(p [2]float64, least int) {
		for len(hull) >= least+2 {
			a, b := hull[len(hull)-2], hull[len(hull)-1]
			if float64((b[0]-a[0])*(p[1]-a[1]))-float64((b[1]-a[1])*(p[0]-a[0])) > 0 {
				break
			}
			hull = hull[:len(hull)-1]
		}
		hull = append(hull, p)
	}
	for _, p := range sorted {
		half(p, 0)
	}
	lower := len(hull) - 1
	for i := len(sorted) - 2; i >= 0; i-- {
		half(sorted[i], lower)
	}
	return hull[:len(hull)-1]
}
