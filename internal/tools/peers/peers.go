// Package peers generates scenes of many solids and writes them in the formats of the ray tracers with which Pillbox is
// compared, so that all of them render the same scene.
//
// Conventions: a scene has a plain background, white point lights, gray ambient light, and a perspective camera with a
// vertical field of view. Every number has enough digits to be read back exactly. Writers return the first error of the
// io.Writer to which they write. Colors are multiples of 1/255 in sRGB, so that formats with 8-bit colors can hold the
// same scene.
package peers

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// Scene is a scene for all ray tracers.
type Scene struct {
	scene.Scene

	// Turns holds the rotations of the boxes as unit quaternions w, x, y, z. A scene.Scene only has their matrices.
	Turns [][4]float64

	looks  []look // of the solids
	offset float64
}

// look is the material of a solid: its sRGB color, the weight of its mirror, and its share in a color if it is a ghost.
type look struct {
	color  [3]uint8
	mirror float64
	ghost  float64
}

// maker builds a scene. Solids may be added in any order.
type maker struct {
	Scene
	spheres, capsules, boxes, cylinders []look
}

func (m *maker) sphere(center geom.Vec3, radius float64, l look) {
	m.Spheres = append(m.Spheres, shapes.Sphere{Center: center, Radius: radius})
	m.spheres = append(m.spheres, l)
}

func (m *maker) capsule(a, b geom.Vec3, radius float64, l look) {
	m.Capsules = append(m.Capsules, shapes.Capsule{A: a, B: b, Radius: radius})
	m.capsules = append(m.capsules, l)
}

// box adds a box that is rotated by a unit quaternion.
func (m *maker) box(center, half geom.Vec3, turn [4]float64, l look) {
	rotation, _ := geom.RotationQuaternion(turn[0], turn[1], turn[2], turn[3])
	m.Boxes = append(m.Boxes, shapes.Box{Center: center, HalfExtents: half, Rotation: rotation})
	m.Turns = append(m.Turns, turn)
	m.boxes = append(m.boxes, l)
}

func (m *maker) cylinder(a, b geom.Vec3, radius float64, l look) {
	m.Cylinders = append(m.Cylinders, shapes.Cylinder{A: a, B: b, Radius: radius})
	m.cylinders = append(m.cylinders, l)
}

// finish returns the scene. offset is the distance from a surface at which Embree's secondary rays start.
func (m *maker) finish(offset float64) *Scene {
	m.offset = offset
	return m.painted(slices.Concat(m.spheres, m.capsules, m.boxes, m.cylinders))
}

func light(x, y, z, intensity float64) scene.Light {
	return scene.Light{Light: shade.Light{Position: geom.Vec3{X: x, Y: y, Z: z}, Color: shade.White(), Intensity: intensity}}
}

// axes returns the camera's right, up and forward directions as unit vectors.
func (s *Scene) axes() (right, up, ahead geom.Vec3) {
	ahead = s.Camera.LookAt.Sub(s.Camera.Position).Unit()
	right = ahead.Cross(s.Camera.Up).Unit()
	return right, right.Cross(ahead), ahead
}

func (s *Scene) material(solid int) shade.Material { return *s.Objects.Material(solid) }

// eyeTan returns the tangent of half the camera's field of view.
func (s *Scene) eyeTan() float64 { return (s.Camera.FOV / 2).Tan() }

// text is a writer that keeps its first error until it is flushed.
type text struct{ *bufio.Writer }

func newText(w io.Writer) text { return text{bufio.NewWriterSize(w, 1<<16)} }

// put writes strings one after the other.
func (t text) put(parts ...string) {
	for _, p := range parts {
		_, _ = t.WriteString(p) // Flush returns the error
	}
}

// join formats numbers, separated by sep. Each has the fewest digits from which it can be read back exactly.
func join(sep string, numbers ...float64) string {
	b := make([]byte, 0, 24*len(numbers))
	for i, x := range numbers {
		if i > 0 {
			b = append(b, sep...)
		}
		b = strconv.AppendFloat(b, x, 'g', -1, 64)
	}
	return string(b)
}

func joinVec(sep string, v geom.Vec3) string { return join(sep, v.X, v.Y, v.Z) }

func joinColor(sep string, c shade.Color) string { return join(sep, c.R, c.G, c.B) }

// peerNumber formats x as join does.
func peerNumber(x float64) string { return join("", x) }
