package cli

import (
	"context"
	"os"
	"os/signal"
)

// Interruptible returns a context that ends at the first signal to end the program, such as Ctrl-C. At the second such
// signal, Interruptible calls kill on another goroutine.
func Interruptible(kill func()) context.Context {
	signals := make(chan os.Signal, 2)
	for _, s := range endings() {
		if !signal.Ignored(s) { // nohup, and shells that start a job in the background, set some signals to be ignored
			signal.Notify(signals, s)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	go watch(signals, cancel, kill)
	return ctx
}

// watch calls first at the first signal and second at the second one.
func watch(signals <-chan os.Signal, first, second func()) {
	<-signals
	first()
	<-signals
	second()
}
