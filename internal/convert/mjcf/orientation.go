package mjcf

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

func degrees(radians float64) geom.Angle { return geom.Angle(radians * (180 / math.Pi)) }

// pose reads the pose of an element.
func (c *compiler) pose(t tag) (p model.Pose, err error) {
	if p.Position, err = t.vector("pos", geom.Vec3{}); err != nil {
		return p, err
	}
	p.Rotation, err = c.orientation(t)
	return p, err
}

// orientation reads the orientation of an element. Any other attribute for an orientation, even one of a default class,
// takes precedence over quat. Two such attributes in the same element are an error.
func (c *compiler) orientation(t tag) (model.Quaternion, error) {
	e := t.with("axisangle", "xyaxes", "zaxis", "euler")
	if e == nil {
		return quaternion(t.source("quat"), "quat")
	}
	given := 0
	for _, attr := range [...]string{"quat", "axisangle", "xyaxes", "zaxis", "euler"} {
		if _, ok := e.Attr(attr); ok {
			if given++; given > 1 {
				return model.Quaternion{}, e.Wrong(attr, problem.CodeConflict, "cannot be combined with another orientation")
			}
		}
	}
	switch {
	case e.Get("axisangle") != "":
		return c.axisAngle(e)
	case e.Get("xyaxes") != "":
		return xyAxes(e)
	case e.Get("zaxis") != "":
		z, err := e.Vector("zaxis", geom.Vec3{})
		if err != nil {
			return model.Quaternion{}, err
		}
		if _, ok := geom.Direction(z); !ok {
			return model.Quaternion{}, e.Wrong("zaxis", problem.CodeZeroVector, "must not be zero")
		}
		return model.FromZ(z), nil
	}
	euler, err := e.Vector("euler", geom.Vec3{})
	return c.euler(euler), err
}

func quaternion(e *markup.Element, attr string) (model.Quaternion, error) {
	q, err := e.Floats(attr, 4, 4)
	if err != nil || q == nil {
		return model.Quaternion{}, err
	}
	quat := model.Quaternion{W: q[0], X: q[1], Y: q[2], Z: q[3]}
	if quat == (model.Quaternion{}) {
		return quat, e.Wrong(attr, problem.CodeZeroVector, "must not be zero")
	}
	return quat.Unit(), nil
}

func (c *compiler) axisAngle(e *markup.Element) (model.Quaternion, error) {
	a, err := e.Floats("axisangle", 4, 4)
	if err != nil {
		return model.Quaternion{}, err
	}
	axis := geom.Vec3{X: a[0], Y: a[1], Z: a[2]}
	if _, ok := geom.Direction(axis); !ok {
		return model.Quaternion{}, e.Wrong("axisangle", problem.CodeZeroVector, "must have an axis that is not zero")
	}
	return model.Turn(axis, c.angle(a[3])), nil
}

// xyAxes reads the x axis and a second axis, which is made perpendicular to it.
func xyAxes(e *markup.Element) (model.Quaternion, error) {
	a, err := e.Floats("xyaxes", 6, 6)
	if err != nil {
		return model.Quaternion{}, err
	}
	x, okX := geom.Direction(geom.Vec3{X: a[0], Y: a[1], Z: a[2]})
	y := geom.Vec3{X: a[3], Y: a[4], Z: a[5]}
	y, okY := geom.Direction(y.AddScaled(-x.Dot(y), x))
	z, okZ := geom.Direction(x.Cross(y))
	if !okX || !okY || !okZ || math.Abs(x.Dot(y)) > 1e-6 {
		return model.Quaternion{}, e.Wrong("xyaxes", problem.CodeZeroVector, "must be two axes that are neither zero nor parallel")
	}
	return model.QuaternionOf(geom.Mat3{X: x, Y: z.Cross(x), Z: z}), nil
}

// euler returns the rotation for three angles about the axes of the compiler's sequence. Lower-case letters are axes that
// rotate with the frame, upper-case letters are fixed axes.
func (c *compiler) euler(angles geom.Vec3) (q model.Quaternion) {
	for i, x := range [...]float64{angles.X, angles.Y, angles.Z} {
		letter := c.sequence[i]
		var axis geom.Vec3
		switch letter | 0x20 {
		case 'x':
			axis.X = 1
		case 'y':
			axis.Y = 1
		default:
			axis.Z = 1
		}
		turn := model.Turn(axis, c.angle(x))
		if letter >= 'a' {
			q = q.Mul(turn)
		} else {
			q = turn.Mul(q)
		}
	}
	return q
}
