package explain

import (
	"encoding/json"
	"fmt"
	"image"
	"strings"
	"testing"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/shipped"
)

// TestAnnotatedPixels checks that explanations of pixels under annotations state the color below the annotations, each
// layer, and the color of the picture, in the text and in the JSON.
func TestAnnotatedPixels(t *testing.T) {
	s := shipped.Load(t, "annotations")
	picture := pillbox.Picture{Size: image.Pt(100, 0), Antialias: 1}
	with, err := figure.Render(t.Context(), s, pillbox.Options{Picture: picture})
	if err != nil {
		t.Fatal(err)
	}
	without, err := pillbox.Render(t.Context(), s, pillbox.Options{Picture: picture})
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, picture)
	if err != nil {
		t.Fatal(err)
	}
	tracer, checked := New(prepared), 0
	for y := 0; y < with.Region.Dy(); y += effort.Of(8, 1, 1) {
		for x := y % 3; x < with.Region.Dx(); x += 3 {
			want, below := with.Image.NRGBAAt(x, y), without.Image.NRGBAAt(x, y)
			if want == below {
				continue
			}
			pixel, err := tracer.Pixel(image.Pt(x, y))
			if err != nil {
				t.Fatal(err)
			}
			if pixel.SRGB8 != want || pixel.Rendered != below || len(pixel.Annotations) == 0 {
				t.Fatalf("pixel %d,%d is %v over %v, want %v over %v", x, y, pixel.SRGB8, pixel.Rendered, want, below)
			}
			checkAnnotated(t, pixel, checked%3)
			checked++
		}
	}
	if checked < effort.Of(12, 50, 50) {
		t.Errorf("only %d pixels have annotations", checked)
	}
}

func checkAnnotated(t *testing.T, x *Pixel, detail int) {
	t.Helper()
	text := strings.Join(strings.Fields(written(t, x.Document(Detail(detail)), TextStyle{Columns: 100})), " ")
	for _, want := range []string{
		"This gives", fmt.Sprintf("sRGB (%d, %d, %d). ", x.Rendered.R, x.Rendered.G, x.Rendered.B),
		fmt.Sprintf("The pixel shows sRGB (%d, %d, %d).", x.SRGB8.R, x.SRGB8.G, x.SRGB8.B),
	} {
		if !strings.Contains(text, want) {
			t.Fatalf("the explanation of pixel %v lacks %q:\n%s", x.At, want, text)
		}
	}
	data, err := validate(t, compile(t), x, Detail(detail))
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Color       struct{ SRGB8 [3]uint8 }
		Rendered    [4]uint8
		Annotations []struct{ Over [4]uint8 }
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	final := [4]uint8{x.SRGB8.R, x.SRGB8.G, x.SRGB8.B, x.SRGB8.A}
	if got.Rendered != [4]uint8{x.Rendered.R, x.Rendered.G, x.Rendered.B, x.Rendered.A} || got.Color.SRGB8 != [3]uint8(final[:3]) ||
		len(got.Annotations) != len(x.Annotations) || got.Annotations[len(got.Annotations)-1].Over != final {
		t.Fatalf("the JSON of pixel %v has other colors: %+v", x.At, got)
	}
}
