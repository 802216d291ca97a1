package scene

import (
	"slices"

	"pillbox/geom"
)

// namedView is a direction of view with a name, in a world in which y points up.
type namedView struct {
	name          string
	direction, up geom.Vec3
}

// namedViews returns the views along the axes of the world, and the one from the front, right and top.
func namedViews() []namedView {
	x, y, z := geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1}
	return []namedView{
		{"front", z.Neg(), y}, {"back", z, y}, {"left", x, y}, {"right", x.Neg(), y}, {"top", y.Neg(), z.Neg()}, {"bottom", y, z},
		{"iso", geom.Vec3{X: -1, Y: -1, Z: -1}, y},
	}
}

// axisViews returns the directions of the axes of the world by their names.
func axisViews() map[string]geom.Vec3 {
	return map[string]geom.Vec3{"x": {X: 1}, "-x": {X: -1}, "y": {Y: 1}, "-y": {Y: -1}, "z": {Z: 1}, "-z": {Z: -1}}
}

// ViewNames returns the names of the views of [Scene.From]. The caller owns the slice.
func ViewNames() []string {
	names := []string{"front", "back", "left", "right", "top", "bottom", "iso"}
	return append(names, "x", "-x", "y", "-y", "z", "-z")
}

// From returns a copy of s with a camera that shows all solids of s from a side, and false if no view has this name. The
// camera keeps the projection, the field of view and, if it frames the solids already, the margin and the solids to show.
// Tracks of the camera have no effect any more.
//
// The view from the front looks along -z. In it, x points right and y up. The views from the back, left, right, top and
// bottom look at the other sides, and iso from the front, right and top. In a world in which z points up, the view from
// the front looks along y. The views x, -x and so on look along an axis of the world.
func (s *Scene) From(view string) (*Scene, bool) {
	all := namedViews()
	if s.ZUp {
		for i := range all {
			all[i].direction, all[i].up = zUp(all[i].direction), zUp(all[i].up)
		}
	}
	i := slices.IndexFunc(all, func(v namedView) bool { return v.name == view })
	if along, ok := axisViews()[view]; ok {
		i = slices.IndexFunc(all, func(v namedView) bool { return v.direction == along })
	}
	if i < 0 {
		return nil, false
	}
	f := s.framing()
	if s.Camera != nil {
		f = DefaultFraming()
		f.Camera.Projection, f.Camera.FOV = s.Camera.Projection, s.Camera.FOV
	}
	f.Direction, f.Camera.Up = all[i].direction, all[i].up
	seen := *s
	seen.Camera, seen.Framing = nil, &f
	seen.dropCameraTracks()
	return &seen, true
}

// zUp returns a vector of a world in which y points up, in one in which z does.
func zUp(v geom.Vec3) geom.Vec3 { return geom.Vec3{X: v.X, Y: 0 - v.Z, Z: v.Y} }

// dropCameraTracks removes the tracks that change the camera.
func (s *Scene) dropCameraTracks() {
	if s.motion == nil {
		return
	}
	m := *s.motion
	m.tracks = slices.DeleteFunc(slices.Clone(m.tracks), func(tr *track) bool { return tr.target.element.table == "camera" })
	s.motion, s.film = nil, nil
	if len(m.tracks) > 0 {
		m.plan(s.root)
		s.motion = &m
		s.film = &film{scene: s}
	}
}
