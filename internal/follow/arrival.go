package follow

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shade"
)

// Arrival is what a light does at a spot.
type Arrival struct {
	Index  int // of the light
	Light  shade.Light
	Dir    geom.Vec3 // toward the light; zero if the spot lies on it
	Reach  float64   // what lies before that distance blocks the light
	Cos    float64   // N.L
	Fate   Fate
	Walk   *Walk       // of the shadow ray; nil if there is none, or walks are not recorded
	Object int32       // that blocks; else accel.None
	T      float64     // where, if Fate is Blocked
	Adds   shade.Color // irradiance; black unless Fate is Arrives
}

// Fate says what becomes of a light's ray.
type Fate uint8

const (
	Arrives   Fate = iota // nothing blocks it
	FacesAway             // the surface looks the other way
	Enclosed              // from inside, the solid itself blocks the lights outside it
	Blocked               // another solid blocks it
)

// String returns the constant's name in words.
func (f Fate) String() string {
	names := [...]string{"arrives", "faces away", "enclosed", "blocked"}
	if int(f) >= len(names) {
		return fmt.Sprintf("Fate(%d)", int(f))
	}
	return names[f]
}

// Arrival returns what the light with the given index in Lights does at a spot on a solid.
func (s *Stage) Arrival(q *Spot, light int, record Recording) Arrival {
	l := &s.Lights[light]
	a := Arrival{Index: light, Light: l.Light, Object: accel.None}
	a.Dir, a.Reach = l.Toward(q.Hit.Point)
	a.Cos = q.Normal.Dot(a.Dir)
	if !(a.Cos > 0) {
		a.Fate = FacesAway
		return a
	}
	if s.Scene.Shading.Shadows {
		if q.Hit.Inside && !l.Enters(q.Hit.Object) {
			a.Fate, a.Object = Enclosed, q.Hit.Object
			return a
		}
		if record == Walks {
			a.Walk = &Walk{}
		}
		if hit := s.World.WalkBlocked(q.Leave(a.Dir), a.Reach, record.probe(a.Walk)); hit.Object != accel.None {
			a.Fate, a.Object, a.T = Blocked, hit.Object, hit.T
			return a
		}
	}
	a.Adds = l.Irradiance(a.Cos)
	return a
}
