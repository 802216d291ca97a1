package eigen

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
)

func ExampleSymmetric() {
	values, axes := Symmetric([3][3]float64{{2, 1, 0}, {1, 2, 0}, {0, 0, 5}})
	fmt.Printf("%.3f %.3f\n", values, axes.X)
	// Output: {1.000 3.000 5.000} {0.707 -0.707 0.000}
}

// TestSymmetric checks that each column is an eigenvector of its value, that the columns are a rotation, and that a diagonal
// matrix keeps the order of its axes.
func TestSymmetric(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var m [3][3]float64
		scale := math.Ldexp(1, random.IntN(80)-40)
		for i := range 3 {
			for k := range i + 1 {
				m[i][k] = random.NormFloat64() * scale
				m[k][i] = m[i][k]
			}
		}
		values, axes := Symmetric(m)
		for i, axis := range [...]geom.Vec3{axes.X, axes.Y, axes.Z} {
			value := [...]float64{values.X, values.Y, values.Z}[i]
			c := [3]float64{axis.X, axis.Y, axis.Z}
			for row := range 3 {
				got := m[row][0]*c[0] + m[row][1]*c[1] + m[row][2]*c[2]
				if math.Abs(got-value*c[row]) > 1e-13*10*scale {
					t.Fatalf("%v: row %d of axis %d gives %g, want %g", m, row, i, got, value*c[row])
				}
			}
		}
		if d := axes.X.Cross(axes.Y).Dot(axes.Z); math.Abs(d-1) > 1e-14 {
			t.Fatalf("%v: the determinant of the axes is %g", m, d)
		}
	}
	values, axes := Symmetric([3][3]float64{{1, 0, 0}, {0, 3, 0}, {0, 0, 3}})
	if (values != geom.Vec3{X: 1, Y: 3, Z: 3} || axes != geom.Mat3{X: geom.Vec3{X: 1}, Y: geom.Vec3{Y: 1}, Z: geom.Vec3{Z: 1}}) {
		t.Errorf("a diagonal matrix gives %v and %v", values, axes)
	}
}
