//go:build !js && !plan9

package monitor_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"pillbox"
	"pillbox/internal/farm"
	"pillbox/internal/farm/monitor"
	"pillbox/scene"
)

const token = "a token of the farm"

// newFarm starts a new farm, and returns a connection to it and a function that stops its server.
func newFarm(t *testing.T) (f *farm.Farm, stop func()) {
	t.Helper()
	f, srv := newFarmOn(t)
	return f, func() { srv.Shutdown(); srv.WaitForShutdown() }
}

// newFarmOn starts a new farm, and returns a connection to it and its server, which is stopped when the test ends.
func newFarmOn(t *testing.T) (*farm.Farm, *server.Server) {
	t.Helper()
	srv, err := server.NewServer(&server.Options{DontListen: true, JetStream: true, StoreDir: t.TempDir(), NoSigs: true, NoLog: true, MaxPayload: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	srv.Start()
	if !srv.ReadyForConnections(10 * time.Second) {
		t.Fatal("no server")
	}
	t.Cleanup(func() { srv.Shutdown(); srv.WaitForShutdown() })
	f, err := farm.Connect(t.Context(), "test", farm.Access{Server: srv})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Close)
	return f, srv
}

// submit submits a picture of a ball under the given name, and returns the job's identifier.
func submit(t *testing.T, f *farm.Farm, name string) string { return submitOf(t, f, name, 1) }

// submitOf submits a picture of a ball with the given radius, and returns the job's identifier. Different radii
// give different jobs.
func submitOf(t *testing.T, f *farm.Farm, name string, radius float64) string {
	t.Helper()
	text := fmt.Sprintf("image = { width = 80, height = 60 }\n[[sphere]]\ncenter = [0, 0, 0]\nradius = %v\n", radius)
	s, err := scene.Decode(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	shot, err := farm.NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := f.Open(t.Context(), &farm.Source{Data: []byte(text)}, s, []farm.Shot{shot}, farm.JobOptions{Name: name, Detached: true})
	if err != nil {
		t.Fatal(err)
	}
	j.Close()
	return j.ID
}

func get(t *testing.T, h http.Handler, path string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
	body, err := io.ReadAll(w.Result().Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.Code, string(body)
}

func post(t *testing.T, h http.Handler, path string, fields url.Values) int {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code
}

// TestPageShowsJobs checks that pages show the names of jobs as text, even if these contain HTML. With a token,
// pages must have a form to control the job. Control and direction characters must be visible.
func TestPageShowsJobs(t *testing.T) {
	f, _ := newFarm(t)
	id := submit(t, f, "<b>ball</b>\u202e\x1b[31m.toml")
	h := monitor.New(f, token)
	for _, path := range []string{"/", "/jobs/" + id} {
		status, body := get(t, h, path)
		if strings.ContainsAny(body, "\u202e\x1b") || !strings.Contains(body, `\u202e\x1b[31m.toml`) {
			t.Errorf("%s shows control or direction characters: %q", path, body)
		}
		if status != http.StatusOK || !strings.Contains(body, "&lt;b&gt;ball") || strings.Contains(body, "<b>") || !strings.Contains(body, id) || strings.Contains(body, token) {
			t.Errorf("%s: status %d: %s", path, status, body)
		}
		if got := strings.Contains(body, "<form"); got != (path != "/") {
			t.Errorf("%s has a form: %v", path, got)
		}
	}
	if _, body := get(t, monitor.New(f, ""), "/jobs/"+id); strings.Contains(body, "<form") {
		t.Error("without a token there is a form")
	}
	for _, path := range []string{"/jobs/none", "/jobs/none/preview", "/none"} {
		if status, _ := get(t, h, path); status != http.StatusNotFound {
			t.Errorf("%s: status %d", path, status)
		}
	}
}

// TestPageNeedsTheToken checks that requests without the token change nothing.
func TestPageNeedsTheToken(t *testing.T) {
	f, _ := newFarm(t)
	id := submit(t, f, "ball.toml")
	state := func() string {
		s, err := f.Status(t.Context())
		if err != nil || len(s.Jobs) != 1 {
			t.Fatal(s, err)
		}
		return s.Jobs[0].State
	}
	h := monitor.New(f, token)
	for _, test := range []struct {
		handler   http.Handler
		token, do string
		status    int
		state     string
	}{
		{h, "", "cancel", http.StatusForbidden, "running"},
		{h, "a token of the far", "cancel", http.StatusForbidden, "running"},
		{monitor.New(f, ""), "", "cancel", http.StatusForbidden, "running"},
		{h, token, "delete", http.StatusBadRequest, "running"},
		{h, token, "pause", http.StatusSeeOther, "paused"},
		{h, token, "resume", http.StatusSeeOther, "running"},
		{h, token, "cancel", http.StatusSeeOther, "canceled"},
	} {
		status := post(t, test.handler, "/jobs/"+id, url.Values{"token": {test.token}, "do": {test.do}})
		if got := state(); status != test.status || got != test.state {
			t.Errorf("%q with %q: status %d, and the job is %s, want %d and %s", test.do, test.token, status, got, test.status, test.state)
		}
	}
	if status := post(t, h, "/jobs/none", url.Values{"token": {token}, "do": {"pause"}}); status != http.StatusNotFound {
		t.Errorf("a job that does not exist: status %d", status)
	}
}

// TestPreview checks that the preview of a finished job is its picture, and that a job without results has none.
func TestPreview(t *testing.T) {
	f, _ := newFarm(t)
	id := submit(t, f, "ball.toml")
	h := monitor.New(f, "")
	if status, body := get(t, h, "/jobs/"+id+"/preview"); status != http.StatusNoContent || body != "" {
		t.Errorf("status %d: %q", status, body)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- (&farm.Worker{Farm: f, Slots: 1}).Run(ctx) }()
	defer func() { cancel(); <-ended }()
	j, err := f.Attach(t.Context(), id, farm.JobOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer j.Close()
	film, err := j.Picture(t.Context(), 0, pillbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	status, body := get(t, h, "/jobs/"+id+"/preview")
	img, err := png.Decode(strings.NewReader(body))
	if status != http.StatusOK || err != nil || img.Bounds() != film.Image.Bounds() {
		t.Fatalf("status %d, %v", status, err)
	}
	for y := range film.Image.Rect.Dy() {
		for x := range film.Image.Rect.Dx() {
			if got, want := img.At(x, y), film.Image.At(x, y); got != want {
				r, g, b, a := got.RGBA()
				wr, wg, wb, wa := want.RGBA()
				if r != wr || g != wg || b != wb || a != wa {
					t.Fatalf("pixel %d,%d is %v, want %v", x, y, got, want)
				}
			}
		}
	}
}

// TestMetrics checks that the metrics, in the text format of Prometheus, contain every job and worker.
func TestMetrics(t *testing.T) {
	f, _ := newFarm(t)
	id := submit(t, f, "a \"ball\"\\\n.toml")
	status, body := get(t, monitor.New(f, ""), "/metrics")
	want := `pillbox_job_units{job="` + id + `",scene="a \"ball\"\\\n.toml",state="running"} 1` + "\n"
	if status != http.StatusOK || !strings.Contains(body, want) || !strings.Contains(body, "\npillbox_farm_workers 0\n") {
		t.Errorf("status %d: %s, want %s", status, body, want)
	}
	kinds := make(map[string]bool)
	for line := range strings.Lines(body) {
		name, value, ok := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "# TYPE "):
			kinds[strings.Fields(line)[2]] = true
		case strings.HasPrefix(line, "# HELP "):
		case !ok || strings.TrimSpace(value) == "" || !kinds[strings.SplitN(name, "{", 2)[0]]:
			t.Errorf("the line %q", line)
		}
	}
}

// TestHealth stops the farm's server. Then /healthz must still succeed, and /readyz, the pages and the metrics must
// fail.
func TestHealth(t *testing.T) {
	f, stop := newFarm(t)
	h := monitor.New(f, "")
	for _, path := range []string{"/healthz", "/readyz"} {
		if status, body := get(t, h, path); status != http.StatusOK || body != "ok\n" {
			t.Errorf("%s: status %d: %s", path, status, body)
		}
	}
	stop()
	h = monitor.New(f, "") // without a status that is still fresh
	for path, want := range map[string]int{"/healthz": 200, "/readyz": 503, "/": 503, "/metrics": 503, "/jobs/x": 503} {
		w := httptest.NewRecorder()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // so that the requests do not wait longer for the server
		h.ServeHTTP(w, httptest.NewRequestWithContext(ctx, http.MethodGet, path, nil))
		cancel()
		if w.Code != want || bytes.Contains(w.Body.Bytes(), []byte("panic")) {
			t.Errorf("%s: status %d, want %d", path, w.Code, want)
		}
	}
}

// TestPageNamesJobsOfFailures checks the failures on the page of all jobs: each has a link to its job, and the
// newest is first.
func TestPageNamesJobsOfFailures(t *testing.T) {
	f, srv := newFarmOn(t)
	client, err := nats.Connect("", nats.InProcessServer(srv))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	order := []string{"a.toml", "b.toml", "a.toml"}
	ids := map[string]string{"a.toml": submit(t, f, "a.toml"), "b.toml": submitOf(t, f, "b.toml", 0.5)}
	for i, name := range order {
		subject := fmt.Sprintf("pillbox.log.%s.%d", ids[name], i)
		if _, err := client.Request(subject, fmt.Appendf(nil, `{"worker":"w","error":"failure %d"}`, i), 5*time.Second); err != nil {
			t.Fatal(err)
		}
	}
	_, body := get(t, monitor.New(f, ""), "/")
	rows := strings.Split(body, "<tr>")
	for i, name := range order {
		row := rows[len(rows)-1-i]
		if link := `<a href="/jobs/` + ids[name] + `">` + name + `</a>`; !strings.Contains(row, fmt.Sprintf("failure %d", i)) || !strings.Contains(row, link) {
			t.Errorf("the row %q lacks failure %d or %s", row, i, link)
		}
	}
	if _, body := get(t, monitor.New(f, ""), "/jobs/"+ids["a.toml"]); !strings.Contains(body, "failure 0") || strings.Contains(body, "failure 1") || strings.Contains(body, "<th>Job</th>") {
		t.Errorf("the page of a job has failures of another, or names the job of each: %s", body)
	}
}

// TestPageChecksTheHost checks that a server on a loopback address refuses other hosts: a page of another site could make
// its own name resolve to this address.
func TestPageChecksTheHost(t *testing.T) {
	f, stop := newFarm(t)
	defer stop()
	s := httptest.NewServer(monitor.New(f, ""))
	defer s.Close()
	port := s.URL[strings.LastIndex(s.URL, ":"):]
	for host, want := range map[string]int{
		"127.0.0.1" + port: http.StatusOK, "localhost" + port: http.StatusOK, "[::1]" + port: http.StatusOK, "127.0.0.1": http.StatusOK,
		"evil.example" + port: http.StatusForbidden, "127.0.0.1.evil.example": http.StatusForbidden, "localhost.evil.example" + port: http.StatusForbidden, "10.0.0.1": http.StatusForbidden,
	} {
		r, err := http.NewRequest(http.MethodGet, s.URL+"/healthz", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		got, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		got.Body.Close()
		if got.StatusCode != want {
			t.Errorf("host %s: %d, want %d", host, got.StatusCode, want)
		}
	}
}
