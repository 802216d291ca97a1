//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// Redraws returns a channel that has an element whenever the program continues after Ctrl-Z, or the size of the
// terminal has changed: then a prompt should be printed again. Call stop when it is no longer used.
func Redraws() (events <-chan os.Signal, stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGCONT, syscall.SIGWINCH)
	return signals, func() { signal.Stop(signals) }
}
