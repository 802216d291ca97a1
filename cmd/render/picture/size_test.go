package picture

import (
	"image"
	"testing"
)

// TestPrintedSize checks lengths in all units and their conversion to pixels.
func TestPrintedSize(t *testing.T) {
	for text, want := range map[string]image.Point{
		"85mm": {1004, 0}, "8.5cm": {1004, 0}, "2in": {600, 0}, "72pt": {300, 0}, "1inx2in": {300, 600}, " 1 in x 72 pt ": {300, 300},
	} {
		f, err := parseSize(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		} else if got, err := f.pixels(300); got != want || err != nil {
			t.Errorf("%s at 300 dpi is %v, %v, want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "85", "mm", "-1mm", "0in", "1ft", "NaNmm", "1mmx", "infcm"} {
		if _, err := parseSize(text); err == nil {
			t.Errorf("%q gave no error", text)
		}
	}
}
