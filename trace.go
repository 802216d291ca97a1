package pillbox

import (
	"encoding/binary"
	"image"
	"iter"
	"slices"

	"pillbox/accel"
	"pillbox/geom"
	"pillbox/shade"
)

// tracer renders tiles for one worker. Its slices are scratch space, kept from packet to
// packet.
type tracer struct {
	*job
	rays Rays

	packet  geom.Packet
	side    int      // the packet has side x side samples a pixel
	crowded bool     // a parallel packet may start inside solids
	levels  []*level // what the packet's rays meet, at each depth of reflection
	depths  int      // at how many depths there are any

	leaving  []accel.Departure
	dist     []float64
	blocked  []bool
	doubtful []arrival

	survey survey // for adaptive antialiasing
}

// level holds the rays that were reflected equally often, and what they meet.
type level struct {
	rays   []accel.Departure // at level 0 there are none: those are the packet's
	parent []int32           // of each of them, the ray of the level above that it continues

	hits     []accel.Hit
	met      []int32       // the rays that meet a solid
	mirrors  []int32       // those of them that meet a mirror
	light    []shade.Color // the irradiance where they meet it
	lit      []uint64      // which lights reach that place, if antialiasing is adaptive
	mirrored []shade.Color // what a mirror shows there
	color    []shade.Color // what is sent back along the ray
}

// arrival is light that may reach the end of a ray.
type arrival struct {
	ray int32
	cos float64
}

// tile renders the pixels of rect.
func (t *tracer) tile(rect image.Rectangle) {
	if t.adaptive {
		t.adaptiveTile(rect)
		return
	}
	for block := range blocks(rect, packetSide/t.n) {
		t.develop(block, t.cast(block, t.n))
	}
}

// blocks cuts a rectangle into squares of the given side, row by row; the last ones may be
// smaller.
func blocks(rect image.Rectangle, side int) iter.Seq[image.Rectangle] {
	return func(yield func(image.Rectangle) bool) {
		for y := rect.Min.Y; y < rect.Max.Y; y += side {
			for x := rect.Min.X; x < rect.Max.X; x += side {
				if !yield(image.Rect(x, y, x+side, y+side).Intersect(rect)) {
					return
				}
			}
		}
	}
}

// cast casts a packet of side x side rays through each pixel of the block and finds what they
// meet and the colours of those that meet a solid. It returns their number.
func (t *tracer) cast(block image.Rectangle, side int) int {
	t.packet, t.side = t.view.Packet(block, side), side
	first := t.level(0)
	first.hits = resize(first.hits, t.packet.Len())
	t.rays.Primary += int64(t.packet.Len())
	t.depths = 1
	met := t.world.Nearest(&t.packet, first.hits)
	if met == 0 {
		return 0
	}
	t.crowded = t.packet.Parallel && t.world.Near(t.packet.Origins())
	t.illuminate(0)
	for t.depths <= t.scene.Shading.Bounces && t.reflect(t.depths-1) {
		t.illuminate(t.depths)
		t.depths++
	}
	for depth := t.depths - 1; depth >= 0; depth-- {
		t.resolve(depth)
	}
	return met
}

func (t *tracer) level(depth int) *level {
	if depth == len(t.levels) {
		t.levels = append(t.levels, &level{})
	}
	return t.levels[depth]
}

// illuminate adds up the ambient light and what arrives from every light, in the lights'
// order, wherever a ray of the level meets a solid. It turns the normals to face the rays.
func (t *tracer) illuminate(depth int) {
	v := t.levels[depth]
	v.light = resize(v.light, len(v.hits))
	if t.adaptive {
		v.lit = resize(v.lit, len(v.hits))
		clear(v.lit)
	}
	v.met, v.mirrors = v.met[:0], v.mirrors[:0]
	for i := range v.hits {
		h := &v.hits[i]
		if h.Object == accel.None {
			continue
		}
		if h.Inside {
			h.Normal = h.Normal.Neg()
		}
		v.light[i] = t.scene.Shading.Ambient
		v.met = append(v.met, int32(i))
		if t.material(h).Mirror > 0 {
			v.mirrors = append(v.mirrors, int32(i))
		}
	}
	for i := range t.lights {
		t.shine(depth, i)
	}
}

