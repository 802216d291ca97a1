package explain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/explain/formula"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
)

// TestOcclusionNamesHiders checks the counts of open directions and of directions that each solid hides. A disc of
// radius r at height 1 hides the share r^2 / (1 + r^2) of the directions, here 1/2. A ball behind the disc hides
// none.
func TestOcclusionNamesHiders(t *testing.T) {
	s, err := scene.Decode("disc.toml", []byte(`
[image]
width = 1
height = 1
[camera]
position = [0, 0.5, 0]
look_at = [0, 0, 0]
up = [0, 0, 1]
[shading]
samples = 256
occlusion = {}
[[box]]
name = "floor"
center = [0, -1, 0]
half_extents = [9, 1, 9]
[[cylinder]]
name = "disc"
a = [0, 1, 0]
b = [0, 1.1, 0]
radius = 1
[[sphere]]
name = "ball"
center = [0, 3, 0]
radius = 1
`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pillbox.Prepare(s, pillbox.Picture{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(p).Pixel(image.Point{})
	if err != nil {
		t.Fatal(err)
	}
	for detail, directions := range map[Detail]int{Usual: 0, Verbose: 256} {
		var text bytes.Buffer
		if err := x.Document(detail).WriteText(&text, TextStyle{}); err != nil {
			t.Fatal(err)
		}
		got := text.String()
		o := x.Samples[0].traced().Occlusion
		if n := o.Above.Open + o.Below.Open; n < 125 || n > 131 {
			t.Errorf("%+v are open, want 128", o.Sky)
		}
		for _, want := range []string{"Ambient light: " + openText(o), `cylinder "disc" hides `} {
			if !strings.Contains(got, want) {
				t.Errorf("%q is missing in\n%s", want, got)
			}
		}
		if strings.Contains(got, `"ball" hides`) {
			t.Error("a ball behind the disc hides the sky")
		}
		if n := strings.Count(got, "direction ") - strings.Count(got, "direction of"); directions == 0 && strings.Contains(got, "direction 0,") || n < directions {
			t.Errorf("detail %v lists %d directions, want %d", detail, n, directions)
		}
	}
}

// eachSoftPixel calls check with explained pixels of two shipped scenes: one has lights with a size, the other
// ambient occlusion.
func eachSoftPixel(t *testing.T, n int, check func(tracer *Tracer, x *Pixel)) {
	t.Helper()
	for i, name := range []string{"penumbra", "occlusion"} {
		s, err := scene.Load("../scenes/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		p, err := pillbox.Prepare(s, pillbox.Picture{Size: image.Pt(160, 120), Antialias: 1})
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(40, uint64(i)))
		for range n {
			x, err := New(p).Pixel(image.Pt(rng.IntN(160), 30+rng.IntN(90)))
			if err != nil {
				t.Fatal(err)
			}
			check(New(p), x)
		}
	}
}

// lastValue returns the last value of symbol in steps.
func lastValue(t *testing.T, steps []formula.Step, symbol string) [3]float64 {
	t.Helper()
	for _, s := range slices.Backward(steps) {
		if v, ok := s.Value.([]any); ok && s.Symbol == symbol {
			return [3]float64{v[0].(float64), v[1].(float64), v[2].(float64)}
		}
	}
	t.Fatalf("the derivation lacks %s", symbol)
	return [3]float64{}
}

// TestSumsOfSoftLight checks that derivations add up the ambient light and every light that arrives, in whole or in
// part.
func TestSumsOfSoftLight(t *testing.T) {
	near := func(got [3]float64, want shade.Color) bool {
		w := channels(want)
		return !slices.ContainsFunc([]int{0, 1, 2}, func(i int) bool { return math.Abs(got[i]-w[i]) > 1e-12 })
	}
	partly, darkened := 0, 0
	eachSoftPixel(t, effort.Of(60, 100, 2000), func(tracer *Tracer, x *Pixel) {
		for q := x.Samples[0].traced(); q != nil && q.IsSolid(); q = q.Mirror {
			steps := tracer.colorSteps(q)
			if got := lastValue(t, steps, "E"); !near(got, q.Irradiance) {
				t.Fatalf("pixel %v: the sum is %v, want %v", x.At, got, q.Irradiance)
			}
			sum := ""
			for _, s := range steps {
				if s.Symbol == "E" {
					sum = s.Formula
				}
			}
			for i := range q.Lights {
				a := &q.Lights[i]
				name := fmt.Sprintf("E%d", a.Index)
				if strings.Contains(sum, name) != a.Visibility.Arrives() {
					t.Fatalf("pixel %v: light %d %v, but the sum is %s", x.At, i, a.Visibility, sum)
				}
				if a.Visibility.Arrives() {
					if got := lastValue(t, tracer.lightSteps(q, a), name); !near(got, a.Irradiance) {
						t.Fatalf("pixel %v: %s is %v, want %v", x.At, name, got, a.Irradiance)
					}
				}
				if a.Visibility == follow.Partly {
					partly++
				}
			}
			if q.Occlusion != nil && q.Occlusion.Above.Open < q.Occlusion.Above.All {
				darkened++
			}
		}
		parts := shade.Color{}
		for _, c := range tracer.contributions(x.Samples[0].traced()) {
			parts = parts.Add(c.Color)
		}
		if !near([3]float64(channels(parts)), x.Samples[0].Color) {
			t.Fatalf("pixel %v: the contributions add up to %v, want %v", x.At, parts, x.Samples[0].Color)
		}
		checkBriefLights(t, x)
	})
	if partly < 10 || darkened < 10 {
		t.Errorf("%d lights were blocked in part and %d points darkened: too few", partly, darkened)
	}
}

// checkBriefLights checks that the brief explanation of x states, for each light, its contribution or why it has
// none.
func checkBriefLights(t *testing.T, x *Pixel) {
	t.Helper()
	var words bytes.Buffer
	if err := x.Document(Brief).WriteText(&words, TextStyle{Columns: 1000}); err != nil {
		t.Fatal(err)
	}
	q := x.Samples[0].traced()
	for i := range q.Lights {
		a := &q.Lights[i]
		start := fmt.Sprintf("light %d, ", a.Index)
		_, rest, ok := strings.Cut(words.String(), start)
		line, _, _ := strings.Cut(rest, "\n")
		if !ok || a.Visibility.Arrives() != strings.Contains(line, ": adds ") || line == "" {
			t.Fatalf("pixel %v: light %d %v, but the line is %q", x.At, i, a.Visibility, start+line)
		}
		if a.Visibility == follow.Partly && !strings.Contains(line, visibleText(a)) {
			t.Fatalf("pixel %v: no %q in %q", x.At, visibleText(a), line)
		}
	}
}

// TestJSONOfSoftLight validates the JSON of pixels in soft light, and counts the points and directions in it again.
func TestJSONOfSoftLight(t *testing.T) {
	type sample struct {
		Toward   [3]float64
		Weight   float64
		HiddenBy *struct {
			Object int32
			T      float64
		} `json:"hidden_by"`
	}
	type hiding struct {
		Object  int32
		Count   int
		Weight  float64
		Nearest float64
	}
	recount := func(at image.Point, samples []sample, hiders []hiding) (open int, weight, all float64) {
		for _, s := range samples {
			all += s.Weight
			if s.HiddenBy == nil {
				open++
				weight += s.Weight
				continue
			}
			i := slices.IndexFunc(hiders, func(h hiding) bool { return h.Object == s.HiddenBy.Object })
			if i < 0 || s.HiddenBy.T < hiders[i].Nearest {
				t.Fatalf("pixel %v: the hiders %+v lack %+v", at, hiders, *s.HiddenBy)
			}
			hiders[i].Count--
			hiders[i].Weight -= s.Weight
		}
		for _, h := range hiders {
			if h.Count != 0 || math.Abs(h.Weight) > 1e-12 {
				t.Fatalf("pixel %v: too much is hidden by %+v", at, h)
			}
		}
		return open, weight, all
	}
	schema := compile(t)
	areas, skies := 0, 0
	eachSoftPixel(t, effort.Of(20, 30, 500), func(_ *Tracer, x *Pixel) {
		data, err := validate(t, schema, x, Usual)
		if err != nil {
			t.Fatalf("%v\n%s", err, data)
		}
		var got struct {
			Samples []struct {
				Occlusion *struct {
					Above, Below struct{ Open, All int }
					Directions   []sample
					Hiders       []hiding
				}
				Lights []struct {
					Fate string
					Area *struct {
						Received, Fraction float64
						Visible, All       int
						Points             []sample
						Hiders             []hiding
					}
				}
			}
		}
		if err := json.Unmarshal(data, &got); err != nil {
			t.Fatal(err)
		}
		if o := got.Samples[0].Occlusion; o != nil {
			skies++
			open, weight, all := recount(x.At, o.Directions, o.Hiders)
			if open != o.Above.Open+o.Below.Open || len(o.Directions) != o.Above.All+o.Below.All || math.Abs(all-1) > 1e-12 || math.Abs(weight-float64(open)/float64(len(o.Directions))) > 1e-12 {
				t.Fatalf("pixel %v: %d open directions of the weight %v, but %+v", x.At, open, weight, o)
			}
		}
		for i, l := range got.Samples[0].Lights {
			a := l.Area
			if a == nil {
				continue
			}
			areas++
			visible, weight, all := recount(x.At, a.Points, a.Hiders)
			if visible != a.Visible || len(a.Points) != a.All || all > 0 && math.Abs(a.Fraction-weight/all) > 1e-12 {
				t.Fatalf("pixel %v: light %d has %d visible points of %v in %v, but %+v", x.At, i, visible, weight, all, a)
			}
			if isPart := a.Visible > 0 && a.Visible < a.All; isPart != (l.Fate == "partly blocked") {
				t.Fatalf("pixel %v: light %d is %s with %d of %d points", x.At, i, l.Fate, a.Visible, a.All)
			}
		}
	})
	if areas < 20 || skies < 10 {
		t.Errorf("%d lights with a size and %d skies: too few", areas, skies)
	}
}
