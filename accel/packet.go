package accel

import (
	"math"
	"math/bits"
	"slices"

	"pillbox/geom"
)

// blockSide is the largest number of columns and rows that are traced at once.
const (
	blockSide = 16
	maxRays   = blockSide * blockSide
)

// rays are the rays of one packet, in rows of blockSide, and what they met so far. Kernels
// know its layout.
type rays struct {
	x, y, z [maxRays]float64 // directions
	t       [maxRays]float64 // distances of what they met, math.MaxFloat64 if nothing
	met     [maxRays]int64   // and what that is, see meeting

	nx, ny, nz [maxRays]float64 // outward normals there, as far as they are made
	_          [lanes]float64   // kernels write whole groups of lanes

	// Scratch memory of the portable code.
	members   [maxRays]uint8
	chosen    []uint8
	near, far [maxRays]float64
}

// meeting says which solid a ray meets, by its slot, and from which side. It is negative if
// the ray meets none.
func meeting(slot int32, inside bool) int64 {
	m := int64(slot) << 1
	if inside {
		m++
	}
	return m
}

const nothing int64 = -1

func slotOf(met int64) int32  { return int32(met >> 1) }
func insideOf(met int64) bool { return met&1 != 0 }

func (r *rays) dir(i int) geom.Vec3 { return geom.Vec3{X: r.x[i], Y: r.y[i], Z: r.z[i]} }

// window says which rays a solid is tested against and what to store for those that meet it.
// Kernels know its layout.
type window struct {
	offset    uint64  // of the first row, in bytes
	rows      uint64  // how many, at least one
	columns   uint64  // a bit for each column, at least one
	tMin      float64 // rays that met something before this distance cannot meet the solid
	near, far int64   // meetings
}

// raster is where the rays of a packet go. Kernels know its layout.
type raster struct {
	columns  [blockSide]float64 // offsets of the columns in the picture
	left, dx geom.Vec3          // a ray's direction is that of left + column dx
}

// bundle finds what the rays of one packet meet first. The tree is walked once for all of
// them, front to back.
type bundle struct {
	*World
	packet geom.Packet
	frame  frame
	beam   hull
	lens   lens
	walk   traversal

	// The solid that is being tested, as it is seen from the eye.
	ball  ballFrom
	pill  pillFrom
	block blockFrom

	rays
	raster   raster
	made     uint32  // a bit for each row whose directions are made
	begun    bool    // the rays are ready for the first test
	touched  bool    // some ray met something
	farthest float64 // of what the rays met
	witness  int     // the ray that met it
}

func (b *bundle) reset(p geom.Packet, f frame) {
	b.packet, b.frame = p, f
	b.frame.packet = &b.packet
	b.beam.spread(&b.packet, &b.frame)
	b.made, b.begun, b.touched = 0, false, false
	b.farthest, b.witness = math.MaxFloat64, 0
}

// begin makes the rays ready: most packets of many pictures never come that far.
func (b *bundle) begin() {
	b.begun = true
	b.lens.focus(&b.packet, &b.frame)
	p := &b.packet
	b.raster.dx = p.DX
	for i := range p.NX {
		b.raster.columns[i] = (float64(p.X0+i)+0.5)/p.Density - p.CenterX
	}
	for j := range p.NY {
		row := j * blockSide
		for i := range blockSide {
			b.t[row+i], b.met[row+i] = math.MaxFloat64, nothing
		}
		// What lies beyond the packet never meets anything and is never the farthest.
		for i := p.NX; i < blockSide; i++ {
			b.t[row+i] = 0
		}
	}
}

func (b *bundle) trace() {
	b.walk.start(&b.tree, &b.beam)
	for leaf := b.walk.next(b.farthest); leaf != nil; leaf = b.walk.next(b.farthest) {
		if !b.begun {
			b.begin()
		}
		for _, slot := range leaf {
			b.test(slot)
		}
		if b.t[b.witness] < b.farthest {
			b.farthest = b.rays.farthest(b.packet.NY)
			b.witness = slices.Index(b.t[:], b.farthest)
		}
	}
}

