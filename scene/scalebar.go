package scene

import (
	"errors"
	"fmt"

	"pillbox/camera"
	"pillbox/problem"
)

// ScaleBar is a line of a known length in the scene.
type ScaleBar struct {
	Length float64
	Depth  float64 // perspective only: the distance from the camera, along the view, at which the bar has its length
	Corner string
	Quantity
	Lettering
}

// fitScaleBar reports a scale bar that has no single length in the picture, or does not fit into it.
func (l *loader) fitScaleBar() {
	b := l.scene.Annotations.ScaleBar
	if b == nil || l.failed() {
		return
	}
	t := l.Table("scale_bar")
	view, err := l.scene.View(l.scene.Image.Width, l.scene.Image.Height)
	if err != nil {
		return // the error is reported elsewhere
	}
	if view.Parallel() && b.Depth != 0 {
		t.Warn("depth", problem.CodeUnusedKey, "has no effect in an orthographic picture")
	}
	switch pixels, err := b.Pixels(view, l.scene.Image.Width); {
	case errors.Is(err, errNoDepth):
		t.Missing("depth", problem.CodeScaleBar, "%v", err)
	case err != nil:
		t.Wrong("length", problem.CodeScaleBar, "%v", err)
	case pixels < 1: // in smaller pictures, such as previews, it may be
		t.Wrong("length", problem.CodeScaleBar, "must be longer: the bar has %.2g pixels, want at least 1", pixels)
	}
}

var errNoDepth = errors.New("required with a perspective camera, where a length has no single scale: the distance from the camera, along the view, at which the bar has its length; or use an orthographic camera")

// Pixels returns the length of the bar in pixels in a picture of the given width. It returns an error if the view is
// perspective and the bar has no depth, or if the bar is longer than nine tenths of the picture.
func (b *ScaleBar) Pixels(view *camera.View, width int) (float64, error) {
	if !view.Parallel() && b.Depth == 0 {
		return 0, errNoDepth
	}
	pixels := b.Length / view.PixelAt(b.Depth)
	if most := 0.9 * float64(width); !(pixels <= most) {
		return 0, fmt.Errorf("must be shorter: the bar has %.4g pixels, and the picture a width of %d", pixels, width)
	}
	return pixels, nil
}
