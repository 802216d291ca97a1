// Package ink writes lines and texts over a picture: into its pixels, as SVG and as PDF.
//
// A [Page] lists marks, and later ones cover earlier ones. [Page.Draw] draws them into a picture with the same bits on
// every machine. [Page.WriteSVG] and [Page.WritePDF] embed the picture once, and write lines as vectors and texts as
// texts, with the letters that they use.
//
// Conventions: lengths are pixels and y points down, with the top left corner of the picture at (0, 0). The position of
// a text is the left end of its baseline, and the size of a text is the em. Colors are sRGB. A Page belongs to one
// goroutine.
package ink

import (
	"fmt"
	"image"
	"slices"

	"pillbox/internal/geom2"
	"pillbox/internal/typeface"
)

// Point is a position in the picture.
type Point = geom2.Point

// Color is an opaque sRGB color.
type Color struct{ R, G, B uint8 }

// String returns the color as SVG and CSS write it: #rrggbb.
func (c Color) String() string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// Page is a list of marks over a picture.
type Page struct {
	Size   image.Point // of the picture, in pixels
	Title  string      // describes the page in a line; may be empty
	Panels []Panel     // pages on this one, below its marks
	Marks  []Mark      // later ones cover earlier ones
}

// Panel is a page on another one. Its marks are cut off at its edges.
type Panel struct {
	At   image.Point // its top left corner
	Page *Page
}

// all returns the marks of the page and of its panels.
func (p *Page) all() []Mark {
	all := slices.Clone(p.Marks)
	for _, x := range p.Panels {
		all = append(all, x.Page.all()...)
	}
	return all
}

// Mark is a [Line], a [Fill] or a [Text].
type Mark interface{ mark() }

// Line is a line through at least two points, with round joins. If Round is set, its ends are round, too; otherwise
// they are flat. A round line between two equal points is a dot. The line is united with its heads: where both cover a
// part of a pixel, this part counts once.
type Line struct {
	Points []Point
	Width  float64
	Round  bool
	Color  Color
	Heads  [][]Point // convex polygons
}

// Fill is a filled polygon.
type Fill struct {
	Points []Point
	Color  Color
}

// Text is a line of text.
type Text struct {
	Text  string
	At    Point
	Size  float64
	Bold  bool
	Color Color
	Halo  Halo

	Italic   bool
	Signs    bool // whether the font is that of signs, see [typeface.Signs], which has one style
	HaloOnly bool // whether the letters are not drawn, but only their halo
}

// Halo is a border around letters. The zero Halo draws nothing.
type Halo struct {
	Width float64
	Color Color
}

func (*Line) mark() {}
func (*Fill) mark() {}
func (*Text) mark() {}

// Fonts measures texts. It is not safe for concurrent use.
type Fonts struct{ faces [fonts]*typeface.Face }

// NewFonts returns the fonts of texts.
func NewFonts() *Fonts { return &Fonts{faces()} }

// face returns the font of a text.
func (f *Fonts) face(t *Text) *typeface.Face { return f.faces[t.font()] }

// font returns the index of the text's font in the lists of this package.
func (t *Text) font() (i int) {
	if t.Signs {
		return fontOfSigns
	}
	if t.Bold {
		i++
	}
	if t.Italic {
		i += 2
	}
	return i
}

// fontOfSigns is the index of the font of signs, the last of the fonts.
const (
	fontOfSigns = 4
	fonts       = fontOfSigns + 1
)

// faces returns the fonts, in the order of the method font.
func faces() (all [fonts]*typeface.Face) {
	for i := range fontOfSigns {
		all[i] = typeface.Styled(isBold(i), isItalic(i))
	}
	all[fontOfSigns] = typeface.Signs()
	return all
}

func isBold(font int) bool   { return font%2 == 1 }
func isItalic(font int) bool { return font == 2 || font == 3 }

// Width returns the width of a line of text.
func (f *Fonts) Width(text string, size float64, bold bool) float64 {
	face := f.face(&Text{Bold: bold})
	return inPixels(face, face.Width(text), size)
}

// CapHeight returns the height of capitals above the baseline.
func (f *Fonts) CapHeight(size float64, bold bool) float64 {
	face := f.face(&Text{Bold: bold})
	return inPixels(face, face.CapHeight(), size)
}

// letters returns the numbers of the glyphs for the characters of a text. A character that the font does not have
// gets the font's glyph for missing characters, a box.
func letters(face *typeface.Face, text string) []uint16 {
	var all []uint16
	for _, r := range text {
		letter, _ := face.Index(r)
		all = append(all, letter)
	}
	return all
}

func inPixels(face *typeface.Face, units int, size float64) float64 {
	return float64(float64(units)*size) / float64(face.UnitsPerEm())
}
