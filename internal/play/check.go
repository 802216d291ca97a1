package play

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// Problem is an error or a warning about a scene, with its position.
type Problem struct {
	Range            // the text that causes the problem
	Line      int    `json:"line"`       // Line and the next two fields are those of [problem.Error]
	Column    int    `json:"column"`     //
	EndColumn int    `json:"end_column"` //
	File      string `json:"file,omitempty"`
	Severity  string `json:"severity"`
	Code      string `json:"code"`
	Key       string `json:"key"`
	Message   string `json:"message"`
	Value     string `json:"value"`
	Suggested string `json:"suggestion"`
	Text      string `json:"text"` // the whole message in a line, without the position
	Fix       *Fix   `json:"fix"`
}

// Fix is an edit that may fix a problem.
type Fix struct {
	Label string `json:"label"`
	Edits []Edit `json:"edits"`
}

// maxProblems is the largest number of problems reported to a page.
const maxProblems = 1000

// describe returns at most maxProblems problems with their ranges in the document. A problem in another file gets the
// range in which the document names that file.
func (d *document) describe(problems problem.Errors) []Problem {
	problems = problems[:min(len(problems), maxProblems)]
	list := make([]Problem, len(problems))
	for i, e := range problems {
		p := Problem{
			Line: e.Line, Column: e.Column, EndColumn: e.EndColumn,
			Severity: string(e.Severity), Code: string(e.Code), Key: e.Key,
			Message: e.Message, Value: e.Value, Suggested: e.Suggestion,
			Text: strings.TrimPrefix(e.Error(), e.Position()+" "),
		}
		if e.File != d.name {
			p.File, p.Range = e.File, d.naming(e.File)
			list[i] = p
			continue
		}
		at := tomltext.Extent{Start: d.text.column(e.Line, e.Column), End: d.text.column(e.Line, e.EndColumn)}
		p.Range = d.text.span(at)
		if e.Suggestion != "" && at.End > at.Start {
			p.Fix = d.fix(at, e.Suggestion)
		}
		list[i] = p
	}
	return list
}

// fix returns the edit that replaces an unknown word by a known one.
func (d *document) fix(at tomltext.Extent, word string) *Fix {
	insert := tomltext.QuoteKey(word)
	if first := d.text.bytes[at.Start]; first == '"' || first == '\'' {
		insert = tomltext.Quote(word)
	}
	return &Fix{fmt.Sprintf("Change to %#q", word), []Edit{{d.text.span(at), insert}}}
}

// naming returns the range in which the document names a file, or the beginning of the document.
func (d *document) naming(file string) Range {
	name, err := filepath.Rel(filepath.Dir(d.name), file)
	if err != nil {
		return Range{}
	}
	quoted := []byte(tomltext.Quote(filepath.ToSlash(name)))
	i := bytes.Index(d.text.bytes, quoted)
	if i < 0 {
		return Range{}
	}
	return d.text.span(tomltext.Extent{Start: i, End: i + len(quoted)})
}

type checkAnswer struct {
	Problems []Problem `json:"problems"`
	More     int       `json:"more"` // problems that are omitted
	Scene    *summary  `json:"scene"`
	Tables   []table   `json:"tables"`
}

// summary describes a scene.
type summary struct {
	Width     int          `json:"width"`
	Height    int          `json:"height"`
	Antialias int          `json:"antialias"`
	Solids    int          `json:"solids"`
	Spheres   int          `json:"spheres"`
	Capsules  int          `json:"capsules"`
	Boxes     int          `json:"boxes"`
	Cylinders int          `json:"cylinders"`
	Lights    int          `json:"lights"`
	Camera    cameraAnswer `json:"camera"`
	Animation *filmSummary `json:"animation"`
	Moves     bool         `json:"moves"`
}

type filmSummary struct {
	Duration float64 `json:"duration"`
	FPS      float64 `json:"fps"`
	Frames   int     `json:"frames"`
}

type cameraAnswer struct {
	Projection string     `json:"projection"`
	Position   [3]float64 `json:"position"`
	LookAt     [3]float64 `json:"look_at"`
	Up         [3]float64 `json:"up"`
	FOV        float64    `json:"fov"`
	ViewHeight float64    `json:"view_height"`
	Given      bool       `json:"given"` // the text has a camera
}

func describeCamera(c camera.Camera, given bool) cameraAnswer {
	return cameraAnswer{c.Projection.String(), array(c.Position), array(c.LookAt), array(c.Up), c.FOV.Degrees(), c.ViewHeight, given}
}

func array(v geom.Vec3) [3]float64 { return [3]float64{v.X + 0, v.Y + 0, v.Z + 0} } // no -0

func (e *Engine) check(ctx context.Context, r *sceneRequest) (*checkAnswer, error) {
	d, err := e.read(r)
	if err != nil {
		return nil, err
	}
	a := &checkAnswer{Problems: d.describe(d.problems), More: max(0, len(d.problems)-maxProblems), Tables: d.text.tables()}
	if d.scene == nil {
		return a, nil
	}
	if err := e.limitSolids(d.scene); err != nil {
		a.Problems = append(a.Problems, Problem{Line: 1, Column: 1, EndColumn: 1, Severity: string(problem.SeverityError), Code: string(problem.CodeTooManySolids), Message: err.Error(), Text: err.Error()})
		return a, nil
	}
	s := d.scene
	a.Scene = &summary{
		Width: s.Image.Width, Height: s.Image.Height, Antialias: s.Image.Antialias,
		Solids: s.Objects.Len(), Spheres: len(s.Spheres), Capsules: len(s.Capsules), Boxes: len(s.Boxes), Cylinders: len(s.Cylinders), Lights: len(s.Lights),
		Camera: describeCamera(s.CameraFor(s.Image.Width, s.Image.Height), s.Camera != nil),
		Moves:  s.Moves(),
	}
	if f := s.Animation; f != nil {
		a.Scene.Animation = &filmSummary{f.Duration, f.FPS, f.Frames()}
	}
	return a, context.Cause(ctx)
}