// shine adds what arrives from one light.
func (t *tracer) shine(depth, light int) {
	v, l := t.levels[depth], &t.lights[light]
	strength := l.Strength()
	t.leaving, t.dist, t.doubtful = t.leaving[:0], t.dist[:0], t.doubtful[:0]
	for _, i := range v.met {
		h := &v.hits[i]
		dir, reach := l.Toward(h.Point)
		cos := h.Normal.Dot(dir)
		switch {
		case !(cos > 0):
		case !t.scene.Shading.Shadows:
			v.light[i] = v.light[i].Add(strength.Scale(cos))
			t.note(v, i, light)
		case h.Inside && !l.Enters(h.Object):
		default:
			t.leaving = t.leave(t.leaving, depth, i, dir)
			t.dist = append(t.dist, reach)
			t.doubtful = append(t.doubtful, arrival{i, cos})
		}
	}
	t.blocked = resize(t.blocked, len(t.leaving))
	t.world.Blocked(t.leaving, t.dist, t.blocked)
	t.rays.Shadow += int64(len(t.leaving))
	for k, a := range t.doubtful {
		if !t.blocked[k] {
			v.light[a.ray] = v.light[a.ray].Add(strength.Scale(a.cos))
			t.note(v, a.ray, light)
		}
	}
}

// reflect follows the mirrors that the rays of a level meet to the next level. It reports
// whether any ray there meets a solid.
func (t *tracer) reflect(depth int) bool {
	v, next := t.levels[depth], t.level(depth+1)
	next.rays, next.parent = next.rays[:0], next.parent[:0]
	for _, i := range v.mirrors {
		next.rays = t.leave(next.rays, depth, i, shade.Reflect(t.dir(depth, i), v.hits[i].Normal))
		next.parent = append(next.parent, i)
	}
	if len(v.mirrors) == 0 {
		return false
	}
	next.hits = resize(next.hits, len(next.rays))
	t.world.Reflected(next.rays, next.hits)
	t.rays.Mirror += int64(len(next.rays))

	v.mirrored = resize(v.mirrored, len(v.hits))
	met := false
	for i := range next.hits {
		if next.hits[i].Object != accel.None {
			met = true
		} else {
			v.mirrored[next.parent[i]] = t.background(next.rays[i].Ray.Dir)
		}
	}
	return met
}

// resolve mixes the colours of a level from its light and from the level below, and hands
// them to the level above.
func (t *tracer) resolve(depth int) {
	v := t.levels[depth]
	v.color = resize(v.color, len(v.hits))
	for _, i := range v.met {
		m := t.material(&v.hits[i])
		c := shade.Lambert(m.Albedo, v.light[i])
		if m.Mirror > 0 && depth < t.scene.Shading.Bounces {
			c = c.Mix(v.mirrored[i], m.Mirror)
		}
		v.color[i] = c
		if depth > 0 {
			t.levels[depth-1].mirrored[v.parent[i]] = c
		}
	}
}

func (t *tracer) material(h *accel.Hit) *shade.Material { return &t.scene.Objects[h.Object].Material }

// dir returns the direction of a ray of a level.
func (t *tracer) dir(depth int, i int32) geom.Vec3 {
	if depth > 0 {
		return t.levels[depth].rays[i].Ray.Dir
	}
	return t.packet.At(int(i)).Dir
}

// leave appends a ray from the point where a ray of a level meets a solid. It sets field by
// field what appending a whole would copy.
func (t *tracer) leave(rays []accel.Departure, depth int, i int32, dir geom.Vec3) []accel.Departure {
	h := &t.levels[depth].hits[i]
	rays = resize(rays, len(rays)+1)
	d := &rays[len(rays)-1]
	d.Ray.Origin, d.Ray.Dir = h.Point, dir
	d.Object, d.Inside = h.Object, h.Inside
	d.Eye = t.eyeOf(depth, i)
	return rays
}

// eyeOf returns the solids around the point where a ray of a level, or the one that it is
// a reflection of, left the camera.
func (t *tracer) eyeOf(depth int, i int32) []int32 {
	switch {
	case depth > 0:
		return t.levels[depth].rays[i].Eye
	case t.crowded:
		return t.world.Enclosing(t.packet.At(int(i)).Origin)
	}
	return t.eye
}

// background returns what a ray sees that meets nothing: black if it is transparent.
func (j *job) background(dir geom.Vec3) shade.Color {
	b := &j.scene.Image.Background
	switch {
	case b.Transparent:
		return shade.Color{}
	case b.Top == b.Bottom:
		return b.Top // mixing a colour with itself would round
	}
	// The conversion is not redundant: compilers turn a division by 2 into a product.
	return b.Bottom.Mix(b.Top, float64((1+dir.Dot(j.view.Up()))/2))
}

// row returns the pixels of the film for row y of a block of the picture.
func (t *tracer) row(block image.Rectangle, y int) []uint8 {
	out := t.film.Image.PixOffset(block.Min.X-t.region.Min.X, y-t.region.Min.Y)
	return t.film.Image.Pix[out:][:4*block.Dx()]
}

