package pillbox

import (
	"encoding/binary"
	"image"

	"pillbox/internal/follow"
	"pillbox/shade"
)

// developer stores what tracers see on a film: it averages samples and encodes linear light. It
// serves all workers, each of which has the pixels of its tile to itself.
type developer struct {
	film   *Film
	even   bool    // the background is the same in every direction
	plains []uint8 // then these are pixels that show nothing else, as many as a packet is wide
}

func newDeveloper(st *follow.Stage, film *Film) *developer {
	b := &st.Scene.Image.Background
	d := &developer{film: film, even: b.Transparent || b.IsEven()}
	all := st.Antialias * st.Antialias
	plain := uint32(0)
	if !b.Transparent {
		plain = encode(mean(shade.Color{}.AddTimes(b.Top.Clamp(), all), all), all, all)
	}
	for range packetSide {
		d.plains = binary.LittleEndian.AppendUint32(d.plains, plain)
	}
	return d
}

// develop stores the pixels of the block through which the tracer has cast its packet.
func (d *developer) develop(t *tracer, block image.Rectangle) {
	if d.film.Linear != nil {
		d.keepLinear(t, block)
	}
	switch {
	case t.met == 0 && d.even:
		d.fill(block)
		return
	case t.Antialias == 1 && d.even:
		d.developMet(t, block)
		return
	}
	for y := range block.Dy() {
		row := d.row(block, block.Min.Y+y)
		copy(row, d.plains)
		for x := range block.Dx() {
			if !d.even || t.showsSolid(x, y) {
				c, seen := t.average(x, y)
				binary.LittleEndian.PutUint32(row[4*x:], encode(c, seen, t.Antialias*t.Antialias))
			}
		}
	}
}

// row returns the pixels of the film for row y of a block of the picture.
func (d *developer) row(block image.Rectangle, y int) []uint8 {
	from, to := d.film.row(block, y)
	return d.film.Image.Pix[4*from : 4*to]
}

// fill stores plain pixels.
func (d *developer) fill(block image.Rectangle) {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		copy(d.row(block, y), d.plains)
	}
}

// keepLinear stores the linear colors of the packet's block.
func (d *developer) keepLinear(t *tracer, block image.Rectangle) {
	for y := range block.Dy() {
		from, to := d.film.row(block, block.Min.Y+y)
		row := d.film.Linear[from:to]
		for x := range row {
			row[x], _ = t.average(x, y)
		}
	}
}

// developMet stores the pixels of a block that have one sample each, before a background that
// is the same everywhere.
func (d *developer) developMet(t *tracer, block image.Rectangle) {
	v := t.levels[0]
	k := 0
	for y := range block.Dy() {
		row := d.row(block, block.Min.Y+y)
		copy(row, d.plains)
		first := int32(y * t.packet.NX)
		for ; k < len(v.met) && int(v.met[k]-first) < block.Dx(); k++ {
			i := v.met[k]
			binary.LittleEndian.PutUint32(row[4*(i-first):], opaque(v.color[i]))
		}
	}
}

// showsSolid reports whether a ray through a pixel of the block meets a solid.
func (t *tracer) showsSolid(x, y int) bool {
	for j := range t.side {
		row := (y*t.side+j)*t.packet.NX + x*t.side
		for i := range t.side {
			if t.meets(row + i) {
				return true
			}
		}
	}
	return false
}

// average averages the samples of a pixel: colors that are clamped and premultiplied by their
// alpha, which is 0 or 1. So it is the average of those that are not transparent, and returns
// their number, too.
func (t *tracer) average(x, y int) (c shade.Color, seen int) {
	var sum shade.Color
	weight := t.Antialias * t.Antialias / (t.side * t.side) // one sample may stand for all
	for j := y * t.side; j < (y+1)*t.side; j++ {
		for i := x * t.side; i < (x+1)*t.side; i++ {
			if c, ok := t.sample(i, j); ok {
				sum, seen = sum.AddTimes(c, weight), seen+weight
			}
		}
	}
	return mean(sum, seen), seen
}

// sample returns the clamped color that the ray in column i and row j of the packet sees, and false
// if that is transparent.
func (t *tracer) sample(i, j int) (shade.Color, bool) {
	if k := j*t.packet.NX + i; t.meets(k) {
		return t.levels[0].color[k].Clamp(), true
	}
	c, seen := t.Background(t.packet.Toward(i, j))
	return c.Clamp(), seen
}

// mean returns the average of n colors with the given sum: black if there are none.
func mean(sum shade.Color, n int) shade.Color {
	if n > 1 {
		return sum.Div(float64(n))
	}
	return sum
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

// opaque returns the pixel of a color, clamped by Encode8.
func opaque(c shade.Color) uint32 {
	return uint32(shade.Encode8(c.R)) | uint32(shade.Encode8(c.G))<<8 |
		uint32(shade.Encode8(c.B))<<16 | 0xff<<24
}
