package model

import (
	"cmp"
	"math"
	"slices"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/convert/eigen"
)

const (
	defaultAspect = 16.0 / 9 // width of a picture divided by its height, if the scene does not contain its size
	tightMargin   = 1.06     // height of the picture divided by the height of the rectangle that the solids may fill
)

// tightView returns a camera along the shortest principal axis of the solids, with the longest axis from left to right. The
// solids fill the picture except for a margin.
func (s *Scene) tightView(root *Part) camera.Camera {
	axes := principalAxes(root)
	aspect := defaultAspect
	if s.Width > 0 && s.Height > 0 {
		aspect = float64(s.Width) / float64(s.Height)
	}
	tan := (camera.DefaultFOV / 2).Tan() / tightMargin
	x, y := newWedge(float64(tan*aspect)), newWedge(tan)
	near, far := math.Inf(-1), math.Inf(1)
	root.corners(Pose{}, false, func(p geom.Vec3, r float64) {
		q := axes.TransposeMulVec(p)
		x.include(q.X, q.Z, r)
		y.include(q.Y, q.Z, r)
		near, far = max(near, q.Z+r), min(far, q.Z-r)
	})
	center := geom.Vec3{X: x.center(), Y: y.center(), Z: far + (near-far)/2}
	eye := geom.Vec3{X: center.X, Y: center.Y, Z: max(x.distance(), y.distance())}
	return camera.Camera{
		Position: axes.MulVec(eye),
		LookAt:   axes.MulVec(center),
		Up:       axes.Y,
		FOV:      camera.DefaultFOV,
	}
}

// wedge is the space between two planes through the camera, which looks along -z. At any distance from the camera along z,
// the half width of the wedge is tan times the distance. The camera is placed so that the wedge just contains some balls.
type wedge struct {
	tan   float64
	slant float64 // sqrt(1 + tan²)

	// To contain the balls, the upper plane must cross z = 0 at high or above, and the lower one at -low or below.
	high, low float64
}

func newWedge(tan float64) *wedge {
	return &wedge{tan: tan, slant: math.Sqrt(1 + float64(tan*tan)), high: math.Inf(-1), low: math.Inf(-1)}
}

// include adds a ball with its center at x to the side and at z toward the camera.
func (w *wedge) include(x, z, r float64) {
	at := float64(z*w.tan) + float64(r*w.slant)
	w.high, w.low = max(w.high, at+x), max(w.low, at-x)
}

// center and distance return the coordinates of the camera, to the side and along z. The distance is the smallest for
// which the wedge contains all balls.
func (w *wedge) center() float64   { return (w.high - w.low) / 2 }
func (w *wedge) distance() float64 { return (w.high + w.low) / 2 / w.tan }

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
