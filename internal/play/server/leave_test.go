package server

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"pillbox/internal/command"
	"pillbox/internal/course/commands"
	"pillbox/internal/fixture/effort"
	"pillbox/internal/play"
)

// arranged is a scene whose annotations take a minute to arrange: each of many lines is tested against many solids.
func arranged() string {
	return "[image]\nwidth = 400\nheight = 300\n[camera]\nposition = [0, 0, 9]\nlook_at = [0, 0, 0]\n[[light]]\ndirection = [0, 0, -1]\n" +
		"[[label]]\ntext = \"a\"\nat = [0, 0, 2]\n[[sphere]]\ncenter = [0, 0, 1]\nradius = 1\n" +
		"[[place]]\npart = \"p\"\ncount = 60000\nstep = { position = [1e-5, 2e-5, 3e-5] }\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 1\n" +
		strings.Repeat("[[line]]\nfrom = [-9, 0, -5]\nto = [9, 0.1, 5]\nwidth = 9\ndepth = true\ndash = [0.1, 0.1]\n", 1000)
}

// wrongAnswers returns n answers of a learner's program to questions of the course, all wrong.
func wrongAnswers(n int) []object {
	all := make([]object, n)
	for i := range all {
		all[i] = object{"id": i, "t": 0.1 * float64(i), "object": i % 7, "normal": [3]float64{0.6, 0.8, 0}, "hit": i%3 == 0}
	}
	return all
}

// longRequests returns, for each request that can take long, one that takes a minute or more. The others, in short, take no
// longer than reading their scene. They are sent with a scene as large as a request may be.
func longRequests() (long, short map[string]object) {
	center := [2]int{200, 150}
	long = map[string]object{
		"suggest": {}, "labels": {}, "render": {}, "plan": {},
		"explain": {"pixel": center}, "diagram": {"pixel": center}, "outside": {"pixel": center, "size": [2]int{800, 600}, "samples": 4},
		"predict": {"pixel": center, "prediction": object{"kind": "hit"}}, "probe": {"x": 200, "y": 150},
		"figure": {"format": "pdf"}, "shift": {"by": [2]int{3, 3}},
	}
	for _, request := range long {
		request["text"], request["width"], request["height"] = arranged(), 400, 300
	}
	long["course/grade"] = object{"stage": "mirror", "count": 20_000, "answers": wrongAnswers(20_000)}
	large := ball + "[[place]]\npart = \"p\"\ncount = 200000\nstep = { position = [0.1, 0, 0] }\n[[part.p.sphere]]\ncenter = [0, 0, 0]\nradius = 0.01\n"
	large += strings.Repeat("[[sphere]]\ncenter = [0, 0, 0]\nradius = 1\n", (1<<21-len(large)-1000)/45)
	short = map[string]object{
		"check": {"text": large}, "solids": {"text": large, "numbers": make([]int, 1000)}, "camera": {"text": large, "orbit": [2]int{3, 3}},
		"move":     {"text": large, "from": [2]int{32, 18}, "to": [2]int{35, 18}},
		"edit":     {"text": large, "set": slices.Repeat([]object{{"key": "image.width", "value": 100}}, 32)},
		"steer":    {"text": large, "ray": [6]int{0, 0, 0, 1, 0, 0}, "from": [2]int{32, 18}, "to": [2]int{35, 18}},
		"complete": {"text": large, "position": len(large) / 2}, "hover": {"text": large, "position": len(large) / 2},
		"start": {}, "scenes": {}, "lesson": {"name": "sphere"}, "course/stages": {},
		"course/picture":   {"stage": "mirror", "answers": wrongAnswers(5400)},
		"course/questions": {"stage": "mirror", "count": 20_000},
	}
	return long, short
}

