package parallel_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"pillbox/internal/parallel"
)

func ExampleFor() {
	squares := make([]int, 5)
	parallel.For(len(squares), func(i int) { squares[i] = i * i })
	fmt.Println(squares)
	// Output: [0 1 4 9 16]
}

func TestForCallsEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int32, n)
		parallel.For(n, func(i int) { calls[i].Add(1) })
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("n = %d: %d calls with %d, want 1", n, got, i)
			}
		}
	}
}

// TestDoAtOnce: the calls wait for each other, so they run at once.
func TestDoAtOnce(t *testing.T) {
	const n = 8
	all := make(chan struct{})
	var there atomic.Int32
	parallel.Do(n, func() {
		if there.Add(1) == n {
			close(all)
		}
		<-all
	})
	if got := there.Load(); got != n {
		t.Errorf("%d calls, want %d", got, n)
	}
}

// planted is what tests panic with.
var planted = errors.New("planted")

func plant() { panic(planted) }

// TestPanicComesToTheCaller: from whatever depth, with the place of the panic.
func TestPanicComesToTheCaller(t *testing.T) {
	old := runtime.GOMAXPROCS(2) // or For would call on this goroutine
	defer runtime.GOMAXPROCS(old)
	for name, f := range map[string]func(){
		"Do":  func() { parallel.Do(3, plant) },
		"For": func() { parallel.For(3, func(int) { plant() }) },
		"Group": func() {
			var g parallel.Group
			g.Go(plant)
			g.Wait()
		},
		"Group in Do in For": func() {
			parallel.For(2, func(int) {
				parallel.Do(2, func() {
					var g parallel.Group
					g.Go(plant)
					g.Wait()
				})
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				p, ok := recover().(*parallel.Panic)
				if !ok || p.Value != planted || !bytes.Contains(p.Stack, []byte("parallel_test.plant")) {
					t.Errorf("recovered %v, want a Panic of %v with its stack", p, planted)
				}
			}()
			f()
		})
	}
}

// TestForEndsAfterPanic: calls that have not begun when one panics are not made.
func TestForEndsAfterPanic(t *testing.T) {
	const n = 1 << 27 // about a second
	old := runtime.GOMAXPROCS(2)
	defer runtime.GOMAXPROCS(old)
	var calls atomic.Int64
	defer func() {
		if recover() == nil || calls.Load() > n/2 {
			t.Errorf("%d calls, want few of %d and a panic", calls.Load(), n)
		}
	}()
	parallel.For(n, func(i int) {
		calls.Add(1)
		if i == 10 {
			plant()
		}
	})
}

// TestRecovered: a panic that was brought from another goroutine stays what it is.
func TestRecovered(t *testing.T) {
	p := &parallel.Panic{Value: planted, Stack: []byte("there")}
	if got := parallel.Recovered(p); got != p {
		t.Errorf("Recovered(%v) = %v, want the same", p, got)
	}
	if got := parallel.Recovered(planted); got.Value != planted || !bytes.Contains(got.Stack, []byte("TestRecovered")) {
		t.Errorf("Recovered(%v) = %v, want it with the stack of here", planted, got)
	}
}
