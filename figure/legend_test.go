package figure_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/figure"
	"pillbox/geom"
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
