package pillbox

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"image"

	"pillbox/internal/follow"
	"pillbox/shade"
)

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
func newFilm(st *follow.Stage, linear bool) *Film {
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

// row returns where row y of a block of the picture is among the pixels of the film.
func (f *Film) row(block image.Rectangle, y int) (from, to int) {
	from = (y-f.Region.Min.Y)*f.Region.Dx() + block.Min.X - f.Region.Min.X
	return from, from + block.Dx()
}

// refine marks the pixels of a block as refined.
func (f *Film) refine(block image.Rectangle) {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		from, to := f.row(block, y)
		for i := range f.Refined[from:to] {
			f.Refined[from+i] = true
		}
	}
}

// erase makes a block of the picture as it was before anything was stored there.
func (f *Film) erase(block image.Rectangle) {
	for y := block.Min.Y; y < block.Max.Y; y++ {
		from, to := f.row(block, y)
		clear(f.Image.Pix[4*from : 4*to])
		if f.Refined != nil {
			clear(f.Refined[from:to])
		}
		if f.Linear != nil {
			clear(f.Linear[from:to])
		}
	}
}

// Rays counts rays by what they were cast for.
type Rays struct {
	Primary int64 `json:"primary"`
	Shadow  int64 `json:"shadow"`
	Mirror  int64 `json:"mirror"`
}

func (r *Rays) add(o Rays) {
	r.Primary += o.Primary
	r.Shadow += o.Shadow
	r.Mirror += o.Mirror
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
