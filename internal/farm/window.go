//go:build !js && !plan9

package farm

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"pillbox/internal/parallel"
)

// The window contains the units that the coordinator has cut and that were not yet fetched. Only these are in its
// memory and in the queue. Later shots are cut when the window has room. So the number of units in memory is bounded
// for films of any length.
//
// A shot leaves the window when a command has fetched it. The server keeps only the results that were fetched last. A
// submitted job may have no command that fetches. Its shots leave the window when their units are done and audited, and
// the server keeps all results.
const (
	// maxWindow is the largest number of units in the window, unless a single shot has more. It is enough for thousands
	// of slots. A unit takes about 1 kB in the coordinator and in the server.
	maxWindow = 1 << 14

	// maxFetched is the largest number of fetched results that stay on the server. If a coordinator was killed, it can
	// fetch these results again after its restart.
	maxFetched = 1 << 14

	// maxWhole is the largest number of units of an audited or a submitted job that has all of its units in the window.
	// It is larger than maxWindow for two reasons: An audited job is fetched only when its audit is complete. A
	// submitted job with all units in the window is rendered without a coordinator. A job with more units cannot be
	// audited by a command, and needs a coordinator if it is submitted.
	maxWhole = 1 << 18

	// retireTime is the time between two searches for shots that can leave the window of a submitted job.
	retireTime = 200 * time.Millisecond
)

// window describes the units of a job that were cut and are not yet fetched.
type window struct {
	size    int               // largest number of units, unless a single shot has more
	whole   bool              // all units are in the window until the job ends
	first   int               // of a submitted job: the number of shots at the start of the plan that are done and have left the window
	next    int               // the first shot that feed must still cut
	wanted  map[int]int       // shots that must stay in the window, with the number of callers that need each
	dropped bool              // seen may lack results that the server has
	seen    map[string]stored // results of units that are not in the window, by key
	fetched []string          // keys of fetched results that are still in seen and on the server, the oldest first
}

// newWindow returns the empty window of a job, or an error if the job has too many units to be audited.
func (j *Job) newWindow() (window, error) {
	w := window{size: maxWindow, first: j.first, next: j.first, wanted: make(map[int]int), seen: make(map[string]stored)}
	most := maxWhole
	if j.opt.window > 0 {
		w.size, most = j.opt.window, j.opt.window
	}
	n := j.plan.count()
	if !j.keep && j.opt.Audit > 0 && n > maxWhole {
		return w, fmt.Errorf("an audited job of %d units, and it can have %d: submit it with --detach, or render a part of the film at a time, with --from and --to", n, maxWhole)
	}
	w.whole = n <= w.size || (j.keep || j.opt.Audit > 0) && n <= most
	return w, nil
}

// cut sets the identifier of the job, and cuts shots of its plan into units, as many as fit into the window.
func (j *Job) cut() (err error) {
	j.ID = idOf(j.plan)
	j.shots = make([][]*work, len(j.plan.Shots))
	if j.window, err = j.newWindow(); err != nil {
		return err
	}
	if j.window.whole {
		j.first, j.next = 0, 0
	}
	for i := range j.first {
		j.shots[i] = []*work{}
		j.fed += j.plan.countOf(i)
	}
	j.extend()
	return nil
}

// extend cuts further shots while the window has room. It returns the units of these shots that have no result. The
// caller holds the lock.
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

// hasRoom reports whether the method feed need not wait: all shots are cut, or an eighth of the window is free and has
// room for the next shot. Shots should enter the window in large groups, because adding a group changes the record of
// the job on the server. The caller holds the lock.
func (j *Job) hasRoom() bool {
	return j.next == len(j.shots) || j.fits() && len(j.byKey) <= j.window.size/8*7
}

// isSettled reports whether waiting longer would change nothing: every unit in the window is done or failed, and no
// more shots can enter the window. The caller holds the lock.
func (j *Job) isSettled() bool {
	if j.open > 0 || j.next == len(j.shots) {
		return j.open == 0
	}
	return !j.hasRoom() && !(j.keep && slices.ContainsFunc(j.windowShots(), j.canRetire))
}

// windowShots returns the shots in the window of a submitted job. The caller holds the lock.
func (j *Job) windowShots() []int {
	var all []int
	for shot := j.first; shot < j.next; shot++ {
		if len(j.shots[shot]) > 0 {
			all = append(all, shot)
		}
	}
	return all
}

// canRetire reports whether a shot can leave the window of a submitted job: its units are done, and no caller of the
// method units still needs the shot. The caller holds the lock.
func (j *Job) canRetire(shot int) bool {
	return j.wanted[shot] == 0 && !slices.ContainsFunc(j.shots[shot], func(w *work) bool { return w.state != done && w.state != replaced })
}

// retire runs until a submitted job ends. At intervals, it removes from the window the shots that can leave: see
// canRetire.
func (j *Job) retire() {
	for ; j.ctx.Err() == nil; pause(j.ctx, retireTime) {
		j.mu.Lock()
		retired := false
		for _, shot := range j.windowShots() {
			if j.canRetire(shot) {
				j.drop(shot)
				retired = true
			}
		}
		for j.first < j.next && len(j.shots[j.first]) == 0 {
			j.first++
		}
		if retired {
			j.touch()
		}
		j.mu.Unlock()
	}
}

