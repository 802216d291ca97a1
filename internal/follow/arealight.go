package follow

import (
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// sampleArea completes a, the sample of a light with a size. If solids may hide the light, it casts shadow rays to the
// light's points.
func (s *Prepared) sampleArea(q *Interaction, a *LightSample, record *Recorder) {
	l := &s.Lights[a.Index]
	a.Cap = s.Emitters[a.Index].From(q.Hit.Point)
	a.Dir, a.Reach = a.Cap.Axis, shade.BeforeLight(a.Cap.Distance)
	a.Cos = shade.Cosine(q.Normal, a.Dir)
	a.Received = a.Cap.Cosine(q.Normal)
	if !(a.Received > 0) {
		a.Visibility = FacesAway
		return
	}
	a.Share = l.Share(a.Dir)
	weight := float64(a.Received * a.Share)
	if !(weight > 0) {
		a.Visibility = Outside
		return
	}
	a.Fraction = 1
	if s.Scene.Shading.Shadows && !a.Cap.IsInside() {
		if q.Hit.Inside && l.Directional {
			s.enclose(q, a)
			return
		}
		s.castToPoints(q, a, record)
	}
	a.Irradiance = l.Irradiance(float64(weight * a.Fraction))
}

// castToPoints casts the shadow rays of a light with a size and sets the fields of a that depend on them.
func (s *Prepared) castToPoints(q *Interaction, a *LightSample, record *Recorder) {
	set := s.Sampler.Set(q.At, sampler.Light(a.Index), q.Depth)
	all, visible := 0.0, 0.0
	var points arealight.Points
	a.Cap.Points(q.Normal, set, s.Sampler.Points(), &points)
	for k := range points.Len() {
		p := points.At(k)
		if record.IsFull() {
			return
		}
		point := LightPoint{Point: p, Traversal: record.begin()}
		d := q.SpawnRay(p.Dir)
		point.Object, point.T = s.Hides(&d, p.Reach, point.Traversal.probe())
		all += p.Weight
		if point.Object == accel.None {
			visible += p.Weight
		} else if a.Object == accel.None {
			a.Object, a.T = point.Object, point.T
		}
		a.Points = append(a.Points, point)
	}
	a.Fraction = visible / all
	switch {
	case visible == 0:
		a.Visibility = Blocked
	case visible < all:
		a.Visibility = Partly
	}
}

// areaLight describes an emitter in the form that the acceleration structure needs.
func areaLight(e *arealight.Emitter) accel.AreaLight {
	if center, radius := e.Ball(); radius > 0 {
		return accel.AreaLight{Center: center, Radius: radius}
	}
	c := e.From(geom.Vec3{})
	return accel.AreaLight{Axis: c.Axis, Sin: c.Sin, Cos: c.Cos}
}
