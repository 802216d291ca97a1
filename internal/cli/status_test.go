package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"testing"

	"github.com/spf13/cobra"
)

// TestReport checks that the kind of an error determines the exit status, and that each joined error is printed on
// its own line.
func TestReport(t *testing.T) {
	cmd := &cobra.Command{Use: "dance"}
	file := &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
	for _, test := range []struct {
		err    error
		status int
		want   string
	}{
		{nil, StatusDone, ""},
		{errors.New("bad scene"), StatusWrong, "p: bad scene\n"},
		{fmt.Errorf("loading: %w", file), StatusFile, "p: loading: open x: file does not exist\n"},
		{&os.LinkError{Op: "rename", Old: "a", New: "b", Err: fs.ErrExist}, StatusFile, "p: rename a b: file already exists\n"},
		{os.NewSyscallError("write", fs.ErrInvalid), StatusFile, "p: write: invalid argument\n"},
		{fmt.Errorf("while: %w", context.Canceled), StatusInterrupted, "p: interrupted\n"},
		{Misuse(cmd, "want %d", 1), StatusWrong, "p: want 1\nrun 'dance --help' for help\n"},
		{&Failure{Status: StatusDifferent}, StatusDifferent, ""},
		{Unavailable(errors.New("no server")), StatusFile, "p: no server\n"},
		{Unavailable(Misuse(cmd, "wrong")), StatusWrong, "p: wrong\nrun 'dance --help' for help\n"},
		{Unavailable(context.Canceled), StatusInterrupted, "p: interrupted\n"},
		{errors.Join(errors.New("a"), errors.Join(errors.New("b"), errors.New("c\x1b[31m"))), StatusWrong, "p: a\nb\nc\\x1b[31m\n"},
	} {
		var b bytes.Buffer
		if got := Report(&Screen{Writer: &b}, "p", test.err); got != test.status || b.String() != test.want {
			t.Errorf("%v: status %d, %q, want %d, %q", test.err, got, b.String(), test.status, test.want)
		}
	}
	if Unavailable(nil) != nil {
		t.Error("nil becomes an error")
	}
}
