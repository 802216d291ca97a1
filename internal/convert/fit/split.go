package fit

import (
	"math"
	"sync"

	"pillbox/geom"
)

// piece is a part of the mesh with its solid.
type piece struct {
	triangles [][3]geom.Vec3
	cloud     *cloud // of their corners
	solid     Solid
	whole     bool // method cut has tried this piece and found no plane that saves enough volume
}

// newPiece returns a piece with the best solid around it.
func newPiece(triangles [][3]geom.Vec3, kinds []Kind) piece {
	c := newCloud(triangles)
	return piece{triangles: triangles, cloud: c, solid: c.best(kinds)}
}

// gain is the least fraction of a piece's volume that a cut must save.
const gain = 0.01

// mostCut bounds the memory of a fit: a plane cuts a triangle into up to three, and cutting adds at most this many triangles
// to those of the mesh. Only meshes whose triangles are as large as the mesh reach it.
const mostCut = 1 << 19

// split divides a piece into up to n pieces. In each step it cuts the piece with the largest solid among those that can
// be cut.
func split(whole piece, n int, kinds []Kind) []piece {
	pieces := []piece{whole}
	more := mostCut
	for len(pieces) < n {
		largest := -1
		for i := range pieces {
			if !pieces[i].whole && (largest < 0 || pieces[i].solid.Volume() > pieces[largest].solid.Volume()) {
				largest = i
			}
		}
		if largest < 0 {
			break
		}
		a, b, ok := pieces[largest].cut(kinds)
		added := len(a.triangles) + len(b.triangles) - len(pieces[largest].triangles)
		if !ok || added > more {
			pieces[largest].whole = true
			continue
		}
		more -= added
		pieces[largest] = a
		pieces = append(pieces, b)
	}
	return pieces
}

// plane is the set of points p with p . normal = offset.
type plane struct {
	normal geom.Vec3
	offset float64
}

// cut divides a piece at the most promising plane. It returns false if the solids of the two parts together do not save
// at least the fraction gain of the volume of the piece's solid.
func (p *piece) cut(kinds []Kind) (a, b piece, ok bool) {
	planes := p.cloud.planes()
	least, best := math.Inf(1), -1
	few := sample(p.triangles)
	for i, at := range planes {
		below, above := divide(few, at)
		if len(below) == 0 || len(above) == 0 {
			continue
		}
		if v := roughVolume(below, at.normal, kinds) + roughVolume(above, at.normal, kinds); v < least {
			least, best = v, i
		}
	}
	if best < 0 {
		return a, b, false
	}
	below, above := divide(p.triangles, planes[best])
	a, b = newPiece(below, kinds), newPiece(above, kinds)
	return a, b, a.solid.Volume()+b.solid.Volume() < float64((1-gain)*p.solid.Volume())
}

// sample returns at most a few hundred of the triangles.
func sample(triangles [][3]geom.Vec3) [][3]geom.Vec3 {
	const most = 500
	if len(triangles) <= most {
		return triangles
	}
	few := make([][3]geom.Vec3, most)
	for i := range few {
		few[i] = triangles[i*len(triangles)/most]
	}
	return few
}

// planes returns the candidates for cutting a piece: planes perpendicular to the axes of its box and to
// the coordinate axes.
func (c *cloud) planes() []plane {
	const cuts = 12 // along each axis
	box := c.fit(Box).Axes
	var all []plane
	for _, axis := range [...]geom.Vec3{box.X, box.Y, box.Z, {X: 1}, {Y: 1}, {Z: 1}} {
		low, high := math.Inf(1), math.Inf(-1)
		for _, p := range c.extreme {
			h := p.Dot(axis)
			low, high = min(low, h), max(high, h)
		}
		if !(high > low) {
			continue
		}
		for i := 1; i < cuts; i++ {
			all = append(all, plane{axis, low + float64((high-low)*float64(i)/cuts)})
		}
		all = append(all, c.steps(axis, low, high)...)
	}
	return all
}

