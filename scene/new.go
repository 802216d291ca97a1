package scene

import (
	"fmt"

	"pillbox/camera"
	"pillbox/geom"
)

// New returns a scene without solids, like that of an empty file: the size of the image, the background,
// ambient light, shadows and bounces have their defaults. Camera is nil, which means a camera that
// frames the solids, and Lights is empty, which means a light at the camera. Programs that create scenes
// start with New, because the zero Scene has no defaults.
//
// Put solids into Spheres, Capsules, Boxes and Cylinders, and an [Object] for each of them into Objects:
// see [NewObjects].
func New() *Scene {
	s, err := Decode("", nil)
	if err != nil {
		panic(fmt.Sprintf("scene: an empty file is not valid: %v", err))
	}
	s.Warnings = nil // the warning that it has no solids
	s.Detach()
	return s
}

// NewCamera returns a perspective camera with the defaults of a camera table: up is [camera.DefaultUp]
// and the field of view [camera.DefaultFOV]. For an orthographic camera, change Projection and
// ViewHeight.
func NewCamera(position, lookAt geom.Vec3) *camera.Camera {
	return &camera.Camera{
		Position: position, LookAt: lookAt,
		Up: camera.DefaultUp(), FOV: camera.DefaultFOV, ViewHeight: camera.DefaultViewHeight,
	}
}
