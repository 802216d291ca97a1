package pillbox

import (
	"context"
	"errors"
	"fmt"
	"image"

	"pillbox/internal/follow"
	"pillbox/scene"
)

// Options control how a scene is rendered. The zero value renders the whole picture as the
// scene describes it. Size, Antialias and Region choose the picture; the other fields say how the
// work is done and what is told about it.
type Options struct {
	// Size is the picture's width and height in pixels. Zero means the scene's; if only
	// one of the two is zero, it follows from the other and the scene's proportions.
	Size image.Point

	// Antialias n casts n x n rays a pixel, 1 to 16. Zero means the scene's.
	Antialias int

	// Region is the part of the picture to render, inside the picture. The film then has
	// its size, and the very pixels that the whole picture has there. The zero rectangle
	// means the whole picture.
	Region image.Rectangle

	// World, if not nil, is the result of the scene's World method, made before, so that
	// several calls can share it. An [accel.Brute] of the same solids, the oracle, shows the same
	// pixels; it tests every solid with package shapes alone, which is slow.
	World follow.World

	// Workers is the number of goroutines; zero means GOMAXPROCS. It never changes a pixel.
	Workers int

	// TileSize is the edge in pixels of the squares that workers render at a time; zero
	// means 16 to 128, as picture and workers suggest. It never changes a pixel.
	TileSize int

	// Progress, if not nil, is called after every tile with the number of pixels done and
	// of all pixels. The calls come from several goroutines, but one at a time and with
	// done ascending.
	Progress func(done, all int)

	// Rows, if not nil, is called whenever more rows of the film are final, with their number
	// n from the top: they can be read, and do not change any more, while those below are
	// still being rendered. The calls come from several goroutines, but one at a time and
	// with n ascending, to the height of the film unless the context ends.
	Rows func(film *Film, n int)

	// Linear asks for [Film.Linear].
	Linear bool
}

// Stage sets s up for the picture that the options ask for. The errors are those of [follow.New].
func (o *Options) Stage(s *scene.Scene) (*follow.Stage, error) { return follow.New(s, o.picture()) }

// PictureSize returns the size of the picture that the options ask for, and an error if it
// is out of range or s is nil.
func (o *Options) PictureSize(s *scene.Scene) (image.Point, error) {
	p := o.picture()
	return p.PictureSize(s)
}

// picture returns the options that choose the picture.
func (o *Options) picture() follow.Options {
	return follow.Options{Size: o.Size, Region: o.Region, Antialias: o.Antialias, World: o.World}
}

// validate returns an error if what says how the work is done is out of range, or ctx nil.
func (o *Options) validate(ctx context.Context) error {
	if ctx == nil {
		return errors.New("want a context, got nil")
	}
	if o.Workers < 0 || o.TileSize < 0 {
		return fmt.Errorf("workers and tile size must not be negative, got %d and %d", o.Workers, o.TileSize)
	}
	return nil
}
