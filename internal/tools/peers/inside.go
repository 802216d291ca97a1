package peers

import (
	"slices"

	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// Cut returns the scene with a section through its middle that takes away the half toward the camera.
func (s *Scene) Cut() *Scene {
	t := *s
	t.Sections = []scene.Section{{Normal: geom.Vec3{Z: 1}}}
	return &t
}

// Deleted returns the scene without the solids that the section of [Scene.Cut] removes. The others are whole.
func (s *Scene) Deleted() *Scene {
	removed := make([]bool, s.Objects.Len())
	for _, c := range s.Cut().Cuts(false) {
		removed[c.Object] = len(c.By) == 0
	}
	t := *s
	t.Spheres = kept(s.Spheres, removed[s.Number(scene.KindSphere, 0):])
	t.Capsules = kept(s.Capsules, removed[s.Number(scene.KindCapsule, 0):])
	t.Boxes = kept(s.Boxes, removed[s.Number(scene.KindBox, 0):])
	t.Turns = kept(s.Turns, removed[s.Number(scene.KindBox, 0):])
	t.Cylinders = kept(s.Cylinders, removed[s.Number(scene.KindCylinder, 0):])
	return t.painted(kept(s.looks, removed))
}

// kept returns the elements of a list that are not removed. The lists may have different lengths.
func kept[T any](list []T, removed []bool) (rest []T) {
	for i, x := range list {
		if !removed[i] {
			rest = append(rest, x)
		}
	}
	return rest
}

// ghostShare is the share of ghosts in the color of a ray.
const ghostShare = 0.35

// Ghosts returns the scene with all solids as ghosts. Each color has a hull of its own, or there is only one hull of white
// solids.
func (s *Scene) Ghosts(one bool) *Scene {
	looks := slices.Clone(s.looks)
	for i := range looks {
		looks[i].ghost = ghostShare
		if one {
			looks[i].color = [3]uint8{255, 255, 255}
		}
	}
	t := *s
	return t.painted(looks)
}

// Foggy returns the scene in fog.
func (s *Scene) Foggy() *Scene {
	t := *s
	t.Fog = &scene.Fog{Near: scene.FogDepth{Auto: true}, Far: scene.FogDepth{Auto: true}, Color: shade.White(), Strength: 1}
	return &t
}

// painted sets the materials of all solids and returns the scene.
func (s *Scene) painted(looks []look) *Scene {
	s.looks = looks
	hulls := make(map[look]int64)
	objects := make([]scene.Object, 0, len(looks))
	for _, l := range looks {
		m := shade.Material{Albedo: shade.FromSRGB8(l.color[0], l.color[1], l.color[2]), Mirror: l.mirror}
		if l.ghost > 0 {
			if hulls[l] == 0 {
				hulls[l] = int64(len(hulls)) + 1
			}
			m.Ghost = &shade.Ghost{Share: l.ghost, Hull: hulls[l]}
		}
		objects = append(objects, scene.Object{Material: m})
	}
	s.Objects = scene.NewObjects(objects...)
	return s
}
