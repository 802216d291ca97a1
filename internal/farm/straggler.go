//go:build !js && !plan9

package farm

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A worker can be stuck at a unit and still renew its lease. So a unit that takes much longer than the others of its
// job also goes to a second worker. The result that arrives first is used. If the unit is waiting to be audited, the
// second result is compared with the first.
const (
	// A second worker gets a unit that takes slowFactor times as long as the slowest finished unit of the job. The
	// factor is large because durations differ: a unit that shows only background is quick.
	slowFactor = 4

	// usualSlowTime is the shortest time after which a second worker gets a unit. The shortest time is slowFactor times
	// as long, a minute, while no finished unit has reported its duration.
	usualSlowTime = 15 * time.Second

	// A worker gives up on a unit that takes hangFactor times as long as its slowest unit of the job, and at least
	// leastLimit. It assumes that the renderer hangs, and another worker gets the unit. The factor is much larger than
	// slowFactor, because giving up counts as a failure of the worker.
	hangFactor = 50
	leastLimit = 5 * time.Minute

	// maxCurrent is the largest number of running units that a worker reports individually, the longest running first.
	maxCurrent = 16

	secondMark    = "second-" // prefix of the key, in the queue, for a second worker
	secondsHeader = "Pillbox-Seconds"
)

// unitOf returns the key of a unit from its name in the queue, which may have a prefix.
func unitOf(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, auditMark), secondMark)
}

// running is a unit that a worker is rendering.
type running struct {
	job   string
	began time.Time
}

// CurrentUnit is a unit that a worker is rendering.
type CurrentUnit struct {
	Job  string  `json:"job"`
	Unit string  `json:"unit"` // its key
	Time float64 `json:"s"`    // since it began, in seconds
}

// current returns the running units of the worker, the longest running first, at most maxCurrent of them. The caller
// holds the lock.
func (w *Worker) current() []CurrentUnit {
	var all []CurrentUnit
	for key, r := range w.running {
		all = append(all, CurrentUnit{r.job, key, time.Since(r.began).Seconds()})
	}
	slices.SortFunc(all, func(a, b CurrentUnit) int { return cmp.Compare(b.Time, a.Time) })
	return all[:min(len(all), maxCurrent)]
}

// timed records how long a finished unit took according to its worker. The caller holds the lock.
func (j *Job) timed(seconds string) {
	if s, err := strconv.ParseFloat(seconds, 64); err == nil && s >= 0 && s < maxUnitTime.Seconds() {
		j.slowest = max(j.slowest, s)
	}
}

// limit returns the time after which the worker gives up on a unit of a job.
func (w *Worker) limit(job string) time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	slowest, ok := w.slowest[job]
	if !ok {
		return maxUnitTime
	}
	return min(max(hangFactor*slowest, leastLimit), maxUnitTime)
}

// took records how long a unit of a job took this worker.
func (w *Worker) took(job string, t time.Duration) {
	const most = 1000 // jobs
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.slowest) >= most {
		clear(w.slowest)
	}
	w.slowest[job] = max(w.slowest[job], t)
}

// duplicate gives each unit that takes too long to a second worker, if there are two workers or more.
func (j *Job) duplicate() error {
	least := cmp.Or(j.opt.slowTime, usualSlowTime).Seconds()
	j.mu.Lock()
	limit := max(least, slowFactor*j.slowest)
	if j.slowest == 0 {
		limit = slowFactor * least
	}
	idle := j.open == 0 || time.Since(j.began).Seconds() < limit
	j.mu.Unlock()
	if idle {
		return nil
	}
	workers, err := j.farm.ping()
	if err != nil || len(workers) < 2 {
		return err
	}
	for _, s := range workers {
		for _, c := range s.Current {
			if c.Job != j.ID || c.Time < limit {
				continue
			}
			if err := j.giveToSecond(j.ctx, c, s.ID); err != nil {
				return err
			}
		}
	}
	return nil
}

// giveToSecond puts a unit that the worker slow has had for too long into the queue once more, for all other workers.
func (j *Job) giveToSecond(ctx context.Context, c CurrentUnit, slow string) error {
	j.mu.Lock()
	w := j.byKey[c.Unit]
	if w == nil || !w.state.waits() || w.second {
		j.mu.Unlock()
		return nil
	}
	w.second = true
	o := order{task: j.plan.task(w.Unit), Group: j.group, Tried: []string{slow}, Second: true}
	j.mu.Unlock()
	j.log("worker %s has had unit %.12s... for %v, much longer than other units take; a second worker gets it, too",
		slow, w.key, time.Duration(c.Time*float64(time.Second)).Round(time.Second))
	_, err := j.farm.js.Publish(ctx, taskSubject(j.ID, secondMark+w.key), marshal(o), jetstream.WithRetryAttempts(0))
	if isAlreadyThere(err) {
		err = nil
	}
	return cmp.Or(err, j.farm.wake())
}
