//go:build unix

package cli

import (
	"os"

	"golang.org/x/sys/unix"
)

// isClosed reports whether the process started without the standard file f. The Go runtime then opens the null device in
// its place, for reading and writing. Shells open it for one of both. Some programs open it for both when they discard
// the output of another program; so a command whose text only describes its exit status must not fail. See
// [Screen.Printf].
func isClosed(f *os.File) bool {
	const null = "/dev/null"
	is, err := f.Stat()
	if err != nil {
		return true
	}
	device, err := os.Stat(null)
	if err != nil || !os.SameFile(is, device) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
