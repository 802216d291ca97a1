package pngfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"
	"runtime"
	"sync"
)

// Options say how an [Encoder] works. The zero value suits every picture.
type Options struct {
	// Color says which channels to store. What it leaves out is lost. Anything but the constants
	// is an error.
	Color Color

	// Workers is the number of goroutines; zero means GOMAXPROCS. There are never more than the
	// picture has bands. A negative number is an error. It never changes the file.
	Workers int

	// DPI is the resolution that the file states, in pixels per inch; zero means none. A negative number is an
	// error.
	DPI int
}

// An Encoder writes a picture while it is being rendered: [Encoder.Rows] reports how many rows are
// final, [Encoder.Close] that all of them are. Either Close or [Encoder.Stop] must be called, or its
// goroutines stay. Its methods may be called from several goroutines.
//
// It holds a few bands of the picture, of 512 KiB or 16 rows each, and their compressed form.
type Encoder struct {
	w     io.Writer
	img   *image.NRGBA
	color Color
	dpi   int
	rows  int // of a band
	bands int
	ahead int // bands that may be under way

	workers sync.WaitGroup

	mu      sync.Mutex
	changed sync.Cond     // one of the fields below
	final   int           // rows
	taken   int           // bands that a worker has, or has had
	pieces  map[int]piece // compressed bands that wait to be written
	written int           // bands
	err     error         // why to stop

	// What the writing worker needs.
	sum  uint32 // Adler-32 of the bands written
	data []byte // of the next IDAT chunk
	out  []byte // next to write
}

// errStopped is what Close returns after Stop.
var errStopped = errors.New("pngfile: stopped before the end")

const (
	// Smaller bands would compress worse, for each starts without memory; larger ones would
	// leave more to do when the last row of the picture is made.
	bandBytes = 1 << 19

	// The samples by which a filter is chosen should be few rows among many.
	minBandRows = 16
)

// NewEncoder returns an encoder that writes img to w, in its goroutines. Close reports
// errors, also that img is empty or an option is wrong.
func NewEncoder(w io.Writer, img *image.NRGBA, o Options) *Encoder {
	e := &Encoder{w: w, img: img, color: o.Color, dpi: o.DPI, sum: 1, pieces: make(map[int]piece)}
	e.changed.L = &e.mu
	size := img.Rect.Size()
	switch {
	case size.X < 1 || size.Y < 1:
		e.err = fmt.Errorf("pngfile: a picture needs at least one pixel, got %d x %d", size.X, size.Y)
		return e
	case o.DPI < 0:
		e.err = fmt.Errorf("pngfile: the resolution must not be negative, got %d", o.DPI)
		return e
	case o.Color > Gray:
		e.err = fmt.Errorf("pngfile: there is no color %d", o.Color)
		return e
	case o.Workers < 0:
		e.err = fmt.Errorf("pngfile: workers must not be negative, got %d", o.Workers)
		return e
	}
	e.rows = max(minBandRows, bandBytes/(1+size.X*o.Color.bytes()))
	e.bands = (size.Y + e.rows - 1) / e.rows
	workers := o.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = min(workers, e.bands)
	e.ahead = 2 * workers
	for range workers {
		e.workers.Go(e.work)
	}
	return e
}

// Rows tells that the first n rows of the picture are final: they must not change from now on.
// It does not wait. Less than it was told before is ignored.
func (e *Encoder) Rows(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n > e.final {
		e.final = n
		e.changed.Broadcast()
	}
}

// Close tells that all rows are final, and waits until the file is written. It returns the
// first error of the writer; then the file is incomplete.
func (e *Encoder) Close() error {
	e.Rows(e.img.Rect.Dy())
	e.workers.Wait()
	return e.err
}

// Stop gives up, and waits until nothing is written any more. After Close it does nothing.
func (e *Encoder) Stop() {
	e.mu.Lock()
	if e.err == nil && e.written < e.bands {
		e.err = errStopped
	}
	e.changed.Broadcast()
	e.mu.Unlock()
	e.workers.Wait()
}

// work compresses band after band.
func (e *Encoder) work() {
	c := newCompressor(e.img, e.color)
	for {
		i, ok := e.take()
		if !ok {
			return
		}
		from, to := i*e.rows, min((i+1)*e.rows, e.img.Rect.Dy())
		e.deliver(i, c.compress(from, to))
	}
}

// take waits for a band that is final, and returns its number. It returns false if there is
// nothing left to do.
func (e *Encoder) take() (int, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		if e.err != nil || e.taken == e.bands {
			return 0, false
		}
		last := min((e.taken+1)*e.rows, e.img.Rect.Dy())
		if last <= e.final && e.taken < e.written+e.ahead {
			e.taken++
			return e.taken - 1, true
		}
		e.changed.Wait()
	}
}

// deliver takes the compressed band i. Bands are written in order, each by the worker that brings
// it or, if it came early, the one before it.
func (e *Encoder) deliver(i int, p piece) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pieces[i] = p
	for e.err == nil {
		next, ok := e.pieces[e.written]
		if !ok {
			return // also while another worker writes that one
		}
		delete(e.pieces, e.written)
		e.mu.Unlock()
		err := e.write(next)
		e.mu.Lock()
		e.written++
		if e.err == nil {
			e.err = err
		}
		e.changed.Broadcast()
	}
}

// write writes the next piece, with the bytes that precede and follow it.
func (e *Encoder) write(p piece) error {
	if e.written == 0 {
		// zlib (RFC 1950): deflate, a window of 32 KiB, no great effort.
		e.data = append(e.data, 0x78, 0x9C)
		e.out = appendHeader(e.out, e.img.Rect.Size(), e.color, e.dpi)
	}
	e.data = append(e.data, p.data...)
	e.sum = combine(e.sum, p.sum, p.size)
	last := e.written == e.bands-1
	if last {
		e.data = append(e.data, 0x03, 0x00) // an empty block, marked as the last
		e.data = binary.BigEndian.AppendUint32(e.data, e.sum)
	}
	const chunk = 1 << 15
	if len(e.data) < chunk && !last {
		return nil
	}
	e.out = appendChunk(e.out, "IDAT", e.data)
	if last {
		e.out = appendChunk(e.out, "IEND", nil)
	}
	_, err := e.w.Write(e.out)
	e.data, e.out = e.data[:0], e.out[:0]
	return err
}
