package follow

import (
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/sampler"
	"pillbox/scene"
	"pillbox/shade"
)

// Interaction is where a ray ends: on a solid, or at the background.
type Interaction struct {
	// SecondaryRay holds the ray. A ray from the camera leaves no solid: its Object is accel.None.
	accel.SecondaryRay
	At     sampler.Position // where the path starts in the picture; zero if it does not start at a pixel
	Depth  int              // number of reflections before this ray
	Hit    accel.Hit        // the closest hit; its Object is accel.None if the ray ends at the background or at a light
	Light  int              // 1 + the index of the visible light at which a reflected ray ends, or 0
	Normal geom.Vec3        // unit length, facing the ray's origin; undefined at the background
}

// CameraRay returns the camera ray r together with the list of solids that contain its origin.
func (s *Prepared) CameraRay(r geom.Ray) accel.SecondaryRay {
	if s.View.Parallel() {
		return s.ViewerRay(r)
	}
	return accel.SecondaryRay{Ray: r, Object: accel.None, Eye: s.Eye}
}

// ViewerRay returns the ray r, which may start anywhere, together with the list of solids that contain its origin.
func (s *Prepared) ViewerRay(r geom.Ray) accel.SecondaryRay {
	return accel.SecondaryRay{Ray: r, Object: accel.None, Eye: s.World.Enclosing(r.Origin)}
}

// PositionOf returns the position in the picture at which ray i of p starts. [camera.View.Packet] must have returned p.
// Its density is the number of samples per pixel in each direction: the antialiasing, or 1.
func PositionOf(p *geom.Packet, i int) sampler.Position {
	side := geom.ClampInt(p.Density, 1, scene.MaxAntialias)
	x, y := p.X0+i%p.NX, p.Y0+i/p.NX
	column, row := floorDiv(x, side), floorDiv(y, side)
	return sampler.Position{X: column, Y: row, Sample: (y-row*side)*side + x - column*side}
}

// floorDiv returns a/b rounded down, for a positive b.
func floorDiv(a, b int) int {
	if a < 0 {
		return -((b - 1 - a) / b)
	}
	return a / b
}

// Intersect returns where a ray from [Prepared.CameraRay] or [Prepared.ViewerRay] ends. The argument at is the position
// in the picture at which the ray starts, or zero if it does not start at a pixel. The probe, which may be nil,
// observes the traversal.
func (s *Prepared) Intersect(d accel.SecondaryRay, at sampler.Position, p accel.Probe) Interaction {
	return s.InteractionOf(d, at, s.World.TraverseNearest(d.Ray, p))
}

// InteractionOf returns where the ray d ends, like [Prepared.Intersect], if its closest hit is known already.
func (s *Prepared) InteractionOf(d accel.SecondaryRay, at sampler.Position, hit accel.Hit) Interaction {
	q := Interaction{SecondaryRay: d, At: at, Hit: hit, Normal: hit.Normal}
	if hit.Inside {
		q.Normal = q.Normal.Neg()
	}
	return q
}

// IsSolid reports whether the ray ends on a solid. All other methods of Interaction, and all methods of [Prepared] that
// take an interaction, may be called only if it does.
func (q *Interaction) IsSolid() bool { return q.Hit.Object != accel.None }

// SpawnRay returns a secondary ray from the interaction.
func (q *Interaction) SpawnRay(dir geom.Vec3) accel.SecondaryRay {
	return accel.SecondaryRay{
		Ray:    geom.Ray{Origin: q.Hit.Point, Dir: dir},
		Object: q.Hit.Object,
		Inside: q.Hit.Inside,
		Eye:    q.Eye,
	}
}

// material returns the material at an interaction.
func (s *Prepared) material(q *Interaction) *shade.Material {
	return s.Scene.Objects.Material(int(q.Hit.Object))
}

// Mirrors reports whether the surface at an interaction reflects the ray: it is a mirror, and the scene
// allows another bounce.
func (s *Prepared) Mirrors(q *Interaction) bool {
	return s.material(q).Mirror > 0 && q.Depth < s.Scene.Shading.Bounces
}

// Reflect follows the ray that the mirror at q reflects, and returns where this ray ends. The probe, which may be
// nil, observes the traversal.
func (s *Prepared) Reflect(q *Interaction, p accel.Probe) Interaction {
	d := q.SpawnRay(shade.Reflect(q.Ray.Dir, q.Normal))
	next := s.InteractionOf(d, q.At, s.World.TraverseReflected(d, p))
	next.Depth = q.Depth + 1
	s.addLight(&next)
	return next
}

// Ambient returns the ambient light on a surface with the unit normal n that faces the ray.
func (s *Prepared) Ambient(n geom.Vec3) shade.Color {
	return s.Scene.Shading.Ambient.Toward(n, s.View.Up())
}

// Albedo returns the albedo at a hit. This is the albedo of the material or, on every other square of a checkered
// face, the albedo of the checker. On the cut face of a section, it is the color of the section or, on a line of its hatch,
// the color of the hatch.
func (s *Prepared) Albedo(h *accel.Hit) shade.Color {
	m := s.Scene.Objects.Material(int(h.Object))
	if h.Face > 0 {
		return s.cutFace(m, h)
	}
	if m.Checker == nil {
		return m.Albedo
	}
	return s.checkered(m, h)
}

// cutFace returns the albedo of a hit on a cut face.
func (s *Prepared) cutFace(m *shade.Material, h *accel.Hit) shade.Color {
	i, _ := h.Section()
	x := &s.Scene.Sections[i]
	switch {
	case s.OnHatch(h):
		return x.Hatch.Color
	case x.HasColor:
		return x.Color
	}
	return m.Albedo
}

// OnHatch reports whether a hit lies on a line of the hatch of a section.
func (s *Prepared) OnHatch(h *accel.Hit) bool {
	i, ok := h.Section()
	return ok && s.Scene.Sections[i].Hatch.Enabled && s.hatches[i].Cover(h.Point)
}

// Pattern identifies the place of a hit in a pattern: the square of a checker, or the section and the line of its hatch.
// Different patterns have no places in common.
func (s *Prepared) Pattern(h *accel.Hit) shade.Cell {
	i, ok := h.Section()
	if !ok {
		cell, _ := s.Cell(h)
		return cell
	}
	place := shade.Cell{U: float64(i) + 0.5} // squares have whole numbers
	if s.Scene.Sections[i].Hatch.Enabled {
		place.V = s.hatches[i].At(h.Point)
	}
	return place
}

func (s *Prepared) checkered(m *shade.Material, h *accel.Hit) shade.Color {
	if cell, ok := s.Cell(h); ok && cell.IsOdd() {
		return m.Checker.Albedo
	}
	return m.Albedo
}

// Cell returns the square of a checkered face that a ray hits, and false if the solid is not a box or has
// no checker, or if the ray hits a cut face.
func (s *Prepared) Cell(h *accel.Hit) (cell shade.Cell, ok bool) {
	checker := s.Scene.Objects.Material(int(h.Object)).Checker
	if checker == nil || h.Face > 0 {
		return cell, false
	}
	kind, i := s.Scene.Of(int(h.Object))
	if kind != scene.KindBox {
		return cell, false
	}
	return checker.Cell(s.Scene.Boxes[i].OnFace(h.Point, h.Normal)), true
}

// Background returns the color of a ray that hits nothing. For a transparent background it is black, and
// seen is false.
func (s *Prepared) Background(dir geom.Vec3) (c shade.Color, seen bool) {
	b := &s.Scene.Image.Background
	if b.Transparent {
		return shade.Color{}, false
	}
	return b.Toward(dir, s.View.Up()), true
}
