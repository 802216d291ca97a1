//go:build !js && !plan9

package main

import (
	"syscall"
	"testing"
)

// TestRunBrokenPipe checks that commands print no message if the reader of standard output ends early, as head
// does.
func TestRunBrokenPipe(t *testing.T) { wantBrokenOutput(t, syscall.EPIPE, "") }
