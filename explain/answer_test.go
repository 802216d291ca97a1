package explain

import (
	"fmt"
	"image"
	"math"
	"strings"
	"testing"

	"pillbox"
	"pillbox/internal/accel"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
)

// answerOf returns the answer and the list of contributions at the beginning of the document that explains x.
func answerOf(t *testing.T, x Explanation, detail Detail) (string, []Contribution) {
	t.Helper()
	blocks := x.Document(detail).Blocks()
	a, ok := blocks[1].(Answer)
	if !ok {
		t.Fatalf("%s has no answer below its title", x.Title())
	}
	s, _ := blocks[2].(Shares)
	return a.Text, s.Parts
}

// pixelOf explains the ray through the center of the pixel p in a copy of s. The copy has black lights where the
// function dark returns true, and a black ambient light unless ambient is set.
func pixelOf(t *testing.T, s *scene.Scene, p image.Point, dark func(light int) bool, ambient bool) *Pixel {
	t.Helper()
	other := *s
	other.Lights = append(other.Lights[:0:0], s.Lights...)
	for i := range other.Lights {
		if dark(i) {
			other.Lights[i].Color = shade.Color{}
		}
	}
	if !ambient {
		other.Shading.Ambient.Top, other.Shading.Ambient.Bottom = shade.Color{}, shade.Color{}
	}
	prepared, err := pillbox.Prepare(&other, pillbox.Picture{Antialias: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(prepared).Pixel(p)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func isNear(a, b shade.Color) bool {
	const most = 1e-9
	return math.Abs(a.R-b.R) < most && math.Abs(a.G-b.G) < most && math.Abs(a.B-b.B) < most
}

// TestContributionsAreWhatASourceAdds compares contributions with the colors of changed scenes. Without mirrors,
// the contribution of a light is the change of the color when the light is black. That of the ambient light is the
// color when all lights are black. The contributions of a ray must add up to its color.
func TestContributionsAreWhatASourceAdds(t *testing.T) {
	tried := map[Source]int{}
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		if len(s.Lights) == 0 {
			return
		}
		none := func(int) bool { return false }
		for i := range 4 {
			p := image.Pt(s.Image.Width*(2*i+1)/8, s.Image.Height*5/8)
			x := pixelOf(t, s, p, none, true)
			path := x.Samples[0].Path
			_, parts := answerOf(t, x, Usual)
			var sum shade.Color
			share, percent := 0.0, 0
			for _, c := range parts {
				tried[c.Source]++
				sum, share, percent = sum.Add(c.Color), share+c.Share, percent+c.Percent
				if off := float64(c.Percent) - float64(100*c.Share); math.Abs(off) > 1 {
					t.Errorf("the share %g at %v is %d percent", c.Share, p, c.Percent)
				}
				switch {
				case path.Hit == nil || path.Hit.Mirror != nil || len(path.Ghosts) > 0:
					continue // what mirrors and ghosts show depends on the lights, too
				case c.Source == FromLight:
					without := pixelOf(t, s, p, func(light int) bool { return light == c.Light }, true)
					if d := path.Color.Sub(without.Samples[0].Color); !isNear(c.Color, d) {
						t.Errorf("%s at %v adds %v, but the color without it differs by %v", c.Label, p, c.Color, d)
					}
				case c.Source == FromAmbient:
					without := pixelOf(t, s, p, func(int) bool { return true }, true)
					want := without.Samples[0].Color
					if path.Fog != nil {
						want = want.Sub(s.Fog.Color.Scale(path.Fog.Share))
					}
					if !isNear(c.Color, want) {
						t.Errorf("ambient light at %v adds %v, but without lights the color is %v", p, c.Color, want)
					}
				}
			}
			if !isNear(sum, path.Color) && path.Seen {
				t.Errorf("the contributions at %v add up to %v, the color is %v", p, sum, path.Color)
			}
			if share != 0 && (math.Abs(share-1) > 1e-9 || percent != 100) {
				t.Errorf("the shares at %v add up to %g, and to %d percent", p, share, percent)
			}
		}
	})
	for _, s := range []Source{FromAmbient, FromLight, FromMirror, FromBackground} {
		if tried[s] == 0 {
			t.Errorf("no contribution is of the kind %s", s)
		}
	}
}

// TestAnswerNamesWhatDecides checks that the answer names the solid, everything that blocks a light, and the lights
// that arrive, unless these are too many.
func TestAnswerNamesWhatDecides(t *testing.T) {
	shadows, mirrors := 0, 0
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		for k := range effort.Of(3, 12, 12) {
			i := k * 5 % 12
			p := image.Pt(s.Image.Width*(i%4*2+1)/8, s.Image.Height*(i/4*2+1)/6)
			x := pixelOf(t, s, p, func(int) bool { return false }, true)
			text, _ := answerOf(t, x, Brief)
			h := x.Samples[0].Hit
			has := func(part string) {
				t.Helper()
				if !strings.Contains(strings.ToLower(text), strings.ToLower(part)) {
					t.Errorf("pixel %v: %q lacks %q", p, text, part)
				}
			}
			if h == nil {
				has("no solid")
				continue
			}
			has(x.tracer.label(h.Object))
			blockers, arrive := map[string]bool{}, []string{}
			for _, l := range h.Lights {
				switch l.Visibility {
				case Blocked:
					blockers[x.tracer.label(l.Blocker)] = true
				case Visible, Partly:
					arrive = append(arrive, x.tracer.lightLabel(l.Light))
				}
			}
			if len(blockers) > 0 {
				shadows++
				has("shadow")
			}
			for name := range blockers {
				if len(blockers) <= mostNamed {
					has(name)
				}
			}
			if len(arrive) < len(h.Lights) && len(arrive) > 0 && len(arrive) <= mostNamed {
				for _, name := range arrive {
					has(name)
				}
			}
			if h.Mirror != nil {
				mirrors++
				has("it mirrors")
			}
		}
	})
	if shadows == 0 || mirrors == 0 {
		t.Errorf("tried %d shadows and %d mirrors", shadows, mirrors)
	}
}

