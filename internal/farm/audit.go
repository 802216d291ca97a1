//go:build !js && !plan9

package farm

import (
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// audit takes the next step in the check of a unit's result. First it puts an order into the queue, so that another
// worker renders the unit for comparison. If no comparison arrives within j.patience, audit calls judge, which
// renders the unit on this machine. A result from a banned worker (in j.bad) is not compared: audit deletes it, and
// the unit is rendered again. If a result of the unit was lost before, audit calls judge instead of deleting the
// result.
func (j *Job) audit(w *work) error {
	j.mu.Lock()
	now, bad := *w, j.bad[w.worker]
	if !bad && j.apply(w, ordered) {
		w.asked = time.Now()
	}
	j.mu.Unlock()
	switch {
	case now.state != doubted && now.state != compared:
		return nil
	case bad && len(now.errors) == 0:
		if err := j.discard(j.ctx, now.seq); err != nil {
			return err
		}
		j.lose(w, now.seq, "discarded", "")
		return nil
	case bad || now.state == compared && time.Since(now.asked) > j.patience():
		return j.judge(w, stored{})
	case now.state == doubted:
		return j.enqueue(w, now.worker)
	}
	return nil
}

// compare compares the stored result of a unit with sum, the hash of the pixels that another worker rendered. If they
// differ, it calls judge. It does nothing if the stored result needs no comparison, if the same worker rendered both,
// or if one of the workers is banned (in j.bad).
func (j *Job) compare(w *work, worker, sum string) error {
	j.mu.Lock()
	if w.state != doubted && w.state != compared || worker == w.worker || j.bad[worker] || j.bad[w.worker] {
		j.mu.Unlock()
		return nil
	}
	if sum == w.sum {
		j.settle(w, confirmed)
		j.mu.Unlock()
		return nil
	}
	first := w.worker
	j.mu.Unlock()
	j.log("audit: workers %s and %s have rendered unit %.12s... to different pixels", first, worker, w.key)
	return j.judge(w, stored{worker: worker, sum: sum})
}

// judge renders a unit on this machine. It bans the workers that reported other pixels: the worker of the stored result
// and, unless it is "", other.worker. If rendering succeeds, the unit needs no further check afterwards, even if its
// result was replaced or deleted in the meantime. So judge removes the order for the comparison from the queue. The
// worker of the result cannot carry it out, and the server would deliver it to this worker again and again, before units
// that no worker has had.
func (j *Job) judge(w *work, other stored) error {
	film, err := j.scenes.render(j.ctx, j.plan.task(w.Unit), 1)
	if err != nil {
		return err
	}
	if err := j.farm.tasks.Purge(j.ctx, jetstream.WithPurgeSubject(taskSubject(j.ID, auditMark+w.key))); err != nil {
		return err
	}
	data := encode(film)
	truth := sumOf(data)
	if other.worker != "" && other.sum != truth {
		j.ban(other.worker)
	}
	j.mu.Lock()
	for w.worker != "" && w.sum != truth && !j.bad[w.worker] { // another result can arrive while a worker is banned
		worker := w.worker
		j.mu.Unlock()
		j.ban(worker)
		j.mu.Lock()
	}
	first, there := w.stored, w.state.hasResult()
	right := there && w.sum == truth
	if right {
		j.settle(w, confirmed)
	} else {
		w.own = data
		j.settle(w, corrected)
	}
	j.mu.Unlock()
	if right {
		return nil
	}
	// Replace the wrong result by the right one, so that other jobs can use it. The job can be closed meanwhile, because
	// it no longer waits for the unit.
	last, cancel := j.farm.farewell(j.ctx, answerLimit)
	defer cancel()
	if there {
		if err := j.discard(last, first.seq); err != nil {
			return err
		}
	}
	if _, err = j.farm.js.PublishMsg(last, j.farm.resultMessage(j.group, w.key, coordinator, data)); isAlreadyThere(err) {
		return nil
	}
	return err
}

// settle applies e, the outcome of the comparison of a unit. The caller holds the lock.
func (j *Job) settle(w *work, e event) {
	if j.apply(w, e) {
		j.finished(w)
		j.touch()
	}
}

// ban adds a worker to j.bad. The worker's results in the window must then be checked: see audit. ban writes the ban
// to the server; the worker reads it there and ends. If shots of a submitted job have left the window, ban also calls
// expel for their results.
func (j *Job) ban(worker string) {
	j.mu.Lock()
	if j.bad[worker] {
		j.mu.Unlock()
		return
	}
	j.bad[worker] = true
	n := 0
	for _, w := range j.byKey {
		if w.worker == worker && j.apply(w, suspected) {
			n++
		}
	}
	j.touch()
	j.mu.Unlock()
	j.log("audit: worker %s is in error; %d units more of its are rendered again", worker, n)
	_, err := j.farm.jobs.Put(j.ctx, bannedKey(worker), []byte("its pixels were wrong in job "+j.ID))
	j.tell(err)
	if j.keep && !j.window.whole {
		j.tell(j.expel(worker))
	}
}

// expel deletes a worker's results for units that are not in the window. Units of shots that have left the window are
// then rendered again.
func (j *Job) expel(worker string) error {
	var bad []uint64
	err := j.farm.readAll(j.ctx, resultsStream, jetstream.OrderedConsumerConfig{FilterSubjects: []string{resultSubject(j.group, "*")}, HeadersOnly: true}, func(msg jetstream.Msg, meta *jetstream.MsgMetadata) {
		j.mu.Lock()
		defer j.mu.Unlock()
		if key := keyOf(msg.Subject()); j.byKey[key] == nil && nameOf(msg.Headers().Get(workerHeader)) == worker {
			bad = append(bad, meta.Sequence.Stream)
			delete(j.seen, key)
		}
	})
	if err != nil {
		return err
	}
	if err := j.discardAll(j.ctx, bad); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if len(bad) > 0 {
		j.rewind()
		j.touch()
	}
	return nil
}
