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

// TestGateForgets checks that the gate remembers a bounded number of units: those whose leases have ended long ago are
// forgotten.
func TestGateForgets(t *testing.T) {
	g := &gatekeeper{farm: &Farm{lease: time.Minute}, held: make(map[string]held)}
	for i := range 5000 {
		g.hold(ackPrefix + "job-x.1." + strconv.Itoa(i) + ".1.1.1")
	}
	for id, h := range g.held {
		g.held[id] = held{h.subject, h.since.Add(-time.Hour)}
	}
	g.hold(ackPrefix + "job-x.1.last.1.1.1")
	if len(g.held) != 1 {
		t.Errorf("the gate remembers %d units", len(g.held))
	}
}
