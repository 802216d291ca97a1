// Package pillbox renders scenes of spheres, capsules and oriented boxes: the same pixels
// on every machine.
//
// [Render] cuts the picture into tiles and renders them on several goroutines: the camera's
// view fills packets of coherent rays, the world of solids answers which solid each ray
// meets and which lights are blocked, package shade turns that into linear light, and the
// [Film] stores it as sRGB. What a rectangle of the picture shows depends on the scene, the
// options and the rectangle only, never on the number of workers, the size of the tiles or
// the machine.
//
// Conventions: pixel (0, 0) is the top left; rectangles are half-open,
// [Min.X, Max.X) x [Min.Y, Max.Y).
package pillbox

import (
	"cmp"
	"context"
	"fmt"
	"image"

	"pillbox/accel"
	"pillbox/scene"
)

// Options control how a scene is rendered. The zero value renders the whole picture as the
// scene describes it.
type Options struct {
	// Size is the picture's width and height in pixels. Zero means the scene's; if only
	// one of the two is zero, it follows from the other and the scene's proportions.
	Size image.Point

	// Antialias n casts n x n rays a pixel, 1 to 16. Zero means the scene's.
	Antialias int

	// Workers is the number of goroutines; zero means GOMAXPROCS. It never changes a pixel.
	Workers int

	// TileSize is the edge in pixels of the squares that workers render at a time; zero
	// means 16 to 128, as picture and workers suggest. It never changes a pixel.
	TileSize int

	// Region is the part of the picture to render, inside the picture. The film then has
	// its size, and the very pixels that the whole picture has there. The zero rectangle
	// means the whole picture.
	Region image.Rectangle

	// Progress, if not nil, is called after every tile with the number of pixels done and
	// of all pixels. The calls come from several goroutines, but one at a time and with
	// done ascending.
	Progress func(done, all int)

	// Rows, if not nil, is called whenever more rows of the film are final, with their number
	// n from the top: they can be read, and do not change any more, while those below are
	// still being rendered. The calls come from several goroutines, but one at a time and
	// with n ascending, to the height of the film unless the context ends.
	Rows func(film *Film, n int)

	// World, if not nil, is the result of the scene's World method, made before, so that
	// several calls can share it.
	World *accel.World

	// Linear asks for [Film.Linear].
	Linear bool

	// Brute answers every ray by testing every solid with package shapes alone. The pixels
	// are the same; it is slow, and the oracle of the fast way. World does not count then.
	Brute bool
}

// Render renders s, which must not be modified meanwhile; several calls may render it at
// once.
//
// If ctx ends early, Render returns what is finished together with the context's error.
// With every other error the film is nil: an option is out of range, the scene or its world is
// not fit to be rendered ([Options.SceneWorld]), or the camera is degenerate for a picture of
// this size.
func Render(ctx context.Context, s *scene.Scene, opt Options) (*Film, error) {
	j, err := newJob(s, opt)
	if err != nil {
		return nil, err
	}
	if err := j.run(ctx); err != nil {
		return j.film, err
	}
	return j.film, nil
}

// PictureSize returns the size of the picture that the options ask for, and an error if it
// is out of range.
func (o *Options) PictureSize(s *scene.Scene) (image.Point, error) {
	size := o.Size
	if size.X < 0 || size.Y < 0 {
		return size, fmt.Errorf("picture size must not be negative, got %d x %d", size.X, size.Y)
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

// PictureRegion returns the part to render of a picture of the given size, and an error if
// Region does not lie inside.
func (o *Options) PictureRegion(size image.Point) (image.Rectangle, error) {
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

// PictureAntialias returns n of the n x n rays a pixel that the options ask for, and an error if
// it is out of range.
func (o *Options) PictureAntialias(s *scene.Scene) (n int, err error) {
	n = cmp.Or(o.Antialias, s.Image.Antialias)
	if n < 1 || n > scene.MaxAntialias {
		return n, fmt.Errorf("antialias must be 1 to %d, got %d", scene.MaxAntialias, n)
	}
	return n, nil
}

// SceneWorld returns World or, if that is nil, makes the scene's. The error says that s fails its
// Validate, or that World has not as many solids and so is not the scene's; then it validates
// nothing.
func (o *Options) SceneWorld(s *scene.Scene) (*accel.World, error) {
	if o.World == nil {
		if err := s.Validate(); err != nil {
			return nil, err
		}
		return s.World(), nil
	}
	if n := o.World.Len(); n != len(s.Objects) {
		return nil, fmt.Errorf("the world has %d solids and the scene %d: it is not the scene's", n, len(s.Objects))
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
