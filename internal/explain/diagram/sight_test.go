package diagram

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/explain"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/internal/geom2"
)

// tabletop is a scene with an arm, a tray and a ball above a floor. It has two lights with a size, and ambient
// occlusion.
const tabletop = `
[image]
width = 80
height = 60
[camera]
position = [0, 4, 9]
look_at = [0, 1, 0]
[shading]
ambient = { top = 0.4, bottom = 0.1 }
samples = 16
occlusion = {}
[[light]]
name = "lamp"
position = [2, 6, 1]
radius = 1
[[light]]
direction = [-1, -1, -1]
angle = 9
[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [6, 0.5, 6]
[[capsule]]
name = "arm"
a = [-1.5, 2, 0]
b = [1.5, 2.6, 0.6]
radius = 0.25
[[box]]
name = "tray"
center = [-1, 1, -1]
half_extents = [0.6, 0.9, 0.6]
rotate = [0, 30, 0]
[[sphere]]
name = "ball"
center = [1.2, 0.7, 1]
radius = 0.7
`

// TestRegions divides a disc into four regions: two smaller discs, one of them inside the other, a part cut off by
// a straight line, and the rest. It checks the areas of the regions and one of the outlines.
func TestRegions(t *testing.T) {
	small, large := geom2.Pt(0.1, 0.2), geom2.Pt(0, 0.1)
	g := newLabelGrid(120, func(p geom2.Point) int32 {
		switch {
		case p.Norm() > 1:
			return beyond
		case p.Sub(small).Norm() < 0.2:
			return 1
		case p.Sub(large).Norm() < 0.5:
			return 2
		case p.Y < -0.5:
			return lowered
		}
		return accel.None
	})
	segment := math.Acos(0.5) - 0.5*math.Sqrt(0.75)
	want := []region{
		{label: accel.None, area: math.Pi - segment},
		{label: 2, area: math.Pi * 0.25},
		{label: lowered, area: segment},
		{label: 1, area: math.Pi * 0.04},
	}
	got := g.regions()
	if len(got) != len(want) {
		t.Fatalf("%d regions, want %d", len(got), len(want))
	}
	for i, r := range got {
		if r.label != want[i].label || math.Abs(r.area-want[i].area) > 1e-3 {
			t.Errorf("region %d has the label %d and the area %v, want %d and %v", i, r.label, r.area, want[i].label, want[i].area)
		}
	}
	for _, p := range got[1].outline {
		if off := p.Sub(large).Norm() - 0.5; math.Abs(off) > 1e-5 {
			t.Fatalf("the outline is %g beside the circle", off)
		}
	}
}

// sightOf returns the diagram of what a point of a surface sees of a light or of the sky, before the diagram is
// completed. The point is visible in the pixel at. The result is false if the pixel shows no solid.
func sightOf(t *testing.T, tracer *explain.Tracer, at image.Point, kind Kind) (*sight, bool) {
	t.Helper()
	x, err := tracer.Pixel(at)
	if err != nil {
		t.Fatal(err)
	}
	prepared, q := follow.Of(x.Prepared()), follow.Of(x.Samples[0].Path)
	if !q.IsSolid() {
		return nil, false
	}
	if kind == Sky {
		return skyOf(prepared, q, Options{}), true
	}
	return discOf(prepared, q, Options{}), true
}

// TestSamplesLieInTheirRegions compares the samples in diagrams of lights and of the sky with the regions, which
// are computed from other rays. A sample must be hidden by a solid if and only if its region shows a solid.
func TestSamplesLieInTheirRegions(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 0))
	tracer := tracerOf(t, strings.Replace(tabletop, "samples = 16", "samples = 64", 1))
	hidden, visible := 0, 0
	for range effort.Of(40, 200, 2000) {
		at := image.Pt(rng.IntN(80), 24+rng.IntN(36))
		for _, kind := range []Kind{Disc, Sky} {
			s, ok := sightOf(t, tracer, at, kind)
			if !ok {
				continue
			}
			for _, p := range s.samples {
				if p.at.Norm() > 1+1e-9 {
					t.Fatalf("pixel %v: a sample lies outside of the disc", at)
				}
				// Samples on an outline may lie on either side after rounding.
				label, onOutline := s.label(p.at), false
				for _, d := range []geom2.Point{{X: 1e-6}, {X: -1e-6}, {Y: 1e-6}, {Y: -1e-6}} {
					onOutline = onOutline || s.label(p.at.Add(d)) != label
				}
				if (label >= 0) != (p.object != accel.None) && !onOutline {
					t.Errorf("pixel %v, %s: a sample at %v is hidden by %d, and the region there has the label %d", at, kind, p.at, p.object, label)
				}
				if p.object == accel.None {
					visible++
				} else {
					hidden++
				}
			}
		}
	}
	if hidden < 100 || visible < 100 {
		t.Errorf("%d samples were hidden and %d visible: too few", hidden, visible)
	}
}

