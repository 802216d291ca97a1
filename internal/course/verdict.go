package course

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
)

// NonsenseError is the error for a line that does not answer one of the questions that are still unanswered.
type NonsenseError struct {
	Line int    // counted from 1
	Text string // the line, shortened if it is long
	Err  error
}

// Error describes the problem and quotes the line.
func (e *NonsenseError) Error() string {
	return fmt.Sprintf("line %d of the answers: %v: %s", e.Line, e.Err, e.Text)
}

// Unwrap returns the problem.
func (e *NonsenseError) Unwrap() error { return e.Err }

// mostText is the largest number of bytes of a line that are quoted.
const mostText = 200

// mostTried is the largest number of questions of an exam on which mistakes are compared with answers. They are spread
// evenly over the exam.
const mostTried = 2000

// stride returns the step between the numbers of the questions on which mistakes are tried: with a step of 3, these
// are the questions 0, 3, 6 and so on.
func (e *Exam) stride() int { return (e.opt.Count + mostTried - 1) / mostTried }

// Judge judges one line of the program's output. It returns a [*NonsenseError] if the line is blank or is not a JSON
// object, or if its id is missing, belongs to no question, or was already answered.
func (e *Exam) Judge(line []byte) error {
	e.lines++
	nonsense := func(format string, args ...any) error {
		text := line
		if len(text) > mostText {
			text = append(append([]byte{}, text[:mostText]...), "..."...)
		}
		return &NonsenseError{e.lines, string(text), fmt.Errorf(format, args...)}
	}
	fields, err := parseAnswer(line)
	if err != nil {
		return nonsense("no JSON object (%w)", err)
	}
	value, ok := fields["id"]
	id, number := value.(float64)
	switch {
	case !ok:
		return nonsense("the field id is missing")
	case !number || id != math.Trunc(id):
		return nonsense("id must be an integer")
	case id < 0 || id >= float64(e.opt.Count):
		return nonsense("no question has the id %g", id)
	case e.answered[int(id)]:
		return nonsense("a second answer with the id %g", id)
	}
	e.take(int(id), fields)
	return nil
}

// take judges the answer to question i.
func (e *Exam) take(i int, fields answer) {
	e.answered[i] = true
	e.answers++
	q := e.question(i)
	e.note(i, q, fields)
	if q.judge(fields) == nil {
		e.right++
		return
	}
	_, head := e.head(i)
	e.wrongs[head.Class]++
	if e.canvas || i%e.stride() == 0 {
		e.wrong[i] = fields
	}
	if e.first < 0 || i < e.first {
		e.first, e.firstAnswer = i, fields
	}
}

// note records whether the answers depend on the questions. In the stage picture, answers are files.
func (e *Exam) note(i int, q question, fields answer) {
	if e.canvas || e.Stage.Name == pictureName || e.constancy.varies || i%e.stride() != 0 {
		return
	}
	if line, err := q.line(); err == nil {
		e.constancy.add(line, fields)
	}
}

// Answered returns the number of questions that have an answer.
func (e *Exam) Answered() int { return e.answers }

// Unanswered returns the lowest number of a question without an answer. It returns false if all have an answer.
func (e *Exam) Unanswered() (i int, ok bool) {
	i = slices.Index(e.answered, false)
	return i, i >= 0
}

// Progress states how many questions have an answer, and the id, the class and the case of the first one without.
func (e *Exam) Progress() string {
	first, open := e.Unanswered()
	if !open {
		return fmt.Sprintf("all %d questions are answered", e.Len())
	}
	_, head := e.head(first)
	return fmt.Sprintf("%d of %d questions are answered, the first without an answer has the id %d (%s: %s)", e.Answered(), e.Len(), first, head.Class, head.Case)
}

// Tally counts the questions and the results in a class.
type Tally struct {
	Class     Class `json:"class"`
	Questions int   `json:"questions"`
	Answered  int   `json:"answered"`
	Wrong     int   `json:"wrong"`
}

// Verdict is the result of an exam.
type Verdict struct {
	Stage     string `json:"stage"`
	Passed    bool   `json:"passed"` // all questions are answered, and rightly
	Questions int    `json:"questions"`
	Answered  int    `json:"answered"`
	Right     int    `json:"right"`
	Before    int    `json:"before"` // number of questions before the first with a wrong answer; Right if no answer is wrong

	Classes []Tally `json:"classes"`

	First *Wrong `json:"first,omitempty"` // the first wrong answer

	// Mistakes are the mistakes that best explain the learner's wrong answers. The list is empty if no mistakes explain
	// nearly all of them. If it has several mistakes, either the questions do not distinguish them, or the mistakes
	// explain the answers only together.
	Mistakes []Mistake `json:"mistakes"`
	Basis    Basis     `json:"basis,omitempty"` // what Mistakes are; missing without mistakes
}

