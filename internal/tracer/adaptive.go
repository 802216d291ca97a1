package tracer

import (
	"image"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/shade"
)

// Adaptive antialiasing casts one ray through the center of every pixel first, which counts n x n
// times, and all n x n only where the center rays of the pixel and its eight neighbors do
// not all see the same. The decision depends on the picture alone: tiles, regions and the picture itself look one pixel
// beyond their edge. What is smaller than a pixel and hit by no center ray is missed.

// minSameCosine is the least cosine between the normals of neighbors that count as the same: of
// 8 degrees. A pixel across which the normal turns by less is shown by its center to within a
// quarter of an 8-bit step: its average differs by about an eighth of the square of half that
// angle.
const minSameCosine = 0.99

// features describe what one center ray sees. Pixels with the same features need no more samples.
type features struct {
	object int32
	next   int32      // the features of what a mirror there shows, or -1
	lit    uint64     // the exclusive or of the hashes of the lights that reach it
	cell   shade.Cell // of a checkered face
	normal geom.Vec3  // facing the ray
}

// featureMap holds what the center rays of a tile and the pixels around it see.
type featureMap struct {
	rect     image.Rectangle
	features []features // of the pixels in row-major order, then of what mirrors show
	places   []int      // scratch memory of record
}

func (s *featureMap) index(x, y int) int { return (y-s.rect.Min.Y)*s.rect.Dx() + x - s.rect.Min.X }

// begin empties the map and sets its pixels.
func (s *featureMap) begin(rect image.Rectangle) {
	s.rect = rect
	s.features = resize(s.features, rect.Dx()*rect.Dy())
}

// same reports whether two pixels and what their mirrors show look the same.
func (s *featureMap) same(i, j int) bool {
	for {
		a, b := &s.features[i], &s.features[j]
		if a.object != b.object || a.lit != b.lit || a.cell != b.cell || (a.next < 0) != (b.next < 0) {
			return false
		}
		if a.object != accel.None && a.normal.Dot(b.normal) < minSameCosine {
			return false
		}
		if a.next < 0 {
			return true
		}
		i, j = int(a.next), int(b.next)
	}
}

// uniform reports whether a pixel and its neighbors look the same, those beyond the picture's
// edge included.
func (s *featureMap) uniform(x, y int) bool {
	at := s.index(x, y)
	for v := y - 1; v <= y+1; v++ {
		for u := x - 1; u <= x+1; u++ {
			if !s.same(at, s.index(u, v)) {
				return false
			}
		}
	}
	return true
}

// renderAdaptive is render with adaptive antialiasing.
func (w *worker) renderAdaptive(tile image.Rectangle) bool {
	t := w.tracer
	w.features.begin(tile.Inset(-1))
	for block := range blocks(tile, packetSide) {
		if !t.cast(block, 1) {
			return false
		}
		w.features.record(t, block)
		w.pixels.write(t, block)
	}
	// Which pixels lie beside a tile depends on its size: their rays do not count.
	counted := t.rays
	for _, strip := range beside(tile) {
		for block := range blocks(strip, packetSide) {
			if !t.cast(block, 1) {
				return false
			}
			w.features.record(t, block)
		}
	}
	t.rays = counted
	for y := tile.Min.Y; y < tile.Max.Y; y++ {
		for x := tile.Min.X; x < tile.Max.X; {
			run := w.features.refineRun(x, y, min(tile.Max.X, x+packetSide/t.Antialias))
			if run > 0 {
				block := image.Rect(x, y, x+run, y+1)
				if !t.cast(block, t.Antialias) {
					return false
				}
				w.pixels.write(t, block)
				w.pixels.refine(block)
			}
			x += max(1, run)
		}
	}
	return true
}

// beside returns the pixels around a rectangle.
func beside(r image.Rectangle) [4]image.Rectangle {
	wide := r.Inset(-1)
	return [4]image.Rectangle{
		{wide.Min, image.Pt(wide.Max.X, r.Min.Y)},
		{image.Pt(wide.Min.X, r.Max.Y), wide.Max},
		{image.Pt(wide.Min.X, r.Min.Y), image.Pt(r.Min.X, r.Max.Y)},
		{image.Pt(r.Max.X, r.Min.Y), image.Pt(wide.Max.X, r.Max.Y)},
	}
}

// rough returns how many consecutive pixels from (x, y) on, but not beyond column end, need more
// samples.
func (s *featureMap) refineRun(x, y, end int) int {
	n := 0
	for x+n < end && !s.uniform(x+n, y) {
		n++
	}
	return n
}

// record adds what the packet's rays, one for each pixel of the block, met to the survey. What
// mirror rays do not meet is left out.
func (s *featureMap) record(t *packetTracer, block image.Rectangle) {
	places := s.places[:0] // of the level's rays in the survey
	for i := range t.levels[0].hits {
		places = append(places, s.index(block.Min.X+i%block.Dx(), block.Min.Y+i/block.Dx()))
		s.features[places[i]] = t.featuresOf(0, i)
	}
	for depth := 1; depth < t.depths; depth++ {
		above := len(places) - len(t.levels[depth-1].hits)
		for i, parent := range t.levels[depth].parent {
			places = append(places, len(s.features))
			if t.levels[depth].hits[i].Object != accel.None {
				s.features[places[above+int(parent)]].next = int32(len(s.features))
				s.features = append(s.features, t.featuresOf(depth, i))
			}
		}
	}
	s.places = places
}

// glimpse returns what a ray of a level sees.
func (t *packetTracer) featuresOf(depth, i int) features {
	if depth == 0 && !t.meets(i) { // of what mirrors show, only solids are examined
		return features{object: accel.None, next: -1}
	}
	v := t.levels[depth]
	h := &v.hits[i]
	cell, _ := t.Cell(h)
	return features{object: h.Object, next: -1, lit: v.lit[i], cell: cell, normal: h.Normal}
}

// note notes, for the survey, that the light with the given mark reaches the end of a ray.
func (t *packetTracer) noteLight(v *level, ray int32, light uint64) {
	if t.adaptive {
		v.lit[ray] ^= light
	}
}

// lightHash returns a hash of n, so that sets of numbers are distinguished by the exclusive or of their
// marks: the output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", 2014).
func lightHash(n uint64) uint64 {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
