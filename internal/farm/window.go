//go:build !js && !plan9

package farm

import (
	"context"
	"fmt"
	"math/rand/v2"

	"pillbox/internal/parallel"
)

// A job with more units than fit into the window has only some of them in the memory of the coordinator and on the server: those
// of the shots that are fetched next, and the most recently fetched results. The coordinator cuts later shots into units when the
// window has room. So the number of units in memory is bounded for films of any length.
const (
	// maxWindow is the largest number of units in the window, unless a single shot has more. It is enough for thousands of slots; a
	// unit takes about 1 kB in the coordinator and in the server.
	maxWindow = 1 << 14

	// maxFetched is the largest number of fetched results that stay on the server. A coordinator that was killed and is started
	// again can fetch them again.
	maxFetched = 1 << 14

	// maxWhole is the largest number of units of a job that must be on the server as a whole. Two kinds of jobs must: submitted
	// ones, because their results are fetched later, and audited ones, because they are fetched only when the audit is complete.
	maxWhole = 1 << 18
)

// window describes the units of a job that were cut and are not yet fetched.
type window struct {
	size    int               // largest number of units, unless a single shot has more
	whole   bool              // all units are in the window until the job ends
	next    int               // the first shot that feed has still to cut
	seen    map[string]stored // results of units that are not in the window, by key
	fetched []string          // keys of fetched results that are still in seen and on the server, the oldest first
}

// newWindow returns the empty window of a job, or an error if the job has too many units.
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

// cut sets the identifier of the job and cuts the first shots of its plan into units, as many as fit into the window.
func (j *Job) cut() (err error) {
	j.ID = idOf(j.plan)
	j.shots = make([][]*work, len(j.plan.Shots))
	if j.window, err = j.newWindow(); err == nil {
		j.extend()
	}
	return err
}

// extend cuts further shots while the window has room, and returns those of their units that have no result. The caller
// holds the lock.
func (j *Job) extend() []*work {
	var missing []*work
	for ; j.next < len(j.shots) && j.fits(); j.next++ {
		if j.shots[j.next] == nil { // otherwise units has cut it already
			missing = append(missing, j.cutShot(j.next)...)
		}
		j.fed += j.plan.countOf(j.next)
	}
	return missing
}

// fits reports whether the next shot fits into the window. The caller holds the lock.
func (j *Job) fits() bool {
	return j.window.whole || len(j.byKey) == 0 || len(j.byKey)+j.plan.countOf(j.next) <= j.window.size
}

// hasRoom reports whether feed should extend the window, or has finished. It waits until an eighth of the window is free,
// because each extension also changes the record of the job on the server. The caller holds the lock.
func (j *Job) hasRoom() bool {
	return j.next == len(j.shots) || j.fits() && len(j.byKey) <= j.window.size/8*7
}

// isSettled reports whether waiting longer would change nothing: every unit in the window is done or failed, and all shots
// are cut or the window has no room for more. The caller holds the lock.
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

// remember records a result of a unit that is not in the window. If too many are recorded, it drops the result; the job
// sees it again when it next reads the stream of results from the start. The caller holds the lock.
func (j *Job) remember(key string, s stored) {
	if len(j.seen) < maxWindow+maxFetched+maxWhole {
		j.seen[key] = s
	}
}

// units returns the units of a shot. If the shot is not in the window, units cuts it and puts its units into the queue.
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

// release removes a fetched shot from the window, and deletes the oldest fetched results if there are more than maxFetched.
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
		j.shots[shot] = []*work{} // not nil, so that extend does not cut it again
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

// discardAll deletes the results with the given numbers.
func (j *Job) discardAll(ctx context.Context, all []uint64) error {
	return parallel.Each(ctx, fetchesAtOnce, len(all), func(ctx context.Context, i int) error { return j.discard(ctx, all[i]) })
}

// feed extends the window whenever it has room, until all shots are cut or the job ends.
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
