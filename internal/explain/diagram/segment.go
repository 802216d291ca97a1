package diagram

import (
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/follow"
)

// ofSegment begins a diagram of a segment.
func ofSegment(x *explain.Segment, opt Options) (*sketch, error) {
	object := x.Subject()
	if object == accel.None {
		return nil, ErrNoSolids
	}
	if isCut(follow.Of(x.Prepared()), object) {
		return nil, ErrCut
	}
	scene := x.Prepared().Scene()
	k := &sketch{canvas: newCanvas(opt), shape: scene.Solid(int(object)), length: x.Length(), below: contentTop}
	var touches bool
	k.derivation, touches = derive.Touches(x.Segment, k.shape)
	k.ray.Origin = x.A
	var ok bool
	if k.ray.Dir, ok = geom.Direction(x.B.Sub(x.A)); !ok {
		k.ray.Dir = geom.Vec3{X: 1} // a point has no direction: draw it somehow
	}
	verdict := "not touched"
	if touches {
		verdict = "touched"
	}
	k.title(x.Title(), scene.Label(int(object))+": "+verdict, k.Muted)
	return k, nil
}