// farthest returns the greatest distance in the first rows.
func (r *rays) farthest(rows int) float64 {
	if far, ok := farthestRay(r, rows); ok {
		return far
	}
	far := 0.0
	for _, t := range r.t[:rows*blockSide] {
		if t > far {
			far = t
			if t == math.MaxFloat64 {
				break
			}
		}
	}
	return far
}

// test tests a solid against the rays inside the rectangle that it projects to.
func (b *bundle) test(slot int32) {
	i := int(slot)
	if i < len(b.balls) {
		s := &b.balls[i]
		r, tMin := b.frame.ball(s, &b.lens)
		if r.empty() || tMin > b.farthest {
			return
		}
		v, w := &b.ball, b.window(r, tMin, slot)
		s.from(b.frame.o, v)
		if b.left(meetBall(&b.rays, &w, v)) && b.choose(r, tMin) {
			v.chords(&b.rays, b.chosen)
			b.keep(slot)
		}
		return
	}
	if i -= len(b.balls); i < len(b.pills) {
		s := &b.pills[i]
		r, tMin := b.frame.pill(s, &b.lens)
		if r.empty() || tMin > b.farthest {
			return
		}
		v, w := &b.pill, b.window(r, tMin, slot)
		s.from(b.frame.o, v)
		if b.left(meetPill(&b.rays, &w, v)) && b.choose(r, tMin) {
			v.chords(&b.rays, b.chosen)
			b.keep(slot)
		}
		return
	}
	s := &b.blocks[i-len(b.pills)]
	r, tMin := b.frame.block(s, &b.lens)
	if r.empty() || tMin > b.farthest {
		return
	}
	v, w := &b.block, b.window(r, tMin, slot)
	s.from(b.frame.o, v)
	if b.left(meetBlock(&b.rays, &w, v)) && b.choose(r, tMin) {
		v.chords(&b.rays, b.chosen)
		b.keep(slot)
	}
}

// window prepares the rays in r for a test of the solid in a slot.
func (b *bundle) window(r rect, tMin float64, slot int32) window {
	b.makeRows(r.y0, r.y1)
	return window{
		offset:  uint64(r.y0 * blockSide * 8),
		rows:    uint64(r.y1 - r.y0),
		columns: 1<<r.x1 - 1<<r.x0,
		tMin:    tMin,
		near:    meeting(slot, false),
		far:     meeting(slot, true),
	}
}

// left notes what a kernel did and reports whether it left rays to the portable code.
func (b *bundle) left(o verdict) bool {
	if o.met() {
		b.touched = true
	}
	return o.undecided()
}

// choose chooses the rays in r that have met nothing before tMin yet and reports whether
// there are any.
func (b *bundle) choose(r rect, tMin float64) bool {
	n := 0
	for j := r.y0; j < r.y1; j++ {
		row := j * blockSide
		for i, t := range b.t[row+r.x0 : row+r.x1] {
			b.members[n&(maxRays-1)] = uint8(row + r.x0 + i)
			if t >= tMin {
				n++
			}
		}
	}
	b.chosen = b.members[:n]
	return n > 0
}

// keep keeps the crossings of the chosen rays with a solid that lie before what they met so far.
func (b *bundle) keep(slot int32) {
	for k, i := range b.chosen {
		t, inside := b.near[k], false
		if !(t > 0) {
			t, inside = b.far[k], true
			if !(t > 0) {
				continue
			}
		}
		if t < b.t[i] || t == b.t[i] && b.number(slot) < b.number(slotOf(b.met[i])) {
			b.t[i], b.met[i] = t, meeting(slot, inside)
			b.touched = true
		}
	}
}

