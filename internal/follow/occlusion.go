package follow

import (
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// Directions stores sampled directions above a surface with the unit normal n in *to. There are as many directions as
// the sampler has points. They depend on where the path starts in the picture and on depth, the number of reflections
// before the surface. Their length is 1 up to rounding.
func (s *Prepared) Directions(at sampler.Position, depth int, n geom.Vec3, to *sampler.Directions) {
	frame := sampler.Frame(n)
	s.Sampler.Set(at, sampler.Occlusion, depth).Hemisphere(s.Sampler.Points(), &frame, to)
}

// HiddenFromInside reports whether a ray starts on the inner side of a solid's surface and is blocked by that solid: it
// meets the solid's far side before the distance reach. It returns false for rays that start outside.
func (s *Prepared) HiddenFromInside(d *accel.SecondaryRay, reach float64) bool {
	return d.Inside && s.exit(d) < reach
}

// exit returns the distance at which a ray leaves the solid on whose inner side it starts. It is 0 if the computed ray
// misses the solid because of rounding.
func (s *Prepared) exit(d *accel.SecondaryRay) float64 {
	span, ok := s.ForLight().Shape(d.Object).Span(d.Ray)
	if !ok {
		return 0
	}
	return span.Far.T
}

// SkySample is a sampled direction of ambient light.
type SkySample struct {
	Dir    geom.Vec3
	Object int32   // the solid that hides the sky in this direction, or accel.None
	T      float64 // the distance to it
}

// Occlusion describes which part of the sky solids hide at an interaction.
type Occlusion struct {
	shade.Sky
	Samples []SkySample
	Reach   float64 // solids beyond this distance hide nothing; may be infinite
}

// SampleOcclusion casts rays into all sampled directions above an interaction with a solid. Call it only if the
// scene has ambient occlusion.
func (s *Prepared) SampleOcclusion(q *Interaction) *Occlusion {
	o := &Occlusion{Reach: s.Scene.Shading.Occlusion.Reach()}
	var dirs sampler.Directions
	s.Directions(q.At, q.Depth, q.Normal, &dirs)
	up := s.View.Up()
	for k := range s.Sampler.Points() {
		a := SkySample{Dir: dirs.At(k)}
		d := q.SpawnRay(a.Dir)
		a.Object, a.T = s.Hides(&d, o.Reach, nil)
		o.Add(a.Dir, up, a.Object == accel.None)
		o.Samples = append(o.Samples, a)
	}
	return o
}

// MayOcclude reports whether solids may hide directions above a hit. n is the normal that faces the ray. If MayOcclude
// returns false, no direction is hidden.
func (s *Prepared) MayOcclude(h *accel.Hit, n geom.Vec3) bool {
	return h.Inside || s.ForLight().MayOcclude(h.Point, n, h.Object, s.Scene.Shading.Occlusion.Reach())
}

// ambient returns the ambient light that arrives at an interaction with a solid, and the sampled occlusion, which is nil if
// the scene has no ambient occlusion.
func (s *Prepared) ambient(q *Interaction) (shade.Color, *Occlusion) {
	if !s.Scene.Shading.Occlusion.Enabled {
		return s.Ambient(q.Normal), nil
	}
	o := s.SampleOcclusion(q)
	return s.Scene.Shading.Ambient.Under(&o.Sky, q.Normal, s.View.Up()), o
}
