package figure_test

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/figure"
	"pillbox/geom"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/ink"
	"pillbox/scene"
)

// TestStripesAreHatch checks at random points that the stripes of a legend cover what lines of the hatch's angle cover.
func TestStripesAreHatch(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		x, y, side := rng.Float64()*100, rng.Float64()*100, 1+rng.Float64()*30
		square := []ink.Point{{X: x, Y: y}, {X: x + side, Y: y}, {X: x + side, Y: y + side}, {X: x, Y: y + side}}
		h := scene.Hatch{Enabled: true, Width: rng.Float64(), Distance: 1 + rng.Float64(), Angle: geom.Angle(rng.Float64() * 360)}
		all := figure.Stripes(square, &h)
		turn := h.Angle.Degrees() * math.Pi / 180
		for range 40 {
			p := ink.Point{X: x + rng.Float64()*side, Y: y + rng.Float64()*side}
			// The height above the line through the middle, in distances; upward is against y.
			height := (-(p.X-x-side/2)*math.Sin(turn) - (p.Y-y-side/2)*math.Cos(turn)) / (side / 3)
			off := math.Abs(height - math.Round(height))
			half := h.Width / h.Distance / 2
			if math.Abs(off-half) < 1e-9 {
				continue
			}
			if got := covers(all, p); got != (off < half) {
				t.Fatalf("%+v: a point %g distances from a line of half width %g is covered: %v", h, off, half, got)
			}
		}
	}
}

// TestLegendAndColorBarAtAnySize arranges a legend and a color bar in pictures of random sizes. They never overlap: if there is
// room beside each other or one above the other, both are drawn without a warning, and otherwise one may be left out, with one.
func TestLegendAndColorBarAtAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(48, 23))
	dropped, whole := 0, 0
	for n := range effort.Of(300, 2000, 20000) {
		size := [2]float64{30 + 300*rng.Float64()*rng.Float64(), 30 + 300*rng.Float64()*rng.Float64()}
		letters := [2]int{6 + rng.IntN(10), 6 + rng.IntN(10)}
		corner := func() string { return []string{"top-left", "top-right", "bottom-left", "bottom-right"}[rng.IntN(4)] }
		text := fmt.Sprintf("image = { width = %d, height = %d }\ncamera = { position = [0, 0, 9], look_at = [0, 0, 0] }\nmaterial.m = { color = \"red\" }\n"+
			"legend = { corner = %q, size = %d, materials = [\"m\", \"m\"], texts = [%q, \"lead\"] }\ncolormap = { label = \"range\", range = [0, 10], corner = %q, size = %d }\n"+
			"sphere = [{ center = [0, 0, 0], radius = 1, value = 3 }]\n",
			int(size[0]), int(size[1]), corner(), letters[0], strings.Repeat("tin ", 1+rng.IntN(3)), corner(), letters[1])
		s := decode(t, "%s", text)
		f := arrange(t, s, image.Point{})
		legend, bar := s.Annotations.Legend.Plan(1), s.Annotations.ColorBar.Plan(s.Colormap, 1, math.Floor(size[1]))
		wide, high := math.Floor(size[0])-2*float64(letters[0]+letters[1]), math.Floor(size[1])-2*float64(letters[0]+letters[1])
		fits := wide >= legend.Width+bar.Width && high >= max(legend.Height, bar.Height) || high >= legend.Height+bar.Height && wide >= max(legend.Width, bar.Width)
		boxes := map[string][]area{}
		for _, e := range f.Entries() {
			for _, m := range f.Marks() {
				if x, ok := m.(*ink.Text); ok && x.Text == e.Text {
					boxes[e.Kind] = append(boxes[e.Kind], areaOf(x))
				}
			}
		}
		whole += map[bool]int{true: 1}[fits]
		if len(boxes["legend"]) == 0 || len(boxes["colormap"]) == 0 {
			dropped++
			if fits || len(f.Flaws()) == 0 || !strings.Contains(f.Flaws()[len(f.Flaws())-1].Message, "is not drawn") {
				t.Errorf("%d: with boxes %v, flaws %v\n%s", n, boxes, f.Flaws(), text)
			}
		} else if fits && len(f.Flaws()) > 0 {
			t.Errorf("%d: there is room, but flaws %v\n%s", n, f.Flaws(), text)
		}
		for _, a := range boxes["legend"] {
			for _, b := range boxes["colormap"] {
				if a.overlaps(b) {
					t.Fatalf("%d: the legend overlaps the color bar, flaws %v\n%s", n, f.Flaws(), text)
				}
			}
		}
	}
	if dropped == 0 || whole == 0 {
		t.Errorf("%d pictures without room, %d with", dropped, whole)
	}
}

// covers reports whether one of several convex polygons contains a point.
func covers(all [][]ink.Point, p ink.Point) bool {
	for _, polygon := range all {
		signs := [2]bool{}
		for i, a := range polygon {
			b := polygon[(i+1)%len(polygon)]
			cross := (b.X-a.X)*(p.Y-a.Y) - (b.Y-a.Y)*(p.X-a.X)
			signs[0], signs[1] = signs[0] || cross > 0, signs[1] || cross < 0
		}
		if !signs[0] || !signs[1] {
			return true
		}
	}
	return false
}

// TestLegendOfSections checks the entries of a legend with sections, also after it is written and read again.
func TestLegendOfSections(t *testing.T) {
	const file = `
[image]
width = 64
height = 48
[material.steel]
color = "steelblue"
[[section]]
name = "lid"
point = [0, 0, 0]
normal = [0, 0, 1]
color = "gold"
hatch = true
hatch_angle = 30
[[section]]
name = "cap"
point = [0, 0, 0]
normal = [0, 0, 1]
[[sphere]]
center = [0, 0, 0]
radius = 1
material = "steel"
[legend]
materials = ["steel"]
sections = ["cap", "lid"]
texts = ["steel", "a cap", "a lid"]
`
	s, err := scene.Decode("legend.toml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := s.WriteTOML(&text); err != nil {
		t.Fatal(err)
	}
	again, err := scene.Decode("again.toml", []byte(text.String()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, &text)
	}
	for _, s := range []*scene.Scene{s, again} {
		e := s.Annotations.Legend.Entries
		if len(e) != 3 || e[0].Material != "steel" || e[1].Section != "cap" || e[2].Section != "lid" || e[2].Text != "a lid" ||
			e[1].Hatch.Enabled || !e[2].Hatch.Enabled || e[2].Hatch.Angle != 30 || e[2].Color != s.Sections[0].Color {
			t.Errorf("got %+v", e)
		}
	}
}
