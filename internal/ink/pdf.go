package ink

import (
	"bytes"
	"fmt"
	"image"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/klauspost/compress/zlib"

	"pillbox/internal/typeface"
)

// WritePDF writes the picture and the marks as a PDF file of one page (PDF 1.4, Adobe, 2001). dpi is the number of
// pixels per inch; 0 means 96, as in CSS. The fonts are embedded with only the letters that the texts use. The same
// page gives the same bytes: the file contains no date.
func (p *Page) WritePDF(w io.Writer, picture *image.NRGBA, dpi int) error {
	if dpi == 0 {
		dpi = 96
	}
	scale := 72 / float64(dpi)
	d := pdf{out: bytes.NewBufferString("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")}
	catalog, pages, page, info := d.reserve(), d.reserve(), d.reserve(), 0
	if p.Title != "" {
		info = d.reserve()
		d.object(info, fmt.Sprintf("<< /Title %s >>", textString(p.Title)))
	}
	d.object(catalog, fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R >>", pages))
	d.object(pages, fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] /Count 1 >>", page))

	resources := fmt.Sprintf("/XObject << /Picture %d 0 R >>", d.picture(picture))
	fonts := ""
	used := p.usedLetters()
	for i, face := range faces() {
		if used[i] != nil {
			fonts += fmt.Sprintf(" /F%d %d 0 R", i, d.font(face, used[i]))
		}
	}
	if fonts != "" {
		resources += " /Font <<" + fonts + " >>"
	}
	contents := d.reserve()
	d.stream(contents, "", p.content(scale))
	d.object(page, fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 %s %s] /Resources << %s >> /Contents %d 0 R >>",
		pages, decimal(float64(p.Size.X)*scale), decimal(float64(p.Size.Y)*scale), resources, contents))
	d.finish(catalog, info)
	_, err := d.out.WriteTo(w)
	return err
}

// content returns the operators that draw the page. The first operator changes the coordinates to those of the picture.
func (p *Page) content(scale float64) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%.9f 0 0 %.9f 0 %s cm\n", scale, -scale, decimal(float64(p.Size.Y)*scale))
	fmt.Fprintf(&b, "q %d 0 0 %d 0 %d cm /Picture Do Q\n1 j\n", p.Size.X, -p.Size.Y, p.Size.Y)
	p.operators(&b, NewFonts())
	return b.Bytes()
}

// operators writes the operators that draw the marks of the page and of its panels.
func (p *Page) operators(b *bytes.Buffer, fonts *Fonts) {
	for _, x := range p.Panels {
		fmt.Fprintf(b, "q 1 0 0 1 %d %d cm 0 0 %d %d re W n\n", x.At.X, x.At.Y, x.Page.Size.X, x.Page.Size.Y)
		x.Page.operators(b, fonts)
		b.WriteString("Q\n")
	}
	for _, m := range p.Marks {
		switch m := m.(type) {
		case *Line:
			ends := 0
			if m.Round {
				ends = 1
			}
			fmt.Fprintf(b, "%s RG %s w %d J %sS\n", components(m.Color), decimal(m.Width), ends, operators(m.Points))
			for _, head := range m.Heads {
				b.WriteString(filled(head, m.Color))
			}
		case *Fill:
			b.WriteString(filled(m.Points, m.Color))
		case *Text:
			if m.Halo.Width > 0 {
				// Artifacts are ignored when text is copied or read aloud.
				fmt.Fprintf(b, "/Artifact BMC %s RG %s w %s EMC\n", components(m.Halo.Color), decimal(2*m.Halo.Width), show(fonts, m, 1))
			}
			if !m.HaloOnly {
				fmt.Fprintf(b, "%s rg %s\n", components(m.Color), show(fonts, m, 0))
			}
		}
	}
}

// filled returns the operators that fill a polygon.
func filled(points []Point, color Color) string {
	return fmt.Sprintf("%s rg %sh f\n", components(color), operators(points))
}

