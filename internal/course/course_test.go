package course

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"os"
	"testing"

	"pillbox/internal/fixture/effort"
)

// answered returns an exam of s in which the function answer has answered each question.
func answered(t *testing.T, s *Stage, opt Options, answer func(q question) any) *Exam {
	t.Helper()
	e, err := s.Exam(opt)
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Len() {
		data, err := json.Marshal(answer(e.question(i)))
		if err != nil {
			t.Fatalf("%s %d: %v", s.Name, i, err)
		}
		line := fmt.Appendf(nil, `{"id":%d,%s`, i, data[1:])
		if string(data) == "{}" {
			line = fmt.Appendf(nil, `{"id":%d}`, i)
		}
		if err := e.Judge(line); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func verdict(t *testing.T, e *Exam) Verdict {
	t.Helper()
	v, err := e.Verdict(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRightAnswersPass checks that right answers pass every stage. In a campaign, it tests several seeds.
func TestRightAnswersPass(t *testing.T) {
	seeds := effort.Of[uint64](1, 1, 4)
	for _, s := range AllStages() {
		if s.Name == pictureName {
			continue // answers are files; see [TestPictures]
		}
		for seed := range seeds {
			v := verdict(t, answered(t, s, Options{Seed: seed, Count: effort.Of(100, 0, 0)}, question.expected))
			if !v.Passed || v.First != nil || v.Right != v.Questions {
				t.Errorf("%s, seed %d: %s", s.Name, seed, compactVerdict(v))
			}
		}
	}
}

// TestExpectedAnswersHaveNoNegativeZero checks the answers that verdicts expect.
func TestExpectedAnswersHaveNoNegativeZero(t *testing.T) {
	for _, s := range effort.Some(t, 5, AllStages()) {
		e, err := s.Exam(Options{Seed: 7, Count: effort.Of(100, 0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range e.Len() {
			data, err := json.Marshal(e.question(i).expected())
			if err != nil {
				t.Fatal(err)
			}
			if bytes.Contains(data, []byte("-0,")) || bytes.Contains(data, []byte("-0]")) {
				t.Errorf("%s %d: the expected answer is %s", s.Name, i, data)
			}
		}
	}
}

func compactVerdict(v Verdict) string {
	data, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(data)
}

// TestQuestionsAreLines checks that every question is one line of JSON with the fields of a Head, and that an exam
// always returns the same line for it.
func TestQuestionsAreLines(t *testing.T) {
	for _, s := range effort.Some(t, 5, AllStages()) {
		e, err := s.Exam(Options{Seed: 7, Count: effort.Of(100, 0, 0)})
		if err != nil {
			t.Fatal(err)
		}
		classes := make(map[Class]int)
		for i := range e.Len() {
			line, err := e.Question(i)
			if err != nil {
				t.Fatal(err)
			}
			again, err := e.Question(i)
			if err != nil || !bytes.Equal(line, again) || bytes.ContainsRune(line, '\n') {
				t.Fatalf("%s %d: %s, then %s, %v", s.Name, i, line, again, err)
			}
			var h Head
			if err := json.Unmarshal(line, &h); err != nil || h.ID != i || h.Stage != s.Name {
				t.Fatalf("%s %d: %s, %v", s.Name, i, line, err)
			}
			classes[h.Class]++
		}
		if len(classes) != 3 {
			t.Errorf("%s has the classes %v", s.Name, classes)
		}
	}
}

// TestPictures checks that right pictures pass, and that the verdict on a faulty picture names the mistake.
func TestPictures(t *testing.T) {
	s, _ := Find(pictureName)
	exam := func(paint func(q *pictureQuestion) pictureAnswer) Verdict {
		folder := t.TempDir()
		e := answered(t, s, Options{Folder: folder}, func(q question) any {
			a := q.(*asked[pictureQuestion, pictureAnswer])
			writePicture(t, a.q.png, paint(&a.q).img)
			return a.expected()
		})
		return verdict(t, e)
	}
	if v := exam(solvePicture); !v.Passed {
		t.Errorf("right pictures: %s", compactVerdict(v))
	}
	mistakes := pictureMistakes()
	for i := 0; i < len(mistakes); i += effort.Of(9, 1, 1) {
		m := mistakes[i]
		if v := exam(m.solve); v.Passed || len(v.Mistakes) != 1 || v.Mistakes[0] != m.Mistake {
			t.Errorf("%q is named %q, %d right", m.Name, v.Mistakes, v.Right)
		}
	}
}

func writePicture(t *testing.T, name string, img image.Image) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestTracerWithoutMistakes compares the colors of the tracer that makes faulty pictures with those of package
// follow. Without a mistake, they must be equal, so that each difference is due to the mistake.
func TestTracerWithoutMistakes(t *testing.T) {
	s, _ := Find("mirror")
	e, err := s.Exam(Options{Count: 60})
	if err != nil {
		t.Fatal(err)
	}
	for i := range e.Len() {
		q := &e.question(i).(*asked[mirrorQuestion, light]).q
		if got, want := newTracer(q.st).see(q.ray), q.see(q.ray); got != want {
			t.Errorf("question %d: %v, want %v", i, got, want)
		}
	}
}

// TestOneWrongAnswer checks that the verdict describes a single wrong answer, and that the list of mistakes is never null.
func TestOneWrongAnswer(t *testing.T) {
	for _, s := range effort.Some(t, 4, AllStages()) {
		if s.Name == pictureName {
			continue // answers are files
		}
		v := verdict(t, answered(t, s, Options{Count: 40}, func(q question) any {
			if decoded(t, q)["id"] == 39.0 {
				return struct{}{}
			}
			return q.expected()
		}))
		if v.Right != 39 || len(v.Mistakes) != 1 || v.Basis != Common {
			t.Errorf("%s: %d right, %q (%s), want one description", s.Name, v.Right, v.Mistakes, v.Basis)
		}
	}
}

// TestPictureWords checks the words about pixels that differ.
func TestPictureWords(t *testing.T) {
	for want, d := range map[string]difference{
		"": {all: 100, changed: 50, darker: 10, brighter: 20},
		"pixels are too dark, the other pixels are right":                      {all: 100, changed: 50, darker: 50},
		"every pixel is too dark":                                              {all: 100, changed: 100, darker: 100},
		"at most 5 % of the pixels are too bright, the other pixels are right": {all: 100, changed: 5, brighter: 5},
		"at most 5 % of the pixels are wrong":                                  {all: 100, changed: 5, brighter: 2},
		"every pixel is wrong":                                                 {all: 100, changed: 100, darker: 2},
	} {
		if got := d.words(); got != want {
			t.Errorf("%+v: %q, want %q", d, got, want)
		}
	}
}
