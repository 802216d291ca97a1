package golden

import (
	"image"
	"image/color"
	"testing"
)

// TestChangesMarksWhatDiffers checks the colors in the picture that Changes draws. It tests a changed pixel, a
// change within the tolerance, a change under a mask, and an equal pixel.
func TestChangesMarksWhatDiffers(t *testing.T) {
	const offset = 7 // bounds need not start at 0
	want := image.NewNRGBA(image.Rect(offset, offset, offset+30, offset+20))
	for i := range want.Pix {
		want.Pix[i] = 0xff
	}
	got := image.NewNRGBA(image.Rect(0, 0, 30, 20))
	copy(got.Pix, want.Pix)
	changed, mild, masked, same := image.Pt(3, 4), image.Pt(10, 4), image.Pt(20, 4), image.Pt(28, 18)
	got.SetNRGBA(changed.X, changed.Y, color.NRGBA{0, 0, 0, 0xff})
	got.SetNRGBA(mild.X, mild.Y, color.NRGBA{0xfe, 0xff, 0xff, 0xff})
	got.SetNRGBA(masked.X, masked.Y, color.NRGBA{0, 0, 0, 0xff})
	tol := Tolerance{MaxChannel: 2, Masks: []image.Rectangle{image.Rect(16, 0, 24, 99)}}
	d, err := Compare(got, want, tol)
	if err != nil {
		t.Fatal(err)
	}
	m := Changes(got, want, d)
	if m.Rect != image.Rect(0, 0, 30, 20) {
		t.Fatalf("the picture is %v", m.Rect)
	}
	faded := m.RGBAAt(same.X, same.Y)
	if faded.R > 0x80 || faded.R != faded.G || faded.R != faded.B || faded.A != 0xff {
		t.Errorf("an equal pixel is %v, want a dark gray", faded)
	}
	if c := m.RGBAAt(changed.X, changed.Y); c != glow(255) {
		t.Errorf("a changed pixel is %v, want %v", c, glow(255))
	}
	if c := m.RGBAAt(mild.X, mild.Y); c != color.RGBAModel.Convert(mildColor) {
		t.Errorf("a tolerated pixel is %v", c)
	}
	hatched := 0
	for y := range 20 {
		for x := range 30 {
			c := m.RGBAAt(x, y)
			under := image.Pt(x, y).In(tol.Masks[0])
			switch p := image.Pt(x, y); {
			case p == changed || p == mild:
			case under && c == color.RGBAModel.Convert(maskColor):
				hatched++
			case c != faded:
				t.Errorf("pixel %v is %v, want %v", p, c, faded)
			}
		}
	}
	if hatched == 0 {
		t.Error("the mask does not show")
	}
}

func TestChangesOfOtherSizeIsFaded(t *testing.T) {
	want, got := image.NewNRGBA(image.Rect(0, 0, 3, 4)), image.NewNRGBA(image.Rect(0, 0, 4, 3))
	d, err := Compare(got, want, Tolerance{})
	if err != nil {
		t.Fatal(err)
	}
	if m := Changes(got, want, d); m.Rect != want.Rect {
		t.Errorf("the picture is %v, want %v", m.Rect, want.Rect)
	}
}
