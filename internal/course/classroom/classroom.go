// Package classroom is the engine of the course in the playground, a web page. The learner's program runs in the page.
// The page sends requests to this package, which returns the stages of the course, questions for the learner's program,
// and verdicts about its answers.
//
// A request is a name and a JSON object, and the result is a JSON object, as in package play. Package play/server
// transports them over HTTP, internal/course/wasm to a Web Worker. Nothing is kept between requests. The requests, with the
// fields of their objects and their results, are
//
//	course/stages     no fields: the stages, with their chapters, hints and solutions
//	course/questions  stage, seed, count, canvas, from: the questions from the number in from on, at most about 1 MB
//	course/grade      stage, seed, count, answers, pictures: the verdict, as `render grade` prints it, except that the
//	                  command at its end is only in the verdict's data
//	course/picture    stage, answers, pictures: the picture that the answers make, and the right picture
//
// If canvas is true, the questions are those of a picture: one for each pixel. The request course/picture expects answers
// to these questions. The field answers contains the answers that the learner's program gave so far, and pictures the
// pictures that it wrote, by name. The fields seed and count have the same meaning and defaults as for `render grade`, so
// the verdicts are the same. The questions of a picture do not depend on seed and count.
package classroom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"io/fs"
	"slices"
	"strings"

	"pillbox/internal/course"
	"pillbox/internal/parallel"
)

// MaxBody is the largest size of a request in bytes.
const MaxBody = 16 << 20

// Error is the error of a request that is malformed.
type Error struct{ Message string }

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func malformed(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }

// prefix is the beginning of the names of all requests.
const prefix = "course/"

// Names returns the names of all requests.
func Names() []string {
	return []string{prefix + "stages", prefix + "questions", prefix + "grade", prefix + "picture"}
}

