package cli

import (
	"os/exec"
	"syscall"
)

// Isolate makes a command run in a process group of its own, so that Ctrl-C on the console does not reach it. Call it
// before the command starts.
func Isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// KillGroup kills an isolated command. Its children continue to run.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
