//go:build !js && !plan9

package farm

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A unit that fails goes to another worker: the news about the unit contain which workers have tried it, and those hand it
// back. A unit fails for good when no other worker is left, several times over. A worker that fails at what others
// render, or whose results are damaged, is excluded.
const (
	// maxTries is the number of workers that may fail at a unit, or vanish with it, in a round.
	maxTries = 5

	// maxRounds is how often a unit is given to all workers before it fails for good: what is wrong may pass.
	maxRounds = 3

	// maxFaults is the number of faults of a worker after which it is excluded.
	maxFaults = 3
)

// blame is what a job knows about failures. Except for reviewed, its fields are guarded by the job's lock.
type blame struct {
	faults   map[string]int    // of workers: units at which they failed and others did not
	excluded map[string]string // workers that are to leave, with the reasons, until that is announced
	named    map[string]bool   // workers whose first failure was logged
	reviewed time.Time
}

func newBlame() blame {
	return blame{faults: make(map[string]int), excluded: make(map[string]string), named: make(map[string]bool)}
}

// attempts is what a job knows about failures of a unit.
type attempts struct {
	tried   []string          // workers that have tried it in this round, as they say; perhaps one of them has it
	back    map[string]bool   // those of them that have it no more
	failed  map[string]string // the errors of workers, in all rounds
	rounds  int               // that are over
	since   time.Time         // when no worker was left that had not tried it; zero: there are some
	gone    bool              // it is not in the queue and must be put back
	refused int               // how often the queue had it nevertheless
}

// heard takes what a worker says about its attempt at a unit. The caller holds the lock.
func (j *Job) heard(w *work, n news) {
	if w.state != waiting {
		return
	}
	if !slices.Equal(w.tried, n.Tried) {
		w.tried, w.since = n.Tried, time.Time{}
	}
	if n.Back && slices.Contains(w.tried, n.Worker) {
		if w.back == nil {
			w.back = make(map[string]bool)
		}
		w.back[n.Worker] = true
	}
	if n.Error != "" {
		j.failedAt(w, n.Worker, n.Error)
	}
	if n.Final {
		w.gone = true
		j.nudge()
	}
}

// failedAt notes the error of a worker at a unit. The caller holds the lock.
func (j *Job) failedAt(w *work, worker, text string) {
	if w.failed == nil {
		w.failed = make(map[string]string)
	}
	if len(w.failed) < maxErrors {
		w.failed[worker] = text
	}
	if !j.named[worker] {
		j.named[worker] = true
		j.log("worker %s cannot render unit %.12s...: %s; another worker gets it", worker, w.key, text)
	}
}

// finished blames the workers that failed at a unit which another one has rendered. The caller holds the lock.
func (j *Job) finished(w *work) {
	for worker, text := range w.failed {
		if worker == w.worker {
			continue
		}
		if j.faults[worker]++; j.faults[worker] == maxFaults {
			j.excluded[worker] = "it fails at units that other workers render: " + text
			j.nudge()
		}
		delete(w.failed, worker)
	}
	w.tried, w.back, w.since, w.gone = nil, nil, time.Time{}, false
}

// review excludes workers with many faults, puts units back that are not in the queue, and decides about those
// that no worker is left for.
func (j *Job) review() error {
	j.mu.Lock()
	excluded := maps.Clone(j.excluded)
	clear(j.excluded)
	var tried, gone []*work
	for _, w := range j.byKey {
		switch {
		case w.state != waiting:
		case w.gone:
			gone = append(gone, w)
		case len(w.tried) > 0:
			tried = append(tried, w)
		}
	}
	j.mu.Unlock()
	for worker, reason := range excluded {
		j.log("worker %s is excluded: %s", worker, reason)
		if _, err := j.farm.jobs.Put(j.ctx, bannedKey(worker), []byte(reason)); err != nil {
			return err
		}
	}
	for _, w := range gone {
		if err := j.putBack(w); err != nil {
			return err
		}
	}
	if len(gone) > 0 {
		j.tell(j.farm.wake())
	}
	if len(tried) == 0 || time.Since(j.reviewed) < j.farm.lease/4 {
		return nil
	}
	j.reviewed = time.Now()
	workers, err := j.farm.ping()
	if err != nil || len(workers) == 0 {
		return err
	}
	for _, w := range tried {
		if err := j.decide(w, workers); err != nil {
			return err
		}
	}
	return nil
}

