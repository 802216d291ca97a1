package diagram

import (
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/follow"
	"pillbox/shapes"
)

// ofSegment begins a diagram of a segment.
func ofSegment(x *explain.Segment, opt Options) (*sketch, error) {
	object := x.Subject()
	if object == accel.None {
		return nil, ErrNoSolids
	}
	prepared := follow.Of(x.Prepared())
	if isRemoved(prepared, object) {
		return nil, ErrRemoved
	}
	scene := x.Prepared().Scene()
	k := &sketch{canvas: newCanvas(opt), up: prepared.View.Up(), shape: scene.Solid(int(object)), length: x.Length(), below: contentTop}
	k.ray.Origin = x.A
	var ok bool
	if k.ray.Dir, ok = geom.Direction(x.B.Sub(x.A)); !ok {
		k.ray.Dir = geom.Vec3{X: 1} // a point has no direction: draw it somehow
	}
	var touches bool
	if c, isCut := prepared.Shape(object).(*shapes.Cut); isCut {
		touches = c.Touches(x.Segment)
		k.cutRoots(c, scene.SectionLabel)
	} else {
		k.derivation, touches = derive.Touches(x.Segment, k.shape)
	}
	verdict := "not touched"
	if touches {
		verdict = "touched"
	}
	k.title(x.Title(), scene.Label(int(object))+": "+verdict, k.Muted)
	return k, nil
}
