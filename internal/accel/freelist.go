package accel

import "sync"

// freeList keeps the scratch memory of finished queries for later queries. It holds at most as many elements as there
// were concurrent queries. It is not a [sync.Pool]: a pool frees its memory between renders and, under the race
// detector, drops elements at random, so tests would spend most of their time clearing memory. A query that panics must
// not return its scratch memory, because the state of this memory is unknown. The zero value is an empty list. A
// freeList is safe for concurrent use.
type freeList[T any] struct {
	mu   sync.Mutex
	list []*T
}

// take removes an element from the list and returns it. If the list is empty, it returns a new element.
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
