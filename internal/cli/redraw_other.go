//go:build !unix

package cli

import "os"

// Redraws returns a channel without elements: this system has no such signals.
func Redraws() (events <-chan os.Signal, stop func()) { return nil, func() {} }