// drop removes a shot from the window. The caller holds the lock.
func (j *Job) drop(shot int) {
	for _, w := range j.shots[shot] {
		if w.shots--; w.shots > 0 {
			continue
		}
		delete(j.byKey, w.key)
		if w.state.isOpen() {
			j.open--
		}
		switch {
		case j.keep && w.state == replaced: // w.stored is not the result that the server has now
			j.dropped = true
			continue
		case j.keep:
			j.remember(w.key, w.stored)
			continue
		}
		j.seen[w.key] = w.stored
		j.fetched = append(j.fetched, w.key)
	}
	j.shots[shot] = []*work{} // not nil, so that extend does not cut it again
}

// rewind makes the method feed cut all shots of a submitted job again, because results of shots that have left the
// window were deleted. The caller holds the lock.
func (j *Job) rewind() {
	if j.window.whole || !j.keep {
		return
	}
	for shot := range j.next {
		if len(j.shots[shot]) == 0 {
			j.shots[shot] = nil
		}
	}
	j.first, j.next, j.fed = 0, 0, 0
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
			j.open++
			if s, ok := j.seen[key]; ok {
				w.stored = s
				j.apply(w, j.arrival(w, s))
			} else {
				missing = append(missing, w)
			}
		}
		w.shots++
		j.shots[shot] = append(j.shots[shot], w)
	}
	return missing
}

// remember records in j.seen a result of a unit that is not in the window. If j.seen has too many results already, it
// does not record the result. The job finds the result again when it next reads the stream of results from the start.
// The caller holds the lock.
func (j *Job) remember(key string, s stored) {
	most := maxWindow + maxFetched + maxWhole
	if j.opt.window > 0 {
		most = 2 * j.opt.window
	}
	if len(j.seen) < most {
		j.seen[key] = s
	} else {
		j.dropped = true
	}
}

// lookUp searches the server for results of the given units, which are not in j.seen. It records the results that it
// finds, and returns the other units. If j.seen is complete, it returns all units without a search.
func (j *Job) lookUp(missing []*work) []*work {
	j.mu.Lock()
	dropped := j.dropped
	j.mu.Unlock()
	if !dropped {
		return missing
	}
	j.tell(parallel.Each(j.ctx, fetchesAtOnce, len(missing), func(ctx context.Context, i int) error {
		j.readResult(ctx, missing[i].key)
		return nil
	}))
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.DeleteFunc(missing, func(w *work) bool { return !w.state.waits() })
}

// readResult reads the result of a unit from the server, if there is one.
func (j *Job) readResult(ctx context.Context, key string) {
	if msg, err := j.farm.results.GetLastMsgForSubject(ctx, resultSubject(j.group, key)); err == nil {
		j.noteResult(key, msg.Header, msg.Sequence)
	}
}

// put puts units that were just cut into the queue, unless they have results.
func (j *Job) put(missing []*work) {
	missing = j.lookUp(missing)
	for _, w := range missing {
		j.tell(j.enqueue(w, ""))
	}
	if len(missing) > 0 {
		j.tell(j.farm.wake())
	}
}

// units returns the units of a shot, which stays in the window until the caller calls the method leave or release for
// it. If the shot is not in the window, units cuts it and puts its units into the queue.
func (j *Job) units(shot int) []*work {
	j.mu.Lock()
	var missing []*work
	if len(j.shots[shot]) == 0 {
		missing = j.cutShot(shot)
	}
	units := j.shots[shot]
	j.wanted[shot]++
	j.mu.Unlock()
	j.put(missing)
	return units
}

// leave ends a caller's use of a shot that the method units has returned. If no other caller needs the shot, it can
// leave the window, even if it was not fetched.
func (j *Job) leave(shot int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.wanted[shot]--; j.wanted[shot] == 0 {
		delete(j.wanted, shot)
	}
}

// release removes a fetched shot from the window, unless another caller of the method units needs the shot. It deletes
// the oldest fetched results if there are more than maxFetched. It deletes no results of a submitted job.
func (j *Job) release(ctx context.Context, shot int) {
	j.mu.Lock()
	var old []uint64
	if !j.window.whole && j.wanted[shot] < 2 {
		j.drop(shot)
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

// feed extends the window whenever it has room, until all shots are cut or the job ends. In a submitted job it runs
// until the job ends, because the method rewind can make it cut shots again.
func (j *Job) feed() {
	for {
		if err := j.until(j.ctx, func() bool { return j.hasRoom() && !(j.keep && j.next == len(j.shots)) }); err != nil {
			return
		}
		j.mu.Lock()
		missing := j.extend()
		all := j.next == len(j.shots)
		fed, finished := j.fed, j.first
		j.mu.Unlock()
		j.put(missing)
		j.tell(j.farm.update(j.ctx, j.ID, func(r *jobRecord) { r.Fed, r.Finished = fed, finished }))
		if all && !j.keep {
			return
		}
	}
}
