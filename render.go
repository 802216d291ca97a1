// Package pillbox renders scenes of spheres, capsules, oriented boxes and cylinders. The pixels are the
// same on every machine.
//
// [Render] renders a scene to a [Film]. To render one scene several times, in parts or from several
// cameras, [Prepare] it once and call [Prepared.Render]: preparing builds the bounding-volume hierarchy
// over the solids, which takes most of the time before the first pixel.
//
// [Options] have two parts. A [Picture] selects what to render: size, region, antialiasing. [Work]
// controls how: goroutines, callbacks, additional results. The pixels of a rectangle depend only on the
// scene, the picture and the rectangle; Work does not affect them.
//
// Conventions: pixel (0, 0) is the top left; rectangles are half-open,
// [Min.X, Max.X) x [Min.Y, Max.Y).
package pillbox

import (
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"image"
	"sync"

	"pillbox/internal/follow"
	"pillbox/internal/pages"
	"pillbox/internal/sourcehash"
	"pillbox/internal/tracer"
	"pillbox/scene"
	"pillbox/shade"
)

// Options control how a scene is rendered. The zero value renders the whole picture with the settings
// of the scene.
type Options struct {
	Picture
	Work
}

// Picture selects a picture of a scene. The zero value is the whole picture with the settings of the
// scene.
type Picture struct {
	// Size is the picture's width and height in pixels. Zero means the scene's size. If only one of the
	// two is zero, it is computed from the other and the scene's proportions.
	Size image.Point

	// Antialias is n, for n x n rays per pixel: 1 to 16. Zero means the scene's value.
	Antialias int

	// Region is the part of the picture to render; it must lie inside the picture. Its pixels
	// are exactly those of the whole picture. The zero rectangle means the whole picture.
	Region image.Rectangle
}

// Work controls how a picture is rendered. It does not affect the pixels. The zero value uses all
// processors and reports nothing.
type Work struct {
	// Workers is the number of goroutines; zero means GOMAXPROCS.
	Workers int

	// Progress, if not nil, is called after every tile with the number of pixels done so far and the
	// number of all pixels. The calls come from several goroutines, but one at a time and with done
	// ascending.
	Progress func(done, all int)

	// Building, if not nil, is called while [Render] and [PrepareWith] build the bounding-volume hierarchy, with the
	// number of solids in it so far and the number of all solids. The calls come one at a time and with done ascending.
	Building func(done, all int)

	// Rows, if not nil, is called whenever more rows of the film are final. The first n rows can be read and do not
	// change any more, while the rows below are still being rendered. The calls come from several goroutines, but one
	// at a time and with n ascending. Unless the context ends, the last n is the height of the film.
	Rows func(film *Film, n int)

	// Linear fills in [Film.Linear].
	Linear bool
}

// Film is a rendered picture or a rectangle of one.
type Film struct {
	// Image holds the pixels, with straight (not premultiplied) alpha. Its bounds start at
	// (0, 0) and have the size of Region. Pixels that were not rendered because the context
	// ended are transparent black.
	Image *image.NRGBA

	// Region is the rectangle of the whole picture that Image shows.
	Region image.Rectangle

	// Refined reports, for each pixel of Image in row-major order, whether adaptive antialiasing has
	// cast all n x n samples; other pixels have a single sample at their center. It is nil unless
	// antialiasing is adaptive.
	Refined []bool

	// Linear holds, if [Work.Linear] is set, the linear color of each pixel of Image in row-major order. This is the
	// average of the clamped colors of the samples that are not transparent, or black if all are transparent. The lines
	// of an outline are mixed in.
	Linear []shade.Color

	// Rays counts the rays, as type [Rays] describes. It excludes two kinds of rays: those that adaptive antialiasing
	// casts through pixels beside a tile to decide which pixels of the tile to refine, and those that find the lines of
	// an outline.
	Rays Rays
}

// Rays counts rays by purpose. Shadow rays go toward lights and, for ambient occlusion, into the sky. The count does
// not depend on Work. A ray into the sky counts only if it is cast. Lights with a size are counted differently. Where a
// surface faces such a light and shadows are on, each of the light's points counts as one ray. They count even if no
// rays are cast there, because the renderer knows without them that the whole light is visible or hidden.
type Rays struct {
	Primary int64 `json:"primary"`
	Shadow  int64 `json:"shadow"`
	Mirror  int64 `json:"mirror"`
}

