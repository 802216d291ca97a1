package accel

import "sync"

// freeList keeps the scratch memory of finished queries for later ones. It holds at most as many
// elements as there were queries at the same time, and lives as long as its owner: a [sync.Pool]
// frees memory between renders and, under the race detector, drops some of it at random, so that
// tests spend most of their time on clearing memory. A query that panics must not return its
// scratch memory, whose state is unknown. The zero value is empty; a freeList is safe for concurrent
// use.
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

// put returns an element to the list.
func (s *freeList[T]) put(x *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, x)
}
