package course

import (
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
)

// jointAnswer returns the answer of a program that makes several mistakes at once. causes are their indices.
func (a *asked[Q, A]) jointAnswer(causes []int) any {
	out, _ := a.joint(causes)
	return out
}

// TestTwoSuspects gives the answers of programs with two mistakes that are not in the list of known ones. The
// verdict must name two mistakes.
func TestTwoSuspects(t *testing.T) {
	for _, x := range effort.Some(t, 1, []struct{ stage, one, two string }{
		{"box", "the components of the points o + t d are mixed up", "the components of box: the center c are mixed up"},
		{"box", "box: the face is always a negative one", "box: the far normal is reversed"},
		{"segment", "touches belongs to the endless line, not to the segment", "t, limited to 0..1: no upper limit"},
		{"mirror", "gamma is omitted", "what the mirror shows is limited to 1"},
		{"camera", "Y + 0.5: the second part is missing", "orthographic rays point backward"},
	}) {
		s, _ := Find(x.stage)
		var causes []int
		for _, name := range []string{x.one, x.two} {
			for k, m := range s.kind().suspects() {
				if m.Name == name {
					causes = append(causes, len(s.Mistakes())+k)
					break
				}
			}
		}
		if len(causes) < 2 {
			t.Fatalf("%s: no suspect is named %q or %q", x.stage, x.one, x.two)
		}
		v := verdict(t, answered(t, s, Options{}, func(q question) any { return q.(interface{ jointAnswer([]int) any }).jointAnswer(causes) }))
		var names []string
		for _, m := range v.Mistakes {
			names = append(names, m.Name)
		}
		t.Logf("%s: %q and %q are named %q", x.stage, x.one, x.two, names)
		if len(names) != 2 || !strings.Contains(TextOf(v.Findings()), "Two mistakes that together") && v.Basis != Known {
			t.Errorf("%s: %q and %q are named %q", x.stage, x.one, x.two, names)
		}
	}
}
