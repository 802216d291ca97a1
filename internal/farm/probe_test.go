package farm

import "testing"

// TestProbe: this machine gives the bits that all others give.
func TestProbe(t *testing.T) {
	if err := checkProbe(t.Context()); err != nil {
		t.Error(err)
	}
}