// steps returns planes perpendicular to an axis, at coordinates that several points share. At these coordinates the
// mesh may have faces perpendicular to the axis, so that its cross section changes abruptly.
func (c *cloud) steps(axis geom.Vec3, low, high float64) (all []plane) {
	const cells, most = 1000, 12
	type level struct {
		sum   float64
		count int
	}
	levels := make([]level, cells)
	for _, p := range c.points {
		h := p.Dot(axis)
		i := geom.ClampInt(float64(cells)*(h-low)/(high-low), 0, cells-1)
		levels[i].sum += h
		levels[i].count++
	}
	for range most {
		best := -1
		for i := 1; i < cells-1; i++ {
			if levels[i].count >= 3 && (best < 0 || levels[i].count > levels[best].count) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		all = append(all, plane{axis, levels[best].sum / float64(levels[best].count)})
		levels[best].count = 0
	}
	return all
}

// extremePoints returns the corners that are farthest in a few directions.
func extremePoints(triangles [][3]geom.Vec3) []geom.Vec3 {
	points := make([]geom.Vec3, 0, 2*len(fewDirections()))
	for _, d := range fewDirections() {
		low, high := math.Inf(1), math.Inf(-1)
		var least, most geom.Vec3
		for i := range triangles {
			for _, p := range triangles[i] {
				h := p.Dot(d)
				if h < low {
					low, least = h, p
				}
				if h > high {
					high, most = h, p
				}
			}
		}
		points = append(points, least, most)
	}
	return points
}

// fewDirections returns a few directions in all parts of a half sphere.
var fewDirections = sync.OnceValue(func() []geom.Vec3 {
	return append(fibonacci(23), geom.Vec3{X: 1}, geom.Vec3{Y: 1}, geom.Vec3{Z: 1})
})

// roughVolume estimates the volume of the best solid around triangles, with only six candidate axes and a few points.
func roughVolume(triangles [][3]geom.Vec3, normal geom.Vec3, kinds []Kind) float64 {
	points := extremePoints(triangles)
	u, v := perpendicular(normal)
	p := principal(points)
	least := math.Inf(1)
	for _, k := range kinds {
		if k == Sphere {
			least = min(least, ballVolume(smallestBall(points).radius))
			continue
		}
		for _, axis := range [...]geom.Vec3{normal, u, v, p.X, p.Y, p.Z} {
			var s Solid
			switch k {
			case Capsule:
				s = capsuleAlong(axis, points)
			case Cylinder:
				s = cylinderAlong(axis, points)
			default:
				s = boxAlong(axis, points)
			}
			least = min(least, s.Volume())
		}
	}
	return least
}

// divide cuts triangles at a plane into those below and above. Corners in the plane belong to both
// sides.
func divide(triangles [][3]geom.Vec3, at plane) (below, above [][3]geom.Vec3) {
	for _, t := range triangles {
		var h [3]float64
		low, high := math.Inf(1), math.Inf(-1)
		for i, p := range t {
			h[i] = p.Dot(at.normal) - at.offset
			low, high = min(low, h[i]), max(high, h[i])
		}
		switch {
		case high <= 0:
			below = append(below, t)
		case low >= 0:
			above = append(above, t)
		default:
			down, up := clip(t, h)
			below, above = fan(below, down), fan(above, up)
		}
	}
	return below, above
}

// clip cuts one triangle into the polygons below and above a plane. Its corners have the heights h
// above the plane.
func clip(t [3]geom.Vec3, h [3]float64) (below, above []geom.Vec3) {
	for i := range t {
		j := (i + 1) % 3
		if h[i] <= 0 {
			below = append(below, t[i])
		}
		if h[i] >= 0 {
			above = append(above, t[i])
		}
		if h[i] < 0 && h[j] > 0 || h[i] > 0 && h[j] < 0 {
			p := t[i].AddScaled(h[i]/(h[i]-h[j]), t[j].Sub(t[i]))
			below, above = append(below, p), append(above, p)
		}
	}
	return below, above
}

// fan appends a convex polygon as triangles.
func fan(triangles [][3]geom.Vec3, polygon []geom.Vec3) [][3]geom.Vec3 {
	for i := 2; i < len(polygon); i++ {
		triangles = append(triangles, [3]geom.Vec3{polygon[0], polygon[i-1], polygon[i]})
	}
	return triangles
}
