package scene

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// tomlWriter writes the text of a scene file. Its bufio.Writer keeps its own first error; err is the first of all
// others.
type tomlWriter struct {
	*bufio.Writer
	colors map[shade.Color]string // cache of the texts that take long to find
	err    error
}

// newTOMLWriter returns a writer of a scene file to w. Flush returns an error if the file is larger than a scene file may
// be.
func newTOMLWriter(w io.Writer) *tomlWriter {
	limited := &limitedWriter{w: w, left: MaxBytes}
	return &tomlWriter{Writer: bufio.NewWriterSize(limited, 1<<16), colors: make(map[shade.Color]string)}
}

// limitedWriter returns an error when a file becomes larger than a scene file may be.
type limitedWriter struct {
	w    io.Writer
	left int
}

func (l *limitedWriter) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, fmt.Errorf("the file would be larger than %d MiB, the limit of scene files", MaxBytes>>20)
	}
	return l.w.Write(p)
}

func (w *tomlWriter) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// table writes the header of a table. The argument includes the brackets.
func (w *tomlWriter) table(header string) { fmt.Fprintf(w, "\n%s\n", header) }

// key writes a key with a value.
func (w *tomlWriter) key(key, value string) { fmt.Fprintf(w, "%s = %s\n", key, value) }

// text writes a key with a string value.
func (w *tomlWriter) text(key, value string) { w.key(key, tomltext.Quote(value)) }

// writeTable writes a table with its header.
func writeTable[T any](w *tomlWriter, header string, keys keysOf[T], x *T) {
	w.table(header)
	keys.write(w, x)
}

// light returns the text of ambient light. Gray becomes a number, because numbers are linear light.
func (w *tomlWriter) light(c shade.Color) string {
	if c.R == c.G && c.G == c.B {
		return numberText(c.R)
	}
	return w.color(c)
}

// color returns the text of a color that reads as the light c. If no sRGB color has exactly this light, as for many
// interpolated colors, the light differs by a few units in the last place.
func (w *tomlWriter) color(c shade.Color) string {
	if r, g, b, ok := c.ExactSRGB8(); ok {
		return fmt.Sprintf(`"#%02x%02x%02x"`, r, g, b)
	}
	if text, known := w.colors[c]; known {
		return text
	}
	r, g, b := c.NearestSRGB()
	w.colors[c] = arrayText(numberText(r), numberText(g), numberText(b))
	return w.colors[c]
}

func vectorText(v geom.Vec3) string {
	return arrayText(numberText(v.X), numberText(v.Y), numberText(v.Z))
}

func axesText(m geom.Mat3) string {
	return arrayText(vectorText(m.X), vectorText(m.Y), vectorText(m.Z))
}

func arrayText(elements ...string) string { return "[" + strings.Join(elements, ", ") + "]" }

// numberText returns a text that reads as x. For whole numbers of at most 2^53 in magnitude, it is an integer,
// otherwise the shortest float. -0 is written as a float, because an integer would lose the sign.
func numberText(x float64) string {
	const exact = 1 << 53 // up to here a float64 holds every integer
	switch {
	case x == 0 && math.Signbit(x):
		return "-0.0"
	case x == math.Trunc(x) && math.Abs(x) <= exact:
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
