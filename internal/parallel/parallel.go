// Package parallel runs functions on goroutines of their own, waits for them, and brings a panic of
// theirs to the goroutine that waits. There somebody may recover from it: a server answers its other
// requests, where a panic that no one catches ends the whole process.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is the panic of another goroutine.
type Panic struct {
	Value any    // of the panic
	Stack []byte // of its goroutine
}

// Error returns the value and the stack.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Value, p.Stack) }

// Recovered returns v, what recover returned where it is called, as a Panic: with the stack of the
// goroutine that it is about.
func Recovered(v any) *Panic {
	if p, ok := v.(*Panic); ok {
		return p
	}
	return &Panic{v, debug.Stack()}
}

// Group is goroutines that are waited for. The zero value is an empty group. It must not be copied.
type Group struct {
	wg    sync.WaitGroup
	panic atomic.Pointer[Panic] // the first one
}

// Go calls f on a goroutine of its own. It may be called from several goroutines, but not while Wait
// waits for none.
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

// Do calls f n times at once, and waits until all calls have returned. If one panics, Do panics with a
// [*Panic] when the others have returned. A single call is made on the goroutine of the caller, and its
// panic stays as it is.
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

// For calls f(0), ..., f(n-1), each once, on as many goroutines as there are processors, and waits for
// them. After a panic no more calls are begun.
func For(n int, f func(i int)) {
	var next atomic.Int64
	Do(min(n, runtime.GOMAXPROCS(0)), func() {
		defer next.Store(int64(n)) // nothing is left to do, or f panics
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			f(i)
		}
	})
}
