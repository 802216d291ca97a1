// Package robot writes scenes as models for simulators: MJCF, the format of MuJoCo, and URDF, that of ROS.
//
// A placement that moves its part rigidly becomes a body (MJCF) or a link (URDF) in that of the placement around
// it, and the solids of the part its geoms or collisions, in the part's own frame. So a robot that was imported
// and whose meshes were fitted keeps its links. Joints are not written, because a scene has none: bodies are
// fixed to each other. Solids of other placements, rows of copies and scaled ones, belong to the body around
// them.
//
// Lengths are those of the scene, which simulators take for meters. Models have z up: a scene with another
// direction up is turned. Numbers have 12 digits.
//
// Sources: the XML reference of MuJoCo (mujoco.readthedocs.io, "XML Reference") and the specification of
// URDF at wiki.ros.org/urdf/XML.
package robot

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// body is a frame with its solids.
type body struct {
	name   string
	at     model.Pose // in the frame around it
	world  model.Pose // in the scene
	solids []solid
	bodies []*body
}

// solid is a solid in the frame of its body.
type solid struct {
	name  string
	shape any // a shapes.Sphere, shapes.Capsule, shapes.Box or shapes.Cylinder
	color shade.Color
}

// tree returns the bodies of a scene. The outermost is the world. It contains the scene, or a body that turns the
// scene so that z is up.
func tree(s *scene.Scene) *body {
	world := &body{name: "world"}
	names := map[string]int{world.name: 1}
	root := world
	if turn := model.FromZ(up(s)).Inverse(); quaternion(turn) != "" {
		root = &body{name: "scene", at: model.Pose{Rotation: turn}}
		names[root.name] = 1
		world.bodies = []*body{root}
	}
	bodies := map[string]*body{"": root}
	for n := range s.Objects.Len() {
		at, path := root, ""
		trail, placed := s.Trail(n)
		rigid := true
		for i, p := range trail.Placements {
			if rigid = p.Count <= 1 && p.Scale == 1; !rigid {
				break
			}
			path += "\x00" + trail.Keys[i]
			next := bodies[path]
			if next == nil {
				pose := model.Pose{Position: p.Position, Rotation: model.QuaternionOf(p.Rotation)}
				next = &body{name: unique(p.Name, p.Part, names), at: pose, world: at.world.Then(pose)}
				bodies[path] = next
				at.bodies = append(at.bodies, next)
			}
			at = next
		}
		x := solid{name: s.Objects.Name(n), color: s.Objects.Material(n).Albedo}
		if placed && rigid {
			x.name, x.shape = trail.Object.Name, trail.Shape
		} else {
			x.shape = moved(s.Solid(n), at.world.Inverse())
		}
		at.solids = append(at.solids, x)
	}
	return world
}

// up returns the direction that is up in a scene: that of its camera.
func up(s *scene.Scene) geom.Vec3 {
	u := s.CameraFor(s.Image.Width, s.Image.Height).Up
	// A camera that looks down has another up; what is meant is the axis that is nearest.
	switch x, y, z := math.Abs(u.X), math.Abs(u.Y), math.Abs(u.Z); {
	case x > y && x > z:
		return geom.Vec3{X: math.Copysign(1, u.X)}
	case y >= z:
		return geom.Vec3{Y: math.Copysign(1, u.Y)}
	}
	return geom.Vec3{Z: math.Copysign(1, u.Z)}
}

// unique returns the first of some names that is not empty, with a number if it is taken.
func unique(name, otherwise string, names map[string]int) string {
	if name == "" {
		name = otherwise
	}
	names[name]++
	for n := names[name]; n > 1; n++ {
		next := fmt.Sprintf("%s-%d", name, n)
		if names[next] == 0 {
			names[next] = 1
			return next
		}
	}
	return name
}

// moved returns a solid at a pose.
func moved(s shapes.Shape, at model.Pose) any {
	switch s := s.(type) {
	case *shapes.Sphere:
		return shapes.Sphere{Center: at.Point(s.Center), Radius: s.Radius}
	case *shapes.Capsule:
		return shapes.Capsule{A: at.Point(s.A), B: at.Point(s.B), Radius: s.Radius}
	case *shapes.Cylinder:
		return shapes.Cylinder{A: at.Point(s.A), B: at.Point(s.B), Radius: s.Radius}
	case *shapes.Box:
		return shapes.Box{Center: at.Point(s.Center), HalfExtents: s.HalfExtents, Rotation: at.Rotation.Matrix().Mul(s.Rotation)}
	}
	return nil
}

// round returns the length of the axis of a round solid, and the pose in which the axis is that of z, with its
// middle at the origin.
func round(a, b geom.Vec3) (length float64, at model.Pose) {
	axis := b.Sub(a)
	return axis.Norm(), model.Pose{Position: a.Add(axis.Scale(0.5)), Rotation: model.FromZ(axis)}
}

// writer writes XML.
type writer struct {
	*bufio.Writer
	depth int
}

func newWriter(w io.Writer) *writer { return &writer{Writer: bufio.NewWriterSize(w, 1<<16)} }

// open writes a tag with attributes: names and values in turn, of which those without a value are left out.
func (w *writer) open(name string, attrs ...string) {
	w.tag(name, ">", attrs)
	w.depth++
}

func (w *writer) close(name string) {
	w.depth--
	fmt.Fprintf(w, "%s</%s>\n", strings.Repeat("  ", w.depth), name)
}

// empty writes an element without content.
func (w *writer) empty(name string, attrs ...string) { w.tag(name, "/>", attrs) }

func (w *writer) tag(name, end string, attrs []string) {
	fmt.Fprintf(w, "%s<%s", strings.Repeat("  ", w.depth), name)
	for i := 0; i < len(attrs); i += 2 {
		if attrs[i+1] != "" {
			fmt.Fprintf(w, ` %s="`, attrs[i])
			_ = xml.EscapeText(w, []byte(attrs[i+1])) // Flush returns the error
			w.WriteByte('"')
		}
	}
	w.WriteString(end + "\n")
}

// numbers returns numbers with spaces between them.
func numbers(list ...float64) string {
	text := make([]string, len(list))
	for i, x := range list {
		text[i] = strconv.FormatFloat(x+0, 'g', 12, 64)
		if text[i] == "-0" {
			text[i] = "0"
		}
	}
	return strings.Join(text, " ")
}

func vector(v geom.Vec3) string { return numbers(v.X, v.Y, v.Z) }

// position returns a position as an attribute, or "" if it is the origin.
func position(v geom.Vec3) string {
	if v == (geom.Vec3{}) {
		return ""
	}
	return vector(v)
}

// rgba returns a color in sRGB.
func rgba(c shade.Color) string {
	r, g, b := shade.Encode8(c.R), shade.Encode8(c.G), shade.Encode8(c.B)
	part := func(x uint8) string { return strconv.FormatFloat(float64(x)/255, 'f', 4, 64) }
	return strings.Join([]string{part(r), part(g), part(b), "1"}, " ")
}
