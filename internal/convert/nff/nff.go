// Package nff reads the Neutral File Format of the Standard Procedural Databases: a viewpoint, lights,
// surfaces, spheres, cones and polygons.
//
// A file is a sequence of words separated by white space. An entity is a keyword and its numbers, which may
// be spread over any number of lines. A word that begins with # starts a comment, to the end of its line.
//
// Six successive rectangles of one surface that are the faces of a box become that box. Any other rectangle becomes a
// thin box, whose front face is the rectangle, unless it is too small or too narrow. A cylinder with spheres of the same
// radius and surface at both ends becomes a capsule. On request, cones become solids that contain them. All other
// polygons are skipped.
//
// Colors are display colors. The diffuse and specular parts of a surface become color and mirror; if their
// sum exceeds 1, the mirror is kept and the diffuse part reduced.
//
// Source: Haines, "A Proposal for Standard Graphics Environments", IEEE Computer Graphics and Applications
// 7(11), 1987, and the description of the format that comes with the databases.
package nff

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/internal/convert/mesh"
	"pillbox/internal/convert/model"
	"pillbox/problem"
	"pillbox/scene"
)

// Options choose what is converted.
type Options struct {
	Approximate bool // convert cones to solids that contain them
}

// Limits of a file.
const (
	MaxSolids   = 10_000_000
	maxCorners  = 10_000 // of a polygon
	maxSurfaces = 100_000
)

// Read reads a file. The error is a [*problem.Error], with a position if it concerns a place in the file, or an error of
// src.Text.
func Read(src model.Source, opt Options) (*model.Scene, error) {
	r := &reader{
		Options:  opt,
		Reader:   lines.New(src.Name, src.Text),
		scene:    &model.Scene{Source: src.Name + ", in the Neutral File Format", Ambient: &model.Gradient{Top: "#000000", Bottom: "#000000"}},
		surfaces: make(map[model.Material]string),
	}
	for {
		keyword, err := r.next()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.entity(keyword)
		}
		if err != nil {
			return nil, err
		}
	}
	r.flush()
	joinCapsules(&r.scene.Part)
	if len(r.scene.Lights) == 0 {
		r.scene.Ambient = nil // the default light of a scene
	}
	// In the format, n lights each have the brightness 1/sqrt(n).
	for i := range r.scene.Lights {
		r.scene.Lights[i].Intensity /= math.Sqrt(float64(len(r.scene.Lights)))
	}
	return r.scene, nil
}

type reader struct {
	Options
	*lines.Reader
	scene    *model.Scene
	rest     []byte // the unread rest of the current line
	surface  string // the current material
	surfaces map[model.Material]string
	pending  []rectangle // possible faces of a box
}

// peek returns the next word without advancing, so the next call of peek or next returns it again. After the last word
// it returns io.EOF. The word is valid until the next call of next or peek.
func (r *reader) peek() ([]byte, error) {
	for {
		r.rest = bytes.TrimLeft(r.rest, space)
		if len(r.rest) > 0 && r.rest[0] != '#' {
			break
		}
		if err := r.Next(); err != nil {
			r.rest = nil
			return nil, err
		}
		r.rest = r.Text
	}
	end := bytes.IndexAny(r.rest, space)
	if end < 0 {
		end = len(r.rest)
	}
	return r.rest[:end], nil
}

// space contains the characters that separate words within a line.
const space = " \t\v\f\r"

// next returns the next word and advances past it.
func (r *reader) next() ([]byte, error) {
	word, err := r.peek()
	r.rest = r.rest[len(word):]
	return word, err
}

// The method want returns the next word and advances past it. If the file has ended, it returns an error that contains
// what, a description of the word.
func (r *reader) want(what string) ([]byte, error) {
	word, err := r.next()
	if err == io.EOF {
		err = r.Wrong(nil, problem.CodeMissingKey, "the file ends before "+what)
	}
	return word, err
}

// entity reads the data after a keyword.
func (r *reader) entity(keyword []byte) error {
	switch string(keyword) {
	case "v":
		return r.viewpoint()
	case "b":
		place := r.Where()
		v, err := r.vector("background")
		color := r.color("background color", v, place)
		r.scene.Background = &model.Gradient{Top: color, Bottom: color}
		return err
	case "l":
		return r.light()
	case "f":
		return r.fill()
	case "s":
		return r.sphere()
	case "c":
		return r.cone()
	case "p":
		return r.polygon(3)
	case "pp":
		return r.polygon(6)
	default:
		return r.Wrong(keyword, problem.CodeUnknownValue, "must be v, b, l, f, s, c, p or pp")
	}
}

// readNumber reads a number within the limits of a coordinate. It returns an error if the next word is not such a number.
func (r *reader) readNumber(name string) (float64, error) {
	word, err := r.want(name)
	if err != nil {
		return 0, err
	}
	return r.Coordinate(name, word)
}

