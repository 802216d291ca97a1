// Package cli contains what the programs have in common: errors with exit statuses, the terminal, flags, signals, and
// child processes.
//
// Only programs, and packages that start processes for them, may import it: unlike other packages it prints, reads the
// environment and installs signal handlers.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	StatusDone        = 0
	StatusDifferent   = 1 // a comparison found a difference, solids overlap, or an answer is wrong
	StatusWrong       = 2 // a scene or the command line is invalid
	StatusFile        = 3 // a file, a server or another program could not be used
	StatusInterrupted = 130
)

// Failure is an error with an exit status.
type Failure struct {
	Status int
	Err    error  // nil if the message has been printed already
	Hint   string // a second line of the message; may be empty
}

func (f *Failure) Error() string {
	if f.Err == nil {
		return fmt.Sprintf("exit status %d", f.Status)
	}
	return f.Err.Error()
}

func (f *Failure) Unwrap() error { return f.Err }

// Misuse returns the error for an invalid command line.
func Misuse(cmd *cobra.Command, format string, args ...any) error {
	return &Failure{
		Status: StatusWrong,
		Err:    fmt.Errorf(format, args...),
		Hint:   fmt.Sprintf("run '%s --help' for help", cmd.CommandPath()),
	}
}

// Unavailable returns err as the failure of something outside of the program, such as a server or another program. It
// returns a [Failure] or an interruption unchanged.
func Unavailable(err error) error {
	var f *Failure
	if err == nil || errors.Is(err, context.Canceled) || errors.As(err, &f) {
		return err
	}
	return &Failure{Status: StatusFile, Err: err}
}

// FailureOf returns the [Failure] that err wraps. If err wraps none, it returns a Failure with the exit status for the
// kind of err: an interruption, an error of a file, or otherwise an error in a scene or in the command line.
func FailureOf(err error) *Failure {
	var f *Failure
	var path *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled):
		return &Failure{Status: StatusInterrupted, Err: errors.New("interrupted")}
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &call):
		return &Failure{Status: StatusFile, Err: err}
	default:
		return &Failure{Status: StatusWrong, Err: err}
	}
}

// Report prints an error as a message of the named program and returns the exit status.
func Report(to *Screen, program string, err error) int {
	if err == nil {
		return StatusDone
	}
	f := FailureOf(err)
	if f.Err == nil {
		return f.Status
	}
	begin := program + ": "
	for _, err := range parts(f.Err) {
		to.Printf("%s%v\n", begin, err)
		begin = ""
	}
	if f.Hint != "" {
		to.Printf("%v\n", f.Hint)
	}
	return f.Status
}

// parts returns the errors that [errors.Join] has joined; each is printed on its own line. For any other error, it
// returns this error.
func parts(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() {
		return []error{err} // also an error that wraps several others in one line
	}
	var all []error
	for _, part := range joined.Unwrap() {
		all = append(all, parts(part)...)
	}
	return all
}
