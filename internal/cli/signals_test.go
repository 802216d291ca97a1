package cli

import (
	"context"
	"os"
	"syscall"
	"testing"
)

func TestWatchSignals(t *testing.T) {
	isOwn := os.Signal(syscall.SIGTERM) != os.Interrupt // not on Plan 9
	for _, signal := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		signals := make(chan os.Signal)
		calls := make(chan error)
		go watch(signals, func(cause error) { calls <- cause }, func() { calls <- nil })
		first := context.Canceled
		if signal == syscall.SIGTERM && isOwn {
			first = ErrTerminated
		}
		for _, want := range []error{first, nil} {
			signals <- signal
			if got := <-calls; got != want {
				t.Errorf("%v: got %v, want %v", signal, got, want)
			}
		}
	}
	if got := FailureOf(ErrTerminated); got.Status != StatusInterrupted || got.Err.Error() != "interrupted" {
		t.Errorf("SIGTERM is reported as %+v", got)
	}
}
