package play_test

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"pillbox"
	"pillbox/aov"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// lessonScene returns the pixel at of a scene of the lessons, or of the mistakes. edits are pairs of texts to replace.
func lessonScene(t *testing.T, file string, at image.Point, edits ...string) *sighting {
	t.Helper()
	text := sceneText(t, file)
	for i := 0; i < len(edits); i += 2 {
		if !strings.Contains(text, edits[i]) {
			t.Fatalf("%s has no %q", file, edits[i])
		}
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	s := must(scene.Decode(file, []byte(text)))
	return &sighting{t, s, image.Pt(s.Image.Width, s.Image.Height), at}
}

// sceneText returns the text of a scene of the lessons, or of the mistakes.
func sceneText(t *testing.T, name string) string {
	if strings.HasPrefix(name, "broken/") {
		return file(t, name)
	}
	return file(t, "../../docs/lessons/"+name)
}

// down returns the view of a sighting straight down onto the floor at x, from a little above.
func (v *sighting) down(x float64) *sighting {
	const above = 0.25
	return v.from(geom.Vec3{X: x, Y: above}, geom.Vec3{Y: -1})
}

// shareOf returns the share of light 0 that reaches the point that the pixel shows.
func (v *sighting) shareOf() float64 {
	lit := func(shadows bool) float64 {
		return v.with(func(s *scene.Scene) {
			s.Shading.Ambient, s.Shading.Shadows, s.Shading.Samples = shade.Gradient{}, shadows, 1024
		}).colors(1, 1)[0].Luminance()
	}
	return lit(true) / lit(false)
}

// TestStatementsOfLessons recomputes statements of the lessons in words, which scripts/lessons does not check, by rendering.
// Each lesson must contain its statements.
func TestStatementsOfLessons(t *testing.T) {
	is := func(got, want any) error {
		if fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("got %v, want %v", got, want)
		}
		return nil
	}
	near := func(got, want, most float64) error {
		if !(math.Abs(got-want) <= most) {
			return fmt.Errorf("got %g, want %g", got, want)
		}
		return nil
	}
	cost := func(file string, x, y int) float32 { return lessonScene(t, file, image.Pt(x, y)).sees(aov.Cost)[0] }
	penumbra := func(x float64, edits ...string) float64 {
		return lessonScene(t, "penumbra.toml", image.Point{}, edits...).down(x).shareOf()
	}
	for _, s := range []struct {
		lesson, text string
		check        func() error
	}{
		{"tree", "eight groups of three balls", func() error {
			return is(lessonScene(t, "tree.toml", image.Point{}).scene.Objects.Len(), 8*3)
		}},
		{"tree", "has 60 balls: five columns of four groups of three", func() error {
			return is(lessonScene(t, "tree-deep.toml", image.Point{}).scene.Objects.Len(), 5*4*3)
		}},
		{"tree", "Here the ray enters one of the two nodes below the root", func() error {
			return is(cost("tree-deep.toml", 147, 145), 3+1) // the root, a node, a leaf, and a ball
		}},
		{"tree", "Here the ray enters only the root, and misses all boxes inside the root", func() error {
			return is(cost("tree.toml", 118, 120), 1)
		}},
		{"tree", "The ray through pixel (160, 20) hits nothing.", func() error {
			return is(lessonScene(t, "tree.toml", image.Pt(160, 20)).object(), -1)
		}},
		{"tree", "The ray through pixel (140, 112) hits a ball.", func() error {
			return is(lessonScene(t, "tree.toml", image.Pt(140, 112)).object() >= 0, true)
		}},
		{"penumbra", "The exact share is 1/2", func() error { return near(penumbra(0), 0.5, 0.002) }},
		{"penumbra", "At x = 0.8 the whole lamp is visible, at x = -0.8 none of it", func() error {
			return is([]float64{penumbra(0.8), penumbra(-0.8)}, []float64{1, 0})
		}},
		{"penumbra", "So the penumbra begins at x = -1/√2, about -0.7.", func() error {
			return is([]bool{penumbra(-math.Sqrt2/2+0.05) > 0, penumbra(-math.Sqrt2/2-0.01) == 0}, []bool{true, true})
		}},
		{"penumbra", "So it ends at x = 2.1 · (1/2.9) / √(1 - 1/2.9²), about 0.77.", func() error {
			end := 2.1 / math.Sqrt(2.9*2.9-1)
			return is([]bool{penumbra(end-0.05) < 1, penumbra(end+0.01) == 1}, []bool{true, true})
		}},
		{"penumbra", "so the penumbra begins at x = -(1/4) / √(15/16) = -1/√15", func() error {
			lower := []string{"center = [-1.5, 2.05, 0]", "center = [-1.5, 1.05, 0]"}
			end := 1 / math.Sqrt(15)
			return is([]bool{penumbra(-end+0.02, lower...) > 0, penumbra(-end-0.01, lower...) == 0}, []bool{true, true})
		}},
		{"penumbra", "so the penumbra begins at x = -2 · (1/30) / √(899/900) = -2/√899", func() error {
			small := []string{"radius = 1", "radius = 0.1"}
			end := 2 / math.Sqrt(899)
			return is([]bool{penumbra(-end+0.01, small...) > 0, penumbra(-end-0.01, small...) == 0}, []bool{true, true})
		}},
		{"penumbra", "So x is about -0.4 · 0.7.", func() error { return near(penumbra(-0.4*0.7), 0.25, 0.03) }},
		{"penumbra", "So the lid hides exactly 1/2 of the sky, and here 32 of the 64 directions. The block hides a little more.", func() error {
			sky := lessonScene(t, "sky.toml", image.Point{}).with(func(s *scene.Scene) { s.Shading.Samples = 1024 })
			open := float64(sky.down(0).sees(aov.Occlusion)[0])
			return is(open < 0.5 && open > 0.45, true)
		}},
		{"penumbra", "Only the surroundings of the block remain dark", func() error {
			near := lessonScene(t, "sky.toml", image.Point{}, "occlusion = {}", "occlusion = { distance = 0.8 }")
			block := near.from(geom.Vec3{X: 1.4, Y: 0.25, Z: -1}, geom.Vec3{Y: -1})
			return is([]bool{near.down(0).sees(aov.Occlusion)[0] == 1, block.sees(aov.Occlusion)[0] < 1}, []bool{true, true})
		}},
		{"shadows", "This is between 1.38 and 1.39.", func() error {
			v := lessonScene(t, "shadows.toml", image.Point{})
			return is([]float64{v.down(1.38).shareOf(), v.down(1.39).shareOf()}, []float64{0, 1})
		}},
		{"shadows", "a ball beyond the lamp casts no shadow here", func() error {
			v := lessonScene(t, "shadows.toml", image.Point{}, "center = [0, 2, 0]", "center = [0, 7, 0]")
			return is(v.down(1).shareOf(), 1)
		}},
		{"antialiasing", "Seven of sixteen rays see white", func() error {
			n := 0
			for _, c := range lessonScene(t, "antialiasing.toml", image.Pt(3, 3)).colors(1, 4) {
				if c.R == 1 {
					n++
				}
			}
			return is(n, 7)
		}},
		{"traps", "Most of the lit floor turns black", func() error {
			share := wrongShare(t, 2, "center = [0, -0.1, 0]", "center = [0, -0.35, 0]")
			return is(share > 0.8, true)
		}},
		{"traps", "about half of the points end up inside", func() error {
			share := wrongShare(t, 0)
			return is(share > 0.35 && share < 0.65, true)
		}},
	} {
		page := strings.Join(strings.Fields(file(t, "../../docs/lessons/"+s.lesson+".md")), " ")
		if !strings.Contains(page, s.text) {
			t.Errorf("%s does not say %q", s.lesson, s.text)
		}
		if err := s.check(); err != nil {
			t.Errorf("%s: %q: %v", s.lesson, s.text, err)
		}
	}
}

// wrongShare returns the share of the lit pixels of a solid that are wrong with acne.
func wrongShare(t *testing.T, object int, edits ...string) float64 {
	t.Helper()
	v := lessonScene(t, "broken/acne.toml", image.Point{}, edits...)
	text := file(t, "broken/acne.toml")
	for i := 0; i < len(edits); i += 2 {
		text = strings.Replace(text, edits[i], edits[i+1], 1)
	}
	right, faulty := frames{}, frames{}
	render(t, engine(), &right, map[string]any{"text": text})
	render(t, engine(), &faulty, map[string]any{"text": text, "trap": "acne"})
	p := must(pillbox.Prepare(v.scene, pillbox.Picture{Antialias: 1}))
	views := must(aov.Render(t.Context(), p, []aov.Kind{aov.Object, aov.Shadow}, pillbox.Work{}))
	wrong, all := 0, 0
	for i, number := range views[0].Values {
		if int(number) != object || number != number || views[1].Values[i] == 0 {
			continue
		}
		all++
		if string(right.image.Pix[4*i:4*i+4]) != string(faulty.image.Pix[4*i:4*i+4]) {
			wrong++
		}
	}
	return float64(wrong) / float64(all)
}
