package tracer

import (
	"encoding/binary"
	"image"

	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/internal/outline"
	"pillbox/shade"
)

// pixelWriter stores the colors of traced packets on a film: it averages samples and encodes linear
// light. All workers share it, but each writes only the pixels of its tile.
type pixelWriter struct {
	Film
	region     image.Rectangle
	uniform    bool    // the background is the same in every direction
	background []uint8 // if uniform: the background's pixel, repeated to the width of a packet
}

func newPixelWriter(p *follow.Prepared, f Film) *pixelWriter {
	b := &p.Scene.Image.Background
	w := &pixelWriter{Film: f, region: p.Region, uniform: b.Transparent || b.IsEven()}
	all := p.Antialias * p.Antialias
	pixel := uint32(0)
	if c, seen := p.Backdrop(p.View.Up()); seen { // used only if it is the same in every direction
		pixel = encode(mean(shade.Color{}.AddTimes(c.Clamp(), all), float64(all)), float64(all), all)
	}
	for range packetSide {
		w.background = binary.LittleEndian.AppendUint32(w.background, pixel)
	}
	return w
}

// write stores the pixels of a block after the tracer has cast its packet.
func (w *pixelWriter) write(t *packetTracer, block image.Rectangle) {
	if t.outline != nil && t.outline.Touches(block) {
		w.writeOutlined(t, block)
		return
	}
	if w.Linear != nil {
		w.writeLinear(t, block)
	}
	switch {
	case t.met == 0 && w.uniform:
		w.writeBackground(block)
		return
	case t.Antialias == 1 && w.uniform && len(t.levels[0].ghosts) == 0:
		w.writeHits(t, block)
		return
	}
	for y := range block.Dy() {
		row := w.row(block, block.Min.Y+y)
		copy(row, w.background)
		for x := range block.Dx() {
			if !w.uniform || t.showsSolid(x, y) {
				c, seen := t.average(x, y)
				binary.LittleEndian.PutUint32(row[4*x:], encode(c, seen, t.Antialias*t.Antialias))
			}
		}
	}
}

// span returns the indices of row y of a block among the pixels of the film.
func (w *pixelWriter) span(block image.Rectangle, y int) (from, to int) {
	from = (y-w.region.Min.Y)*w.region.Dx() + block.Min.X - w.region.Min.X
	return from, from + block.Dx()
}

// row returns the pixels of row y of a block.
func (w *pixelWriter) row(block image.Rectangle, y int) []uint8 {
	from, to := w.span(block, y)
	return w.Pix[4*from : 4*to]
}

func (w *pixelWriter) writeBackground(block image.Rectangle) {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		copy(w.row(block, y), w.background)
	}
}

// writeLinear stores the linear colors of the packet's block.
func (w *pixelWriter) writeLinear(t *packetTracer, block image.Rectangle) {
	for y := range block.Dy() {
		from, to := w.span(block, block.Min.Y+y)
		row := w.Linear[from:to]
		for x := range row {
			row[x], _ = t.average(x, y)
		}
	}
}

// writeOutlined stores the pixels and linear colors of a block in a scene with an outline.
func (w *pixelWriter) writeOutlined(t *packetTracer, block image.Rectangle) {
	for y := range block.Dy() {
		from, _ := w.span(block, block.Min.Y+y)
		for x := range block.Dx() {
			c, seen := t.average(x, y)
			at := block.Min.Add(image.Pt(x, y))
			c, seen, all := outline.Over(t.outline.Ink(at.X, at.Y), t.outline.Coverage(at.X, at.Y), c, seen, t.Antialias*t.Antialias)
			binary.LittleEndian.PutUint32(w.Pix[4*(from+x):], encode(c, seen, all))
			if w.Linear != nil {
				w.Linear[from+x] = c
			}
		}
	}
}

