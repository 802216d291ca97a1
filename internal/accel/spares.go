package accel

import "sync"

// spares keep the scratch memory of queries that are done for those to come. There is never more
// of it than there have been queries at a time, and it lives as long as its owner: a [sync.Pool]
// gives it back between renders and, under the race detector, drops some of it at random, so that
// most of a test's time went into clearing memory. The zero value is empty; they are safe for
// concurrent use.
type spares[T any] struct {
	mu   sync.Mutex
	list []*T
}

// take returns one of the spares or, if there is none, a new one.
func (s *spares[T]) take(create func() *T) *T {
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
func (s *spares[T]) put(x *T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, x)
}