// Render renders s. The scene must not be modified during the call; concurrent calls may render the
// same scene.
//
// If ctx ends early, Render returns the unfinished film and ctx.Err(). It does not check ctx while it builds
// the bounding-volume hierarchy. For all other errors the film is nil: ctx is nil, Workers is negative, or
// [Prepare] returns an error.
func Render(ctx context.Context, s *scene.Scene, opt Options) (*Film, error) {
	// Validate first: preparing a large scene takes long.
	if err := opt.Work.validate(ctx); err != nil {
		return nil, err
	}
	p, err := PrepareWith(s, opt)
	if err != nil {
		return nil, err
	}
	return p.render(ctx, opt.Work)
}

// Prepared is a scene prepared for one picture: validated, with its camera's view, its lights and a
// bounding-volume hierarchy over its solids. It is immutable and safe for concurrent use.
type Prepared struct{ handle }

// handle contains a follow.Prepared that only packages of this module can reach, with follow.Of.
type handle = follow.Handle[follow.Prepared]

// Prepare prepares s, which must not be modified afterwards.
//
// It returns an error if s is nil, was created without [scene.New], or fails its Validate. It also returns an error if,
// in a picture of this size, the camera is degenerate or the outline is too wide, or if a field of pic is out of range.
func Prepare(s *scene.Scene, pic Picture) (*Prepared, error) {
	return PrepareWith(s, Options{Picture: pic})
}

// PrepareWith is like the function Prepare and also reports progress to opt.Building. It ignores the
// other fields of opt.Work.
func PrepareWith(s *scene.Scene, opt Options) (*Prepared, error) {
	pic, err := opt.Picture.resolve(s)
	if err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, err
	}
	return prepare(s, follow.NewBVHs(s, opt.Building), pic)
}

// Prepare prepares another picture and reuses p's bounding-volume hierarchy. s may be p's scene, or another scene with
// the same solids and, for example, another camera or other lights and materials. s must be valid, which Prepare does
// not check, and must not be modified afterwards.
//
// Prepare returns an error if p was not returned by a Prepare function, or if s is nil, was created without [scene.New]
// or has other solids. It also returns an error if, in a picture of this size, the camera is degenerate or
// the outline is too wide, or if a field of pic is out of range.
func (p *Prepared) Prepare(s *scene.Scene, pic Picture) (*Prepared, error) {
	from, err := p.get()
	if err != nil {
		return nil, err
	}
	if pic, err = pic.resolve(s); err != nil {
		return nil, err
	}
	if !scene.SameSolids(from.Scene, s) || s.Objects.Len() != from.Scene.Objects.Len() {
		return nil, errors.New("a scene that shares a search tree must have the same solids and sections")
	}
	return prepare(s, from.Worlds.For(s), pic)
}

func prepare(s *scene.Scene, w follow.Worlds, pic Picture) (*Prepared, error) {
	st, err := follow.New(s, w, pic.Size, pic.Region, pic.Antialias)
	if err != nil {
		return nil, err
	}
	p := new(Prepared)
	follow.Hold(p, st)
	return p, nil
}

// get returns the follow.Prepared in p, and an error if p is nil or was not returned by a Prepare
// function.
func (p *Prepared) get() (*follow.Prepared, error) {
	if p == nil || follow.Of(p) == nil {
		return nil, errors.New("want a scene from Prepare, got none")
	}
	return follow.Of(p), nil
}

// Scene returns the scene that p is prepared from, which must not be modified.
func (p *Prepared) Scene() *scene.Scene { return follow.Of(p).Scene }

// Picture returns the picture that p is prepared for, with every field set.
func (p *Prepared) Picture() Picture {
	st := follow.Of(p)
	return Picture{Size: st.Size, Antialias: st.Antialias, Region: st.Region}
}

// Render renders the picture. Calls may run concurrently. If ctx ends early, Render returns the
// unfinished film and ctx.Err(). For all other errors the film is nil: ctx is nil, Workers is negative,
// or p was not returned by Prepare.
func (p *Prepared) Render(ctx context.Context, w Work) (*Film, error) {
	if err := w.validate(ctx); err != nil {
		return nil, err
	}
	return p.render(ctx, w)
}

