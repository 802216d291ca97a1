package scene

import (
	"math"
	"slices"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shade"
)

// framedFrom is the direction from the scene to its default camera.
func framedFrom() geom.Vec3 { return geom.Vec3{X: 1, Y: 0.6, Z: 1.4} }

// View returns the scene's camera prepared for a picture of width by height pixels. Without a camera,
// the scene is framed: the camera looks at it from the direction (1, 0.6, 1.4), at the distance at
// which the bounding sphere of all solids just fits into the picture. It returns an error if the camera
// is degenerate or the size is not positive.
func (s *Scene) View(width, height int) (*camera.View, error) {
	return s.CameraFor(width, height).View(width, height)
}

// CameraFor returns the scene's camera or, if it has none, the one that frames it in a picture of width by
// height pixels, see [Scene.View].
func (s *Scene) CameraFor(width, height int) camera.Camera {
	if s.Camera != nil {
		return *s.Camera
	}
	return s.frame(float64(width) / float64(height))
}

// frame returns a perspective camera with the default field of view for a picture with the
// given ratio of width to height.
func (s *Scene) frame(aspect float64) camera.Camera {
	center, radius := s.BoundingSphere()
	// A sphere fits between the two planes of the narrower field of view if its center lies
	// radius / sin(half angle) away.
	sin, cos := (camera.DefaultFOV / 2).SinCos()
	if aspect < 1 {
		tan := float64(sin/cos) * aspect
		sin = tan / math.Sqrt(1+float64(tan*tan))
	}
	direction, _ := geom.Direction(framedFrom())
	return camera.Camera{
		Projection: camera.Perspective,
		Position:   center.AddScaled(radius/sin, direction),
		LookAt:     center,
		Up:         camera.DefaultUp(),
		FOV:        camera.DefaultFOV,
	}
}

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

// LightsFrom returns the lights of the scene for a view: those of the file or, if it has none, one
// point light at the camera's position. The color of that light is white minus the ambient light on
// surfaces that face horizontally. touching returns the solids that contain a point, as
// [accel.BVH.Touching] does. Directional lights are outside all solids.
func (s *Scene) LightsFrom(v *camera.View, touching func(geom.Vec3) []int32) []PlacedLight {
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
		placed[i].Light = lights[i].From(v)
		if placed[i].IsSpot() {
			placed[i].Falloff = placed[i].Cone.Falloff()
		}
		if !placed[i].Directional {
			placed[i].Inside = touching(placed[i].Position)
		}
	}
	return placed
}

// From returns the light in the scene's coordinates. The view v decides where a light that is attached
// to the camera is.
func (l *Light) From(v *camera.View) shade.Light {
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
