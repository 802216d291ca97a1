package course

import (
	"fmt"
	"strings"
	"testing"

	"pillbox/internal/fixture/effort"
)

// TestNearestNamesTheFirst checks that, if a program answers a solid behind others, the problem names the one that comes first.
func TestNearestNamesTheFirst(t *testing.T) {
	tried := 0
	for _, a := range nearestAsks() {
		for i := range effort.Of(20, 200, 2000) {
			q := a.make(newDice(&Options{Seed: 11}, i))
			want := solveNearest(&q)
			if want.Object < 0 || !tolerantChord(q.ray, q.solids[want.Object]).certain {
				continue
			}
			last := want
			for k, s := range q.solids {
				if c := tolerantChord(q.ray, s); c.certain && c.near.lo > last.T+4*c.leeway {
					last = nearestAnswer{Object: k, T: (c.near.lo + c.near.hi) / 2}
				}
			}
			if last.Object == want.Object {
				continue
			}
			tried++
			p := judgeNearest(&q, last)
			if p == nil || !strings.Contains(p.what, fmt.Sprintf("solid %d comes first", want.Object)) {
				t.Errorf("%s %d: solid %d in place of %d: %+v", a.name, i, last.Object, want.Object, p)
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d answers were behind others", tried)
	}
}
