package keytable

import (
	"fmt"
	"io"

	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// Writer writes the text of a scene file.
type Writer struct {
	*tomltext.Writer
	colors map[shade.Color]string // cache of the texts that take long to find
}

// NewWriter returns a writer of files of at most the given size.
func NewWriter(w io.Writer, maxBytes int) *Writer {
	return &Writer{tomltext.NewWriter(w, maxBytes), make(map[shade.Color]string)}
}

// WriteTable writes a table with its header.
func WriteTable[T any](w *Writer, header string, keys Keys[T], x *T) {
	w.Table(header)
	keys.write(w, x)
}

// Light returns the text of ambient light. Gray becomes a number, because numbers are linear light.
func (w *Writer) Light(c shade.Color) string {
	if c.R == c.G && c.G == c.B {
		return tomltext.Number(c.R)
	}
	return w.Color(c)
}

// Color returns the text of a color that reads as the light c. If no sRGB color has exactly this light, as for many
// interpolated colors, the light differs by a few units in the last place.
func (w *Writer) Color(c shade.Color) string {
	if r, g, b, ok := c.ExactSRGB8(); ok {
		return fmt.Sprintf(`"#%02x%02x%02x"`, r, g, b)
	}
	if text, known := w.colors[c]; known {
		return text
	}
	r, g, b := c.NearestSRGB()
	w.colors[c] = tomltext.Array(tomltext.Number(r), tomltext.Number(g), tomltext.Number(b))
	return w.colors[c]
}

// AxesText returns the columns of a rotation as TOML.
func AxesText(m geom.Mat3) string {
	return tomltext.Array(tomltext.Vector(m.X), tomltext.Vector(m.Y), tomltext.Vector(m.Z))
}
