package outline

import (
	"context"
	"image"
	"math"
)

const (
	// farthestSample is an upper bound on the distance of a sample of unite from the center of its pixel, in pixels:
	// samples lie up to 1/2 and 7/16 away along the sides of the pixel.
	farthestSample = 0.6875
	// slack is larger than the rounding errors of distances in a picture.
	slack = 0x1p-16
)

// coverAll finds the nearest stroke of each pixel of the traced rectangle, and the other lines that cover the pixel. It
// returns false if ctx ends first.
func (t *Tracer) coverAll(ctx context.Context) bool {
	t.clear()
	t.listed = t.listed[:0]
	for i := range t.strokes {
		t.listed = append(t.listed, int32(i))
	}
	return t.cover(ctx, t.rect, t.listed)
}

// clear leaves no line at any pixel of the traced rectangle.
func (t *Tracer) clear() {
	t.nearest = resize(t.nearest, t.rect.Dx()*t.rect.Dy())
	for i := range t.nearest {
		t.nearest[i] = nearest{squared: math.Inf(1)}
	}
}

// cover does the work of coverAll for the pixels of area, given the indices of all strokes that matter there. It divides
// the area down to single pixels, and keeps for each part only the strokes that matter in it. These are few even if
// lines are wide, so the time depends on the numbers of pixels and strokes, but hardly on the width of the lines.
func (t *Tracer) cover(ctx context.Context, area image.Rectangle, strokes []int32) bool {
	if area.Dx() >= 16 && ctx.Err() != nil {
		return false
	}
	// The center of each pixel is at most radius away from middle.
	middle := point{float64(area.Min.X+area.Max.X) / 2, float64(area.Min.Y+area.Max.Y) / 2}
	w, h := float64(area.Dx()-1), float64(area.Dy()-1)
	radius := float64(math.Sqrt(float64(w*w)+float64(h*h)) / 2)
	least := math.Inf(1)
	for _, i := range strokes {
		least = min(least, t.strokes[i].squaredDistance(middle))
	}
	least = math.Sqrt(least)
	if least-radius > t.half+0.5 {
		return true
	}
	if least+radius < t.half-0.5-slack && !t.inFog {
		t.fill(area)
		return true
	}
	limit := least + float64(2*radius) // of strokes that can be the nearest one of a pixel
	if least+radius > t.half-0.5-slack {
		// The nearest lines cover only parts of some pixels, so others matter, too.
		limit = t.half + farthestSample + radius
	}
	limit += slack
	first := len(t.listed)
	defer func() { t.listed = t.listed[:first] }()
	for _, i := range strokes {
		if t.strokes[i].squaredDistance(middle) <= float64(limit*limit) {
			t.listed = append(t.listed, i)
		}
	}
	near := t.listed[first:]
	if area.Dx() <= 1 && area.Dy() <= 1 {
		t.coverPixel(area.Min, near)
		return true
	}
	for _, part := range quarters(area) {
		if !part.Empty() && !t.cover(ctx, part, near) {
			return false
		}
	}
	return true
}

// fill covers all pixels of an area entirely. Which stroke is the nearest does not matter there without fog.
func (t *Tracer) fill(area image.Rectangle) {
	for y := area.Min.Y; y < area.Max.Y; y++ {
		row := t.nearest[(y-t.rect.Min.Y)*t.rect.Dx():]
		for x := area.Min.X; x < area.Max.X; x++ {
			row[x-t.rect.Min.X].squared = 0
		}
	}
}

// quarters divides an area in the middle of both sides. Some quarters of a narrow area are empty.
func quarters(area image.Rectangle) [4]image.Rectangle {
	x, y := (area.Min.X+area.Max.X)/2, (area.Min.Y+area.Max.Y)/2
	return [4]image.Rectangle{
		{area.Min, image.Pt(x, y)},
		{image.Pt(x, area.Min.Y), image.Pt(area.Max.X, y)},
		{image.Pt(area.Min.X, y), image.Pt(x, area.Max.Y)},
		{image.Pt(x, y), area.Max},
	}
}

// coverPixel finds the nearest of the strokes at the pixel p, and what the others cover.
func (t *Tracer) coverPixel(p image.Point, strokes []int32) {
	center := point{float64(p.X) + 0.5, float64(p.Y) + 0.5}
	n := &t.nearest[(p.Y-t.rect.Min.Y)*t.rect.Dx()+p.X-t.rect.Min.X]
	for _, i := range strokes {
		s := t.strokes[i]
		switch d := s.squaredDistance(center); {
		case d < n.squared, d == n.squared && s.before(t.strokes[n.stroke]):
			n.squared, n.stroke = d, i
		}
	}
	t.unite(n, center, strokes)
}
