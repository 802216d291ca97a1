//go:build !js && !plan9

package farm

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pillbox/internal/parallel"
)

// A job of more units than fit into a window has only some of them in the command and on the server: those of the shots
// that are fetched next, and the results that were fetched last. The others are cut when there is room. So a film of any length
// needs the same memory.
const (
	// maxWindow is the number of units in the queue or with results that are not fetched. It is enough for thousands of
	// slots; a unit takes about 1 kB in the command and in the server.
	maxWindow = 1 << 14

	// maxFetched is the number of results that stay on the server after they were fetched, for a command that was killed
	// and is started again.
	maxFetched = 1 << 14

	// maxWhole is the number of units of a job that must be on the server as a whole: one that is submitted, to be fetched
	// later, or audited, because nothing is fetched before the audit is complete.
	maxWhole = 1 << 18
)

// window is the part of a job that is neither still to be cut nor fetched.
type window struct {
	size    int  // the largest number of units, unless one shot has more
	whole   bool // all units are cut at once, and none are released
	next    int  // the first shot that was not cut
	seen    map[string]stored
	fetched []string // keys of results that are still in seen and on the server, the oldest first
}

// newWindow returns the window for a plan.
func (j *Job) newWindow() (window, error) {
	w := window{size: maxWindow, seen: make(map[string]stored)}
	if j.opt.window > 0 {
		w.size = j.opt.window
	}
	n, must := j.plan.count(), j.keep || j.opt.Audit > 0
	if must && n > maxWhole {
		return w, fmt.Errorf("a job of %d units; if it is submitted or audited, it can have %d: render a part of the film at a time, with --from and --to", n, maxWhole)
	}
	w.whole = must || n <= w.size
	return w, nil
}

// cut begins to cut the plan into units.
func (j *Job) cut() (err error) {
	j.ID = idOf(j.plan)
	j.shots = make([][]*work, len(j.plan.Shots))
	if j.window, err = j.newWindow(); err == nil {
		j.extend()
	}
	return err
}

// extend cuts shots while the window has room for them, and returns the units without a result. The caller holds the lock.
func (j *Job) extend() []*work {
	var missing []*work
	for ; j.next < len(j.shots) && j.fits(); j.next++ {
		if j.shots[j.next] == nil { // else it was wanted earlier
			missing = append(missing, j.cutShot(j.next)...)
		}
		j.fed += j.plan.countOf(j.next)
	}
	return missing
}

// fits reports whether the window has room for the next shot. The caller holds the lock.
func (j *Job) fits() bool {
	return j.window.whole || len(j.byKey) == 0 || len(j.byKey)+j.plan.countOf(j.next) <= j.window.size
}

// hasRoom reports whether it is time to extend the window, or all is cut. That is not as soon as a unit fits: the farm's record of the job
// changes each time. The caller holds the lock.
func (j *Job) hasRoom() bool {
	return j.next == len(j.shots) || j.fits() && len(j.byKey) <= j.window.size/8*7
}

// isSettled reports whether nothing is left to wait for: all units that are cut are done or failed, and the others wait for
// room. The caller holds the lock.
func (j *Job) isSettled() bool {
	return j.open == 0 && (j.next == len(j.shots) || !j.hasRoom())
}

// cutShot cuts a shot into units and returns those without a result. The caller holds the lock.
func (j *Job) cutShot(shot int) []*work {
	var missing []*work
	for r := range cells(j.plan.Shots[shot].Region, j.plan.Cell) {
		u := Unit{shot, r}
		t := j.plan.task(u)
		key := t.key()
		w := j.byKey[key]
		if w == nil {
			w = &work{Unit: u, key: key, audit: rand.Float64() < j.opt.Audit}
			j.byKey[key] = w
			if s, ok := j.seen[key]; ok {
				w.state, w.stored = done, s
			} else {
				j.open++
				missing = append(missing, w)
			}
		}
		w.shots++
		j.shots[shot] = append(j.shots[shot], w)
	}
	return missing
}

// remember notes a result of a unit that is not cut, unless there are too many, which a new reading of the stream then finds.
// The caller holds the lock.
func (j *Job) remember(key string, s stored) {
	if len(j.seen) < maxWindow+maxFetched+maxWhole {
		j.seen[key] = s
	}
}

// units returns the units of a shot, and puts it into the queue if it is not in the window.
func (j *Job) units(shot int) []*work {
	j.mu.Lock()
	var missing []*work
	if len(j.shots[shot]) == 0 {
		missing = j.cutShot(shot)
	}
	units := j.shots[shot]
	j.mu.Unlock()
	for _, w := range missing {
		j.tell(j.enqueue(w, ""))
	}
	if len(missing) > 0 {
		j.tell(j.farm.wake())
	}
	return units
}

// release takes a shot that was fetched out of the window, and deletes the results that were fetched longest ago.
func (j *Job) release(ctx context.Context, shot int) {
	j.mu.Lock()
	var old []uint64
	if !j.window.whole {
		for _, w := range j.shots[shot] {
			if w.shots--; w.shots == 0 {
				delete(j.byKey, w.key)
				j.seen[w.key] = w.stored
				j.fetched = append(j.fetched, w.key)
			}
		}
		j.shots[shot] = []*work{} // not nil: it was cut
		for len(j.fetched) > min(maxFetched, j.window.size) {
			old = append(old, j.seen[j.fetched[0]].seq)
			delete(j.seen, j.fetched[0])
			j.fetched = j.fetched[1:]
		}
		j.touch()
	}
	j.mu.Unlock()
	j.tell(j.discardAll(ctx, old))
}

// discardAll deletes results.
func (j *Job) discardAll(ctx context.Context, all []uint64) error {
	return parallel.Each(ctx, fetchesAtOnce, len(all), func(ctx context.Context, i int) error { return j.discard(ctx, all[i]) })
}

// feed extends the window whenever it has room.
func (j *Job) feed() {
	for {
		if err := j.until(j.ctx, j.hasRoom); err != nil {
			return
		}
		j.mu.Lock()
		missing := j.extend()
		all := j.next == len(j.shots)
		fed := j.fed
		j.mu.Unlock()
		for _, w := range missing {
			j.tell(j.enqueue(w, ""))
		}
		j.tell(j.farm.wake())
		j.tell(j.farm.update(j.ctx, j.ID, func(r *jobRecord) { r.Fed = fed }))
		if all {
			return
		}
	}
}
