package mjcf

import (
	"fmt"
	"math"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/convert/markup"
	"pillbox/internal/convert/model"
	"pillbox/problem"
	"pillbox/scene"
)

// headlight is the light attached to the viewer.
type headlight struct {
	ambient, diffuse rgb
	active           bool
}

func defaultHeadlight() headlight {
	return headlight{ambient: rgb{0.1, 0.1, 0.1}, diffuse: rgb{0.4, 0.4, 0.4}, active: true}
}

// visual reads the headlight and the initial direction of the view.
func (r *reader) visual(section *markup.Element) error {
	if e := section.Child("headlight"); e != nil {
		for attr, into := range map[string]*rgb{"ambient": &r.head.ambient, "diffuse": &r.head.diffuse} {
			x, err := e.Floats(attr, 3, 3)
			if err != nil {
				return err
			}
			copy(into[:], x)
		}
		if active, ok := e.Attr("active"); ok {
			r.head.active = active != "0" && active != "false"
		}
	}
	e := section.Child("global")
	if e == nil {
		return nil
	}
	_, turned := e.Attr("azimuth")
	_, tilted := e.Attr("elevation")
	if !turned && !tilted {
		return nil
	}
	azimuth, err := e.Float("azimuth", 90)
	if err != nil {
		return err
	}
	elevation, err := e.Float("elevation", -45)
	if err != nil {
		return err
	}
	sinA, cosA := geom.Angle(azimuth).SinCos()
	sinE, cosE := geom.Angle(elevation).SinCos()
	r.scene.From = geom.Vec3{X: -float64(cosE * cosA), Y: -float64(cosE * sinA), Z: -sinE} // azimuth and elevation describe the direction in which the camera looks
	return nil
}

// lamp is a light of the file.
type lamp struct {
	*fixed
	directional bool
	cone, edge  float64   // in degrees; 0: the light shines in all directions
	direction   geom.Vec3 // in the body; ignored if the light is aimed at a body
	radius      float64   // of the bulb
	color       rgb
	ambient     rgb
	name        string
}

// fixed holds what lights and cameras have in common: a pose in a body, and one of MuJoCo's modes. The mode determines
// whether the light or camera moves with this body or is aimed at another body.
type fixed struct {
	element *markup.Element
	body    *body
	at      model.Pose // pose in the body
	mode    string
	target  string
}

// fixed reads the pose and the mode of a light or a camera.
func (r *reader) fixed(t tag, in context) (*fixed, error) {
	f := &fixed{element: t.Element, body: in.body}
	var err error
	if f.at, err = r.stand(t, in); err != nil {
		return nil, err
	}
	if f.mode, err = t.word("mode", "fixed", "track", "trackcom", "targetbody", "targetbodycom"); err != nil {
		return nil, err
	}
	f.target = t.get("target")
	return f, nil
}

// standing returns the pose of a light or camera in the world. If it is aimed at a body, target is that body's
// position; otherwise, target is nil. Some modes refer to centers of mass; standing uses the origins of the bodies'
// frames instead.
func (r *reader) standing(f *fixed) (at model.Pose, target *geom.Vec3, err error) {
	at = f.body.now.Then(f.at)
	switch {
	case strings.HasPrefix(f.mode, "track"):
		was := f.body.reference.Then(f.at)
		moved := f.body.now.Position.Sub(f.body.reference.Position)
		return model.Pose{Position: was.Position.Add(moved), Rotation: was.Rotation}, nil, nil
	case strings.HasPrefix(f.mode, "target") && f.target != "":
		b := r.named[f.target]
		if b == nil {
			unknown := f.element.Wrong("target", problem.CodeUnknownValue, "must be the name of a body")
			unknown.Value = fmt.Sprintf("%q", f.target)
			return at, nil, unknown
		}
		return at, &b.now.Position, nil
	}
	return at, nil, nil
}

func (r *reader) light(t tag, in context) error {
	active, err := t.is("active", on)
	if err != nil || !active {
		return err
	}
	f, err := r.fixed(t, in)
	if err != nil {
		return err
	}
	l := lamp{fixed: f, color: rgb{0.7, 0.7, 0.7}, name: in.label(t.Element)}
	if err := t.numbers("diffuse", 3, l.color[:]); err != nil {
		return err
	}
	if err := t.numbers("ambient", 3, l.ambient[:]); err != nil {
		return err
	}
	if l.directional, err = t.is("directional", off); err != nil {
		return err
	}
	kind := "spot"
	if t.with("type") != nil {
		if kind, err = t.word("type", "spot", "directional", "point", "image"); err != nil {
			return err
		}
		if kind == "image" {
			r.scene.Account.Skip("light from an image", t.Where())
			return nil
		}
		l.directional = kind == "directional"
	}
	if !l.directional && kind == "spot" {
		if err := l.spot(t); err != nil {
			return err
		}
	}
	if l.radius, err = t.float("bulbradius", 0); err != nil {
		return err
	}
	if !(0 <= l.radius && l.radius <= geom.MaxSize) {
		return t.source("bulbradius").Wrong("bulbradius", problem.CodeOutOfRange, "must be 0 or more, and at most 1e15")
	}
	if l.direction, err = t.vector("dir", geom.Vec3{Z: -1}); err != nil {
		return err
	}
	turn := in.frame.Rotation
	if r.compiler.global {
		turn = in.body.reference.Rotation.Inverse()
	}
	if _, ok := geom.Direction(l.direction); !ok {
		return t.source("dir").Wrong("dir", problem.CodeZeroVector, "must not be zero")
	}
	l.direction = turn.Rotate(l.direction)
	l.at.Rotation = model.Quaternion{} // its direction contains the rotation
	r.lamps = append(r.lamps, l)
	return nil
}

