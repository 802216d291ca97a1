package cli

import (
	"os/exec"
	"syscall"
)

// Isolate starts a command in a process group of its own: Ctrl-C on the console does not reach it. Call it
// before the command starts.
func Isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}

// KillGroup kills an isolated command. Its children go on.
func KillGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
