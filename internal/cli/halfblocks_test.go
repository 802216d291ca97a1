package cli

import (
	"image"
	"image/color"
	"testing"
)

// TestBrightestKeepsEveryPixel shrinks a picture with a single bright pixel at each position in turn. The pixel
// must remain visible.
func TestBrightestKeepsEveryPixel(t *testing.T) {
	for y := range 11 {
		for x := range 17 {
			from := image.NewRGBA(image.Rect(0, 0, 17, 11))
			for i := 3; i < len(from.Pix); i += 4 {
				from.Pix[i] = 0xff
			}
			from.SetRGBA(x, y, color.RGBA{0xff, 0xff, 0xff, 0xff})
			to := image.NewRGBA(image.Rect(0, 0, 5, 4))
			for i := range to.Pix {
				to.Pix[i] = 0x80
			}
			brightest{}.Scale(to, to.Rect, from, from.Rect, 0, nil)
			white, black := 0, 0
			for i := 0; i < len(to.Pix); i += 4 {
				switch to.Pix[i] {
				case 0xff:
					white++
				case 0:
					black++
				}
			}
			if white != 1 || black != 19 {
				t.Fatalf("pixel (%d, %d): %d white and %d black pixels, want 1 and 19", x, y, white, black)
			}
		}
	}
}