// show returns the operators that show a text with a rendering mode: 0 fills its letters, 1 strokes their outlines.
func show(fonts *Fonts, t *Text, mode int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "BT /F%d %s Tf %d Tr 1 0 0 -1 %s %s Tm <", t.font(), decimal(t.Size), mode, decimal(t.At.X), decimal(t.At.Y))
	for _, letter := range letters(fonts.face(t), t.Text) {
		fmt.Fprintf(&b, "%04x", letter)
	}
	return b.String() + "> Tj ET"
}

// operators returns the operators that construct a path.
func operators(points []Point) string {
	var b strings.Builder
	for i, p := range points {
		b.WriteString(decimal(p.X) + " " + decimal(p.Y) + [...]string{" m ", " l "}[min(i, 1)])
	}
	return b.String()
}

// components returns the operands of a color.
func components(c Color) string {
	channel := func(v uint8) string { return decimal(float64(v) / 255) }
	return channel(c.R) + " " + channel(c.G) + " " + channel(c.B)
}

// textString returns s as a PDF string object. s may contain any characters.
func textString(s string) string {
	var b strings.Builder
	b.WriteString("<feff")
	for _, unit := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04x", unit)
	}
	return b.String() + ">"
}

// pdf is a file that is being written.
type pdf struct {
	out     *bytes.Buffer
	offsets []int // of the objects, which count from 1
}

// reserve returns the number of a new object.
func (d *pdf) reserve() int {
	d.offsets = append(d.offsets, 0)
	return len(d.offsets)
}

// object writes an object.
func (d *pdf) object(number int, value string) {
	d.offsets[number-1] = d.out.Len()
	fmt.Fprintf(d.out, "%d 0 obj\n%s\nendobj\n", number, value)
}

// stream writes a stream with additional entries of its dictionary.
func (d *pdf) stream(number int, entries string, data []byte) {
	packed := deflated(data)
	d.offsets[number-1] = d.out.Len()
	fmt.Fprintf(d.out, "%d 0 obj\n<< %s/Filter /FlateDecode /Length %d >>\nstream\n", number, entries, len(packed))
	d.out.Write(packed)
	d.out.WriteString("\nendstream\nendobj\n")
}

// deflated compresses data. Unlike the output of the standard library, the bytes do not depend on the release of Go.
func deflated(data []byte) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, 7)
	if err != nil {
		panic(err) // the level is valid
	}
	_, _ = w.Write(data) // a Buffer has no errors
	_ = w.Close()
	return b.Bytes()
}

// finish writes the table of objects.
func (d *pdf) finish(catalog, info int) {
	start := d.out.Len()
	fmt.Fprintf(d.out, "xref\n0 %d\n0000000000 65535 f \n", len(d.offsets)+1)
	for _, offset := range d.offsets {
		fmt.Fprintf(d.out, "%010d 00000 n \n", offset)
	}
	more := ""
	if info > 0 {
		more = fmt.Sprintf(" /Info %d 0 R", info)
	}
	fmt.Fprintf(d.out, "trailer\n<< /Size %d /Root %d 0 R%s >>\nstartxref\n%d\n%%%%EOF\n", len(d.offsets)+1, catalog, more, start)
}

// picture writes a picture and returns the number of its object. If it has transparent pixels, its alpha becomes a mask.
func (d *pdf) picture(img *image.NRGBA) int {
	size := img.Rect.Size()
	colors, alphas, opaque := make([]byte, 0, 3*size.X*size.Y), make([]byte, 0, size.X*size.Y), true
	for y := range size.Y {
		for row := img.Pix[y*img.Stride:][:4*size.X]; len(row) > 0; row = row[4:] {
			colors, alphas = append(colors, row[:3]...), append(alphas, row[3])
			opaque = opaque && row[3] == 0xff
		}
	}
	mask := ""
	if !opaque {
		number := d.reserve()
		d.stream(number, imageEntries(size, "/DeviceGray", 1), filtered(alphas, size.X))
		mask = fmt.Sprintf("/SMask %d 0 R ", number)
	}
	number := d.reserve()
	d.stream(number, imageEntries(size, "/DeviceRGB", 3)+mask, filtered(colors, 3*size.X))
	return number
}

