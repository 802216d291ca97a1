//go:build !js && !plan9

package monitor

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"pillbox/internal/farm"
)

// metrics writes the status in the text format of Prometheus, version 0.0.4.
func (m *monitor) metrics(w http.ResponseWriter, r *http.Request) {
	s, err := m.current(r.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = w.Write(exposition(s))
}

// family is a metric with its samples.
type family struct {
	name, kind, help string
	samples          []sample
}

type sample struct {
	labels string // "" or {NAME="VALUE",...}
	value  float64
}

// labels formats pairs of a name and a value as the labels of a sample.
func labels(pairs ...string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	var all []string
	for i := 0; i < len(pairs); i += 2 {
		all = append(all, pairs[i]+`="`+escape.Replace(strings.ToValidUTF8(pairs[i+1], "\uFFFD"))+`"`)
	}
	return "{" + strings.Join(all, ",") + "}"
}

// exposition returns the metrics of a status in the text format of Prometheus.
func exposition(s *farm.Status) []byte {
	jobs := func(value func(j farm.JobStatus) float64) (all []sample) {
		for _, j := range s.Jobs {
			all = append(all, sample{labels("job", j.ID, "scene", j.Name, "state", j.State), value(j)})
		}
		return all
	}
	workers := func(value func(w farm.WorkerStatus) float64) (all []sample) {
		for _, w := range s.Workers {
			all = append(all, sample{labels("worker", w.ID), value(w)})
		}
		return all
	}
	var out bytes.Buffer
	for _, f := range []family{
		{"pillbox_farm_jobs", "gauge", "Jobs on the farm.", []sample{{"", float64(len(s.Jobs))}}},
		{"pillbox_farm_workers", "gauge", "Workers that answer.", []sample{{"", float64(len(s.Workers))}}},
		{"pillbox_farm_results", "gauge", "Results on the server.", []sample{{"", float64(s.Results)}}},
		{"pillbox_farm_results_bytes", "gauge", "Size of the results on the server.", []sample{{"", float64(s.Bytes)}}},
		{"pillbox_job_units", "gauge", "Units of the job.", jobs(func(j farm.JobStatus) float64 { return float64(j.Units) })},
		{"pillbox_job_units_failed", "gauge", "Units of the job that cannot be rendered, once it is over.", jobs(func(j farm.JobStatus) float64 { return float64(j.Failed) })},
		{"pillbox_job_units_done", "gauge", "Finished units of the job.", jobs(func(j farm.JobStatus) float64 { return float64(j.Done) })},
		{"pillbox_job_units_running", "gauge", "Units of the job that workers render.", jobs(func(j farm.JobStatus) float64 { return float64(j.Running) })},
		{"pillbox_worker_slots", "gauge", "Units that the worker renders at once.", workers(func(w farm.WorkerStatus) float64 { return float64(w.Slots) })},
		{"pillbox_worker_units_running", "gauge", "Units that the worker renders.", workers(func(w farm.WorkerStatus) float64 { return float64(sum(w.Running)) })},
		{"pillbox_worker_units_total", "counter", "Units that the worker has rendered.", workers(func(w farm.WorkerStatus) float64 { return float64(w.Units) })},
		{"pillbox_worker_pixels_total", "counter", "Pixels that the worker has rendered.", workers(func(w farm.WorkerStatus) float64 { return float64(w.Pixels) })},
		{"pillbox_worker_busy_seconds_total", "counter", "Time that the worker's slots have rendered.", workers(func(w farm.WorkerStatus) float64 { return w.Busy })},
	} {
		fmt.Fprintf(&out, "# HELP %s %s\n# TYPE %s %s\n", f.name, f.help, f.name, f.kind)
		for _, s := range f.samples {
			fmt.Fprintf(&out, "%s%s %s\n", f.name, s.labels, strconv.FormatFloat(s.value, 'g', -1, 64))
		}
	}
	return out.Bytes()
}
