//go:build !js && !plan9

package farm

import (
	"math/rand/v2"
	"testing"
)

const allStates, allEvents = int(failed) + 1, int(abandoned) + 1

// TestStates checks the states of units. Each state can be reached, and a unit that the job waits for can become
// done. The coordinator's own result is final. Events about a result change only units that have a result.
func TestStates(t *testing.T) {
	t.Parallel()
	reached := map[state]bool{queued: true}
	for range allStates {
		for s := range reached {
			for e := range allEvents {
				if next, ok := s.after(event(e)); ok {
					reached[next] = true
				}
			}
		}
	}
	for i := range allStates {
		s := state(i)
		if !reached[s] {
			t.Errorf("no unit is ever %v", s)
		}
		for e := range allEvents {
			next, ok := s.after(event(e))
			switch event(e) {
			case arrived, unproven, corrected:
				if ok == (s == replaced) {
					t.Errorf("event %d in state %v leads to %v", e, s, next)
				}
			case suspected, ordered, confirmed, lost, lostOften, lostStore:
				if ok && !s.hasResult() {
					t.Errorf("event %d changes a unit that is %v", e, s)
				}
			default:
				if ok && !s.waits() {
					t.Errorf("event %d changes a unit that is %v", e, s)
				}
			}
			if ok && s.isOpen() && next == s && !(s == doubted && event(e) == unproven) {
				t.Errorf("event %d leaves a unit %v", e, s)
			}
		}
	}
}

// TestApplyCounts checks that a job's count of open units is right after any sequence of events.
func TestApplyCounts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		j := &Job{byKey: make(map[string]*work)}
		var all []*work
		for range 5 {
			all = append(all, new(work))
			j.open++
		}
		for range 60 {
			j.apply(all[random.IntN(len(all))], event(random.IntN(allEvents)))
			open := 0
			for _, w := range all {
				if w.state.isOpen() {
					open++
				}
			}
			if j.open != open {
				t.Fatalf("%d units are open, counted %d", open, j.open)
			}
		}
	}
}

// TestCut checks that reports are cut between characters.
func TestCut(t *testing.T) {
	for _, test := range []struct {
		text string
		n    int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "abc"}, {"aä", 3, "aä"}, {"abä", 3, "ab"}, {"日本", 4, "日"}, {"日", 2, ""}, {"ab", 0, ""}} {
		if got := cut(test.text, test.n); got != test.want {
			t.Errorf("cut(%q, %d) = %q, want %q", test.text, test.n, got, test.want)
		}
	}
}
