//go:build unix

package cli

import (
	"os/exec"
	"syscall"
)

// Isolate makes a command run in a process group of its own. Signals from the terminal, such as Ctrl-C, then do not
// reach it, and [KillGroup] ends it with its children. Call Isolate before the command starts.
func Isolate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// KillGroup kills an isolated command and its children, except those that have left its process group.
func KillGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
