//go:build unix

package main

import (
	"os/exec"
	"syscall"
)

// alone keeps the signals of the terminal, such as Ctrl-C, from another program.
func alone(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
