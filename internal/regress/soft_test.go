package regress_test

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox"
	"pillbox/golden"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/internal/regress"
	"pillbox/internal/sampler"
	"pillbox/scene"
)

// soft is a scene with ambient occlusion and with two lights that have a size, a lamp and a sun.
const soft = `
[image]
width = 64
height = 48

[camera]
position = [0, 4, 8]
look_at = [0, 0.5, 0]

[shading]
ambient = 0.4
samples = 8
occlusion = { distance = 3 }

[[light]]
name = "lamp"
position = [2, 5, 1]
radius = 0.8
intensity = 0.5

[[light]]
name = "sun"
direction = [-1, -2, -1]
angle = 12
intensity = 0.4

[[capsule]]
name = "arm"
a = [-1, 1.5, 0]
b = [1.2, 2, 0.5]
radius = 0.2

[[sphere]]
name = "ball"
center = [-1.2, 0.6, 1]
radius = 0.6

[[box]]
name = "floor"
center = [0, -0.5, 0]
half_extents = [6, 0.5, 6]

[[sphere]]
name = "far above"
center = [1, 12, 3]
radius = 0.8
`

// centersOf returns the paths of the rays through the centers of all pixels of s, row by row, and the prepared scene.
func centersOf(t *testing.T, s *scene.Scene) (*follow.Prepared, []*follow.Path) {
	t.Helper()
	prepared, err := pillbox.Prepare(s, pillbox.Picture{Antialias: 1})
	if err != nil {
		t.Fatal(err)
	}
	p := follow.Of(prepared)
	var all []*follow.Path
	for y := range p.Size.Y {
		for x := range p.Size.X {
			rays := p.PixelRays(image.Pt(x, y), 1)
			all = append(all, p.Follow(p.CameraRay(rays.At(0)), sampler.Position{X: x, Y: y}, nil))
		}
	}
	return p, all
}

// recountSoft counts changed pixels that show the same solid in both scenes, by that solid. penumbras counts those
// in which a penumbra differs, and skies those in which the visible share of the sky differs.
func recountSoft(t *testing.T, was, is *scene.Scene, changed map[int]bool) (penumbras, skies map[string]int) {
	t.Helper()
	penumbras, skies = map[string]int{}, map[string]int{}
	_, before := centersOf(t, was)
	_, after := centersOf(t, is)
	for i := range changed {
		p, q := before[i], after[i]
		if p.Hit.Object == accel.None || q.Hit.Object == accel.None || was.Label(int(p.Hit.Object)) != is.Label(int(q.Hit.Object)) {
			continue
		}
		label, differs := is.Label(int(q.Hit.Object)), false
		for k := range q.Lights {
			a, b := p.Lights[k], q.Lights[k]
			isPart := len(a.Points) > 0 && 0 < a.Fraction && a.Fraction < 1 || len(b.Points) > 0 && 0 < b.Fraction && b.Fraction < 1
			differs = differs || isPart && a.Fraction != b.Fraction
		}
		if differs {
			penumbras[label]++
		}
		open := func(q *follow.Path) float64 {
			n := 0
			for _, s := range q.Occlusion.Samples {
				if s.Object == accel.None {
					n++
				}
			}
			return float64(n) / float64(len(q.Occlusion.Samples))
		}
		if q.Occlusion != nil && p.Occlusion != nil && open(p) != open(q) {
			skies[label]++
		}
	}
	return penumbras, skies
}

// TestSoftLightIsRecounted edits lights, ambient light, and solids that cast shadows. It follows the rays of both
// scenes to count the pixels in which a penumbra or the visible share of the sky has changed.
func TestSoftLightIsRecounted(t *testing.T) {
	rng := rand.New(rand.NewPCG(50, 0))
	number := func(min, max float64) string { return fmt.Sprintf("%.3f", min+(max-min)*rng.Float64()) }
	penumbras, skies := map[string]int{}, map[string]int{}
	for range effort.Of(1, 3, 30) {
		for name, pair := range map[string][2]string{
			"radius":      {"radius = 0.8\nintensity", "radius = " + number(0.2, 1.5) + "\nintensity"},
			"no radius":   {"radius = 0.8\nintensity", "intensity"},
			"angle":       {"angle = 12", "angle = " + number(1, 30)},
			"samples":     {"samples = 8", "samples = 32"},
			"distance":    {"distance = 3", "distance = " + number(0.5, 2.5)},
			"far solid":   {"center = [1, 12, 3]", "center = [" + number(0.5, 1.5) + ", 12, 3]"},
			"near solid":  {"b = [1.2, 2, 0.5]", "b = [1.2, " + number(1.5, 2.5) + ", 0.5]"},
			"color":       {"intensity = 0.4", "intensity = 0.3"},
			"ambient":     {"ambient = 0.4", "ambient = 0.3"},
			"other count": {"[[capsule]]", "[[light]]\nposition = [0, 3, 0]\nradius = 0.2\n[[capsule]]"},
		} {
			text := edit(t, soft, pair[0], pair[1])
			was, is := decode(t, soft), decode(t, text)
			r := explainEdit(t, soft, pair[0], pair[1])
			want, err := renderWhole(t.Context(), was)
			if err != nil {
				t.Fatal(err)
			}
			got, err := renderWhole(t.Context(), is)
			if err != nil {
				t.Fatal(err)
			}
			var wantPenumbras, wantSkies map[string]int
			if name != "other count" {
				wantPenumbras, wantSkies = recountSoft(t, was, is, differences(want, got))
			} else {
				_, wantSkies = recountSoft(t, was, was, differences(want, got))
			}
			if len(r.Edits) != 1 || len(r.Edits[0].Effects) == 0 {
				t.Fatalf("%s: %d edits, or no effect", name, len(r.Edits))
			}
			for _, f := range r.Edits[0].Effects {
				if f.On != f.Before {
					continue
				}
				if f.Penumbra != wantPenumbras[f.On] || f.Sky != wantSkies[f.On] {
					t.Errorf("%s (%s): %+v, want %d and %d", name, pair[1], f, wantPenumbras[f.On], wantSkies[f.On])
				}
				penumbras[name] += f.Penumbra
				skies[name] += f.Sky
			}
		}
	}
	for _, name := range []string{"radius", "no radius", "angle", "samples", "far solid", "near solid"} {
		if penumbras[name] == 0 {
			t.Errorf("%s changes no penumbra", name)
		}
	}
	for _, name := range []string{"samples", "distance", "near solid"} {
		if skies[name] == 0 {
			t.Errorf("%s hides the same part of the sky everywhere", name)
		}
	}
	if n := penumbras["color"] + penumbras["ambient"] + skies["color"] + skies["ambient"]; n > 0 {
		t.Errorf("%d pixels of soft light change with the color", n)
	}
}

