package accel

import (
	"sync"
	"testing"
)

// TestFreeListIsShared checks that an element is never in use by two goroutines at the same time, and that at most
// one element per goroutine is created.
func TestFreeListIsShared(t *testing.T) {
	const workers, rounds = 8, 1000
	var s freeList[sync.Mutex]
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			for range rounds {
				x := s.take(func() *sync.Mutex { return new(sync.Mutex) })
				if !x.TryLock() {
					t.Error("two hold the same")
					return
				}
				x.Unlock()
				s.put(x)
			}
		})
	}
	all.Wait()
	if n := len(s.list); n < 1 || n > workers {
		t.Errorf("%d were made for %d goroutines", n, workers)
	}
}
