package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// Input returns a reader of standard input, or of another standard file. If the file is closed, reads fail, because the
// input would otherwise seem to be empty.
func Input(f *os.File) io.Reader {
	if isClosed(f) {
		return closedFile{"standard input"}
	}
	return f
}

// errClosed mentions /dev/null because isClosed cannot tell both apart. Programs that discard the output of others this
// way are Python with subprocess.DEVNULL and Node.js with "ignore".
var errClosed = errors.New("it is closed (or /dev/null, opened for reading and writing: open it for one of both)")

// closedFile is a standard file that the process started without.
type closedFile struct{ name string }

func (c closedFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: c.name, Err: errClosed}
}

func (c closedFile) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: c.name, Err: errClosed}
}
