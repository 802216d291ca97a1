package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// densityWriter inserts a JFIF header after the first marker of a JPEG.
type densityWriter struct {
	w      io.Writer
	header []byte // nil once it is written
	begun  int    // bytes of the first marker that are written
}

// withDensity returns a writer to w for a JPEG. The writer adds the resolution dpi to the JPEG, because package
// image/jpeg writes none. If dpi is 0, withDensity returns w itself.
func withDensity(w io.Writer, dpi int) io.Writer {
	if dpi == 0 {
		return w
	}
	// ITU-T T.871, section 10.1: marker, length, identifier, version 1.2, unit 1 for dots per inch, no thumbnail.
	header := []byte{0xff, 0xe0, 0, 16, 'J', 'F', 'I', 'F', 0, 1, 2, 1}
	header = binary.BigEndian.AppendUint16(header, uint16(dpi))
	header = binary.BigEndian.AppendUint16(header, uint16(dpi))
	return &densityWriter{w: w, header: append(header, 0, 0)}
}

// startOfImage is the length of the first marker.
const startOfImage = 2

func (d *densityWriter) Write(p []byte) (int, error) {
	written := 0
	if d.header != nil {
		n := min(startOfImage-d.begun, len(p))
		if _, err := d.w.Write(p[:n]); err != nil {
			return 0, err
		}
		if d.begun += n; d.begun < startOfImage {
			return n, nil
		}
		if _, err := d.w.Write(d.header); err != nil {
			return n, err
		}
		d.header, written = nil, n
	}
	n, err := d.w.Write(p[written:])
	return written + n, err
}

// bmpResolution is the offset of the resolution in a BMP. bmpDensity returns the bytes of the resolution: horizontal
// and vertical pixels per meter.
const bmpResolution = 38

func bmpDensity(dpi int) []byte {
	perMeter := uint32(math.Round(float64(dpi) / metersPerInch))
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, perMeter), perMeter)
}

const metersPerInch = 0.0254

// patcher is a writer that passes its input on to w. It replaces the bytes at one position by data.
type patcher struct {
	w    io.Writer
	at   int // offset of that position from the next byte of the input; negative after the position was reached
	data []byte
}

func (p *patcher) Write(b []byte) (int, error) {
	if p.at >= len(b) || p.at+len(p.data) <= 0 {
		p.at -= len(b)
		return p.w.Write(b)
	}
	patched := bytes.Clone(b)
	if p.at >= 0 {
		copy(patched[p.at:], p.data)
	} else {
		copy(patched, p.data[-p.at:])
	}
	p.at -= len(b)
	return p.w.Write(patched)
}

// tiffWriter buffers a TIFF to set its resolution, because package tiff always writes 72 dpi.
type tiffWriter struct {
	buffer bytes.Buffer
	dpi    int
}

// The tags of a TIFF that hold its resolution (TIFF 6.0, sections 3 and 8).
const (
	tagXResolution    = 282
	tagYResolution    = 283
	tagResolutionUnit = 296

	unitNone = 1
	unitInch = 2
)

var errTIFF = errors.New("the TIFF has no resolution to set")

// writeTo sets the resolution and writes the file.
func (t *tiffWriter) writeTo(w io.Writer) error {
	unit, resolution := unitInch, t.dpi
	if t.dpi == 0 {
		unit, resolution = unitNone, 1 // the tags are required: pixels are square, and their size is unknown
	}
	file := t.buffer.Bytes()
	const header, entry = 8, 12
	if len(file) < header {
		return errTIFF
	}
	order := binary.LittleEndian // of every file that package tiff writes
	directory := file[order.Uint32(file[4:]):]
	set := 0
	for i := range int(order.Uint16(directory)) {
		e := directory[2+i*entry:][:entry]
		switch order.Uint16(e) {
		case tagXResolution, tagYResolution:
			ratio := file[order.Uint32(e[8:]):]
			order.PutUint32(ratio, uint32(resolution))
			order.PutUint32(ratio[4:], 1)
			set++
		case tagResolutionUnit:
			order.PutUint16(e[8:], uint16(unit))
			set++
		}
	}
	if set != 3 {
		return errTIFF
	}
	_, err := w.Write(file)
	return err
}
