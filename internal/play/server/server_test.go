package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"pillbox/internal/command"
	"pillbox/internal/course/commands"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/play"
)

func pages() fs.FS {
	return fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html>page")},
		"js/main.js": {Data: []byte("//")},
		"a.wasm":     {Data: []byte("\x00asm")},
	}
}

func handler(t testing.TB, opt Options) *Handler {
	if opt.Engine == nil {
		engine := play.Options{Name: "http", Workers: 2}
		if opt.Served != nil {
			engine.File = opt.Served
		}
		opt.Engine = play.New(engine)
	}
	opt.Pages = pages()
	if opt.Log == nil {
		opt.Log = func(err error) { t.Errorf("logged: %v", err) }
	}
	h, err := NewHandler(opt)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// serve runs a server for the handler h until the test ends.
func serve(t testing.TB, h *Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(nil)
	s.Config = h.Server()
	s.Start()
	t.Cleanup(s.Close)
	t.Cleanup(h.Close)
	return s
}

// TestCourse checks that the server grades answers to questions of the course, refuses an unknown stage, and sends
// the figures of the course.
func TestCourse(t *testing.T) {
	h := handler(t, Options{Others: []*command.Requests{commands.Wing().Requests}})
	w := post(h, "course/grade", object{"stage": "sphere", "answers": []object{{"id": 0}}})
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `"report"`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := post(h, "course/grade", object{"stage": "none"}); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "no stage") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	large := object{"stage": "sphere", "answers": []object{{"id": 0, "why": strings.Repeat("x", 3<<20)}}}
	if w := post(h, "course/grade", large); w.Code != http.StatusOK {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	r := httptest.NewRequest("GET", "http://127.0.0.1:8080/figures/sphere-outside.png", nil)
	w = httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != http.StatusOK || w.Header().Get("Content-Type") != "image/png" {
		t.Errorf("%d %s", w.Code, w.Header())
	}
}

const ball = "[image]\nwidth = 64\nheight = 36\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n"

func body(request any) *bytes.Reader {
	data, err := json.Marshal(request)
	if err != nil {
		panic(err)
	}
	return bytes.NewReader(data)
}

type object = map[string]any

// post passes a request to the handler h directly, without a network.
func post(h http.Handler, name string, request any, change ...func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://127.0.0.1:8080/api/"+name, body(request))
	r.Header.Set("Content-Type", "application/json")
	for _, f := range change {
		f(r)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func with(key, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(key, value) }
}

func host(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }

// TestWhoMayAsk checks a server without a token. It must answer requests for loopback names of this machine. It
// must refuse requests for other host names, from other origins, and from forms.
func TestWhoMayAsk(t *testing.T) {
	h := handler(t, Options{})
	for _, test := range []struct {
		name   string
		status int
		change []func(*http.Request)
	}{
		{"plain", 200, nil},
		{"localhost", 200, []func(*http.Request){host("localhost:8080")}},
		{"IPv6", 200, []func(*http.Request){host("[::1]:8080")}},
		{"no port", 200, []func(*http.Request){host("127.0.0.1")}},
		{"same origin", 200, []func(*http.Request){with("Origin", "http://127.0.0.1:8080"), with("Sec-Fetch-Site", "same-origin")}},
		{"rebinding", 403, []func(*http.Request){host("evil.example:8080")}},
		{"rebinding with its origin", 403, []func(*http.Request){host("evil.example"), with("Origin", "http://evil.example")}},
		{"a name that looks local", 403, []func(*http.Request){host("localhost.evil.example")}},
		{"a name with an address", 403, []func(*http.Request){host("127.0.0.1.evil.example:80")}},
		{"another address", 403, []func(*http.Request){host("192.168.0.1:8080")}},
		{"no host", 403, []func(*http.Request){host("")}},
		{"another origin", 403, []func(*http.Request){with("Origin", "https://evil.example")}},
		{"another port", 403, []func(*http.Request){with("Origin", "http://127.0.0.1:9090")}},
		{"no origin", 403, []func(*http.Request){with("Origin", "null")}},
		{"cross-site", 403, []func(*http.Request){with("Sec-Fetch-Site", "cross-site")}},
		{"same site", 403, []func(*http.Request){with("Sec-Fetch-Site", "same-site")}},
		{"a form", 415, []func(*http.Request){with("Content-Type", "text/plain")}},
		{"another form", 415, []func(*http.Request){with("Content-Type", "application/x-www-form-urlencoded")}},
		{"no type", 415, []func(*http.Request){with("Content-Type", "")}},
		{"with charset", 200, []func(*http.Request){with("Content-Type", "application/json; charset=utf-8")}},
		{"GET", 405, []func(*http.Request){func(r *http.Request) { r.Method = "GET" }}},
		{"a token that is not required", 200, []func(*http.Request){with("Authorization", "Bearer x")}},
	} {
		if w := post(h, "check", object{"text": ball}, test.change...); w.Code != test.status {
			t.Errorf("%s: %d %s, want %d", test.name, w.Code, w.Body, test.status)
		} else if w.Header().Get("Content-Security-Policy") != policy || w.Header().Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: headers %v", test.name, w.Header())
		}
	}
}

// TestToken checks a server with a token. It must answer requests with the token for any host name. Requests
// without it may only load the page's own files.
func TestToken(t *testing.T) {
	const token = "0123456789abcdef"
	h := handler(t, Options{Token: token})
	for given, status := range map[string]int{"Bearer " + token: 200, "": 401, "Bearer": 401, "Bearer ": 401, token: 401, "Bearer 0123456789abcdeF": 401, "Basic " + token: 401} {
		if w := post(h, "check", object{"text": ball}, with("Authorization", given), host("tracer.example")); w.Code != status {
			t.Errorf("Authorization %q: %d, want %d", given, w.Code, status)
		}
	}
	if w := post(h, "check", object{}, with("Authorization", "Bearer "+token), with("Origin", "http://evil.example")); w.Code != 403 {
		t.Errorf("another origin that knows the token: %d", w.Code)
	}
	r := httptest.NewRequest("GET", "http://tracer.example/", nil)
	w := httptest.NewRecorder()
	if h.ServeHTTP(w, r); w.Code != 200 {
		t.Errorf("the page: %d", w.Code)
	}
}

// TestPages checks the media types of the page's files, and that other paths do not exist.
func TestPages(t *testing.T) {
	s := serve(t, handler(t, Options{}))
	for path, want := range map[string]string{"/": "text/html; charset=utf-8", "/index.html": "text/html; charset=utf-8", "/js/main.js": "text/javascript; charset=utf-8", "/a.wasm": "application/wasm"} {
		r, err := http.Get(s.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != 200 || r.Header.Get("Content-Type") != want || r.Header.Get("Content-Security-Policy") == "" || r.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %v", path, r.StatusCode, r.Header)
		}
		again, _ := http.NewRequest("GET", s.URL+path, nil)
		again.Header.Set("If-None-Match", r.Header.Get("ETag"))
		if r, err := http.DefaultClient.Do(again); err != nil || r.StatusCode != 304 {
			t.Errorf("%s again: %v %v", path, r, err)
		}
	}
	for _, path := range []string{"/js", "/js/", "/../server.go", "/..%2fserver.go", "/js/../../server.go", "//etc/passwd", "/etc/passwd", "/index.html/", "/%00", "/api", "/api/", "/api/../index.html"} {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n", path)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode < 400 || r.StatusCode > 499 {
			t.Errorf("%s: %v %v", path, r, err)
		}
		c.Close()
	}
	r, err := http.Post(s.URL+"/index.html", "application/json", strings.NewReader("{}"))
	if err != nil || r.StatusCode != 405 {
		t.Errorf("POST to a page: %v %v", r, err)
	}
}

