// Package parallel runs functions on goroutines, waits for them, and propagates their panics to the goroutine that
// waits. Without this, a panic on another goroutine would end the process. The waiting goroutine can recover, so that a
// server continues with other requests.
package parallel

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is a panic of another goroutine.
type Panic struct {
	Value any    // the argument of panic
	Stack []byte // the stack of the goroutine that panicked
}

// Error returns the value and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Recovered converts v, the result of recover, to a Panic with the stack of the goroutine that panicked. Call it in the
// deferred function that calls recover.
func Recovered(v any) *Panic {
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{v, debug.Stack()}
}

// Group is a set of goroutines to wait for. The zero value is an empty group. It must not be copied.
type Group struct {
	wg    sync.WaitGroup
	panic atomic.Pointer[Panic] // the first one
}

// Go calls f on a new goroutine. It may be called from several goroutines, but must not be called
// concurrently with a Wait on an empty group.
func (g *Group) Go(f func()) {
	g.wg.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				g.panic.CompareAndSwap(nil, Recovered(v))
			}
		}()
		f()
	})
}

// Wait waits until all functions have returned. If one of them panicked, Wait panics with a [*Panic].
func (g *Group) Wait() {
	g.wg.Wait()
	if p := g.panic.Load(); p != nil {
		panic(p)
	}
}

// Workers returns the number of goroutines for an option that limits them: n, or GOMAXPROCS if n is 0, which stands for the
// default.
func Workers(n int) int { return cmp.Or(n, runtime.GOMAXPROCS(0)) }

// Do calls f on n goroutines and waits until all calls have returned. If one panics, Do then panics
// with a [*Panic]. If n is 1, Do calls f on the goroutine of the caller and does not convert its panic.
func Do(n int, f func()) {
	if n == 1 {
		f()
		return
	}
	var g Group
	for range n {
		g.Go(f)
	}
	g.Wait()
}

// For calls f(0), ..., f(n-1), each once, on up to GOMAXPROCS goroutines, and waits for the calls. After a panic, no
// further calls begin, except for the few that other goroutines were just about to make.
func For(n int, f func(i int)) {
	var next atomic.Int64
	Do(min(n, Workers(0)), func() {
		defer next.Store(int64(n)) // all is done, or f panics
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	})
}

// Each calls f with 0, ..., n-1, each once, on up to workers goroutines, at least one, and waits for the calls. After
// an error, a panic or the end of ctx, no further calls begin, except for the few that other goroutines were just about
// to make. Each returns the first error or, if ctx ended before it, the cause of ctx. In both cases, the context that
// is passed to f ends.
func Each(ctx context.Context, workers, n int, f func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	Do(max(1, min(workers, n)), func() {
		defer next.Store(int64(n)) // all is done, or f panics
		for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
			if err := f(ctx, i); err != nil {
				cancel(err)
			}
		}
	})
	return context.Cause(ctx)
}

// A Partition divides the range 0, ..., N-1 into parts of Size, which must be positive; the last part
// may be smaller. The parts do not depend on the number of processors, so results that depend on the
// parts are the same on every machine.
type Partition struct{ N, Size int }

// Parts returns the number of parts, at least one: an empty range has one empty part.
func (p Partition) Parts() int { return max(1, (p.N+p.Size-1)/p.Size) }

// Do calls f for each part, with its number and its range [from, to), and waits for the calls. The
// first runs on the goroutine of the caller, each other on its own goroutine.
func (p Partition) Do(f func(part, from, to int)) {
	var others Group
	for part := 1; part < p.Parts(); part++ {
		others.Go(func() { f(part, part*p.Size, min(p.N, (part+1)*p.Size)) })
	}
	f(0, 0, min(p.N, p.Size))
	others.Wait()
}
