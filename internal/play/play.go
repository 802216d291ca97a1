// Package play is the engine of the playground: it answers what a page asks about the text of a
// scene, with the renderer, the messages and the explanations of the program.
//
// A request is a name and a JSON object, the answer a JSON object; [Engine.Answer] says nothing of how
// they travel. Package play/server brings them over HTTP, web/wasm into a Web Worker. An engine
// keeps no session: every request has the whole text, and all that is kept from one to the next is a
// cache. Most requests are about a scene and have
//
//	text       the scene
//	file       true: it is the text of the served file, whose bulk tables and included files it may read
//	time       seconds, for a scene that moves
//	width, height, antialias  of the picture; the scene's if they are 0 or not there
//
// The requests are
//
//	start     {} what the engine is: its limits, its views, the served file
//	scenes    {} the shipped scenes and the lessons, with what each example asks of them
//	check     SCENE: every problem, with its place, and what would cure it; what the scene is; its tables
//	plan      SCENE, view: rectangles into which several engines may share the picture
//	render    SCENE, view, region, step: the picture, in frames
//	probe     SCENE, x, y: what a pixel shows
//	solids    SCENE, numbers: what solids are called and where the text has them
//	explain   SCENE, and pixel, ray, segment or capsules; solid, verbose, columns: why
//	diagram   the same, and dark: a drawing of that, as SVG
//	camera    SCENE, orbit, dolly, pan: the edits of the text that move the camera
//	move      SCENE, object, what, from, to: the edits that move a solid or a placement along the view plane
//	edit      SCENE, set: the edits that give keys values
//	complete  text, position: words that may appear there
//	hover     text, position: what the key there means
//
// Places in a text are offsets in UTF-16 code units, as JavaScript counts. An edit is {from, to, insert};
// edits are sorted, do not overlap, and are meant for the text of the request. Fields that a request
// does not have are refused. What cannot be answered is a [*Failure], which has an HTTP status.
//
// The answer of render comes in frames: a byte that says its [FrameType], and its payload. Numbers in
// frames are little endian.
//
// What a page may ask is bounded by [Limits], for it may be a stranger's.
package play

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"pillbox/aov"
	"pillbox/internal/parallel"
	"pillbox/scene"
)

// Limits bound what one request may cost.
type Limits struct {
	Body    int `json:"body"`    // bytes of a request
	Pixels  int `json:"pixels"`  // of a picture
	Samples int `json:"samples"` // of a picture, all pixels together
	Solids  int `json:"solids"`  // of a scene
	Seconds int `json:"seconds"` // for an answer
	Renders int `json:"renders"` // at the same time; for who serves several pages to keep
}

// DefaultLimits are enough for scenes that people write.
func DefaultLimits() Limits {
	return Limits{Body: 1 << 21, Pixels: 1 << 23, Samples: 1 << 27, Solids: 1 << 18, Seconds: 60, Renders: 4}
}

// Options say what an engine works with. The zero value is useful.
type Options struct {
	Name    string // what runs the engine, for the page: "http", "wasm"
	Version string // of the program
	Limits  Limits // zero: [DefaultLimits]
	Workers int    // goroutines of a render; zero means GOMAXPROCS. It never changes a pixel
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
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	e := &Engine{Options: opt}
	e.cache.most = 2 * opt.Limits.Solids
	e.requests = map[string]handler{
		"start":    answer(e.start),
		"scenes":   answer(e.scenes),
		"check":    answer(e.check),
		"plan":     answer(e.plan),
		"render":   e.render,
		"probe":    answer(e.probe),
		"solids":   answer(e.solids),
		"explain":  answer(e.explain),
		"diagram":  answer(e.diagram),
		"camera":   answer(e.camera),
		"move":     answer(e.move),
		"edit":     answer(e.edit),
		"complete": answer(e.complete),
		"hover":    answer(e.hover),
	}
	return e
}

// Knows reports whether there are requests of the name.
func (e *Engine) Knows(name string) bool { return e.requests[name] != nil }

// Answer answers a request with JSON. The frames of a render go to emit, one at a time, before Answer
// returns nothing; when emit returns an error, the render ends. A frame is emit's to keep. The error is
// a [*Failure], a [*parallel.Panic], emit's, or that of ctx, which ends every request early.
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
	late := failure(StatusBusy, "that takes longer than %d seconds", e.Limits.Seconds)
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

// answer makes a handler of a function of a request.
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

// decode reads a request, which must have no other fields.
func decode(body []byte, request any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.DisallowUnknownFields()
	if err := dec.Decode(request); err != nil {
		return failure(StatusMalformed, "the request is not understood: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return failure(StatusMalformed, "the request is not understood: want one JSON object")
	}
	return nil
}

// The statuses of failures, which are those of HTTP.
const (
	StatusMalformed = 400 // the request is no JSON, or has not the fields that it should have
	StatusUnknown   = 404 // there is no such request
	StatusTooLarge  = 413 // the request is too large
	StatusRefused   = 422 // it cannot be done with this text, or costs too much
	StatusBroken    = 500 // a mistake of the program's own
	StatusBusy      = 503 // it takes too long, or the server ends
)

// Failure is why a request is not answered.
type Failure struct {
	Status   int       `json:"-"`
	Message  string    `json:"message"`            // one line
	Problems []Problem `json:"problems,omitempty"` // of the scene, if it is not valid
}

// Error returns the message.
func (f *Failure) Error() string { return f.Message }

// JSON returns what a page gets: {"error": {"message": ..., "problems": [...]}}.
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

// FailureOf returns the failure that an error of [Engine.Answer] is for a page: itself or, for any
// other error, one that says no more than that something went wrong.
func FailureOf(err error) *Failure {
	var f *Failure
	if errors.As(err, &f) {
		return f
	}
	return failure(StatusBroken, "the program has made a mistake; its messages say which")
}

type nothing struct{}

// startAnswer describes what the engine is.
type startAnswer struct {
	Engine  string       `json:"engine"`
	Version string       `json:"version"`
	File    *FileState   `json:"file"`
	Views   []viewAnswer `json:"views"`
	Limits  Limits       `json:"limits"`
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
	if e.File != nil {
		state := e.File.State()
		a.File = &state
	}
	return a, nil
}

// pageName is what messages call a text of the page.
const pageName = "scene.toml"

// limitSolids returns an error if a scene is too large.
func (e *Engine) limitSolids(s *scene.Scene) error {
	if n := s.Objects.Len(); n > e.Limits.Solids {
		return refused("a scene must have at most %d solids here, got %d", e.Limits.Solids, n)
	}
	return nil
}
