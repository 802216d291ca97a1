package typeface_test

import (
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
	for _, s := range []string{"T_{max}^2 *a*", `\*\_x^{2}`, "*a_{*}", "_{^{*x*}}"} {
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
