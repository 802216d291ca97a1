package scene

import (
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shade"
)

// PlacedLight is a light in the scene's coordinates.
type PlacedLight struct {
	shade.Light
	Falloff shade.Falloff // of a spot light
}

// Share returns the share of the light's strength that is emitted toward a point, 0..1, given the unit
// direction from that point to the light. It is 1 except for spot lights.
func (l *PlacedLight) Share(toLight geom.Vec3) float64 {
	if !l.IsSpot() {
		return 1
	}
	return l.Falloff.At(-l.Direction.Dot(toLight))
}

// PlacedLights returns the lights of the scene for a view: those of the file or, if it has none, one
// point light at the camera's position. The color of that light is white minus the ambient light on
// surfaces that face horizontally.
func (s *Scene) PlacedLights(v *camera.View) []PlacedLight {
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
