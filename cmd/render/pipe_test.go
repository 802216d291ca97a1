//go:build !js && !plan9

package main

import (
	"syscall"
	"testing"
)

// TestRunBrokenPipe: if the reader of standard output ends early, as head does, no message is printed.
func TestRunBrokenPipe(t *testing.T) { wantBrokenOutput(t, syscall.EPIPE, "") }
