// Package server serves the playground over HTTP: its page, the requests to the engine and to the course as POST
// api/NAME, and the requests to follow and save a served file.
//
// With a token, every request to api/ must carry it. Without a token, any user of the machine can send requests. The
// handler then answers only requests for a loopback host, so that an attacker cannot point a name at it (DNS
// rebinding). It refuses requests to api/ from pages of another origin. No path of a URL reaches a file system:
// NewHandler reads the page's files, and requests look them up by name. Requests are bounded in size, time and number.
// Clients that stop reading or writing are disconnected. If there are too many connections, the oldest one without an
// admitted request is closed. A panic ends only the request that caused it.
//
// A render is one response that is streamed while the picture is computed: frames, each after its length as 32 bits,
// little endian. The render is canceled when the client disconnects.
package server

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net"
	"net/http"
	"path"
	"strings"
	"time"

	"pillbox/docs/lessons"
	"pillbox/internal/command"
	"pillbox/internal/loopback"
	"pillbox/internal/parallel"
	"pillbox/internal/play"
)

// Options configure a handler.
type Options struct {
	Engine *play.Engine
	Pages  fs.FS   // index.html and the files it loads; read once
	Served *Served // the file that the engine serves; nil: none
	Token  string  // required in every request to api/; "": any user of the machine can send requests

	// Others are requests that other parts of the program answer, such as those about the course.
	Others []*command.Requests

	// Log, if not nil, is called with internal errors, such as panics. It must be safe for concurrent use.
	Log func(error)
}

// Limits on the time and number of requests.
const (
	patience    = 10 * time.Second       // to send a request, or to receive a frame
	waitWithin  = 500 * time.Millisecond // time in the queue after which a request is refused
	followFor   = 25 * time.Second       // time after which a follow request is answered without a change
	maxRequests = 64                     // number of requests to api/ in progress
	maxWorking  = 8                      // number of them that compute something other than a picture
	maxFollows  = 32                     // number of follow requests in progress
)

// policy is the page's Content-Security-Policy: the page may load its own files, send requests to its own server,
// compile WebAssembly, and run workers for the programs of learners. The page generates the scripts of these workers,
// and starts the workers in a frame with a stricter policy: see js/course/sandbox.js of the page. scripts/web writes
// the policy of policy.txt into the static page, too.
//
//go:embed policy.txt
var policy string

// Handler serves all requests. It is safe for concurrent use.
type Handler struct {
	Options
	pages    map[string]page
	routes   map[string]route // by the names of requests
	origins  *http.CrossOriginProtection
	requests turns
	renders  turns
	working  turns
	follows  turns
	patience time.Duration
	open     *connections

	ended context.Context
	end   context.CancelCauseFunc
}

// page is one file of the page.
type page struct {
	data []byte
	kind string // media type
	tag  string
}

// NewHandler reads the pages, and the figures of the course, and returns a handler that serves them. index.html is required.
func NewHandler(opt Options) (*Handler, error) {
	h := &Handler{
		Options:  opt,
		pages:    make(map[string]page),
		routes:   make(map[string]route),
		origins:  http.NewCrossOriginProtection(),
		requests: make(turns, maxRequests),
		renders:  make(turns, opt.Engine.Limits.Renders),
		working:  make(turns, maxWorking),
		follows:  make(turns, maxFollows),
		patience: patience,
		open:     newConnections(maxConnections),
	}
	h.ended, h.end = context.WithCancelCause(context.Background())
	if err := h.readPages("/", opt.Pages); err != nil {
		return nil, err
	}
	if err := h.readPages("/figures/", lessons.Figures()); err != nil {
		return nil, err
	}
	index, ok := h.pages["/index.html"]
	if !ok {
		return nil, errors.New("the pages have no index.html")
	}
	h.pages["/"] = index
	h.addRoutes()
	return h, nil
}

// route is how requests of one name are answered.
type route struct {
	most   int // bytes of a request
	answer func(x *exchange, ctx context.Context, body []byte) error
}

