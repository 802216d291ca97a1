package course

import (
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
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
	for _, s := range effort.Some(t, 4, AllStages()) {
		if s.Name == pictureName {
			continue // see [TestTextbookPicture]
		}
		for style := range effort.Of(2, solidStyles, solidStyles) {
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
// verdict must name it or mistakes with the same answers. Only a sample is tested, a larger one in a campaign.
func TestSuspects(t *testing.T) {
	most := effort.Of(1, 3, 150)
	for _, s := range effort.Some(t, 2, AllStages()) {
		if s.Name == pictureName {
			continue
		}
		all := s.kind().suspects()
		if len(all) < 100 {
			t.Errorf("%s has %d suspects", s.Name, len(all))
		}
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
			found := e.bestSuspects(e.tried(t.Context()), false).likeliest
			if len(found) > 0 && s.kind().odd(k) <= s.kind().odd(found[0]) && !slices.Contains(found, k) {
				t.Errorf("%s: %q is named %q, %d wrong", s.Name, all[k].Name, text, v.Questions-v.Right)
			} else {
				t.Logf("%s: %q is named %q, %d wrong", s.Name, all[k].Name, text, v.Questions-v.Right)
			}
		}
		if effort.IsCampaign() && own == 0 {
			t.Errorf("%s: none of %d suspects has its own name", s.Name, own+other)
		}
		t.Logf("%s: %d of %d suspects have their own name", s.Name, own, own+other)
	}
}

// TestBestSuspects compares the suspects that bestSuspects finds with those found by comparing all suspects with the
// learner on all questions.
func TestBestSuspects(t *testing.T) {
	for _, name := range effort.Some(t, 1, []string{"box", "segment", "overlap"}) {
		s, _ := Find(name)
		n := len(s.kind().suspects())
		for k := n / 5; k < n; k += n / effort.Of(1, 4, 20) {
			e := answered(t, s, Options{Count: effort.Of(20, 40, 40)}, func(q question) any {
				return q.(interface{ suspectAnswer(int) any }).suspectAnswer(k)
			})
			for _, loose := range []bool{false, true} {
				got, want := e.bestSuspects(e.tried(t.Context()), loose), exhaustively(e, loose)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, suspect %d, loose %v: got %+v, want %+v", name, k, loose, got, want)
				}
			}
		}
	}
}

// exhaustively is bestSuspects without its shortcuts.
func exhaustively(e *Exam, loose bool) suspectGroup {
	all, shares, most := e.tried(context.Background()), make(map[int]float64), 0.0
	for k := range e.Stage.kind().suspects() {
		var s score
		wrong := tellingAnswers(all)
		for _, q := range all {
			switch q.suspect(k, q.fields, q.wrong, loose) {
			case agrees:
				s.agree++
			case differs:
				s.differ++
			}
		}
		if s.share() >= enoughAlike && s.agree >= max(leastAlike, min(leastSuspected, wrong), wrong/2) {
			shares[k] = s.share()
			most = max(most, s.share())
		}
	}
	maps.DeleteFunc(shares, func(_ int, share float64) bool { return share < most })
	ks := slices.Sorted(maps.Keys(shares))
	if len(ks) == 0 {
		return suspectGroup{}
	}
	odd := e.Stage.kind().odd
	least := odd(slices.MinFunc(ks, func(a, b int) int { return odd(a) - odd(b) }))
	likeliest := slices.DeleteFunc(slices.Clone(ks), func(k int) bool { return odd(k) > least })
	return suspectGroup{likeliest, most}
}

// TestPaints compares paints, which compares pictures pixel by pixel, with comparisons of whole pictures.
func TestPaints(t *testing.T) {
	s, _ := Find(pictureName)
	e, err := s.Exam(Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := e.question(0).(*asked[pictureQuestion, pictureAnswer])
	all := a.textbook()
	right := solvePicture(&a.q)
	outcomes := make(map[string]int)
	tried := []int{slices.IndexFunc(all, func(s suspect[pictureQuestion, pictureAnswer]) bool { return s.Name == "srgb is one step too high" })}
	for k := 0; k < len(all); k += len(all) / effort.Of(5, 25, 25) {
		tried = append(tried, k)
	}
	for _, k := range tried {
		one, two := all[k].solve(&a.q), all[min(k+2, len(all)-1)].solve(&a.q)
		isRight := judgePicture(&a.q, one) == nil
		if got := all[k].gives(&a.q, right, false); got != isRight {
			t.Errorf("%s: paints the right picture: got %v, want %v", all[k].Name, got, isRight)
		}
		outcomes[fmt.Sprint("right ", isRight)]++
		if isRight {
			continue
		}
		few := a.q.st.Size.X * a.q.st.Size.Y / 100
		for what, given := range map[string]pictureAnswer{"same": one, "other": two, "few": spoiled(one, few), "more": spoiled(one, few+1)} {
			a.q.marks = nil
			p := all[k].program
			looks := p.looksLike(&a.q, given.img)
			want := looks && a.stageOf.alike(given, one)
			if got := all[k].gives(&a.q, given, true); got != want {
				t.Errorf("%s: paints a wrong picture: got %v, want %v", all[k].Name, got, want)
			}
			if looks {
				outcomes[fmt.Sprint(what, " ", want)]++
			}
		}
	}
	for _, outcome := range []string{"right true", "right false", "same true", "few true", "more false"} {
		if outcomes[outcome] == 0 {
			t.Errorf("the outcome %q is not tested: %v", outcome, outcomes)
		}
	}
}

// spoiled returns the picture with n other pixels.
func spoiled(a pictureAnswer, n int) pictureAnswer {
	size := a.img.Bounds().Size()
	img := image.NewNRGBA(image.Rectangle{Max: size})
	draw.Draw(img, img.Rect, a.img, image.Point{}, draw.Src)
	for i := range n {
		img.Pix[4*(i*size.X*size.Y/n)] ^= 0x80
	}
	return pictureAnswer{img: img}
}

// TestBlackPicture checks that the picture of a program that writes no pixels gets the obvious name, although the answers
// of many suspects are black, too.
func TestBlackPicture(t *testing.T) {
	s, _ := Find(pictureName)
	for _, blank := range []color.NRGBA{{A: 255}, {}} {
		sizes := make(map[string]image.Point)
		e, err := s.Exam(Options{Count: 2, Picture: func(name string) (image.Image, error) {
			img := image.NewNRGBA(image.Rectangle{Max: sizes[name]})
			for i := range sizes[name].X * sizes[name].Y {
				img.SetNRGBA(i%sizes[name].X, i/sizes[name].X, blank)
			}
			return img, nil
		}})
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.Len() {
			q := &e.question(i).(*asked[pictureQuestion, pictureAnswer]).q
			sizes[q.png] = q.st.Size
			if err := e.Judge(fmt.Appendf(nil, `{"id":%d}`, i)); err != nil {
				t.Fatal(err)
			}
		}
		if v := verdict(t, e); len(v.Mistakes) != 1 || v.Mistakes[0].Name != "the picture is black" || v.Basis != Known {
			t.Errorf("%v: got %q, %v", blank, v.Mistakes, v.Basis)
		}
	}
}

// TestSlipsHaveAdvice checks that the advice about every slip states what a right program does, that slips of the stage shadow
// with advice of their own have it, and that every rule is the advice about a slip.
func TestSlipsHaveAdvice(t *testing.T) {
	for _, s := range shadowSlips() {
		if got := slipAdvice(plainName(s.name), nil); s.advice != "" && got != (counsel{s.advice, s.lesson}) {
			t.Errorf("%s: %+v, want %q", s.name, got, s.advice)
		}
	}
	used := make(map[string]bool)
	for _, s := range AllStages() {
		for _, m := range s.kind().suspects() {
			used[m.Advice] = true
			if m.Advice == "" {
				t.Errorf("%s: %q has no advice", s.Name, m.Name)
			}
		}
	}
	for _, r := range rules() {
		if !used[r.advice] {
			t.Errorf("no slip has the advice of the rule %q", r.words)
		}
	}
}
