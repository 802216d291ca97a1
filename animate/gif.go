package animate

import (
	"bufio"
	"compress/lzw"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
)

// MaxGIFRate is the highest frame rate of a GIF, in frames per second: delays are in hundredths of a
// second.
const MaxGIFRate = 100

// NewGIF returns a writer of a GIF that repeats forever and has only the colors of the palette. It
// approximates other colors by ordered dithering, so areas that do not change from frame to frame do not
// flicker. Unless f.Transparent is set, it writes only a part of each frame: the rectangle that contains
// all changes since the previous frame.
func NewGIF(w io.Writer, f Format, p *Palette) Writer {
	return &gif{w: bufio.NewWriterSize(w, 1<<16), format: f, palette: p}
}

// check returns an error if a GIF cannot hold the film.
func (g *gif) check() error {
	const most = 1<<16 - 1
	if g.format.FPS > MaxGIFRate {
		return fmt.Errorf("a GIF shows at most %d frames a second, got %v", MaxGIFRate, g.format.FPS)
	}
	if g.format.Size.X > most || g.format.Size.Y > most {
		return fmt.Errorf("a GIF is at most %d pixels wide and high, got %d x %d", most, g.format.Size.X, g.format.Size.Y)
	}
	return nil
}

type gif struct {
	w       *bufio.Writer
	format  Format
	palette *Palette
	frames  int
	before  []uint8 // palette indices of the previous frame
	now     []uint8
}

func (g *gif) Frame(img *image.NRGBA) error {
	if err := errors.Join(g.check(), g.format.check(img)); err != nil {
		return err
	}
	size := g.format.Size
	if g.frames == 0 {
		g.header()
		g.now = make([]uint8, size.X*size.Y)
		g.before = make([]uint8, size.X*size.Y)
	}
	for y := range size.Y {
		g.palette.dither(g.now[y*size.X:][:size.X], row(img, y), y)
	}
	changed := image.Rectangle{Max: size}
	if g.frames > 0 && !g.format.Transparent {
		changed = g.changed()
	}
	if err := g.write(changed); err != nil {
		return err
	}
	g.before, g.now = g.now, g.before
	g.frames++
	return nil
}

// Block types, labels and flags of GIF89a (CompuServe, 1990).
const (
	extension     = 0x21
	graphic       = 0xf9
	application   = 0xff
	descriptor    = 0x2c
	trailer       = 0x3b
	globalTable   = 0x80 | 0x70 | 0x07 // 256 colors, of 8 bits
	keep          = 1 << 2             // keep the frame when the next one is drawn
	toBackground  = 2 << 2             // or clear it
	isTransparent = 1
	codeSize      = 8
)

func (g *gif) header() {
	g.w.WriteString("GIF89a")
	g.shorts(g.format.Size.X, g.format.Size.Y)
	g.w.Write([]byte{globalTable, 0, 0})
	for _, c := range g.palette.colors {
		g.w.Write(c[:])
	}
	g.w.Write([]byte{extension, application, 11})
	g.w.WriteString("NETSCAPE2.0\x03\x01\x00\x00\x00")
}

func (g *gif) shorts(values ...int) {
	for _, v := range values {
		g.w.Write(binary.LittleEndian.AppendUint16(nil, uint16(v)))
	}
}

// changed returns the smallest rectangle that contains all pixels that differ from the previous frame.
// If none differ, it returns a rectangle of one pixel, because some programs reject an empty one.
func (g *gif) changed() image.Rectangle {
	size := g.format.Size
	var changed image.Rectangle
	for i := range g.now {
		if g.now[i] != g.before[i] {
			x, y := i%size.X, i/size.X
			changed = changed.Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if changed.Empty() {
		return image.Rect(0, 0, 1, 1)
	}
	return changed
}

// write writes the rectangle r of the frame. Most writes to g.w ignore the error, because g.w.Flush at the
// end returns the first one.
func (g *gif) write(r image.Rectangle) error {
	flags := byte(keep)
	if g.format.Transparent {
		flags = toBackground | isTransparent
	}
	const hundredths = 100
	delay := g.format.ticks(g.frames+1, hundredths) - g.format.ticks(g.frames, hundredths)
	g.w.Write([]byte{extension, graphic, 4, flags})
	g.shorts(min(delay, 1<<16-1))
	g.w.Write([]byte{clearIndex, 0, descriptor})
	g.shorts(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
	g.w.Write([]byte{0, codeSize})
	blocks := &subBlocks{w: g.w}
	compressed := lzw.NewWriter(blocks, lzw.LSB, codeSize)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		if _, err := compressed.Write(g.now[y*g.format.Size.X:][r.Min.X:r.Max.X]); err != nil {
			return err
		}
	}
	if err := compressed.Close(); err != nil {
		return err
	}
	blocks.flush()
	if err := g.w.WriteByte(0); err != nil { // an empty block ends the frame
		return err
	}
	return g.w.Flush()
}

func (g *gif) Close() error {
	if err := g.format.checkLength(g.frames); err != nil {
		return err
	}
	g.w.WriteByte(trailer)
	return g.w.Flush()
}

// subBlocks writes data in blocks of up to 255 bytes, each preceded by its length.
type subBlocks struct {
	w    *bufio.Writer
	data [255]byte
	n    int
}

func (b *subBlocks) Write(p []byte) (int, error) {
	for _, c := range p {
		if b.data[b.n], b.n = c, b.n+1; b.n == len(b.data) {
			b.flush()
		}
	}
	return len(p), nil
}

func (b *subBlocks) flush() {
	if b.n > 0 {
		b.w.WriteByte(byte(b.n))
		b.w.Write(b.data[:b.n])
	}
	b.n = 0
}
