package main

import (
	"fmt"
	"image"
	"image/color"

	"github.com/fogleman/gg"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
)

// Lengths on a sheet, in pixels.
const (
	panelWidth = 400 // narrower pictures are enlarged by a whole number
	margin     = 20
	captions   = 62 // their height
	headSize   = 20
	textSize   = 17
)

// sheet draws a faulty picture beside a right one, with captions below.
func sheet(t trap, fault, cure image.Image) (image.Image, error) {
	bold, err := face(gobold.TTF, headSize)
	if err != nil {
		return nil, err
	}
	regular, err := face(goregular.TTF, textSize)
	if err != nil {
		return nil, err
	}
	zoom := panelWidth / fault.Bounds().Dx()
	height := zoom * fault.Bounds().Dy()
	dc := gg.NewContext(2*panelWidth+3*margin, margin+height+captions+margin/2)
	dc.SetColor(color.White)
	dc.Clear()
	for i, panel := range []struct {
		img        image.Image
		head, text string
		look       color.Color
	}{
		{fault, "fault", t.fault, color.NRGBA{0xb4, 0x23, 0x18, 0xff}},
		{cure, "cure", t.cure, color.NRGBA{0x15, 0x80, 0x3d, 0xff}},
	} {
		x := margin + i*(panelWidth+margin)
		dc.DrawImage(enlarged(panel.img, zoom), x, margin)
		dc.SetFontFace(bold)
		dc.SetColor(panel.look)
		dc.DrawString(panel.head, float64(x), float64(margin+height+28))
		dc.SetFontFace(regular)
		dc.SetColor(color.NRGBA{0x1b, 0x23, 0x30, 0xff})
		dc.DrawString(panel.text, float64(x), float64(margin+height+54))
	}
	return dc.Image(), nil
}

func face(ttf []byte, size float64) (font.Face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, fmt.Errorf("a built-in font: %w", err)
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72})
}

// enlarged makes a square of each pixel.
func enlarged(img image.Image, zoom int) image.Image {
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, zoom*b.Dx(), zoom*b.Dy()))
	draw.NearestNeighbor.Scale(out, out.Rect, img, b, draw.Src, nil)
	return out
}