func (p *Prepared) render(ctx context.Context, w Work) (*Film, error) {
	st, err := p.get()
	if err != nil {
		return nil, err
	}
	film := newFilm(st, w.Linear)
	work := tracer.Work{Workers: w.Workers, Progress: w.Progress}
	if w.Rows != nil {
		work.Rows = func(n int) { w.Rows(film, n) }
	}
	rays, err := tracer.Render(ctx, st, tracer.Film{Pix: film.Image.Pix, Refined: film.Refined, Linear: film.Linear}, work)
	film.Rays = Rays(rays)
	return film, err
}

// newFilm returns an empty film for a prepared scene, with room for linear colors if linear is set.
func newFilm(st *follow.Prepared, linear bool) *Film {
	size := st.Region.Size()
	pixels := size.X * size.Y
	f := &Film{Image: &image.NRGBA{Pix: pages.Make(4 * pixels), Stride: 4 * size.X, Rect: image.Rectangle{Max: size}}, Region: st.Region}
	if st.Adaptive() {
		f.Refined = make([]bool, pixels)
	}
	if linear {
		f.Linear = make([]shade.Color, pixels)
	}
	return f
}

// validate returns an error if ctx is nil or a field is out of range.
func (w *Work) validate(ctx context.Context) error {
	if ctx == nil {
		return errors.New("want a context, got nil")
	}
	if w.Workers < 0 {
		return fmt.Errorf("workers must not be negative, got %d", w.Workers)
	}
	return nil
}

