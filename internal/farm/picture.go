//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
	"pillbox/internal/parallel"
)

// Wait waits until every unit is done or failed, and compared if it is audited. The window contains the units that
// are in the queue or not yet fetched. A large job that was not submitted has units outside of the window, for which
// Wait does not wait. They enter the window when [Job.Picture] has removed other units.
func (j *Job) Wait(ctx context.Context) error { return j.until(ctx, j.isSettled) }

// until waits until the function is returns true. It calls the function with the lock held.
func (j *Job) until(ctx context.Context, is func() bool) error {
	for {
		j.mu.Lock()
		ok, changed := is(), j.changed
		j.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-j.ctx.Done():
			return context.Cause(j.ctx)
		}
	}
}

// settledUnit waits until a unit is done, failed or replaced, and returns a copy of it. Unlike until, it is not woken by
// other units.
func (j *Job) settledUnit(ctx context.Context, w *work) (work, error) {
	for {
		j.mu.Lock()
		now := *w
		if now.state.isOpen() && w.settled == nil {
			w.settled = make(chan struct{})
		}
		settled := w.settled
		j.mu.Unlock()
		if !now.state.isOpen() {
			return now, nil
		}
		select {
		case <-settled:
		case <-ctx.Done():
			return now, context.Cause(ctx)
		case <-j.ctx.Done():
			return now, context.Cause(j.ctx)
		}
	}
}

// fetchesAtOnce is the number of results that are fetched from, or deleted on, the server at the same time.
const fetchesAtOnce = 16

// Picture waits for the units of a shot and returns its film. It uses opt.Progress and opt.Rows and ignores other
// options. If some units cannot be rendered, Picture waits for all others and returns no film, and the error lists the
// failed units with the reasons. If ctx ends, Picture returns the incomplete film with the error. In a job with an
// audit, Picture first waits until all units are audited.
func (j *Job) Picture(ctx context.Context, shot int, opt pillbox.Options) (*pillbox.Film, error) {
	c := newCanvas(&j.plan.Shots[shot], opt)
	if j.opt.Audit > 0 {
		if err := j.Wait(ctx); err != nil {
			return c.film, err
		}
	}
	var mu sync.Mutex
	units := j.units(shot)
	defer j.leave(shot)
	err := parallel.Each(ctx, fetchesAtOnce, len(units), func(ctx context.Context, i int) error {
		film, err := j.fetch(ctx, units[i])
		if film == nil || err != nil {
			return err
		}
		mu.Lock()
		defer mu.Unlock()
		c.put(film)
		return nil
	})
	if err == nil && c.final < c.film.Region.Dy() {
		if err = j.Wait(ctx); err == nil {
			return nil, j.Failures()
		}
	}
	if err == nil {
		j.release(ctx, shot)
	}
	return c.film, err
}

// fetch waits for a unit and returns its film, or nil if the unit has failed.
func (j *Job) fetch(ctx context.Context, w *work) (*pillbox.Film, error) {
	const misses = 20 // how often a missing result is requested again, because one server of a cluster may lag behind the others
	for i := 0; ; i++ {
		now, err := j.settledUnit(ctx, w)
		if err != nil {
			return nil, err
		}
		switch now.state {
		case failed:
			return nil, nil
		case replaced:
			return decode(now.own, w.Rect)
		}
		msg, err := j.farm.results.GetMsg(ctx, now.seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) && i >= misses {
			j.lose(w, now.seq, "its result is gone", "")
			continue
		}
		if err == nil && msg.Subject != resultSubject(j.group, w.key) { // the server has lost its store and numbers messages from 1 again
			j.lose(w, now.seq, "its result is gone", "")
			continue
		}
		if err != nil {
			if ctx.Err() != nil {
				return nil, err
			}
			if j.ctx.Err() != nil {
				return nil, context.Cause(j.ctx)
			}
			pause(ctx, 250*time.Millisecond) // the server does not answer
			continue
		}
		film, err := decode(msg.Data, w.Rect)
		if its := msg.Header.Get(rendererHeader); err == nil && its != j.farm.renderer {
			err = &otherRenderer{what: "the result", its: its, own: j.farm.renderer}
		}
		if err == nil && sumOf(msg.Data) != now.sum {
			err = errors.New("other pixels than were announced")
		}
		if err == nil {
			j.mu.Lock()
			w.fetched = true
			j.mu.Unlock()
			return film, nil
		}
		j.log("unit %.12s... of worker %s: %v; it is rendered again", w.key, now.worker, err)
		if err := j.discard(ctx, now.seq); err != nil {
			return nil, err
		}
		j.lose(w, now.seq, err.Error(), now.worker)
	}
}

// discard deletes the result with the given number.
func (j *Job) discard(ctx context.Context, seq uint64) error {
	if err := j.farm.results.DeleteMsg(ctx, seq); !errors.Is(err, jetstream.ErrMsgDeleteUnsuccessful) {
		return err
	}
	return nil // it does not exist any more
}

// lose handles the loss of the result with the number seq. It does nothing if the unit has another result by now, or if
// the coordinator has rendered the unit itself. Otherwise the unit goes back into the queue, or fails if too many of
// its results were lost. If worker is not "", this worker has delivered a damaged result, and another worker gets the
// unit.
func (j *Job) lose(w *work, seq uint64, why, worker string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if w.seq != seq || !w.state.hasResult() {
		return
	}
	switch {
	case worker != "" && worker != coordinator:
		w.tried = with(w.tried, worker)
		w.back = map[string]bool{worker: true}
		j.failedAt(w, worker, why)
	default:
		w.errors = append(w.errors, why)
	}
	if len(w.errors) > maxErrors {
		j.apply(w, lostOften)
	} else {
		j.apply(w, lost)
	}
	w.second = false
	j.nudge()
	j.touch()
}

// failedUnits returns the number of units in the window that cannot be rendered. It counts a unit once for each shot that
// has it, as the record of the job does.
func (j *Job) failedUnits() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	for _, units := range j.shots {
		for _, w := range units {
			if w.state == failed {
				n++
			}
		}
	}
	return n
}

// Failures returns an error that lists the units in the window that cannot be rendered, at most ten, with the reasons.
// It returns nil if no unit has failed.
func (j *Job) Failures() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	const most = 10
	var all []error
	for _, w := range j.byKey {
		if w.state == failed {
			all = append(all, fmt.Errorf("picture %d, pixels %d,%d,%d,%d cannot be rendered: %s", w.Shot,
				w.Rect.Min.X, w.Rect.Min.Y, w.Rect.Max.X, w.Rect.Max.Y, w.reasons()))
		}
	}
	slices.SortFunc(all, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	if len(all) > most {
		all = append(all[:most], fmt.Errorf("and %d more", len(all)-most))
	}
	return errors.Join(all...)
}
