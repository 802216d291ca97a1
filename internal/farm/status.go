//go:build !js && !plan9

package farm

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Status describes the jobs, workers and results of a farm.
type Status struct {
	Jobs    []JobStatus    `json:"jobs"`
	Workers []WorkerStatus `json:"workers"`
	Results int            `json:"results"`      // number of results on the server
	Bytes   uint64         `json:"result_bytes"` // total size of the results
}

// States of jobs.
const (
	stateRunning  = "running"
	statePaused   = "paused"
	stateDone     = "done"
	stateFailed   = "failed" // of a submitted job: some units cannot be rendered
	stateCanceled = "canceled"
	stateDamaged  = "damaged" // the record of the job cannot be read
)

// JobStatus describes one job. Done, Failed, Running and Waiting are numbers of units. Until the job is over, Failed
// is 0, and Done includes the units that cannot be rendered.
type JobStatus struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	State    string    `json:"state"` // running, paused, done, failed, canceled or damaged
	Started  time.Time `json:"started"`
	Priority int       `json:"priority"`
	Units    int       `json:"units"`
	Done     int       `json:"done"`
	Failed   int       `json:"failed"` // cannot be rendered
	Running  int       `json:"running"`
	Waiting  int       `json:"waiting"`
	Failure  string    `json:"failure,omitempty"` // in the state failed: why units cannot be rendered; in the state damaged: why the record cannot be read
	Left     float64   `json:"left_s"`            // estimated seconds until the job is done, at the rate of all workers; negative: unknown
}

// WorkerStatus describes one worker.
type WorkerStatus struct {
	ID      string         `json:"id"`
	Slots   int            `json:"slots"`
	Units   int            `json:"units"`   // number of units that the worker has finished, failed at or handed back
	Pixels  int            `json:"pixels"`  // number of pixels in these units
	Busy    float64        `json:"busy_s"`  // time spent on these units, in seconds, added over all slots
	Uptime  float64        `json:"up_s"`    // time since the worker started, in seconds
	Running map[string]int `json:"running"` // number of running units, by job
	Current []CurrentUnit  `json:"current"` // running units, the longest running first, at most 16
}

// state returns the status with which the worker replies to a ping.
func (w *Worker) state() WorkerStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := WorkerStatus{ID: w.id, Slots: w.Slots, Units: w.units, Pixels: w.pixels, Busy: w.busy.Seconds(),
		Uptime: time.Since(w.started).Seconds(), Running: make(map[string]int)}
	for _, r := range w.running {
		s.Running[r.job]++
	}
	s.Current = w.current()
	return s
}

const (
	maxWorkers = 1 << 14
	answerTime = 400 * time.Millisecond
)

// Status returns the state of the farm. It omits workers that do not reply within 0.4 seconds.
func (f *Farm) Status(ctx context.Context) (*Status, error) {
	s := &Status{Jobs: []JobStatus{}, Workers: []WorkerStatus{}}
	var err error
	if s.Workers, err = f.ping(); err != nil {
		return nil, err
	}
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return strings.Compare(a.ID, b.ID) })
	info, err := f.results.Info(ctx)
	if err != nil {
		return nil, err
	}
	s.Results, s.Bytes = int(info.State.Msgs), info.State.Bytes
	records, err := f.records(ctx, func(id string, err error) {
		s.Jobs = append(s.Jobs, JobStatus{ID: id, State: stateDamaged, Failure: err.Error(), Left: -1})
	})
	if err != nil {
		return nil, err
	}
	for id, r := range records {
		job, err := f.jobStatus(ctx, id, r, s.Workers)
		if err != nil {
			return nil, err
		}
		s.Jobs = append(s.Jobs, job)
	}
	slices.SortFunc(s.Jobs, func(a, b JobStatus) int { return a.Started.Compare(b.Started) })
	return s, nil
}

// ping returns the status of each worker that replies within answerTime.
func (f *Farm) ping() ([]WorkerStatus, error) {
	inbox, err := f.nc.SubscribeSync(f.nc.NewInbox())
	if err != nil {
		return nil, err
	}
	defer inbox.Unsubscribe()
	if err := f.nc.PublishRequest(pingSubject, inbox.Subject, nil); err != nil {
		return nil, err
	}
	all := []WorkerStatus{}
	for deadline := time.Now().Add(answerTime); len(all) < maxWorkers; {
		msg, err := inbox.NextMsg(time.Until(deadline))
		if err != nil {
			break
		}
		var w WorkerStatus
		if len(msg.Data) <= maxTask && unmarshal(msg.Data, &w) == nil {
			all = append(all, w)
		}
	}
	return all, nil
}

// jobStatus returns the status of a job. The numbers of running units come from the given workers.
func (f *Farm) jobStatus(ctx context.Context, id string, r jobRecord, workers []WorkerStatus) (JobStatus, error) {
	s := JobStatus{ID: id, Name: r.Name, Started: r.Started, Priority: r.Priority, Units: r.Units, Left: -1}
	info, err := f.tasks.Info(ctx, jetstream.WithSubjectFilter(taskSubject(id, ">")))
	if err != nil {
		return s, err
	}
	queued := len(info.State.Subjects)
	slots, busy, units := 0, 0.0, 0
	for _, w := range workers {
		s.Running += w.Running[s.ID]
		slots, busy, units = slots+w.Slots, busy+w.Busy, units+w.Units
	}
	s.Running = min(s.Running, queued)
	s.Done = max(0, r.Fed-queued)
	s.Failed = min(r.Failed, s.Done)
	s.Done -= s.Failed
	s.Waiting = max(0, s.Units-s.Done-s.Failed-s.Running)
	switch {
	case r.Canceled:
		s.State, s.Done, s.Failed = stateCanceled, 0, 0 // the units were removed from the queue, so the number of results cannot be derived from it
		return s, nil
	case r.Failure != "":
		s.State, s.Failure = stateFailed, r.Failure
	case s.Done == s.Units:
		s.State = stateDone
	case r.Paused:
		s.State = statePaused
		return s, nil
	default:
		s.State = stateRunning
	}
	if units > 0 && slots > 0 {
		s.Left = float64(s.Units-s.Done-s.Failed) * busy / float64(units) / float64(slots)
	}
	return s, nil
}
