//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestFarmSharesWorkers checks that workers alternate between a film and a picture that is submitted during the
// film.
func TestFarmSharesWorkers(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	film, _ := longFilm(t, connect(t, url), 30, JobOptions{})
	began, goOn := make(chan struct{}), make(chan struct{})
	first := sync.OnceFunc(func() { close(began) })
	w := &Worker{Slots: 1, damage: func(_ string, r []byte) ([]byte, error) {
		first()
		<-goOn
		return r, nil
	}}
	startWorker(t, url, w)
	<-began // the worker has seen no other job
	picture := open(t, connect(t, url), JobOptions{})
	close(goOn)
	wantPicture(t, picture)
	film.mu.Lock()
	left := film.open
	film.mu.Unlock()
	if left < len(film.byKey)/2 {
		t.Errorf("the film has %d units left of %d when the picture of 15 is done", left, len(film.byKey))
	}
}

// TestFarmPause checks that units of a paused job are not rendered while units of another job are. After Resume,
// the job must continue.
func TestFarmPause(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connectTo(t, Access{URL: url, Lease: time.Hour}) // so that no lease ends during the test, and no unit is rendered twice
	id, _ := submitFilm(t, f, JobOptions{Name: "film"})
	if err := f.Pause(t.Context(), "film"); err != nil {
		t.Fatal(err)
	}
	w := &Worker{Slots: 2}
	startWorker(t, url, w)
	wantPicture(t, open(t, f, JobOptions{Name: "picture"}))
	wantRendered(t, 15, w)
	if s, err := f.Status(t.Context()); err != nil || s.Jobs[0].ID != id || s.Jobs[0].State != "paused" {
		t.Errorf("%+v, %v", s, err)
	}
	if err := f.Resume(t.Context(), "film"); err != nil {
		t.Fatal(err)
	}
	if err := f.Wait(t.Context(), "film", JobOptions{}); err != nil {
		t.Error(err)
	}
	wantEventually(t, func() bool { // a worker removes a unit from the queue after it has stored the result
		state, err := f.state(t.Context(), id)
		return err == nil && state == stateDone
	})
	for name, change := range map[string]func(context.Context, string) error{"pause": f.Pause, "resume": f.Resume, "resubmit": f.Resubmit} {
		if err := change(t.Context(), "film"); err == nil || !strings.Contains(err.Error(), " is done") {
			t.Errorf("%s of a job that is done: %v", name, err)
		}
	}
	if err := f.Pause(t.Context(), "none"); err == nil {
		t.Error("a job that does not exist is paused")
	}
}

// TestFarmQueueEnds checks that canceling the context ends waiting for a unit.
func TestFarmQueueEnds(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	ctx, cancel := context.WithCancel(t.Context())
	q, err := newQueue(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			if _, _, err := q.next(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("got %v", err)
			}
		})
	}
	cancel()
	all.Wait()
}

// TestFarmPriority checks the priority in the record of a job, which is DefaultPriority if the options have none. A
// priority out of range must have the weight of the nearest valid one.
func TestFarmPriority(t *testing.T) {
	t.Parallel()
	f := connect(t, serve(t).ClientURL())
	for given, want := range map[int]int{0: DefaultPriority, 7: 7} {
		j := open(t, f, JobOptions{Priority: given})
		if r, err := f.record(t.Context(), j.ID); err != nil || r.Priority != want {
			t.Errorf("priority %d is %+v, %v", given, r, err)
		}
		j.Close()
	}
	for given, want := range map[int]float64{-1: MinPriority, 0: MinPriority, 5: 5, 1e9: MaxPriority} {
		if got := (&jobRecord{Priority: given}).weight(); got != want {
			t.Errorf("priority %d has the weight %v, want %v", given, got, want)
		}
	}
}

// TestQueueHasAnchor checks that the first message of the queue is always the anchor, even after a purge. No
// consumer gets it.
func TestQueueHasAnchor(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{})
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	want := func() {
		t.Helper()
		info, err := f.tasks.Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if msg, err := f.tasks.GetMsg(t.Context(), info.State.FirstSeq); err != nil || msg.Subject != anchorSubject {
			t.Errorf("the first message is %+v, %v", msg, err)
		}
	}
	want()
	if _, err := Purge(t.Context(), "test", Access{URL: url}); err != nil {
		t.Fatal(err)
	}
	want()
}
