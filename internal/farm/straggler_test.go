//go:build !js && !plan9

package farm

import (
	"testing"
	"time"
)

// TestFarmStraggler: a unit with a worker that is stuck goes to a second one, too.
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

// TestFarmSecondResult: the worker whose result comes second reports its pixels, for the audit.
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
	late := &Worker{Farm: f, Name: "late", id: "late", worlds: j.worlds, running: make(map[string]running), damage: flipping(1)}
	late.take(t.Context(), msg)
	last, err := f.news.GetLastMsgForSubject(t.Context(), newsSubject(j.ID, keyOf(msg.Subject())))
	if err != nil {
		t.Fatal(err)
	}
	var n news
	if err := unmarshal(last.Data, &n); err != nil || n.Worker != "late" || !isHash(n.Sum) || n.Sum == j.byKey[keyOf(msg.Subject())].sum {
		t.Errorf("%+v, %v", n, err)
	}
}
