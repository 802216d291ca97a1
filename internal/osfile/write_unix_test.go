//go:build unix

package osfile

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"pillbox/internal/fixture"
)

// TestOutputsErrors checks that Check and Write return the same errors, with the name that the caller passed.
func TestOutputsErrors(t *testing.T) {
	fixture.Folder(t, map[string]string{"text": "", "dir/x": ""})
	symlink(t, "circle", "circle")
	for _, test := range []struct {
		name string
		want error
	}{
		{"dir", syscall.EISDIR},
		{filepath.Join("text", "x"), syscall.ENOTDIR},
		{"circle", syscall.ELOOP},
		{strings.Repeat("x", 300), syscall.ENAMETOOLONG},
	} {
		check := new(Outputs).Check(test.name)
		write := new(Outputs).Write(test.name, filling("text"))
		for _, err := range []error{check, write} {
			var path *fs.PathError
			if !errors.Is(err, test.want) || !errors.As(err, &path) || path.Path != test.name {
				t.Errorf("%s: %v, want %v", test.name, err, test.want)
			}
		}
	}
}
