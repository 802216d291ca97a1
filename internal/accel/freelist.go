package accel

import "sync"

// freeList keeps the scratch memory of finished queries for later ones. There is never more
// of it than there have been queries at a time, and it lives as long as its owner: a [sync.Pool]
// gives it back between renders and, under the race detector, drops some of it at random, so that
// most of a test's time went into clearing memory. The zero value is empty; they are safe for
// concurrent use.
type freeList[T any] struct {
	mu   sync.Mutex
	list []*T
}

// take removes an element from the list, or creates one if it is empty.
func (s *freeList[T]) take(create func() *T) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.list)
	if n == 0 {
		return create()
	}
	last := s.list[n-1]
	s.list = s.list[:n-1]
	return last
}

// put adds what is not used any more.
func (s *freeList[T]) put(x *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, x)
}
