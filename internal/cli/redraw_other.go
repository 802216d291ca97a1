//go:build !unix

package cli

import "os"

// Redraws returns a nil channel, because this system has no such signals.
func Redraws() (events <-chan os.Signal, stop func()) { return nil, func() {} }
