package scene

import "pillbox/geom"

// frame says where a part stands: its points are scaled, turned and moved, in this order. What
// it does to numbers is part of the format: every product is rounded on its own.
type frame struct {
	scale    float64
	rotation geom.Mat3
	position geom.Vec3 // of the part's origin
}

// identityFrame returns the frame that changes nothing.
func identityFrame() frame { return frame{scale: 1, rotation: geom.Identity()} }

// point returns where a point of the part is.
func (f *frame) point(p geom.Vec3) geom.Vec3 {
	return f.rotation.MulVec(p.Scale(f.scale)).Add(f.position)
}

// turn returns the axes of what the frame turns. Where it does not turn they stay as they stand,
// to the bit. Otherwise errors do not add up, however deep frames nest.
func (f *frame) turn(axes geom.Mat3) geom.Mat3 {
	if f.rotation == geom.Identity() {
		return axes
	}
	return f.rotation.Mul(axes).Orthonormalized()
}

// within returns where a part stands whose frame f is one in another part, which is in outer.
func (f *frame) within(outer *frame) frame {
	return frame{
		scale:    float64(outer.scale * f.scale),
		rotation: outer.turn(f.rotation),
		position: outer.point(f.position),
	}
}
