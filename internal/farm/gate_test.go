//go:build !js && !plan9

package farm

import (
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
)

// TestIsAck checks which messages the gate passes on to the queue: those of workers, and none that keeps a unit from the
// others for longer than a lease.
func TestIsAck(t *testing.T) {
	const lease = 30 * time.Second
	for data, want := range map[string]bool{
		"+ACK": true, "-NAK": true, "+WPI": true, "+TERM": true, string(backIn(0)): true, string(backIn(lease)): true,
		string(backIn(lease + 1)): false, string(backIn(-1)): false, "-NAK 1e18": false, "-NAK {": false, "-NAKx": false,
		"": false, "+NXT": false, "+ACK ": false, "+ACK\r\n": false, "+TERM because": false, "+WPI 5": false,
	} {
		if got := isAck([]byte(data), lease); got != want {
			t.Errorf("%q: %v, want %v", data, got, want)
		}
	}
}

// TestGateForgets checks that the gate forgets the units whose leases have ended long ago, and no others.
func TestGateForgets(t *testing.T) {
	const keep, many = time.Minute, 1000
	var h heldUnits
	begin := time.Now()
	subject := func(i int) string { return ackPrefix + "job-x.1." + strconv.Itoa(i) + ".1.1.1" }
	for i := range 10 * many {
		now := begin.Add(time.Duration(i) * keep / many)
		h.hold(subject(i), now, keep)
		h.hold(subject(0), now, keep) // its worker renews the lease
		for _, k := range []int{0, i, max(0, i-many)} {
			if !h.has(subject(k)) {
				t.Fatalf("unit %d is forgotten at %d", k, i)
			}
		}
		if n := len(h.recent) + len(h.old); n > 2*many+4 {
			t.Fatalf("the gate remembers %d units", n)
		}
	}
	if h.has(subject(many)) || h.has(subject(-1)) {
		t.Error("an old or unknown unit is held")
	}
	h.hold(subject(1), begin.Add(time.Hour), keep)
	if n := len(h.recent) + len(h.old); n != 1 {
		t.Errorf("after a long time, the gate remembers %d units", n)
	}
}

// TestGateKnowsTheLastDelivery checks that only the last delivery of a unit is held, until it is released.
func TestGateKnowsTheLastDelivery(t *testing.T) {
	var h heldUnits
	first, second := ackPrefix+"job-x.1.7.1.1.1", ackPrefix+"job-x.2.7.2.1.1"
	now := time.Now()
	h.hold(first, now, time.Minute)
	h.hold(second, now, time.Minute)
	if h.has(first) || !h.has(second) {
		t.Error("the first delivery is held after the second")
	}
	h.hold(ackPrefix+"job-y.1.1.1.1.1", now.Add(90*time.Second), time.Minute) // the others become old
	if !h.has(second) {
		t.Error("the second delivery is forgotten")
	}
	if h.release(first) || !h.release(second) {
		t.Error("not the last delivery is given back")
	}
	if h.has(first) || h.has(second) || h.renew(second, now, time.Minute) || h.release(second) {
		t.Error("a delivery is held that was given back")
	}
}

// TestGateRenewsOnlyTheLastDelivery lets a worker renew its lease at all times, also while another worker gets the unit, or while it
// gives the unit back. Neither may leave the unit with the former worker.
func TestGateRenewsOnlyTheLastDelivery(t *testing.T) {
	const rounds, senders, looks = 200, 2, 3
	first, second := ackPrefix+"job-x.1.7.1.1.1", ackPrefix+"job-x.2.7.2.1.1"
	now := time.Now()
	for what, change := range map[string]func(h *heldUnits){
		"another worker has got the unit": func(h *heldUnits) { h.hold(second, now, time.Minute) },
		"the unit was given back":         func(h *heldUnits) { h.release(first) },
	} {
		var h heldUnits
		var wg sync.WaitGroup
		var over atomic.Bool
		for range senders {
			wg.Go(func() {
				for !over.Load() {
					h.renew(first, now, time.Minute)
				}
			})
		}
		stolen := false
		for i := 0; i < rounds && !stolen; i++ {
			h.hold(first, now, time.Minute)
			runtime.Gosched()
			change(&h)
			for range looks {
				stolen = stolen || h.renew(first, now, time.Minute)
				runtime.Gosched()
			}
		}
		over.Store(true)
		wg.Wait()
		if stolen {
			t.Errorf("%s, but its former worker still has it", what)
		}
	}
}

// TestGateRestores checks that a worker gets its unit back if its acknowledgement cannot be forwarded, unless another worker has got
// the unit since.
func TestGateRestores(t *testing.T) {
	first, second := ackPrefix+"job-x.1.7.1.1.1", ackPrefix+"job-x.2.7.2.1.1"
	var h heldUnits
	hold := func(subject string) { h.hold(subject, time.Now(), time.Minute) }
	hold(first)
	h.release(first)
	h.restore(first)
	if !h.has(first) {
		t.Error("the worker has lost its unit")
	}
	h.release(first)
	hold(second)
	h.restore(first)
	if h.has(first) || !h.has(second) {
		t.Error("another worker has lost its unit")
	}
	h.release(second)
	h.restore(first)
	h.forget(first)
	if h.has(first) || len(h.released) != 1 {
		t.Error("a former worker changes a unit that another worker gives back")
	}
	h.forget(second)
	h.restore(second)
	if h.has(second) || len(h.released) != 0 {
		t.Error("a unit is remembered that has been given back")
	}
}

// TestGateForwardsAgain checks that a worker keeps its unit if the gate cannot forward its acknowledgement.
func TestGateForwardsAgain(t *testing.T) {
	s := serve(t)
	g := &gatekeeper{farm: connect(t, s.ClientURL()), secret: []byte("secret")}
	unit := ackPrefix + "job-x.1.7.1.1.1"
	g.held.hold(unit, time.Now(), time.Minute)
	g.farm.nc.Close()
	for _, data := range [][]byte{ackProgress, ackBack, ackDone, ackRefused} {
		for _, reply := range []string{"", "a reply"} {
			g.acknowledge(&nats.Msg{Subject: ackSubject + g.seal(unit) + "." + unit[len(ackPrefix):], Reply: reply, Data: data})
			if !g.held.has(unit) {
				t.Fatalf("%s: the worker has lost its unit", data)
			}
		}
	}
}
