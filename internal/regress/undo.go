package regress

import (
	"cmp"
	"slices"

	"pillbox/scene"
	"pillbox/shapes"
)

// undo returns the present scene with one cause taken back, so that there the scene is as it was
// accepted, and false if that makes no scene: the light at the camera, for one, cannot shine beside
// others. The copy shares what did not change with both scenes, and must not be modified.
func (d *differences) undo(accepted, present *scene.Scene, cause int) (*scene.Scene, bool) {
	s := *present
	switch d.causes[cause].Subject {
	case SubjectSolid, SubjectPlacement, SubjectPart, SubjectOrder:
		s.Detach()
		arrange(&s, d.undoSolids(solidsOf(accepted), solidsOf(present), cause))
	case SubjectLight:
		return d.undoLight(accepted, &s, cause)
	case SubjectCamera:
		s.Camera = accepted.Camera
		return &s, cause == d.camera && s.Camera != present.Camera
	case SubjectAntialias:
		s.Image.Antialias, s.Image.Adaptive = accepted.Image.Antialias, accepted.Image.Adaptive
	case SubjectBackground:
		s.Image.Background = accepted.Image.Background
	case SubjectAmbient:
		s.Shading.Ambient = accepted.Shading.Ambient
	case SubjectShadows:
		s.Shading.Shadows = accepted.Shading.Shadows
	case SubjectBounces:
		s.Shading.Bounces = accepted.Shading.Bounces
	default:
		return nil, false
	}
	return &s, true
}

// undoSolids returns the solids of the present scene, those of one cause as they were.
func (d *differences) undoSolids(accepted, present []solid, cause int) []solid {
	if cause == d.order {
		return d.reorder(present)
	}
	var lost []int // numbers of accepted solids, ascending
	gone := make([]bool, len(present))
	for _, p := range d.pairs {
		switch {
		case p.cause != cause:
		case p.accepted == none:
			gone[p.present] = true
		case p.present == none:
			lost = append(lost, p.accepted)
		case accepted[p.accepted].kind == present[p.present].kind:
			present[p.present] = accepted[p.accepted]
		default:
			gone[p.present] = true
			lost = append(lost, p.accepted)
		}
	}
	solids := make([]solid, 0, len(present)+len(lost))
	for i := range present {
		if !gone[i] {
			solids = append(solids, present[i])
		}
	}
	for _, i := range lost {
		solids = insertSolid(solids, accepted[i])
	}
	return solids
}

// insertSolid puts a solid where it was among those of its kind, or behind them if they are fewer.
func insertSolid(solids []solid, x solid) []solid {
	at, index := 0, 0
	for i := range solids {
		order := cmp.Compare(solids[i].kind, x.kind)
		if order > 0 || order == 0 && index == x.index {
			break
		}
		if order == 0 {
			index++
		}
		at = i + 1
	}
	return slices.Insert(solids, at, x)
}

// reorder returns the solids with those that did not move in the order in which they were.
func (d *differences) reorder(present []solid) []solid {
	var still []int // in the accepted order
	for _, p := range d.pairs {
		if !p.moved {
			still = append(still, p.present)
		}
	}
	ordered := slices.Clone(present)
	for k, place := range slices.Sorted(slices.Values(still)) {
		ordered[place] = present[still[k]]
	}
	return ordered
}

// arrange gives a scene the solids, which are ordered by kind.
func arrange(s *scene.Scene, solids []solid) {
	s.Spheres, s.Capsules, s.Boxes = nil, nil, nil
	objects := make([]scene.Object, 0, len(solids))
	for i := range solids {
		x := &solids[i]
		switch shape := x.shape.(type) {
		case shapes.Sphere:
			s.Spheres = append(s.Spheres, shape)
		case shapes.Capsule:
			s.Capsules = append(s.Capsules, shape)
		case shapes.Box:
			s.Boxes = append(s.Boxes, shape)
		}
		objects = append(objects, scene.Object{Name: x.name, Material: x.material})
	}
	s.Objects = scene.NewObjects(objects...)
}

// undoLight makes one light of s what it was.
func (d *differences) undoLight(accepted, s *scene.Scene, cause int) (*scene.Scene, bool) {
	i := slices.IndexFunc(d.lights, func(l lightPair) bool { return l.cause == cause })
	l := d.lights[i]
	if l.isImplied(accepted.Lights, s.Lights) {
		return nil, false
	}
	lights := slices.Clone(s.Lights)
	switch {
	case l.accepted == none:
		lights = slices.Delete(lights, l.present, l.present+1)
	case l.present == none:
		lights = slices.Insert(lights, min(l.accepted, len(lights)), accepted.Lights[l.accepted])
	default:
		lights[l.present] = accepted.Lights[l.accepted]
	}
	s.Lights = lights
	return s, true
}

// isImplied reports whether this is the light at the camera of a scene without others.
func (l *lightPair) isImplied(accepted, present []scene.Light) bool {
	return l.present == none && len(accepted) == 0 || l.accepted == none && len(present) == 0
}
