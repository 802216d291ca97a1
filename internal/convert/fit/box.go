package fit

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/geom2"
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

// smallestRectangle returns the orientation of the rectangle of least area around points in the plane. One side of
// the rectangle lies along an edge of the points' convex hull.
func smallestRectangle(points []geom2.Point) rectangle {
	hull := geom2.Hull(points)
	best, area := rectangle{cos: 1}, math.Inf(1)
	for i, p := range hull {
		q := hull[(i+1)%len(hull)]
		side := q.Sub(p)
		length := side.Norm()
		if !(length > 0) {
			continue
		}
		r := rectangle{side.X / length, side.Y / length}
		if a := r.area(hull); a < float64(area*(1-1e-12)) {
			best, area = r, a
		}
	}
	return best
}

// area returns the area of the smallest rectangle of this orientation around points.
func (r rectangle) area(points []geom2.Point) float64 {
	left, right, bottom, top := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, p := range points {
		x, y := float64(p.X*r.cos)+float64(p.Y*r.sin), float64(p.Y*r.cos)-float64(p.X*r.sin)
		left, right, bottom, top = min(left, x), max(right, x), min(bottom, y), max(top, y)
	}
	return (right - left) * (top - bottom)
}
