// Package peers makes random scenes and writes them in the formats of the ray tracers that
// Pillbox is measured against, so that all of them do the same work.
//
// Conventions: a scene has one plain background, one white point light, and a perspective
// camera that looks along -z with y up and its field of view in the picture's height.
// Every number is written with as many digits as it takes to read it back exactly. Writers
// return the first error of what they write to. Colours are multiples of 1/255 in sRGB, so
// that formats with 8-bit colours hold the same scene.
package peers

import (
	"bufio"
	"io"
	"math"
	"math/rand/v2"
	"strconv"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// Scene is a random scene.
type Scene struct {
	scene.Scene

	// Turns holds the rotations of the boxes as quaternions w, x, y, z of unit length; a
	// scene itself has matrices only.
	Turns [][4]float64

	colors [][3]uint8 // of the solids, in sRGB
}

// cube is half the edge of the cube that the centres of all solids lie in.
const cube = 10

// Random returns a scene of n solids, a third each of spheres, capsules and boxes, of random
// place, size, rotation and colour in a cube of edge 20: 1920 x 1080 pixels, seen from z = 32,
// with shadows. The solids shrink with the cube root of n, so that the cube looks equally
// full at every n. The scene is a function of seed and n.
func Random(seed uint64, n int) *Scene {
	sky := shade.Color{R: 0.5, G: 0.7, B: 1}
	s := &Scene{Scene: scene.Scene{
		Image:   scene.Image{Width: 1920, Height: 1080, Antialias: 1, Background: scene.Background{Top: sky, Bottom: sky}},
		Camera:  &camera.Camera{Position: geom.Vec3{Z: 32}, Up: camera.DefaultUp(), FOV: camera.DefaultFOV, ViewHeight: camera.DefaultViewHeight},
		Shading: scene.Shading{Ambient: shade.Gray(0.1), Shadows: true},
		Lights:  []shade.Light{{Position: geom.Vec3{X: 30, Y: 40, Z: 50}, Color: shade.White(), Intensity: 0.9}},
	}}
	r := random{rand.New(rand.NewPCG(seed, 0))}
	size := 0.45 * cube / math.Cbrt(float64(n))
	for i := range n {
		c := r.vec(-cube, cube)
		switch i % 3 {
		case 0:
			s.Spheres = append(s.Spheres, shapes.Sphere{Center: c, Radius: r.uniform(0.5, 1) * size})
		case 1:
			half := r.direction().Scale(r.uniform(0.5, 1.5) * size)
			s.Capsules = append(s.Capsules, shapes.Capsule{A: c.Sub(half), B: c.Add(half), Radius: r.uniform(0.25, 0.5) * size})
		case 2:
			turn := r.turn()
			rotation, _ := geom.RotationQuaternion(turn[0], turn[1], turn[2], turn[3])
			s.Boxes = append(s.Boxes, shapes.Box{Center: c, HalfExtents: r.vec(0.3, 0.9).Scale(size), Rotation: rotation})
			s.Turns = append(s.Turns, turn)
		}
	}
	for range n {
		v := r.vec(0.2, 1)
		c := [3]uint8{shade.Encode8(v.X), shade.Encode8(v.Y), shade.Encode8(v.Z)}
		s.colors = append(s.colors, c)
		s.Objects = append(s.Objects, scene.Object{Material: shade.Material{Albedo: shade.FromSRGB8(c[0], c[1], c[2])}})
	}
	return s
}

type random struct{ *rand.Rand }

func (r random) uniform(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

func (r random) vec(lo, hi float64) geom.Vec3 {
	return geom.Vec3{X: r.uniform(lo, hi), Y: r.uniform(lo, hi), Z: r.uniform(lo, hi)}
}

// direction returns a vector of unit length, uniform over the sphere.
func (r random) direction() geom.Vec3 {
	for {
		if v := r.vec(-1, 1); v.Norm2() > 0.01 && v.Norm2() < 1 {
			return v.Unit()
		}
	}
}

// turn returns a quaternion of unit length, uniform over all rotations.
func (r random) turn() [4]float64 {
	for {
		var q [4]float64
		norm2 := 0.0
		for i := range q {
			q[i] = r.uniform(-1, 1)
			norm2 += q[i] * q[i]
		}
		if norm2 > 0.01 && norm2 < 1 {
			for i := range q {
				q[i] /= math.Sqrt(norm2)
			}
			return q
		}
	}
}

// albedo returns the linear colour of a solid.
func (s *Scene) albedo(solid int) shade.Color { return s.Objects[solid].Material.Albedo }

// The numbers of the first capsule and the first box.
func (s *Scene) firstCapsule() int { return len(s.Spheres) }
func (s *Scene) firstBox() int     { return len(s.Spheres) + len(s.Capsules) }

// eyeTan is the tangent of half the camera's field of view.
func (s *Scene) eyeTan() float64 { return (s.Camera.FOV / 2).Tan() }

// text is what a writer writes to: it keeps the first error until flushed.
type text struct{ *bufio.Writer }

func newText(w io.Writer) text { return text{bufio.NewWriterSize(w, 1<<16)} }

// put writes strings one after the other.
func (t text) put(parts ...string) {
	for _, p := range parts {
		_, _ = t.WriteString(p) // Flush returns the error
	}
}

// join returns numbers, each with just the digits that read back to it, separated by sep.
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

// number returns x as join does.
func number(x float64) string { return join("", x) }
