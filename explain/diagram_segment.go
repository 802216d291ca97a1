package explain

import (
	"image"

	"pillbox/accel"
	"pillbox/escape"
	"pillbox/geom"
)

// Diagram implements [Explanation]. It draws the segment and one solid.
func (x *Segment) Diagram(opt DiagramOptions) (image.Image, error) {
	opt.Object = x.subject(opt.Object)
	if opt.Object == accel.None {
		return nil, ErrNothing
	}
	k := x.sketch(opt)
	k.finish(x.tracer.solids().at(opt.Object))
	return k.dc.Image(), nil
}

// sketch begins a diagram of a segment.
func (x *Segment) sketch(opt DiagramOptions) *sketch {
	solids := x.tracer.solids()
	d := newDerivation[float]()
	isTouched := touches(d, solids.at(opt.Object), x.Segment)
	k := &sketch{canvas: newCanvas(opt.Dark), values: d.values, length: x.Length(), below: contentTop}
	k.ray.Origin = x.A
	var ok bool
	if k.ray.Dir, ok = geom.Direction(x.B.Sub(x.A)); !ok {
		k.ray.Dir = geom.Vec3{X: 1} // a point has no direction: draw it somehow
	}
	k.title(escape.Name(x.tracer.stage.Scene.Name)+": a segment", solids.label(opt.Object)+": "+touchText(isTouched))
	return k
}

// subject returns the solid that a diagram of the segment draws: the first that is touched,
// or else the first.
func (x *Segment) subject(object int32) int32 {
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