// addRoutes adds all requests to the table of routes.
func (h *Handler) addRoutes() {
	most := h.Engine.Limits.Body
	for _, name := range h.Engine.Names() {
		h.routes[name] = route{most, computed(func(ctx context.Context, body []byte) ([]byte, error) {
			return h.Engine.Answer(ctx, name, body, nil)
		})}
	}
	h.routes["render"] = route{most, (*exchange).render}
	if h.Served != nil {
		h.routes["follow"] = route{most, (*exchange).follow}
		h.routes["save"] = route{most, (*exchange).save}
	}
	for _, other := range h.Others {
		for _, name := range other.Names {
			h.routes[name] = route{other.MaxBody, computed(func(ctx context.Context, body []byte) ([]byte, error) {
				data, malformed, err := other.Answer(ctx, name, body)
				if malformed != "" {
					return nil, refuse(http.StatusBadRequest, "%s", malformed)
				}
				return data, err
			})}
		}
	}
}

// computed returns what answers requests whose answers are computed as one JSON object.
func computed(compute func(ctx context.Context, body []byte) ([]byte, error)) func(*exchange, context.Context, []byte) error {
	return func(x *exchange, ctx context.Context, body []byte) error {
		if !x.working.acquire(ctx, waitWithin) {
			return x.busy("too many requests at the same time; try again")
		}
		defer x.working.giveBack()
		data, err := compute(ctx, body)
		if err != nil {
			return err
		}
		return x.send("application/json", http.StatusOK, data)
	}
}

// readPages reads files, whose paths begin with a folder.
func (h *Handler) readPages(folder string, files fs.FS) error {
	return fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		h.pages[folder+name] = page{data, mediaType(name), `"` + hex.EncodeToString(sum[:8]) + `"`}
		return nil
	})
}

// mediaType returns the media type of a file of the page. It does not use the operating system's table, which differs
// between machines.
func mediaType(name string) string {
	known := map[string]string{
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
		".json": "application/json", ".webmanifest": "application/manifest+json", ".svg": "image/svg+xml", ".png": "image/png",
		".wasm": "application/wasm", ".toml": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	}
	if t, ok := known[path.Ext(name)]; ok {
		return t
	}
	return "application/octet-stream"
}

// Server returns an HTTP server for the handler, with time limits for reading requests.
func (h *Handler) Server() *http.Server {
	return &http.Server{
		Handler:        h,
		ReadTimeout:    h.patience,
		IdleTimeout:    time.Minute,
		MaxHeaderBytes: 16 << 10,
		BaseContext:    func(net.Listener) context.Context { return h.ended },
		ConnContext:    h.open.keep,
		ConnState:      h.open.observe,
	}
}

// Close cancels all requests in progress; later requests are refused.
func (h *Handler) Close() {
	h.end(&play.Failure{Status: http.StatusServiceUnavailable, Message: "the server is shutting down"})
}

// turns is a counting semaphore.
type turns chan struct{}

// acquire waits for a turn. It returns false if none becomes free within the time, or if ctx ends first.
func (t turns) acquire(ctx context.Context, wait time.Duration) bool {
	select {
	case t <- struct{}{}:
		return true
	default:
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case t <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

func (t turns) giveBack() { <-t }

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		if v := recover(); v != nil && v != http.ErrAbortHandler {
			h.log(parallel.Recovered(v))
			panic(http.ErrAbortHandler)
		}
	}()
	head := w.Header()
	for key, value := range map[string]string{
		"Content-Security-Policy":      policy,
		"Cross-Origin-Opener-Policy":   "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Referrer-Policy":              "no-referrer",
		"X-Content-Type-Options":       "nosniff",
		"X-Frame-Options":              "DENY",
	} {
		head.Set(key, value)
	}
	x := &exchange{Handler: h, w: w, r: r, control: http.NewResponseController(w)}
	if err := x.answer(); err != nil {
		x.fail(err)
	}
}

func (h *Handler) log(err error) {
	if h.Log != nil {
		h.Log(err)
	}
}

// exchange is a request and its answer.
type exchange struct {
	*Handler
	w       http.ResponseWriter
	r       *http.Request
	control *http.ResponseController
	begun   bool // whether the response has begun
}

func refuse(status int, format string, args ...any) error {
	return &play.Failure{Status: status, Message: fmt.Sprintf(format, args...)}
}

