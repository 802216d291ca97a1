package model

import (
	"math"

	"pillbox/geom"
)

// Quaternion is a rotation w + xi + yj + zk of any length. The zero value is no rotation. Every product in its methods
// is rounded separately, so a file is converted to the same numbers on every machine.
type Quaternion struct{ W, X, Y, Z float64 }

// Turn returns the rotation by an angle about an axis, counterclockwise if the axis points at the viewer. If the axis
// is zero or not finite, it returns the zero quaternion, which does not rotate.
func Turn(axis geom.Vec3, angle geom.Angle) Quaternion {
	u, ok := geom.Direction(axis)
	if !ok {
		return Quaternion{}
	}
	sin, cos := (angle / 2).SinCos()
	return Quaternion{cos, float64(u.X * sin), float64(u.Y * sin), float64(u.Z * sin)}
}

// Mul returns the rotation by p followed by the rotation by q.
func (q Quaternion) Mul(p Quaternion) Quaternion {
	if q.isZero() {
		return p
	}
	if p.isZero() {
		return q
	}
	return Quaternion{
		float64(q.W*p.W) - float64(q.X*p.X) - float64(q.Y*p.Y) - float64(q.Z*p.Z),
		float64(q.W*p.X) + float64(q.X*p.W) + float64(q.Y*p.Z) - float64(q.Z*p.Y),
		float64(q.W*p.Y) - float64(q.X*p.Z) + float64(q.Y*p.W) + float64(q.Z*p.X),
		float64(q.W*p.Z) + float64(q.X*p.Y) - float64(q.Y*p.X) + float64(q.Z*p.W),
	}.Unit()
}

// Inverse returns the inverse rotation.
func (q Quaternion) Inverse() Quaternion { return Quaternion{q.W, -q.X, -q.Y, -q.Z} }

// Unit returns the quaternion of length 1 for the same rotation. If q is zero or not finite, it returns the quaternion
// 1, which does not rotate.
func (q Quaternion) Unit() Quaternion {
	big := max(math.Abs(q.W), math.Abs(q.X), math.Abs(q.Y), math.Abs(q.Z))
	if !(0 < big && big <= math.MaxFloat64) {
		return Quaternion{W: 1}
	}
	w, x, y, z := q.W/big, q.X/big, q.Y/big, q.Z/big
	n := math.Sqrt(float64(w*w) + float64(x*x) + float64(y*y) + float64(z*z))
	return Quaternion{w / n, x / n, y / n, z / n}
}

func (q Quaternion) isZero() bool { return q == Quaternion{} }

// turns reports whether q is a rotation other than the identity.
func (q Quaternion) turns() bool { return q.X != 0 || q.Y != 0 || q.Z != 0 }

// Matrix returns the rotation as a matrix.
func (q Quaternion) Matrix() geom.Mat3 {
	m, ok := geom.RotationQuaternion(q.W, q.X, q.Y, q.Z)
	if !ok {
		return geom.Identity()
	}
	return m
}

// Rotate returns the vector v after the rotation q.
func (q Quaternion) Rotate(v geom.Vec3) geom.Vec3 {
	if !q.turns() {
		return v
	}
	return q.Matrix().MulVec(v)
}

// QuaternionOf converts a matrix whose columns are perpendicular unit vectors. Source: S. W. Shepperd, "Quaternion from
// rotation matrix", Journal of Guidance and Control 1, 1978.
func QuaternionOf(m geom.Mat3) Quaternion {
	trace := m.X.X + m.Y.Y + m.Z.Z
	var q Quaternion
	switch big := max(trace, m.X.X, m.Y.Y, m.Z.Z); big {
	case trace:
		q = Quaternion{1 + trace, m.Y.Z - m.Z.Y, m.Z.X - m.X.Z, m.X.Y - m.Y.X}
	case m.X.X:
		q = Quaternion{m.Y.Z - m.Z.Y, 1 + m.X.X - m.Y.Y - m.Z.Z, m.X.Y + m.Y.X, m.Z.X + m.X.Z}
	case m.Y.Y:
		q = Quaternion{m.Z.X - m.X.Z, m.X.Y + m.Y.X, 1 + m.Y.Y - m.Z.Z - m.X.X, m.Y.Z + m.Z.Y}
	default:
		q = Quaternion{m.X.Y - m.Y.X, m.Z.X + m.X.Z, m.Y.Z + m.Z.Y, 1 + m.Z.Z - m.X.X - m.Y.Y}
	}
	return q.Unit()
}

// FromZ returns the smallest rotation from the z axis to the direction v. If v is zero or not finite, it returns the
// zero quaternion, which does not rotate.
func FromZ(v geom.Vec3) Quaternion {
	u, ok := geom.Direction(v)
	switch {
	case !ok:
		return Quaternion{}
	case u.Z <= -1:
		return Quaternion{X: 1}
	}
	return Quaternion{1 + u.Z, -u.Y, u.X, 0}.Unit()
}

// Pose is a rotation followed by a translation.
type Pose struct {
	Position geom.Vec3
	Rotation Quaternion
}

// Point applies the pose to a point.
func (p Pose) Point(v geom.Vec3) geom.Vec3 { return p.Position.Add(p.Rotation.Rotate(v)) }

// Then returns the composition of two poses. If inner is the pose of an object relative to a frame, and p is the
// pose of this frame relative to a second one, the result is the object's pose relative to the second frame.
func (p Pose) Then(inner Pose) Pose {
	return Pose{p.Point(inner.Position), p.Rotation.Mul(inner.Rotation)}
}

// Inverse returns the inverse pose.
func (p Pose) Inverse() Pose {
	back := p.Rotation.Inverse()
	return Pose{back.Rotate(p.Position.Neg()), back}
}