// frames reads the frames of a render from r, and returns their types.
func frames(t *testing.T, r io.Reader) (types []byte) {
	for {
		var n uint32
		if err := binary.Read(r, binary.LittleEndian, &n); err != nil {
			return types
		}
		frame := make([]byte, n)
		if _, err := io.ReadFull(r, frame); err != nil {
			t.Fatal(err)
		}
		types = append(types, frame[0])
	}
}

func TestRender(t *testing.T) {
	s := serve(t, handler(t, Options{}))
	r, err := http.Post(s.URL+"/api/render", "application/json", body(object{"text": ball}))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	types := frames(t, r.Body)
	if n := len(types); n < 4 || types[0] != byte(play.FrameHead) || types[n-1] != byte(play.FrameDone) {
		t.Errorf("frames %v", types)
	}
	for request, status := range map[string]int{`{"text": "x ="}`: 422, `{"text": 3}`: 400, `{`: 400, `[]`: 400, `{"text": ""} {}`: 400, `{"text": "", "width": 100000}`: 422} {
		r, err := http.Post(s.URL+"/api/render", "application/json", strings.NewReader(request))
		if err != nil || r.StatusCode != status {
			t.Errorf("%s: %v %v, want %d", request, r, err, status)
		}
		var f struct{ Error struct{ Message string } }
		if err := json.NewDecoder(r.Body).Decode(&f); err != nil || f.Error.Message == "" {
			t.Errorf("%s: %v", request, err)
		}
		r.Body.Close()
	}
	large, err := http.Post(s.URL+"/api/check", "application/json", body(object{"text": strings.Repeat("#", 3<<20)}))
	if err != nil || large.StatusCode != 413 {
		t.Errorf("a large request: %v %v", large, err)
	}
}