// writeHits stores the pixels of a block with one sample per pixel and a uniform background.
func (w *pixelWriter) writeHits(t *packetTracer, block image.Rectangle) {
	v := t.levels[0]
	k := 0
	for y := range block.Dy() {
		row := w.row(block, block.Min.Y+y)
		copy(row, w.background)
		first := int32(y * t.packet.NX)
		for ; k < len(v.met) && int(v.met[k]-first) < block.Dx(); k++ {
			i := v.met[k]
			binary.LittleEndian.PutUint32(row[4*(i-first):], opaque(v.color[i]))
		}
	}
}

// refine marks the pixels of a block as refined.
func (w *pixelWriter) refine(block image.Rectangle) {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		from, to := w.span(block, y)
		for i := range w.Refined[from:to] {
			w.Refined[from+i] = true
		}
	}
}

// erase clears everything that was stored for a block.
func (w *pixelWriter) erase(block image.Rectangle) {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		from, to := w.span(block, y)
		clear(w.Pix[4*from : 4*to])
		if w.Refined != nil {
			clear(w.Refined[from:to])
		}
		if w.Linear != nil {
			clear(w.Linear[from:to])
		}
	}
}

// showsSolid reports whether any of the rays through one pixel hits a solid, or may enter a ghost. The pixel is in column x
// and row y of the block.
func (t *packetTracer) showsSolid(x, y int) bool {
	if len(t.levels[0].ghosts) > 0 {
		return true
	}
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

// average returns the average color of those samples of a pixel that are not transparent, and the sum of the opacities of
// all samples: the number of these samples, if none is transparent in part. The pixel is in column x and row y of the block.
// Colors are clamped before they are averaged.
func (t *packetTracer) average(x, y int) (c shade.Color, seen float64) {
	var sum shade.Color
	weight := t.Antialias * t.Antialias / (t.side * t.side) // an adaptive pixel with one sample counts it n x n times
	each := float64(weight)
	for j := y * t.side; j < (y+1)*t.side; j++ {
		for i := x * t.side; i < (x+1)*t.side; i++ {
			if c, alpha := t.sample(i, j); alpha > 0 {
				sum, seen = sum.AddTimes(c, weight), seen+float64(alpha*each)
			}
		}
	}
	return mean(sum, seen), seen
}

// sample returns the clamped color of the ray in column i and row j of the packet, multiplied by its opacity, and the
// opacity: 0 if the ray sees a transparent background.
func (t *packetTracer) sample(i, j int) (c shade.Color, alpha float64) {
	k := j*t.packet.NX + i
	v := t.levels[0]
	switch {
	case t.meets(k):
		return v.color[k].Clamp(), 1
	case len(v.ghosts) > 0 && t.entersGhost(k):
		return v.color[k].ClampTo(v.alpha[k]), v.alpha[k]
	}
	c, seen := t.Backdrop(t.packet.SampleDirection(i, j))
	if seen {
		alpha = 1
	}
	return c.Clamp(), alpha
}

// mean returns the average of colors with the given sum, whose weights have the sum n, or black if n is 0.
func mean(sum shade.Color, n float64) shade.Color {
	if n != 1 && n > 0 {
		return sum.Div(n)
	}
	return sum
}

// encode returns a pixel with straight alpha. all is the number of the pixel's samples, seen is the sum of their opacities,
// and c is their average color. If seen is an integer, rounding does not affect the result: no quotient rounds to an integer.
func encode(c shade.Color, seen float64, all int) uint32 {
	if seen == 0 {
		return 0
	}
	alpha := (float64(2*255*seen) + float64(all)) / float64(2*all)
	return opaque(c)&0xffffff | uint32(geom.ClampInt(alpha, 0, 0xff))<<24
}

// opaque returns the opaque pixel with a color. EncodeSRGB8 clamps it.
func opaque(c shade.Color) uint32 {
	return uint32(shade.EncodeSRGB8(c.R)) | uint32(shade.EncodeSRGB8(c.G))<<8 |
		uint32(shade.EncodeSRGB8(c.B))<<16 | 0xff<<24
}