// spot reads the cone of a spot light. MuJoCo's cutoff is the angle between the axis and the border, always in degrees.
// Beyond 90 degrees, the light shines in all directions, as in OpenGL.
func (l *lamp) spot(t tag) error {
	cutoff, err := t.float("cutoff", 45)
	if err != nil {
		return err
	}
	exponent, err := t.float("exponent", 10)
	if err != nil {
		return err
	}
	switch {
	case !(cutoff > 0):
		return t.source("cutoff").Wrong("cutoff", problem.CodeOutOfRange, "must be positive")
	case !(exponent >= 0):
		return t.source("exponent").Wrong("exponent", problem.CodeOutOfRange, "must be 0 or more")
	case cutoff <= 90:
		l.cone, l.edge = coneOf(cutoff, exponent)
	}
	return nil
}

// coneOf returns the angle and the soft edge, in degrees, of a cone for a spot light of OpenGL. At an angle with the cosine
// c from the axis, the strength of OpenGL's light is c^exponent up to the cutoff. The cone contains as much light: the
// integrals of both strengths over c are equal. The cone ends at the cutoff. Only if the edge would then extend beyond the
// axis, the cone is narrower, and the edge begins at the axis.
func coneOf(cutoff, exponent float64) (cone, edge float64) {
	_, outer := geom.Angle(cutoff).SinCos()
	light := (1 - math.Pow(outer, exponent+1)) / (exponent + 1)
	inner := 2*(1-light) - outer // an edge contains half of its width
	if inner > 1 {
		outer, inner = 1-2*light, 1
	}
	half := math.Acos(outer) * (180 / math.Pi)
	cone = max(math.Round(200*half)/100, scene.MinCone)
	edge = math.Round(100*(half-math.Acos(min(inner, 1))*(180/math.Pi))) / 100
	return cone, max(0, min(edge, cone/2))
}

// mostLight is the largest sum of the intensities of all lights and of the ambient light. It is somewhat more than white,
// which is 1, because almost no surface faces all lights.
const mostLight = 1.4

// mostLights is the largest number of lights, as in MuJoCo's viewer, which uses OpenGL.
const mostLights = 8

// lights adds the lights to the parts of their bodies, and lights that follow a body to the scene. It dims all of them
// if the sum of their intensities is too large.
func (r *reader) lights() error {
	var ambient rgb
	brightest := 0.0
	type placed struct {
		part  *model.Part
		light model.Light
	}
	var all []placed
	add := func(p *model.Part, l model.Light, color rgb) {
		if l.Intensity = max(color[0], color[1], color[2]); !(l.Intensity > 0) {
			return
		}
		if l.Color = model.RGB(color[0]/l.Intensity, color[1]/l.Intensity, color[2]/l.Intensity); l.Color == "#ffffff" {
			l.Color = ""
		}
		brightest += l.Intensity
		all = append(all, placed{p, l})
	}
	if r.head.active {
		ambient = r.head.ambient
		add(&r.scene.Part, model.Light{Name: "headlight", Attached: true}, r.head.diffuse)
	}
	for _, lamp := range r.lamps {
		if len(all) == mostLights {
			r.scene.Account.Skip("light", lamp.element.Where())
			continue
		}
		at, target, err := r.standing(lamp.fixed)
		if err != nil {
			if err := r.tolerate(err); err != nil {
				return err
			}
			continue
		}
		part, direction := &r.scene.Part, lamp.direction
		switch {
		case target != nil:
			direction = target.Sub(at.Position)
		case strings.HasPrefix(lamp.mode, "track"):
			direction = lamp.body.reference.Rotation.Rotate(direction)
		default: // the light moves with its body
			part, at.Position = lamp.body.part, lamp.at.Position
		}
		l := model.Light{Name: lamp.name, Directional: lamp.directional, Vector: at.Position}
		if lamp.directional {
			unit, ok := geom.Direction(direction)
			if !ok {
				continue // the light is at the point at which it is aimed
			}
			l.Vector = unit
		} else if lamp.cone > 0 {
			if _, ok := geom.Direction(direction); !ok {
				continue
			}
			l.Beam = &model.Beam{Direction: direction, Cone: lamp.cone, Edge: lamp.edge}
		}
		if !lamp.directional {
			l.Radius = lamp.radius
		}
		for i := range ambient {
			ambient[i] += lamp.ambient[i]
		}
		add(part, l, lamp.color)
	}
	dimmed := 1.0
	if most := mostLight - min(1, max(ambient[0], ambient[1], ambient[2])); brightest > most {
		dimmed = most / brightest
	}
	for _, p := range all {
		p.light.Intensity *= dimmed
		p.part.Lights = append(p.part.Lights, p.light)
	}
	r.scene.Ambient = &model.Gradient{Top: model.Linear(ambient[0], ambient[1], ambient[2])}
	r.scene.Ambient.Bottom = r.scene.Ambient.Top
	return nil
}

