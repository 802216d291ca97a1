package mesh

import (
	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/problem"
)

// sides is the number of edges of a circle. Meshes are circumscribed about their shapes, so a solid that contains a
// mesh also contains the shape.
const sides = 64

// Ellipsoid returns a mesh circumscribed about an ellipsoid with the given semiaxes along x, y and z.
func Ellipsoid(semiaxes [3]float64) *Mesh {
	b := newBuilder()
	around := 1 / (circumscribed * circumscribed)
	point := func(latitude, longitude int) geom.Vec3 {
		sinU, cosU := geom.Angle(180*float64(latitude)/(sides/2) - 90).SinCos()
		sinV, cosV := geom.Angle(360 * float64(longitude) / sides).SinCos()
		p := geom.Vec3{X: float64(cosU * cosV), Y: float64(cosU * sinV), Z: sinU}.Scale(around)
		return geom.Vec3{X: float64(p.X * semiaxes[0]), Y: float64(p.Y * semiaxes[1]), Z: float64(p.Z * semiaxes[2])}
	}
	for i := range sides / 2 {
		for j := range sides {
			next := (j + 1) % sides
			_ = b.polygon([]geom.Vec3{point(i, j), point(i, next), point(i+1, next), point(i+1, j)}) // cannot fail, because sizes are within the limits of coordinates
		}
	}
	return &b.mesh
}

// Cone returns a mesh circumscribed about a cone or a truncated cone.
func Cone(a, b geom.Vec3, radiusA, radiusB float64) *Mesh {
	m := newBuilder()
	turn := model.FromZ(b.Sub(a))
	ring := func(center geom.Vec3, radius float64) (points []geom.Vec3) {
		for i := range sides {
			sin, cos := geom.Angle(360 * float64(i) / sides).SinCos()
			points = append(points, center.Add(turn.Rotate(geom.Vec3{X: cos, Y: sin}.Scale(radius/circumscribed))))
		}
		return points
	}
	low, high := ring(a, radiusA), ring(b, radiusB)
	for i := range low {
		next := (i + 1) % sides
		_ = m.polygon([]geom.Vec3{low[i], low[next], high[next], high[i]})
		_ = m.polygon([]geom.Vec3{low[next], low[i], a})
		_ = m.polygon([]geom.Vec3{high[i], high[next], b})
	}
	return &m.mesh
}

// circumscribed is the radius of the circle inscribed in a regular polygon with as many edges as the constant sides says,
// whose corners are at the distance 1 from the center. This is the cosine of half the angle that an edge spans.
var circumscribed = func() float64 {
	_, cos := geom.Angle(180.0 / sides).SinCos()
	return cos
}()

// AddShape adds solids for a shape that the scene format lacks, such as an ellipsoid, given the shape's mesh m. It fits
// the solids to m, adds them to part p at a pose, and notes how much larger they are than the mesh. noun is the shape's
// name in the note.
func (l *Library) AddShape(p *model.Part, noun string, m *Mesh, at model.Pose, label model.Label, where problem.Error) {
	f := m.Fit(l.Fit)
	l.Scene.Account.Note(noun, "shown as "+Describe(&f), where)
	AddSolids(p, &f, at, label)
}