// putBack puts a unit into the queue. The queue refuses it while the worker that had it last has not taken it out.
func (j *Job) putBack(w *work) error {
	const most = 40 // then somebody else has put it back
	j.mu.Lock()
	o := order{task: j.plan.task(w.Unit), Group: j.group, Tried: w.tried}
	j.mu.Unlock()
	_, err := j.farm.js.Publish(j.ctx, taskSubject(j.ID, w.key), marshal(o), jetstream.WithRetryAttempts(0))
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case err == nil || w.refused == most:
		w.gone, w.refused = false, 0
	case isAlreadyThere(err):
		w.refused++
		time.AfterFunc(250*time.Millisecond, j.nudge)
		return nil
	}
	return err
}

// decide begins another round for a unit, or lets it fail, if there has been no worker left to try it for as long as a lease,
// in which others could have come.
func (j *Job) decide(w *work, workers []WorkerStatus) error {
	j.mu.Lock()
	enough := len(w.tried) >= maxTries
	left := slices.ContainsFunc(workers, func(s WorkerStatus) bool {
		return !w.back[s.ID] && (!enough || slices.Contains(w.tried, s.ID))
	})
	switch {
	case w.state != waiting || left:
		w.since = time.Time{}
	case w.since.IsZero():
		w.since = time.Now()
	}
	over := !w.since.IsZero() && time.Since(w.since) > j.farm.lease
	j.mu.Unlock()
	if !over {
		return nil
	}
	if err := j.farm.tasks.Purge(j.ctx, jetstream.WithPurgeSubject(taskSubject(j.ID, w.key))); err != nil {
		return err
	}
	if err := j.farm.tell(j.ctx, j.ID, w.key, news{Worker: coordinator}); err != nil { // from now on, nobody has tried it
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if w.state != waiting {
		return nil
	}
	w.tried, w.back, w.since = nil, nil, time.Time{}
	if w.rounds++; w.rounds < maxRounds && !enough {
		w.gone = true
		j.nudge()
		return nil
	}
	w.state = failed
	j.open--
	j.touch()
	return nil
}

// nudge has the job reviewed soon.
func (j *Job) nudge() {
	select {
	case j.nudged <- struct{}{}:
	default:
	}
}

// reasons returns why a unit failed.
func (w *work) reasons() string {
	var all []string
	for _, worker := range slices.Sorted(maps.Keys(w.failed)) {
		all = append(all, fmt.Sprintf("worker %s: %s", worker, w.failed[worker]))
	}
	if len(all) == 0 {
		all = append(all, fmt.Sprintf("%d workers took it and vanished", maxTries))
	}
	return strings.Join(append(all, w.errors...), "; ")
}

// tried returns the workers that have tried a unit in this round: according to the last news, or else to its order.
func (f *Farm) tried(ctx context.Context, job, key string, o *order) []string {
	msg, err := f.news.GetLastMsgForSubject(ctx, newsSubject(job, key))
	if err != nil { // there may be no news
		return o.Tried
	}
	var n news
	if len(msg.Data) > maxNews || unmarshal(msg.Data, &n) != nil {
		return o.Tried
	}
	return n.Tried
}

// tell publishes news about a unit.
func (f *Farm) tell(ctx context.Context, job, key string, n news) error {
	_, err := f.js.Publish(ctx, newsSubject(job, key), marshal(n))
	return err
}

func newsSubject(job, key string) string { return "pillbox.news." + job + "." + key }

// bannedKey returns the key under which the jobs bucket keeps why a worker is excluded.
func bannedKey(worker string) string { return "banned." + worker }

// with returns a list of workers with another one appended, or the last maxTries of that.
func with(workers []string, worker string) []string {
	all := append(slices.Clone(workers), worker)
	return all[max(0, len(all)-maxTries):]
}
