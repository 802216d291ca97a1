package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Grace is the time in which a program should end after the first signal.
const Grace = 900 * time.Millisecond

// ErrTerminated is the cause of a context that SIGTERM ended, as another program sends it. A person who presses Ctrl-C can wait
// until the program has saved the finished part; the sender of SIGTERM expects that the program ends soon.
var ErrTerminated = fmt.Errorf("terminated: %w", context.Canceled)

// Interruptible returns a context that ends at the first signal to end the program, such as Ctrl-C. If the program still
// runs after [Grace], Interruptible calls late with the cause of the context's end, and at the second such signal kill, both on
// another goroutine.
func Interruptible(late func(cause error), kill func()) context.Context {
	signals := make(chan os.Signal, 2)
	for _, s := range endings() {
		if !signal.Ignored(s) { // nohup, and shells that start a job in the background, set some signals to be ignored
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	go watch(signals, func(cause error) { cancel(cause); time.AfterFunc(Grace, func() { late(cause) }) }, kill)
	return ctx
}

// watch calls first at the first signal, with its meaning for a context, and second at the second one.
func watch(signals <-chan os.Signal, first func(cause error), second func()) {
	first(causeOf(<-signals))
	<-signals
	second()
}

// causeOf returns the meaning of a signal for a context. On Plan 9, SIGTERM is the same note as Ctrl-C.
func causeOf(s os.Signal) error {
	if s != os.Interrupt && s == syscall.SIGTERM {
		return ErrTerminated
	}
	return context.Canceled
}
