//go:build !js && !plan9

package farm

import (
	"testing"
	"time"
)

// TestFarmStraggler checks that a unit whose worker is stuck is given to a second worker.
func TestFarmStraggler(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	j := open(t, connect(t, url), JobOptions{slowTime: time.Millisecond})
	ended := make(chan struct{})
	stuck := &Worker{Slots: 1, damage: gate(2, ended)}
	startWorker(t, url, stuck)
	t.Cleanup(func() { close(ended) }) // before the worker is stopped
	wantEventually(t, func() bool { return stuck.rendered() == 2 })
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	if n := stuck.rendered(); n != 2 {
		t.Errorf("the stuck worker has rendered %d units", n)
	}
}

// TestFarmSecondResult checks that a worker whose result comes second reports the hash of its pixels, so that both
// results can be compared.
func TestFarmSecondResult(t *testing.T) {
	t.Parallel()
	url := serve(t).ClientURL()
	f := connect(t, url)
	j := open(t, f, JobOptions{})
	msg, err := nextUnit(t, j)
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, url, &Worker{Slots: 1})
	wantPicture(t, j)
	late := &Worker{Farm: f, Name: "late", id: "late", scenes: j.scenes, last: t.Context(), running: make(map[string]running), slowest: make(map[string]time.Duration), damage: flipping(1)}
	late.take(t.Context(), msg)
	last, err := f.news.GetLastMsgForSubject(t.Context(), newsSubject(j.ID, keyOf(msg.Subject()), f.mark))
	if err != nil {
		t.Fatal(err)
	}
	var n news
	if err := unmarshal(last.Data, &n); err != nil || n.Worker != "late" || !isHash(n.Sum) || n.Sum == j.byKey[keyOf(msg.Subject())].sum {
		t.Errorf("%+v, %v", n, err)
	}
}

// TestWorkerLimit checks the time limit of a unit: hangFactor times the time of the job's slowest unit, but at
// least leastLimit and at most maxUnitTime.
func TestWorkerLimit(t *testing.T) {
	w := &Worker{slowest: make(map[string]time.Duration)}
	for _, test := range []struct{ took, want time.Duration }{
		{0, maxUnitTime},
		{time.Millisecond, leastLimit},
		{10 * time.Second, 500 * time.Second},
		{time.Second, 500 * time.Second},
		{20 * time.Minute, maxUnitTime},
	} {
		if test.took > 0 {
			w.took("job", test.took)
		}
		if got := w.limit("job"); got != test.want {
			t.Errorf("after a unit of %v: %v, want %v", test.took, got, test.want)
		}
	}
	if got := w.limit("another job"); got != maxUnitTime {
		t.Errorf("another job: %v, want %v", got, maxUnitTime)
	}
	for i := range 3000 {
		w.took(time.Duration(i).String(), 1)
	}
	if len(w.slowest) > 1000 {
		t.Errorf("%d jobs", len(w.slowest))
	}
}
