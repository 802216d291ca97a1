//go:build !unix && !windows

package cli

import "os/exec"

// Isolate does nothing, because this system has no process groups. docs/program.md lists such differences.
func Isolate(*exec.Cmd) {}

// KillGroup kills a command. Its children continue to run.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