// heavy is a scene that takes minutes to render.
const heavy = "[image]\nwidth = 2560\nheight = 1440\nantialias = 4\n[shading]\nbounces = 16\n[[light]]\ndirection = [0, -1, 0]\n" +
	"[[box]]\ncenter = [0, 0, 0]\nhalf_extents = [9, 9, 9]\n[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n[material.m]\nmirror = 1\n[[sphere]]\ncenter = [3, 0, 0]\nradius = 1\nmaterial = \"m\"\n[[sphere]]\ncenter = [-3, 0, 0]\nradius = 1\nmaterial = \"m\"\n[camera]\nposition = [0, 0, 8]\nlook_at = [0, 0, 0]\n"

// TestAbandoned checks that a request whose client disconnects at any time leaves no goroutine and does not count
// toward the limit of renders.
func TestAbandoned(t *testing.T) {
	h := handler(t, Options{Engine: play.New(play.Options{Workers: 2, Limits: play.Limits{Body: 1 << 20, Pixels: 1 << 23, Samples: 1 << 27, Solids: 1 << 10, Seconds: 600, Renders: 8}})})
	s := serve(t, h)
	before := runtime.NumGoroutine()
	request := body(object{"text": heavy})
	data, _ := io.ReadAll(request)
	address := s.Listener.Addr().String()
	each := effort.Of(4, 12, 125)
	var wg sync.WaitGroup
	for worker := range 8 {
		wg.Go(func() {
			for i := range each {
				abandon(t, address, data, (worker+i)%5)
			}
		})
	}
	wg.Wait()
	// Canceled requests end by themselves; this loop ends unless something leaks.
	for i := 0; runtime.NumGoroutine() > before || len(h.renders) > 0 || len(h.requests) > 0; i++ {
		if time.Sleep(5 * time.Millisecond); i > 4000 {
			var stacks [1 << 16]byte
			n := runtime.Stack(stacks[:], true)
			t.Fatalf("%d goroutines, before %d; %d renders\n%s", runtime.NumGoroutine(), before, len(h.renders), stacks[:n])
		}
	}
}

// abandon requests a picture, and disconnects while it sends the request, before the answer, or during the answer.
func abandon(t *testing.T, address string, data []byte, after int) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	fmt.Fprintf(c, "POST /api/render HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", len(data))
	if after == 0 {
		_, _ = c.Write(data[:len(data)/2])
		return
	}
	if _, err := c.Write(data); err != nil {
		t.Error(err)
	}
	if after > 1 {
		_, _ = io.CopyN(io.Discard, c, int64(after-1)*10_000)
	}
}

