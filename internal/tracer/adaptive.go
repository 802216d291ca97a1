package tracer

import (
	"image"
	"math"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// A pixel has n x n samples at most. Adaptive antialiasing first casts one ray through the center of every pixel. If
// the center rays of a pixel and of its eight neighbors all see the same features, this one sample represents all of
// them. Otherwise the rays of all n x n samples are cast. The decision must depend only on the picture, not on tiles or
// regions, so each tile also casts the center rays of the pixels around it. Details that are smaller than a pixel are
// lost if all center rays miss them.

// minSameCosine is the smallest cosine of the angle between normals that count as equal: about 8 degrees. Suppose the
// normal turns by a smaller angle a across a pixel. Then the color at the pixel's center differs from the average by
// about (a/2)^2 / 8 of the light's strength. That is less than a quarter of an 8-bit step.
const minSameCosine = 0.99

// features describe what one center ray sees. If neighboring pixels have the same features, one sample
// is enough.
type features struct {
	object int32
	next   int32      // index of the features of the next ghost before the hit or, after the last, of those that a mirror shows there; or -1
	lit    uint64     // combined hash of the lights that reach the hit and of what noteSky and notePartly record
	cell   shade.Cell // square of a checkered face, or line of a hatch
	normal geom.Vec3  // facing the ray
}

// featureMap holds the features of the pixels of a tile and of those around it.
type featureMap struct {
	rect     image.Rectangle
	features []features // of the pixels in row-major order, then those that mirrors show
	last     []int      // scratch memory of record
}

func (s *featureMap) index(x, y int) int { return (y-s.rect.Min.Y)*s.rect.Dx() + x - s.rect.Min.X }

// begin empties the map and sets the rectangle of its pixels.
func (s *featureMap) begin(rect image.Rectangle) {
	s.rect = rect
	s.features = resize(s.features, rect.Dx()*rect.Dy())
}

// same reports whether features i and j, and those that mirrors show there, are equal except for small
// differences of the normals.
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

// uniform reports whether a pixel and its eight neighbors have the same features. Neighbors beyond the
// edge of the picture count, too.
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

// renderAdaptive renders the pixels of a tile with adaptive antialiasing. It returns false if the context ended first.
func (w *worker) renderAdaptive(tile image.Rectangle) bool {
	t := w.tracer
	w.features.begin(tile.Inset(-1))
	for block := range blocks(tile, packetSide) {
		if !t.trace(block, 1) {
			return false
		}
		w.features.record(t, block)
		w.pixels.write(t, block)
	}
	// Do not count the rays of pixels around the tile: their number depends on the size of tiles.
	counted := t.rays
	for _, strip := range beside(tile) {
		for block := range blocks(strip, packetSide) {
			if !t.trace(block, 1) {
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
				if !t.trace(block, t.Antialias) {
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

// beside returns the pixels around a rectangle, as four strips.
func beside(r image.Rectangle) [4]image.Rectangle {
	wide := r.Inset(-1)
	return [4]image.Rectangle{
		{wide.Min, image.Pt(wide.Max.X, r.Min.Y)},
		{image.Pt(wide.Min.X, r.Max.Y), wide.Max},
		{image.Pt(wide.Min.X, r.Min.Y), image.Pt(r.Min.X, r.Max.Y)},
		{image.Pt(r.Max.X, r.Min.Y), image.Pt(wide.Max.X, r.Max.Y)},
	}
}

// refineRun returns the number of consecutive pixels that need all samples, starting with (x, y) and
// ending before column end.
func (s *featureMap) refineRun(x, y, end int) int {
	n := 0
	for x+n < end && !s.uniform(x+n, y) {
		n++
	}
	return n
}

// record stores the features of the packet's rays: of one camera ray for each pixel of the block, and
// of the mirror rays that follow. Mirror rays that hit nothing have no features; those that
// end at a light have empty ones.
func (s *featureMap) record(t *packetTracer, block image.Rectangle) {
	last := s.last[:0] // for each level's rays, the index of the last of their features and those of the ghosts before them
	for i := range t.levels[0].n {
		last = append(last, s.index(block.Min.X+i%block.Dx(), block.Min.Y+i/block.Dx()))
		s.features[last[i]] = t.featuresOf(0, i)
	}
	s.recordGhosts(t, 0, last)
	for depth := 1; depth < t.depths; depth++ {
		v := t.levels[depth]
		above := last[len(last)-t.levels[depth-1].n:]
		for i, parent := range v.parent {
			end := above[parent]
			switch h := &v.hits[i]; {
			case h.Object != accel.None:
				end = s.follow(end, t.featuresOf(depth, i))
			case !math.IsInf(h.T, 1): // at a light
				end = s.follow(end, features{object: accel.None, next: -1})
			}
			last = append(last, end)
		}
		s.recordGhosts(t, depth, last[len(last)-v.n:])
	}
	s.last = last
}

// follow appends features that follow those with index end, and returns their index.
func (s *featureMap) follow(end int, f features) int {
	next := len(s.features)
	s.features[end].next = int32(next)
	s.features = append(s.features, f)
	return next
}

// recordGhosts stores the features of the ghosts at a depth. last has the index of the last features of each ray.
func (s *featureMap) recordGhosts(t *packetTracer, depth int, last []int) {
	v := t.levels[depth]
	for k, ray := range v.ghosts {
		last[ray] = s.follow(last[ray], t.featuresOf(depth, v.n+k))
	}
}

// featuresOf returns the features of hit i of the level at the given depth, that is, after depth reflections.
func (t *packetTracer) featuresOf(depth, i int) features {
	if depth == 0 && !t.meets(i) { // record has skipped mirror rays that hit nothing
		return features{object: accel.None, next: -1}
	}
	v := t.levels[depth]
	h := &v.hits[i]
	return features{object: h.Object, next: -1, lit: v.lit[i], cell: t.Pattern(h), normal: h.Normal}
}

// noteLight records, if antialiasing is adaptive, that a light reaches the hit of a ray. The parameter light is its hash.
func (t *packetTracer) noteLight(v *level, ray int32, light uint64) {
	if t.adaptive {
		v.lit[ray] ^= light
	}
}

// noteSky records, if antialiasing is adaptive, that solids hide the sky or a part of it at the hit of a ray.
func (t *packetTracer) noteSky(v *level, ray int32, s *shade.Sky, at sampler.Position) {
	switch share := s.Share(); {
	case share == 0:
		t.noteLight(v, ray, skyHash)
	case share < 1:
		t.notePartly(v, ray, skyHash, at)
	}
}

// notePartly records that samples at the hit of a ray saw only a part of a light or of the sky. hash is the hash of
// that light, or skyHash. Each pixel samples other points, so it may see another part than its neighbors. The recorded
// hash therefore depends on the pixel, so that neighboring pixels differ and are refined.
func (t *packetTracer) notePartly(v *level, ray int32, hash uint64, at sampler.Position) {
	t.noteLight(v, ray, mix(hash^uint64(uint32(at.X))<<32^uint64(uint32(at.Y))))
}

// skyHash is the hash of the sky, which no light has.
var skyHash = mix(1 << 63)

// lightHash returns the hash of a light. Sets of lights are compared by the exclusive or of their hashes.
func lightHash(light int) uint64 { return mix(uint64(light) + 1) }

// mix returns a hash of n. It is the output function of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom
// number generators", 2014).
func mix(n uint64) uint64 {
	n *= 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
