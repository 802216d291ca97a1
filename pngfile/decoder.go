package pngfile

import (
	"bufio"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"hash"
	"hash/crc32"
	"image"
	"image/png"
	"io"
)

// ErrNotByRows is the error of [NewDecoder] for a PNG whose rows have more than 8 bits per channel or are not in order,
// because the picture is interlaced. [image/png] can read it.
var ErrNotByRows = errors.New("pngfile: the picture is interlaced or has 16 bits per channel")

// A Decoder reads a PNG row by row, so the memory does not depend on the height of the picture. It must not be used
// concurrently.
type Decoder struct {
	size        image.Point
	chunks      chunkReader
	depth       int // bits per sample
	samples     int // per pixel
	indexed     bool
	palette     [256][4]byte
	transparent []byte          // the sample of each channel that is transparent, or nil
	seen        map[string]bool // the kinds of chunks that were read
}

// maxSide is the largest width or height.
const maxSide = 1<<31 - 1

// NewDecoder reads the part of a PNG that precedes the pixels. The error is [ErrNotByRows], a [png.FormatError], or an error
// of r.
func NewDecoder(r io.Reader) (*Decoder, error) {
	d := &Decoder{chunks: chunkReader{r: bufio.NewReaderSize(r, 1<<15)}, seen: make(map[string]bool)}
	for i := range d.palette {
		d.palette[i] = [4]byte{3: 0xff}
	}
	var signature [8]byte
	if _, err := io.ReadFull(d.chunks.r, signature[:]); err != nil || string(signature[:]) != "\x89PNG\r\n\x1a\n" {
		return nil, png.FormatError("not a PNG file")
	}
	for {
		kind, err := d.chunks.next()
		if err != nil {
			return nil, err
		}
		if !d.inOrder(kind) {
			return nil, errOrder
		}
		d.seen[kind] = true
		switch kind {
		case "IHDR":
			err = d.header()
		case "PLTE":
			err = d.colors()
		case "tRNS":
			err = d.transparency()
		case "IDAT":
			return d, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

const errOrder = png.FormatError("chunk out of order")

// inOrder reports whether a chunk of a kind may follow those before the pixels that were read (section 5.6).
func (d *Decoder) inOrder(kind string) bool {
	switch kind {
	case "IHDR":
		return len(d.seen) == 0
	case "PLTE":
		return d.seen["IHDR"] && !d.seen["PLTE"] && !d.seen["tRNS"]
	case "tRNS":
		return d.seen["IHDR"] && !d.seen["tRNS"] && (d.seen["PLTE"] || !d.indexed)
	case "IDAT":
		return d.seen["IHDR"] && (d.seen["PLTE"] || !d.indexed)
	}
	return d.seen["IHDR"] && kind != "IEND"
}

// Size returns the width and the height of the picture.
func (d *Decoder) Size() image.Point { return d.size }

// header reads the chunk IHDR (section 11.2.1).
func (d *Decoder) header() error {
	b, err := d.chunks.all(13)
	if err != nil {
		return err
	}
	if len(b) != 13 || b[10] != 0 || b[11] != 0 || b[12] > 1 {
		return png.FormatError("bad IHDR")
	}
	w, h := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if w == 0 || h == 0 || w > maxSide || h > maxSide {
		return png.FormatError("bad size")
	}
	d.size = image.Pt(int(w), int(h))
	d.depth, d.indexed = int(b[8]), b[9] == 3
	d.samples = map[byte]int{0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[b[9]]
	isSmall := d.depth == 1 || d.depth == 2 || d.depth == 4
	switch {
	case d.samples == 0, d.depth != 8 && d.depth != 16 && !(isSmall && d.samples == 1), d.depth == 16 && d.indexed:
		return png.FormatError("bad color type")
	case d.depth == 16 || b[12] == 1:
		return ErrNotByRows
	}
	return nil
}

// colors reads the chunk PLTE (section 11.2.2).
func (d *Decoder) colors() error {
	b, err := d.chunks.all(3 * len(d.palette))
	if err != nil {
		return err
	}
	if len(b) == 0 || len(b)%3 != 0 || len(b)/3 > 1<<d.depth || d.samples < 3 && !d.indexed {
		return png.FormatError("bad PLTE")
	}
	for i := 0; i < len(b)/3; i++ {
		copy(d.palette[i][:3], b[3*i:])
	}
	return nil
}

// transparency reads the chunk tRNS (section 11.3.1.1).
func (d *Decoder) transparency() error {
	b, err := d.chunks.all(len(d.palette))
	switch {
	case err != nil:
		return err
	case d.indexed:
		for i, v := range b {
			d.palette[i][3] = v
		}
		return nil
	case d.samples%2 == 0 || len(b) != 2*d.samples:
		return png.FormatError("bad tRNS")
	}
	d.transparent = make([]byte, d.samples)
	for i := range d.transparent {
		d.transparent[i] = b[2*i+1]
	}
	return nil
}

// Rows calls the function use with each row from the top: four bytes for each pixel, R, G, B and straight alpha. The slice is
// valid until use returns. Rows reads the whole file and checks its checksums. It must be called once.
func (d *Decoder) Rows(use func(row []byte) error) error {
	z, err := zlib.NewReader(&d.chunks)
	if err != nil {
		return err
	}
	length := (d.size.X*d.samples*d.depth + 7) / 8
	step := max(1, d.samples*d.depth/8)
	row, up := make([]byte, 1+length), make([]byte, 1+length)
	out := make([]byte, 4*d.size.X)
	for range d.size.Y {
		if _, err := io.ReadFull(z, row); err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return err
		}
		if err := filter(row[0]).undo(row[1:], up[1:], step); err != nil {
			return err
		}
		d.expand(out, row[1:])
		if err := use(out); err != nil {
			return err
		}
		row, up = up, row
	}
	if n, err := io.ReadFull(z, make([]byte, 1)); n > 0 || err != io.EOF {
		return errors.Join(png.FormatError("too much pixel data"), err)
	}
	return d.chunks.end()
}

// expand converts a row of samples to pixels of four bytes.
func (d *Decoder) expand(out, row []byte) {
	n := d.samples
	switch {
	case d.depth < 8:
		d.expandSmall(out, row)
		return
	case n == 4:
		copy(out, row)
		return
	}
	for i := 0; len(row) >= n; i, row = i+4, row[n:] {
		p := out[i : i+4 : i+4]
		switch {
		case d.indexed:
			copy(p, d.palette[row[0]][:])
			continue
		case n <= 2:
			p[0], p[1], p[2] = row[0], row[0], row[0]
		default:
			copy(p, row[:3])
		}
		switch {
		case n%2 == 0:
			p[3] = row[n-1]
		case d.isTransparent(row[:n]):
			p[3] = 0
		default:
			p[3] = 0xff
		}
	}
}

func (d *Decoder) isTransparent(samples []byte) bool {
	return d.transparent != nil && string(samples) == string(d.transparent)
}

// expandSmall is expand for less than 8 bits per sample, which gray and indexed pictures can have.
func (d *Decoder) expandSmall(out, row []byte) {
	most := byte(1)<<d.depth - 1
	for x := range d.size.X {
		bit := x * d.depth
		v := row[bit/8] >> (8 - d.depth - bit%8) & most
		if d.indexed {
			copy(out[4*x:], d.palette[v][:])
			continue
		}
		gray, alpha := v*(0xff/most), byte(0xff)
		if d.isTransparent([]byte{v}) {
			alpha = 0
		}
		copy(out[4*x:], []byte{gray, gray, gray, alpha})
	}
}

// A chunkReader reads chunks (section 5.3) and checks their CRCs. As a reader, it reads the data of consecutive IDAT chunks.
type chunkReader struct {
	r    *bufio.Reader
	kind string // of the current chunk
	left uint32 // bytes of its data
	crc  hash.Hash32
	head [8]byte
}

// next skips the rest of the current chunk, and begins the next one.
func (c *chunkReader) next() (kind string, err error) {
	if c.crc != nil {
		if err := c.skip(); err != nil {
			return "", err
		}
	}
	if _, err := io.ReadFull(c.r, c.head[:]); err != nil {
		return "", io.ErrUnexpectedEOF
	}
	c.left, c.kind = binary.BigEndian.Uint32(c.head[:4]), string(c.head[4:])
	if c.left > maxSide {
		return "", png.FormatError("bad chunk length")
	}
	c.crc = crc32.NewIEEE()
	c.crc.Write(c.head[4:])
	return c.kind, nil
}

// skip reads the rest of the current chunk and its CRC.
func (c *chunkReader) skip() error {
	n, err := io.CopyN(c.crc, c.r, int64(c.left))
	c.left -= uint32(n)
	if err == nil {
		_, err = io.ReadFull(c.r, c.head[:4])
	}
	switch {
	case err == io.EOF:
		return io.ErrUnexpectedEOF
	case err != nil:
		return err
	case binary.BigEndian.Uint32(c.head[:4]) != c.crc.Sum32():
		return png.FormatError("bad checksum of " + c.kind)
	}
	return nil
}

// all returns the data of the current chunk, which must have at most the given number of bytes.
func (c *chunkReader) all(most int) ([]byte, error) {
	if c.left > uint32(most) {
		return nil, png.FormatError("bad " + c.kind)
	}
	b := make([]byte, c.left)
	if _, err := io.ReadFull(c.r, b); err != nil {
		return nil, io.ErrUnexpectedEOF
	}
	c.left = 0
	c.crc.Write(b)
	return b, nil
}

// Read reads pixels from IDAT chunks.
func (c *chunkReader) Read(p []byte) (int, error) {
	for c.left == 0 {
		if c.kind != "IDAT" {
			return 0, io.EOF
		}
		if kind, err := c.next(); err != nil {
			return 0, err
		} else if kind != "IDAT" {
			return 0, io.EOF
		}
	}
	if c.kind != "IDAT" {
		return 0, io.EOF
	}
	n, err := c.r.Read(p[:min(len(p), int(c.left))])
	c.left -= uint32(n)
	c.crc.Write(p[:n])
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// end reads the rest of the file, up to the chunk IEND.
func (c *chunkReader) end() error {
	for c.kind != "IEND" {
		switch kind, err := c.next(); {
		case err != nil:
			return err
		case kind == "IHDR", kind == "PLTE", kind == "tRNS":
			return errOrder
		}
	}
	if c.left > 0 {
		return png.FormatError("bad IEND")
	}
	return c.skip()
}