// TestAnswersAreTrue renders the pixels of shipped scenes with one light at a time, with the ambient light alone and with
// no light at all. The answer must say that a light arrives exactly if the surface is brighter with the light than
// without, and that only ambient light arrives, or none, exactly if the colors show it.
func TestAnswersAreTrue(t *testing.T) {
	tried := map[string]int{}
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		if len(s.Lights) == 0 || s.Shading.Flat {
			return
		}
		all := func(int) bool { return true }
		for i := range effort.Of(1, 4, 48) {
			p := image.Pt(s.Image.Width*((i+1)%4*2+1)/8, s.Image.Height*(i/4%3*2+3)/8)
			night := pixelOf(t, s, p, all, false)
			h := night.Samples[0].Hit
			if h == nil || h.Albedo == (shade.Color{}) {
				continue
			}
			says := func(x *Pixel, words string) bool {
				text, _ := answerOf(t, x, Brief)
				found := strings.Contains(text, words)
				if found {
					tried[words]++
				}
				return found
			}
			if lit := night.Samples[0].Hit.Matte != (shade.Color{}); lit == says(night, "is not lit") {
				t.Errorf("pixel %v without any light: lit is %v, the answer is %q", p, lit, night.tracer.sentence(night.Samples[0].traced()))
			}
			day := pixelOf(t, s, p, all, true)
			if lit := day.Samples[0].Hit.Matte != (shade.Color{}); lit != says(day, "is lit only by ambient light") {
				t.Errorf("pixel %v in ambient light: lit is %v, the answer is %q", p, lit, day.tracer.sentence(day.Samples[0].traced()))
			}
			for light := range min(2, len(s.Lights)) {
				others := func(j int) bool { return j != light }
				for _, ambient := range []bool{false, true} {
					x := pixelOf(t, s, p, others, ambient)
					is, was := x.Samples[0].Hit.Matte, night.Samples[0].Hit.Matte
					if ambient {
						was = day.Samples[0].Hit.Matte
					}
					answer := x.tracer.sentence(x.Samples[0].traced())
					if arrives := says(x, "is lit by "); arrives != (is != was) {
						t.Errorf("pixel %v: light %d turns %v into %v, the answer is %q", p, light, was, is, answer)
					}
					if says(x, "no light arrives") && is != (shade.Color{}) || says(x, "only ambient light arrives") && is == (shade.Color{}) {
						t.Errorf("pixel %v has the color %v, the answer is %q", p, is, answer)
					}
				}
			}
		}
	})
	for _, words := range []string{"is not lit", "is lit only by ambient light", "is lit by ", "no light arrives", "only ambient light arrives"} {
		if tried[words] == 0 && (effort.IsAll() || words == "is lit by ") {
			t.Errorf("no answer says %q", words)
		}
	}
}

// TestAnswerNamesPenumbras checks the answer for lights that are hidden in part. It must name the solid that hides
// most points of the light, and the number of these points.
func TestAnswerNamesPenumbras(t *testing.T) {
	partly := 0
	eachSoftPixel(t, effort.Of(60, 100, 2000), func(tracer *Tracer, x *Pixel) {
		q := x.Samples[0].traced()
		answer := tracer.sentence(q)
		for _, a := range q.Lights {
			if a.Visibility != follow.Partly {
				continue
			}
			partly++
			hidden := map[int32]int{}
			for _, p := range a.Points {
				hidden[p.Object]++
			}
			delete(hidden, accel.None)
			object := accel.None
			for o, n := range hidden {
				if n > hidden[object] || n == hidden[object] && o < object {
					object = o
				}
			}
			want := fmt.Sprintf("%s hides %d of %d points of %s", tracer.label(object), hidden[object], len(a.Points), tracer.lightLabel(a.Index))
			if !strings.Contains(answer, want) {
				t.Errorf("%q lacks %q", answer, want)
			}
		}
	})
	if partly < 5 {
		t.Errorf("only %d lights were hidden in part", partly)
	}
}

// TestTermsAreTheFormula checks that the terms of each formula, joined, give the formula's text.
func TestTermsAreTheFormula(t *testing.T) {
	all := 0
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		x := pixelOf(t, s, image.Pt(s.Image.Width/2, s.Image.Height/2), func(int) bool { return false }, true)
		for _, b := range x.Document(Verbose).Blocks() {
			e, _ := b.(Equations)
			for _, step := range e.Steps {
				text := ""
				for _, term := range step.Terms {
					text += term.Text
					if term.Symbol != "" {
						all++
					}
				}
				if text != step.Formula {
					t.Errorf("the terms of %s = %s are %q", step.Symbol, step.Formula, text)
				}
			}
		}
	})
	if all < 1000 {
		t.Errorf("only %d symbols", all)
	}
}
