//go:build js || plan9

package cli

import (
	"os"
	"runtime"
	"syscall"
)

// This system has neither hang-up nor broken-pipe signals; docs/program.md lists such differences.

func endings() []os.Signal {
	if runtime.GOOS == "js" {
		return nil // js has no signals, and signal.Ignored panics there
	}
	return []os.Signal{os.Interrupt, syscall.SIGTERM}
}

// SurvivePipes does nothing on this system.
func SurvivePipes() {}

// IsBrokenPipe returns false on this system.
func IsBrokenPipe(error) bool { return false }
