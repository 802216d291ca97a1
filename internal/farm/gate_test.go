//go:build !js && !plan9

package farm

import (
	"strconv"
	"testing"
	"time"
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
	h.release(second)
	if h.has(first) || h.has(second) {
		t.Error("a delivery is held that was given back")
	}
}