func (x *exchange) answer() error {
	if h := x.r.Host; x.Token == "" && !loopback.Names(h) {
		return refuse(http.StatusForbidden, "requests must be for the host 127.0.0.1, [::1] or localhost, got %q", h)
	}
	if x.ended.Err() != nil {
		return context.Cause(x.ended)
	}
	// Files of the page need no turn: they are in memory, and a client that reads slowly is disconnected.
	name, ok := strings.CutPrefix(x.r.URL.Path, "/api/")
	if !ok {
		return x.page()
	}
	// Clients without the token take no turns.
	if err := x.admit(); err != nil {
		return err
	}
	x.open.admit(x.r.Context())
	if !x.requests.acquire(x.r.Context(), waitWithin) {
		return refuse(http.StatusServiceUnavailable, "too many requests at the same time; try again")
	}
	defer x.requests.giveBack()
	return x.api(name)
}

// page sends one file of the page.
func (x *exchange) page() error {
	p, ok := x.pages[x.r.URL.Path]
	switch {
	case x.r.Method != http.MethodGet && x.r.Method != http.MethodHead:
		x.w.Header().Set("Allow", "GET, HEAD")
		return refuse(http.StatusMethodNotAllowed, "want GET, got %s", x.r.Method)
	case !ok:
		return refuse(http.StatusNotFound, "there is no such page")
	}
	head := x.w.Header()
	head.Set("ETag", p.tag)
	head.Set("Cache-Control", "no-cache")
	if x.r.Header.Get("If-None-Match") == p.tag {
		x.w.WriteHeader(http.StatusNotModified)
		return nil
	}
	head.Set("Content-Length", fmt.Sprint(len(p.data)))
	if x.r.Method == http.MethodHead {
		x.begin(p.kind, http.StatusOK)
		return nil
	}
	return x.send(p.kind, http.StatusOK, p.data)
}

// api answers an admitted request to the engine or about the served file.
func (x *exchange) api(name string) error {
	route, known := x.routes[name]
	if !known {
		return refuse(http.StatusNotFound, "there is no request %q", name)
	}
	body, err := x.body(route.most)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(x.r.Context())
	defer cancel(nil)
	defer context.AfterFunc(x.ended, func() { cancel(context.Cause(x.ended)) })()
	defer alone(ctx, func() {
		cancel(&play.Failure{Status: http.StatusBadRequest, Message: "the client sent another request over this connection before the answer"})
	})()
	return route.answer(x, ctx, body)
}

// admit returns an error for requests that are not allowed or malformed.
func (x *exchange) admit() error {
	if x.r.Method != http.MethodPost {
		x.w.Header().Set("Allow", "POST")
		return refuse(http.StatusMethodNotAllowed, "want POST, got %s", x.r.Method)
	}
	if err := x.origins.Check(x.r); err != nil {
		return refuse(http.StatusForbidden, "requests from pages of another origin are not allowed")
	}
	if x.Token != "" {
		given, ok := strings.CutPrefix(x.r.Header.Get("Authorization"), "Bearer ")
		if !ok || subtle.ConstantTimeCompare([]byte(given), []byte(x.Token)) != 1 {
			x.w.Header().Set("WWW-Authenticate", "Bearer")
			return refuse(http.StatusUnauthorized, "the token is missing or wrong; open the address that the program printed")
		}
	}
	// A form on another site's page cannot send this media type.
	if kind, _, err := mime.ParseMediaType(x.r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		return refuse(http.StatusUnsupportedMediaType, "want Content-Type application/json")
	}
	return nil
}

// body reads the body of a request, which may have at most the given number of bytes.
func (x *exchange) body(most int) ([]byte, error) {
	// An error means that the writer does not support deadlines, as in tests.
	_ = x.control.SetReadDeadline(time.Now().Add(x.patience))
	body, err := io.ReadAll(http.MaxBytesReader(x.w, x.r.Body, int64(most)))
	if err == nil {
		_ = x.control.SetReadDeadline(time.Time{}) // later reads only detect that the client disconnects
		return body, nil
	}
	x.w.Header().Set("Connection", "close") // so that the server does not wait for the rest of the request
	if large := (*http.MaxBytesError)(nil); errors.As(err, &large) {
		return nil, refuse(http.StatusRequestEntityTooLarge, "a request must have at most %d bytes", most)
	}
	return nil, refuse(http.StatusBadRequest, "cannot read the request body")
}

func (x *exchange) busy(format string, args ...any) error {
	x.w.Header().Set("Retry-After", "1")
	return refuse(http.StatusTooManyRequests, format, args...)
}

