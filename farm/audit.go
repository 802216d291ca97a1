//go:build !js && !plan9

package farm

import (
	"encoding/hex"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// ask has the result of a unit compared by another worker, or here if that takes too long. What a worker
// made that is known for wrong pixels is discarded, and if it comes from there again, made here.
func (j *Job) ask(w *work) error {
	subject := resultSubject(j.group, w.key)
	msg, err := j.farm.results.GetLastMsgForSubject(j.ctx, subject)
	if err != nil {
		j.lose(w, err.Error())
		return nil
	}
	j.mu.Lock()
	asked := !w.asked.IsZero()
	w.worker, w.sum, w.asked = msg.Header.Get(workerHeader), msg.Header.Get(sumHeader), time.Now()
	worker, bad, lost := w.worker, j.bad[w.worker], w.lost
	w.lost = w.lost || bad
	if !bad && !w.audit && w.state == doubted {
		j.pass(w)
		j.mu.Unlock()
		return nil
	}
	j.mu.Unlock()
	switch {
	case bad && !lost:
		if err := j.farm.results.DeleteMsg(j.ctx, msg.Sequence); err != nil {
			return err
		}
		j.lose(w, "discarded")
		return nil
	case bad || asked:
		return j.judge(w, "", "")
	}
	_, err = j.enqueue(w, order{Not: worker, Audit: true})
	return err
}

// pass ends the doubt about a unit. The caller holds the lock.
func (j *Job) pass(w *work) {
	w.state = done
	j.open--
	j.touch()
}

// compare takes the hash of a unit's pixels that an audit gave.
func (j *Job) compare(w *work, worker, sum string) {
	j.mu.Lock()
	if w.state != doubted || worker == w.worker {
		j.mu.Unlock()
		return
	}
	if sum == w.sum && !j.bad[worker] && !j.bad[w.worker] {
		j.pass(w)
		j.mu.Unlock()
		return
	}
	j.mu.Unlock()
	if err := j.judge(w, worker, sum); err != nil {
		j.log("%v", err)
	}
}

// judge renders a unit here and discards all results of the worker that is in error. The other worker is ""
// if there is none to compare with.
func (j *Job) judge(w *work, other, sum string) error {
	film, err := j.worlds.render(j.ctx, j.plan.task(w.Unit), 1)
	if err != nil {
		return err
	}
	data := encode(film)
	truth := hex.EncodeToString(data[raysBytes:headBytes])
	j.mu.Lock()
	first, firstSum := w.worker, w.sum
	j.mu.Unlock()
	if other != "" && sum != firstSum {
		j.log("audit: workers %s and %s have rendered unit %.12s... to different pixels", first, other, w.key)
	}
	if other != "" && sum != truth {
		j.ban(other)
	}
	if firstSum != truth {
		j.ban(first)
		if err := j.replace(w, data); err != nil {
			return err
		}
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if w.state == doubted {
		w.worker, w.sum = "coordinator", truth
		j.pass(w)
	}
	return nil
}

// replace puts a result of this program in the place of a unit's.
func (j *Job) replace(w *work, data []byte) error {
	subject := resultSubject(j.group, w.key)
	if msg, err := j.farm.results.GetLastMsgForSubject(j.ctx, subject); err == nil {
		if err := j.farm.results.DeleteMsg(j.ctx, msg.Sequence); err != nil {
			return err
		}
	}
	msg := nats.NewMsg(subject)
	msg.Header.Set(workerHeader, "coordinator")
	msg.Header.Set(sumHeader, hex.EncodeToString(data[raysBytes:headBytes]))
	msg.Data = data
	_, err := j.farm.js.PublishMsg(j.ctx, msg, jetstream.WithExpectLastSequencePerSubject(0))
	return err
}

// ban discards what a worker has produced for the job, asks it to leave, and has what it sends from now on
// rendered here.
func (j *Job) ban(worker string) {
	j.mu.Lock()
	if worker == "" || j.bad[worker] {
		j.mu.Unlock()
		return
	}
	j.bad[worker] = true
	n := 0
	for _, w := range j.byKey {
		switch {
		case w.worker == worker && w.state == done:
			w.state = doubted
			j.open++
			n++
		case w.worker == "" && w.state == done:
			w.state = doubted // whose it is turns out when it is looked at
			j.open++
		}
	}
	j.touch()
	j.mu.Unlock()
	j.log("audit: worker %s is in error; %d units more of its are rendered again", worker, n)
	if _, err := j.farm.jobs.Put(j.ctx, "banned."+worker, []byte(fmt.Sprintf("job %s", j.ID))); err != nil {
		j.log("%v", err)
	}
}
