//go:build !unix && !windows

package cli

import "os/exec"

// Isolate does nothing: this system has no process groups. docs/program.md lists what systems lack.
func Isolate(*exec.Cmd) {}

// KillGroup kills a command. Its children go on.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
