package main

import (
	"os/exec"
	"syscall"
)

// alone keeps the signals of the terminal, such as Ctrl-C, from another program.
func alone(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
