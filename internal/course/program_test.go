package course

import (
	"slices"
	"strings"
	"testing"
)

// textbookAnswer returns the answer that a right textbook program of the given style gives.
func (a *asked[Q, A]) textbookAnswer(style int) any { return a.books.run(&program{style: style}, &a.q) }

// suspectAnswer returns the answer of a wrong program, number k in the list of suspects. A suspect is either a slip
// with one number of the question or answer, or a textbook program with one wrong step. Slips come first.
func (a *asked[Q, A]) suspectAnswer(k int) any {
	if k < len(a.slips) {
		return a.faulty(hypothesis{len(a.stageOf.mistakes()) + k})
	}
	return a.textbook()[k-len(a.slips)].solve(&a.q)
}

// fewer returns the number of questions in a short exam of s.
func fewer(s *Stage) int {
	if s.Name == "mirror" {
		return 80
	}
	return 400
}

// TestTextbooks checks that textbook programs without a wrong step are right. The quadratic formula may be wrong
// for a few questions about spheres that are far away.
func TestTextbooks(t *testing.T) {
	for _, s := range AllStages() {
		if s.Name == pictureName {
			continue // see [TestTextbookPicture]
		}
		for style := range solidStyles {
			e := answered(t, s, Options{Count: fewer(s)}, func(q question) any {
				return q.(interface{ textbookAnswer(int) any }).textbookAnswer(style)
			})
			if quadratic := style%sphereStyles == 1; e.right < e.opt.Count && !quadratic || 10*e.right < 9*e.opt.Count {
				t.Errorf("%s, style %d: %d of %d are right", s.Name, style, e.right, e.opt.Count)
			}
		}
	}
}

// TestTextbookPicture checks that the textbook program without a wrong step renders the right picture.
func TestTextbookPicture(t *testing.T) {
	s, _ := Find(pictureName)
	e, err := s.Exam(Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Len() {
		q := &e.question(i).(*asked[pictureQuestion, pictureAnswer]).q
		if p := judgePicture(q, (&program{}).paint(q)); p != nil {
			t.Errorf("question %d: %+v", i, *p)
		}
	}
}

// TestSuspects gives the answers of suspects, the wrong programs that suspectAnswer runs. If a suspect fails, the
// verdict must name it or mistakes with the same answers. Only a sample is tested, a larger one with -long.
func TestSuspects(t *testing.T) {
	most := 2
	if *long {
		most = 150
	}
	for _, s := range AllStages() {
		if s.Name == pictureName {
			continue
		}
		all := s.kind.suspects()
		step := max(1, len(all)/most)
		own, other := 0, 0
		for k := step / 3; k < len(all); k += step {
			e := answered(t, s, Options{Count: fewer(s)}, func(q question) any {
				return q.(interface{ suspectAnswer(int) any }).suspectAnswer(k)
			})
			v := verdict(t, e)
			if v.Passed || v.Questions-v.Right < leastSuspected {
				continue
			}
			var names []string
			for _, m := range v.Mistakes {
				names = append(names, m.Name, m.Advice)
			}
			text := strings.Join(names, " ")
			if strings.Contains(text, all[k].Name) {
				own++
				continue
			}
			other++
			found, share := e.bestSuspects(e.tried(), false, enoughPairAlike)
			if known := len(v.Mistakes) > 0 && slices.Contains(s.Mistakes(), v.Mistakes[0]); !known && share > 0 && !slices.Contains(found, k) {
				t.Errorf("%s: %q is named %q, %d wrong", s.Name, all[k].Name, text, v.Questions-v.Right)
			} else {
				t.Logf("%s: %q is named %q, %d wrong", s.Name, all[k].Name, text, v.Questions-v.Right)
			}
		}
		if *long && own == 0 {
			t.Errorf("%s: none of %d suspects has its own name", s.Name, own+other)
		}
		t.Logf("%s: %d of %d suspects have their own name", s.Name, own, own+other)
	}
}