// makeRows makes the directions of rows y0, ..., y1 - 1 unless they are made: those of
// [geom.Packet.Ray], with what a row and a column have in common computed once.
func (b *bundle) makeRows(y0, y1 int) {
	missing := (uint32(1)<<y1 - uint32(1)<<y0) &^ b.made
	b.made |= missing
	p := &b.packet
	for ; missing != 0; missing &= missing - 1 {
		j := bits.TrailingZeros32(missing)
		y := p.CenterY - (float64(p.Y0+j)+0.5)/p.Density
		b.raster.left = p.Dir.AddScaled(y, p.DY)
		if makeDirections(&b.rays, &b.raster, j) {
			continue
		}
		for i := range p.NX {
			d := b.raster.left.AddScaled(b.raster.columns[i], p.DX).Unit()
			k := (j*blockSide + i) & (maxRays - 1)
			b.x[k], b.y[k], b.z[k] = d.X, d.Y, d.Z
		}
	}
}

// finish stores what the rays met, in rows of the given stride, and returns how many met
// something.
func (b *bundle) finish(hits []Hit, stride int) int {
	met := 0
	if !b.touched {
		for j := range b.packet.NY {
			clearHits(hits[j*stride:][:b.packet.NX])
		}
		return 0
	}
	for j := range b.packet.NY {
		row := j * blockSide
		for i := 0; i < b.packet.NX; {
			from, slot := row+i, b.met[row+i]>>1
			for i++; i < b.packet.NX && b.met[row+i]>>1 == slot; i++ {
			}
			if b.finishRun(hits[j*stride+from-row:], from, row+i) {
				met += row + i - from
			}
		}
	}
	return met
}

// finishRun stores what the rays from, ..., to - 1 met and reports whether they met
// anything: all of them the same solid, or nothing.
func (b *bundle) finishRun(hits []Hit, from, to int) bool {
	hits = hits[:to-from]
	if b.met[from] == nothing {
		clearHits(hits)
		return false
	}
	slot := slotOf(b.met[from])
	b.makeNormals(slot, from, to)
	number := b.number(slot)
	for k := range hits {
		// Field by field: a whole Hit would be put together elsewhere first, and copied.
		i, h := (from+k)&(maxRays-1), &hits[k]
		t := b.t[i]
		h.T = t
		h.Point.X = b.frame.o.X + float64(t*b.x[i])
		h.Point.Y = b.frame.o.Y + float64(t*b.y[i])
		h.Point.Z = b.frame.o.Z + float64(t*b.z[i])
		h.Normal.X, h.Normal.Y, h.Normal.Z = b.nx[i], b.ny[i], b.nz[i]
		h.Object, h.Inside = number, insideOf(b.met[i])
	}
	return true
}

// makeNormals makes the normals of rays from, ..., to - 1, all of which meet the solid in a
// slot.
func (b *bundle) makeNormals(slot int32, from, to int) {
	i := int(slot)
	if i < len(b.balls) {
		v := &b.ball
		b.balls[i].from(b.frame.o, v)
		if !ballNormals(&b.rays, v, from, to) {
			for i := from; i < to; i++ {
				b.setNormal(i, v.normal(b.dir(i), b.t[i]))
			}
		}
		return
	}
	if i -= len(b.balls); i < len(b.pills) {
		v := &b.pill
		b.pills[i].from(b.frame.o, v)
		if !pillNormals(&b.rays, v, from, to) {
			for i := from; i < to; i++ {
				b.setNormal(i, v.normal(b.dir(i), b.t[i]))
			}
		}
		return
	}
	v := &b.block
	b.blocks[i-len(b.pills)].from(b.frame.o, v)
	if !blockNormals(&b.rays, v, from, to) {
		for i := from; i < to; i++ {
			b.setNormal(i, v.normal(b.dir(i), b.t[i]))
		}
	}
}

func (r *rays) setNormal(i int, n geom.Vec3) { r.nx[i], r.ny[i], r.nz[i] = n.X, n.Y, n.Z }

// clearHits stores that nothing was met.
func clearHits(hits []Hit) {
	for i := range hits {
		hits[i].T, hits[i].Object = math.Inf(1), None
	}
}
