package course

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
)

// exam returns an exam, answered by a function of the question.
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
		if err := e.Judge(line); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func verdict(t *testing.T, e *Exam) Verdict {
	t.Helper()
	v, err := e.Verdict()
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestRightAnswersPass at every stage, for several seeds.
func TestRightAnswersPass(t *testing.T) {
	for _, s := range Stages() {
		for seed := range uint64(2) {
			v := verdict(t, answered(t, s, Options{Seed: seed}, question.expected))
			if !v.Passed || v.First != nil || v.Right != v.Questions {
				t.Errorf("%s, seed %d: %s", s.Name, seed, compactVerdict(v))
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

// TestMistakesAreNamed: the answers of every variant fail and are named after it, and after no other.
func TestMistakesAreNamed(t *testing.T) {
	for _, s := range Stages() {
		if len(s.Mistakes()) < 4 {
			t.Errorf("%s has %d mistakes", s.Name, len(s.Mistakes()))
		}
		for m, mistake := range s.Mistakes() {
			v := verdict(t, answered(t, s, Options{}, func(q question) any { return q.faulty(m) }))
			if v.Passed || v.First == nil || len(v.Mistakes) != 1 || v.Mistakes[0] != mistake {
				t.Errorf("%s: %q is named %q, %d right", s.Name, mistake.Name, v.Mistakes, v.Right)
			}
		}
	}
}

// TestQuestionsAreLines: every question is a line of JSON with a head, the same whenever it is asked.
func TestQuestionsAreLines(t *testing.T) {
	for _, s := range Stages() {
		e, err := s.Exam(Options{Seed: 7})
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
