package typeface_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"pillbox/internal/typeface"
)

// TestRuns checks the runs of texts with markup.
func TestRuns(t *testing.T) {
	for line, want := range map[string][]typeface.Run{
		"":                 nil,
		"plain":            {{Text: "plain"}},
		"T_{max}":          {{Text: "T"}, {Text: "max", Script: typeface.Subscript}},
		"Na^+":             {{Text: "Na"}, {Text: "+", Script: typeface.Superscript}},
		"Cl^−, e^-":        {{Text: "Cl"}, {Text: "−", Script: typeface.Superscript}, {Text: ", e"}, {Text: "-", Script: typeface.Superscript}},
		"Fe^2+/Fe^3+":      {{Text: "Fe"}, {Text: "2+", Script: typeface.Superscript}, {Text: "/Fe"}, {Text: "3+", Script: typeface.Superscript}},
		"of Na^+.":         {{Text: "of Na"}, {Text: "+", Script: typeface.Superscript}, {Text: "."}},
		"x^2+.5":           {{Text: "x"}, {Text: "2", Script: typeface.Superscript}, {Text: "+.5"}},
		"(Ca^2+)":          {{Text: "(Ca"}, {Text: "2+", Script: typeface.Superscript}, {Text: ")"}},
		"SO_{4}^2- + x":    {{Text: "SO"}, {Text: "4", Script: typeface.Subscript}, {Text: "2-", Script: typeface.Superscript}, {Text: " + x"}},
		"x^2-1":            {{Text: "x"}, {Text: "2", Script: typeface.Superscript}, {Text: "-1"}},
		"x^2-.5":           {{Text: "x"}, {Text: "2", Script: typeface.Superscript}, {Text: "-.5"}},
		"x^-n a^+b ^+ x^-": {{Text: "x^-n a^+b ^+ x"}, {Text: "-", Script: typeface.Superscript}},
		"x^-2-":            {{Text: "x"}, {Text: "-2", Script: typeface.Superscript}, {Text: "-"}},
		"x^2":              {{Text: "x"}, {Text: "2", Script: typeface.Superscript}},
		"10^-12 m":         {{Text: "10"}, {Text: "-12", Script: typeface.Superscript}, {Text: " m"}},
		"e^{iφ}x":          {{Text: "e"}, {Text: "iφ", Script: typeface.Superscript}, {Text: "x"}},
		"*F*_{x} = 3":      {{Text: "F", Italic: true}, {Text: "x", Script: typeface.Subscript}, {Text: " = 3"}},
		"(*v*, *w*)":       {{Text: "("}, {Text: "v", Italic: true}, {Text: ", "}, {Text: "w", Italic: true}, {Text: ")"}},
		"v_{*x*}^2":        {{Text: "v"}, {Text: "x", Script: typeface.Subscript, Italic: true}, {Text: "2", Script: typeface.Superscript}},
		"*two words*":      {{Text: "two words", Italic: true}},
		`\*a\* x\^2 \_{y}`: {{Text: "*a* x^2 _{y}"}},
		"e\u0301":          {{Text: "é"}},
	} {
		if got := typeface.Runs(line); !reflect.DeepEqual(got, want) {
			t.Errorf("Runs(%q) = %+v, want %+v", line, got, want)
		}
	}
	if got := typeface.Plain("T_{max}\n*a*"); got != "Tmax\na" {
		t.Errorf("Plain = %q", got)
	}
}

// TestTextsWithoutMarkup checks that characters of markup in names and formulas stand for themselves.
func TestTextsWithoutMarkup(t *testing.T) {
	for _, line := range []string{
		"arm_left", "arm_2", "_", "^", "*", "a_", "a^b", "^2", "x ^2", "_{}", "^{", "T_{max", "2*3*4", "a * b * c", "*a", "a*", "**", "* a *",
		`C:\temp`, `\alpha`, "A*B*C", "HIS_A*", "{}", "d = {} mm", "*_*",
	} {
		if got := typeface.Runs(line); len(got) != 1 || got[0] != (typeface.Run{Text: line}) {
			t.Errorf("Runs(%q) = %+v", line, got)
		}
	}
}

// TestStyledFacesHaveTheSameCharacters checks that a character which one of the fonts has is in all of them.
func TestStyledFacesHaveTheSameCharacters(t *testing.T) {
	regular := typeface.Regular()
	for _, face := range []*typeface.Face{typeface.Styled(true, false), typeface.Styled(false, true), typeface.Styled(true, true)} {
		for r := range rune(0x10000) {
			_, want := regular.Index(r)
			if _, got := face.Index(r); got != want {
				t.Errorf("%s has %U: %v, the regular font: %v", face.Name(), r, got, want)
			}
		}
	}
}

