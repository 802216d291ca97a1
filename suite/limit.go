package suite

import (
	"context"
	"sync"
	"time"
)

// A Limit bounds the total time that [Result.Study] spends on finding the causes of differences. Its methods are safe
// for concurrent use.
type Limit struct {
	mu         sync.Mutex
	fixed      time.Duration // negative: as much time as judging takes
	references int           // number of references to judge
	judged     int           // number of references that were judged
	judging    time.Duration // time spent on everything except explaining
	explaining time.Duration
}

// leastLimit is the minimum time for explaining if no fixed time was given.
const leastLimit = 2 * time.Second

// NewLimit returns a limit of d. If d is negative, the limit is the time that rendering and comparing
// all references takes, but at least two seconds. A check then takes at most about twice as long as it
// takes without causes, or two seconds longer.
func NewLimit(d time.Duration) *Limit { return &Limit{fixed: d} }

// begin sets the number of references.
func (l *Limit) begin(references int) {
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.references = max(l.references, references)
	}
}

// judge measures how long it takes to judge a reference.
func (l *Limit) judge(f func()) {
	l.measure(f)
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.judged++
	}
}

// measure adds the time that f takes to the time for judging.
func (l *Limit) measure(f func()) {
	begun := time.Now()
	f()
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.judging += time.Since(begun)
	}
}

// explain calls f with a function that reports whether there is time left, or with nil if l is nil,
// which means unlimited time.
func (l *Limit) explain(f func(more func() bool) error) error {
	if l == nil {
		return f(nil)
	}
	last := time.Now()
	more := func() bool {
		now := time.Now()
		l.mu.Lock()
		defer l.mu.Unlock()
		l.explaining += now.Sub(last)
		last = now
		return l.explaining < l.allowed()
	}
	defer more() // adds the time since the last call
	return f(more)
}

// bound returns a copy of ctx that ends, at the latest, when no time for explaining is left. If no fixed time was given, a
// render that has begun goes on to its end: it takes about as long as the one for judging.
func (l *Limit) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if l == nil || l.fixed < 0 {
		return context.WithCancel(ctx)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return context.WithTimeout(ctx, l.allowed()-l.explaining)
}

func (l *Limit) allowed() time.Duration {
	if l.fixed >= 0 {
		return l.fixed
	}
	each := l.judging / time.Duration(max(l.judged, 1))
	return max(leastLimit, each*time.Duration(max(l.references, l.judged)))
}
