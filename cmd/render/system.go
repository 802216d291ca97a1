//go:build !js && !plan9

package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"
)

// endings returns the signals that end the program.
func endings() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} }

// survivePipes makes writing to a pipe that nobody reads an error like any other; without a handler
// it kills the program.
func survivePipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// isBrokenPipe reports whether writing failed because nobody reads any more.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
