package geom

import "math"

// Mat3 is a 3 x 3 matrix given by its columns. A rotation's columns are the images of the
// x, y and z axes.
type Mat3 struct{ X, Y, Z Vec3 }

// String returns the columns of m as in a scene file, such as [[1, 0, 0], [0, 1, 0], [0, 0, 1]].
func (m Mat3) String() string {
	return "[" + m.X.String() + ", " + m.Y.String() + ", " + m.Z.String() + "]"
}

// Identity returns the identity matrix.
func Identity() Mat3 { return Mat3{Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}} }

// MulVec returns m times v.
func (m Mat3) MulVec(v Vec3) Vec3 {
	return m.X.Scale(v.X).Add(m.Y.Scale(v.Y)).Add(m.Z.Scale(v.Z))
}

// TransposeMulVec multiplies the transpose of m by v. If m is a rotation, the result has the components of v along the
// columns of m.
func (m Mat3) TransposeMulVec(v Vec3) Vec3 { return Vec3{m.X.Dot(v), m.Y.Dot(v), m.Z.Dot(v)} }

// Mul returns the product m n, which applies n first.
func (m Mat3) Mul(n Mat3) Mat3 { return Mat3{m.MulVec(n.X), m.MulVec(n.Y), m.MulVec(n.Z)} }

// OrthonormalError returns the largest deviation of the transpose of m times m from the identity. It is a few
// units in the last place of 1 for the rotations made in this package, and 0 for quarter turns. A NaN in m gives
// NaN.
func (m Mat3) OrthonormalError() float64 {
	return max(
		math.Abs(m.X.Norm2()-1), math.Abs(m.Y.Norm2()-1), math.Abs(m.Z.Norm2()-1),
		math.Abs(m.X.Dot(m.Y)), math.Abs(m.Y.Dot(m.Z)), math.Abs(m.Z.Dot(m.X)),
	)
}

// Orthonormalized returns the rotation nearest to m, whose [Mat3.OrthonormalError] must be at most
// 1e-8. Call it after each product of rotations, so that rounding errors do not add up. An exactly
// orthonormal m, such as a quarter turn, is returned unchanged. The OrthonormalError of any other
// result is at most 4 units in the last place of 1.
//
// The function is one step of an iteration that squares the error, after which only the rounding errors
// of the step itself remain. Source: Bjoerck and Bowie, "An iterative algorithm for computing the best
// estimate of an orthogonal matrix", SIAM Journal on Numerical Analysis 8, 1971.
func (m Mat3) Orthonormalized() Mat3 {
	xx, yy, zz := (1-m.X.Norm2())/2, (1-m.Y.Norm2())/2, (1-m.Z.Norm2())/2
	xy, yz, zx := -m.X.Dot(m.Y)/2, -m.Y.Dot(m.Z)/2, -m.Z.Dot(m.X)/2
	// The corrections are small, so their own rounding does not count.
	return Mat3{
		m.X.Add(m.MulVec(Vec3{xx, xy, zx})),
		m.Y.Add(m.MulVec(Vec3{xy, yy, yz})),
		m.Z.Add(m.MulVec(Vec3{zx, yz, zz})),
	}
}

// RotationXYZ returns the rotation about the fixed x axis by x, then about the fixed y
// axis by y, then about the fixed z axis by z. Multiples of 90 degrees are exact.
func RotationXYZ(x, y, z Angle) Mat3 {
	sx, cx := x.SinCos()
	sy, cy := y.SinCos()
	sz, cz := z.SinCos()
	rx := Mat3{Vec3{1, 0, 0}, Vec3{0, cx, sx}, Vec3{0, -sx, cx}}
	ry := Mat3{Vec3{cy, 0, -sy}, Vec3{0, 1, 0}, Vec3{sy, 0, cy}}
	rz := Mat3{Vec3{cz, sz, 0}, Vec3{-sz, cz, 0}, Vec3{0, 0, 1}}
	return rz.Mul(ry.Mul(rx)).unitColumns()
}

// RotationAxis returns the rotation by angle about axis, counter-clockwise seen with the
// axis pointing at the viewer, and false if axis is zero or not finite. The axis need not
// have unit length. Source: O. Rodrigues' formula, in matrix form.
func RotationAxis(axis Vec3, angle Angle) (Mat3, bool) {
	u, ok := Direction(axis)
	if !ok {
		return Mat3{}, false
	}
	s, c := angle.SinCos()
	k := 1 - c
	column := func(e Vec3) Vec3 {
		return e.Scale(c).Add(u.Cross(e).Scale(s)).Add(u.Scale(float64(u.Dot(e) * k)))
	}
	e := Identity()
	return Mat3{column(e.X), column(e.Y), column(e.Z)}.unitColumns(), true
}

// RotationQuaternion returns the rotation of the quaternion w + xi + yj + zk, and false if the
// quaternion is zero or not finite. The quaternion need not have unit length, and q and -q give the
// same rotation.
func RotationQuaternion(w, x, y, z float64) (Mat3, bool) {
	big := max(math.Abs(w), math.Abs(x), math.Abs(y), math.Abs(z))
	if big == 0 || !isFinite(big) {
		return Mat3{}, false
	}
	// Scaling by a power of two keeps the squares from over- and underflowing. It is exact, except for components too
	// small to matter.
	_, exp := math.Frexp(big)
	w, x, y, z = math.Ldexp(w, -exp), math.Ldexp(x, -exp), math.Ldexp(y, -exp), math.Ldexp(z, -exp)
	// Dividing by the squared norm instead of normalizing first keeps quarter turns such as
	// (1, 1, 0, 0) exact.
	s := 2 / (float64(w*w) + float64(x*x) + float64(y*y) + float64(z*z))
	wx, wy, wz := float64(s*float64(w*x)), float64(s*float64(w*y)), float64(s*float64(w*z))
	xx, xy, xz := float64(s*float64(x*x)), float64(s*float64(x*y)), float64(s*float64(x*z))
	yy, yz, zz := float64(s*float64(y*y)), float64(s*float64(y*z)), float64(s*float64(z*z))
	return Mat3{
		Vec3{1 - (yy + zz), xy + wz, xz - wy},
		Vec3{xy - wz, 1 - (xx + zz), yz + wx},
		Vec3{xz + wy, yz - wx, 1 - (xx + yy)},
	}.unitColumns(), true
}

// unitColumns scales the columns to unit length, up to two units in the last place of 1, so that normals taken
// from them are unit vectors. Columns of zeros and ones stay as they are.
func (m Mat3) unitColumns() Mat3 { return Mat3{m.X.Unit(), m.Y.Unit(), m.Z.Unit()} }
