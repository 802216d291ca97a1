// Package eigen finds the eigenvectors of symmetric matrices of three rows: the principal axes of points and of solids.
//
// All operations are exact or rounded by themselves, so the results are the same on every machine.
package eigen

import (
	"math"

	"pillbox/geom"
)

// Symmetric returns the eigenvalues of a symmetric matrix and a rotation whose columns are the eigenvectors in the same
// order. The order is that of the axes for a diagonal matrix, and no particular one otherwise. The elements should be finite.
//
// Source: Jacobi's method, as in Golub and Van Loan, "Matrix Computations", section 8.5.
func Symmetric(m [3][3]float64) (values geom.Vec3, axes geom.Mat3) {
	columns := [3]geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	const sweeps = 20 // twice as many as float64 needs: convergence is quadratic
	for range sweeps {
		for i := range 2 {
			for j := i + 1; j < 3; j++ {
				if m[i][j] != 0 {
					rotate(&m, &columns, i, j)
				}
			}
		}
	}
	axes = geom.Mat3{X: columns[0], Y: columns[1], Z: columns[2]}.Orthonormalized()
	return geom.Vec3{X: m[0][0], Y: m[1][1], Z: m[2][2]}, axes
}

// rotate makes m[i][j] zero by rotating the axes i and j.
func rotate(m *[3][3]float64, columns *[3]geom.Vec3, i, j int) {
	theta := (m[j][j] - m[i][i]) / (2 * m[i][j])
	t := 1 / (math.Abs(theta) + math.Sqrt(float64(theta*theta)+1))
	if theta < 0 {
		t = -t
	}
	cos := 1 / math.Sqrt(float64(t*t)+1)
	sin := float64(t * cos)
	for k := range 3 {
		a, b := m[k][i], m[k][j]
		m[k][i], m[k][j] = float64(cos*a)-float64(sin*b), float64(sin*a)+float64(cos*b)
	}
	for k := range 3 {
		a, b := m[i][k], m[j][k]
		m[i][k], m[j][k] = float64(cos*a)-float64(sin*b), float64(sin*a)+float64(cos*b)
	}
	m[i][j], m[j][i] = 0, 0 // these would be zero without rounding
	a, b := columns[i], columns[j]
	columns[i], columns[j] = a.Scale(cos).AddScaled(-sin, b), a.Scale(sin).AddScaled(cos, b)
}
