//go:build amd64 || wasm

package accel

import (
	"testing"
	"unsafe"
)

// TestLayout holds the structs that kernels read to the offsets in kernelgen.
func TestLayout(t *testing.T) {
	const (
		array = maxRays * 8
		line  = (maxGrouped + lanes) * 8
		vec   = lanes * 8
	)
	var (
		r    rays
		w    window
		g    raster
		l    laneProjection
		p    footprint
		ls   shadowRays
		b    sphereFrom
		pl   capsuleFrom
		bl   boxFrom
		own  sphere
		ownP capsule
		ownB box
		h    frustum
		sc   screen
		sr   screenRow
		dp   depthBuffer
		en   entered
		pn   plane
		n    node
		de   traversalState
		tu   streamOrder
		it   item
		bl2  bins
		dep  SecondaryRay
	)
	for _, c := range []struct {
		field     string
		got, want uintptr
	}{
		{"rays.t", unsafe.Offsetof(r.t), 0},
		{"rays.x", unsafe.Offsetof(r.x), array},
		{"rays.y", unsafe.Offsetof(r.y), 2 * array},
		{"rays.z", unsafe.Offsetof(r.z), 3 * array},
		{"rays.nx", unsafe.Offsetof(r.nx), 4 * array},
		{"rays.ny", unsafe.Offsetof(r.ny), 5 * array},
		{"rays.nz", unsafe.Offsetof(r.nz), 6 * array},
		{"rays.met", unsafe.Offsetof(r.met), 7*array + vec},
		{"rays.dir", unsafe.Offsetof(r.dir), 8*array + vec},
		{"rays.scratch", unsafe.Offsetof(r.scratch), 8*array + vec + 24},
		{"size of rays.scratch", unsafe.Sizeof(r.scratch), 12 * vec},
		{"window.offset", unsafe.Offsetof(w.offset), 0},
		{"window.rows", unsafe.Offsetof(w.rows), 8},
		{"window.columns", unsafe.Offsetof(w.columns), 16},
		{"window.tMin", unsafe.Offsetof(w.tMin), 24},
		{"window.near", unsafe.Offsetof(w.near), 32},
		{"window.far", unsafe.Offsetof(w.far), 40},
		{"raster.columns", unsafe.Offsetof(g.columns), 0},
		{"raster.left", unsafe.Offsetof(g.left), 8 * packetSide},
		{"raster.dx", unsafe.Offsetof(g.dx), 8*packetSide + 24},
		{"laneProjection.x", unsafe.Offsetof(l.x), 0},
		{"laneProjection.y", unsafe.Offsetof(l.y), vec},
		{"laneProjection.z", unsafe.Offsetof(l.z), 2 * vec},
		{"laneProjection.norms", unsafe.Offsetof(l.norms), 3 * vec},
		{"laneProjection.offset", unsafe.Offsetof(l.offset), 4 * vec},
		{"laneProjection.center", unsafe.Offsetof(l.center), 5 * vec},
		{"laneProjection.before", unsafe.Offsetof(l.before), 6 * vec},
		{"laneProjection.after", unsafe.Offsetof(l.after), 7 * vec},
		{"laneProjection.size", unsafe.Offsetof(l.size), 8 * vec},
		{"laneProjection.last", unsafe.Offsetof(l.last), 9 * vec},
		{"laneProjection.o", unsafe.Offsetof(l.o), 10 * vec},
		{"laneProjection.slack", unsafe.Offsetof(l.slack), 10*vec + 24},
		{"laneProjection.density", unsafe.Offsetof(l.density), 10*vec + 32},
		{"footprint.x0", unsafe.Offsetof(p.x0), 0},
		{"footprint.y0", unsafe.Offsetof(p.y0), 4},
		{"footprint.x1", unsafe.Offsetof(p.x1), 8},
		{"footprint.y1", unsafe.Offsetof(p.y1), 12},
		{"footprint.tMin", unsafe.Offsetof(p.tMin), 16},
		{"shadowRays.ox", unsafe.Offsetof(ls.ox), 0},
		{"shadowRays.dx", unsafe.Offsetof(ls.dx), 3 * line},
		{"shadowRays.dist", unsafe.Offsetof(ls.dist), 6 * line},
		{"shadowRays.open", unsafe.Offsetof(ls.open), 7 * line},
		{"size of shadowRays", unsafe.Sizeof(ls), 8*line + 12*vec},
		{"sphereFrom.f", unsafe.Offsetof(b.f), 0},
		{"sphereFrom.r2", unsafe.Offsetof(b.r2), 32},
		{"capsuleFrom.a", unsafe.Offsetof(pl.a), 0},
		{"capsuleFrom.b", unsafe.Offsetof(pl.b), 40},
		{"capsuleFrom.axis", unsafe.Offsetof(pl.axis), 80},
		{"capsuleFrom.u", unsafe.Offsetof(pl.u), 104},
		{"capsuleFrom.length", unsafe.Offsetof(pl.length), 128},
		{"capsuleFrom.y", unsafe.Offsetof(pl.y), 136},
		{"capsuleFrom.f2", unsafe.Offsetof(pl.f2), 144},
		{"boxFrom.axes", unsafe.Offsetof(bl.axes), 0},
		{"boxFrom.lower", unsafe.Offsetof(bl.lower), 72},
		{"boxFrom.upper", unsafe.Offsetof(bl.upper), 96},
		{"sphere.Center", unsafe.Offsetof(own.Sphere.Center), 0},
		{"sphere.Radius", unsafe.Offsetof(own.Sphere.Radius), 24},
		{"size of sphere", unsafe.Sizeof(own), 32},
		{"capsule.A", unsafe.Offsetof(ownP.Capsule.A), 0},
		{"capsule.B", unsafe.Offsetof(ownP.Capsule.B), 24},
		{"capsule.Radius", unsafe.Offsetof(ownP.Capsule.Radius), 48},
		{"capsule.u", unsafe.Offsetof(ownP.u), 56},
		{"capsule.length", unsafe.Offsetof(ownP.length), 80},
		{"box.Center", unsafe.Offsetof(ownB.Box.Center), 0},
		{"box.HalfExtents", unsafe.Offsetof(ownB.Box.HalfExtents), 24},
		{"box.Rotation", unsafe.Offsetof(ownB.Box.Rotation), 48},
		{"screen.column", unsafe.Offsetof(sc.column), 0},
		{"screen.row", unsafe.Offsetof(sc.row), 64},
		{"screen.depth", unsafe.Offsetof(sc.depth), 128},
		{"screen.last", unsafe.Offsetof(sc.last), 192},
		{"screen.margin", unsafe.Offsetof(sc.margin), 208},
		{"screen.perspective", unsafe.Offsetof(sc.perspective), 216},
		{"screen.constant", unsafe.Offsetof(sc.constant), 224},
		{"screen.shortest", unsafe.Offsetof(sc.shortest), 232},
		{"screenRow.n", unsafe.Offsetof(sr.n), 0},
		{"screenRow.reach", unsafe.Offsetof(sr.reach), 24},
		{"screenRow.k", unsafe.Offsetof(sr.k), 48},
		{"screenRow.slack", unsafe.Offsetof(sr.slack), 56},
		{"depths.of", unsafe.Offsetof(dp.of), 0},
		{"size of depths.of", unsafe.Sizeof(dp.of), 3 * 64 * 4},
		{"entered.n", unsafe.Offsetof(en.n), 0},
		{"entered.t", unsafe.Offsetof(en.t), 8},
		{"entered.order", unsafe.Offsetof(en.order), 72},
		{"entered's scratch memory", unsafe.Offsetof(en.scratch), 104},
		{"size of it", unsafe.Sizeof(en.scratch), 10 * vec},
		{"frustum.bounds", unsafe.Offsetof(h.bounds), 0},
		{"frustum.ahead", unsafe.Offsetof(h.ahead), 48},
		{"frustum.count", unsafe.Offsetof(h.count), 104},
		{"frustum.planes", unsafe.Offsetof(h.planes), 112},
		{"plane.up", unsafe.Offsetof(pn.up), 0},
		{"plane.down", unsafe.Offsetof(pn.down), 24},
		{"plane.k", unsafe.Offsetof(pn.k), 48},
		{"size of plane", unsafe.Sizeof(pn), 56},
		{"node.bounds", unsafe.Offsetof(n.bounds), 0},
		{"size of node.bounds[0]", unsafe.Sizeof(n.bounds[0]), 96},
		{"size of node", unsafe.Sizeof(n), 256},
		{"node.children", unsafe.Offsetof(n.children), 192},
		{"item.lower", unsafe.Offsetof(it.lower), 0},
		{"item.upper", unsafe.Offsetof(it.upper), 16},
		{"size of item", unsafe.Sizeof(it), 32},
		{"bins.lo", unsafe.Offsetof(bl2.lo), 0},
		{"bins.scale", unsafe.Offsetof(bl2.scale), 32},
		{"bins.last", unsafe.Offsetof(bl2.last), 64},
		{"bins.all", unsafe.Offsetof(bl2.all), 96},
		{"size of bounds32", unsafe.Sizeof(bl2.all[0][0]), 32},
		{"bins.count", unsafe.Offsetof(bl2.count), 96 + 3*maxBins*32},
		{"bins.best", unsafe.Offsetof(bl2.best), 96 + 3*maxBins*36},
		{"bins.costs", unsafe.Offsetof(bl2.costs), 96 + 3*maxBins*36 + 80},
		{"bestCut.axis", unsafe.Offsetof(bl2.best.axis), 8},
		{"bestCut.last", unsafe.Offsetof(bl2.best.last), 12},
		{"bestCut.lower", unsafe.Offsetof(bl2.best.lower), 16},
		{"bestCut.upper", unsafe.Offsetof(bl2.best.upper), 48},
		{"SecondaryRay.Ray", unsafe.Offsetof(dep.Ray), 0},
		{"size of SecondaryRay", unsafe.Sizeof(dep), 80},
		{"descent.near", unsafe.Offsetof(de.near), 0},
		{"descent.far", unsafe.Offsetof(de.far), 12},
		{"descent.inv", unsafe.Offsetof(de.inv), 24},
		{"descent.descends", unsafe.Offsetof(de.descends), 36},
		{"descent.limit", unsafe.Offsetof(de.limit), 48},
		{"descent.own", unsafe.Offsetof(de.own), 52},
		{"descent.n", unsafe.Offsetof(de.n), 56},
		{"descent.visited", unsafe.Offsetof(de.visited), 64},
		{"descent.tested", unsafe.Offsetof(de.tested), 72},
		{"descent.tMax", unsafe.Offsetof(de.tMax), 80},
		{"descent.enters", unsafe.Offsetof(de.enters), 88},
		{"descent.ray", unsafe.Offsetof(de.ray), 96},
		{"size of descent.ray", unsafe.Sizeof(de.ray), 48},
		{"descent.here", unsafe.Offsetof(de.here), 144},
		{"descent.hits", unsafe.Offsetof(de.hits), 152},
		{"descent.keys", unsafe.Offsetof(de.keys), 160},
		{"descent.key", unsafe.Offsetof(de.key), 192},
		{"descent.first", unsafe.Offsetof(de.first), 192 + 4*(maxStack+fanout)},
		{"descent.count", unsafe.Offsetof(de.count), 192 + 8*(maxStack+fanout)},
		{"turns.order", unsafe.Offsetof(tu.order), 0},
		{"size of turns.order", unsafe.Sizeof(tu.order), 4 * 32},
		{"size of turns", unsafe.Sizeof(tu), 5 * 4 * 32},
	} {
		if c.got != c.want {
			t.Errorf("%s is at %d, and at %d for the kernels", c.field, c.got, c.want)
		}
	}
}
