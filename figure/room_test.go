package figure_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/ink"
)

// TestFramingLeavesRoomForCorners renders scenes with random solids, a framed camera, and a color bar or a legend in a
// corner, and perhaps a title. No solid may show behind the color bar, the legend or the title.
func TestFramingLeavesRoomForCorners(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 21))
	for n := range effort.Of(40, 300, 2000) {
		size := image.Pt(200+rng.IntN(200), 200+rng.IntN(200))
		corner := []string{"top-left", "top-right", "bottom-left", "bottom-right"}[rng.IntN(4)]
		var b strings.Builder
		fmt.Fprintf(&b, "image = { width = %d, height = %d, background = \"#123456\" }\ncamera = { direction = %s, projection = %q }\nmaterial.red = { color = \"red\" }\n",
			size.X, size.Y, toml(vector(rng, 1)), []string{"orthographic", "perspective"}[rng.IntN(2)])
		solid := `material = "red"`
		if n%2 == 0 {
			solid = "value = 3"
			fmt.Fprintf(&b, "colormap = { label = \"length\", unit = \"mm\", range = [0, %v], corner = %q, size = %d, length = %d }\n", 1000*rng.Float64(), corner, 8+rng.IntN(8), 40+rng.IntN(60))
		} else {
			fmt.Fprintf(&b, "legend = { corner = %q, size = %d, materials = [\"red\"], texts = [%q] }\n", corner, 8+rng.IntN(8), strings.Repeat("red ", 1+rng.IntN(4)))
		}
		if n%3 > 0 {
			fmt.Fprintf(&b, "title = { text = %q, size = %d, side = %q }\n", strings.Repeat("title ", 1+rng.IntN(3)), 8+rng.IntN(20), []string{"top", "bottom"}[rng.IntN(2)])
		}
		b.WriteString("sphere = [")
		for range 1 + rng.IntN(4) {
			fmt.Fprintf(&b, "{ center = %s, radius = %v, %s }, ", toml(vector(rng, 4)), 0.1+rng.Float64(), solid)
		}
		b.WriteString("]\n")
		s := decode(t, "%s", b.String())
		p := prepare(t, s, image.Point{})
		film, err := p.Render(t.Context(), pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		background := film.Image.NRGBAAt(0, 0)
		for _, box := range boxesOf(arrange(t, s, image.Point{})) {
			for y := int(box.min.Y); y < int(box.max.Y); y++ {
				for x := int(box.min.X); x < int(box.max.X); x++ {
					if film.Image.NRGBAAt(x, y) != background {
						t.Fatalf("%d: a solid shows at (%d, %d), behind the box %v\n%s", n, x, y, box, b.String())
					}
				}
			}
		}
	}
}

// boxesOf returns the boxes of a title and of a legend or color bar: those of its bold texts, and of all else.
func boxesOf(f *figure.Figure) (boxes []area) {
	whole := area{ink.Point{X: math.Inf(1), Y: math.Inf(1)}, ink.Point{}}
	for _, m := range f.Marks() {
		var points []ink.Point
		switch m := m.(type) {
		case *ink.Fill:
			points = m.Points
		case *ink.Text:
			a := areaOf(m)
			if m.Bold {
				boxes = append(boxes, a)
				continue
			}
			points = []ink.Point{a.min, a.max}
		}
		for _, q := range points {
			whole.min = ink.Point{X: min(whole.min.X, q.X), Y: min(whole.min.Y, q.Y)}
			whole.max = ink.Point{X: max(whole.max.X, q.X), Y: max(whole.max.Y, q.Y)}
		}
	}
	return append(boxes, whole)
}

// TestFramingLeavesRoomForTitles renders scenes with random solids, a framed camera and a title with scripts, accents or
// several lines. All pixels of the title are on its side of the solids, and the solids touch the strip that is left.
func TestFramingLeavesRoomForTitles(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 22))
	texts := []string{"Title", "*q*_{gy}", "E = mc^2", "Ẑ ångström", "one\ntwo_{j}", "T^{yp}\nÉtude", "∑_{j} x_{j}^{2} ∫"}
	for n := range effort.Of(21, 300, 2000) {
		text, isBelow := texts[n%len(texts)], rng.IntN(2) == 0
		size := image.Pt(150+rng.IntN(200), 240+rng.IntN(200)) // high enough for the largest title: no warning that little room is left
		side := map[bool]string{true: "bottom", false: "top"}[isBelow]
		s := decode(t, "image = { width = %d, height = %d, background = \"white\" }\nshading = { ambient = 1 }\ncamera = { direction = %s, projection = %q, margin = 0 }\ntitle = { text = %q, size = %d, side = %q, color = \"#0000ff\" }\nsphere = [{ center = [0, 0, 0], radius = 1, color = \"#ff0000\" }, { center = %s, radius = 0.5, color = \"#ff0000\" }]",
			size.X, size.Y, toml(vector(rng, 1)), []string{"orthographic", "perspective"}[rng.IntN(2)], text, 14+rng.IntN(20), side, toml(vector(rng, 4)))
		p := prepare(t, s, image.Point{})
		under, err := p.Render(t.Context(), pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		over, err := figure.RenderPrepared(t.Context(), p, pillbox.Work{})
		if err != nil {
			t.Fatal(err)
		}
		solids, letters := image.Rectangle{}, image.Rectangle{}
		for y := range size.Y {
			for x := range size.X {
				pixel := image.Rect(x, y, x+1, y+1)
				if under.Image.NRGBAAt(x, y) != over.Image.NRGBAAt(x, y) {
					letters = letters.Union(pixel)
				}
				if under.Image.NRGBAAt(x, y).G < 250 {
					solids = solids.Union(pixel)
				}
			}
		}
		gap := solids.Min.Y - letters.Max.Y
		if isBelow {
			gap = letters.Min.Y - solids.Max.Y
		}
		if letters.Empty() || gap < -1 || letters.Min.Y < 0 || letters.Max.Y > size.Y || len(arrange(t, s, image.Point{}).Flaws()) > 0 {
			t.Errorf("%d: %q has the pixels %v, the solids %v of %v; flaws %v", n, text, letters, solids, size, arrange(t, s, image.Point{}).Flaws())
		}
		isTall := solids.Dx() < size.X-3 // the height limits the solids
		if most := float64(s.Annotations.Title.Size) * 1.2; isTall && float64(gap) > most {
			t.Errorf("%d: %q leaves %d pixels to the solids, want at most %v", n, text, gap, most)
		}
	}
}
