package follow

import (
	"fmt"
	"slices"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/shade"
)

// LightSample describes the contribution of one light at an interaction.
type LightSample struct {
	Index      int // index of the light in Prepared.Lights
	Light      shade.Light
	Dir        geom.Vec3 // toward the light; zero if the light is at the interaction
	Reach      float64   // solids closer than this block the light
	Cos        float64   // N.L
	Share      float64   // of the light's strength in this direction: 1, less at the edge of a spot light's cone, or 0
	Visibility Visibility
	Traversal  *Traversal  // the traversal of the shadow ray; nil without one, or if none are recorded
	Object     int32       // the solid that blocks the light, or its first hidden point if it has a size; or accel.None
	T          float64     // the distance to Object, or to where the ray leaves it if Visibility is Enclosed
	Irradiance shade.Color // black unless the light Arrives

	// Fraction is the part of the light that arrives, 0..1. For a light with a size it is the weight of its visible
	// Points divided by that of all Points. It is 0 or 1 if no shadow ray is cast, or if the light has no size.
	Fraction float64

	// The following fields are set only for a light with a size.
	Cap      arealight.Cap // the directions toward the light
	Received float64       // replaces Cos: the share of the light's strength that arrives if nothing blocks the light
	Points   []LightPoint  // the points of the light that decide its Visibility; none if no shadow ray is cast
}

// LightPoint is a point of a light with a size, and what hides it.
type LightPoint struct {
	arealight.Point
	Traversal *Traversal // the traversal of the shadow ray; nil if none are recorded
	Object    int32      // the solid that hides the point, or accel.None
	T         float64    // the distance to Object
}

// Visibility says whether a light reaches an interaction, and if not, why.
type Visibility uint8

const (
	Visible   Visibility = iota // the light arrives: no solid blocks it, or the scene has no shadows
	FacesAway                   // the surface faces away from the light
	Outside                     // the interaction is outside the cone of a spot light
	Enclosed                    // the interaction is inside a solid and the light outside; for a ball of light, see Blocked
	Blocked                     // solids block the whole light
	Partly                      // solids hide some points of a light with a size: a penumbra
)

// Arrives reports whether any light reaches the interaction.
func (f Visibility) Arrives() bool { return f == Visible || f == Partly }

// String describes the visibility in words, such as "faces away".
func (f Visibility) String() string {
	names := [...]string{"arrives", "faces away", "outside its cone", "enclosed", "blocked", "partly blocked"}
	if int(f) >= len(names) {
		return fmt.Sprintf("Visibility(%d)", int(f))
	}
	return names[f]
}

// Stop returns where a solid stops the shadow ray of a light sample at a point. If the light has a size, this is the
// shadow ray to its first hidden point. It returns false if no solid stops a shadow ray.
func (a *LightSample) Stop(at geom.Vec3) (geom.Vec3, bool) {
	dir := a.Dir
	if i := slices.IndexFunc(a.Points, func(p LightPoint) bool { return p.Object != accel.None }); i >= 0 {
		dir = a.Points[i].Dir
	}
	return at.AddScaled(a.T, dir), a.Object != accel.None
}

// enclose makes the solid that contains the interaction block the light, from inside.
func (s *Prepared) enclose(q *Interaction, a *LightSample) {
	a.Visibility, a.Object, a.Fraction = Enclosed, q.Hit.Object, 0
	if span, ok := s.ForLight().Shape(a.Object).Span(q.SpawnRay(a.Dir).Ray); ok {
		a.T = max(0, span.Far.T)
	}
}

// SampleLight returns what the light with the given index in Lights contributes at an interaction with a solid.
func (s *Prepared) SampleLight(q *Interaction, light int, record *Recorder) LightSample {
	l := &s.Lights[light]
	a := LightSample{Index: light, Light: l.Light, Object: accel.None}
	if s.Emitters[light].HasSize() {
		s.sampleArea(q, &a, record)
		return a
	}
	a.Dir, a.Reach = l.Toward(q.Hit.Point)
	a.Cos = shade.Cosine(q.Normal, a.Dir)
	if !(a.Cos > 0) {
		a.Visibility = FacesAway
		return a
	}
	a.Share = l.Share(a.Dir)
	weight := float64(a.Cos * a.Share)
	if !(weight > 0) {
		a.Visibility = Outside
		return a
	}
	if s.Scene.Shading.Shadows {
		if room := s.Room(light); q.Hit.Inside && !room.Holds(q.Hit.Object) {
			s.enclose(q, &a)
			return a
		}
		a.Traversal = record.begin()
		if hit := s.ForLight().TraverseBlocked(q.SpawnRay(a.Dir), a.Reach, a.Traversal.probe()); hit.Object != accel.None {
			a.Visibility, a.Object, a.T = Blocked, hit.Object, hit.T
			return a
		}
	}
	a.Irradiance, a.Fraction = l.Irradiance(weight), 1
	return a
}
