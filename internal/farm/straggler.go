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

// A worker can be stuck at a unit and keep it nevertheless. A unit that takes much longer than others of the job is also
// given to a second worker. The first result counts; if the unit is audited, the second one is compared with it.
const (
	// slowFactor is how many times as long as the slowest finished unit of the job a unit takes before a second worker gets
	// it. Units of one job differ: some show the background.
	slowFactor = 4

	// usualSlowTime is the least time after which a second worker gets a unit. While no unit of the job is finished,
	// it is slowFactor times as long.
	usualSlowTime = 15 * time.Second

	// maxCurrent is the number of units of a worker whose time it reports, the slowest first.
	maxCurrent = 16

	secondMark    = "second-" // before the key of a unit that is given to a second worker
	secondsHeader = "Pillbox-Seconds"
)

// unitOf returns the key of a unit from its name in the queue.
func unitOf(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, auditMark), secondMark)
}

// running is a unit that a worker has.
type running struct {
	job   string
	began time.Time
}

// CurrentUnit is a unit that a worker has.
type CurrentUnit struct {
	Job  string  `json:"job"`
	Unit string  `json:"unit"` // its key
	Time float64 `json:"s"`    // since the worker has it, in seconds
}

// current returns the units that the worker has had for longest. The caller holds the lock.
func (w *Worker) current() []CurrentUnit {
	var all []CurrentUnit
	for key, r := range w.running {
		all = append(all, CurrentUnit{r.job, key, time.Since(r.began).Seconds()})
	}
	slices.SortFunc(all, func(a, b CurrentUnit) int { return cmp.Compare(b.Time, a.Time) })
	return all[:min(len(all), maxCurrent)]
}

// timed notes how long a worker says that a finished unit took. The caller holds the lock.
func (j *Job) timed(seconds string) {
	if s, err := strconv.ParseFloat(seconds, 64); err == nil && s >= 0 && s < maxUnitTime.Seconds() {
		j.slowest = max(j.slowest, s)
	}
}

// duplicate gives units that take too long to a second worker.
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

// giveToSecond puts a unit into the queue that a worker has had for too long, for all others.
func (j *Job) giveToSecond(ctx context.Context, c CurrentUnit, slow string) error {
	j.mu.Lock()
	w := j.byKey[c.Unit]
	if w == nil || w.state != waiting || w.second {
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
