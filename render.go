// Package pillbox renders scenes of spheres, capsules and oriented boxes: the same pixels
// on every machine.
//
// [Render] sets the scene up for one picture, a [follow.Prepared], cuts the picture into tiles and
// renders them on several goroutines: the camera's view fills packets of coherent rays, the
// world of solids answers which solid each ray meets and which lights are blocked, package shade
// turns that into linear light, and the [Film] stores it as sRGB. What a rectangle of the
// picture shows depends on the scene, the options and the rectangle only, never on the number of
// workers, the size of the tiles or the machine.
//
// Conventions: pixel (0, 0) is the top left; rectangles are half-open,
// [Min.X, Max.X) x [Min.Y, Max.Y).
package pillbox

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image"

	"pillbox/internal/follow"
	"pillbox/internal/tracer"
	"pillbox/scene"
	"pillbox/shade"
)

// Render renders s, which must not be modified meanwhile; several calls may render it at
// once.
//
// If ctx ends early, Render returns what is finished together with the context's error; it ends
// within a moment, whatever the scene. With every other error the film is nil: ctx or s is nil, an
// option is out of range, the scene or its world is not fit to be rendered, or the camera is
// degenerate for a picture of this size; see [follow.New].
func Render(ctx context.Context, s *scene.Scene, opt Options) (*Film, error) {
	// Checked again by RenderStage: setting up a large scene takes long.
	if err := opt.validate(ctx); err != nil {
		return nil, err
	}
	st, err := opt.Stage(s)
	if err != nil {
		return nil, err
	}
	return RenderStage(ctx, st, opt)
}

// RenderStage is [Render] of a scene that is set up already. Size, Antialias, Region and World are
// those of the stage, which must not be nil; the options' do not count.
func RenderStage(ctx context.Context, st *follow.Prepared, opt Options) (*Film, error) {
	if err := opt.validate(ctx); err != nil {
		return nil, err
	}
	if st == nil {
		return nil, errors.New("want a stage, got nil")
	}
	film := newFilm(st, opt.Linear)
	work := tracer.Work{Workers: opt.Workers, TileSize: opt.TileSize, Progress: opt.Progress}
	if opt.Rows != nil {
		work.Rows = func(n int) { opt.Rows(film, n) }
	}
	rays, err := tracer.Render(ctx, st, tracer.Film{Pix: film.Image.Pix, Refined: film.Refined, Linear: film.Linear}, work)
	film.Rays = Rays(rays)
	return film, err
}

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
func (o *Options) Stage(s *scene.Scene) (*follow.Prepared, error) { return follow.New(s, o.picture()) }

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

// Film is a rendered picture or a rectangle of one.
type Film struct {
	// Image holds the pixels, with straight (not premultiplied) alpha. Its bounds start at
	// (0, 0) and have the size of Region. Pixels that were not rendered because the context
	// ended are transparent black.
	Image *image.NRGBA

	// Region is the rectangle of the full picture that Image shows.
	Region image.Rectangle

	// Refined says, for the pixels of Image in row-major order, which of them adaptive
	// antialiasing gave all n x n samples; the others have one, at their center. It is nil
	// unless antialiasing is adaptive.
	Refined []bool

	// Linear holds, if [Options.Linear] asks for it, the linear color of each pixel of Image in
	// row-major order: the average of its samples' clamped colors, of those that are not
	// transparent. It is black where all are.
	Linear []shade.Color

	// Rays counts the rays that were cast, but for those that adaptive antialiasing casts beside
	// tiles and regions.
	Rays Rays
}

// newFilm returns an empty film for a stage, with room for linear colors if they are wanted.
func newFilm(st *follow.Prepared, linear bool) *Film {
	f := &Film{Image: image.NewNRGBA(image.Rectangle{Max: st.Region.Size()}), Region: st.Region}
	pixels := st.Region.Dx() * st.Region.Dy()
	if st.Adaptive() {
		f.Refined = make([]bool, pixels)
	}
	if linear {
		f.Linear = make([]shade.Color, pixels)
	}
	return f
}

// Rays counts rays by what they were cast for.
type Rays struct {
	Primary int64 `json:"primary"`
	Shadow  int64 `json:"shadow"`
	Mirror  int64 `json:"mirror"`
}

// Hash returns the pixel hash of a picture: the SHA-256, in hexadecimal, of its width and
// height as big-endian 32-bit numbers followed by its pixels as red, green, blue, alpha,
// row by row. It depends on the pixels alone, not on how they were stored or compressed.
func Hash(img *image.NRGBA) string {
	h := sha256.New()
	size := img.Rect.Size()
	var head [8]byte
	binary.BigEndian.PutUint32(head[:4], uint32(size.X))
	binary.BigEndian.PutUint32(head[4:], uint32(size.Y))
	h.Write(head[:])
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		row := img.PixOffset(img.Rect.Min.X, y)
		h.Write(img.Pix[row : row+4*size.X])
	}
	return hex.EncodeToString(h.Sum(nil))
}
