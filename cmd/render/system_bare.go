//go:build js || plan9

package main

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
)

// What follows is for systems without hang-ups and broken pipes; docs/program.md lists what they
// lack.

func endings() []os.Signal {
	if runtime.GOOS == "js" {
		return nil // it has no signals, and asking whether one is ignored panics
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM}
}

func alone(*exec.Cmd) {}

func survivePipes() {}

func isBrokenPipe(error) bool { return false }
