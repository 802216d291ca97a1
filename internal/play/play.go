// Package play is the engine of the playground: it answers the page's requests about the text of a
// scene, with the renderer, the messages and the explanations of the program.
//
// A request is a name and a JSON object, and the answer is a JSON object. Package play/server transports them over
// HTTP, internal/play/wasm to a Web Worker. An engine has no sessions: every request contains the whole text, and only a cache
// is kept between requests. Most requests are about a scene. In the list of requests below, SCENE means
// these fields:
//
//	text       the scene
//	file       true: it is the text of the served file, whose bulk tables and included files it may read
//	time       seconds, for a scene that moves
//	width, height, antialias  of the picture; the scene's where they are 0 or missing
//
// CHANGE means that a request may be about the text after a change: change is an object with the fields of the request
// camera, move or edit under its name. The answer then has the edits of the text.
//
// The requests are
//
//	start     {} the engine's limits, views and traps, the served file
//	scenes    {} the shipped scenes; the lessons with the queries of their examples
//	lesson    name: the page of a lesson, and questions about its examples
//	check     SCENE: up to 1000 problems, with their positions and fixes; a summary of the scene; its tables
//	plan      SCENE, view, trap: rectangles into which several engines may share the picture
//	render    SCENE, CHANGE, view, region, step, trap, ask: the picture, in frames; with trap, it has that mistake on
//	          purpose; with ask, which has the fields of explain, the answer to a question comes in a frame, too
//	probe     SCENE, x, y, trap: what a pixel shows; with trap, also its color with that mistake
//	solids    SCENE, numbers: the names of solids, and their tables in the text
//	explain   SCENE, CHANGE, pixel, ray, segment or capsules, solid, verbose, json, keep, diagram, trap: the
//	          explanation of the query, and its path in the picture; with json, also as one object; with keep, a key of
//	          a solid, its numbers appear even if the ray misses the solid; with diagram, an object with the fields
//	          dark, kind and shown of that request, also its drawing; with trap, also the pixel with that mistake, and
//	          why the mistake changes it
//	diagram   the fields of explain, dark, kind, and shown, a width: a drawing of the explanation, as SVG, and the
//	          kinds that can be drawn
//	outside   the fields of explain, none of them required, orbit, zoom, size and samples: a picture of the scene, its
//	          camera and the path, as PNG, and the path in this picture
//	predict   the fields of explain, without a query for the kind "wrong", and a prediction: a question with choices;
//	          with choice: whether it is right
//	suggest   SCENE: up to three pixels that are worth an explanation
//	camera    SCENE, orbit, dolly, pan: the edits of the text that move the camera
//	move      SCENE, object, what, from, to: the edits that move a solid or a placement along the view plane
//	edit      SCENE, set: the edits that give keys values
//	steer     SCENE, ray or segment, part, from, to: the ray or segment after a drag along the view plane
//	labels    SCENE: the labels that the picture shows, and where
//	shift     SCENE, label, by: the edits that shift a label in the picture, by pixels
//	figure    SCENE, format: the picture with its annotations as vectors, svg or pdf
//	complete  text, position: words that may appear there
//	hover     text, position: the meaning of the key at the position
//
// Positions in a text are offsets in UTF-16 code units, as in JavaScript. An edit is {from, to, insert};
// edits are sorted, do not overlap, and apply to the text of the request. Unknown fields of a request are
// errors. The error of a request is a [*Failure], which has an HTTP status.
//
// The answer to render is a sequence of frames: a byte with the [FrameType], and the payload. Numbers in
// frames are little endian.
//
// [Limits] bound the cost of requests, because requests may come from strangers.
package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"pillbox/aov"
	"pillbox/internal/parallel"
	"pillbox/internal/play/broken"
	"pillbox/scene"
)

// Limits bound the cost of one request.
type Limits struct {
	Body    int `json:"body"`    // bytes of a request
	Pixels  int `json:"pixels"`  // of a picture
	Samples int `json:"samples"` // of a picture, all pixels together
	Solids  int `json:"solids"`  // of a scene
	Seconds int `json:"seconds"` // for an answer
	Renders int `json:"renders"` // at the same time; enforced by package play/server
}

// DefaultLimits are enough for scenes that people write.
func DefaultLimits() Limits {
	return Limits{Body: 1 << 21, Pixels: 1 << 23, Samples: 1 << 27, Solids: 1 << 18, Seconds: 60, Renders: 4}
}

// Options configure an engine. The zero value is useful.
type Options struct {
	Name    string // what runs the engine, for the page: "http", "wasm"
	Version string // of the program
	Limits  Limits // zero: [DefaultLimits]
	Workers int    // goroutines of a render; zero means GOMAXPROCS. It does not affect the picture
	File    File   // the served file; nil: none
}

// Engine answers requests. It is safe for concurrent use.
type Engine struct {
	Options
	requests map[string]handler
	cache    cache
}

// handler answers a request of one name.
type handler func(ctx context.Context, body []byte, emit func(frame []byte) error) (any, error)

// New returns an engine.
func New(opt Options) *Engine {
	if opt.Limits == (Limits{}) {
		opt.Limits = DefaultLimits()
	}
	opt.Workers = parallel.Workers(opt.Workers)
	e := &Engine{Options: opt}
	e.cache.most = 2 * opt.Limits.Solids
	e.requests = map[string]handler{
		"start":    answer(e.start),
		"scenes":   answer(e.scenes),
		"lesson":   answer(e.lesson),
		"check":    answer(e.check),
		"plan":     answer(e.plan),
		"render":   e.render,
		"probe":    answer(e.probe),
		"solids":   answer(e.solids),
		"explain":  answer(e.explain),
		"diagram":  answer(e.diagram),
		"outside":  answer(e.outside),
		"predict":  answer(e.predict),
		"suggest":  answer(e.suggest),
		"camera":   answer(e.camera),
		"move":     answer(e.move),
		"edit":     answer(e.edit),
		"steer":    answer(e.steer),
		"labels":   answer(e.labels),
		"shift":    answer(e.shift),
		"figure":   answer(e.figure),
		"complete": answer(e.complete),
		"hover":    answer(e.hover),
	}
	return e
}

