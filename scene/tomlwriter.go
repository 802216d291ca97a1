package scene

import (
	"fmt"
	"io"

	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/shade"
)

// tomlWriter writes the text of a scene file.
type tomlWriter struct {
	*tomltext.Writer
	colors map[shade.Color]string // cache of the texts that take long to find
}

func newTOMLWriter(w io.Writer) *tomlWriter {
	return &tomlWriter{tomltext.NewWriter(w, MaxBytes), make(map[shade.Color]string)}
}

// writeTable writes a table with its header.
func writeTable[T any](w *tomlWriter, header string, keys keysOf[T], x *T) {
	w.Table(header)
	keys.write(w, x)
}

// light returns the text of ambient light. Gray becomes a number, because numbers are linear light.
func (w *tomlWriter) light(c shade.Color) string {
	if c.R == c.G && c.G == c.B {
		return tomltext.Number(c.R)
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
	w.colors[c] = tomltext.Array(tomltext.Number(r), tomltext.Number(g), tomltext.Number(b))
	return w.colors[c]
}

func axesText(m geom.Mat3) string {
	return tomltext.Array(tomltext.Vector(m.X), tomltext.Vector(m.Y), tomltext.Vector(m.Z))
}