// TestPipelined checks that a client that sends requests behind one for a picture, and then leaves or stays, holds no turn.
func TestPipelined(t *testing.T) {
	h := handler(t, Options{Engine: play.New(play.Options{Workers: 2, Limits: play.Limits{Body: 1 << 20, Pixels: 1 << 23, Samples: 1 << 27, Solids: 1 << 10, Seconds: 600, Renders: 8}})})
	s := httptest.NewUnstartedServer(h)
	s.Config, s.Listener = h.Server(), Listener(s.Listener)
	s.Start()
	t.Cleanup(s.Close)
	data, _ := io.ReadAll(body(object{"text": heavy}))
	request := fmt.Sprintf("POST /api/render HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(data), data)
	for _, behind := range []string{"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", "x", strings.Repeat(request, 20)} {
		for _, together := range []bool{false, true} {
			c, err := net.Dial("tcp", s.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			if together {
				_, err = io.WriteString(c, request+behind)
			} else {
				_, err = io.WriteString(c, request)
				for len(h.renders) == 0 && err == nil {
					time.Sleep(time.Millisecond)
				}
				_, _ = io.WriteString(c, behind)
			}
			if err != nil {
				t.Fatal(err)
			}
			if together || len(behind) > len(request) {
				c.Close()
			} // otherwise the request ends although the client stays
			for i := 0; len(h.renders) > 0 || len(h.requests) > 0 || i < 20; i++ {
				if time.Sleep(5 * time.Millisecond); i > 4000 {
					t.Fatalf("%.20q behind a picture, together: %v: %d renders, %d requests", behind, together, len(h.renders), len(h.requests))
				}
			}
			c.Close()
		}
	}
}

// TestSlowClients checks that clients that stop sending or receiving are disconnected.
func TestSlowClients(t *testing.T) {
	h := handler(t, Options{})
	h.patience = 200 * time.Millisecond
	s := serve(t, h)
	for name, sent := range map[string]string{
		"no header":   "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\n",
		"no body":     "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{",
		"no chunk":    "POST /api/check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{",
		"no newline":  "POST",
		"refused":     "POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\n{",
		"not ours":    "POST /api/check HTTP/1.1\r\nHost: evil\r\nContent-Length: 100\r\n\r\n{",
		"a long name": "GET /" + strings.Repeat("a", 1<<16),
	} {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(c, sent)
		got, _ := io.ReadAll(c) // ends when the server closes the connection, or never
		c.Close()
		if len(got) > 0 && !bytes.HasPrefix(got, []byte("HTTP/1.1 4")) {
			t.Errorf("%s: %.40q, want nothing or a refusal", name, got)
		}
	}
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	large := body(object{"text": ball, "width": 3000, "height": 2500})
	fmt.Fprintf(c, "POST /api/render HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", large.Len())
	_, _ = io.Copy(c, large)
	for len(h.renders) == 0 {
		time.Sleep(time.Millisecond)
	}
	for i := 0; len(h.renders) > 0; i++ { // nothing is read
		if time.Sleep(5 * time.Millisecond); i > 4000 {
			t.Fatal("a client that reads nothing keeps its turn")
		}
	}
}

// TestTurns checks that renders beyond the limit are refused, with a time after which the client may retry.
func TestTurns(t *testing.T) {
	h := handler(t, Options{Engine: play.New(play.Options{Workers: 1, Limits: play.Limits{Body: 1 << 20, Pixels: 1 << 23, Samples: 1 << 27, Solids: 1 << 10, Seconds: 60, Renders: 1}})})
	h.renders <- struct{}{}
	if w := post(h, "render", object{"text": ball}); w.Code != 429 || w.Header().Get("Retry-After") == "" {
		t.Errorf("a render too many: %d %s", w.Code, w.Body)
	}
	<-h.renders
	if w := post(h, "render", object{"text": ball}); w.Code != 200 {
		t.Errorf("later: %d", w.Code)
	}
}

// closing is a response that closes the handler when its first byte is written.
type closing struct {
	*httptest.ResponseRecorder
	close func()
}

func (w closing) Write(data []byte) (int, error) {
	w.close()
	return w.ResponseRecorder.Write(data)
}

// TestClose closes the handler during a render. The last frame of the render must be an error, and later requests
// must be refused.
func TestClose(t *testing.T) {
	h := handler(t, Options{})
	r := httptest.NewRequest("POST", "http://127.0.0.1:8080/api/render", body(object{"text": heavy}))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(closing{w, h.Close}, r)
	said := w.Body.String()
	if types := frames(t, w.Body); len(types) < 2 || types[len(types)-1] != byte(play.FrameError) || !strings.Contains(said, "shutting down") {
		t.Errorf("frames %v, want an error at the end", types)
	}
	for _, name := range []string{"check", "render"} {
		if w := post(h, name, object{"text": ball}); w.Code != http.StatusServiceUnavailable {
			t.Errorf("%s after the end: %d", name, w.Code)
		}
	}
}

// broken is a file whose methods panic.
type broken struct{ play.File }

// TestPanic checks that a panic ends only the request that caused it. The details must be in the log and not in the
// answer.
func TestPanic(t *testing.T) {
	var logged []error
	h := handler(t, Options{Engine: play.New(play.Options{File: broken{}}), Log: func(err error) { logged = append(logged, err) }})
	w := post(h, "start", object{})
	if w.Code != 500 || strings.Contains(w.Body.String(), "nil pointer") || len(logged) != 1 {
		t.Errorf("%d %s, logged %v", w.Code, w.Body, logged)
	}
	if w := post(h, "check", object{"text": ball}); w.Code != 200 {
		t.Errorf("afterwards: %d", w.Code)
	}
}

// memory is a scene file and its folder in memory.
type memory struct {
	mu    sync.Mutex
	data  []byte
	files fstest.MapFS
	full  bool
}

func (m *memory) Read() ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		return nil, fs.ErrNotExist
	}
	return bytes.Clone(m.data), nil
}

