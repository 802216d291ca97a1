package model

import (
	"cmp"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/eigen"
)

// principalAxes returns the directions in which the solids' corners spread the most, less and the least: the principal axes
// of their covariance. The matrix of the axes has determinant 1. In the first and in the second axis, the component of the
// largest magnitude is positive. Every operation is exact or rounded by itself, so the axes are the same on every machine.
func principalAxes(root *Part) geom.Mat3 {
	n := 0.0
	var sum geom.Vec3
	root.corners(Pose{}, false, func(p geom.Vec3, _ float64) {
		sum = sum.Add(p)
		n++
	})
	mean := sum.Div(max(n, 1))
	var m [3][3]float64
	root.corners(Pose{}, false, func(p geom.Vec3, _ float64) { addSquare(&m, p.Sub(mean)) })
	axes := descending(m)
	axes.X, axes.Y = pointed(axes.X), pointed(axes.Y)
	axes.Z = axes.X.Cross(axes.Y)
	return axes
}

// pointed returns v or -v: the one in which the component of the largest magnitude is positive.
func pointed(v geom.Vec3) geom.Vec3 {
	big := v.X
	for _, x := range [...]float64{v.Y, v.Z} {
		if math.Abs(x) > math.Abs(big) {
			big = x
		}
	}
	if big < 0 {
		return v.Neg()
	}
	return v
}

// addSquare adds the product of v with itself to m.
func addSquare(m *[3][3]float64, v geom.Vec3) {
	c := [3]float64{v.X, v.Y, v.Z}
	for i := range c {
		for k := range c {
			m[i][k] += float64(c[i] * c[k])
		}
	}
}

// descending returns the eigenvectors of a symmetric matrix in descending order of their eigenvalues. Those with equal
// eigenvalues keep the order in which they are found.
func descending(m [3][3]float64) geom.Mat3 {
	values, axes := eigen.Symmetric(m)
	type pair struct {
		value float64
		axis  geom.Vec3
	}
	pairs := []pair{{values.X, axes.X}, {values.Y, axes.Y}, {values.Z, axes.Z}}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(b.value, a.value) })
	return geom.Mat3{X: pairs[0].axis, Y: pairs[1].axis, Z: pairs[2].axis}
}