// SizeOf returns the size in pixels of this picture of s, and an error if it is out of range or s
// is nil.
func (pic Picture) SizeOf(s *scene.Scene) (image.Point, error) {
	if s == nil {
		return image.Point{}, errors.New("want a scene, got nil")
	}
	size := pic.Size
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

// proportional returns a*num/den, rounded to the nearest integer, at least 1. It returns 0 if an
// argument is out of the range of a picture's side.
func proportional(a, num, den int) int {
	for _, side := range [...]int{a, num, den} {
		if side < 1 || side > scene.MaxSide {
			return 0
		}
	}
	return max(1, int((2*int64(a)*int64(num)+int64(den))/(2*int64(den))))
}

// resolve returns the picture with every field set, and an error if a field is out of range, s is nil
// or s was created without [scene.New].
func (pic Picture) resolve(s *scene.Scene) (Picture, error) {
	if s != nil && (s.Image.Width == 0 || s.Image.Height == 0 || s.Image.Antialias == 0) {
		return pic, fmt.Errorf("the scene has no defaults, its image is %d x %d pixels with antialias %d: start with scene.New()",
			s.Image.Width, s.Image.Height, s.Image.Antialias)
	}
	var err error
	if pic.Size, err = pic.SizeOf(s); err != nil {
		return pic, err
	}
	whole := image.Rectangle{Max: pic.Size}
	if pic.Region == (image.Rectangle{}) {
		pic.Region = whole
	}
	if r := pic.Region; r.Empty() || !r.In(whole) {
		return pic, fmt.Errorf("region must lie inside the picture of %d x %d pixels and not be empty, got %d,%d,%d,%d",
			pic.Size.X, pic.Size.Y, r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	}
	pic.Antialias = cmp.Or(pic.Antialias, s.Image.Antialias)
	if n := pic.Antialias; n < 1 || n > scene.MaxAntialias {
		return pic, fmt.Errorf("antialias must be 1 to %d, got %d", scene.MaxAntialias, n)
	}
	return pic, nil
}

// Hash returns the pixel hash of a picture. This is the SHA-256, in hexadecimal, of the width and height as big-endian
// 32-bit numbers, followed by the pixels row by row as red, green, blue, alpha. It depends on the pixels only, not on
// how they are stored or compressed.
func Hash(img *image.NRGBA) string {
	size := img.Rect.Size()
	h := NewHasher(size)
	for y := img.Rect.Min.Y; y < img.Rect.Max.Y; y++ {
		row := img.PixOffset(img.Rect.Min.X, y)
		h.Row(img.Pix[row : row+4*size.X])
	}
	return h.Sum()
}

// A Hasher computes the result of [Hash] row by row.
type Hasher struct{ h hash.Hash }

// NewHasher returns a Hasher for a picture of the given size.
func NewHasher(size image.Point) *Hasher {
	h := &Hasher{sha256.New()}
	var head [8]byte
	binary.BigEndian.PutUint32(head[:4], uint32(size.X))
	binary.BigEndian.PutUint32(head[4:], uint32(size.Y))
	h.h.Write(head[:])
	return h
}

// Row adds the next row: red, green, blue and alpha of each pixel.
func (h *Hasher) Row(pixels []byte) { h.h.Write(pixels) }

// Sum returns the hash of the rows.
func (h *Hasher) Sum() string { return hex.EncodeToString(h.h.Sum(nil)) }

// sources are the files that decide pixels: those of this package and of all packages of the module that it imports,
// directly or indirectly, for all systems, without tests. A test compares them with the imports. The patterns skip
// names that end in t.go, as the names of tests do, so other files with such names are listed one by one.
//
//go:embed go.mod *[^t].go
//go:embed camera/*[^t].go camera/fit.go
//go:embed exact/*[^t].go exact/exact.go
//go:embed geom/*[^t].go geom/mat.go geom/packet.go
//go:embed internal/accel/*[^t].go internal/accel/*.s internal/accel/*.wasm
//go:embed internal/accel/traversalcost.go internal/accel/freelist.go internal/accel/kernels_absent.go
//go:embed internal/accel/packet.go internal/accel/shaft.go internal/accel/cut.go
//go:embed internal/accel/prefetch/*[^t].go internal/accel/prefetch/*.s
//go:embed internal/archive/*[^t].go
//go:embed internal/arealight/*[^t].go internal/arealight/*.s internal/arealight/arealight.go
//go:embed internal/arealight/kernels_absent.go
//go:embed internal/follow/*[^t].go internal/follow/arealight.go internal/follow/light.go
//go:embed internal/keytable/*[^t].go internal/keytable/report.go
//go:embed internal/osfile/*[^t].go
//go:embed internal/outline/*[^t].go
//go:embed internal/pages/*[^t].go
//go:embed internal/parallel/*[^t].go
//go:embed internal/sampler/*[^t].go internal/sampler/*.s internal/sampler/kernels_absent.go internal/sampler/sine/*[^t].go
//go:embed internal/sniff/*[^t].go
//go:embed internal/sourcehash/*[^t].go
//go:embed internal/text/*[^t].go
//go:embed internal/ticks/*[^t].go
//go:embed internal/tomltext/*[^t].go internal/tomltext/edit.go
//go:embed internal/typeface/*[^t].go internal/typeface/subset.go internal/typeface/signs.ttf
//go:embed internal/tracer/*[^t].go internal/tracer/packet.go internal/tracer/arealight.go
//go:embed problem/*[^t].go
//go:embed scene/*[^t].go scene/starter.toml scene/at.go scene/extent.go scene/fit.go scene/format.go scene/inspect.go scene/placement.go
//go:embed scene/target.go
//go:embed shade/*[^t].go shade/gradient.go shade/lambert.go shade/spot.go
//go:embed shapes/*[^t].go
var sources embed.FS

// linkedHash is the hash of the sources if the linker has set it, and otherwise empty. scripts/release sets it, because
// hashing takes more time than the rest of some commands.
var linkedHash string

// SourceHash returns a hash that identifies the renderer: the SHA-256, in hexadecimal, of go.mod and the source files
// that decide pixels. The files are those with which the program was built, local changes included. The hash is the
// same on every system and with every Go release. Programs with equal hashes render equal pixels.
func SourceHash() string {
	if linkedHash != "" {
		return linkedHash
	}
	hashed.Do(func() {
		sum, err := sourcehash.Of(sources)
		if err != nil {
			panic(err) // the files are part of the program
		}
		hashed.sum = sum
	})
	return hashed.sum
}

// hashed is the hash of the sources once it is computed. It is computed in SourceHash itself, so that programs that do not call it
// do not contain the sources.
var hashed struct {
	sync.Once
	sum string
}
