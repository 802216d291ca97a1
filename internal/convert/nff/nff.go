// Package nff reads the Neutral File Format, in which the Standard Procedural Databases are written: a
// viewpoint, lights, surfaces, spheres, cones and polygons.
//
// Spheres are shown, and boxes where six rectangles in a row are the faces of one; another rectangle is a
// thin box behind it. Cylinders become capsules if that is asked for. Cones and other polygons are left out.
//
// Colors are taken as they are shown on a screen. A surface's diffuse and specular parts become color and
// mirror: where they sum up to more than 1, the mirror comes first.
//
// Source: Haines, "A Proposal for Standard Graphics Environments", IEEE Computer Graphics and Applications
// 7(11), 1987, and the description of the format that comes with the databases.
package nff

import (
	"fmt"
	"io"
	"math"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/internal/convert/model"
	"pillbox/scene"
)

// Options say what is shown.
type Options struct {
	Approximate bool // cylinders become capsules
}

// Limits of a file.
const (
	MaxSolids   = 10_000_000
	maxCorners  = 10_000 // of a polygon
	maxSurfaces = 100_000
)

// Read reads a file. An error has its place in it.
func Read(src model.Source, opt Options) (*model.Scene, error) {
	r := &reader{
		Options:  opt,
		Reader:   lines.New(src.Name, src.Text),
		scene:    &model.Scene{Source: src.Name + ", in the Neutral File Format", Ambient: &model.Gradient{Top: "#000000", Bottom: "#000000"}},
		surfaces: make(map[model.Material]string),
	}
	for {
		words, err := r.words()
		if err == io.EOF {
			break
		}
		if err == nil {
			err = r.entity(words)
		}
		if err != nil {
			return nil, err
		}
	}
	r.flush()
	if len(r.scene.Lights) == 0 {
		r.scene.Ambient = nil // what is usual
	}
	// Lights share what one alone would give, as the format has it.
	for i := range r.scene.Lights {
		r.scene.Lights[i].Intensity /= math.Sqrt(float64(len(r.scene.Lights)))
	}
	return r.scene, nil
}

type reader struct {
	Options
	*lines.Reader
	scene    *model.Scene
	surface  string // the material of what follows
	surfaces map[model.Material]string
	pending  []rectangle // that may be the faces of a box
}

// words returns the words of the next line that has some.
func (r *reader) words() ([][]byte, error) {
	for {
		if err := r.Next(); err != nil {
			return nil, err
		}
		if words := lines.Fields(r.Text); len(words) > 0 && words[0][0] != '#' {
			return words, nil
		}
	}
}

// more returns the words of the next line, which must be there.
func (r *reader) more(what string) ([][]byte, error) {
	words, err := r.words()
	if err == io.EOF {
		return nil, r.Wrong(nil, scene.CodeMissingKey, "the file ends before "+what)
	}
	return words, err
}

// entity reads what begins with a line.
func (r *reader) entity(words [][]byte) error {
	switch kind := string(words[0]); kind {
	case "v":
		return r.viewpoint()
	case "b":
		v, err := r.vector("background", words[1:])
		color := model.RGB(v.X, v.Y, v.Z)
		r.scene.Background = &model.Gradient{Top: color, Bottom: color}
		return err
	case "l":
		return r.light(words[1:])
	case "f":
		return r.fill(words[1:])
	case "s":
		return r.sphere(words[1:])
	case "c":
		return r.cone()
	case "p", "pp":
		return r.polygon(words)
	default:
		return r.Wrong(words[0], scene.CodeUnknownValue, "must be v, b, l, f, s, c, p or pp")
	}
}

// numbers reads as many numbers as there are names, from words of which there may be more.
func (r *reader) numbers(words [][]byte, names ...string) ([]float64, error) {
	list := make([]float64, len(names))
	for i, name := range names {
		if i >= len(words) {
			return nil, r.Wrong(nil, scene.CodeMissingKey, name+": missing")
		}
		x, err := r.Coordinate(name, words[i])
		if err != nil {
			return nil, err
		}
		list[i] = x
	}
	return list, nil
}

// vector reads three numbers.
func (r *reader) vector(name string, words [][]byte) (geom.Vec3, error) {
	n, err := r.numbers(words, name+".x", name+".y", name+".z")
	if err != nil {
		return geom.Vec3{}, err
	}
	return geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, nil
}

