package stage

import (
	"pillbox/accel"
	"pillbox/geom"
	"pillbox/shade"
)

// Spot is where a ray ends: on a solid, or nowhere.
type Spot struct {
	// Departure holds the ray. A ray from the camera leaves no solid: its Object is accel.None.
	accel.Departure
	Depth  int       // how many mirrors sent the ray here
	Hit    accel.Hit // what it meets; if that is nothing, Normal means nothing
	Normal geom.Vec3 // unit length, facing the ray's origin
}

// Camera returns the departure of a ray that the camera casts.
func (s *Stage) Camera(r geom.Ray) accel.Departure {
	if s.View.Parallel() {
		return s.Free(r)
	}
	return accel.Departure{Ray: r, Object: accel.None, Eye: s.Eye}
}

// Free returns the departure of a ray from a viewer anywhere.
func (s *Stage) Free(r geom.Ray) accel.Departure {
	return accel.Departure{Ray: r, Object: accel.None, Eye: s.World.Enclosing(r.Origin)}
}

// Meet returns where a ray of a camera or a viewer ends. The probe, which may be nil, watches the
// walk through the tree.
func (s *Stage) Meet(d accel.Departure, p accel.Probe) Spot {
	return s.At(d, s.World.WalkNearest(d.Ray, p))
}

// At is [Stage.Meet] where it is known what the ray meets.
func (s *Stage) At(d accel.Departure, hit accel.Hit) Spot {
	q := Spot{Departure: d, Hit: hit, Normal: hit.Normal}
	if hit.Inside {
		q.Normal = q.Normal.Neg()
	}
	return q
}

// IsSolid reports whether the ray ends on a solid. The other methods want one that does.
func (q *Spot) IsSolid() bool { return q.Hit.Object != accel.None }

// Leave returns a ray from the spot.
func (q *Spot) Leave(dir geom.Vec3) accel.Departure {
	return accel.Departure{
		Ray:    geom.Ray{Origin: q.Hit.Point, Dir: dir},
		Object: q.Hit.Object,
		Inside: q.Hit.Inside,
		Eye:    q.Eye,
	}
}

// Material returns the surface at a spot.
func (s *Stage) Material(q *Spot) *shade.Material { return &s.Scene.Objects[q.Hit.Object].Material }

// Mirrors reports whether the surface at a spot sends a ray on: it is a mirror, and the scene
// allows another bounce.
func (s *Stage) Mirrors(q *Spot) bool {
	return s.Material(q).Mirror > 0 && q.Depth < s.Scene.Shading.Bounces
}

// Reflect returns where the ray ends into which a mirror at q sends the ray. The probe, which may be
// nil, watches the walk.
func (s *Stage) Reflect(q *Spot, p accel.Probe) Spot {
	d := q.Leave(shade.Reflect(q.Ray.Dir, q.Normal))
	next := s.At(d, s.World.WalkReflected(d, p))
	next.Depth = q.Depth + 1
	return next
}

// Background returns what a ray sees that meets nothing: black, and false, if that is
// transparent.
func (s *Stage) Background(dir geom.Vec3) (c shade.Color, seen bool) {
	b := &s.Scene.Image.Background
	switch {
	case b.Transparent:
		return shade.Color{}, false
	case b.Top == b.Bottom:
		return b.Top, true // mixing a colour with itself would round
	}
	// The conversion is not redundant: compilers turn a division by 2 into a product.
	return b.Bottom.Mix(b.Top, float64((1+dir.Dot(s.View.Up()))/2)), true
}
