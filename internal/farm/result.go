package farm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"image"

	"github.com/klauspost/compress/s2"

	"pillbox"
)

// A result is stored as three parts: the numbers of primary, shadow and mirror rays; the SHA-256 of the pixels; and the
// pixels row by row, compressed as an S2 block.
const (
	raysBytes = 3 * 8
	headBytes = raysBytes + sha256.Size
)

// maxResult returns the largest size, in bytes, of a result with the given number of pixels.
func maxResult(pixels int) int { return headBytes + s2.MaxEncodedLen(4*pixels) }

// encode returns the result of a unit whose film is f.
func encode(f *pillbox.Film) []byte {
	var head []byte
	for _, n := range [...]int64{f.Rays.Primary, f.Rays.Shadow, f.Rays.Mirror} {
		head = binary.BigEndian.AppendUint64(head, uint64(n))
	}
	sum := sha256.Sum256(f.Image.Pix)
	head = append(head, sum[:]...)
	return append(head, s2.Encode(nil, f.Image.Pix)...)
}

// sumOf returns the hash of the pixels from the header of a result, or "" if the result is too short for a header. It
// does not check the pixels.
func sumOf(result []byte) string {
	if len(result) < headBytes {
		return ""
	}
	return hex.EncodeToString(result[raysBytes:headBytes])
}

// decode returns the film of a unit from its result, or an error if the result is damaged. The result can contain any
// bytes; decode allocates only the pixels of the unit.
func decode(result []byte, r image.Rectangle) (*pillbox.Film, error) {
	if len(result) < headBytes {
		return nil, errors.New("the result is cut off")
	}
	img := image.NewNRGBA(image.Rectangle{Max: r.Size()})
	block := result[headBytes:]
	if n, err := s2.DecodedLen(block); err != nil || n != len(img.Pix) {
		return nil, fmt.Errorf("the result has not the %d bytes of %d x %d pixels", len(img.Pix), r.Dx(), r.Dy())
	}
	if _, err := s2.Decode(img.Pix, block); err != nil {
		return nil, err
	}
	if hashOf(img.Pix) != sumOf(result) {
		return nil, errors.New("the pixels have not the hash that the result says")
	}
	count := func(i int) int64 { return int64(binary.BigEndian.Uint64(result[8*i:])) }
	return &pillbox.Film{Image: img, Region: r, Rays: pillbox.Rays{Primary: count(0), Shadow: count(1), Mirror: count(2)}}, nil
}

// canvas assembles the film of a shot from its units, which can arrive in any order.
type canvas struct {
	film  *pillbox.Film
	opt   pillbox.Options // only Progress and Rows are used
	left  []int           // number of missing pixels of each row
	final int             // number of complete rows at the top
	done  int             // number of pixels that have arrived
}

func newCanvas(s *Shot, opt pillbox.Options) *canvas {
	size := s.Region.Size()
	c := &canvas{opt: opt, left: make([]int, size.Y)}
	c.film = &pillbox.Film{Image: image.NewNRGBA(image.Rectangle{Max: size}), Region: s.Region}
	for y := range c.left {
		c.left[y] = size.X
	}
	return c
}

// put copies the film of a unit into the film of the shot. It must be called once for each unit.
func (c *canvas) put(f *pillbox.Film) {
	at := f.Region.Sub(c.film.Region.Min)
	for y := range at.Dy() {
		row := c.film.Image.PixOffset(at.Min.X, at.Min.Y+y)
		copy(c.film.Image.Pix[row:row+4*at.Dx()], f.Image.Pix[y*f.Image.Stride:])
		c.left[at.Min.Y+y] -= at.Dx()
	}
	c.film.Rays.Primary += f.Rays.Primary
	c.film.Rays.Shadow += f.Rays.Shadow
	c.film.Rays.Mirror += f.Rays.Mirror
	c.done += at.Dx() * at.Dy()
	if c.opt.Progress != nil {
		c.opt.Progress(c.done, c.film.Region.Dx()*c.film.Region.Dy())
	}
	before := c.final
	for c.final < len(c.left) && c.left[c.final] == 0 {
		c.final++
	}
	if c.final > before && c.opt.Rows != nil {
		c.opt.Rows(c.film, c.final)
	}
}
