//go:build !(darwin || dragonfly || freebsd || illumos || linux || netbsd || openbsd)

package osfile

import "os"

// Without flock, folders of killed processes cannot be distinguished from those in use, so they are not
// removed.

// Reserve creates a folder unless it exists. On this system, it does not lock the folder.
func Reserve(folder string) (release func(), err error) {
	return func() {}, os.MkdirAll(folder, 0o700)
}

func lockFolder(string) (*os.File, error) { return nil, nil }

func removeDead(_, _ string) {}