// numbers reads a number for each name.
func (r *reader) numbers(names ...string) ([]float64, error) {
	list := make([]float64, len(names))
	for i, name := range names {
		x, err := r.readNumber(name)
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	return list, nil
}

// hasNumber reports whether the next word is a number.
func (r *reader) hasNumber() bool {
	word, err := r.peek()
	if err != nil {
		return false // the next read returns the error
	}
	_, _, problem := lines.ParseNumber(word)
	return problem == ""
}

// vector reads three numbers.
func (r *reader) vector(name string) (geom.Vec3, error) {
	n, err := r.numbers(name+".x", name+".y", name+".z")
	if err != nil {
		return geom.Vec3{}, err
	}
	return geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, nil
}

// viewpoint reads the camera, whose keys have a fixed order. It ignores the near plane, hither: solids in front of this
// plane are visible, too.
func (r *reader) viewpoint() error {
	var c camera.Camera
	for _, key := range [...]string{"from", "at", "up", "angle", "hither", "resolution"} {
		word, err := r.want(key)
		if err != nil {
			return err
		}
		if string(word) != key {
			return r.Wrong(word, problem.CodeUnknownKey, "must be "+key)
		}
		switch key {
		case "from":
			c.Position, err = r.vector(key)
		case "at":
			c.LookAt, err = r.vector(key)
		case "up":
			c.Up, err = r.vector(key)
		case "angle":
			c.FOV, err = r.angle()
		case "hither":
			_, err = r.readNumber(key)
		case "resolution":
			err = r.resolution()
		}
		if err != nil {
			return err
		}
	}
	r.scene.Camera, r.scene.Up = &c, c.Up
	return nil
}

// angle reads the field of view.
func (r *reader) angle() (geom.Angle, error) {
	word, err := r.want("angle")
	if err != nil {
		return 0, err
	}
	degrees, err := r.Coordinate("angle", word)
	if err == nil && !(0 < degrees && degrees < 180) {
		err = r.Wrong(word, problem.CodeOutOfRange, "angle: must be between 0 and 180 degrees")
	}
	return geom.Angle(degrees), err
}

// resolution reads the size of the picture.
func (r *reader) resolution() error {
	for _, side := range [...]*int{&r.scene.Width, &r.scene.Height} {
		word, err := r.want("resolution")
		if err != nil {
			return err
		}
		if *side, err = r.Integer("resolution", word, 1, scene.MaxSide); err != nil {
			return err
		}
		if r.scene.Width*r.scene.Height > scene.MaxPixels {
			return r.Wrong(word, problem.CodeTooManyPixels, fmt.Sprintf("resolution: width times height must be at most %d", scene.MaxPixels))
		}
	}
	return nil
}

// color returns a color. If channels outside 0 to 1 are clamped, it adds a note.
func (r *reader) color(noun string, v geom.Vec3, place problem.Error) model.Color {
	for _, x := range [...]float64{v.X, v.Y, v.Z} {
		if !(0 <= x && x <= 1) {
			r.scene.Account.Note(noun, "clamped to 0 to 1", place)
			break
		}
	}
	return model.RGB(v.X, v.Y, v.Z)
}

// light reads a light: its position and an optional color.
func (r *reader) light() error {
	at, err := r.vector("light")
	if err != nil {
		return err
	}
	l := model.Light{Vector: at, Intensity: 1}
	if r.hasNumber() {
		place := r.Where()
		c, err := r.vector("color")
		if err != nil {
			return err
		}
		l.Intensity = max(c.X, c.Y, c.Z)
		if !(l.Intensity > 0) {
			return nil // a black light adds nothing
		}
		c = c.Scale(1 / l.Intensity)
		l.Color = r.color("light color", c, place)
	}
	if len(r.scene.Lights) >= maxSurfaces {
		return r.Wrong(nil, problem.CodeTooLarge, "there are too many lights")
	}
	r.scene.Lights = append(r.scene.Lights, l)
	return nil
}

// fill reads the surface of the following solids: red, green, blue, Kd and Ks, and optionally shine, T
// (transmittance) and index of refraction.
func (r *reader) fill() error {
	place := r.Where()
	n, err := r.numbers("red", "green", "blue", "Kd", "Ks")
	if err != nil {
		return err
	}
	for _, name := range [...]string{"shine", "T", "index of refraction"} {
		if !r.hasNumber() {
			break
		}
		x, err := r.readNumber(name)
		if err != nil {
			return err
		}
		if name == "T" && x > 0 {
			r.scene.Account.Note("transparent surface", "shown opaque", place)
		}
	}
	base := geom.Vec3{X: n[0], Y: n[1], Z: n[2]}
	r.color("surface color", base, place)
	mirror := min(max(n[4], 0), 1)
	diffuse := 0.0
	if mirror < 1 {
		diffuse = min(max(n[3], 0)/(1-mirror), 1)
	}
	m := model.Material{Color: model.RGB(n[0]*diffuse, n[1]*diffuse, n[2]*diffuse), Mirror: mirror}
	name, known := r.surfaces[m]
	if !known {
		if len(r.surfaces) >= maxSurfaces {
			return r.Wrong(nil, problem.CodeTooLarge, fmt.Sprintf("there are more than %d surfaces", maxSurfaces))
		}
		name = fmt.Sprintf("surface %d", len(r.surfaces)+1)
		r.surfaces[m] = name
		m.Name = name
		r.scene.Materials = append(r.scene.Materials, m)
	}
	if r.surface != name {
		r.flush()
	}
	r.surface = name
	return nil
}

func (r *reader) sphere() error {
	n, err := r.numbers("x", "y", "z")
	if err != nil {
		return err
	}
	word, err := r.want("radius")
	if err != nil {
		return err
	}
	radius, err := r.Coordinate("radius", word)
	if err != nil {
		return err
	}
	if radius = math.Abs(radius); !(radius >= geom.MinSize) {
		return r.Wrong(word, problem.CodeOutOfRange, fmt.Sprintf("radius: must be at least %g", geom.MinSize))
	}
	if err := r.room(); err != nil {
		return err
	}
	r.scene.Spheres = append(r.scene.Spheres, model.Sphere{Center: geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, Radius: radius, Label: model.Label{Material: r.surface}})
	return nil
}

// room returns an error if the scene already has as many solids as it may have.
func (r *reader) room() error {
	if r.scene.Len()+len(r.pending) >= MaxSolids {
		return r.Wrong(nil, problem.CodeTooLarge, fmt.Sprintf("there are more than %d solids", MaxSolids))
	}
	return nil
}

// cone reads a cone or a cylinder: center and radius of both ends.
func (r *reader) cone() error {
	place := r.Where()
	var ends [2]geom.Vec3
	var radii [2]float64
	for i, end := range [...]string{"base", "apex"} {
		n, err := r.numbers(end+".x", end+".y", end+".z", end+" radius")
		if err != nil {
			return err
		}
		ends[i], radii[i] = geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, math.Abs(n[3])
	}
	label := model.Label{Material: r.surface}
	switch length := ends[1].Sub(ends[0]).Norm(); {
	case !(max(radii[0], radii[1]) >= geom.MinSize && length >= geom.MinSize):
		r.scene.Account.Skip("empty cone", place)
	case radii[0] == radii[1]:
		if err := r.room(); err != nil {
			return err
		}
		r.scene.Cylinders = append(r.scene.Cylinders, model.Cylinder{A: ends[0], B: ends[1], Radius: radii[0], Label: label})
	case !r.Approximate:
		r.scene.Account.SkipUnlessApproximate("cone", place)
	default:
		if err := r.room(); err != nil {
			return err
		}
		shapes := mesh.Library{Scene: r.scene}
		shapes.AddShape(&r.scene.Part, "cone", mesh.Cone(ends[0], ends[1], radii[0], radii[1]), model.Pose{}, label, place)
	}
	return nil
}

// joint identifies an end of a cylinder. A sphere that covers the end has an equal joint.
type joint struct {
	center  geom.Vec3
	radius  float64
	surface string
}

// joinCapsules replaces a cylinder by a capsule if there are spheres of its radius and surface at both ends; together
// the three are the same set of points as the capsule. Then it removes the spheres that are part of a capsule.
func joinCapsules(p *model.Part) {
	covered := make(map[joint]bool, 2*len(p.Cylinders)) // whether there is a sphere at the joint
	endsOf := func(c *model.Cylinder) (a, b joint) {
		return joint{c.A, c.Radius, c.Material}, joint{c.B, c.Radius, c.Material}
	}
	for i := range p.Cylinders {
		a, b := endsOf(&p.Cylinders[i])
		covered[a], covered[b] = false, false
	}
	of := func(s model.Sphere) joint { return joint{s.Center, s.Radius, s.Material} }
	for _, s := range p.Spheres {
		if _, ok := covered[of(s)]; ok {
			covered[of(s)] = true
		}
	}
	inCapsule := make(map[joint]bool)
	p.Cylinders = slices.DeleteFunc(p.Cylinders, func(c model.Cylinder) bool {
		a, b := endsOf(&c)
		if !covered[a] || !covered[b] {
			return false
		}
		inCapsule[a], inCapsule[b] = true, true
		p.Capsules = append(p.Capsules, model.Capsule(c))
		return true
	})
	p.Spheres = slices.DeleteFunc(p.Spheres, func(s model.Sphere) bool { return inCapsule[of(s)] })
}
