package scene

import (
	"slices"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shade"
)

// PlacedLight is a light in the scene's coordinates, with the solids that contain it.
type PlacedLight struct {
	shade.Light
	Falloff shade.Falloff // of a spot light
	Inside  []int32       // object numbers of the solids that contain the light, inside or on their surface
}

// Share returns the share of the light's strength that is emitted toward a point, 0..1, given the unit
// direction from that point to the light. It is 1 except for spot lights.
func (l *PlacedLight) Share(toLight geom.Vec3) float64 {
	if !l.IsSpot() {
		return 1
	}
	return l.Falloff.At(-l.Direction.Dot(toLight))
}

// Enters reports whether the light is inside the solid or on its surface. Only such lights can reach
// the inner side of the solid's surface.
func (l *PlacedLight) Enters(object int32) bool { return slices.Contains(l.Inside, object) }

// PlacedLights returns the lights of the scene for a view: those of the file or, if it has none, one
// point light at the camera's position. The color of that light is white minus the ambient light on
// surfaces that face horizontally. touching returns the solids that contain a point, as
// [accel.BVH.Touching] does. Directional lights are outside all solids.
func (s *Scene) PlacedLights(v *camera.View, touching func(geom.Vec3) []int32) []PlacedLight {
	lights := s.Lights
	if len(lights) == 0 {
		lights = []Light{{Light: shade.Light{
			Position:  v.Position(),
			Color:     shade.White().Sub(s.Shading.Ambient.Level()),
			Intensity: 1,
		}}}
	}
	placed := make([]PlacedLight, len(lights))
	for i := range lights {
		placed[i].Light = lights[i].InScene(v)
		if placed[i].IsSpot() {
			placed[i].Falloff = placed[i].Cone.Falloff()
		}
		if !placed[i].Directional {
			placed[i].Inside = touching(placed[i].Position)
		}
	}
	return placed
}

// InScene returns the light in the scene's coordinates. The view v decides where a light that is attached
// to the camera is.
func (l *Light) InScene(v *camera.View) shade.Light {
	placed := l.Light
	if !l.Attached {
		return placed
	}
	axes := v.Axes()
	if l.Directional || l.IsSpot() {
		placed.Direction = axes.MulVec(l.Direction).Unit()
	}
	if !l.Directional {
		placed.Position = v.Position().Add(axes.MulVec(l.Position))
	}
	return placed
}
