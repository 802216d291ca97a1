// Package svg writes the parts of SVG files that drawings share (SVG 1.1, W3C, 2011).
package svg

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"pillbox/internal/geom2"
)

// Writer writes elements. It keeps its first error, which Flush returns.
type Writer struct {
	*bufio.Writer
	perPixel float64
}

// NewWriter returns a writer that rounds lengths to the given fraction of a pixel: 1000 stands for a thousandth.
func NewWriter(w io.Writer, perPixel float64) Writer { return Writer{bufio.NewWriter(w), perPixel} }

// Printf writes a formatted text.
func (w Writer) Printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

// Title writes the title, for screen readers, unless it is empty.
func (w Writer) Title(title string) {
	if title != "" {
		w.Printf("<title>%s</title>\n", Escaped(title))
	}
}

// Length formats a length.
func (w Writer) Length(x float64) string { return Rounded(x, w.perPixel) }

// Path returns the data of a path through points.
func (w Writer) Path(points []geom2.Point, closed bool) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteByte("ML"[min(i, 1)])
		b.WriteString(w.Length(p.X) + " " + w.Length(p.Y))
	}
	if closed {
		b.WriteByte('Z')
	}
	return b.String()
}

// Rounded formats a number, rounded to a multiple of 1/perUnit.
func Rounded(x, perUnit float64) string {
	return strconv.FormatFloat(math.Floor(float64(perUnit*x)+0.5)/perUnit+0, 'f', -1, 64) // + 0 turns -0 into 0
}

// Escaped escapes a text for XML.
func Escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder has no errors
	return b.String()
}