// fill stores plain pixels.
func (t *tracer) fill(block image.Rectangle) {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		copy(t.row(block, y), t.plains)
	}
}

// develop stores the pixels of the packet's block, of whose rays so many met a solid.
func (t *tracer) develop(block image.Rectangle, met int) {
	if t.film.Linear != nil {
		t.keepLinear(block)
	}
	switch {
	case met == 0 && t.even:
		t.fill(block)
		return
	case t.n == 1 && t.even:
		t.developMet(block)
		return
	}
	for y := range block.Dy() {
		row := t.row(block, block.Min.Y+y)
		copy(row, t.plains)
		for x := range block.Dx() {
			if !t.isPlain(x, y) {
				binary.LittleEndian.PutUint32(row[4*x:], t.pixel(x, y))
			}
		}
	}
}

// keepLinear stores the linear colours of the packet's block.
func (t *tracer) keepLinear(block image.Rectangle) {
	at := block.Min.Sub(t.region.Min)
	for y := range block.Dy() {
		row := t.film.Linear[(at.Y+y)*t.region.Dx()+at.X:]
		for x := range block.Dx() {
			row[x], _ = t.average(x, y)
		}
	}
}

// developMet stores the pixels of a block that have one sample each, before a background that
// is the same everywhere.
func (t *tracer) developMet(block image.Rectangle) {
	v := t.levels[0]
	k := 0
	for y := range block.Dy() {
		row := t.row(block, block.Min.Y+y)
		copy(row, t.plains)
		first := int32(y * t.packet.NX)
		for ; k < len(v.met) && int(v.met[k]-first) < block.Dx(); k++ {
			i := v.met[k]
			binary.LittleEndian.PutUint32(row[4*(i-first):], opaque(v.color[i]))
		}
	}
}

// isPlain reports whether a pixel shows nothing but a background that is the same everywhere.
func (t *tracer) isPlain(x, y int) bool {
	if !t.even {
		return false
	}
	for j := range t.side {
		row := (y*t.side+j)*t.packet.NX + x*t.side
		for i := range t.side {
			if t.levels[0].hits[row+i].Object != accel.None {
				return false
			}
		}
	}
	return true
}

// pixel returns a pixel. Red is in its lowest byte, then green, blue, alpha.
func (t *tracer) pixel(x, y int) uint32 {
	c, seen := t.average(x, y)
	return encode(c, seen, t.n*t.n)
}

// average averages the samples of a pixel: colours that are clamped and premultiplied by their
// alpha, which is 0 or 1. So it is the average of those that are not transparent, and returns
// their number, too.
func (t *tracer) average(x, y int) (c shade.Color, seen int) {
	var sum shade.Color
	weight := t.n * t.n / (t.side * t.side) // one sample may stand for all
	for j := range t.side {
		row := (y*t.side+j)*t.packet.NX + x*t.side
		for i := row; i < row+t.side; i++ {
			if c, ok := t.sample(i); ok {
				sum, seen = sum.AddTimes(c, weight), seen+weight
			}
		}
	}
	return mean(sum, seen), seen
}

// mean returns the average of n colours with the given sum: black if there are none.
func mean(sum shade.Color, n int) shade.Color {
	if n > 1 {
		return sum.Div(float64(n))
	}
	return sum
}

// sample returns the clamped colour that a ray of the packet sees, and false if that is
// transparent.
func (t *tracer) sample(i int) (shade.Color, bool) {
	switch {
	case t.levels[0].hits[i].Object != accel.None:
		return t.levels[0].color[i].Clamp(), true
	case t.scene.Image.Background.Transparent:
		return shade.Color{}, false
	}
	return t.background(t.packet.At(i).Dir).Clamp(), true
}

// encode returns the pixel of which some of all samples are not transparent, with their average.
// Its alpha is straight.
func encode(c shade.Color, seen, all int) uint32 {
	if seen == 0 {
		return 0
	}
	alpha := (2*255*seen + all) / (2 * all)
	return opaque(c)&0xffffff | uint32(alpha)<<24
}

// opaque returns the pixel of a colour, clamped by Encode8.
func opaque(c shade.Color) uint32 {
	return uint32(shade.Encode8(c.R)) | uint32(shade.Encode8(c.G))<<8 |
		uint32(shade.Encode8(c.B))<<16 | 0xff<<24
}

// resize returns s with length n. Elements that it had before are kept, others are stale.
func resize[E any](s []E, n int) []E {
	if n <= cap(s) {
		return s[:n]
	}
	return slices.Grow(s, n-len(s))[:n]
}
