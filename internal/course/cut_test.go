package course

import (
	"math"
	"testing"

	"pillbox/internal/fixture/effort"
	"pillbox/scene"
	"pillbox/shapes"
)

// TestCutDerivations checks that the scene which a question's derivation explains has the right answer, and that sections
// cut or remove its solid in most questions.
func TestCutDerivations(t *testing.T) {
	s, _ := Find("cut")
	e, err := s.Exam(Options{Count: effort.Of(60, 600, 6000)})
	if err != nil {
		t.Fatal(err)
	}
	cut := 0
	for i := range e.Len() {
		q := &e.question(i).(*asked[cutQuestion, cutCrossings]).q
		sc, err := scene.Decode("question.toml", []byte(deriveCut(q).Stdin))
		if err != nil {
			t.Fatalf("question %d: %v", i, err)
		}
		derived := *q
		derived.shape, derived.sections = sc.Solid(0), nil
		for k := range sc.Sections {
			derived.sections = append(derived.sections, shapes.Section{Point: sc.Sections[k].Point, Normal: sc.Sections[k].Normal, Index: k})
		}
		for _, x := range sc.Cuts(false) {
			cut++
			if removed := len(x.By) == 0; removed && solveCut(q).Count > 0 {
				t.Errorf("question %d: %+v, but the scene has no solid", i, solveCut(q))
			}
		}
		if p := judgeCut(q, solveCut(&derived)); p != nil {
			t.Errorf("question %d: %+v", i, *p)
		}
	}
	if cut < e.Len()/2 {
		t.Errorf("sections cut the solid in only %d of %d questions", cut, e.Len())
	}
}

// TestCutIntervals compares the right answers with points of the line: those between the crossings must be in the solid and
// on the kept sides, the others must not.
func TestCutIntervals(t *testing.T) {
	s, _ := Find("cut")
	e, err := s.Exam(Options{Seed: 3, Count: effort.Of(100, 600, 6000)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Len() {
		q := &e.question(i).(*asked[cutQuestion, cutCrossings]).q
		c := solveCut(q)
		near, far := math.Inf(1), math.Inf(-1)
		if c.Count > 0 {
			near, far = c.T[0], c.T[c.Count-1]
		}
		reach, margin := lineScale(&lineQuestion{q.ray, q.shape}), 1e-6*lineScale(&lineQuestion{q.ray, q.shape})
		for k := range 40 {
			at := reach * (float64(k)/10 - 2)
			if math.Abs(at-near) < margin || math.Abs(at-far) < margin {
				continue
			}
			p := q.ray.At(at)
			inside, close := shapes.Contains(q.shape, p), false
			for _, x := range q.sections {
				inside = inside && x.Beyond(p) <= 0
				close = close || math.Abs(x.Beyond(p)) < margin
			}
			if want := near < at && at < far; inside != want && !close {
				t.Errorf("question %d: the point at %g is inside: %v, want %v for %+v", i, at, inside, want, c)
			}
		}
	}
}