func (m *memory) Write(data []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.full {
		return errors.New("the disk is full")
	}
	m.data = bytes.Clone(data)
	return nil
}

func (m *memory) Folder() fs.FS { return m.files }

func served(t *testing.T, m *memory) (*Served, *Handler) {
	s, err := NewServed("s.toml", m, 1000)
	if err != nil {
		t.Fatal(err)
	}
	return s, handler(t, Options{Served: s})
}

// TestSave checks that the scene is saved only if its file was removed or still has the version that the client edited.
func TestSave(t *testing.T) {
	disk := &memory{data: []byte(ball)}
	s, h := served(t, disk)
	version := s.State().Version
	var saved struct {
		Version, Text string
		Error         struct{ Message string }
	}
	save := func(text, version string) int {
		w := post(h, "save", object{"text": text, "version": version})
		if err := json.Unmarshal(w.Body.Bytes(), &saved); err != nil {
			t.Fatal(err)
		}
		return w.Code
	}
	if code := save("# mine\n", version); code != 200 || string(disk.data) != "# mine\n" || saved.Version == version {
		t.Fatalf("save: %d %q", code, disk.data)
	}
	disk.data = []byte("# theirs\n")
	if code := save("# again\n", saved.Version); code != 409 || string(disk.data) != "# theirs\n" || saved.Text != "# theirs\n" || saved.Error.Message == "" {
		t.Fatalf("save over a change: %d %+v, on the disk %q", code, saved, disk.data)
	}
	if code := save("# again\n", saved.Version); code != 200 || string(disk.data) != "# again\n" {
		t.Fatalf("save, knowing of the change: %d %q", code, disk.data)
	}
	disk.data = nil
	if code := save("# there again\n", saved.Version); code != 200 || string(disk.data) != "# there again\n" {
		t.Fatalf("save of a file that is gone: %d %q", code, disk.data)
	}
	if code := save("# again\n", saved.Version); code != 200 {
		t.Fatalf("save: %d", code)
	}
	disk.full = true
	if code := save("# full\n", saved.Version); code != 422 || string(disk.data) != "# again\n" || !strings.Contains(saved.Error.Message, "full") {
		t.Fatalf("save on a full disk: %d %+v", code, saved)
	}
	if code := save(strings.Repeat("#", 1001), saved.Version); code != 422 {
		t.Fatalf("save a large text: %d", code)
	}
	if w := post(handler(t, Options{}), "save", object{}); w.Code != 404 {
		t.Errorf("save without a file: %d", w.Code)
	}
	for _, bad := range []*memory{{data: []byte("\xff")}, {data: make([]byte, 1001)}, {}} {
		if _, err := NewServed("s.toml", bad, 1000); err == nil {
			t.Errorf("%q is served", bad.data)
		}
	}
}

