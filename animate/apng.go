package animate

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"io"

	"pillbox/pngfile"
)

// NewAPNG returns a writer of an animated PNG (PNG specification, third edition, section 11.3.6), which
// repeats forever. Programs without support for APNG show the first frame.
//
// An APNG states the number of frames before the first frame. The writer first writes f.Frames as this
// number. If the film ends after fewer frames, Close overwrites the number. It can do this only if w is
// also an [io.WriterAt]; otherwise Close returns an error.
func NewAPNG(w io.Writer, f Format) Writer {
	a := &apng{w: w, format: f, options: pngfile.Options{Color: pngfile.RGB}}
	if f.Transparent {
		a.options.Color = pngfile.RGBA
	}
	return a
}

type apng struct {
	w       io.Writer
	format  Format
	options pngfile.Options
	frames  int
	chunks  uint32 // number of fcTL and fdAT chunks so far, which are numbered consecutively
	out     []byte
}

func (a *apng) Frame(img *image.NRGBA) error {
	if err := a.format.check(img); err != nil {
		return err
	}
	var png bytes.Buffer
	if err := pngfile.NewEncoder(&png, img, a.options).Close(); err != nil {
		return err
	}
	a.out = a.out[:0]
	controlled := false
	for kind, data := range Chunks(png.Bytes()) {
		switch kind {
		case "IDAT":
			if !controlled {
				a.control()
				controlled = true
			}
			if a.frames == 0 {
				a.chunk(kind, data)
			} else {
				a.chunk("fdAT", append(a.nextNumber(), data...))
			}
		case "IEND":
		case "IHDR":
			if a.frames == 0 {
				a.out = append(a.out, pngSignature...)
				a.chunk(kind, data)
				a.out = append(a.out, lengthChunk(a.format.Frames)...)
			}
		default:
			if a.frames == 0 {
				a.chunk(kind, data)
			}
		}
	}
	a.frames++
	_, err := a.w.Write(a.out)
	return err
}

func (a *apng) nextNumber() []byte {
	a.chunks++
	return binary.BigEndian.AppendUint32(nil, a.chunks-1)
}

// apngTicks is the number of time units per second for delays if the frame rate is not an integer.
const apngTicks = 1000

// control appends the fcTL chunk of the next frame. The chunk states that the frame replaces the whole
// previous picture, and how long the frame is shown.
func (a *apng) control() {
	data := a.nextNumber()
	for _, v := range []int{a.format.Size.X, a.format.Size.Y, 0, 0} {
		data = binary.BigEndian.AppendUint32(data, uint32(v))
	}
	delay, unit := 1, 0
	if num, den := a.format.ticksOfRate(); den == 1 {
		unit = num
	} else {
		unit = apngTicks
		delay = a.format.ticks(a.frames+1, apngTicks) - a.format.ticks(a.frames, apngTicks)
	}
	data = binary.BigEndian.AppendUint16(data, uint16(min(delay, 1<<16-1)))
	data = binary.BigEndian.AppendUint16(data, uint16(unit))
	const disposeNone, blendSource = 0, 0
	a.chunk("fcTL", append(data, disposeNone, blendSource))
}

func (a *apng) chunk(kind string, data []byte) { a.out = appendChunk(a.out, kind, data) }

// lengthChunk returns the acTL chunk, which contains the number of frames.
func lengthChunk(frames int) []byte {
	const plays = 0 // forever
	data := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, uint32(frames)), plays)
	return appendChunk(nil, "acTL", data)
}

// lengthOffset is the offset of the acTL chunk in the file: it follows the signature and the IHDR
// chunk.
const lengthOffset = 8 + 12 + 13

func (a *apng) Close() error {
	if err := a.format.checkLength(a.frames); err != nil {
		return err
	}
	if _, err := a.w.Write(appendChunk(nil, "IEND", nil)); err != nil || a.frames == a.format.Frames {
		return err
	}
	w, ok := a.w.(io.WriterAt)
	if !ok {
		return fmt.Errorf("an animated PNG of %d frames ends after %d", a.format.Frames, a.frames)
	}
	_, err := w.WriteAt(lengthChunk(a.frames), lengthOffset)
	return err
}

const pngSignature = "\x89PNG\r\n\x1a\n"

// appendChunk appends a chunk of a PNG (section 5.3).
func appendChunk(dst []byte, kind string, data []byte) []byte {
	dst = binary.BigEndian.AppendUint32(dst, uint32(len(data)))
	start := len(dst)
	dst = append(append(dst, kind...), data...)
	return binary.BigEndian.AppendUint32(dst, crc32.ChecksumIEEE(dst[start:]))
}

// Chunks yields the type and the data of each complete chunk of a PNG. It does not verify checksums. It
// yields nothing if png does not begin with the PNG signature.
func Chunks(png []byte) func(yield func(kind string, data []byte) bool) {
	return func(yield func(string, []byte) bool) {
		rest, ok := bytes.CutPrefix(png, []byte(pngSignature))
		for ok && len(rest) >= 12 {
			n := binary.BigEndian.Uint32(rest)
			if uint64(n)+12 > uint64(len(rest)) || !yield(string(rest[4:8]), rest[8:8+n]) {
				return
			}
			rest = rest[12+n:]
		}
	}
}
