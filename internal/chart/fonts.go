package chart

import (
	"fmt"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// Font is the size and the weight of text.
type Font struct {
	Size float64 // in pixels
	Bold bool
}

// Regular returns the regular font of a size in pixels.
func Regular(size float64) Font { return Font{Size: size} }

// Bold returns the bold font of a size in pixels.
func Bold(size float64) Font { return Font{Size: size, Bold: true} }

// Fonts measures and wraps text. It must not be used concurrently, because it draws letters into its own memory.
type Fonts struct {
	regular, bold *opentype.Font
	faces         map[Font]font.Face
	measure       *gg.Context // also wraps lines
}

// NewFonts parses the fonts. This takes about as long as drawing a page of text.
func NewFonts() *Fonts {
	return &Fonts{
		regular: parse(goregular.TTF),
		bold:    parse(gobold.TTF),
		faces:   map[Font]font.Face{},
		measure: gg.NewContext(1, 1),
	}
}

func parse(data []byte) *opentype.Font {
	f, err := opentype.Parse(data)
	if err != nil {
		panic(fmt.Sprintf("chart: a built-in font does not parse: %v", err))
	}
	return f
}

func (f *Fonts) face(look Font) font.Face {
	if face := f.faces[look]; face != nil {
		return face
	}
	of := f.regular
	if look.Bold {
		of = f.bold
	}
	face, err := opentype.NewFace(of, &opentype.FaceOptions{Size: look.Size, DPI: 72})
	if err != nil {
		panic(fmt.Sprintf("chart: no face of a built-in font: %v", err))
	}
	f.faces[look] = face
	return face
}

// Width returns the width of a line of text.
func (f *Fonts) Width(text string, look Font) float64 {
	f.measure.SetFontFace(f.face(look))
	width, _ := f.measure.MeasureString(text)
	return width
}

// Wrap splits text between words into lines of at most the given width. A word that is wider gets a line of its own.
func (f *Fonts) Wrap(text string, width float64, look Font) []string {
	f.measure.SetFontFace(f.face(look))
	return f.measure.WordWrap(text, width)
}

// Fit reduces the size of the font by whole pixels until a line of text has at most the given width. The size does not
// go below least.
func (f *Fonts) Fit(text string, width float64, look Font, least float64) Font {
	for look.Size > least && f.Width(text, look) > width {
		look.Size = max(look.Size-1, least)
	}
	return look
}
