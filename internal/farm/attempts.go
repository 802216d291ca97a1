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

// If a worker fails at a unit, another worker tries it. The latest news about the unit (see type news) lists the
// workers that have tried the unit in this round. If the server delivers the unit to one of them again, that worker
// hands it back. A round ends when no worker is left that could try the unit.
//
// The unit fails for good after maxRounds rounds, or after a round in which maxTries workers have tried it. A worker
// that fails at units, or delivers damaged results for them, is excluded if other workers then render maxFaults of
// these units.
const (
	// maxTries is the largest number of workers that try a unit in one round. A worker's attempt ends when it fails, or
	// disappears while it has the unit.
	maxTries = 5

	// maxRounds is the number of rounds for a unit. There are several because the cause of a failure can be temporary.
	maxRounds = 3

	// maxFaults is the number of faults after which a worker is excluded.
	maxFaults = 3
)

// blame records the failures of workers in one job. The lock of the job guards its fields, except for reviewed.
type blame struct {
	faults   map[string]int    // by worker: the number of units at which it failed and that another worker rendered
	excluded map[string]string // workers to exclude, with the reasons; review writes them to the server and clears the map
	named    map[string]bool   // workers whose first failure was logged
	reviewed time.Time         // when review last looked for units that no worker is left to try
}

func newBlame() blame {
	return blame{faults: make(map[string]int), excluded: make(map[string]string), named: make(map[string]bool)}
}

// attempts records the attempts of workers at one unit.
type attempts struct {
	tried   []string          // workers that have tried the unit in this round, according to the news; the last one may still be rendering it
	back    map[string]bool   // workers in tried that have handed the unit back
	failed  map[string]string // errors, by worker, of all rounds
	rounds  int               // number of finished rounds
	since   time.Time         // when decide first found that no worker is left to try the unit; zero: a worker is left
	refused int               // how many times the queue refused the unit because it still contained an older order for it
}

// heard handles a worker's news about its attempt at a unit. The caller holds the lock.
func (j *Job) heard(w *work, n news) {
	if !w.state.waits() {
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
		j.apply(w, removed)
		j.nudge()
	}
}

// failedAt records that a worker failed at a unit, with its error. The caller holds the lock.
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

// finished updates the record of failures when a unit has got a result. It adds a fault to each other worker that
// failed at the unit, and clears the record of attempts. The caller holds the lock.
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
	w.tried, w.back, w.since = nil, nil, time.Time{}
}

// review writes the workers to exclude to the server. It puts units that have left the queue without a result back into
// it, and calls decide for units that workers have tried.
func (j *Job) review() error {
	j.mu.Lock()
	excluded := maps.Clone(j.excluded)
	clear(j.excluded)
	var tried, gone []*work
	for _, w := range j.byKey {
		switch {
		case w.state == unqueued:
			gone = append(gone, w)
		case w.state == queued && len(w.tried) > 0:
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
		if err := j.requeue(w); err != nil {
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

// requeue puts a unit into the queue. The queue refuses the unit until the worker that had it last has removed it.
// After a refusal, review calls requeue again a moment later.
func (j *Job) requeue(w *work) error {
	const most = 40 // after this many refusals, the unit in the queue is not the old one: it was put back already
	j.mu.Lock()
	o := order{task: j.plan.task(w.Unit), Group: j.group, Tried: w.tried}
	j.mu.Unlock()
	_, err := j.farm.js.Publish(j.ctx, taskSubject(j.ID, w.key), marshal(o), jetstream.WithRetryAttempts(0))
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case err == nil || isAlreadyThere(err) && w.refused == most:
		w.refused = 0
		j.apply(w, requeued)
		return nil
	case isAlreadyThere(err):
		w.refused++
		time.AfterFunc(250*time.Millisecond, j.nudge)
		return nil
	}
	return err
}

// decide ends a unit's round if no connected worker is left that could try the unit. Because new workers may connect,
// it waits until this has been so for the time of a lease. It then begins the next round, or lets the unit fail.
func (j *Job) decide(w *work, workers []WorkerStatus) error {
	j.mu.Lock()
	enough := len(w.tried) >= maxTries
	left := slices.ContainsFunc(workers, func(s WorkerStatus) bool {
		return !w.back[s.ID] && (!enough || slices.Contains(w.tried, s.ID))
	})
	switch {
	case !w.state.waits() || left:
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
	if err := j.farm.tell(j.ctx, j.ID, w.key, news{Worker: coordinator}); err != nil { // clears the list of workers that have tried the unit
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if !w.state.waits() {
		return nil
	}
	w.tried, w.back, w.since = nil, nil, time.Time{}
	if w.rounds++; w.rounds < maxRounds && !enough {
		j.apply(w, removed)
		j.nudge()
		return nil
	}
	j.apply(w, abandoned)
	j.touch()
	return nil
}

// nudge makes the method drive call review at once, without waiting for its next tick.
func (j *Job) nudge() {
	select {
	case j.nudged <- struct{}{}:
	default:
	}
}

// reasons returns why a unit failed: the errors of workers, and the reasons why results of the unit were lost.
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

// tried returns the workers that have tried a unit in this round, according to the last news about it. Without news, or
// if the news cannot be read, it returns o.Tried.
func (f *Farm) tried(ctx context.Context, job, key string, o *order) []string {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	latest := fmt.Appendf(nil, `{"last_by_subj": %q}`, newsSubject(job, key, "*"))
	msg, err := f.nc.RequestWithContext(ctx, "$JS.API.DIRECT.GET."+newsStream, latest)
	if err != nil || msg.Header.Get("Status") != "" { // there is no news, or it cannot be read
		return o.Tried
	}
	var n news
	if len(msg.Data) > maxNews || unmarshal(msg.Data, &n) != nil {
		return o.Tried
	}
	return n.Tried
}

// tell publishes news about a unit to the other programs of the farm.
func (f *Farm) tell(ctx context.Context, job, key string, n news) error {
	_, err := f.js.Publish(ctx, newsSubject(job, key, f.mark), marshal(n))
	return err
}

// newsSubject returns the subject of the news about a unit from the connection with a mark.
func newsSubject(job, key, mark string) string { return "pillbox.news." + job + "." + key + "." + mark }

// newsOfJob returns the pattern of the subjects of all news about the units of a job.
func newsOfJob(job string) string { return "pillbox.news." + job + ".>" }

// unitOfNews returns the key of the unit that news on a subject is about. The subjects of earlier versions end with it.
func unitOfNews(subject string) string {
	const key = 3
	if parts := strings.Split(subject, "."); len(parts) > key {
		return parts[key]
	}
	return ""
}

// bannedKey returns the key, in the jobs bucket, of the reason why a worker is excluded.
func bannedKey(worker string) string { return "banned." + worker }

// with returns a new list: the last maxTries names of workers followed by worker.
func with(workers []string, worker string) []string {
	all := append(slices.Clone(workers), worker)
	return all[max(0, len(all)-maxTries):]
}
