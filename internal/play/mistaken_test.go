package play_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/internal/play"
	"pillbox/internal/play/broken"
)

type mistakenPixel struct {
	Color, Right [4]uint8
	Why, Ray     string
}

// TestMistakenPixel explains and probes pixels of pictures with mistakes. Both must give the color of the picture with the
// mistake and that of the right one, and a reason if the two differ. Without a mistake, they must give neither.
func TestMistakenPixel(t *testing.T) {
	e := engine()
	for _, m := range broken.Mistakes() {
		text := m.Scene()
		size := object{"text": text, "width": 100}
		faulty := renderOf(t, e, merge(size, object{"trap": m.Name}))
		right := renderOf(t, e, size)
		wrong := 0
		for i := 0; i < len(right.image.Pix); i += 4 * effort.Of(211, 37, 1) {
			x, y := i/4%100, i/4/100
			shown, want := [4]uint8(faulty.image.Pix[i:]), [4]uint8(right.image.Pix[i:])
			probe := ask[struct {
				Color    string
				Mistaken *mistakenPixel
			}](t, e, "probe", merge(size, object{"x": x, "y": y, "trap": m.Name}))
			why := ask[struct {
				Color    [3]uint8
				Mistaken *mistakenPixel
			}](t, e, "explain", merge(size, object{"pixel": []int{x, y}, "trap": m.Name}))
			for _, got := range []*mistakenPixel{probe.Mistaken, why.Mistaken} {
				if got == nil || got.Color != shown || got.Right != want {
					t.Fatalf("%s at %d, %d: %+v, want %v and %v", m.Name, x, y, got, shown, want)
				}
			}
			if [3]uint8(want[:3]) != why.Color || probe.Color != fmt.Sprintf("#%02x%02x%02x", want[0], want[1], want[2]) {
				t.Fatalf("%s at %d, %d: the right color is %v and %s, want %v", m.Name, x, y, why.Color, probe.Color, want)
			}
			if isWrong := shown != want; isWrong != (why.Mistaken.Why != "") {
				t.Fatalf("%s at %d, %d: shown %v, right %v, because %q", m.Name, x, y, shown, want, why.Mistaken.Why)
			} else if isWrong {
				wrong++
			}
			if m.Name == "acne" && shown != want && !strings.HasPrefix(why.Mistaken.Ray, "shadow ray") {
				t.Errorf("acne at %d, %d changes %q", x, y, why.Mistaken.Ray)
			}
		}
		if wrong == 0 {
			t.Errorf("%s: no wrong pixel was explained", m.Name)
		}
		if a := ask[struct{ Mistaken *mistakenPixel }](t, e, "explain", merge(size, object{"pixel": []int{1, 1}})); a.Mistaken != nil {
			t.Errorf("without a mistake: %+v", a.Mistaken)
		}
	}
}

// renderOf returns the frames of a picture.
func renderOf(t *testing.T, e *play.Engine, request object) *frames {
	t.Helper()
	f := &frames{}
	render(t, e, f, request)
	return f
}

// merge returns an object with the fields of both.
func merge(a, b object) object {
	all := maps.Clone(a)
	maps.Copy(all, b)
	return all
}
