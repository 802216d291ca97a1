package ink

import (
	"encoding/base64"
	"fmt"
	"image"
	"io"
	"maps"
	"slices"
	"strconv"

	"pillbox/internal/svg"
	"pillbox/pngfile"
)

// WriteSVG writes the picture and the marks as an SVG file (SVG 1.1, W3C, 2011). dpi is the number of pixels per inch
// of its printed size; if it is 0, lengths are in pixels of CSS. The fonts are embedded with only the letters that the
// texts use. Programs that ignore embedded fonts use an installed font called Go, or else another.
func (p *Page) WriteSVG(w io.Writer, picture *image.NRGBA, dpi int) error {
	s := svgWriter{svg.NewWriter(w, 1000)}
	s.Printf(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="%s" height="%s" viewBox="0 0 %d %d" role="img">`+"\n",
		inInches(p.Size.X, dpi), inInches(p.Size.Y, dpi), p.Size.X, p.Size.Y)
	s.Title(p.Title)
	s.fonts(p.usedLetters())
	s.Printf(`<image width="%d" height="%d" xlink:href="data:image/png;base64,`, p.Size.X, p.Size.Y)
	data := base64.NewEncoder(base64.StdEncoding, s)
	if err := pngfile.Encode(data, picture); err != nil {
		return err
	}
	if err := data.Close(); err != nil {
		return err
	}
	s.Printf(`"/>` + "\n")
	s.marks(p)
	s.Printf("</svg>\n")
	return s.Flush()
}

// inInches returns a length for SVG, in inches, or in pixels if dpi is 0.
func inInches(pixels, dpi int) string {
	if dpi == 0 {
		return strconv.Itoa(pixels)
	}
	return strconv.FormatFloat(float64(pixels)/float64(dpi), 'f', -1, 64) + "in"
}

// usedLetters returns the numbers of the glyphs that the texts use, for each font. Each maps to a character that it shows.
func (p *Page) usedLetters() (used [fonts]map[uint16]rune) {
	fonts := NewFonts()
	for _, m := range p.all() {
		t, ok := m.(*Text)
		if !ok {
			continue
		}
		i := t.font()
		if used[i] == nil {
			used[i] = make(map[uint16]rune)
		}
		runes := []rune(t.Text)
		for j, letter := range letters(fonts.face(t), t.Text) {
			if first, known := used[i][letter]; !known || runes[j] < first {
				used[i][letter] = runes[j]
			}
		}
	}
	return used
}

// sortedKeys returns the numbers of the glyphs in a set in ascending order.
func sortedKeys(letters map[uint16]rune) []uint16 {
	return slices.Sorted(maps.Keys(letters))
}

// svgWriter writes marks as elements of SVG.
type svgWriter struct{ svg.Writer }

// fonts embeds the fonts that the texts use, reduced to their glyphs.
func (s svgWriter) fonts(used [fonts]map[uint16]rune) {
	if !slices.ContainsFunc(used[:], func(letters map[uint16]rune) bool { return letters != nil }) {
		return
	}
	s.Printf("<style>\n")
	for i, face := range faces() {
		if used[i] != nil {
			s.Printf(`@font-face { font-family: "%s"; font-weight: %s;%s src: url("data:font/ttf;base64,%s") format("truetype"); }`+"\n",
				family(i), weight(isBold(i)), map[bool]string{true: " font-style: italic;"}[isItalic(i)], base64.StdEncoding.EncodeToString(face.Subset(sortedKeys(used[i]))))
		}
	}
	s.Printf("text { font-family: \"Go\", sans-serif; white-space: pre; }\n</style>\n")
}

// family returns the family of a font in SVG files.
func family(font int) string {
	if font == fontOfSigns {
		return "Pillbox Signs"
	}
	return "Go"
}

func weight(bold bool) string {
	if bold {
		return "bold"
	}
	return "normal"
}

// marks writes the marks of a page and of its panels.
func (s svgWriter) marks(p *Page) {
	for _, x := range p.Panels {
		s.Printf(`<svg x="%d" y="%d" width="%d" height="%d" overflow="hidden">`+"\n", x.At.X, x.At.Y, x.Page.Size.X, x.Page.Size.Y)
		s.marks(x.Page)
		s.Printf("</svg>\n")
	}
	for _, m := range p.Marks {
		s.mark(m)
	}
}

func (s svgWriter) mark(m Mark) {
	switch m := m.(type) {
	case *Line:
		ends := "butt"
		if m.Round {
			ends = "round"
		}
		s.Printf(`<path d="%s" fill="none" stroke="%s" stroke-width="%s" stroke-linecap="%s" stroke-linejoin="round"/>`+"\n",
			s.Path(m.Points, false), m.Color, s.Length(m.Width), ends)
		for _, head := range m.Heads {
			s.mark(&Fill{Points: head, Color: m.Color})
		}
	case *Fill:
		s.Printf(`<path d="%s" fill="%s"/>`+"\n", s.Path(m.Points, true), m.Color)
	case *Text:
		s.text(m)
	}
}

func (s svgWriter) text(t *Text) {
	attributes := ""
	if t.Bold && !t.Signs {
		attributes += ` font-weight="bold"`
	}
	if t.Italic && !t.Signs {
		attributes += ` font-style="italic"`
	}
	if t.Signs {
		attributes += ` style="font-family: 'Pillbox Signs', 'DejaVu Sans', sans-serif"`
	}
	at := fmt.Sprintf(`x="%s" y="%s" font-size="%s"`, s.Length(t.At.X), s.Length(t.At.Y), s.Length(t.Size))
	if t.Halo.Width > 0 {
		// The halo is an element of its own, because many programs ignore the attribute paint-order. It is hidden from
		// screen readers, which would read the text twice.
		s.Printf(`<text %s%s fill="none" stroke="%s" stroke-width="%s" stroke-linejoin="round" aria-hidden="true">%s</text>`+"\n",
			at, attributes, t.Halo.Color, s.Length(2*t.Halo.Width), svg.Escaped(t.Text))
	}
	if !t.HaloOnly {
		s.Printf(`<text %s%s fill="%s">%s</text>`+"\n", at, attributes, t.Color, svg.Escaped(t.Text))
	}
}

// decimal formats a length, rounded to a thousandth of a pixel.
func decimal(x float64) string { return svg.Rounded(x, 1000) }
