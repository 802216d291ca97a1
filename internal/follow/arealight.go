package follow

import (
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/sampler"
	"pillbox/shade"
	"pillbox/shapes"
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

// areaLight describes an emitter in the form that the acceleration structure needs. The argument around lists the
// solids that contain the emitter's center.
func (s *Prepared) areaLight(e *arealight.Emitter, around []int32) accel.AreaLight {
	center, radius := e.Ball()
	if radius == 0 {
		c := e.From(geom.Vec3{})
		return accel.AreaLight{Axis: c.Axis, Sin: c.Sin, Cos: c.Cos}
	}
	l := accel.AreaLight{Center: center, Radius: radius}
	for _, number := range around {
		if containsBall(s.ForLight().Shape(number), center, radius) {
			l.Within = append(l.Within, number)
		}
	}
	return l
}

// containsBall reports whether a solid contains the corners of a cube around a ball. Since the solid is convex, it then
// contains the whole ball. The cube is larger than the ball by a thousandth, and by much more than the rounding errors
// of distances in and around the solid (see shapes.Slack).
func containsBall(s shapes.Shape, center geom.Vec3, radius float64) bool {
	bounds := s.Bounds()
	half := float64(radius*(1+0x1p-10)) + float64(max(bounds.MaxAbs(), center.MaxAbs())*0x1p-36)
	for corner := range 8 {
		p := center.Add(geom.Vec3{X: half, Y: half, Z: half})
		if corner&1 != 0 {
			p.X = center.X - half
		}
		if corner&2 != 0 {
			p.Y = center.Y - half
		}
		if corner&4 != 0 {
			p.Z = center.Z - half
		}
		if !shapes.Contains(s, p) {
			return false
		}
	}
	return true
}