// TestSightMatchesClosedForms checks two shares with exact formulas. A disc of radius r at height 1 hides r^2 / (1
// + r^2) of the sky. A wall through the center of a light vertically above the point hides half of the light.
func TestSightMatchesClosedForms(t *testing.T) {
	const view = "[image]\nwidth = 1\nheight = 1\n[camera]\nposition = [0, 0.5, 0]\nlook_at = [0, 0, 0]\nup = [0, 0, 1]\n[[box]]\nname = \"floor\"\ncenter = [0, -1, 0]\nhalf_extents = [9, 1, 9]\n"
	for _, c := range []struct {
		name, text string
		kind       Kind
		want       float64
	}{
		{"a disc", "[shading]\nocclusion = {}\n[[cylinder]]\na = [0, 1, 0]\nb = [0, 1.1, 0]\nradius = 1\n", Sky, 0.5},
		{"a disc", "[shading]\nocclusion = {}\n[[cylinder]]\na = [0, 2, 0]\nb = [0, 2.1, 0]\nradius = 1\n", Sky, 0.8},
		{"a wall", "[shading]\nocclusion = {}\n[[box]]\ncenter = [2.001, 50, 0]\nhalf_extents = [2, 60, 9e4]\n", Sky, 0.5},
		{"half of a ball", "[[light]]\nposition = [0, 8, 0]\nradius = 2\n[[box]]\ncenter = [5, 3, 0]\nhalf_extents = [5, 1, 5]\n", Disc, 0.5},
		{"half of the sun", "[[light]]\ndirection = [0, -1, 0]\nangle = 20\n[[box]]\ncenter = [5, 3, 0]\nhalf_extents = [5, 1, 5]\n", Disc, 0.5},
	} {
		s, _ := sightOf(t, tracerOf(t, view+c.text), image.Point{}, c.kind)
		if err := s.draw(nil); err != nil {
			t.Fatal(err)
		}
		if math.Abs(s.share-c.want) > 0.006 {
			t.Errorf("%s: the open share is %v, want %v", c.name, s.share, c.want)
		}
	}
}

// TestSightTexts checks that diagrams name the solids that hide the light and the sky. The title, which serves as
// the alternative text, must state how much they hide.
func TestSightTexts(t *testing.T) {
	for _, dark := range []bool{false, true} {
		x, err := tracerOf(t, tabletop).Pixel(image.Pt(31, 38))
		if err != nil {
			t.Fatal(err)
		}
		for kind, wants := range map[Kind][]string{
			Disc: {"capsule \"arm\"", "capsule \"arm\" hides ", "Share: ", "Summed over the whole disc: ", "a ball of radius 1 at distance "},
			Sky:  {"capsule \"arm\"", "box \"tray\"", "box \"tray\" hides ", "The rim is the horizon. Above it "},
		} {
			d, err := Draw(x, Options{Kind: kind, Dark: dark})
			if err != nil {
				t.Fatal(err)
			}
			words := strings.Join(d.Texts(), " ")
			for _, want := range wants {
				if !strings.Contains(words, want) {
					t.Errorf("%s: no %q in\n%s", kind, want, words)
				}
			}
			if texts, lines := d.Collisions(); texts > 0 || lines > 0 {
				t.Errorf("%s: %d texts and %d lines collide", kind, texts, lines)
			}
			q := follow.Of(x.Samples[0].Path)
			want := fmt.Sprintf("what the point p sees of the sky: %d of 16 directions open", q.Occlusion.Above.Open)
			if kind == Disc {
				want = fmt.Sprintf("what the point p sees of light \"lamp\": %d of 16 points visible", visiblePoints(&q.Lights[0]))
			}
			if !strings.Contains(d.Title, want) {
				t.Errorf("%s has the title %q, want %q", kind, d.Title, want)
			}
			if _, err := Draw(x, Options{Kind: kind, Width: 300}); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestDiscOfHardCases checks that points inside a ball of light, at its center, below its horizon and inside solids
// have a diagram.
func TestDiscOfHardCases(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"inside":   {"[[light]]\nposition = [0, 1.5, 0]\nradius = 2\n", "nothing hides it"},
		"center":   {"[[light]]\nposition = [0, 1, 0]\nradius = 2\n", "nothing hides it"},
		"away":     {"[[light]]\nposition = [0, -5, 0]\nradius = 2\n", "the surface faces away"},
		"clipped":  {"[[light]]\nposition = [5, 1, 0]\nradius = 2\n", "arrives"},
		"spot":     {"[[light]]\nposition = [5, 9, 0]\nradius = 2\ndirection = [1, 0, 0]\ncone = 20\n", "outside its cone"},
		"bare":     {"[shading]\nshadows = false\n[[light]]\nposition = [0, 9, 0]\nradius = 2\n", "nothing hides it"},
		"tiny":     {"[[light]]\nposition = [0, 9, 0]\nradius = 1e-9\n", "points visible"},
		"enclosed": {"[[light]]\ndirection = [0, -1, 0]\nangle = 5\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 60\n", "inside"},
	} {
		text := "[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [1, 1, 1]\n" + c.text
		if name == "enclosed" {
			text = c.text
		}
		x, err := tracerOf(t, text).Ray(geom.Vec3{Y: 50}, geom.Vec3{Y: -1})
		if err != nil {
			t.Fatal(err)
		}
		d, err := Draw(x, Options{Kind: Disc})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(d.Title, c.want) {
			t.Errorf("%s: the title is %q, want %q", name, d.Title, c.want)
		}
	}
}
