package suite

import (
	"sync"
	"time"
)

// A Limit bounds the time in which [Result.Study] looks for the causes of all differences together. Its
// methods may be called from several goroutines.
type Limit struct {
	mu         sync.Mutex
	fixed      time.Duration // negative: as long as everything else takes
	references int           // how many there are
	judged     int           // how many were
	judging    time.Duration // for all but explaining
	explaining time.Duration
}

// leastLimit is how long explaining may take in any case, if no time was given.
const leastLimit = 2 * time.Second

// NewLimit returns a limit of some time. If that is negative, explaining may take as long as it takes to
// render and compare all references, but at least two seconds: a check takes at most about twice as long
// as without causes.
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

// measure measures something else than explaining.
func (l *Limit) measure(f func()) {
	begun := time.Now()
	f()
	if l != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.judging += time.Since(begun)
	}
}

// explain calls f with a function that reports whether there is time left.
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
	defer more() // which adds what it took
	return f(more)
}

func (l *Limit) allowed() time.Duration {
	if l.fixed >= 0 {
		return l.fixed
	}
	each := l.judging / time.Duration(max(l.judged, 1))
	return max(leastLimit, each*time.Duration(max(l.references, l.judged)))
}
