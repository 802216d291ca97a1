package course

import (
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
)

// TestReportBasis checks that the text of a verdict states what is certain about the cause of the wrong answers.
// It must not call a mistake known if it is only a possible one, or if the text only describes what the wrong
// answers have in common.
func TestReportBasis(t *testing.T) {
	s, _ := Find("cylinder")
	suspect := func(name string) func(q question) any {
		for k, m := range s.kind().suspects() {
			if m.Name == name {
				return func(q question) any { return q.(interface{ suspectAnswer(int) any }).suspectAnswer(k) }
			}
		}
		t.Fatalf("no suspect is named %q", name)
		return nil
	}
	const middle = "cylinder: a is taken for the middle: the discs are half the length before and behind it"
	strange := func(q question) any {
		c := q.(interface{ textbookAnswer(int) any }).textbookAnswer(0).(crossings)
		if c.Count == 2 {
			c.Normals[1].X += 0.37 * c.T[1]
		}
		return c
	}
	for _, x := range []struct {
		answer func(q question) any
		basis  Basis
		says   string
	}{
		{suspect(middle), Possible, "A mistake that would explain the wrong answers: " + middle},
		{strange, Common, "What the wrong answers have in common: the first normal is right, the second is wrong"},
	} {
		v := verdict(t, answered(t, s, Options{Count: effort.Of(150, 0, 0)}, x.answer))
		if text := TextOf(v.Findings()); v.Basis != x.basis || !strings.Contains(text, x.says) || strings.Contains(text, "known mistake: ") {
			t.Errorf("the basis is %q, want %q, %q:\n%s", v.Basis, x.basis, x.says, text)
		}
	}
}

// TestEither checks what the verdict names if several mistakes have the same answers: the first one, and one other
// that would also give them.
func TestEither(t *testing.T) {
	all := []Mistake{{"a", "A.", "x.md"}, {"b", "B.", "x.md"}, {"c", "C.", "x.md"}}
	if got := either(all[:1], 1); len(got) != 1 || got[0] != all[0] {
		t.Errorf("one mistake becomes %+v", got)
	}
	got := either(all, 0.98)
	if len(got) != 1 || got[0].Name != "a" || got[0].Advice != "A. Nearly the same answers would come from this mistake: b." {
		t.Errorf("three mistakes become %+v", got)
	}
}

// TestMissingTests checks the table of the tests that a learner's program may lack, such as a comparison of a
// root. Each entry must be a test in a textbook program, and must describe in plain words what a program without
// the test does.
func TestMissingTests(t *testing.T) {
	effort.Thorough(t)
	words, named := missingTests(), make(map[string]bool)
	for _, s := range AllStages() {
		for _, m := range s.kind().suspects() {
			named[m.Name] = true
			if strings.Contains(m.Name, "is missing: taken for") {
				t.Errorf("%s: no plain words for %q", s.Name, m.Name)
			}
		}
	}
	for step, effects := range words {
		for _, effect := range effects {
			if !named[missingTest(step, effect, "").Name] {
				t.Errorf("no program makes the mistake %q of %q", effect, step)
			}
		}
	}
}

// TestTextOrder checks the order in which JavaScript's sort, without a comparison function, puts distances: as
// texts.
func TestTextOrder(t *testing.T) {
	for _, x := range []struct {
		a, b float64
		less bool
	}{{10, 9, true}, {9, 10, false}, {-1, -2, true}, {-2, -1, false}, {1.5, 1.25, false}, {2, 2, false}, {1e-7, 0.5, false}} {
		if got := textLess(x.a, x.b); got != x.less {
			t.Errorf("textLess(%g, %g) = %v", x.a, x.b, got)
		}
	}
}
