//go:build !js && !plan9

package main

import (
	"syscall"
	"testing"
)

// TestRunBrokenPipe: a reader that ends early, such as head, causes no message.
func TestRunBrokenPipe(t *testing.T) { wantBrokenOutput(t, syscall.EPIPE, "") }