// TestClientsLeave sends each request in the table of routes, and leaves while it is answered, with further requests behind it
// or without. None may be refused, and those that take long must be canceled.
func TestClientsLeave(t *testing.T) {
	file := &memory{data: []byte(ball), files: fstest.MapFS{}}
	served, err := NewServed("s.toml", file, 1000)
	if err != nil {
		t.Fatal(err)
	}
	h := handler(t, Options{Engine: play.New(play.Options{Workers: 2, File: served}), Others: []*command.Requests{commands.Wing().Requests}, Served: served})
	long, short := longRequests()
	long["follow"] = object{"version": served.State().Version, "files": served.State().Files}
	short["save"] = object{"version": served.State().Version, "text": ball}
	var all []string
	for name, request := range long {
		all = append(all, name)
		leave(t, h, name, request, true)
	}
	for name, request := range short {
		all = append(all, name)
		leave(t, h, name, request, false)
	}
	slices.Sort(all)
	if routes := slices.Sorted(maps.Keys(h.routes)); !slices.Equal(all, routes) {
		t.Errorf("the test sends the requests %q, and the routes are %q", all, routes)
	}
}

// observer is a handler that reports what became of each request.
type observer struct {
	*Handler
	results chan string // what has been sent of an answer, including its status; "": nothing
}

func (o observer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	sent := &recorder{ResponseWriter: w}
	defer func() { o.results <- sent.status + sent.last }()
	o.Handler.ServeHTTP(sent, r)
}

// recorder records the status of an answer, and the beginning of the last data that were sent of it.
type recorder struct {
	http.ResponseWriter
	status, last string
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *recorder) WriteHeader(status int) {
	r.status = fmt.Sprintf("%d ", status)
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(data []byte) (int, error) {
	r.last = string(data[:min(len(data), 1000)])
	return r.ResponseWriter.Write(data)
}

// leave sends a request, leaves when it has been in progress for a while, and waits until it ends. It must not have been
// refused, and must have been canceled if it takes long. Then no request may have a turn.
func leave(t *testing.T, h *Handler, name string, request object, isLong bool) {
	t.Helper()
	data, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	message := fmt.Sprintf("POST /api/%s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", name, len(data), data)
	for _, behind := range effort.Some(t, 1, []string{"", message}) {
		result, after := observe(t, h, message, behind)
		isCanceled := result == "" || behind != "" && strings.Contains(result, "another request over this connection")
		switch isAnswered := strings.HasPrefix(result, "200 "); {
		case isAnswered && name == "render" && !strings.Contains(result, `"seconds"`), isAnswered && !isLong, isCanceled:
		case isAnswered:
			t.Errorf("%s: the request was not canceled when its client left", name)
		default:
			t.Errorf("%s: the request was refused: %.300s", name, result)
		}
		t.Logf("%s: ends %.3f s after its client", name, after.Seconds())
		if n := len(h.requests) + len(h.renders) + len(h.working) + len(h.follows); n > 0 {
			t.Fatalf("%s: %d turns are taken after the client has left", name, n)
		}
	}
}

// observe sends a message to a server for h, and leaves after a while or when it is answered, with further requests behind it.
// It returns what the handler has sent, and how long it ran after the client had left.
func observe(t *testing.T, h *Handler, message, behind string) (result string, after time.Duration) {
	t.Helper()
	o := observer{h, make(chan string, 2)}
	s := httptest.NewUnstartedServer(nil)
	config, listener := h.Server(), Listener(s.Listener)
	config.Handler = o
	s.Config, s.Listener = config, listener
	s.Start()
	defer s.Close()
	c, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c, message); err != nil {
		t.Fatal(err)
	}
	answered := make(chan struct{})
	go func() {
		defer close(answered)
		_, _ = io.Copy(io.Discard, c)
	}()
	select {
	case result = <-o.results:
		o.results <- result
	case <-time.After(300 * time.Millisecond): // long enough to be in the middle of it
	}
	_, _ = io.WriteString(c, behind)
	left := time.Now()
	c.Close()
	select {
	case result = <-o.results:
	case <-time.After(5 * time.Minute): // a request that is not canceled is answered, or refused, long before
		t.Fatalf("a request is in progress after its client has left: %.200s", message)
	}
	after = time.Since(left)
	<-answered
	return result, after
}