// FuzzRuns checks that runs are not empty, and that they contain the characters of the line that are not markup.
func FuzzRuns(f *testing.F) {
	for _, s := range []string{"T_{max}^2 *a*", `\*\_x^{2}`, "*a_{*}", "_{^{*x*}}", "\xff∇\u0302"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		var all strings.Builder
		for _, r := range typeface.Runs(line) {
			if r.Text == "" {
				t.Errorf("an empty run in %q", line)
			}
			all.WriteString(r.Text)
		}
		without := func(s string) string {
			return strings.NewReplacer("_", "", "^", "", "*", "", `\`, "", "{", "", "}", "").Replace(s)
		}
		if got, want := without(all.String()), without(typeface.Composed(line)); got != want {
			t.Errorf("Runs(%q) has the characters %q, want %q", line, got, want)
		}
	})
}

// TestRunsOfSigns checks that characters which the Go fonts lack, and combining marks, are runs of their own.
func TestRunsOfSigns(t *testing.T) {
	sign := func(text string) typeface.Run { return typeface.Run{Text: text, Signs: true} }
	mark := func(text, on string) typeface.Run { return typeface.Run{Text: text, Signs: true, On: on} }
	for line, want := range map[string][]typeface.Run{
		"∇·*v*":          {sign("∇"), {Text: "·"}, {Text: "v", Italic: true}},
		"x ∈ ℝ":          {{Text: "x "}, sign("∈"), {Text: " "}, sign("ℝ")},
		"⟨a⟩":            {sign("⟨"), {Text: "a"}, sign("⟩")},
		"e\u0302":        {{Text: "ê"}},
		"v\u20d7\u0307w": {{Text: "v"}, mark("\u20d7", "v"), mark("\u0307", "v\u20d7"), {Text: "w"}},
		"∇\u0302":        {sign("∇"), mark("\u0302", "∇")},
		"5\u2009km":      {{Text: "5"}, sign("\u2009"), {Text: "km"}},
		"\u0302":         {mark("\u0302", "")},
		"ẑ":              {{Text: "z"}, mark("\u0302", "z")},
		"z\u0302":        {{Text: "z"}, mark("\u0302", "z")},
		"ệ가":             {{Text: "e"}, mark("\u0323", "e"), mark("\u0302", "e\u0323"), sign("가")},
		"T_{∥}":          {{Text: "T"}, {Text: "∥", Script: typeface.Subscript, Signs: true}},
	} {
		if got := typeface.Runs(line); !reflect.DeepEqual(got, want) {
			t.Errorf("Runs(%q) = %+v, want %+v", line, got, want)
		}
	}
}

// TestMarks checks that a combining mark is over the middle of its character, whatever its width, above a high one and above
// other marks, or below. It has no width.
func TestMarks(t *testing.T) {
	const size = 2048 // so that a pixel is a font unit
	for _, c := range []struct {
		line     string
		from, to int // the top and the bottom of the last mark, above the baseline
	}{
		{line: "x\u20d7", from: 1146, to: 1556}, {line: "W\u20d7", from: 1500, to: 1950}, {line: "k\u0307", from: 1600, to: 2020},
		{line: "i\u20d7", from: 1500, to: 2050}, {line: "∇\u0302", from: 1400, to: 2000}, {line: "x\u0302\u0307", from: 1646, to: 2200},
		{line: "x\u0332", from: -483, to: -340}, {line: "*f*\u20d7", from: 1500, to: 2100},
	} {
		runs := typeface.Runs(c.line)
		base, mark := runs[0], runs[len(runs)-1]
		right, down := mark.Shift(size, false)
		if mark.Width(size, false) != 0 {
			t.Errorf("%q: a mark with a width", c.line)
		}
		bounds := func(face *typeface.Face, text string) (least, most typeface.Point) {
			letter, _ := face.Index([]rune(text)[0])
			return face.Bounds(letter)
		}
		face := typeface.Styled(false, base.Italic)
		if base.Signs {
			face = typeface.Signs()
		}
		low, high := bounds(face, base.Text)
		least, most := bounds(typeface.Signs(), mark.Text)
		middle := base.Width(size, false) + right + float64(least.X+most.X)/2
		if want := float64(low.X+high.X) / 2; middle-want > 1 || want-middle > 1 {
			t.Errorf("%q: the middle of the mark is at %v, that of the character at %v", c.line, middle, want)
		}
		if from, to := -(down + float64(most.Y)), -(down + float64(least.Y)); from < float64(c.from) || to > float64(c.to) {
			t.Errorf("%q: the mark reaches from %v to %v, want %d to %d", c.line, from, to, c.from, c.to)
		}
		if above, below := typeface.LineReach(c.line, size, false); above < -(down+float64(least.Y)) || below < down+float64(most.Y) {
			t.Errorf("%q: the line reaches from %v to %v", c.line, above, below)
		}
	}
}

// TestLineReach checks how far letters and scripts reach.
func TestLineReach(t *testing.T) {
	for line, want := range map[string][2]float64{"x": {0.53, 0}, "xgÅ": {0.94, 0.21}, "T_{p}": {0.72, 0.32}, "x^2": {0.9, 0}, "∫": {0.94, 0.14}, "⟨": {0.75, 0.15}} {
		above, below := typeface.LineReach(line, 1, false)
		if math.Abs(above-want[0]) > 0.05 || math.Abs(below-want[1]) > 0.05 {
			t.Errorf("%q reaches %v above and %v below the baseline, want about %v", line, above, below, want)
		}
	}
}
