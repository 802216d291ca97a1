package fit

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"pillbox/geom"
)

// reference returns the volume with which the solids are compared. If the mesh is closed and its volume is plausible,
// this is the volume of the mesh, and closed is true. Otherwise it is the volume of the convex hull of the cloud's
// extreme points.
func reference(vertices []geom.Vec3, triangles [][3]int, c *cloud) (volume float64, closed bool) {
	hull := hullVolume(c.extreme)
	if isClosed(triangles) {
		v := math.Abs(signedVolume(vertices, triangles))
		// The volume of a mesh that overlaps itself can exceed the volume of its hull. If parts of a mesh face inward,
		// their volumes cancel.
		if v <= float64(hull*1.05) && v > float64(hull*1e-6) {
			return v, true
		}
	}
	return hull, false
}

// isClosed reports whether the triangles bound a volume. They do if along every edge, equally many triangles run in
// each direction.
func isClosed(triangles [][3]int) bool {
	edges := make(map[[2]int]int, len(triangles)*3/2)
	for _, t := range triangles {
		for i := range t {
			if a, b := t[i], t[(i+1)%3]; a < b {
				edges[[2]int{a, b}]++
			} else {
				edges[[2]int{b, a}]--
			}
		}
	}
	for _, n := range edges {
		if n != 0 {
			return false
		}
	}
	return true
}

// signedVolume returns the sum of the signed volumes of the tetrahedra between each triangle and a fixed vertex. If the
// triangles are closed, its magnitude is the volume that they bound.
func signedVolume(vertices []geom.Vec3, triangles [][3]int) float64 {
	var sum float64
	apex := vertices[triangles[0][0]]
	for _, t := range triangles {
		a, b, c := vertices[t[0]].Sub(apex), vertices[t[1]].Sub(apex), vertices[t[2]].Sub(apex)
		sum += a.Dot(b.Cross(c))
	}
	return sum / 6
}

// ConvexHull returns the convex hull of points as triangles of indices, counterclockwise as seen from outside. It
// returns nil if the points lie in a plane, as fewer than four points always do. Points that are outside by no more
// than rounding errors count as inside. The time is proportional to the number of points times the number of triangles.
func ConvexHull(points []geom.Vec3) [][3]int {
	h, ok := newHull(points)
	if !ok {
		return nil
	}
	for i := range points {
		h.addPoint(i)
	}
	return h.faces
}

// hullVolume returns the volume of the convex hull of points, or 0 if they lie in a plane.
func hullVolume(points []geom.Vec3) float64 {
	faces := ConvexHull(points)
	if len(faces) == 0 {
		return 0
	}
	return max(0, signedVolume(points, faces))
}

// hull is the convex hull of some points.
type hull struct {
	points []geom.Vec3
	faces  [][3]int // counterclockwise from outside
	least  float64  // tolerance: a point counts as inside of a face if 6 times the volume of their tetrahedron is no larger
}

// newHull returns the hull of four of the points, chosen so that they do not lie in a plane. It returns false if all
// points lie in a plane, up to rounding.
func newHull(points []geom.Vec3) (*hull, bool) {
	if len(points) < 4 {
		return nil, false
	}
	farthest := func(measure func(geom.Vec3) float64) (best int) {
		most := -1.0
		for i, p := range points {
			if x := measure(p); x > most {
				best, most = i, x
			}
		}
		return best
	}
	a := farthest(func(p geom.Vec3) float64 { return p.Sub(points[0]).Norm2() })
	b := farthest(func(p geom.Vec3) float64 { return p.Sub(points[a]).Norm2() })
	edge := points[b].Sub(points[a])
	c := farthest(func(p geom.Vec3) float64 { return edge.Cross(p.Sub(points[a])).Norm2() })
	across := edge.Cross(points[c].Sub(points[a]))
	d := farthest(func(p geom.Vec3) float64 { return math.Abs(across.Dot(p.Sub(points[a]))) })
	size := edge.Norm()
	h := &hull{points: points, least: 1e-12 * size * size * size}
	height := across.Dot(points[d].Sub(points[a]))
	if !(math.Abs(height) > h.least) {
		return nil, false
	}
	if height > 0 {
		b, c = c, b
	}
	h.faces = [][3]int{{a, b, c}, {a, d, b}, {b, d, c}, {c, d, a}}
	return h, true
}

// addPoint extends the hull to contain a point. The faces that are visible from the point are replaced by new faces, between
// the point and the border of the visible faces.
func (h *hull) addPoint(i int) {
	p := h.points[i]
	kept := h.faces[:0:0]
	border := make(map[[2]int]bool)
	for _, f := range h.faces {
		a, b, c := h.points[f[0]], h.points[f[1]], h.points[f[2]]
		if b.Sub(a).Cross(c.Sub(a)).Dot(p.Sub(a)) <= h.least {
			kept = append(kept, f)
			continue
		}
		for j := range f {
			from, to := f[j], f[(j+1)%3]
			if border[[2]int{to, from}] {
				delete(border, [2]int{to, from}) // an edge between two visible faces
			} else {
				border[[2]int{from, to}] = true
			}
		}
	}
	if len(kept) == len(h.faces) {
		return
	}
	h.faces = kept
	for _, e := range slices.SortedFunc(maps.Keys(border), func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) }) {
		h.faces = append(h.faces, [3]int{e[0], e[1], i})
	}
}
