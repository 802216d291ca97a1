package aov

import (
	"fmt"
	"image/color"

	"github.com/fogleman/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// Sizes of text in pixels.
const (
	titleSize = 24
	nameSize  = 17
	textSize  = 14
	smallSize = 12
)

func paper() color.Color { return color.NRGBA{0xfb, 0xfc, 0xfd, 0xff} }
func ink() color.Color   { return color.NRGBA{0x1b, 0x23, 0x30, 0xff} }
func muted() color.Color { return color.NRGBA{0x5b, 0x68, 0x78, 0xff} }

// setFace chooses the font of plain text.
func setFace(dc *gg.Context, size float64) { dc.SetFontFace(newFace(goregular.TTF, size)) }

// setBoldFace chooses the font of headings.
func setBoldFace(dc *gg.Context, size float64) { dc.SetFontFace(newFace(gobold.TTF, size)) }

func newFace(data []byte, size float64) font.Face {
	f, err := opentype.Parse(data)
	if err != nil {
		panic(fmt.Sprintf("aov: a built-in font does not parse: %v", err))
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		panic(fmt.Sprintf("aov: no face of a built-in font: %v", err))
	}
	return face
}

// write writes a line of plain text whose left end and baseline are at x, y.
func write(dc *gg.Context, text string, x, y, size float64, c color.Color) {
	setFace(dc, size)
	dc.SetColor(c)
	dc.DrawString(text, x, y)
}

// writeBold writes a line in bold letters.
func writeBold(dc *gg.Context, text string, x, y, size float64, c color.Color) {
	setBoldFace(dc, size)
	dc.SetColor(c)
	dc.DrawString(text, x, y)
}