// viewpoint is a camera of the file.
type viewpoint struct {
	*fixed
	name          string
	attached      bool          // it is in an attached model
	lens          camera.Camera // projection, field of view and height
	width, height int
}

// outside reports whether the camera probably shows the model from outside. This is so if the camera is in the
// model's own file and is not fixed to a body that joints move.
func (v *viewpoint) outside() bool {
	for b := v.body; b != nil && v.mode == "fixed"; b = b.parent {
		if len(b.joints) > 0 {
			return false
		}
	}
	return !v.attached
}

func (r *reader) viewpoint(t tag, in context) error {
	f, err := r.fixed(t, in)
	if err != nil {
		return err
	}
	v := viewpoint{fixed: f, name: in.label(t.Element), attached: in.attached != nil}
	projection, err := t.word("projection", "perspective", "orthographic")
	if err != nil {
		return err
	}
	flat, err := t.is("orthographic", projection == "orthographic")
	if err != nil {
		return err
	}
	fovy, err := t.float("fovy", 45)
	if err != nil {
		return err
	}
	switch {
	case flat && !geom.IsSize(fovy) || !flat && !(0 < fovy && fovy < 180):
		return t.source("fovy").Wrong("fovy", problem.CodeOutOfRange, "must be positive and, in perspective, less than 180")
	case flat:
		v.lens = camera.Camera{Projection: camera.Orthographic, ViewHeight: fovy}
	default:
		v.lens = camera.Camera{FOV: geom.Angle(fovy)}
	}
	if err := v.sensor(t); err != nil {
		return err
	}
	r.cameras = append(r.cameras, v)
	return nil
}

// sensor reads the size of the picture, and the field of view if it is given by a sensor and a focal length.
func (v *viewpoint) sensor(t tag) error {
	resolution, size, focal, pixels := [2]float64{1, 1}, [2]float64{}, [2]float64{}, [2]float64{}
	for attr, into := range map[string][]float64{"resolution": resolution[:], "sensorsize": size[:], "focal": focal[:], "focalpixel": pixels[:]} {
		if err := t.numbers(attr, 2, into); err != nil {
			return err
		}
	}
	fits := func(n float64) bool { return 1 < n && n <= scene.MaxSide }
	if fits(resolution[0]) && fits(resolution[1]) && resolution[0]*resolution[1] <= scene.MaxPixels {
		v.width, v.height = int(resolution[0]), int(resolution[1])
	}
	height, length := size[1], focal[1]
	if pixels[1] > 0 {
		height, length = resolution[1], pixels[1]
	}
	if v.lens.Projection == camera.Perspective && height > 0 && length > 0 && size[1] > 0 {
		v.lens.FOV = degrees(2 * math.Atan(height/2/length))
	}
	return nil
}

// camera sets the requested camera. By default it is the first that shows the model from outside: one in the model's own
// file that is not fixed to a moving body. For [model.FreeCamera], writing the scene adds one that shows all solids, unless
// the model has a camera of this name.
func (r *reader) camera() error {
	free := r.Camera == model.FreeCamera
	var names []string
	for _, v := range r.cameras {
		if v.name == r.Camera && v.name != "" {
			return r.setCamera(v)
		}
		if r.Camera == "" && v.outside() {
			return r.tolerate(r.setCamera(v)) // without it, writing the scene adds a camera
		}
		names = append(names, v.name)
	}
	if r.Camera == "" || free {
		return nil
	}
	return model.UnknownCamera("model", r.Camera, names)
}

// upright returns the up direction for a camera aimed at a target, as in MuJoCo's mj_camlight. It is the z axis. If the
// camera looks along z, it is the y axis (looking down) or its opposite (looking up).
func upright(target, from geom.Vec3) geom.Vec3 {
	up := geom.Vec3{Z: 1}
	if back := from.Sub(target); back.Cross(up) == (geom.Vec3{}) {
		return geom.Vec3{Y: math.Copysign(1, back.Z)}
	}
	return up
}

// setCamera sets the scene's camera to v. In MJCF a camera looks along its -z axis, and y is up.
func (r *reader) setCamera(v viewpoint) error {
	at, target, err := r.standing(v.fixed)
	if err != nil {
		return err
	}
	axes := at.Rotation.Matrix()
	c := v.lens
	c.Position, c.Up = at.Position, axes.Y
	_, radius := model.BoundingSphere(&r.scene.Part)
	c.LookAt = at.Position.AddScaled(-max(radius, 1e-9), axes.Z)
	if target != nil {
		c.LookAt, c.Up = *target, upright(*target, at.Position)
	}
	r.scene.Camera = &c
	r.scene.Width, r.scene.Height = v.width, v.height
	return nil
}
