//go:build !js && !plan9

package farm

import "time"

// audit has the result of a unit compared by another worker, or here if none does that in time. What a
// worker made that is known for wrong pixels is discarded, and if it comes from there again, compared here.
func (j *Job) audit(w *work) error {
	j.mu.Lock()
	now, bad := *w, j.bad[w.worker]
	if now.state == doubted && now.asked.IsZero() {
		w.asked = time.Now()
	}
	j.mu.Unlock()
	switch {
	case now.state != doubted:
		return nil
	case bad && len(now.errors) == 0:
		if err := j.discard(j.ctx, now.seq); err != nil {
			return err
		}
		j.lose(w, now.seq, "discarded", "")
		return nil
	case bad || !now.asked.IsZero() && time.Since(now.asked) > j.patience():
		return j.judge(w, stored{})
	case now.asked.IsZero():
		return j.enqueue(w, now.worker)
	}
	return nil
}

// compare takes the hash of a unit's pixels that an audit gave.
func (j *Job) compare(w *work, worker, sum string) error {
	j.mu.Lock()
	if w.state != doubted || worker == w.worker || j.bad[worker] || j.bad[w.worker] {
		j.mu.Unlock()
		return nil
	}
	if sum == w.sum {
		j.trust(w)
		j.mu.Unlock()
		return nil
	}
	first := w.worker
	j.mu.Unlock()
	j.log("audit: workers %s and %s have rendered unit %.12s... to different pixels", first, worker, w.key)
	return j.judge(w, stored{worker: worker, sum: sum})
}

// judge renders a unit here, and bans the worker whose pixels are others: that of its result, or the other one,
// if there is one. The unit is done then, whatever became of its result in the meantime.
func (j *Job) judge(w *work, other stored) error {
	film, err := j.worlds.render(j.ctx, j.plan.task(w.Unit), 1)
	if err != nil {
		return err
	}
	data := encode(film)
	truth := sumOf(data)
	if other.worker != "" && other.sum != truth {
		j.ban(other.worker)
	}
	j.mu.Lock()
	for w.worker != "" && w.sum != truth && !j.bad[w.worker] { // another result can come while a worker is banned
		worker := w.worker
		j.mu.Unlock()
		j.ban(worker)
		j.mu.Lock()
	}
	first, there := w.stored, w.state == done || w.state == doubted
	right := there && w.sum == truth
	if !right {
		w.own = data
	}
	j.trust(w) // only now, as the code that waits for all goes on then
	j.mu.Unlock()
	if right {
		return nil
	}
	// What is right is left to others, too.
	if there {
		if err := j.discard(j.ctx, first.seq); err != nil {
			return err
		}
	}
	if _, err = j.farm.js.PublishMsg(j.ctx, j.farm.resultMessage(j.group, w.key, coordinator, data)); isAlreadyThere(err) {
		return nil
	}
	return err
}

// ban doubts what a worker has produced for the job and will produce, and asks it to leave.
func (j *Job) ban(worker string) {
	j.mu.Lock()
	if j.bad[worker] {
		j.mu.Unlock()
		return
	}
	j.bad[worker] = true
	n := 0
	for _, w := range j.byKey {
		if w.worker == worker && w.state == done && w.own == nil {
			j.doubt(w)
			n++
		}
	}
	j.touch()
	j.mu.Unlock()
	j.log("audit: worker %s is in error; %d units more of its are rendered again", worker, n)
	_, err := j.farm.jobs.Put(j.ctx, bannedKey(worker), []byte("its pixels were wrong in job "+j.ID))
	j.tell(err)
}
