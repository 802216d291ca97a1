package tomltext

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pillbox/geom"
)

// Writer writes tables and keys of a TOML file.
type Writer struct {
	buffered *bufio.Writer
	Err      error // the first that Fail was called with
}

// NewWriter returns a writer of a scene file to w. The file has at most limit bytes, a multiple of 2^20.
func NewWriter(w io.Writer, limit int) *Writer {
	return &Writer{buffered: bufio.NewWriterSize(&limitedWriter{w, limit, limit}, 1<<16)}
}

// limitedWriter returns an error when a file becomes larger than its limit.
type limitedWriter struct {
	w           io.Writer
	limit, left int
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fmt.Errorf("the file would be larger than %d MiB, the limit of scene files", l.limit>>20)
	}
	return l.w.Write(p)
}

// Fail makes [Writer.Close] return an error. Only the first one counts.
func (w *Writer) Fail(err error) {
	if w.Err == nil {
		w.Err = err
	}
}

// Close writes the buffered end of the file. It returns the first error.
func (w *Writer) Close() error {
	if err := w.buffered.Flush(); w.Err == nil {
		w.Err = err
	}
	return w.Err
}

// Comment writes a line as a comment. It must have no line breaks.
func (w *Writer) Comment(line string) { fmt.Fprintf(w.buffered, "# %s\n", line) }

// Table writes the header of a table or of an element of an array of tables. The argument includes the brackets.
func (w *Writer) Table(header string) { fmt.Fprintf(w.buffered, "\n%s\n", header) }

// Key writes a key with a value in TOML.
func (w *Writer) Key(key, value string) { fmt.Fprintf(w.buffered, "%s = %s\n", key, value) }

// Text writes a key with a string value.
func (w *Writer) Text(key, value string) { w.Key(key, Quote(value)) }

// Vector returns an array of numbers that read as the components of v.
func Vector(v geom.Vec3) string { return Array(Number(v.X), Number(v.Y), Number(v.Z)) }

// Array returns an array of values in TOML.
func Array(elements ...string) string { return "[" + strings.Join(elements, ", ") + "]" }

// Number returns a text that reads as x. For whole numbers of at most 2^53 in magnitude, it is an integer, otherwise the
// shortest float. -0 is written as a float, because an integer would lose the sign.
func Number(x float64) string {
	const exact = 1 << 53 // up to here a float64 holds every integer
	switch {
	case x == 0 && math.Signbit(x):
		return "-0.0"
	case x == math.Trunc(x) && math.Abs(x) <= exact:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
