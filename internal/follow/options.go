package follow

import (
	"cmp"
	"errors"
	"fmt"
	"image"

	"pillbox/scene"
)

// Options choose the picture of a scene. The zero value is the picture that the scene describes.
type Options struct {
	// Size is the picture's width and height in pixels. Zero means the scene's; if only one of
	// the two is zero, it follows from the other and the scene's proportions.
	Size image.Point

	// Region is the part of the picture that is asked for, inside the picture. The zero rectangle
	// means the whole picture.
	Region image.Rectangle

	// Antialias n stands for n x n rays a pixel, 1 to 16. Zero means the scene's.
	Antialias int

	// World answers the rays. Nil means the result of the scene's World method; one that was made
	// before can serve several stages.
	World World
}

// errNoScene says that there is nothing to set up.
var errNoScene = errors.New("want a scene, got nil")

// PictureSize returns the size of the picture that the options ask for. The error says that it is
// out of range, or that s is nil.
func (o *Options) PictureSize(s *scene.Scene) (image.Point, error) {
	if s == nil {
		return image.Point{}, errNoScene
	}
	size := o.Size
	if size.X < 0 || size.Y < 0 {
		return size, fmt.Errorf("picture size must not be negative, got %d x %d", size.X, size.Y)
	}
	if one := max(size.X, size.Y); one > scene.MaxSide && min(size.X, size.Y) == 0 {
		return size, fmt.Errorf("picture sides must be 1 to %d pixels, got %d", scene.MaxSide, one)
	}
	own := image.Pt(s.Image.Width, s.Image.Height)
	switch {
	case size == image.Point{}:
		size = own
	case size.Y == 0:
		size.Y = proportional(size.X, own.Y, own.X)
	case size.X == 0:
		size.X = proportional(size.Y, own.X, own.Y)
	}
	if size.X < 1 || size.Y < 1 || size.X > scene.MaxSide || size.Y > scene.MaxSide || size.X*size.Y > scene.MaxPixels {
		return size, fmt.Errorf("picture sides must be 1 to %d pixels, and %d in all, got %d x %d",
			scene.MaxSide, scene.MaxPixels, size.X, size.Y)
	}
	return size, nil
}

// region returns the part that is asked for of a picture of the given size, and an error if Region
// does not lie inside.
func (o *Options) region(size image.Point) (image.Rectangle, error) {
	r, whole := o.Region, image.Rectangle{Max: size}
	if r == (image.Rectangle{}) {
		return whole, nil
	}
	if r.Empty() || !r.In(whole) {
		return r, fmt.Errorf("region must lie inside the picture of %d x %d pixels and not be empty, got %d,%d,%d,%d",
			size.X, size.Y, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	}
	return r, nil
}

// antialias returns n of the n x n rays a pixel, and an error if it is out of range.
func (o *Options) antialias(s *scene.Scene) (n int, err error) {
	n = cmp.Or(o.Antialias, s.Image.Antialias)
	if n < 1 || n > scene.MaxAntialias {
		return n, fmt.Errorf("antialias must be 1 to %d, got %d", scene.MaxAntialias, n)
	}
	return n, nil
}

// world returns World or, if that is nil, makes the scene's. The error says that s fails its
// Validate, or that World has not as many solids and so is not the scene's. To validate a scene
// again with each use of its World would cost as much as to render a small picture of it.
func (o *Options) world(s *scene.Scene) (World, error) {
	if o.World == nil {
		if err := s.Validate(); err != nil {
			return nil, err
		}
		return s.World(), nil
	}
	if n := o.World.Len(); n != s.Objects.Len() {
		return nil, fmt.Errorf("the world has %d solids and the scene %d: it is not the scene's", n, s.Objects.Len())
	}
	return o.World, nil
}

// proportional returns a*num/den rounded to nearest, at least 1, or 0 if one of them is no side
// of a picture.
func proportional(a, num, den int) int {
	for _, side := range [...]int{a, num, den} {
		if side < 1 || side > scene.MaxSide {
			return 0
		}
	}
	return max(1, int((2*int64(a)*int64(num)+int64(den))/(2*int64(den))))
}
