package fit

import (
	"cmp"
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/eigen"
)

// cloud is a set of points that a solid must contain.
type cloud struct {
	points    []geom.Vec3 // all, without duplicates
	extreme   []geom.Vec3 // the points farthest in many directions, which the search uses
	normals   []geom.Vec3 // of triangles, the largest areas first
	magnitude float64     // the largest magnitude of a coordinate
	box       *Solid      // the result of fit(Box), which cuts use again; nil before the first call
}

const (
	directions = 120 // directions in which extreme points are found; the opposite directions count in addition
	maxNormals = 48  // largest number of normals
)

func newCloud(triangles [][3]geom.Vec3) *cloud {
	c := &cloud{}
	seen := make(map[geom.Vec3]bool, len(triangles))
	for _, t := range triangles {
		for _, p := range t {
			if !seen[p] {
				seen[p] = true
				c.points = append(c.points, p)
				c.magnitude = max(c.magnitude, p.MaxAbs())
			}
		}
	}
	c.normals = normals(triangles)
	c.extreme = c.points
	if len(c.points) > 2*directions {
		c.extreme = c.extremes()
	}
	return c
}

// extremes returns the points that are the farthest in at least one of many directions.
func (c *cloud) extremes() []geom.Vec3 {
	found := make(map[int]bool)
	for _, d := range append(fibonacci(directions), c.normals...) {
		least, most := 0, 0
		low, high := math.Inf(1), math.Inf(-1)
		for i, p := range c.points {
			h := p.Dot(d)
			if h < low {
				least, low = i, h
			}
			if h > high {
				most, high = i, h
			}
		}
		found[least], found[most] = true, true
	}
	indices := make([]int, 0, len(found))
	for i := range found {
		indices = append(indices, i)
	}
	slices.Sort(indices)
	points := make([]geom.Vec3, len(indices))
	for i, j := range indices {
		points[i] = c.points[j]
	}
	return points
}

// fibonacci returns n directions, spread evenly over half the sphere along a spiral of golden angles.
func fibonacci(n int) []geom.Vec3 {
	const golden = 137.50776405003785 // degrees
	all := make([]geom.Vec3, n)
	for i := range all {
		z := (float64(i) + 0.5) / float64(n)
		r := math.Sqrt(1 - float64(z*z))
		sin, cos := geom.Angle(math.Mod(golden*float64(i), 360)).SinCos()
		all[i] = geom.Vec3{X: float64(r * cos), Y: float64(r * sin), Z: z}
	}
	return all
}

// normals returns the normals of the triangles, up to their signs, in descending order of the total area of the
// triangles that have the normal. Normals within about a degree count as one.
func normals(triangles [][3]geom.Vec3) []geom.Vec3 {
	type key [3]int32
	type facing struct {
		sum geom.Vec3
		key key
	}
	index := make(map[key]int)
	var all []facing
	for _, t := range triangles {
		area := t[1].Sub(t[0]).Cross(t[2].Sub(t[0]))
		n, ok := geom.Direction(area)
		if !ok {
			continue
		}
		if n.X < 0 || n.X == 0 && (n.Y < 0 || n.Y == 0 && n.Z < 0) {
			area, n = area.Neg(), n.Neg()
		}
		const cells = 64
		k := key{int32(math.Floor(float64(n.X*cells) + 0.5)), int32(math.Floor(float64(n.Y*cells) + 0.5)), int32(math.Floor(float64(n.Z*cells) + 0.5))}
		i, ok := index[k]
		if !ok {
			i = len(all)
			index[k] = i
			all = append(all, facing{key: k})
		}
		all[i].sum = all[i].sum.Add(area)
	}
	slices.SortStableFunc(all, func(a, b facing) int { return cmp.Compare(b.sum.Norm2(), a.sum.Norm2()) })
	var list []geom.Vec3
	for _, f := range all[:min(len(all), maxNormals)] {
		if n, ok := geom.Direction(f.sum); ok {
			list = append(list, n)
		}
	}
	return list
}

// axes returns the directions with which the search begins.
func (c *cloud) axes() []geom.Vec3 {
	all := []geom.Vec3{{X: 1}, {Y: 1}, {Z: 1}}
	p := principal(c.extreme)
	all = append(all, p.X, p.Y, p.Z)
	return append(all, c.normals...)
}

// principal returns the principal axes of points: the eigenvectors of their covariance.
func principal(points []geom.Vec3) geom.Mat3 {
	var center geom.Vec3
	for _, p := range points {
		center = center.Add(p.Div(float64(len(points))))
	}
	var scale float64
	for _, p := range points {
		scale = max(scale, p.Sub(center).MaxAbs())
	}
	if scale == 0 {
		return geom.Identity()
	}
	var m [3][3]float64
	for _, p := range points {
		d := p.Sub(center).Div(scale)
		x := [3]float64{d.X, d.Y, d.Z}
		for i := range 3 {
			for j := range 3 {
				m[i][j] += float64(x[i] * x[j])
			}
		}
	}
	_, axes := eigen.Symmetric(m)
	return axes
}
