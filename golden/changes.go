package golden

import (
	"image"

	"golang.org/x/image/draw"
)

// Changes draws where got differs from want, d being what [Compare] told of them: a faded want on
// which changed pixels glow, the brighter the larger the difference, those within the tolerance in
// blue, and masks hatched. It has the size of want, a pixel for a pixel; where the sizes differ it
// shows no difference. Neither image may be nil.
func Changes(got, want image.Image, d Diff) *image.RGBA {
	s := &sheet{canvas: image.NewRGBA(extent(want)), diff: d}
	whole := s.canvas.Rect
	draw.Draw(s.canvas, whole, want, want.Bounds().Min, draw.Over)
	s.fade(whole)
	if d.Got != d.Want {
		return s.canvas
	}
	for _, r := range d.Tolerance.Masks {
		s.hatch(r.Intersect(whole), whole.Min)
	}
	s.glow(view{region: whole, scale: ratio{1, 1}}, peaksOf(got, want, d.Tolerance.Masks), whole.Min)
	return s.canvas
}
