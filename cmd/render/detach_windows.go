package main

import (
	"os/exec"
	"syscall"
)

// detach keeps Ctrl-C on the console from a process, which this program ends itself.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: syscall.CREATE_NEW_PROCESS_GROUP}
}
