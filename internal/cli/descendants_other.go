//go:build !linux

package cli

import "os/exec"

// Descendants are a command and all processes that it starts. On this system they cannot be tracked.
type Descendants struct{}

// WatchDescendants does nothing: only Linux lets a process find its orphaned descendants.
func WatchDescendants() *Descendants { return new(Descendants) }

// Kill does nothing. Use [KillGroup] to end the processes of the command's group.
func (*Descendants) Kill(*exec.Cmd) {}
