package model

import (
	"math"

	"pillbox/camera"
	"pillbox/geom"
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
	var m symmetric
	root.corners(Pose{}, false, func(p geom.Vec3, _ float64) { m.addSquare(p.Sub(mean)) })
	axes := m.eigenvectors()
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

// symmetric is a symmetric matrix. The elements below the diagonal are not used.
type symmetric [3][3]float64

// addSquare adds the product of v with itself.
func (m *symmetric) addSquare(v geom.Vec3) {
	c := [3]float64{v.X, v.Y, v.Z}
	for i := range c {
		for k := i; k < 3; k++ {
			m[i][k] += float64(c[i] * c[k])
		}
	}
}

// eigenvectors returns perpendicular unit eigenvectors in descending order of their eigenvalues. If the matrix is
// diagonal, axes with equal eigenvalues keep their order. It changes the matrix.
//
// Source: Jacobi's method, as in Golub and Van Loan, "Matrix Computations", section 8.5.
func (m *symmetric) eigenvectors() geom.Mat3 {
	v := [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	const sweeps = 30 // convergence is quadratic: a few suffice
	for range sweeps {
		for _, pair := range [...][2]int{{0, 1}, {0, 2}, {1, 2}} {
			p, q := pair[0], pair[1]
			if m[p][q] == 0 {
				continue
			}
			theta := (m[q][q] - m[p][p]) / (2 * m[p][q])
			t := 1 / (math.Abs(theta) + math.Sqrt(1+float64(theta*theta)))
			t = math.Copysign(t, theta)
			c := 1 / math.Sqrt(1+float64(t*t))
			s := float64(t * c)
			m.rotate(p, q, t, c, s)
			v[p], v[q] = v[p].Scale(c).AddScaled(-s, v[q]), v[q].Scale(c).AddScaled(s, v[p])
		}
	}
	order := [3]int{0, 1, 2}
	for _, pair := range [...][2]int{{0, 1}, {1, 2}, {0, 1}} {
		if a, b := &order[pair[0]], &order[pair[1]]; m[*a][*a] < m[*b][*b] {
			*a, *b = *b, *a
		}
	}
	return geom.Mat3{X: v[order[0]].Unit(), Y: v[order[1]].Unit(), Z: v[order[2]].Unit()}
}

// rotate applies the rotation in the plane of the axes p and q, p < q, that makes the element in row p and column q zero.
// t, c and s are the tangent, cosine and sine of its angle.
func (m *symmetric) rotate(p, q int, t, c, s float64) {
	shift := float64(t * m[p][q])
	m[p][p] -= shift
	m[q][q] += shift
	m[p][q] = 0
	r := 3 - p - q
	at := func(i, k int) *float64 { return &m[min(i, k)][max(i, k)] }
	rp, rq := *at(r, p), *at(r, q)
	*at(r, p) = float64(c*rp) - float64(s*rq)
	*at(r, q) = float64(s*rp) + float64(c*rq)
}
