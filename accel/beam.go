package accel

import "pillbox/geom"

// spread makes h the hull of all rays of a packet: four planes, through the origin if the rays
// come from there.
func (h *hull) spread(p *geom.Packet, f *frame) {
	x0 := (float64(p.X0)+0.5)/p.Density - p.CenterX
	x1 := (float64(p.X0+p.NX)-0.5)/p.Density - p.CenterX
	y1 := p.CenterY - (float64(p.Y0)+0.5)/p.Density
	y0 := p.CenterY - (float64(p.Y0+p.NY)-0.5)/p.Density
	h.bounds, h.count = everywhere(), 0
	// The distance of parallel rays is exactly the product with c. Dir would do if it were exactly
	// perpendicular to DX and DY.
	h.ahead.set(f.c, f.c.Dot(f.o)+float64(f.slack*f.nc))
	f.shortest = 1
	if !p.Parallel {
		// The rays' unscaled direction is shortest where the packet is nearest to the axis.
		f.shortest = p.Dir.AddScaled(nearest0(x0, x1), p.DX).AddScaled(nearest0(y0, y1), p.DY).Norm() * (1 - 0x1p-20)
		mid := p.Dir.AddScaled((x0+x1)/2, p.DX).AddScaled((y0+y1)/2, p.DY).Unit()
		h.ahead.set(mid, mid.Dot(f.o)+f.slack)
	}
	h.limit(f, f.a, x0, -1)
	h.limit(f, f.a, x1, 1)
	h.limit(f, f.b, y0, -1)
	h.limit(f, f.b, y1, 1)
}

// limit adds the plane on which the offset that a row of the frame's matrix gives is x. The hull
// lies on the side of smaller offsets if side is 1, of greater ones if it is -1.
func (h *hull) limit(f *frame, row geom.Vec3, x, side float64) {
	n, k := row, x
	if !f.packet.Parallel {
		n, k = row.AddScaled(-x, f.c), 0 // a multiple of the distance
	}
	n = n.Scale(side)
	h.bound(n, n.Dot(f.o)+float64(side*k)+float64(f.slack*n.Norm()))
}

func nearest0(lo, hi float64) float64 { return max(lo, min(hi, 0)) }
