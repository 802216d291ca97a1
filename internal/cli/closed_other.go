//go:build !unix

package cli

import "os"

// isClosed reports whether the process started without the standard file f.
func isClosed(f *os.File) bool {
	_, err := f.Stat()
	return err != nil
}
