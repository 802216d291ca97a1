package explain

import (
	"bytes"
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"pillbox"
	"pillbox/exact"
	"pillbox/internal/accel"
	"pillbox/internal/explain/formula"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/fixture/lone"
	"pillbox/internal/follow"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes/shapetest"
)

func written(t *testing.T, d *Document, style TextStyle) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.WriteText(&b, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// explanations returns explanations of random pixels, rays, segments and pairs of capsules.
func explanations(t *testing.T, tracer *Tracer) []Explanation {
	rng := rand.New(rand.NewPCG(13, 13))
	var all []Explanation
	for range effort.Of(1, 4, 40) {
		x, err := tracer.Pixel(image.Pt(rng.IntN(tracer.prepared.Size.X), rng.IntN(tracer.prepared.Size.Y)))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, x, aimed(t, tracer, x.Samples[0].Ray), tracer.Segment(randomSegment(rng)))
		pair, err := Capsules([2]string{"a", "b"}, randomDecimal(rng), randomDecimal(rng))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, pair)
	}
	return all
}

// TestTextFits checks that the text has no line that is too long or ends with a space. Text without colors must
// have no escape sequences.
func TestTextFits(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		prepared, err := pillbox.Prepare(s, opt.Picture)
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		for i, x := range explanations(t, tracer) {
			columns := []int{0, 72, 100}[i%3]
			text := written(t, x.Document(Detail(i%3)), TextStyle{Columns: columns})
			if columns == 0 {
				columns = 100
			}
			for line := range strings.Lines(text) {
				line = strings.TrimSuffix(line, "\n")
				if utf8.RuneCountInString(line) > columns {
					t.Errorf("%d columns: %q", utf8.RuneCountInString(line), line)
				}
				if strings.TrimRight(line, " ") != line || strings.Contains(line, "\x1b") {
					t.Errorf("%q", line)
				}
			}
		}
	})
}

