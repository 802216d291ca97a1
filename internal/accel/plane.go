package accel

import "pillbox/geom"

// plane is a linear function of a point, n.p - k. The positive and the negative components of n are
// stored separately: the signs determine the corner of a box in which the function has its minimum.
type plane struct {
	up, down geom.Vec3
	k        float64
}

// set makes p the function n.q - k of a point q.
func (p *plane) set(n geom.Vec3, k float64) {
	p.up.X, p.up.Y, p.up.Z = max(n.X, 0), max(n.Y, 0), max(n.Z, 0)
	p.down.X, p.down.Y, p.down.Z = min(n.X, 0), min(n.Y, 0), min(n.Z, 0)
	p.k = k
}

// least returns the minimum of the function in the bounds with corners lo and hi. The corners are separate
// arguments so that the compiler keeps them in registers.
func (p *plane) least(lo, hi geom.Vec3) float64 { return p.up.Dot(lo) + p.down.Dot(hi) - p.k }
