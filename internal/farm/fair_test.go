package farm

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

func never(string) bool { return false }

// TestSharesFollowWeights checks that jobs get time in proportion to their weights, for any durations of units. The
// time of a job divided by its weight may differ from the average by at most three times the largest such quotient
// of one unit.
func TestSharesFollowWeights(t *testing.T) {
	for seed := range 100 {
		random := rand.New(rand.NewPCG(uint64(seed), 0))
		var s shares
		weights := map[string]float64{"a": 1, "b": float64(1 + random.IntN(10)), "c": float64(1 + random.IntN(100))}
		longest, all := 0.0, 0.0
		length := make(map[string]time.Duration)
		for id, w := range weights {
			s.set(id, w)
			length[id] = time.Duration(1+random.IntN(3000)) * time.Millisecond
			longest = max(longest, length[id].Seconds()/w)
			all += w
		}
		got, total := make(map[string]float64), 0.0
		for range 5000 {
			id, ok := s.next(never)
			if !ok {
				t.Fatal("no job is chosen")
			}
			estimate := s.begin(id)
			s.end(id, estimate, length[id])
			got[id] += length[id].Seconds()
			total += length[id].Seconds()
		}
		for id, w := range weights {
			if off := math.Abs(got[id]/w - total/all); off > 3*longest {
				t.Errorf("seed %d: job %s of weight %v gets %.1f s of %.1f s", seed, id, w, got[id], total)
			}
		}
	}
}

// TestSharesNewJobIsNext checks that a job that is new, or has units again, comes before jobs that had units all
// the time. It must not be credited for the time without units.
func TestSharesNewJobIsNext(t *testing.T) {
	var s shares
	s.set("film", 10)
	work := func(want string, skip func(string) bool) {
		t.Helper()
		id, ok := s.next(skip)
		if !ok || id != want {
			t.Fatalf("job %q is chosen, want %q", id, want)
		}
		s.end(id, s.begin(id), time.Second)
	}
	for range 1000 {
		work("film", never)
	}
	s.set("picture", 10)
	work("picture", never)
	for range 1000 {
		work("film", func(id string) bool { return id == "picture" }) // which has no units
	}
	work("picture", never)
	films := 0
	for range 100 {
		id, _ := s.next(never)
		s.end(id, s.begin(id), time.Second)
		if id == "film" {
			films++
		}
	}
	if films < 48 || films > 52 {
		t.Errorf("the film gets %d units of 100", films)
	}
}

// TestSharesAtOnce checks that the slots of workers, which render one unit each at the same time, are divided
// equally among three equal jobs. This must happen before any of their units is finished.
func TestSharesAtOnce(t *testing.T) {
	var s shares
	for _, id := range []string{"a", "b", "c"} {
		s.set(id, 1)
		s.end(id, s.begin(id), time.Second) // now its units have a known length
	}
	count := make(map[string]int)
	for range 9 {
		id, _ := s.next(never)
		s.begin(id)
		count[id]++
	}
	if count["a"] != 3 || count["b"] != 3 || count["c"] != 3 {
		t.Errorf("slots are at %v", count)
	}
	s.remove("a")
	s.end("a", time.Second, time.Second) // it was canceled meanwhile
	if s.begin("a") != 0 {
		t.Error("a job that is gone is charged")
	}
	if _, ok := s.next(func(string) bool { return true }); ok {
		t.Error("a job without units is chosen")
	}
}
