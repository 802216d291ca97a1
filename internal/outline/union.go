package outline

import "math"

// nearest describes the lines at a pixel.
type nearest struct {
	squared float64 // the square of the distance from the center of the pixel to the nearest stroke
	stroke  int32   // the index of this stroke
	others  uint64  // the samples that other lines cover: see unite
}

// samplesAcross is the number of columns and rows of samples of a pixel.
const samplesAcross = 8

// sameLine is the largest distance, in pixels, between the ends of a stroke and the straight continuation of another
// stroke if both count as the same line. At a smaller distance, the line bends so little in a pixel that it is drawn as
// straight.
const sameLine = 1.0 / 8

// unite finds which other lines cover the pixel with the given center, if the nearest line covers only a part of it. The
// nearest line is treated as straight, and the pixel as a square with sides along this line. The rest of the square is
// divided into 8 x 8 cells, each with a sample in its middle, and unite records the samples that other lines cover.
// The candidates are the indices of the strokes that may cover any.
func (t *Tracer) unite(n *nearest, center point, candidates []int32) {
	if share := t.share(n.squared); !(share > 0 && share < 1) {
		return
	}
	for _, i := range candidates {
		if n.others == math.MaxUint64 {
			return
		}
		if s := t.strokes[i]; s.isNear(center, t.half+0.5) {
			n.others |= t.samples(s, center, n)
		}
	}
}

// isNear reports whether c lies in the rectangle around the stroke with the given distance from it.
func (s stroke) isNear(c point, distance float64) bool {
	return min(s.p.x, s.q.x)-distance <= c.x && c.x <= max(s.p.x, s.q.x)+distance &&
		min(s.p.y, s.q.y)-distance <= c.y && c.y <= max(s.p.y, s.q.y)+distance
}

// samples returns the samples of a pixel that the stroke s covers, as a set of bits. It returns 0 if s is a part of the
// nearest line.
func (t *Tracer) samples(s stroke, center point, n *nearest) (set uint64) {
	normal, d := t.strokes[n.stroke].normal(center), math.Sqrt(n.squared)
	from := func(p point) float64 {
		return float64((p.x-center.x)*normal.x) + float64((p.y-center.y)*normal.y)
	}
	if a, b := from(s.p), from(s.q); min(a, b) >= d-sameLine && max(a, b) <= d+sameLine {
		return 0
	}
	// The nearest line covers the points of the square from d - half to d + half along the normal. The rest has a part
	// before and a part after the line.
	before, after := max(0, d-t.half+0.5), max(0, 0.5-d-t.half)
	for row := range samplesAcross {
		along := float64((before + after) * (float64(row) + 0.5) / samplesAcross)
		if along < before {
			along -= 0.5
		} else {
			along += d + t.half - before
		}
		for column := range samplesAcross {
			across := float64((float64(column)+0.5)/samplesAcross) - 0.5
			sample := point{
				center.x + float64(along*normal.x) - float64(across*normal.y),
				center.y + float64(along*normal.y) + float64(across*normal.x),
			}
			if s.squaredDistance(sample) <= float64(t.half*t.half) {
				set |= 1 << (row*samplesAcross + column)
			}
		}
	}
	return set
}

// normal returns the unit vector from c to the nearest point of the stroke. If c lies on the stroke, it returns a unit
// vector at right angles to the stroke.
func (s stroke) normal(c point) point {
	const least = 0x1p-20 // at smaller distances, rounding errors change the direction
	n := s.toward(c)
	n = point{-n.x, -n.y}
	length := math.Sqrt(float64(n.x*n.x) + float64(n.y*n.y))
	if length < least {
		n = point{s.p.y - s.q.y, s.q.x - s.p.x}
		length = math.Sqrt(float64(n.x*n.x) + float64(n.y*n.y))
	}
	if length == 0 {
		return point{x: 1}
	}
	return point{n.x / length, n.y / length}
}