// TestSaveOverOtherContents checks that saving never replaces a file that is too large or not UTF-8, because the
// page cannot show such a file. This must hold even if the request contains the version of that file.
func TestSaveOverOtherContents(t *testing.T) {
	for _, other := range []string{"caf\xe9 = 1\n", strings.Repeat("#", 1001)} {
		disk := &memory{data: []byte(ball)}
		s, h := served(t, disk)
		disk.data = []byte(other)
		for _, version := range []string{s.State().Version, versionOf([]byte(other))} {
			w := post(h, "save", object{"text": "# mine\n", "version": version})
			if w.Code != 422 || string(disk.data) != other {
				t.Errorf("save over %.10q: %d %s, and the disk holds %.10q", other, w.Code, w.Body, disk.data)
			}
		}
	}
}

// TestFollow checks that a page is notified when other programs change the scene or the files that it names.
func TestFollow(t *testing.T) {
	disk := &memory{data: []byte("[[bulk]]\nfile = \"a.csv\"\nshape = \"sphere\"\n"), files: fstest.MapFS{"a.csv": {Data: []byte("x,y,z,radius\n0,0,0,1\n")}}}
	s, h := served(t, disk)
	state := s.State()
	follow := func() (next play.FileState) {
		w := post(h, "follow", object{"version": state.Version, "files": state.Files})
		if err := json.Unmarshal(w.Body.Bytes(), &next); err != nil || w.Code != 200 {
			t.Fatalf("follow: %d %s", w.Code, w.Body)
		}
		return next
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		disk.mu.Lock()
		disk.data = append(disk.data, '\n')
		disk.mu.Unlock()
		s.Refresh()
	})
	if next := follow(); next.Version == state.Version || next.Text != state.Text+"\n" || next.Files != state.Files {
		t.Errorf("after a change: %+v", next)
	} else {
		state = next
	}
	wg.Wait()
	wg.Go(func() {
		disk.files["a.csv"] = &fstest.MapFile{Data: disk.files["a.csv"].Data, ModTime: time.Unix(1, 0)}
		s.Refresh()
	})
	if next := follow(); next.Version != state.Version || next.Files != state.Files+1 {
		t.Errorf("after a change of a.csv: %+v", next)
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	state = s.State()
	post(h, "follow", object{"version": state.Version, "files": state.Files}, func(r *http.Request) { *r = *r.WithContext(ctx) })
}

// TestFilesOfTheScene checks that a text from the page can read the files that the opened scene names, and no
// others.
func TestFilesOfTheScene(t *testing.T) {
	bulk := func(name string) string { return "[[bulk]]\nfile = \"" + name + "\"\nshape = \"sphere\"\n" }
	csv := &fstest.MapFile{Data: []byte("x,y,z,radius\n0,0,0,1\n")}
	disk := &memory{
		data: []byte("include = [\"parts/p.toml\"]\n" + bulk("a.csv")),
		files: fstest.MapFS{"a.csv": csv, "secret.csv": csv, "parts/b.csv": csv,
			"parts/p.toml": {Data: []byte("[[part.x.bulk]]\nfile = \"b.csv\"\nshape = \"sphere\"\n")}},
	}
	_, h := served(t, disk)
	for text, ok := range map[string]bool{
		string(disk.data): true,
		bulk("a.csv"):     true,
		"include = [\"parts/p.toml\"]\n[[place]]\npart = \"x\"\n": true,
		bulk("parts/b.csv"): true,
		bulk("secret.csv"):  false,
		bulk("../x.csv"):    false,
		bulk("sekret.csv"):  false,
	} {
		for _, isFile := range []bool{true, false} {
			w := post(h, "check", object{"text": text, "file": isFile})
			var a struct {
				Scene    any
				Problems []play.Problem
			}
			if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
				t.Fatal(err)
			}
			if (a.Scene != nil) != (ok && isFile) {
				t.Errorf("file %t, %q: %s", isFile, text, w.Body)
			}
			for _, p := range a.Problems {
				if p.Suggested != "" {
					t.Errorf("%q: the message lists the folder's files: %s", text, p.Suggested)
				}
			}
		}
	}
}

