package explain

import (
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/shade"
)

// Path is a ray and what it sees. Its fields do not describe how the ray traverses the tree; the documents
// and JSON of an [Explanation] do.
type Path struct {
	handle

	Ray   geom.Ray
	Depth int         // number of reflections before this ray
	Hit   *Hit        // the closest hit; nil if the ray sees the background
	Color shade.Color // what the ray sees, multiplied by Alpha; channels can exceed 1
	Alpha float64     // the opacity of Color: less than 1 only if the ray hits no solid and the background is transparent
	Seen  bool        // false if the ray hits nothing, not even a ghost, and the background is transparent
	Fog   *Fog        // the fog before the end of the ray; nil for a mirror ray, and if the scene has no fog there

	// Ghosts are the points before the end of the ray at which it enters ghosts, the nearest first: each is a ray that ends
	// there. Color is that at the end of the ray, Behind, seen through all of them.
	Ghosts []*Path
	Behind shade.Color
}

// Fog is the fog before the end of a ray.
type Fog struct {
	Depth float64     // of the end of the ray: its distance from the camera along the viewing direction; +Inf at the background
	Share float64     // of the fog's color in Path.Color, 0 to 1
	Clear shade.Color // the color without the fog
}

// Hit is where a ray meets a solid, with the light and the color there.
type Hit struct {
	Object int32     // the number of the solid
	T      float64   // the distance from the ray's origin
	Point  geom.Vec3 // on the surface, up to rounding
	Normal geom.Vec3 // outward, unit length
	Inside bool      // the ray comes from inside the solid
	Face   uint8     // 1 + the index of the section on whose cut face the point lies; 0 on the solid's own surface

	Material   shade.Material
	Albedo     shade.Color   // of the material or, on every other square, of its checker
	Lights     []LightSample // one for each light of the scene, or for the default light at the camera; none if colors are flat
	Irradiance shade.Color   // the ambient light and that of all lights that arrive
	Matte      shade.Color   // the light that the matte surface reflects: Albedo times Irradiance
	Mirror     *Path         // the mirror ray; nil if the material has no mirror or the limit of bounces is reached
}

// LightSample is what one light contributes at a hit.
type LightSample struct {
	Light    int       // the index of the light
	Dir      geom.Vec3 // toward the light, unit length; zero if the light is at the hit
	Distance float64   // solids closer than this block the light; +Inf for a directional light
	Cos      float64   // cosine of the angle between Dir and the normal that faces the ray

	// Share is the fraction of the light's strength that is emitted toward the hit: 1 except for spot lights; 0 if the
	// surface FacesAway.
	Share float64

	Visibility Visibility

	// Blocker is the number of a solid that blocks the light. It is set if Visibility is Blocked, Partly or
	// Enclosed; otherwise it is -1. If several solids block the light, Blocker is one of them.
	Blocker int32

	// T is the distance to Blocker along Dir. For a light with a size, it is instead measured toward the
	// first of the light's points that is hidden. If the hit is Enclosed, it is the distance to where the ray leaves
	// Blocker. It is 0 if Blocker is -1.
	T float64

	// Fraction is the visible fraction of the light, 0 or 1 for a light without a size. For a light with a
	// size, it is the weight of the visible points divided by the weight of all points. If no point had to
	// be tested, it is 0 or 1, too.
	Fraction float64

	Irradiance shade.Color // black unless the light is Visible or Partly blocked
}

// Visibility says whether the light of a light source arrives at a hit.
type Visibility string

// The visibilities.
const (
	Visible   Visibility = "arrives"          // the light arrives: no solid blocks it
	FacesAway Visibility = "faces away"       // the surface faces away from the light
	Outside   Visibility = "outside its cone" // the hit is outside the cone of a spot light
	Enclosed  Visibility = "enclosed"         // the hit is inside a solid and the light is outside
	Blocked   Visibility = "blocked"          // another solid blocks the light
	Partly    Visibility = "partly blocked"   // solids hide some points of a light with a size
)

// handle holds the traced path of package follow.
type handle = follow.Handle[follow.Path]

// traced returns the follow.Path inside.
func (p *Path) traced() *follow.Path { return follow.Of(p) }

// pathOf returns the public form of a traced path; nil for nil.
func pathOf(q *follow.Path) *Path {
	if q == nil {
		return nil
	}
	p := &Path{Ray: q.Ray, Depth: q.Depth, Color: q.Color, Alpha: q.Alpha, Seen: q.Alpha > 0}
	if f := q.Fog; f != nil {
		p.Fog = &Fog{f.Depth, f.Share, f.Clear}
	}
	p.Behind = q.Behind
	for _, g := range q.Ghosts {
		p.Ghosts = append(p.Ghosts, pathOf(g))
	}
	follow.Hold(p, q)
	if q.IsSolid() {
		p.Hit = hitOf(q)
	}
	return p
}

func hitOf(q *follow.Path) *Hit {
	h := &Hit{
		Object:     q.Hit.Object,
		T:          q.Hit.T,
		Point:      q.Hit.Point,
		Normal:     q.Hit.Normal,
		Inside:     q.Hit.Inside,
		Face:       q.Hit.Face,
		Material:   q.Material,
		Albedo:     q.Albedo,
		Irradiance: q.Irradiance,
		Matte:      q.Matte,
		Mirror:     pathOf(q.Mirror),
	}
	for i := range q.Lights {
		a := &q.Lights[i]
		h.Lights = append(h.Lights, LightSample{
			Light:      a.Index,
			Dir:        a.Dir,
			Distance:   a.Reach,
			Cos:        a.Cos,
			Share:      a.Share,
			Visibility: Visibility(a.Visibility.String()),
			Blocker:    a.Object,
			T:          a.T,
			Fraction:   a.Fraction,
			Irradiance: a.Irradiance,
		})
	}
	return h
}
