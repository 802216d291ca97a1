package regress_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"testing"

	"pillbox/internal/regress"
)

// TestMapObjects checks the object map of a scene, which shows each solid in its own color. The list of visible
// solids must state how many pixels have each color, and where they are.
func TestMapObjects(t *testing.T) {
	s := decode(t, tray())
	m, err := regress.MapObjects(t.Context(), s, image.Pt(80, 60))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Objects) != 20 {
		t.Errorf("%d solids are visible, want all 20", len(m.Objects))
	}
	pixels, bounds := map[color.NRGBA]int{}, map[color.NRGBA]image.Rectangle{}
	for y := range 60 {
		for x := range 80 {
			c := m.Image.NRGBAAt(x, y)
			pixels[c]++
			bounds[c] = bounds[c].Union(image.Rect(x, y, x+1, y+1))
		}
	}
	if len(pixels) != len(m.Objects)+1 {
		t.Errorf("%d colors, want one for each solid and the background", len(pixels))
	}
	for _, v := range m.Objects {
		if pixels[v.Color] != v.Pixels || bounds[v.Color] != v.Bounds {
			t.Errorf("%s covers %d pixels in %v, want %d in %v", v.Label, v.Pixels, v.Bounds, pixels[v.Color], bounds[v.Color])
		}
	}
	if v := m.Objects[18]; v.Label != `capsule "arm"` || v.Number != 18 {
		t.Errorf("solid 18 is %+v, want the arm", v)
	}
}

func TestMapObjectsDegenerate(t *testing.T) {
	s := decode(t, pills)
	if _, err := regress.MapObjects(t.Context(), s, image.Pt(0, 5)); err == nil {
		t.Error("a picture without columns is accepted")
	}
	if _, _, err := regress.MapBoth(t.Context(), s, s, image.Pt(5, -1)); err == nil {
		t.Error("a picture of negative height is accepted")
	}
}

// TestMapBoth inserts a solid before all others. The others must keep their colors.
func TestMapBoth(t *testing.T) {
	accepted := decode(t, pills)
	present := decode(t, edit(t, pills, "[[sphere]]", "[[sphere]]\ncenter = [0, 2, 0]\nradius = 0.5\n[[sphere]]"))
	want, got, err := regress.MapBoth(t.Context(), accepted, present, image.Pt(64, 48))
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Objects) != 3 || len(got.Objects) != 4 {
		t.Fatalf("%d and %d solids are visible, want 3 and 4", len(want.Objects), len(got.Objects))
	}
	for i, v := range want.Objects {
		if now := got.Objects[i+1]; now.Color != v.Color || now.Bounds != v.Bounds {
			t.Errorf("%s was %v in %v, is %v in %v", v.Label, v.Color, v.Bounds, now.Color, now.Bounds)
		}
	}
	added := got.Objects[0].Color
	for _, v := range want.Objects {
		if v.Color == added {
			t.Errorf("the added solid has the color of %s", v.Label)
		}
	}
}

// TestMapColorsAreDistinct draws more solids than a person can distinguish by color.
func TestMapColorsAreDistinct(t *testing.T) {
	file := "[camera]\nposition = [0, 0, 10]\nlook_at = [0, 0, 0]\nprojection = \"orthographic\"\nview_height = 16\n"
	for i := range 256 {
		file += fmt.Sprintf("[[sphere]]\nradius = 0.4\ncenter = [%g, %g, 0]\n", float64(i%16)-7.5, float64(i/16)-7.5)
	}
	m, err := regress.MapObjects(t.Context(), decode(t, file), image.Pt(64, 64))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[color.NRGBA]bool{}
	for _, v := range m.Objects {
		seen[v.Color] = true
	}
	if len(m.Objects) != 256 || len(seen) != 256 {
		t.Errorf("%d solids in %d colors, want 256", len(m.Objects), len(seen))
	}
}

// TestMapObjectsEnds checks that a map ends with its context.
func TestMapObjectsEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("enough")
	cancel(cause)
	if _, err := regress.MapObjects(ctx, decode(t, pills), image.Pt(40, 30)); !errors.Is(err, cause) {
		t.Errorf("%v, want %v", err, cause)
	}
}