// Names returns the names of all requests, in alphabetical order.
func (e *Engine) Names() []string { return slices.Sorted(maps.Keys(e.requests)) }

// Answer answers the request called name, whose JSON is body, with JSON. A render request returns nil instead: Answer
// calls emit for each frame, never concurrently. The function emit may keep the frames, and an error of emit ends the
// render. If ctx ends, Answer returns its cause. [FailureOf] converts an error of Answer, which may also be a
// [*parallel.Panic], to the failure to report.
func (e *Engine) Answer(ctx context.Context, name string, body []byte, emit func(frame []byte) error) (data []byte, err error) {
	defer func() {
		if v := recover(); v != nil {
			data, err = nil, parallel.Recovered(v)
		}
	}()
	h := e.requests[name]
	switch {
	case h == nil:
		return nil, failure(StatusUnknown, "there is no request %q", name)
	case len(body) > e.Limits.Body:
		return nil, failure(StatusTooLarge, "a request must not have more than %d bytes, got %d", e.Limits.Body, len(body))
	}
	late := failure(StatusBusy, "the request takes longer than %d seconds", e.Limits.Seconds)
	ctx, cancel := context.WithTimeoutCause(ctx, time.Duration(e.Limits.Seconds)*time.Second, late)
	defer cancel()
	v, err := h(ctx, body, emit)
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		err = context.Cause(ctx)
	}
	if err != nil || v == nil {
		return nil, err
	}
	return encode(v)
}

// encode returns a value as JSON.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("answer as JSON: %w", err)
	}
	return b.Bytes(), nil
}

// answer returns the handler that decodes a request and calls f.
func answer[Request, Answer any](f func(context.Context, *Request) (Answer, error)) handler {
	return func(ctx context.Context, body []byte, _ func([]byte) error) (any, error) {
		var r Request
		if err := decode(body, &r); err != nil {
			return nil, err
		}
		a, err := f(ctx, &r)
		if err != nil {
			return nil, err
		}
		return a, nil
	}
}

// decode reads a request. Unknown fields are errors.
func decode(body []byte, request any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(request); err != nil {
		return failure(StatusMalformed, "the request is not understood: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return failure(StatusMalformed, "the request must be one JSON object")
	}
	return nil
}

// The statuses of failures. They are HTTP statuses.
const (
	StatusMalformed = 400 // the request is not JSON, or its fields are invalid
	StatusUnknown   = 404 // no request has this name
	StatusTooLarge  = 413 // the request is too large
	StatusRefused   = 422 // the text does not allow it, or it costs too much
	StatusBroken    = 500 // an error in the program
	StatusBusy      = 503 // it takes too long, or the server shuts down
)

// Failure is the error of a request.
type Failure struct {
	Status   int       `json:"-"`
	Message  string    `json:"message"`            // one line
	Problems []Problem `json:"problems,omitempty"` // of the scene, if it is not valid
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// JSON returns the failure as {"error": {"message": ..., "problems": [...]}}.
func (f *Failure) JSON() []byte {
	data, err := encode(map[string]*Failure{"error": f})
	if err != nil {
		panic(err) // it holds plain values only
	}
	return data
}

func failure(status int, format string, args ...any) *Failure {
	return &Failure{Status: status, Message: fmt.Sprintf(format, args...)}
}

func refused(format string, args ...any) *Failure { return failure(StatusRefused, format, args...) }

// FailureOf returns the [*Failure] in an error of [Engine.Answer]. For an error without one, it returns a failure with the
// status 500 and without details.
func FailureOf(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return failure(StatusBroken, "internal error; see the messages of the program")
}

type nothing struct{}

// startAnswer describes the engine.
type startAnswer struct {
	Engine  string       `json:"engine"`
	Version string       `json:"version"`
	File    *FileState   `json:"file"`
	Views   []viewAnswer `json:"views"`
	Traps   []trapAnswer `json:"traps"`
	Limits  Limits       `json:"limits"`
}

// trapAnswer is a mistake that a picture can be rendered with, and a scene that shows it.
type trapAnswer struct {
	broken.Mistake
	Scene string `json:"scene"`
}

type viewAnswer struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
}

func (e *Engine) start(context.Context, *nothing) (*startAnswer, error) {
	a := &startAnswer{Engine: e.Name, Version: e.Version, Limits: e.Limits}
	for _, k := range aov.Kinds() {
		a.Views = append(a.Views, viewAnswer{k.String(), k.Meaning()})
	}
	for _, m := range broken.Mistakes() {
		a.Traps = append(a.Traps, trapAnswer{m, m.Scene()})
	}
	if e.File != nil {
		state := e.File.State()
		a.File = &state
	}
	return a, nil
}

// pageName is the name of a page's text in messages.
const pageName = "scene.toml"

// limitSolids returns an error if a scene is too large.
func (e *Engine) limitSolids(s *scene.Scene) error {
	if n := s.Objects.Len(); n > e.Limits.Solids {
		return refused("a scene must have at most %d solids here, got %d", e.Limits.Solids, n)
	}
	return nil
}
