//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// own makes a command, before it starts, the first of a group of processes: its children belong to it.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// end kills all processes of a command's group. Of those that have left the group it knows nothing.
func end(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