// TestSavingOpensNoFiles checks that saving does not give a client access to more files: only those that the scene
// named when it was opened. Other files must not even be quoted in error messages.
func TestSavingOpensNoFiles(t *testing.T) {
	const secret = "launch_code_4711"
	disk := &memory{
		data: []byte("include = [\"named.toml\"]\n"),
		files: fstest.MapFS{
			"named.toml":  {Data: []byte("[material.m]\ncolor = \"#fff\"\n")},
			"secret.csv":  {Data: []byte(secret + "\n")},
			"secret.toml": {Data: []byte(secret + " = 1\n")},
			"later.toml":  {Data: []byte(secret + " = 1\n")},
		},
	}
	s, h := served(t, disk)
	leaks := func(when string) {
		t.Helper()
		for _, text := range []string{
			"include = [\"secret.toml\"]\n", "include = [\"named.toml\", \"./secret.toml\"]\n", "include = [\"later.toml\"]\n",
			"[[bulk]]\nfile = \"secret.csv\"\nshape = \"sphere\"\n", "[[bulk]]\nfile = \"secret.toml\"\nshape = \"sphere\"\n",
			"[[part.p.bulk]]\nfile = \"secret.csv\"\nshape = \"sphere\"\n",
		} {
			version := s.State().Version
			if w := post(h, "save", object{"text": text, "version": version}); w.Code != 200 {
				t.Fatalf("%s: save: %d %s", when, w.Code, w.Body)
			}
			s.Refresh()
			for _, request := range []string{"check", "render", "plan", "solids"} {
				w := post(h, request, object{"text": text, "file": true})
				if strings.Contains(w.Body.String(), secret) {
					t.Errorf("%s: %s of %q reads the file: %s", when, request, text, w.Body)
				}
			}
			w := post(h, "check", object{"text": text, "file": true})
			if !strings.Contains(w.Body.String(), "restart 'render serve'") {
				t.Errorf("%s: check of %q does not say what to do: %s", when, text, w.Body)
			}
		}
	}
	leaks("opened")
	disk.files["named.toml"].Data = []byte("[[bulk]]\nfile = \"secret.csv\"\nshape = \"sphere\"\n")
	disk.data = []byte("include = [\"later.toml\"]\n")
	s.Refresh()
	leaks("changed by another program")
	if w := post(h, "check", object{"text": "include = [\"named.toml\"]\n", "file": true}); strings.Contains(w.Body.String(), secret) {
		t.Errorf("an included file names another one, which is read: %s", w.Body)
	}
}

// TestPolicyIsHeaderAndMeta checks the content security policy. It must be one line that is valid in a header and,
// without frame-ancestors, in the static page.
func TestPolicyIsHeaderAndMeta(t *testing.T) {
	if strings.ContainsAny(policy, "\n\r\"|&\\") || strings.Count(policy, "; frame-ancestors 'none'") != 1 || !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Errorf("the policy is %q", policy)
	}
	script, err := os.ReadFile("../../../scripts/web")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(script, []byte("default-src")) || !bytes.Contains(script, []byte("internal/play/server/policy.txt")) {
		t.Error("scripts/web has a policy of its own")
	}
}

// FuzzServer checks that an invalid request has a 4xx status, whatever its path and contents.
func FuzzServer(f *testing.F) {
	f.Add("POST", "/api/check", "application/json", "127.0.0.1", []byte(`{"text": 1}`))
	f.Add("POST", "/api/render", "application/json", "localhost:1", []byte(`{"text": "", "region": [0,0,-1,1]}`))
	f.Add("POST", "/api/save", "application/json", "[::1]", []byte(`{`))
	f.Add("GET", "/../../etc/passwd", "", "127.0.0.1", []byte{})
	f.Add("BREW", "/api/\x00", "a/b; c", "evil", []byte("\xff\xfe"))
	h := handler(f, Options{Engine: play.New(play.Options{Workers: 1, Limits: play.Limits{Body: 1 << 14, Pixels: 1 << 12, Samples: 1 << 14, Solids: 1 << 10, Seconds: 20, Renders: 4}})})
	f.Fuzz(func(t *testing.T, method, path, kind, host string, data []byte) {
		r := httptest.NewRequest("POST", "http://127.0.0.1/", bytes.NewReader(data))
		r.Method, r.URL.Path, r.Host = method, path, host
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		isPage := (method == "GET" || method == "HEAD") && h.pages[path].data != nil
		isRequest := json.Valid(data) && strings.HasPrefix(path, "/api/")
		if w.Code < 400 && !isPage && !isRequest || w.Code > 499 {
			t.Errorf("%q %q %q %q %q: %d %s", method, path, kind, host, data, w.Code, w.Body)
		}
	})
}
