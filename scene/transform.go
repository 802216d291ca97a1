package scene

import "pillbox/geom"

// transform is the transformation of a part: scale, then rotation, then translation. Its rounding is part
// of the file format: products are rounded before they are added.
type transform struct {
	scale    float64
	rotation geom.Mat3
	position geom.Vec3 // of the part's origin
}

// identityTransform returns the identity transformation.
func identityTransform() transform { return transform{scale: 1, rotation: geom.Identity()} }

// point transforms a point of the part.
func (f *transform) point(p geom.Vec3) geom.Vec3 {
	return f.rotation.MulVec(p.Scale(f.scale)).Add(f.position)
}

// inverse returns the point of the part that f transforms to p.
func (f *transform) inverse(p geom.Vec3) geom.Vec3 {
	return f.rotation.TransposeMulVec(p.Sub(f.position)).Scale(1 / f.scale)
}

// turn rotates the axes of a box or of a nested part. If f does not rotate, it returns them unchanged. Otherwise it
// makes the result orthonormal again, so that errors do not accumulate in nested parts.
func (f *transform) turn(axes geom.Mat3) geom.Mat3 {
	if f.rotation == geom.Identity() {
		return axes
	}
	return f.rotation.Mul(axes).Orthonormalized()
}

// The method within returns the transformation that first applies f and then outer.
func (f *transform) within(outer *transform) transform {
	return transform{
		scale:    float64(outer.scale * f.scale),
		rotation: outer.turn(f.rotation),
		position: outer.point(f.position),
	}
}
