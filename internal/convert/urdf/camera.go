package urdf

import (
	"math"
	"strconv"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/model"
	"pillbox/problem"
	"pillbox/scene"
)

// camera sets the scene's camera to the requested one. URDF has no cameras. But Gazebo's extension <gazebo
// reference="LINK"> contains sensors, described as in SDF: such a camera looks along its x axis, and its z axis is up.
//
// Source: the specification of SDF 1.10, "sensor" (sdformat.org).
func (r *reader) camera(root *markup.Element) error {
	if r.Camera == "" {
		return nil
	}
	var names []string
	for _, g := range root.Children {
		if g.Name != "gazebo" {
			continue
		}
		for _, s := range g.Children {
			if s.Name != "sensor" || s.Child("camera") == nil {
				continue
			}
			if names = append(names, s.Get("name")); s.Get("name") == r.Camera {
				return r.setCamera(g, s)
			}
		}
	}
	if r.Camera == model.FreeCamera {
		return nil
	}
	return model.UnknownCamera("robot", r.Camera, names)
}

// setCamera sets the scene's camera from a sensor that is mounted on a link.
func (r *reader) setCamera(gazebo, sensor *markup.Element) error {
	l := r.links[gazebo.Get("reference")]
	if l == nil {
		return gazebo.Wrong("reference", problem.CodeUnknownValue, "must be the name of a link")
	}
	lens := sensor.Child("camera")
	at := l.at
	for _, e := range []*markup.Element{sensor, lens} {
		pose, err := sdfPose(e.Child("pose"))
		if err != nil {
			return err
		}
		at = at.Then(pose)
	}
	wide, err := sdfNumbers(lens.Child("horizontal_fov"), 1.047)
	if err != nil {
		return err
	}
	if !(0 < wide[0] && wide[0] < math.Pi) {
		return lens.Child("horizontal_fov").Wrong("", problem.CodeOutOfRange, "must be greater than 0 and less than pi radians")
	}
	size := [2]float64{320, 240}
	if image := lens.Child("image"); image != nil {
		for i, name := range [...]string{"width", "height"} {
			x, err := sdfNumbers(image.Child(name), size[i])
			if err != nil {
				return err
			}
			if size[i] = x[0]; !(1 <= x[0] && x[0] <= scene.MaxSide) || x[0] != math.Trunc(x[0]) {
				return image.Child(name).Wrong("", problem.CodeOutOfRange, "must be a whole number, 1 to %d", scene.MaxSide)
			}
		}
		if size[0]*size[1] > scene.MaxPixels {
			return image.Wrong("", problem.CodeTooManyPixels, "must have at most %d pixels", scene.MaxPixels)
		}
	}
	_, radius := model.BoundingSphere(&r.scene.Part)
	axes := at.Rotation.Matrix()
	r.scene.Width, r.scene.Height = int(size[0]), int(size[1])
	r.scene.Camera = &camera.Camera{
		Position: at.Position,
		LookAt:   at.Position.AddScaled(max(radius, 1e-9), axes.X),
		Up:       axes.Z,
		FOV:      degrees(2 * math.Atan(math.Tan(wide[0]/2)*size[1]/size[0])),
	}
	return nil
}

// sdfPose reads a pose: a position, and angles in radians about the fixed axes x, y and z. Without an element it is the identity.
func sdfPose(e *markup.Element) (model.Pose, error) {
	if e == nil {
		return model.Pose{}, nil
	}
	if len(e.Attrs) > 0 {
		return model.Pose{}, e.Wrong(e.Attrs[0].Name.Local, problem.CodeUnknownValue, "must not be there: a pose is read relative to what contains it, in radians")
	}
	x, err := sdfNumbers(e, 0, 0, 0, 0, 0, 0)
	if err != nil {
		return model.Pose{}, err
	}
	return model.Pose{Position: geom.Vec3{X: x[0], Y: x[1], Z: x[2]}, Rotation: turned(geom.Vec3{X: x[3], Y: x[4], Z: x[5]})}, nil
}

// sdfNumbers parses the numbers in the text of an element, as many as there are defaults. Without an element it returns the defaults.
func sdfNumbers(e *markup.Element, defaults ...float64) ([]float64, error) {
	if e == nil {
		return defaults, nil
	}
	fields := strings.Fields(e.Text)
	if len(fields) != len(defaults) {
		return nil, e.Wrong("", problem.CodeWrongLength, "must contain %d numbers", len(defaults))
	}
	list := make([]float64, len(fields))
	for i, field := range fields {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(x) || !(math.Abs(x) <= geom.MaxCoordinate) {
			return nil, e.Wrong("", problem.CodeWrongType, "must contain finite numbers")
		}
		list[i] = x
	}
	return list, nil
}
