package accel

import (
	"math"

	"pillbox/geom"
)

// frustum is a convex volume that holds a group of rays: the points inside some bounds and on the
// inner side of some planes. A packet's frustum has four planes; a [shaft] has up to twelve, and
// bounds. Kernels know its layout.
type frustum struct {
	bounds region
	ahead  plane // a lower bound of the distance at which a ray comes to a point
	count  int
	planes [maxPlanes]plane
}

const maxPlanes = 12

// addPlane adds a plane: the frustum lies where n.p - k is not positive.
func (f *frustum) addPlane(n geom.Vec3, k float64) {
	f.planes[f.count].set(n, k)
	f.count++
}

// enter implements volume.
func (f *frustum) enter(n *node, t *[fanout]float64) {
	if enterFrustum(f, n, t) {
		return
	}
	for k := range t {
		t[k] = math.Inf(1)
		if n.children[k].count >= 0 {
			t[k] = f.entry(n.corners(k))
		}
	}
}

// entry returns the distance at which the frustum enters the bounds between two corners, or a lower
// bound of it, and +Inf if it has no point in it.
func (f *frustum) entry(lo, hi geom.Vec3) float64 {
	if !f.bounds.overlaps(lo, hi) {
		return math.Inf(1)
	}
	for i := range f.planes[:f.count] {
		if f.planes[i].least(lo, hi) > 0 {
			return math.Inf(1)
		}
	}
	return f.ahead.least(lo, hi)
}

// enclose makes f the frustum of all rays of a projection's packet. Its planes pass through the rays' common
// origin or, if the rays are parallel, contain their direction.
func (f *frustum) enclose(proj *projection) {
	p := proj.packet
	x, y := offsets(p)
	f.bounds, f.count = everywhere(), 0
	// The distance of parallel rays is exactly the product with c. Dir would do if it were exactly
	// perpendicular to DX and DY.
	f.ahead.set(proj.c, proj.c.Dot(proj.o)+float64(proj.slack*proj.nc))
	if !p.Parallel {
		mid := p.Dir.AddScaled((x.lo+x.hi)/2, p.DX).AddScaled((y.lo+y.hi)/2, p.DY).Unit()
		f.ahead.set(mid, mid.Dot(proj.o)+proj.slack)
	}
	f.addSide(proj, proj.a, x.lo, -1)
	f.addSide(proj, proj.a, x.hi, 1)
	f.addSide(proj, proj.b, y.lo, -1)
	f.addSide(proj, proj.b, y.hi, 1)
}

// addSide adds the plane of all points whose offset in the picture, as the given row of the
// projection's matrix computes it, is x. The frustum lies on the side of smaller offsets if side
// is 1, of greater ones if it is -1.
func (f *frustum) addSide(proj *projection, row geom.Vec3, x, side float64) {
	n, k := row, x
	if !proj.packet.Parallel {
		n, k = row.AddScaled(-x, proj.c), 0 // a multiple of the distance
	}
	n = n.Scale(side)
	f.addPlane(n, n.Dot(proj.o)+float64(side*k)+float64(proj.slack*n.Norm()))
}
