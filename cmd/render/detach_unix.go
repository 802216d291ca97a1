//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// detach keeps Ctrl-C on the terminal from a process, which this program ends itself.
func detach(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
