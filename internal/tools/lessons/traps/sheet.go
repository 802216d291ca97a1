package main

import (
	"image"

	"golang.org/x/image/draw"

	"pillbox/internal/chart"
	"pillbox/internal/geom2"
)

// Lengths on a sheet, in pixels.
const (
	panelWidth = 400 // narrower pictures are enlarged by a whole number
	margin     = 20
	captions   = 62 // height of the captions
	headSize   = 20
	textSize   = 17
)

// Colors of the headings.
const (
	faultColor chart.Hex = 0xb42318
	cureColor  chart.Hex = 0x15803d
)

// sheet draws a faulty picture next to a right one, with captions below.
func sheet(t trap, fault, cure image.Image) image.Image {
	zoom := panelWidth / fault.Bounds().Dx()
	height := zoom * fault.Bounds().Dy()
	d := chart.New(2*panelWidth+3*margin, float64(margin+height+captions+margin/2), chart.Light())
	for i, panel := range []struct {
		img        image.Image
		head, text string
		color      chart.Hex
	}{
		{fault, "fault", t.fault, faultColor},
		{cure, "cure", t.cure, cureColor},
	} {
		x := margin + i*(panelWidth+margin)
		below := geom2.Point{X: float64(x), Y: float64(margin + height)}
		d.Overlay(enlarged(panel.img, zoom), image.Pt(x, margin))
		d.Text(panel.head, below.Add(geom2.Point{Y: 28}), chart.Bold(headSize), panel.color)
		d.Text(panel.text, below.Add(geom2.Point{Y: 54}), chart.Regular(textSize), d.Ink)
	}
	return d.Image()
}

// enlarged replaces each pixel by a square.
func enlarged(img image.Image, zoom int) image.Image {
	b := img.Bounds()
	out := image.NewNRGBA(image.Rect(0, 0, zoom*b.Dx(), zoom*b.Dy()))
	draw.NearestNeighbor.Scale(out, out.Rect, img, b, draw.Src, nil)
	return out
}
