// Package robot writes scenes as models for simulators: MJCF, the format of MuJoCo, and URDF, that of ROS.
//
// A placement that only moves and rotates its part becomes a body (MJCF) or a link (URDF), nested like the placement.
// The solids of the part become its geoms or collisions, in the part's own frame. So an imported robot keeps its links.
// Bodies are fixed to each other, because a scene has no joints. Other placements, which are scaled or make several
// copies, do not become bodies: their solids belong to the enclosing body.
//
// Lengths are those of the scene; simulators interpret them as meters. In models z is up, so a scene whose up axis is y
// is rotated. Numbers have 12 digits.
//
// Sources: the XML reference of MuJoCo (mujoco.readthedocs.io, "XML Reference") and the specification of
// URDF at wiki.ros.org/urdf/XML.
package robot

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
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
	at     model.Pose // pose in the frame of its parent
	world  model.Pose // pose in the scene
	solids []solid
	bodies []*body
}

// solid is a solid in the frame of its body.
type solid struct {
	name     string
	shape    any // a shapes.Sphere, shapes.Capsule, shapes.Box or shapes.Cylinder
	material *shade.Material
}

// tree returns the body named world, which contains the bodies and solids of a scene. If z is not the scene's up
// axis, world has a single child body, which rotates the scene and contains them. The camera's up vector does not
// matter: a camera may be rolled, or look down.
func tree(s *scene.Scene) *body {
	world := &body{name: "world"}
	names := map[string]int{world.name: 1}
	root := world
	if !s.ZUp {
		turn := model.FromZ(geom.Vec3{Y: 1}).Inverse()
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
		x := solid{name: s.Objects.Name(n), material: s.Objects.Material(n)}
		if placed && rigid {
			x.name, x.shape = trail.Object.Name, trail.Shape
		} else {
			x.shape = moved(s.Solid(n), at.world.Inverse())
		}
		at.solids = append(at.solids, x)
	}
	return world
}

// unique returns a name that no earlier call returned. This is name or, if name is empty, the parameter otherwise.
// If it is taken, unique appends a number. The map names holds the names that are taken.
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

// moved returns a copy of a solid that is moved by the pose at.
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

// round returns the length of the axis from a to b of a capsule or cylinder, and a pose. The pose moves an axis along z
// whose center is the origin to the axis from a to b.
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

// open writes a start tag. attrs alternates names and values; attributes with an empty value are omitted.
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

// numbers formats numbers separated by spaces.
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

// position formats a position as an attribute; "" for the origin.
func position(v geom.Vec3) string {
	if v == (geom.Vec3{}) {
		return ""
	}
	return vector(v)
}

// rgba formats the color of a material in sRGB. The share of a ghost is its alpha.
func rgba(m *shade.Material) string {
	c, alpha := m.Albedo, 1.0
	if m.Ghost != nil {
		alpha = m.Ghost.Share
	}
	r, g, b := shade.EncodeSRGB8(c.R), shade.EncodeSRGB8(c.G), shade.EncodeSRGB8(c.B)
	part := func(x uint8) string { return strconv.FormatFloat(float64(x)/255, 'f', 4, 64) }
	return strings.Join([]string{part(r), part(g), part(b), numbers(alpha)}, " ")
}
