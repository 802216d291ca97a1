//go:build js || plan9

package cli

import (
	"os"
	"runtime"
	"syscall"
)

// These systems have no hang-ups and no broken pipes; docs/program.md lists what systems lack.

func endings() []os.Signal {
	if runtime.GOOS == "js" {
		return nil // it has no signals, and asking whether one is ignored panics
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM}
}

// SurvivePipes does nothing here.
func SurvivePipes() {}

// IsBrokenPipe returns false here.
func IsBrokenPipe(error) bool { return false }