// TestSoftLightInWords checks the lines of the report that state where a penumbra has changed.
func TestSoftLightInWords(t *testing.T) {
	r := explainEdit(t, soft, "radius = 0.8\nintensity", "radius = 0.5\nintensity")
	for _, want := range []string{"light[0].radius of \"lamp\", 0.8 to 0.5: ", ` on box "floor", `, "where a penumbra changes"} {
		if !strings.Contains(r.Text, want) {
			t.Errorf("no %q in\n%s", want, r.Text)
		}
	}
	for want, f := range map[string]regress.Effect{
		`9 on box "floor"`: {Pixels: 9},
		`9 on box "floor", changes of soft light not examined`:                                                      {Pixels: 9, Penumbra: regress.Unexamined, Sky: regress.Unexamined},
		`9 on box "floor", where a penumbra changes`:                                                                {Pixels: 9, Penumbra: 9},
		`9 on box "floor", 4 of them where a penumbra changes`:                                                      {Pixels: 9, Penumbra: 4},
		`9 on box "floor", 4 of them where a penumbra changes, 2 of them where solids hide more or less of the sky`: {Pixels: 9, Penumbra: 4, Sky: 2},
	} {
		f.On, f.Before = `box "floor"`, `box "floor"`
		if got := f.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestSoftLightIsLimited edits a scene with so many lights and samples that comparing its soft light takes minutes.
// The comparison must stop when its time is over or when the context ends.
func TestSoftLightIsLimited(t *testing.T) {
	const lights = 400
	text := strings.Replace(soft, "samples = 8", "samples = 4096", 1)
	for i := range lights {
		text += fmt.Sprintf("[[light]]\nposition = [%d, 9, %d]\nradius = 2\nintensity = 0.001\n", i%20-10, i/20-10)
	}
	changed := edit(t, text, `name = "floor"`, "name = \"floor\"\ncolor = \"red\"")
	was, is := decode(t, text), decode(t, changed)
	img := image.NewNRGBA(image.Rect(0, 0, 64, 48))
	other := image.NewNRGBA(img.Rect)
	for i := range other.Pix {
		other.Pix[i] = 255
	}
	diff, err := golden.Compare(other, img, golden.Tolerance{})
	if err != nil {
		t.Fatal(err)
	}
	for _, cancels := range []bool{false, true} {
		ctx, cancel := context.WithCancel(t.Context())
		calls := 0
		r, err := regress.Explain(ctx, regress.Version{Name: "was", Text: []byte(text), Scene: was}, regress.Version{Name: "is", Text: []byte(changed), Scene: is},
			regress.Comparison{Want: img, Got: other, Diff: diff,
				Render: func(context.Context, *scene.Scene) (*image.NRGBA, error) { return img, nil },
				More: func() bool {
					if calls++; calls < 50 {
						return true
					}
					if cancels {
						cancel()
						return true
					}
					return false
				}})
		cancel()
		if cancels {
			if !errors.Is(err, context.Canceled) {
				t.Errorf("error %v, want that of the context", err)
			}
			continue
		}
		if err != nil || len(r.Edits) != 1 || len(r.Edits[0].Effects) == 0 {
			t.Fatalf("%v, %+v", err, r)
		}
		for _, f := range r.Edits[0].Effects {
			if f.On == f.Before && f.On != "the background" && (f.Penumbra != regress.Unexamined || f.Sky != regress.Unexamined) {
				t.Errorf("%+v is examined", f)
			}
		}
		if !strings.Contains(r.Text, "changes of soft light not examined") {
			t.Errorf("the text does not state the limit:\n%s", r.Text)
		}
	}
}