func imageEntries(size image.Point, space string, channels int) string {
	return fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent 8 /DecodeParms << /Predictor 15 /Colors %d /Columns %d >> ",
		size.X, size.Y, space, channels, size.X)
}

// filtered applies the filter Up of PNG to rows of the given number of bytes: each byte becomes the difference between
// it and the byte above. So rendered pictures compress several times better.
func filtered(data []byte, width int) []byte {
	const up = 2
	out := make([]byte, 0, len(data)+len(data)/width)
	above := make([]byte, width)
	for ; len(data) > 0; data = data[width:] {
		out = append(out, up)
		for i, v := range data[:width] {
			out = append(out, v-above[i])
		}
		above = data[:width]
	}
	return out
}

// font writes a font that contains only the given glyphs, and returns the number of its object.
func (d *pdf) font(face *typeface.Face, used map[uint16]rune) int {
	all := sortedKeys(used)
	name := subsetTag(all) + "+" + strings.ReplaceAll(face.Name(), " ", "")
	program := face.Subset(all)
	file := d.reserve()
	d.stream(file, fmt.Sprintf("/Length1 %d ", len(program)), program)

	perThousand := func(units int) string { return decimal(1000 * float64(units) / float64(face.UnitsPerEm())) }
	m := face.Metrics()
	descriptor := d.reserve()
	d.object(descriptor, fmt.Sprintf("<< /Type /FontDescriptor /FontName /%s /Flags 32 /FontBBox [%s %s %s %s] /ItalicAngle 0 /Ascent %s /Descent %s /CapHeight %s /StemV %d /FontFile2 %d 0 R >>",
		name, perThousand(m.Left), perThousand(m.Bottom), perThousand(m.Right), perThousand(m.Top), perThousand(m.Ascent), perThousand(m.Descent), perThousand(face.CapHeight()), m.Stem, file))

	var widths strings.Builder
	for _, letter := range all {
		fmt.Fprintf(&widths, "%d [%s] ", letter, perThousand(face.Advance(letter)))
	}
	letters := d.reserve()
	d.object(letters, fmt.Sprintf("<< /Type /Font /Subtype /CIDFontType2 /BaseFont /%s /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor %d 0 R /CIDToGIDMap /Identity /W [%s] >>",
		name, descriptor, strings.TrimSpace(widths.String())))
	characters := d.reserve()
	d.stream(characters, "", toUnicode(all, used))
	font := d.reserve()
	d.object(font, fmt.Sprintf("<< /Type /Font /Subtype /Type0 /BaseFont /%s /Encoding /Identity-H /DescendantFonts [%d 0 R] /ToUnicode %d 0 R >>",
		name, letters, characters))
	return font
}

// subsetTag returns the six capitals that begin the name of a font which contains only some of its glyphs.
func subsetTag(letters []uint16) string {
	sum := uint32(2166136261) // FNV-1a
	for _, l := range letters {
		sum = (sum ^ uint32(l)) * 16777619
	}
	tag := make([]byte, 6)
	for i := range tag {
		tag[i] = 'A' + byte(sum%26)
		sum /= 26
	}
	return string(tag)
}

// toUnicode returns the map from glyphs to characters, by which programs search and copy text.
func toUnicode(letters []uint16, used map[uint16]rune) []byte {
	var b bytes.Buffer
	b.WriteString("/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n" +
		"/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n" +
		"1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n")
	const most = 100 // entries of a block
	for len(letters) > 0 {
		n := min(most, len(letters))
		fmt.Fprintf(&b, "%d beginbfchar\n", n)
		for _, letter := range letters[:n] {
			fmt.Fprintf(&b, "<%04x> <", letter)
			for _, unit := range utf16.Encode([]rune{used[letter]}) {
				fmt.Fprintf(&b, "%04x", unit)
			}
			b.WriteString(">\n")
		}
		b.WriteString("endbfchar\n")
		letters = letters[n:]
	}
	b.WriteString("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n")
	return b.Bytes()
}
