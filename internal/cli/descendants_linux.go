package cli

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Descendants are a command and all processes that it starts, directly or indirectly, including those that left its
// process group or whose parents have ended.
type Descendants struct {
	others map[int]bool // children that this process had before
}

// WatchDescendants makes this process the parent of orphaned descendants of a command. Call it before the command
// starts, and start no other process until [Descendants.Kill] has returned. Only Linux offers this.
func WatchDescendants() *Descendants {
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	d := &Descendants{others: make(map[int]bool)}
	for pid, parent := range parents() {
		if parent == os.Getpid() {
			d.others[pid] = true
		}
	}
	return d
}

// mostRounds is the largest number of times that Kill lists and kills processes. It ends the loop if a process forks
// faster than Kill can list; then some processes survive.
const mostRounds = 1000

// Kill kills the remaining descendants of this process and waits for them to end. It does not kill cmd itself, or
// children that existed before [WatchDescendants] and their descendants. To wait for cmd, call cmd.Wait.
func (d *Descendants) Kill(cmd *exec.Cmd) {
	for range mostRounds {
		found := d.alive(cmd.Process.Pid)
		for _, pid := range found {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		for _, pid := range found {
			_, _ = syscall.Wait4(pid, nil, 0, nil) // fails at once if pid is not a child of this process
		}
		if len(found) == 0 {
			break
		}
	}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0)
}

// alive returns the descendants of this process, except the command itself, and except the children that
// existed before WatchDescendants, with their descendants.
func (d *Descendants) alive(command int) []int {
	parent := parents()
	var found []int
	for pid := range parent {
		if pid != command && d.descends(pid, parent) {
			found = append(found, pid)
		}
	}
	return found
}

// descends reports whether a process descends from this process, but not from one of the children that existed
// before WatchDescendants.
func (d *Descendants) descends(pid int, parent map[int]int) bool {
	for pid > 1 && !d.others[pid] {
		if pid = parent[pid]; pid == os.Getpid() {
			return true
		}
	}
	return false
}

// parents returns the parent of each process. It is empty if /proc is not mounted.
func parents() map[int]int {
	parent := make(map[int]int)
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return parent
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile("/proc/" + e.Name() + "/stat")
		if err != nil {
			continue // the process has ended
		}
		// The format is: pid (name) state parent ...; the name may contain any characters.
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		if parent[pid], err = strconv.Atoi(string(fields[1])); err != nil {
			delete(parent, pid)
		}
	}
	return parent
}
