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
	"pillbox/scene"
)

func written(t *testing.T, d *Document, style TextStyle) string {
	t.Helper()
	var b bytes.Buffer
	if err := d.WriteText(&b, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// explanations returns some explanations of every kind.
func explanations(t *testing.T, tracer *Tracer) []Explanation {
	rng := rand.New(rand.NewPCG(13, 13))
	var all []Explanation
	for range 4 {
		x, err := tracer.Pixel(image.Pt(rng.IntN(tracer.stage.Size.X), rng.IntN(tracer.stage.Size.Y)))
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

// TestTextFits looks for lines that are too long, for escape sequences that nobody asked for,
// and for spaces that nobody sees.
func TestTextFits(t *testing.T) {
	eachScene(t, func(t *testing.T, s *scene.Scene, opt pillbox.Options) {
		tracer, err := New(s, opt)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range explanations(t, tracer) {
			columns := []int{0, 72, 100}[i%3]
			text := written(t, x.Document(i%2 == 0), TextStyle{Columns: columns})
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

// TestDocsShowOutput looks for the lines that docs/explain.md shows of an explanation in what it
// says today.
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
	text := written(t, x.Document(false), TextStyle{})
	for line := range strings.Lines(string(shown[4])) {
		if !strings.Contains(text, line) {
			t.Errorf("docs/explain.md shows %q, which is not in the explanation of pixel %v", line, at)
		}
	}
}

func TestColorsOnlyColor(t *testing.T) {
	x := explained(t, "../scenes/demo.toml", image.Pt(580, 360))
	plain := written(t, x.Document(false), TextStyle{})
	colored := written(t, x.Document(false), TextStyle{Color: true})
	if colored == plain {
		t.Error("no colours")
	}
	for _, look := range []string{lookHeading, lookNote, lookAccepted, lookRejected} {
		on := "\x1b[" + look + "m"
		if !strings.Contains(colored, on) {
			t.Errorf("nothing looks like %q", on)
		}
		colored = strings.ReplaceAll(colored, on, "")
	}
	if strings.ReplaceAll(colored, "\x1b[0m", "") != plain {
		t.Error("colours change the text")
	}
}

func TestMarkdown(t *testing.T) {
	x, err := Capsules([2]string{"capsule \"*_[a]_*\"", "b"}, exact.Decimal3{R: 1}, exact.Decimal3{P: [3]float64{2}, Q: [3]float64{2}, R: 1})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := x.Document(false).WriteMarkdown(&b); err != nil {
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
