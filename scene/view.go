package scene

import (
	"math"

	"pillbox/camera"
	"pillbox/geom"
)

// framingDirection is the direction from the scene to its default camera.
func framingDirection() geom.Vec3 { return geom.Vec3{X: 1, Y: 0.6, Z: 1.4} }

// View returns the scene's camera prepared for a picture of width by height pixels. If the scene has no camera, View
// frames the scene: the camera looks from the direction (1, 0.6, 1.4), and the bounding sphere of all solids just fits
// into the picture. View returns an error if the camera is degenerate or the size is not positive.
func (s *Scene) View(width, height int) (*camera.View, error) {
	return s.CameraFor(width, height).View(width, height)
}

// CameraFor returns the scene's camera. If the scene has none, CameraFor returns a camera that frames the scene in a
// picture of width by height pixels, see [Scene.View].
func (s *Scene) CameraFor(width, height int) camera.Camera {
	if s.Camera != nil {
		return *s.Camera
	}
	return s.framingCamera(float64(width) / float64(height))
}

// framingCamera returns a perspective camera with the default field of view for a picture with the
// given ratio of width to height.
func (s *Scene) framingCamera(aspect float64) camera.Camera {
	center, radius := s.BoundingSphere()
	// A sphere fits between the two planes of the narrower field of view if its center lies
	// radius / sin(half angle) away.
	sin, cos := (camera.DefaultFOV / 2).SinCos()
	if aspect < 1 {
		tan := float64(sin/cos) * aspect
		sin = tan / math.Sqrt(1+float64(tan*tan))
	}
	direction, _ := geom.Direction(framingDirection())
	return camera.Camera{
		Projection: camera.Perspective,
		Position:   center.AddScaled(radius/sin, direction),
		LookAt:     center,
		Up:         camera.DefaultUp(),
		FOV:        camera.DefaultFOV,
	}
}