// Basis states how certain the mistakes of a verdict are.
type Basis string

const (
	Known    Basis = "known"    // known mistakes, which give the wrong answers
	Possible Basis = "possible" // a step of a textbook program; if it is wrong in this way, the program gives the wrong answers; or two such mistakes together
	Common   Basis = "common"   // what the wrong answers have in common; the mistake is unknown
)

// Wrong is a wrong answer.
type Wrong struct {
	ID       int             `json:"id"`
	Class    Class           `json:"class"`
	Case     string          `json:"case"`
	Question json.RawMessage `json:"question"`
	Answer   any             `json:"answer"` // the learner's answer; null replaces NaN and infinities

	Field    string `json:"field"` // the first that is wrong, such as t[0]
	Problem  string `json:"problem"`
	Expected any    `json:"expected"` // the right answer
	Want     any    `json:"want"`     // the right value of the field; null if Problem describes it
	Got      any    `json:"got"`

	Lesson string     `json:"lesson"` // a page in docs/lessons
	Derive Derivation `json:"derive"`
}

// Verdict returns the result for the answers so far. If ctx ends first, it soon returns the cause.
func (e *Exam) Verdict(ctx context.Context) (Verdict, error) {
	v := Verdict{
		Stage: e.Stage.Name, Questions: e.opt.Count, Answered: e.answers, Right: e.right, Before: e.right,
		Passed: e.right == e.opt.Count, Mistakes: []Mistake{},
	}
	questions, answered := make(map[Class]int), make(map[Class]int)
	for i := range e.opt.Count {
		_, head := e.head(i)
		questions[head.Class]++
		if e.answered[i] {
			answered[head.Class]++
		}
	}
	for _, c := range Classes() {
		v.Classes = append(v.Classes, Tally{c, questions[c], answered[c], e.wrongs[c]})
	}
	if e.first < 0 {
		return v, nil
	}
	v.Before = e.first
	v.Mistakes, v.Basis = e.named(ctx)
	if err := context.Cause(ctx); err != nil {
		return Verdict{}, err
	}
	first, err := e.describeFirst()
	v.First = first
	return v, err
}

// describeFirst describes the first wrong answer.
func (e *Exam) describeFirst() (*Wrong, error) {
	i := e.first
	q := e.question(i)
	text, err := q.line()
	if err != nil {
		return nil, err
	}
	p := q.judge(e.firstAnswer)
	if p == nil {
		return nil, errors.New("course: an answer that was judged wrong is now judged right")
	}
	_, head := e.head(i)
	derive := q.explain()
	if p.derive != nil {
		derive = *p.derive
	}
	return &Wrong{
		ID: i, Class: head.Class, Case: head.Case, Question: text, Answer: e.firstAnswer,
		Field: p.field, Problem: p.what, Expected: q.expected(), Want: finite(p.want), Got: finite(p.got),
		Lesson: e.Stage.Lesson, Derive: derive,
	}, nil
}

// finite replaces NaN and infinities, which JSON does not have, by null, and -0 by 0.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if notNumber(v) {
			return nil
		}
		return v + 0
	case triple:
		out := make([]any, len(v))
		for i, x := range v {
			out[i] = finite(x)
		}
		return out
	}
	return v
}

// random returns the first random mistake of the stage that may have caused nearly all wrong answers. The effect of a
// random mistake depends on how the program rounds. Each stage lists the most specific of its random mistakes first.
// If at most a tenth of the answers are right, random returns no mistake.
func (e *Exam) random(ctx context.Context) []Mistake {
	someRight := float64(e.right) > (1-enoughAlike)*float64(e.answers)
	for m, mistake := range e.Stage.kind().randomMistakes() {
		fitting, sorts := 0, make([]int, max(1, e.Stage.kind().sortsOfRandom(m)))
		for i, fields := range e.wrong {
			if ctx.Err() != nil {
				return []Mistake{}
			}
			if q := e.question(i); q.mayBeRandom(m, fields) {
				fitting++
				if sort := q.sortOfRandom(m, fields); sort >= 0 {
					sorts[sort]++
				}
			}
		}
		least := enoughAlike
		if e.Stage.kind().alwaysRandom(m) {
			least = 1
		}
		if fitting >= leastAlike && someRight && 12*slices.Min(sorts) >= fitting && float64(fitting) >= least*float64(len(e.wrong)) {
			return []Mistake{mistake}
		}
	}
	return []Mistake{}
}
