// Package typeface reads the letters of the built-in fonts: their outlines and their widths. It also makes font files
// that contain only the letters of a text. Letters here are the glyphs of a font, and the number of a letter is its
// glyph index.
//
// Conventions: lengths are whole font units; [Face.UnitsPerEm] units are the size of the text. x points to the right
// and y down, with the origin at the left end of the baseline. All numbers are integers from the font file, so they are
// the same on every machine. The fonts have no kerning: a letter's width does not depend on its neighbors.
package typeface

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// Face is a font. It is not safe for concurrent use, because it reads letters into its own memory.
type Face struct {
	name   string
	data   []byte
	font   *sfnt.Font
	buffer sfnt.Buffer
	unit   fixed.Int26_6 // the size at which sfnt returns font units
}

// Regular returns the font Go Regular.
func Regular() *Face { return open("Go Regular", goregular.TTF) }

// Bold returns the font Go Bold.
func Bold() *Face { return open("Go Bold", gobold.TTF) }

// Styled returns the font Go Regular, Go Bold, Go Italic or Go Bold Italic.
func Styled(bold, italic bool) *Face {
	switch {
	case bold && italic:
		return open("Go Bold Italic", gobolditalic.TTF)
	case bold:
		return Bold()
	case italic:
		return open("Go Italic", goitalic.TTF)
	}
	return Regular()
}

// signs is a font file with the signs of the sciences, combining marks and spaces that the Go fonts lack. A test makes it
// from DejaVu Sans, see LICENSE-signs: go test ./internal/typeface -run MakeSigns -make-signs DejaVuSans.ttf
//
//go:embed signs.ttf
var signs []byte

// Signs returns the font of the characters that the Go fonts lack. It has one style for all texts.
func Signs() *Face { return open("Pillbox Signs", signs) }

// parsed holds the fonts that have been parsed, by name. A font is safe for concurrent use, but a Face is not.
var parsed sync.Map

func open(name string, data []byte) *Face {
	known, ok := parsed.Load(name)
	if !ok {
		f, err := sfnt.Parse(data)
		if err != nil {
			panic(fmt.Sprintf("typeface: a built-in font does not parse: %v", err))
		}
		known, _ = parsed.LoadOrStore(name, f)
	}
	f := known.(*sfnt.Font)
	return &Face{name: name, data: data, font: f, unit: fixed.Int26_6(f.UnitsPerEm())}
}

// Name returns the full name of the font.
func (f *Face) Name() string { return f.name }

// UnitsPerEm returns the number of font units per em. The em is the size of a text.
func (f *Face) UnitsPerEm() int { return int(f.unit) }

// Index returns the number of a character's letter, that is, its glyph index in the font. It returns false if the font
// does not have the character.
func (f *Face) Index(r rune) (uint16, bool) {
	i, err := f.font.GlyphIndex(&f.buffer, r)
	return uint16(i), err == nil && i != 0
}

// Missing returns the first character of a text that no font has, and the index of this character among the characters of
// the text. If the fonts have all characters, the index is -1.
func Missing(text string) (missing rune, index int) {
	n, regular, signs := 0, Regular(), Signs()
	for _, r := range text {
		if _, ok := regular.Index(r); !ok {
			if _, ok := signs.Index(r); !ok {
				return r, n
			}
		}
		n++
	}
	return 0, -1
}

// Advance returns the width of a letter: the distance from its origin to the origin of the next letter.
func (f *Face) Advance(letter uint16) int {
	a, err := f.font.GlyphAdvance(&f.buffer, sfnt.GlyphIndex(letter), f.unit, font.HintingNone)
	if err != nil {
		panic(fmt.Sprintf("typeface: letter %d of a built-in font has no width: %v", letter, err))
	}
	return int(a)
}

// Width returns the width of a line of text. A character that the font does not have counts as the letter for missing
// characters.
func (f *Face) Width(line string) (width int) {
	for _, r := range line {
		letter, _ := f.Index(r)
		width += f.Advance(letter)
	}
	return width
}

// Bounds returns the box around the outline of a letter. A letter without an outline has an empty box at its origin.
func (f *Face) Bounds(letter uint16) (least, most Point) {
	b, _, err := f.font.GlyphBounds(&f.buffer, sfnt.GlyphIndex(letter), f.unit, font.HintingNone)
	if err != nil {
		panic(fmt.Sprintf("typeface: letter %d of a built-in font has no bounds: %v", letter, err))
	}
	return Point{int(b.Min.X), int(b.Min.Y)}, Point{int(b.Max.X), int(b.Max.Y)}
}

// CapHeight returns the height of capitals above the baseline.
func (f *Face) CapHeight() int {
	m, err := f.font.Metrics(&f.buffer, f.unit, font.HintingNone)
	if err != nil {
		panic(fmt.Sprintf("typeface: a built-in font has no metrics: %v", err))
	}
	return int(m.CapHeight)
}

// Metrics describe a whole font. Here, unlike in outlines, y points up: heights above the baseline are positive.
type Metrics struct {
	Left, Bottom, Right, Top int // bounds of all letters
	Ascent, Descent          int // of a line of text; Descent is negative
	Stem                     int // width of stems, in thousandths of the size
}

// Metrics returns the metrics of the font.
func (f *Face) Metrics() Metrics {
	tables := tablesOf(f.data)
	number := func(table string, at int) int { return int(int16(binary.BigEndian.Uint16(tables[table][at:]))) }
	// The font file does not state the width of stems; this estimate from the weight is the usual one.
	weight := number("OS/2", 4)
	return Metrics{
		Left: number("head", 36), Bottom: number("head", 38), Right: number("head", 40), Top: number("head", 42),
		Ascent: number("hhea", 4), Descent: number("hhea", 6),
		Stem: 50 + weight*weight/(65*65),
	}
}

// Point is a point of an outline.
type Point struct{ X, Y int }

// Curve is a part of an outline: a quadratic Bezier curve from the end of the previous curve to To. For a straight
// line, Control is equal to To.
type Curve struct{ Control, To Point }

// Contour is a closed outline. It ends where it starts.
type Contour struct {
	Start  Point
	Curves []Curve
}

// Outline returns the contours of a letter. A point is inside the letter if the contours wind around it a number of
// times other than zero.
func (f *Face) Outline(letter uint16) []Contour {
	segments, err := f.font.LoadGlyph(&f.buffer, sfnt.GlyphIndex(letter), f.unit, nil)
	if err != nil {
		panic(fmt.Sprintf("typeface: letter %d of a built-in font has no outline: %v", letter, err))
	}
	var all []Contour
	point := func(p fixed.Point26_6) Point { return Point{int(p.X), int(p.Y)} }
	for _, s := range segments {
		p, q := point(s.Args[0]), point(s.Args[1])
		if s.Op == sfnt.SegmentOpMoveTo {
			all = append(all, Contour{Start: p})
			continue
		}
		if s.Op == sfnt.SegmentOpLineTo {
			q = p
		}
		last := &all[len(all)-1]
		last.Curves = append(last.Curves, Curve{p, q}) // a TrueType font has no cubic curves
	}
	return all
}
