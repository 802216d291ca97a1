package parallel_test

import (
	"bytes"
	"context"
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

// TestDoAtOnce checks that the calls run at the same time. They wait for each other, so the test would not end
// otherwise.
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

// planted is the value with which the tests in this file panic.
var planted = errors.New("planted")

func plant() { panic(planted) }

// TestPanicComesToTheCaller checks that a panic in a nested call reaches the outermost caller, together with the
// place of the panic.
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

// TestForEndsAfterPanic checks that For starts only few calls after a panic.
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

// TestRecovered checks that a panic that was propagated from another goroutine keeps its value.
func TestRecovered(t *testing.T) {
	p := &parallel.Panic{Value: planted, Stack: []byte("there")}
	if got := parallel.Recovered(p); got != p {
		t.Errorf("Recovered(%v) = %v, want the same", p, got)
	}
	if got := parallel.Recovered(planted); got.Value != planted || !bytes.Contains(got.Stack, []byte("TestRecovered")) {
		t.Errorf("Recovered(%v) = %v, want it with the stack of here", planted, got)
	}
}

func ExamplePartition() {
	p := parallel.Partition{N: 10, Size: 4}
	sums := make([]int, p.Parts())
	p.Do(func(part, from, to int) {
		for i := from; i < to; i++ {
			sums[part] += i
		}
	})
	fmt.Println(sums)
	// Output: [6 22 17]
}

// TestPartition checks that the parts of a range, in order, make up the range. There must be at least one part.
func TestPartition(t *testing.T) {
	for _, p := range []parallel.Partition{{0, 3}, {1, 3}, {3, 3}, {4, 3}, {1000, 7}} {
		ranges := make([][2]int, p.Parts())
		p.Do(func(part, from, to int) { ranges[part] = [2]int{from, to} })
		at := 0
		for part, r := range ranges {
			if r[0] != at || r[1]-r[0] > p.Size || p.N > 0 && r[0] >= r[1] {
				t.Errorf("%+v: part %d is %v, want it to begin with %d", p, part, r, at)
			}
			at = r[1]
		}
		if at != p.N || len(ranges) < 1 {
			t.Errorf("%+v: the parts %v do not cover the range", p, ranges)
		}
	}
}

func TestEachCallsEachOnce(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int32, n)
		err := parallel.Each(t.Context(), 3, n, func(_ context.Context, i int) error {
			calls[i].Add(1)
			return nil
		})
		if err != nil {
			t.Errorf("n = %d: %v", n, err)
		}
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("n = %d: %d calls with %d, want 1", n, got, i)
			}
		}
	}
}

// TestEachWithoutWorkers checks that zero or fewer workers count as one.
func TestEachWithoutWorkers(t *testing.T) {
	for workers := -2; workers <= 1; workers++ {
		for n := range 4 {
			var calls []int // by one goroutine
			err := parallel.Each(t.Context(), workers, n, func(_ context.Context, i int) error {
				calls = append(calls, i)
				return nil
			})
			if err != nil || len(calls) != n {
				t.Errorf("%d workers, n = %d: calls with %v, %v", workers, n, calls, err)
			}
		}
	}
}

// TestEachEndsAfterError checks that Each returns the first error, and that this error ends the context of the
// other calls.
func TestEachEndsAfterError(t *testing.T) {
	var calls atomic.Int32
	err := parallel.Each(t.Context(), 2, 1000, func(ctx context.Context, i int) error {
		calls.Add(1)
		if i == 1 {
			return planted
		}
		<-ctx.Done() // until the other call fails
		return ctx.Err()
	})
	if err != planted || calls.Load() != 2 {
		t.Errorf("%v after %d calls, want %v after 2", err, calls.Load(), planted)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(planted)
	err = parallel.Each(ctx, 2, 10, func(context.Context, int) error {
		t.Error("a call after the end")
		return nil
	})
	if err != planted {
		t.Errorf("%v, want the cause %v", err, planted)
	}
}

// TestWorkers checks the default of options that limit goroutines.
func TestWorkers(t *testing.T) {
	if n := parallel.Workers(3); n != 3 {
		t.Errorf("3 workers are %d", n)
	}
	if n := parallel.Workers(0); n != runtime.GOMAXPROCS(0) {
		t.Errorf("by default there are %d workers", n)
	}
}
