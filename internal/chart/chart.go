// Package chart draws diagrams, sheets of views, and differences of images: pictures made of lines,
// labels, texts and other pictures.
//
// A [Drawing] is a list of lines, areas, texts and pictures; later ones cover earlier ones. [Drawing.Image]
// converts a drawing to pixels, and [Drawing.WriteSVG] to SVG. Labels are placed, if possible, where they
// cover no lines. A [Plot] is a part of a drawing with a scale of its own and with y up.
//
// Conventions: lengths are pixels and y points down, with the top left of the drawing at (0, 0),
// except in a Plot. The position of a text is the left end of its baseline. Text sizes are the em in
// pixels. The font is Go. A Drawing belongs to one goroutine; drawings share no memory.
package chart

import "image/color"

// Hex is an opaque color, 0xrrggbb.
type Hex uint32

// RGBA implements [color.Color].
func (h Hex) RGBA() (r, g, b, a uint32) {
	return uint32(h>>16&0xff) * 0x101, uint32(h>>8&0xff) * 0x101, uint32(h&0xff) * 0x101, 0xffff
}

// Between returns the interpolation between h (t = 0) and other (t = 1).
func (h Hex) Between(other Hex, t float64) color.RGBA {
	channel := func(shift int) uint8 {
		v, w := float64(h>>shift&0xff), float64(other>>shift&0xff)
		return uint8(v + float64(t*(w-v)) + 0.5)
	}
	return color.RGBA{channel(16), channel(8), channel(0), 0xff}
}

// Theme holds the colors that all drawings use.
type Theme struct {
	Paper Hex // background
	Ink   Hex // of text
	Muted Hex // of less important text
	Faint Hex // of auxiliary lines
}

// Light is a theme with dark text on light paper.
func Light() Theme { return Theme{Paper: 0xffffff, Ink: 0x1b2330, Muted: 0x5b6878, Faint: 0xd5dce5} }

// Dark is a theme with light text on dark paper.
func Dark() Theme { return Theme{Paper: 0x14181f, Ink: 0xe8ecf2, Muted: 0x9aa7b8, Faint: 0x364150} }
