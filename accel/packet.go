package accel

import (
	"math"
	"math/bits"

	"pillbox/geom"
)

// blockSide is the largest number of columns and rows that are traced at once.
const (
	blockSide = 16
	maxRays   = blockSide * blockSide
)

// bundle finds what the rays of one packet meet first. The tree is walked once for all of
// them, front to back.
type bundle struct {
	*World
	packet geom.Packet
	frame  frame
	beam   beam

	unhit    int  // how many rays have met nothing yet
	stale    bool // farthest may have become too large
	farthest float64

	columns [blockSide]float64 // where the columns lie in the picture
	made    [blockSide]uint32  // for each row, a bit for each column whose direction is made
	dirs    directions
	t       distances
	slot    [maxRays]int32
	inside  [maxRays]bool

	members   [maxRays]uint8
	chosen    []uint8
	near, far distances
	walk      traversal
}

func (b *bundle) reset(p geom.Packet, f frame) {
	b.packet, b.frame = p, f
	b.frame.packet = &b.packet
	b.beam = newBeam(&b.packet, &b.frame)
	b.unhit, b.stale, b.farthest = p.Len(), false, math.MaxFloat64
	clear(b.made[:p.NY])
	for i := range p.NX {
		b.columns[i] = (float64(p.X0+i)+0.5)/p.Density - p.CenterX
	}
	for j := range p.NY {
		row := j * blockSide
		for i := range p.NX {
			b.t[row+i], b.slot[row+i] = math.MaxFloat64, None
		}
	}
}

func (b *bundle) trace() {
	b.walk.start(&b.tree, &b.beam)
	for leaf := b.walk.next(b.farthest); leaf != nil; leaf = b.walk.next(b.farthest) {
		for _, slot := range leaf {
			b.test(slot)
		}
		b.shorten()
	}
}

// shorten lowers farthest to the farthest hit once every ray has one.
func (b *bundle) shorten() {
	if b.unhit > 0 || !b.stale {
		return
	}
	b.stale = false
	far := 0.0
	for j := range b.packet.NY {
		for _, t := range b.t[j*blockSide:][:b.packet.NX] {
			if t > far {
				far = t
			}
		}
	}
	b.farthest = far
}

// test tests a solid against the rays inside the rectangle that it projects to.
func (b *bundle) test(slot int32) {
	i := int(slot)
	if i < len(b.balls) {
		s := &b.balls[i]
		if b.choose(b.frame.ball(s)) {
			v := s.from(b.frame.o)
			v.chords(&b.dirs, b.chosen, &b.near, &b.far)
			b.keep(slot)
		}
		return
	}
	if i -= len(b.balls); i < len(b.pills) {
		s := &b.pills[i]
		if b.choose(b.frame.pill(s)) {
			v := s.from(b.frame.o)
			v.chords(&b.dirs, b.chosen, &b.near, &b.far)
			b.keep(slot)
		}
		return
	}
	s := &b.blocks[i-len(b.pills)]
	if b.choose(b.frame.block(s)) {
		v := s.from(b.frame.o)
		v.chords(&b.dirs, b.chosen, &b.near, &b.far)
		b.keep(slot)
	}
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
	if n == 0 {
		return false
	}
	b.chosen = b.members[:n]
	for j := r.y0; j < r.y1; j++ {
		b.makeRays(j, r.x0, r.x1)
	}
	return true
}

// directions are unit vectors, component by component.
type directions struct{ x, y, z [maxRays]float64 }

func (d *directions) at(i int) geom.Vec3 { return geom.Vec3{X: d.x[i], Y: d.y[i], Z: d.z[i]} }

// distances are numbers, one for each ray that was chosen.
type distances = [maxRays]float64

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
		if t <= b.t[i] {
			b.hit(i, slot, t, inside)
		}
	}
}

func (b *bundle) hit(i uint8, slot int32, t float64, inside bool) {
	if b.slot[i] == None {
		b.unhit--
	} else if t == b.t[i] && b.number(slot) > b.number(b.slot[i]) {
		return
	}
	b.t[i], b.slot[i], b.inside[i] = t, slot, inside
	b.stale = true
}

// makeRays makes the directions of columns x0, ..., x1 - 1 of row j unless they are made: those
// of [geom.Packet.Ray], with what a row and a column have in common computed once.
func (b *bundle) makeRays(j, x0, x1 int) {
	missing := (uint32(1)<<x1 - uint32(1)<<x0) &^ b.made[j]
	if missing == 0 {
		return
	}
	b.made[j] |= missing
	p := &b.packet
	y := p.CenterY - (float64(p.Y0+j)+0.5)/p.Density
	left := p.Dir.AddScaled(y, p.DY)
	for ; missing != 0; missing &= missing - 1 {
		i := bits.TrailingZeros32(missing) & (blockSide - 1)
		d := left.AddScaled(b.columns[i], p.DX).Unit()
		k := (j*blockSide + i) & (maxRays - 1)
		b.dirs.x[k], b.dirs.y[k], b.dirs.z[k] = d.X, d.Y, d.Z
	}
}

// finish stores what the rays met, in rows of the given stride.
func (b *bundle) finish(hits []Hit, stride int) {
	for j := range b.packet.NY {
		row := j * blockSide
		for i := 0; i < b.packet.NX; {
			from := row + i
			for i++; i < b.packet.NX && b.slot[row+i] == b.slot[from]; i++ {
			}
			b.finishRun(hits[j*stride+from-row:], from, row+i)
		}
	}
}

// finishRun stores what the rays from, ..., to - 1 met: all the same solid, or nothing.
func (b *bundle) finishRun(hits []Hit, from, to int) {
	hits = hits[:to-from]
	slot := b.slot[from]
	if slot == None {
		for i := range hits {
			hits[i] = Hit{T: math.Inf(1), Object: None}
		}
		return
	}
	number := b.number(slot)
	for i := range hits {
		t := b.t[from+i]
		hits[i].T, hits[i].Object, hits[i].Inside = t, number, b.inside[from+i]
		hits[i].Point = b.frame.o.AddScaled(t, b.dirs.at(from+i))
	}
	i := int(slot)
	if i < len(b.balls) {
		v := b.balls[i].from(b.frame.o)
		for i := range hits {
			hits[i].Normal = v.normal(b.dirs.at(from+i), hits[i].T)
		}
		return
	}
	if i -= len(b.balls); i < len(b.pills) {
		v := b.pills[i].from(b.frame.o)
		for i := range hits {
			hits[i].Normal = v.normal(b.dirs.at(from+i), hits[i].T)
		}
		return
	}
	v := b.blocks[i-len(b.pills)].from(b.frame.o)
	for i := range hits {
		hits[i].Normal = v.normal(b.dirs.at(from+i), hits[i].T)
	}
}
