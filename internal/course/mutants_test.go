package course

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"pillbox/internal/fixture/effort"
)

// mutantsScript is a program that makes and runs mutants of the Python solution.
const mutantsScript = "testdata/mutants.py"

// TestMutants tries mutants of the Python solution: programs with one small change. A mutant that passes an exam
// must also give right answers to many other questions.
func TestMutants(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3 here")
	}
	every, seeds, pool := effort.Of(7919, 211, 1), effort.Of(1, 1, 2), effort.Of(100, 100, 2000)
	for _, s := range effort.Some(t, 1, AllStages()) {
		t.Run(s.Name, func(t *testing.T) {
			if s.Name == pictureName {
				t.Skip("its answers are files, and its functions those of the other stages; see TestPictures")
			}
			m := newMutantSearch(t, s, seeds, pool)
			m.run(python, every)
			t.Logf("%d mutants: %d fail, %d are right, %d wrong ones pass", m.tried, m.failed, m.right, m.wrong)
		})
	}
}

// mutantSearch looks for wrong programs that pass a stage.
type mutantSearch struct {
	*testing.T
	stage *Stage
	exams []*Exam
	pool  []question

	tried, failed, right, wrong int
}

func newMutantSearch(t *testing.T, s *Stage, seeds, pool int) *mutantSearch {
	m := &mutantSearch{T: t, stage: s}
	for seed := range seeds {
		e, err := s.Exam(Options{Seed: uint64(seed)})
		if err != nil {
			t.Fatal(err)
		}
		m.exams = append(m.exams, e)
	}
	m.pool = legal(t, s, pool)
	return m
}

// legal returns questions that the protocol allows. Some are from other exams, and some are in no exam.
func legal(t *testing.T, s *Stage, n int) []question {
	e, err := s.Exam(Options{Seed: 1 << 40, Count: n})
	if err != nil {
		t.Fatal(err)
	}
	var all []question
	for i := range n {
		all = append(all, e.question(i))
	}
	if s.Name == "overlap" {
		all = append(all, smallOverlaps(s, n)...)
	}
	return all
}

// smallOverlaps returns questions about pairs of capsules with small coordinates, many of which touch.
func smallOverlaps(s *Stage, n int) []question {
	kind := s.kind().(*stageOf[overlapQuestion, relation])
	d := newDice(&Options{Seed: 1}, 0)
	var all []question
	for i := range n {
		dim, most := 2+i%2, []int64{1, 2, 3, 5, 9}[i%5]
		capsule := func() integers {
			c := integers{make([]int64, dim), make([]int64, dim), d.Int64N(most + 1)}
			for k := range dim {
				c.P[k], c.Q[k] = d.Int64N(2*most+1)-most, d.Int64N(2*most+1)-most
			}
			return c
		}
		all = append(all, &asked[overlapQuestion, relation]{stageOf: kind, head: Head{Stage: s.Name, Case: "small"}, q: overlapQuestion{capsule(), capsule()}})
	}
	return all
}

// questions creates a file with the given name in a temporary folder, calls write to write questions to it, and
// returns its path.
func (m *mutantSearch) questions(name string, write func(w *bytes.Buffer)) string {
	m.Helper()
	var b bytes.Buffer
	write(&b)
	name = filepath.Join(m.TempDir(), name)
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		m.Fatal(err)
	}
	return name
}

func (m *mutantSearch) line(w *bytes.Buffer, q question) {
	line, err := q.line()
	if err != nil {
		m.Fatal(err)
	}
	w.Write(append(line, '\n'))
}

// run tests every n-th mutant, where n is the argument every. python is the path of the interpreter.
func (m *mutantSearch) run(python string, every int) {
	exams := m.questions("exams", func(w *bytes.Buffer) {
		for _, e := range m.exams {
			for i := range e.Len() {
				m.line(w, e.question(i))
			}
			w.WriteByte('\n')
		}
	})
	pool := m.questions("pool", func(w *bytes.Buffer) {
		for _, q := range m.pool {
			m.line(w, q)
		}
	})
	cmd := exec.Command(python, mutantsScript, "../../docs/course/solutions/tracer.py", m.stage.Name, exams, pool, strconv.Itoa(every))
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		m.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		m.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		m.Fatal(err)
	}
	m.answer(in, bufio.NewReader(out))
	if err := cmd.Wait(); err != nil {
		m.Fatal(err)
	}
}

// answer judges the mutants' answers that it reads from r, and writes the results to w.
func (m *mutantSearch) answer(w io.WriteCloser, r *bufio.Reader) {
	defer w.Close()
	for {
		line, err := r.ReadBytes('\n')
		if err == io.EOF {
			return
		} else if err != nil {
			m.Fatal(err)
		}
		var record []json.RawMessage
		if err := json.Unmarshal(line, &record); err != nil {
			m.Fatalf("%s: %v", line, err)
		}
		if len(record) == 2 {
			m.result(record)
			continue
		}
		reply := "right"
		if m.isWrong(record) {
			reply = "wrong"
		}
		fmt.Fprintln(w, reply)
	}
}

// isWrong reports whether a mutant's answer is wrong. record contains the exam's number, the question's number in
// the exam, and the answer. If the exam's number is negative, the question is one of pool.
func (m *mutantSearch) isWrong(record []json.RawMessage) bool {
	var exam, id int
	var text string
	for i, v := range []any{&exam, &id, &text} {
		if err := json.Unmarshal(record[i+1], v); err != nil {
			m.Fatal(err)
		}
	}
	fields, err := parseAnswer([]byte(text))
	if err != nil {
		return true
	}
	if exam < 0 {
		return m.pool[id].judge(fields) != nil
	}
	return m.exams[exam].question(id).judge(fields) != nil
}

func (m *mutantSearch) result(record []json.RawMessage) {
	var name string
	var result struct {
		Passed  []int
		Differs string
	}
	if err := json.Unmarshal(record[0], &name); err != nil {
		m.Fatal(err)
	}
	if err := json.Unmarshal(record[1], &result); err != nil {
		m.Fatal(err)
	}
	m.tried++
	switch {
	case len(result.Passed) == 0:
		m.failed++
	case result.Differs == "":
		m.right++
		m.Logf("right: %s", name)
	default:
		m.wrong++
		m.Errorf("passes with the seeds %d: %s, wrong on %.600s", result.Passed, name, result.Differs)
	}
}
