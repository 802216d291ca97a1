//go:build !js && !plan9

package farm

import (
	"bytes"
	"context"
	"image"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"pillbox"
)

// TestFarmAuditMeanwhile deletes or replaces a result while the coordinator renders the unit for comparison. In the
// end, the unit must have the pixels that the coordinator rendered. No worker takes part.
func TestFarmAuditMeanwhile(t *testing.T) {
	t.Parallel()
	for name, firstIsRight := range map[string]bool{"the result is discarded": false, "a wrong one takes its place": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := serve(t).ClientURL()
			f := connectTo(t, Access{URL: url, Lease: time.Hour}) // so that the coordinator does not compare units because it has waited too long
			banned := make(chan struct{}, 2)
			goOn := make(chan struct{})
			j, w, right, wrong := wholeUnit(t, f, func(text string) {
				t.Log(text)
				if strings.Contains(text, "is in error") { // logged before judge decides about the unit
					banned <- struct{}{}
					<-goOn
				}
			})
			doubts := func(worker string, data []byte) {
				t.Helper()
				storeDoubted(t, j, w, worker, data)
			}
			first, other := wrong, right
			if firstIsRight {
				first, other = right, wrong
			}
			doubts("first", first)
			seq := func() uint64 {
				j.mu.Lock()
				defer j.mu.Unlock()
				return w.seq
			}
			compared := make(chan error, 1)
			go func() { compared <- j.compare(w, "other", sumOf(other)) }()
			<-banned
			if err := j.discard(t.Context(), seq()); err != nil {
				t.Fatal(err)
			}
			j.lose(w, seq(), "discarded", "")
			if firstIsRight {
				doubts("second", wrong)
			}
			close(goOn)
			if err := <-compared; err != nil {
				t.Fatal(err)
			}
			j.lose(w, seq(), "discarded", "") // too late
			j.mu.Lock()
			state, own := w.state, w.own
			j.mu.Unlock()
			if state != replaced || !bytes.Equal(own, right) {
				t.Fatalf("the unit is %v with %d bytes of its own", state, len(own))
			}
			wantPicture(t, j)
		})
	}
}

// wholeUnit opens a job with a single unit, which is audited. No worker takes part, and the coordinator does not compare
// the unit because it has waited too long. It returns the right result of the unit, and a wrong one.
func wholeUnit(t *testing.T, f *Farm, log func(string)) (j *Job, w *work, right, wrong []byte) {
	t.Helper()
	s, src := crowdSource(t)
	shot, err := NewShot(s, pillbox.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err = f.Open(t.Context(), src, s, []Shot{shot}, JobOptions{Audit: 1, Cell: image.Pt(90, 70), Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	w = j.shots[0][0]
	film, err := j.scenes.render(t.Context(), j.plan.task(w.Unit), 1)
	if err != nil {
		t.Fatal(err)
	}
	right = encode(film)
	film.Image.Pix[0] ^= 1
	return j, w, right, encode(film)
}

// storeDoubted stores a result of a unit under the name of a worker, and waits until the job doubts it.
func storeDoubted(t *testing.T, j *Job, w *work, worker string, data []byte) {
	t.Helper()
	if _, err := j.farm.js.PublishMsg(t.Context(), j.farm.resultMessage(j.group, w.key, worker, data)); err != nil {
		t.Fatal(err)
	}
	wantEventually(t, func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		return w.state.hasResult() && w.state.isOpen() && w.worker == worker
	})
}

// TestFarmAuditEmptiesQueue checks that the coordinator removes the order for a comparison from the queue when it has
// compared the unit itself. Otherwise the server would deliver the order to its only worker again and again, and a busy
// worker would get no other units.
func TestFarmAuditEmptiesQueue(t *testing.T) {
	t.Parallel()
	f := connectTo(t, Access{URL: serve(t).ClientURL(), Lease: time.Hour})
	j, w, right, _ := wholeUnit(t, f, nil)
	storeDoubted(t, j, w, "first", right)
	if err := j.audit(w); err != nil {
		t.Fatal(err)
	}
	wantEventually(t, func() bool { return f.queued(t) == 2 }) // the unit and its comparison
	if err := j.judge(w, stored{}); err != nil {
		t.Fatal(err)
	}
	if err := j.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := f.queued(t); n != 1 {
		t.Errorf("%d orders are in the queue, want only the one that its worker has not removed", n)
	}
}

// TestFarmAuditOutlivesJob closes a job while the coordinator replaces a wrong result. The result must be replaced
// nevertheless, because later commands fetch it from the server.
func TestFarmAuditOutlivesJob(t *testing.T) {
	t.Parallel()
	f := connectTo(t, Access{URL: serve(t).ClientURL(), Lease: time.Hour})
	var stop func()
	j, w, right, wrong := wholeUnit(t, f, func(text string) {
		if strings.Contains(text, "is in error") {
			stop()
		}
	})
	stop = func() { j.stop(context.Canceled) }
	storeDoubted(t, j, w, "first", wrong)
	if err := j.judge(w, stored{}); err != nil {
		t.Fatal(err)
	}
	msg, err := f.results.GetLastMsgForSubject(t.Context(), resultSubject(j.group, w.key))
	if err != nil || !bytes.Equal(msg.Data, right) {
		t.Errorf("the server does not have the right result, %v", err)
	}
}

// TestReadAllMeanwhileDeleted deletes messages of a stream while the stream is read.
func TestReadAllMeanwhileDeleted(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	const n = 1000 // more than the server delivers at once
	for i := range n {
		if _, err := f.js.PublishAsync(resultSubject("group", strconv.Itoa(i)), nil); err != nil {
			t.Fatal(err)
		}
	}
	<-f.js.PublishAsyncComplete()
	if got := f.stored(t); got != n {
		t.Fatalf("%d messages, want %d", got, n)
	}
	got := 0
	err := f.readAll(t.Context(), resultsStream, jetstream.OrderedConsumerConfig{}, func(jetstream.Msg, *jetstream.MsgMetadata) {
		if got++; got == 1 {
			if err := f.results.Purge(t.Context()); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || got == 0 || got == n {
		t.Errorf("%d messages, %v", got, err)
	}
}
