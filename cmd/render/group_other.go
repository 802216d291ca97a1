//go:build !unix

package main

import "os/exec"

// What follows is for systems without groups of processes; docs/program.md lists what they lack.

func own(*exec.Cmd) {}

func end(cmd *exec.Cmd) { cmd.Process.Kill() }