// TestDocsShowOutput checks that the explanation of a pixel quoted in docs/explain.md contains only lines that the
// package prints.
func TestDocsShowOutput(t *testing.T) {
	page, err := os.ReadFile("../docs/explain.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("\n`render explain (\\S+) --pixel (\\d+),(\\d+)`(?s:.*?):\n\n((?:    .*\n)+)").FindSubmatch(page)
	if shown == nil {
		t.Fatal("docs/explain.md shows no explanation of a pixel")
	}
	var at image.Point
	if _, err := fmt.Sscan(string(shown[2])+" "+string(shown[3]), &at.X, &at.Y); err != nil {
		t.Fatal(err)
	}
	x := explained(t, "../"+string(shown[1]), at)
	text := written(t, x.Document(Usual), TextStyle{})
	for line := range strings.Lines(string(shown[4])) {
		if !strings.Contains(text, line) {
			t.Errorf("docs/explain.md shows %q, which is not in the explanation of pixel %v", line, at)
		}
	}
}

func TestColorsOnlyColor(t *testing.T) {
	x := explained(t, "../scenes/demo.toml", image.Pt(580, 360))
	plain := written(t, x.Document(Usual), TextStyle{})
	colored := written(t, x.Document(Usual), TextStyle{Color: true})
	if colored == plain {
		t.Error("no colors")
	}
	for _, look := range []string{lookHeading, lookNote, lookAccepted, lookRejected} {
		on := "\x1b[" + look + "m"
		if !strings.Contains(colored, on) {
			t.Errorf("nothing looks like %q", on)
		}
		colored = strings.ReplaceAll(colored, on, "")
	}
	if strings.ReplaceAll(colored, "\x1b[0m", "") != plain {
		t.Error("colors change the text")
	}
}

func TestMarkdown(t *testing.T) {
	x, err := Capsules([2]string{"capsule \"*_[a]_*\"", "b"}, exact.Decimal3{R: 1}, exact.Decimal3{P: [3]float64{2}, Q: [3]float64{2}, R: 1})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := x.Document(Usual).WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	text := b.String()
	if want := "# capsule \"\\*\\_\\[a\\]\\_\\*\" and b are touching\n"; !strings.HasPrefix(text, want) {
		t.Errorf("begins with %.60q, want %q", text, want)
	}
	if n := strings.Count(text, "```"); n == 0 || n%2 != 0 || !strings.Contains(text, "```text\nthe first axis goes from p1 = (0, 0, 0)") {
		t.Errorf("%d fences in\n%s", n, text)
	}
}

// TestBriefIsBrief checks that the brief explanation of any pixel has fewer than 60 lines and contains the root,
// the sums of light and the color.
func TestBriefIsBrief(t *testing.T) {
	longest := 0
	check := func(t *testing.T, x Explanation, told ...string) {
		t.Helper()
		for _, columns := range []int{briefColumns, 100} {
			text := written(t, x.Document(Brief), TextStyle{Columns: columns})
			lines := strings.Count(text, "\n")
			if lines >= BriefLines {
				t.Fatalf("%d lines:\n%s", lines, text)
			}
			longest = max(longest, lines)
			for _, s := range told {
				if !strings.Contains(text, s) {
					t.Fatalf("the text does not contain %q:\n%s", s, text)
				}
			}
		}
		for _, step := range x.Document(Brief).steps() {
			if step.Numbers != step.Result || step.Formula == "" {
				checkStep[formula.Float](t, step)
			}
		}
	}
	toldOf := func(q *follow.Path) []string {
		switch {
		case q.Hit.Object == accel.None:
			return []string{"No hit"}
		case q.Hit.Inside:
			return []string{"t_far", "E ", "matte", "color"}
		}
		return []string{"t_near", "E ", "matte", "color"}
	}
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		prepared, err := pillbox.Prepare(s, opt.Picture)
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		rng := rand.New(rand.NewPCG(21, 1))
		for range effort.Of(1, 3, 200) {
			x, err := tracer.Pixel(image.Pt(rng.IntN(tracer.prepared.Size.X), rng.IntN(tracer.prepared.Size.Y)))
			if err != nil {
				t.Fatal(err)
			}
			check(t, x, toldOf(x.Samples[0].traced())...)
			if last := s.Objects.Len() - 1; last >= 0 {
				check(t, x.WithSolid(int32(last)), toldOf(x.Samples[0].traced())...)
			}
		}
	})
	for i := range effort.Of(40, 250, 50_000) {
		rng := rand.New(rand.NewPCG(22, uint64(i)))
		shape := shapetest.Solid(rng)
		s := lone.Scene(shape)
		s.Shading = scene.Shading{Shadows: true, Bounces: 8, Ambient: shade.Even(shade.Color{R: 0.123456789, G: 0.2, B: 0.3})}
		s.Objects = scene.NewObjects(scene.Object{Material: shade.Material{Albedo: shade.Color{R: 0.123456789, G: 0.987654321, B: 0.5555555}, Mirror: 0.314159265}})
		for range rng.IntN(12) {
			s.Lights = append(s.Lights, scene.Light{Light: shade.Light{Position: shapetest.Cube(rng, 30), Color: shade.Color{R: 1, G: 0.9, B: 0.8}, Intensity: rng.Float64()}})
		}
		prepared, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			t.Fatal(err)
		}
		tracer := New(prepared)
		x := aimed(t, tracer, shapetest.Ray(rng, shape))
		check(t, x, toldOf(x.traced())...)
	}
	t.Logf("the longest has %d lines", longest)
}

// TestSelectKeepsSections selects each section of a pixel by name. The result must be just that section.
func TestSelectKeepsSections(t *testing.T) {
	s, err := scene.Load("../scenes/mirror.toml")
	if err != nil {
		t.Fatal(err)
	}
	prepared, err := pillbox.Prepare(s, pillbox.Picture{Antialias: 2})
	if err != nil {
		t.Fatal(err)
	}
	tracer := New(prepared)
	x, err := tracer.Pixel(image.Pt(160, 120))
	if err != nil {
		t.Fatal(err)
	}
	whole := x.WithSolid(0).Document(Usual)
	headings := func(d *Document) map[Section]int {
		n := map[Section]int{}
		for _, b := range d.blocks {
			if h, ok := b.(Heading); ok {
				n[h.Section]++
			}
		}
		return n
	}
	all := headings(whole)
	for _, s := range Sections() {
		part := whole.Select(s)
		if all[s] == 0 {
			t.Errorf("%s: the pixel has no such section", s)
			continue
		}
		n := headings(part)
		if n[s] != all[s] || len(part.blocks) >= len(whole.blocks) {
			t.Errorf("%s: %d of %d headings, %d of %d blocks", s, n[s], all[s], len(part.blocks), len(whole.blocks))
		}
		if _, ok := part.blocks[0].(Heading); !ok || part.blocks[0] != whole.blocks[0] {
			t.Errorf("%s: the title is lost", s)
		}
	}
	if got := len(whole.Select(Sections()...).blocks); got != len(whole.blocks) {
		t.Errorf("all sections have %d blocks of %d", got, len(whole.blocks))
	}
}
