package course

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
)

// jointAnswer returns the answer of a program that makes several mistakes at once. causes are their indices.
func (a *asked[Q, A]) jointAnswer(causes []int) any {
	return a.joint(causes)
}

// TestTwoSuspects gives the answers of programs with two mistakes. The verdict must name two mistakes.
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
					causes = append(causes, k)
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

// TestTwoMistakes gives the answers of programs with two wrong steps that are drawn at random from those with a name of their own.
// None may pass, unless one of them alone passes, and the verdict must name both for at least half of those pairs in which each
// has an effect of its own.
func TestTwoMistakes(t *testing.T) {
	if !effort.IsAll() {
		t.Skip("needs -effort all: few pairs say nothing about a share")
	}
	both, all := 0, 0
	for i, s := range AllStages() {
		if s.Name == pictureName {
			continue
		}
		suspects := s.kind().suspects()
		var named []int
		for k := range suspects {
			if s.kind().isNamed(k) && s.kind().odd(k) == 0 {
				named = append(named, k)
			}
		}
		r := rand.New(rand.NewPCG(29, uint64(i)))
		for range effort.Of(0, 2, 40) {
			a, b := named[r.IntN(len(named))], named[r.IntN(len(named))]
			e := func(causes ...int) *Exam {
				return answered(t, s, Options{Count: fewer(s)}, func(q question) any { return q.(interface{ jointAnswer([]int) any }).jointAnswer(causes) })
			}
			one, two, joint := verdict(t, e(a)), verdict(t, e(b)), verdict(t, e(a, b))
			if most := max(one.Right, two.Right); joint.Passed || most-joint.Right < joint.Questions/20 {
				continue // one of them has no effect, or hides the other
			}
			all++
			var names []string
			for _, m := range joint.Mistakes {
				names = append(names, m.Name)
			}
			text := strings.Join(names, "; ")
			t.Logf("%s: %q and %q are named %q, %d right", s.Name, suspects[a].Name, suspects[b].Name, text, joint.Right)
			if strings.Contains(text, suspects[a].Name) && strings.Contains(text, suspects[b].Name) {
				both++
			}
		}
	}
	t.Logf("%d of %d pairs are named", both, all)
	if all < 10 || 2*both < all {
		t.Errorf("only %d of %d pairs are named", both, all)
	}
}