// viewpoint reads the camera, whose lines come in one order. What is nearer than hither is seen all the same.
func (r *reader) viewpoint() error {
	var c camera.Camera
	for _, key := range [...]string{"from", "at", "up", "angle", "hither", "resolution"} {
		words, err := r.more(key)
		if err != nil {
			return err
		}
		if string(words[0]) != key {
			return r.Wrong(words[0], scene.CodeUnknownKey, "must be "+key)
		}
		var v geom.Vec3
		var n []float64
		switch words = words[1:]; key {
		case "from", "at", "up":
			v, err = r.vector(key, words)
		case "resolution":
			n, err = r.numbers(words, "width", "height")
		default:
			n, err = r.numbers(words, key)
		}
		if err != nil {
			return err
		}
		switch key {
		case "from":
			c.Position = v
		case "at":
			c.LookAt = v
		case "up":
			c.Up = v
		case "angle":
			if !(0 < n[0] && n[0] < 180) {
				return r.Wrong(words[0], scene.CodeOutOfRange, "angle: must be between 0 and 180 degrees")
			}
			c.FOV = geom.Angle(n[0])
		case "resolution":
			for i := range n {
				if !(1 <= n[i] && n[i] <= scene.MaxSide) {
					return r.Wrong(words[i], scene.CodeOutOfRange, fmt.Sprintf("resolution: must be from 1 to %d", scene.MaxSide))
				}
			}
			if n[0]*n[1] > scene.MaxPixels {
				return r.Wrong(words[1], scene.CodeTooManyPixels, fmt.Sprintf("resolution: width times height must be at most %d", scene.MaxPixels))
			}
			r.scene.Width, r.scene.Height = int(n[0]), int(n[1])
		}
	}
	r.scene.Camera, r.scene.Up = &c, c.Up
	return nil
}

// light reads a light: its position and, maybe, its color.
func (r *reader) light(words [][]byte) error {
	at, err := r.vector("light", words)
	if err != nil {
		return err
	}
	l := model.Light{Vector: at, Intensity: 1}
	if len(words) > 3 {
		c, err := r.vector("color", words[3:])
		if err != nil {
			return err
		}
		l.Intensity = max(c.X, c.Y, c.Z)
		if !(l.Intensity > 0) {
			return nil // it is dark
		}
		c = c.Scale(1 / l.Intensity)
		l.Color = model.RGB(c.X, c.Y, c.Z)
	}
	if len(r.scene.Lights) >= maxSurfaces {
		return r.Wrong(nil, scene.CodeTooLarge, "there are too many lights")
	}
	r.scene.Lights = append(r.scene.Lights, l)
	return nil
}

// fill reads the surface of what follows: color, diffuse and specular parts, and what else is not shown.
func (r *reader) fill(words [][]byte) error {
	n, err := r.numbers(words, "red", "green", "blue", "Kd", "Ks")
	if err != nil {
		return err
	}
	if len(words) > 6 {
		t, err := r.numbers(words[6:], "T")
		if err != nil {
			return err
		}
		if t[0] > 0 {
			r.scene.Account.Note("transparent surface", "shown opaque", r.Place())
		}
	}
	mirror := min(max(n[4], 0), 1)
	diffuse := 0.0
	if mirror < 1 {
		diffuse = min(max(n[3], 0)/(1-mirror), 1)
	}
	m := model.Material{Color: model.RGB(n[0]*diffuse, n[1]*diffuse, n[2]*diffuse), Mirror: mirror}
	name, known := r.surfaces[m]
	if !known {
		if len(r.surfaces) >= maxSurfaces {
			return r.Wrong(nil, scene.CodeTooLarge, fmt.Sprintf("there are more than %d surfaces", maxSurfaces))
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

func (r *reader) sphere(words [][]byte) error {
	n, err := r.numbers(words, "x", "y", "z", "radius")
	if err != nil {
		return err
	}
	if n[3] = math.Abs(n[3]); !(n[3] >= geom.MinSize) {
		return r.Wrong(words[3], scene.CodeOutOfRange, fmt.Sprintf("radius: must be at least %g", geom.MinSize))
	}
	if err := r.room(); err != nil {
		return err
	}
	r.scene.Spheres = append(r.scene.Spheres, model.Sphere{Center: geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, Radius: n[3], Label: model.Label{Material: r.surface}})
	return nil
}

// room finds files with too many solids.
func (r *reader) room() error {
	if r.scene.Len()+len(r.pending) >= MaxSolids {
		return r.Wrong(nil, scene.CodeTooLarge, fmt.Sprintf("there are more than %d solids", MaxSolids))
	}
	return nil
}

// cone reads a cone or a cylinder: the two lines of its ends.
func (r *reader) cone() error {
	place := r.Place()
	var ends [2]geom.Vec3
	var radii [2]float64
	for i, end := range [...]string{"base", "apex"} {
		words, err := r.more("the " + end + " of the cone")
		if err != nil {
			return err
		}
		n, err := r.numbers(words, end+".x", end+".y", end+".z", end+" radius")
		if err != nil {
			return err
		}
		ends[i], radii[i] = geom.Vec3{X: n[0], Y: n[1], Z: n[2]}, math.Abs(n[3])
	}
	switch {
	case radii[0] != radii[1] || !(radii[0] >= geom.MinSize):
		r.scene.Account.LeftOut("cone", place)
	case !r.Approximate:
		r.scene.Account.LeftOut(model.Cylinder, place)
	default:
		if err := r.room(); err != nil {
			return err
		}
		r.scene.Account.Note(model.Cylinder, "shown as a capsule with the same axis", place)
		r.scene.Capsules = append(r.scene.Capsules, model.Capsule{A: ends[0], B: ends[1], Radius: radii[0], Label: model.Label{Material: r.surface}})
	}
	return nil
}
