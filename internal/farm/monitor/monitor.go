//go:build !js && !plan9

// Package monitor serves the state of a farm over HTTP: a page for people, metrics for Prometheus, and health probes.
package monitor

import (
	"bytes"
	"context"
	"crypto/subtle"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"image/png"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"pillbox/internal/farm"
	"pillbox/internal/loopback"
	"pillbox/internal/text"
)

//go:embed page.html
var files embed.FS

const (
	fresh        = 2 * time.Second // time for which a status is reused
	askTime      = 5 * time.Second // limit for handling a request
	previewWidth = 480             // pixels
	maxEvents    = 20              // shown for each job on the page of all jobs
	maxForm      = 1 << 12         // bytes
)

// monitor handles the requests. Safe for concurrent use.
type monitor struct {
	farm  *farm.Farm
	token string
	page  *template.Template

	mu     sync.Mutex
	status *farm.Status
	at     time.Time // of status
}

// New returns a handler that shows the farm to everyone who can reach it. If token is not "", requests that contain it can
// pause, resume and cancel jobs. A request that arrives at a loopback address must name this machine as its host. f must
// stay open while the handler is used.
//
//	GET /                    a page with jobs, workers and failures
//	GET /jobs/JOB            a page about one job
//	GET /jobs/JOB/preview    a small PNG of the finished parts of a picture
//	POST /jobs/JOB           with the fields token and do: pause, resume or cancel
//	GET /metrics             metrics in the text format of Prometheus
//	GET /healthz             200 if the program runs
//	GET /readyz              200 if the farm's server answers, else 503
func New(f *farm.Farm, token string) http.Handler {
	m := &monitor{farm: f, token: token}
	m.page = template.Must(template.New("page.html").Funcs(template.FuncMap{"seconds": seconds, "percent": percent, "rate": rate, "sum": sum, "short": short, "lines": lines, "visible": text.EscapeLines}).ParseFS(files, "page.html"))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", m.all)
	mux.HandleFunc("GET /jobs/{job}", m.one)
	mux.HandleFunc("GET /jobs/{job}/preview", m.preview)
	mux.HandleFunc("POST /jobs/{job}", m.control)
	mux.HandleFunc("GET /metrics", m.metrics)
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	mux.HandleFunc("GET /readyz", m.ready)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		if at, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && loopback.Names(at.String()) && !loopback.Names(r.Host) {
			http.Error(w, fmt.Sprintf("requests must be for the host 127.0.0.1, [::1] or localhost, got %q", r.Host), http.StatusForbidden)
			return
		}
		ctx, cancel := context.WithTimeout(r.Context(), askTime)
		defer cancel()
		mux.ServeHTTP(w, r.WithContext(ctx))
	})
}

// current returns the status of the farm. It reuses the last status if that is younger than fresh.
func (m *monitor) current(ctx context.Context) (*farm.Status, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.status != nil && time.Since(m.at) < fresh {
		return m.status, nil
	}
	s, err := m.farm.Status(ctx)
	if err == nil {
		m.status, m.at = s, time.Now()
	}
	return s, err
}

// view is the data of a page.
type view struct {
	Status  *farm.Status
	Job     *farm.JobStatus // nil: the page of all jobs
	Events  []event         // the newest first
	Control bool            // the page has buttons to control the job
	Error   string
}

// event is an entry of a job's log.
type event struct {
	farm.Event
	Job *farm.JobStatus
}

// add adds entries of a job's log.
func (v *view) add(j *farm.JobStatus, events []farm.Event) {
	for _, e := range events {
		v.Events = append(v.Events, event{e, j})
	}
}

func (m *monitor) all(w http.ResponseWriter, r *http.Request) {
	s, err := m.current(r.Context())
	if err != nil {
		m.write(w, http.StatusServiceUnavailable, view{Error: "The farm's server does not answer: " + err.Error()})
		return
	}
	v := view{Status: s}
	for i := range s.Jobs {
		j := &s.Jobs[i]
		events, err := m.farm.Log(r.Context(), j.ID)
		if err != nil {
			continue // it has just ended
		}
		v.add(j, events[max(0, len(events)-maxEvents):])
	}
	m.write(w, http.StatusOK, v)
}

func (m *monitor) one(w http.ResponseWriter, r *http.Request) {
	m.show(w, r, http.StatusOK, "")
}

// show writes the page about a job, with a message unless it is "".
func (m *monitor) show(w http.ResponseWriter, r *http.Request, status int, message string) {
	s, err := m.current(r.Context())
	if err != nil {
		m.write(w, http.StatusServiceUnavailable, view{Error: "The farm's server does not answer: " + err.Error()})
		return
	}
	for i := range s.Jobs {
		if s.Jobs[i].ID != r.PathValue("job") {
			continue
		}
		v := view{Status: s, Job: &s.Jobs[i], Control: m.token != "", Error: message}
		events, err := m.farm.Log(r.Context(), v.Job.ID)
		if err != nil {
			v.Error = err.Error()
		}
		v.add(v.Job, events)
		m.write(w, status, v)
		return
	}
	m.write(w, http.StatusNotFound, view{Status: s, Error: "There is no such job, or no longer."})
}

func (m *monitor) write(w http.ResponseWriter, status int, v view) {
	slices.SortStableFunc(v.Events, func(a, b event) int { return b.Time.Compare(a.Time) })
	var page bytes.Buffer
	if err := m.page.Execute(&page, v); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(page.Bytes())
}

func (m *monitor) preview(w http.ResponseWriter, r *http.Request) {
	img, err := m.farm.Preview(r.Context(), r.PathValue("job"), previewWidth)
	if errors.Is(err, farm.ErrNoPreview) {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	var file bytes.Buffer
	if err := png.Encode(&file, img); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "image/png")
	_, _ = w.Write(file.Bytes())
}

// control pauses, resumes or cancels a job if the request has the token.
func (m *monitor) control(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if m.token == "" || subtle.ConstantTimeCompare([]byte(r.PostFormValue("token")), []byte(m.token)) != 1 {
		m.show(w, r, http.StatusForbidden, "That is not the token of the farm.")
		return
	}
	do := map[string]func(context.Context, string) error{"pause": m.farm.Pause, "resume": m.farm.Resume, "cancel": m.farm.Cancel}[r.PostFormValue("do")]
	if do == nil {
		m.show(w, r, http.StatusBadRequest, "The field do must be pause, resume or cancel.")
		return
	}
	if err := do(r.Context(), r.PathValue("job")); err != nil {
		m.show(w, r, http.StatusConflict, err.Error())
		return
	}
	m.mu.Lock()
	m.status = nil // it has changed
	m.mu.Unlock()
	http.Redirect(w, r, r.URL.Path, http.StatusSeeOther)
}

func (m *monitor) ready(w http.ResponseWriter, r *http.Request) {
	if _, err := m.current(r.Context()); err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	fmt.Fprintln(w, "ok")
}

// seconds formats a time for people; a negative time is "unknown".
func seconds(s float64) string {
	if s < 0 {
		return "unknown"
	}
	return time.Duration(s * float64(time.Second)).Round(time.Second).String()
}

func percent(part, all int) int { return 100 * part / max(1, all) }

// rate returns the number of pixels that a slot renders per second, or "-" if the worker has rendered nothing.
func rate(w farm.WorkerStatus) string {
	if w.Busy == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f", float64(w.Pixels)/w.Busy)
}

// lines returns the lines of a text.
func lines(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

func sum(m map[string]int) int {
	n := 0
	for _, k := range m {
		n += k
	}
	return n
}

// short returns the beginning of an identifier or a key.
func short(id string) string { return id[:min(len(id), 12)] }
