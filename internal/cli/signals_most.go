//go:build !js && !plan9

package cli

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// endings returns the signals that end a program.
func endings() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} }

// SurvivePipes makes writing to a pipe without a reader an ordinary error; without a handler it kills the
// program.
func SurvivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// IsBrokenPipe reports whether writing failed because nothing reads the pipe any more.
func IsBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
