package follow

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shade"
)

// LightSample is what a light does at a spot.
type LightSample struct {
	Index      int // of the light
	Light      shade.Light
	Dir        geom.Vec3 // toward the light; zero if the spot lies on it
	Reach      float64   // what lies before that distance blocks the light
	Cos        float64   // N.L
	Visibility Visibility
	Walk       *Walk       // of the shadow ray; nil if none exists, or walks are not recorded
	Object     int32       // that blocks; else accel.None
	T          float64     // where, if Visibility is Blocked
	Irradiance shade.Color // irradiance; black unless Visibility is Visible
}

// Visibility describes what becomes of a light's ray.
type Visibility uint8

const (
	Visible   Visibility = iota // nothing blocks it
	FacesAway                   // the surface looks the other way
	Enclosed                    // from inside, the solid itself blocks the lights outside it
	Blocked                     // another solid blocks it
)

// String returns the constant's name in words.
func (f Visibility) String() string {
	names := [...]string{"arrives", "faces away", "enclosed", "blocked"}
	if int(f) >= len(names) {
		return fmt.Sprintf("Visibility(%d)", int(f))
	}
	return names[f]
}

// LightSample returns what the light with the given index in Lights does at a spot on a solid.
func (s *Prepared) SampleLight(q *Interaction, light int, record Recording) LightSample {
	l := &s.Lights[light]
	a := LightSample{Index: light, Light: l.Light, Object: accel.None}
	a.Dir, a.Reach = l.Toward(q.Hit.Point)
	a.Cos = shade.Cosine(q.Normal, a.Dir)
	if !(a.Cos > 0) {
		a.Visibility = FacesAway
		return a
	}
	if s.Scene.Shading.Shadows {
		if q.Hit.Inside && !l.Enters(q.Hit.Object) {
			a.Visibility, a.Object = Enclosed, q.Hit.Object
			return a
		}
		if record == Walks {
			a.Walk = &Walk{}
		}
		if hit := s.World.TraverseBlocked(q.SpawnRay(a.Dir), a.Reach, record.probe(a.Walk)); hit.Object != accel.None {
			a.Visibility, a.Object, a.T = Blocked, hit.Object, hit.T
			return a
		}
	}
	a.Irradiance = l.Irradiance(a.Cos)
	return a
}
