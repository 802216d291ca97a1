//go:build !js && !plan9

package farm

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"pillbox"
	"pillbox/internal/fixture/effort"
)

// TestFarmBrokenNode runs a worker that fails at all units, or damages all results. If it gets enough units, it
// must be excluded. The picture must be right, with and without an audit. The broken worker starts first, so that
// it usually gets enough units.
func TestFarmBrokenNode(t *testing.T) {
	effort.Thorough(t)
	t.Parallel()
	for what, damage := range map[string]func(string, []byte) ([]byte, error){
		"fails":   func(string, []byte) ([]byte, error) { return nil, errors.New("no memory") },
		"garbles": func(_ string, r []byte) ([]byte, error) { r[len(r)-1] ^= 1; return r, nil },
	} {
		for _, audit := range []float64{0, 1} {
			url := serve(t).ClientURL()
			j := open(t, connect(t, url), JobOptions{Audit: audit})
			began := make(chan struct{}, 1000)
			broken := &Worker{Farm: connect(t, url), Slots: 1, damage: func(key string, r []byte) ([]byte, error) {
				began <- struct{}{}
				return damage(key, r)
			}}
			ended := make(chan error, 1)
			go func() { ended <- broken.Run(t.Context()) }()
			<-began
			startWorker(t, url, &Worker{Slots: 1})
			wantPicture(t, j)
			j.mu.Lock()
			faults := j.faults[broken.id]
			j.mu.Unlock()
			if faults < maxFaults {
				continue // the other worker was faster, so this one got too few units
			}
			if err := <-ended; err == nil || !strings.Contains(err.Error(), "the farm excludes this worker: it fails at units that other workers render") {
				t.Errorf("a worker that %s, audit %v, ends with %v", what, audit, err)
			}
		}
	}
}

// TestFarmExcludesBrokenNode checks that a worker that failed at several units before another worker joined is
// excluded.
func TestFarmExcludesBrokenNode(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	j := open(t, connect(t, url), JobOptions{})
	broken := &Worker{Farm: connect(t, url), Slots: 1, damage: func(string, []byte) ([]byte, error) { return nil, errors.New("no memory") }}
	ended := make(chan error, 1)
	go func() { ended <- broken.Run(t.Context()) }()
	wantEventually(t, func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		n := 0
		for _, w := range j.byKey {
			n += len(w.failed)
		}
		return n >= maxFaults
	})
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "it fails at units that other workers render: no memory") {
		t.Errorf("the worker ends with %v", err)
	}
}

// TestFarmVanishing checks that a unit fails after several workers disappeared while they rendered it, and is not
// given to another worker.
func TestFarmVanishing(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{})
	msg, err := nextUnit(t, j)
	if err != nil {
		t.Fatal(err)
	}
	deadly := keyOf(msg.Subject())
	if err := f.tell(t.Context(), j.ID, deadly, news{Worker: "e", Tried: []string{"a", "b", "c", "d", "e"}}); err != nil {
		t.Fatal(err)
	}
	if err := msg.Nak(); err != nil {
		t.Fatal(err)
	}
	startWorker(t, url, &Worker{Slots: 1, damage: func(key string, r []byte) ([]byte, error) {
		if key == deadly {
			t.Error("another worker was risked")
		}
		return r, nil
	}})
	ctx, cancel := context.WithTimeout(t.Context(), testLimit)
	defer cancel()
	if _, err := j.Picture(ctx, 0, pillbox.Options{}); err == nil || !strings.Contains(err.Error(), "5 workers took it and vanished") {
		t.Errorf("got %v", err)
	}
}

// TestFarmHandsBack checks that workers that are stopped return their units to the queue, and that this does not
// count as an attempt.
func TestFarmHandsBack(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	if f, err := Connect(t.Context(), "first", Access{URL: url, Lease: time.Hour}); err != nil { // so that no lease ends during the test
		t.Fatal(err)
	} else {
		f.Close()
	}
	j := open(t, connect(t, url), JobOptions{})
	for range 2 * maxTries {
		ctx, cancel := context.WithCancel(t.Context())
		began := make(chan struct{}, 1)
		w := &Worker{Farm: connect(t, url), Slots: 1, damage: func(string, []byte) ([]byte, error) {
			began <- struct{}{}
			<-ctx.Done()
			return nil, errors.New("interrupted")
		}}
		ended := make(chan error, 1)
		go func() { ended <- w.Run(ctx) }()
		<-began
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, w := range j.byKey {
		if len(w.failed) > 0 {
			t.Errorf("a try was counted: %v", w.failed)
		}
	}
}

// TestFarmAlwaysGarbles checks that a job reports units that cannot be rendered, if its only worker damages every
// result.
func TestFarmAlwaysGarbles(t *testing.T) {
	effort.Thorough(t)
	t.Parallel()
	url := serve(t).ClientURL()
	j := open(t, connect(t, url), JobOptions{})
	startWorker(t, url, &Worker{Slots: 1, damage: func(_ string, r []byte) ([]byte, error) { r[len(r)-1] ^= 1; return r, nil }})
	ctx, cancel := context.WithTimeout(t.Context(), testLimit)
	defer cancel()
	if _, err := j.Picture(ctx, 0, pillbox.Options{}); err == nil || !strings.Contains(err.Error(), "cannot be rendered: worker") {
		t.Errorf("got %v", err)
	}
}
