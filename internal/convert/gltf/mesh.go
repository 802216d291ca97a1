package gltf

import (
	"math"

	"github.com/qmuntal/gltf"
	"github.com/qmuntal/gltf/modeler"
)

// form is a shape of which meshes are made. Each has radius or half edge 1.
type form int

const (
	ball           form = iota // centered at the origin
	halfBall                   // the half with y >= 0, open
	cylinder                   // around the y axis from -1 to 1, open
	cube                       // centered at the origin
	closedCylinder             // the cylinder with its ends
)

func (f form) String() string {
	return [...]string{"ball", "half ball", "cylinder", "cube", "closed cylinder"}[f]
}

// steps returns the number of edges of a circle. It is smaller in scenes with many solids, because viewers draw every
// triangle.
func steps(solids int) int {
	switch {
	case solids <= 1_000:
		return 64
	case solids <= 20_000:
		return 32
	}
	return 12
}

// primitive appends a form to a document's buffer. A circle has n edges; n must be divisible by 4.
func (f form) primitive(doc *gltf.Document, n int) *gltf.Primitive {
	var m mesh
	switch f {
	case ball:
		m.dome(n, n/2)
	case halfBall:
		m.dome(n, n/4)
	case cylinder:
		m.side(n)
	case closedCylinder:
		m.side(n)
		m.disc(n, 1)
		m.disc(n, -1)
	case cube:
		for axis := range 3 {
			for _, side := range []float64{1, -1} {
				m.face(axis, side)
			}
		}
	}
	return &gltf.Primitive{
		Attributes: gltf.PrimitiveAttributes{
			gltf.POSITION: modeler.WritePosition(doc, m.positions),
			gltf.NORMAL:   modeler.WriteNormal(doc, m.normals),
		},
		Indices: gltf.Index(modeler.WriteIndices(doc, m.indices)),
	}
}

// mesh holds vertices, and triangles as triples of indices, counterclockwise seen from outside.
type mesh struct {
	positions, normals [][3]float32
	indices            []uint16
}

func (m *mesh) vertex(p, normal [3]float64) {
	m.positions = append(m.positions, [3]float32{float32(p[0]), float32(p[1]), float32(p[2])})
	m.normals = append(m.normals, [3]float32{float32(normal[0]), float32(normal[1]), float32(normal[2])})
}

func (m *mesh) triangle(a, b, c int) {
	m.indices = append(m.indices, uint16(a), uint16(b), uint16(c))
}

func (m *mesh) quad(a, b, c, d int) {
	m.triangle(a, b, c)
	m.triangle(a, c, d)
}

// dome adds the upper part of a ball: the pole at y = 1, and the given number of rings below, with n vertices each. With
// n/2 rings, this is the whole ball, and the last ring is only the pole at y = -1.
func (m *mesh) dome(n, rings int) {
	pole := [3]float64{0, 1, 0}
	m.vertex(pole, pole)
	last := min(rings, n/2-1) // the last ring that is not a pole
	for ring := 1; ring <= last; ring++ {
		y, r := circle(ring, n)
		first := 1 + (ring-1)*n
		for i := range n {
			x, z := circle(i, n)
			p := [3]float64{r * x, y, r * z}
			m.vertex(p, p)
			next := (i + 1) % n
			if ring == 1 {
				m.triangle(0, first+next, first+i)
			} else {
				m.quad(first-n+i, first-n+next, first+next, first+i)
			}
		}
	}
	if rings > last {
		first, end := 1+(last-1)*n, len(m.positions)
		m.vertex([3]float64{0, -1, 0}, [3]float64{0, -1, 0})
		for i := range n {
			m.triangle(end, first+i, first+(i+1)%n)
		}
	}
}

// side adds the side of a cylinder.
func (m *mesh) side(n int) {
	for i := range n {
		x, z := circle(i, n)
		m.vertex([3]float64{x, 1, z}, [3]float64{x, 0, z})
		m.vertex([3]float64{x, -1, z}, [3]float64{x, 0, z})
		a, b := 2*i, 2*((i+1)%n)
		m.quad(a, b, b+1, a+1)
	}
}

// disc adds an end of a cylinder, at y = 1 or -1.
func (m *mesh) disc(n int, y float64) {
	normal, first := [3]float64{0, y, 0}, len(m.positions)
	for i := range n {
		x, z := circle(i, n)
		m.vertex([3]float64{x, y, -y * z}, normal)
	}
	for i := 2; i < n; i++ {
		m.triangle(first, first+i-1, first+i)
	}
}

// face adds the face of the cube whose coordinate along the axis is side, 1 or -1.
func (m *mesh) face(axis int, side float64) {
	var normal [3]float64
	normal[axis] = side
	first := len(m.positions)
	for _, corner := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		p := normal
		p[(axis+1)%3], p[(axis+2)%3] = corner[0]*side, corner[1]
		m.vertex(p, normal)
	}
	m.quad(first, first+1, first+2, first+3)
}

// circle returns the cosine and the sine of the angle of step i of n around a circle.
func circle(i, n int) (cos, sin float64) {
	sin, cos = math.Sincos(2 * math.Pi * float64(i) / float64(n))
	return cos, sin
}