// render sends the frames of a picture.
func (x *exchange) render(ctx context.Context, body []byte) error {
	if !x.renders.acquire(ctx, waitWithin) {
		return x.busy("%d pictures are being rendered, and that is the limit; try again", cap(x.renders))
	}
	defer x.renders.giveBack()
	_, err := x.Engine.Answer(ctx, "render", body, x.frame)
	return err
}

// frame sends a frame, preceded by its length.
func (x *exchange) frame(frame []byte) error {
	if !x.begun {
		x.w.Header().Set("Cache-Control", "no-store")
		x.begin("application/octet-stream", http.StatusOK)
	}
	_ = x.control.SetWriteDeadline(time.Now().Add(x.patience))
	if _, err := x.w.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(frame)))); err != nil {
		return &goneError{err}
	}
	if _, err := x.w.Write(frame); err != nil {
		return &goneError{err}
	}
	if err := x.control.Flush(); err != nil {
		return &goneError{err}
	}
	return nil
}

// goneError wraps the error of writing to a client that has disconnected.
type goneError struct{ error }

func (x *exchange) begin(kind string, status int) {
	x.begun = true
	x.w.Header().Set("Content-Type", kind)
	x.w.WriteHeader(status)
}

// send sends a complete answer.
func (x *exchange) send(kind string, status int, data []byte) error {
	_ = x.control.SetWriteDeadline(time.Now().Add(x.patience))
	if kind == "application/json" {
		x.w.Header().Set("Cache-Control", "no-store")
	}
	x.begin(kind, status)
	if _, err := x.w.Write(data); err != nil {
		return &goneError{err}
	}
	return nil
}

// fail reports an error to the client, unless it has disconnected.
func (x *exchange) fail(err error) {
	var gone *goneError
	left := errors.Is(err, context.Canceled) && x.r.Context().Err() != nil && x.ended.Err() == nil
	if left || errors.As(err, &gone) {
		return
	}
	f := play.FailureOf(err)
	if f.Status == play.StatusBroken {
		x.log(err)
	}
	if x.begun {
		// The status has been sent, so the error goes into a frame. If that fails, the client is gone.
		_ = x.frame(append([]byte{byte(play.FrameError)}, f.JSON()...))
		return
	}
	_ = x.send("application/json", f.Status, f.JSON())
}

type followRequest struct {
	Version string `json:"version"`
	Files   int    `json:"files"`
}

// follow answers with the state of the file as soon as it differs from the client's version, or after [followFor].
func (x *exchange) follow(ctx context.Context, body []byte) error {
	var r followRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return refuse(http.StatusBadRequest, "invalid request: %v", err)
	}
	if !x.follows.acquire(ctx, 0) {
		return x.busy("too many pages follow the file; try again later")
	}
	defer x.follows.giveBack()
	timer := time.NewTimer(followFor)
	defer timer.Stop()
	for {
		state, changed := x.Served.now()
		if state.Version != r.Version || state.Files != r.Files {
			return x.sendJSON(http.StatusOK, state)
		}
		select {
		case <-changed:
		case <-timer.C:
			return x.sendJSON(http.StatusOK, state)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (x *exchange) sendJSON(status int, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return x.send("application/json", status, data)
}

type saveRequest struct {
	Text    string `json:"text"`
	Version string `json:"version"` // of the file that the client edited
}

// conflict is the answer to a save that was refused because the file has changed.
type conflict struct {
	Error   *play.Failure `json:"error"`
	Text    string        `json:"text"`
	Version string        `json:"version"`
}

func (x *exchange) save(_ context.Context, body []byte) error {
	var r saveRequest
	if err := json.Unmarshal(body, &r); err != nil {
		return refuse(http.StatusBadRequest, "invalid request: %v", err)
	}
	state, err := x.Served.save(r.Text, r.Version)
	switch {
	case errors.Is(err, errChanged):
		f := &play.Failure{Message: "another program changed the file; nothing was saved"}
		return x.sendJSON(http.StatusConflict, conflict{f, state.Text, state.Version})
	case err != nil:
		return refuse(http.StatusUnprocessableEntity, "the file cannot be saved: %v", err)
	}
	return x.sendJSON(http.StatusOK, map[string]string{"version": state.Version})
}
