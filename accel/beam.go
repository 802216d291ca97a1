package accel

import "pillbox/geom"

// spread makes h the hull of all rays of a packet: four planes through the origin.
func (h *hull) spread(p *geom.Packet, f *frame) {
	x0 := (float64(p.X0)+0.5)/p.Density - p.CenterX
	x1 := (float64(p.X0+p.NX)-0.5)/p.Density - p.CenterX
	y1 := p.CenterY - (float64(p.Y0)+0.5)/p.Density
	y0 := p.CenterY - (float64(p.Y0+p.NY)-0.5)/p.Density
	// The rays' unscaled direction is shortest where the packet is nearest to the axis.
	f.shortest = p.Dir.AddScaled(nearest0(x0, x1), p.DX).AddScaled(nearest0(y0, y1), p.DY).Norm() * (1 - 0x1p-20)
	mid := p.Dir.AddScaled((x0+x1)/2, p.DX).AddScaled((y0+y1)/2, p.DY).Unit()
	h.bounds, h.count = everywhere(), 0
	for _, n := range [4]geom.Vec3{
		f.a.AddScaled(-x0, f.c).Neg(), f.a.AddScaled(-x1, f.c),
		f.b.AddScaled(-y0, f.c).Neg(), f.b.AddScaled(-y1, f.c),
	} {
		h.bound(n, n.Dot(f.o)+float64(f.slack*n.Norm()))
	}
	h.ahead.set(mid, mid.Dot(f.o)+f.slack)
}

func nearest0(lo, hi float64) float64 { return max(lo, min(hi, 0)) }
