package cli

import (
	"context"
	"os"
	"os/signal"
	"time"
)

// Grace is the time in which a program should end after the first signal.
const Grace = 900 * time.Millisecond

// Interruptible returns a context that ends at the first signal to end the program, such as Ctrl-C. If the program still
// runs after [Grace], Interruptible calls late, and at the second such signal kill, both on another goroutine.
func Interruptible(late, kill func()) context.Context {
	signals := make(chan os.Signal, 2)
	for _, s := range endings() {
		if !signal.Ignored(s) { // nohup, and shells that start a job in the background, set some signals to be ignored
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go watch(signals, func() { cancel(); time.AfterFunc(Grace, late) }, kill)
	return ctx
}

// watch calls first at the first signal and second at the second one.
func watch(signals <-chan os.Signal, first, second func()) {
	<-signals
	first()
	<-signals
	second()
}
