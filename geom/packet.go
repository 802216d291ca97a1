package geom

// Packet is a grid of coherent rays through neighboring samples of one picture, NX columns by NY rows,
// in row-major order from the top left. The rays share their origin (perspective) or their direction
// (parallel). A Packet only describes the rays; [Packet.SampleRay] computes one. So a query that finds that no ray
// of the packet can hit a solid need not compute the rays.
//
// Let x and y be the offsets of a sample from the picture's center, in pixels:
// x = (X0 + i + 0.5)/Density - CenterX and y = CenterY - (Y0 + j + 0.5)/Density. Ray i, j is
//
//	perspective: from Origin along the unit vector of (Dir + y DY) + x DX
//	parallel:    from (Origin + y DY) + x DX along Dir
//
// Dir, DX and DY should be perpendicular to each other, except for rounding. If they are not, queries are
// slower: they trace the rays one by one.
type Packet struct {
	Parallel         bool
	Origin, Dir      Vec3    // Dir has unit length
	DX, DY           Vec3    // one pixel to the right, one pixel up
	CenterX, CenterY float64 // half the picture's width and height, in pixels
	Density          float64 // samples per pixel along each axis, positive
	X0, Y0           int     // the first sample's column and row, counted in samples
	NX, NY           int
}

// Len returns the number of rays, NX*NY.
func (p *Packet) Len() int { return p.NX * p.NY }

// SampleRay returns the ray of column i and row j, 0 <= i < NX and 0 <= j < NY. For a given picture and
// density, it depends only on X0+i and Y0+j, not on where the packet begins.
func (p *Packet) SampleRay(i, j int) Ray {
	if p.Parallel {
		x, y := p.sampleOffset(i, j)
		return Ray{p.Origin.AddScaled(y, p.DY).AddScaled(x, p.DX), p.Dir}
	}
	return Ray{p.Origin, p.SampleDirection(i, j)}
}

// SampleDirection returns the direction of ray i, j. It is faster than [Packet.SampleRay].
func (p *Packet) SampleDirection(i, j int) Vec3 {
	if p.Parallel {
		return p.Dir
	}
	x, y := p.sampleOffset(i, j)
	return p.Dir.AddScaled(y, p.DY).AddScaled(x, p.DX).Unit()
}

// sampleOffset returns where the sample of ray i, j lies, in pixels from the picture's center.
func (p *Packet) sampleOffset(i, j int) (x, y float64) {
	return (float64(p.X0+i)+0.5)/p.Density - p.CenterX, p.CenterY - (float64(p.Y0+j)+0.5)/p.Density
}

// At returns ray i of the packet in row-major order, 0 <= i < Len().
func (p *Packet) At(i int) Ray { return p.SampleRay(i%p.NX, i/p.NX) }

// Origins returns bounds that contain the origins of all rays.
func (p *Packet) Origins() Bounds {
	b := Bounds{p.Origin, p.Origin}
	if p.Parallel {
		b = EmptyBounds()
		for _, corner := range [4]Ray{p.SampleRay(0, 0), p.SampleRay(p.NX-1, 0), p.SampleRay(0, p.NY-1), p.SampleRay(p.NX-1, p.NY-1)} {
			b = b.Include(corner.Origin)
		}
	}
	return b
}
