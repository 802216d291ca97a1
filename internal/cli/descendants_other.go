//go:build !linux

package cli

import "os/exec"

// Descendants are a command and all processes that come of it.
type Descendants struct{}

// WatchDescendants does nothing: only Linux lets a process find its orphaned descendants.
func WatchDescendants() *Descendants { return new(Descendants) }

// Kill does nothing. [KillGroup] ends the processes of the command's group.
func (*Descendants) Kill(*exec.Cmd) {}
