//go:build !js && !plan9

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// endings returns the signals that request the program to end.
func endings() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} }

// SurvivePipes turns a write to a pipe without a reader into an ordinary error. Without it, the signal SIGPIPE would
// end the program.
func SurvivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// IsBrokenPipe reports whether a write failed because the pipe has no reader.
func IsBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
