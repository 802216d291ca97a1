package diagram

import (
	"pillbox/accel"
	"pillbox/escape"
	"pillbox/explain"
	"pillbox/geom"
)

// ofSegment begins a diagram of a segment.
func ofSegment(x *explain.Segment, opt Options) (*sketch, error) {
	object := touched(x, opt.Object)
	if object == accel.None {
		return nil, ErrNothing
	}
	scene := x.Stage().Scene
	k := &sketch{canvas: newCanvas(opt), shape: explain.Shape(scene, object), length: x.Length(), below: contentTop}
	var touches bool
	k.derivation, touches = explain.Touching(x.Segment, k.shape)
	k.ray.Origin = x.A
	var ok bool
	if k.ray.Dir, ok = geom.Direction(x.B.Sub(x.A)); !ok {
		k.ray.Dir = geom.Vec3{X: 1} // a point has no direction: draw it somehow
	}
	verdict := "not touched"
	if touches {
		verdict = "touched"
	}
	k.title(escape.Name(scene.Name)+": a segment", explain.Label(scene, object)+": "+verdict)
	return k, nil
}

// touched returns the solid that a diagram of the segment draws: the given one, or the first that is
// touched, or else the first.
func touched(x *explain.Segment, object int32) int32 {
	if object != accel.None {
		return object
	}
	for _, s := range x.Solids {
		if s.Touches {
			return s.Object
		}
	}
	if len(x.Solids) > 0 {
		return 0
	}
	return accel.None
}
