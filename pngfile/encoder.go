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

// Options are the settings of an [Encoder]. The zero value works for every picture.
type Options struct {
	// Color selects the channels to store. Other channels are lost. A value that is not one of the
	// constants is an error.
	Color Color

	// Workers is the number of goroutines, at most one per band of the picture; zero means GOMAXPROCS.
	// It does not affect the file. A negative number is an error.
	Workers int

	// DPI is the resolution to write into the file, in pixels per inch; zero means none. A negative
	// number is an error.
	DPI int
}

// An Encoder writes a picture while it is being rendered. The renderer calls [Encoder.Rows] when rows are final, and
// [Encoder.Close] when all are. The caller must call Close or [Encoder.Stop], or the goroutines leak. Its methods are
// safe for concurrent use.
//
// For each worker, it needs memory for one band of the picture and for up to two compressed bands. A band has up to
// 512 KiB, or 16 rows if these are larger.
type Encoder struct {
	w     io.Writer
	img   *image.NRGBA
	color Color
	dpi   int
	rows  int // of a band
	bands int
	ahead int // largest number of bands that are taken but not written

	workers sync.WaitGroup

	mu      sync.Mutex
	changed sync.Cond     // signals that final, written or err has changed
	final   int           // number of rows that are final
	taken   int           // number of bands that workers have taken
	pieces  map[int]piece // compressed bands that are not written yet, by number
	written int           // number of bands that are written
	err     error         // the first error; all goroutines stop

	// Used by the worker that is writing.
	sum  uint32 // Adler-32 of the bands written
	data []byte // the next IDAT chunk
	out  []byte // bytes to write next
}

// errStopped is the error that Close returns if Stop was called before the file was complete.
var errStopped = errors.New("pngfile: stopped before the end")

const (
	// bandBytes is the largest size of a band. A band has at least minBandRows rows, however, even if these are
	// larger. Smaller bands would compress worse, because each is compressed independently. Larger ones would leave
	// more work for after the last row of the picture is rendered.
	bandBytes = 1 << 19

	// minBandRows is the least number of rows in a band: many more than the sampleRows by which its
	// filter is chosen.
	minBandRows = 16
)

// NewEncoder starts goroutines that write img to w. Close returns any error, also if img is empty or an
// option is invalid.
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

// Rows declares that the first n rows of the picture are final: the caller must not change them any
// more. It does not wait. A number smaller than in an earlier call has no effect.
func (e *Encoder) Rows(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if n > e.final {
		e.final = n
		e.changed.Broadcast()
	}
}

// Close declares that all rows are final, and waits until the file is written. It returns the first
// error; in that case the file is incomplete.
func (e *Encoder) Close() error {
	e.Rows(e.img.Rect.Dy())
	e.workers.Wait()
	return e.err
}

// Stop cancels the encoding and waits until no goroutine writes any more. After Close it has no effect.
func (e *Encoder) Stop() {
	e.mu.Lock()
	if e.err == nil && e.written < e.bands {
		e.err = errStopped
	}
	e.changed.Broadcast()
	e.mu.Unlock()
	e.workers.Wait()
}

// work compresses bands until none is left.
func (e *Encoder) work() {
	c := newCompressor(e.img, e.color)
	for {
		i, ok := e.nextBand()
		if !ok {
			return
		}
		from, to := i*e.rows, min((i+1)*e.rows, e.img.Rect.Dy())
		e.deliver(i, c.compress(from, to))
	}
}

// nextBand waits until the rows of the next band are final and returns the number of that band. It returns
// false if all bands are taken or an error has occurred.
func (e *Encoder) nextBand() (int, bool) {
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

// deliver stores the compressed band i. Then it writes the stored bands in order. It stops at a band that is not
// stored, because this band is not compressed yet or another worker is writing it. The worker that writes this band
// then also writes the stored bands after it.
func (e *Encoder) deliver(i int, p piece) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.pieces[i] = p
	for e.err == nil {
		next, ok := e.pieces[e.written]
		if !ok {
			return // not compressed yet, or being written by another worker
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

// write appends the next piece to the current IDAT chunk, with the file header before the first piece
// and the end of the file after the last. It writes the chunk to e.w if it is large enough or the last.
func (e *Encoder) write(p piece) error {
	if e.written == 0 {
		// zlib header (RFC 1950): deflate, a window of 32 KiB, the default level of compression.
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