// Answer returns the result of the request with the given name as JSON. The body is the request's JSON object. The error is
// an [*Error] if the request is malformed, and a [*parallel.Panic] if computing the result panics. If ctx ends, Answer soon
// returns its cause.
func Answer(ctx context.Context, name string, body []byte) (data []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			data, err = nil, parallel.Recovered(v)
		}
	}()
	if !slices.Contains(Names(), name) {
		return nil, malformed("there is no request %q", name)
	}
	if len(body) > MaxBody {
		return nil, malformed("a request must not have more than %d bytes, got %d", MaxBody, len(body))
	}
	var r request
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&r); err != nil {
		return nil, malformed("the request is not understood: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, malformed("the request must be one JSON object")
	}
	answer, err := r.answer(ctx, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(answer); err != nil {
		return nil, fmt.Errorf("answer as JSON: %w", err)
	}
	return b.Bytes(), nil
}

// request holds the fields of all requests.
type request struct {
	Stage    string             `json:"stage"`
	Seed     uint64             `json:"seed"`
	Count    int                `json:"count"` // number of questions; 0: the stage's default
	Canvas   bool               `json:"canvas"`
	From     int                `json:"from"`
	Answers  []json.RawMessage  `json:"answers"`
	Pictures map[string]picture `json:"pictures"`
}

// picture is a picture that the learner's program wrote: red, green and blue of each pixel, row by row, a byte each.
type picture struct {
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Pixels []byte `json:"pixels"`
}

func (r *request) answer(ctx context.Context, name string) (any, error) {
	if name == prefix+"stages" {
		return struct {
			Stages []Stage `json:"stages"`
		}{Stages()}, nil
	}
	stage, ok := course.Find(r.Stage)
	if !ok {
		return nil, malformed("no stage %q", r.Stage)
	}
	exam, canvas, err := r.exam(stage, r.Canvas || name == prefix+"picture")
	if err != nil {
		return nil, err
	}
	switch name {
	case prefix + "questions":
		return r.questions(ctx, exam)
	case prefix + "grade":
		return r.grade(ctx, exam)
	}
	return r.paint(ctx, canvas)
}

// exam returns an exam of the stage. If drawn is true, the exam has one question for each pixel of a picture, and exam also
// returns the [course.Canvas] with this exam.
func (r *request) exam(stage *course.Stage, drawn bool) (*course.Exam, course.Canvas, error) {
	if r.Count < 0 || r.Count > mostAnswers {
		return nil, course.Canvas{}, malformed("count must be 0 to %d, got %d", mostAnswers, r.Count)
	}
	opt := course.Options{Seed: r.Seed, Count: r.Count, Picture: r.picture}
	if drawn {
		canvas, err := stage.Canvas(opt)
		return canvas.Exam, canvas, err
	}
	exam, err := stage.Exam(opt)
	return exam, course.Canvas{}, err
}

// picture returns the picture that the learner's program wrote under the given name.
func (r *request) picture(name string) (image.Image, error) {
	p, ok := r.Pictures[name]
	if !ok {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	const most = 1 << 12
	if p.Width < 1 || p.Height < 1 || p.Width > most || p.Height > most || len(p.Pixels) != 3*p.Width*p.Height {
		return nil, fmt.Errorf("%s: want 3 x width x height numbers for a picture of %d x %d pixels, got %d", name, p.Width, p.Height, len(p.Pixels))
	}
	img := image.NewNRGBA(image.Rect(0, 0, p.Width, p.Height))
	for i := range p.Width * p.Height {
		rgb := p.Pixels[3*i:]
		img.SetNRGBA(i%p.Width, i/p.Width, color.NRGBA{R: rgb[0], G: rgb[1], B: rgb[2], A: 255})
	}
	return img, nil
}

// mostAnswers is the largest number of questions of an exam in the page. It is limited because the page sends all answers
// in one request.
const mostAnswers = 20_000

// mostQuestions limits the size of the result of a request for questions, in bytes. Questions are added to the result until
// their size is at least mostQuestions.
const mostQuestions = 1 << 20

type questionsAnswer struct {
	Questions []json.RawMessage `json:"questions"`
	Total     int               `json:"total"` // number of questions of the exam
}

func (r *request) questions(ctx context.Context, exam *course.Exam) (*questionsAnswer, error) {
	if r.From < 0 || r.From >= exam.Len() {
		return nil, malformed("from must be 0 to %d, got %d", exam.Len()-1, r.From)
	}
	a := &questionsAnswer{Total: exam.Len()}
	size := 0
	for i := r.From; i < exam.Len() && size < mostQuestions; i++ {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		line, err := exam.Question(i)
		if err != nil {
			return nil, err
		}
		a.Questions = append(a.Questions, line)
		size += len(line)
	}
	return a, nil
}

// judge judges the answers in order. It stops at the first one that is not an answer to an open question, and returns what
// is wrong with it. The other error is the cause of ctx if ctx ends first.
func (r *request) judge(ctx context.Context, exam *course.Exam) (trouble string, err error) {
	for _, line := range r.Answers {
		if err := context.Cause(ctx); err != nil {
			return "", err
		}
		if err := exam.Judge(line); err != nil {
			return err.Error(), nil
		}
	}
	return "", nil
}

type gradeAnswer struct {
	Verdict  course.Verdict `json:"verdict"`
	Report   []course.Span  `json:"report"`
	Trouble  string         `json:"trouble"`  // the error for something that is not an answer; "" if none exists
	Progress string         `json:"progress"` // how many questions are answered
}

func (r *request) grade(ctx context.Context, exam *course.Exam) (*gradeAnswer, error) {
	a := new(gradeAnswer)
	var err error
	if a.Trouble, err = r.judge(ctx, exam); err != nil {
		return nil, err
	}
	if a.Verdict, err = exam.Verdict(ctx); err != nil {
		return nil, err
	}
	a.Report, a.Progress = a.Verdict.Findings(), exam.Progress()
	return a, nil
}

type paintAnswer struct {
	Width   int           `json:"width"`
	Height  int           `json:"height"`
	Got     []byte        `json:"got"`    // red, green, blue and alpha of each pixel, row by row
	Want    []byte        `json:"want"`   // has the same size
	Differ  int           `json:"differ"` // number of pixels that differ or have no answer
	First   *course.Pixel `json:"first"`  // the first of them; null if none exists
	Report  []course.Span `json:"report"`
	Trouble string        `json:"trouble"` // the error for something that is not an answer; "" if none exists
	Magenta bool          `json:"magenta"` // some pixels have the color of answers that cannot be drawn
}

func (r *request) paint(ctx context.Context, canvas course.Canvas) (*paintAnswer, error) {
	a := new(paintAnswer)
	var err error
	if a.Trouble, err = r.judge(ctx, canvas.Exam); err != nil {
		return nil, err
	}
	c, err := canvas.Compare(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range c.Wrong {
		a.Magenta = a.Magenta || c.Got.NRGBAAt(p.X, p.Y) == course.Nonsense()
	}
	size := c.Want.Rect.Size()
	a.Width, a.Height, a.Got, a.Want = size.X, size.Y, c.Got.Pix, c.Want.Pix
	a.Differ, a.First, a.Report = len(c.Wrong), c.First, c.Report()
	return a, nil
}
