//go:build unix

package cli

import (
	"os"
	"os/signal"
	"syscall"
)

// Redraws returns a channel that receives a value when the program resumes after Ctrl-Z, or when the size of the
// terminal changes. The caller can then print its prompt again. Call stop to end the notifications.
func Redraws() (events <-chan os.Signal, stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGCONT, syscall.SIGWINCH)
	return signals, func() { signal.Stop(signals) }
}
