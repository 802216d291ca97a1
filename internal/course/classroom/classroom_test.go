package classroom_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"pillbox/docs/lessons"
	"pillbox/internal/course"
	"pillbox/internal/course/classroom"
)

func ExampleAnswer() {
	data, err := classroom.Answer(context.Background(), "course/grade", []byte(`{"stage": "ahead", "answers": [{"id": 0, "t": "near"}]}`))
	var a struct{ Report []course.Span }
	fmt.Println(err, json.Unmarshal(data, &a))
	fmt.Println(strings.SplitN(course.TextOf(a.Report), "\n", 2)[0])
	// Output:
	// <nil> <nil>
	// ahead: not passed: 0 of 1300 answers are right, 0 before the first that is wrong, 1299 not answered
}

// ask sends a request to the classroom and returns the decoded answer. name is the last part of the request's
// path, such as "picture".
func ask[T any](t *testing.T, name string, request map[string]any) T {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	data, err := classroom.Answer(t.Context(), "course/"+name, body)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	var a T
	if err := json.Unmarshal(data, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

// TestStages checks that every stage has all parts of its chapter.
func TestStages(t *testing.T) {
	stages := classroom.Stages()
	if len(stages) != len(course.AllStages()) {
		t.Fatalf("%d stages", len(stages))
	}
	for i, s := range stages {
		if s.Name != course.AllStages()[i].Name || s.Title == "" || strings.ContainsAny(s.Title, "#0123456789") || s.Optional != (i >= len(course.Stages())) {
			t.Errorf("%d: %q, %q, %v", i, s.Name, s.Title, s.Optional)
		}
		if _, err := fs.Stat(lessons.Figures(), s.Figure.File); err != nil || s.Figure.Text == "" {
			t.Errorf("%s: figure %q: %v", s.Name, s.Figure, err)
		}
		if len(s.Task) == 0 || len(s.Protocol) < 5 || len(s.Formula) < 6 || s.Hints[2] == "" {
			t.Errorf("%s: a part is missing: %+v", s.Name, s)
		}
		if task := fmt.Sprint(s.Task); strings.Contains(task, "render") || strings.Contains(task, "Try it") {
			t.Errorf("%s: the task mentions a command: %s", s.Name, task)
		}
		if text := fmt.Sprint(s.Protocol); strings.Contains(text, "|") {
			t.Errorf("%s: the protocol has a table: %s", s.Name, text)
		}
		if !strings.Contains(s.Solution, "\nanswer."+s.Name+" = ") || strings.Contains(s.Solution, "Buffer") {
			t.Errorf("%s: solution\n%s", s.Name, s.Solution)
		}
	}
	if strings.Contains(stages[0].Solution, "crossBox(o, d, center, half, axes) {") {
		t.Error("the solution of the first stage gives later ones away")
	}
}

type questions struct {
	Questions []json.RawMessage
	Total     int
}

// allQuestions requests all questions of a stage.
func allQuestions(t *testing.T, stage string, canvas bool) []json.RawMessage {
	t.Helper()
	var all []json.RawMessage
	for {
		a := ask[questions](t, "questions", map[string]any{"stage": stage, "canvas": canvas, "from": len(all)})
		if all = append(all, a.Questions...); len(all) >= a.Total {
			return all
		}
	}
}

// TestSameAsExam checks that the classroom asks the same questions as `render grade`, and gives the same verdicts.
func TestSameAsExam(t *testing.T) {
	for _, name := range []string{"sphere", "nearest"} {
		stage, _ := course.Find(name)
		exam, err := stage.Exam(course.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := allQuestions(t, name, false)
		if len(got) != exam.Len() {
			t.Fatalf("%s: %d questions, want %d", name, len(got), exam.Len())
		}
		var answers []any
		for i := range got {
			want, err := exam.Question(i)
			if err != nil || string(got[i]) != string(want) {
				t.Fatalf("%s: question %s, want %s, %v", name, got[i], want, err)
			}
			answers = append(answers, map[string]any{"id": i, "count": 0, "t": nil, "points": []any{}, "normals": []any{}, "object": nil, "normal": nil})
			line, _ := json.Marshal(answers[i])
			if err := exam.Judge(line); err != nil {
				t.Fatal(err)
			}
		}
		want, err := exam.Verdict(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		a := ask[struct{ Report []course.Span }](t, "grade", map[string]any{"stage": name, "answers": answers})
		if !reflect.DeepEqual(a.Report, want.Findings()) {
			t.Errorf("%s: %s\nwant %s", name, course.TextOf(a.Report), course.TextOf(want.Findings()))
		}
	}
}

type painted struct {
	Width, Height, Differ int
	Got, Want             []byte
	First                 *course.Pixel
	Trouble               string
	Magenta               bool
}

// TestPicture checks that the answers to the questions of a canvas become the pixels of a picture. Without answers,
// all pixels are missing.
func TestPicture(t *testing.T) {
	all := allQuestions(t, "sphere", true)
	miss := map[string]any{"count": 0, "t": []any{}, "points": []any{}, "normals": []any{}}
	var answers []any
	for i := range all {
		miss["id"] = i
		line, _ := json.Marshal(miss)
		answers = append(answers, json.RawMessage(line))
	}
	answers[0] = map[string]any{"id": 0, "count": 1, "t": []any{nil}, "points": [][3]int{{}}, "normals": [][3]int{{}}}
	p := ask[painted](t, "picture", map[string]any{"stage": "sphere", "answers": answers})
	size := 4 * p.Width * p.Height
	if p.Width*p.Height != len(all) || len(p.Got) != size || len(p.Want) != size || p.First == nil || p.First.X != 0 || !p.Magenta || p.Differ < 2 || p.Differ == len(all) {
		t.Errorf("%d x %d, %d and %d bytes, %d differ, %+v", p.Width, p.Height, len(p.Got), len(p.Want), p.Differ, p.First)
	}
	if p := ask[painted](t, "picture", map[string]any{"stage": "sphere"}); p.Differ != len(all) || p.First.Problem != "there is no answer" {
		t.Errorf("%d differ, %+v", p.Differ, p.First)
	}
}

// TestWholePicture checks the stage "picture", in which the program's only answer is a whole picture. The verdict
// must count the pixels that differ from the right picture.
func TestWholePicture(t *testing.T) {
	var q struct{ PNG string }
	if err := json.Unmarshal(allQuestions(t, "picture", true)[0], &q); err != nil {
		t.Fatal(err)
	}
	first := ask[painted](t, "picture", map[string]any{"stage": "picture", "answers": []any{map[string]int{"id": 0}}})
	if first.Differ != first.Width*first.Height || !strings.Contains(first.First.Problem, "cannot be read") {
		t.Errorf("%d differ, %+v", first.Differ, first.First)
	}
	var rgb []byte
	for i := 0; i < len(first.Want); i += 4 {
		rgb = append(rgb, first.Want[i:i+3]...)
	}
	request := func(pixels []byte) painted {
		return ask[painted](t, "picture", map[string]any{"stage": "picture", "answers": []any{map[string]int{"id": 0}}, "pictures": map[string]any{
			q.PNG: map[string]any{"width": first.Width, "height": first.Height, "pixels": pixels},
		}})
	}
	if got := request(rgb); got.Differ != 0 || got.First != nil {
		t.Errorf("%d differ, %+v", got.Differ, got.First)
	}
	rgb[7] ^= 128
	if got := request(rgb); got.Differ != 1 || got.First.X != 2 || got.First.Y != 0 {
		t.Errorf("%d differ, %+v", got.Differ, got.First)
	}
	if got := request(rgb[1:]); !strings.Contains(got.First.Problem, "want 3 x width x height numbers") {
		t.Errorf("%+v", got.First)
	}
}

// TestTrouble checks that an invalid answer, here a second answer to a question, ends the grading.
func TestTrouble(t *testing.T) {
	a := ask[struct {
		Trouble, Progress string
		Verdict           course.Verdict
	}](t, "grade", map[string]any{"stage": "ahead", "answers": []any{map[string]int{"id": 0}, map[string]int{"id": 0}, map[string]int{"id": 1}}})
	if !strings.Contains(a.Trouble, "a second answer with the id 0") || a.Verdict.Answered != 1 || !strings.HasPrefix(a.Progress, "1 of 1300") {
		t.Errorf("%+v", a)
	}
}

// TestMalformed checks that malformed requests return errors.
func TestMalformed(t *testing.T) {
	for request, says := range map[string]string{
		`course/stages {`:                                  "not understood",
		`course/stages {"seeds": 1}`:                       "unknown field",
		`course/stages {} {}`:                              "one JSON object",
		`course/grade {"stage": "ball"}`:                   `no stage "ball"`,
		`course/questions {"stage": "ahead","from": 1300}`: "from must be 0 to 1299",
		`course/questions {"stage": "ahead","from": -1}`:   "from must be 0 to 1299",
		`course/none {}`:                                   "no request",
		`stages {}`:                                        "no request",
	} {
		name, body, _ := strings.Cut(request, " ")
		_, err := classroom.Answer(t.Context(), name, []byte(body))
		var malformed *classroom.Error
		if !errors.As(err, &malformed) || !strings.Contains(malformed.Message, says) {
			t.Errorf("%s: %v, want %q", request, err, says)
		}
	}
	if _, err := classroom.Answer(t.Context(), "course/stages", make([]byte, classroom.MaxBody+1)); err == nil {
		t.Error("a request of any size is read")
	}
}
