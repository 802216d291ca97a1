package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// Exit statuses.
const (
	statusDone        = 0
	statusDifferent   = 1 // a comparison found a difference
	statusWrong       = 2 // a scene or the command line is wrong
	statusFile        = 3 // a file could not be read or written
	statusInterrupted = 130
)

// streams is what the program is connected to.
type streams struct {
	in       io.Reader
	out, err screen
	files    *osfile.Outputs
}

// program is one run of render.
type program struct {
	streams
	results  *sticky // what out writes to
	started  time.Time
	quiet    bool        // no progress, no warnings
	exact    bool        // scenes keep every digit of their numbers
	moment   secondsFlag // of scenes, if it is given
	render   renderFunc
	record   bool         // keep what scenes are read from
	recorded *farm.Source // what the scene was read from, if that is kept
	claims   []claim      // what checkOutput saw
}

// A renderFunc renders as [pillbox.Render] does, here or elsewhere.
type renderFunc func(ctx context.Context, s *scene.Scene, opt pillbox.Options) (*pillbox.Film, error)

// run runs the program and returns its exit status. The context ends when the user
// interrupts; reading a scene then goes on in the background, as the process is to end.
func run(ctx context.Context, args []string, std streams) int {
	p := &program{streams: std, started: time.Now(), render: pillbox.Render}
	p.results = &sticky{Writer: std.out.Writer}
	p.out.Writer = p.results

	root := p.command()
	root.SetArgs(append([]string{}, args...)) // nil would mean os.Args
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	// What was left behind in the background, see await, must not leave anything in turn.
	if failed := p.files.Abandon(); err == nil {
		err = failed
	}
	if p.results.err != nil {
		err = p.results.err // whatever else was found could not be printed
	}
	return p.explain(err)
}

// failure is an error that knows its exit status.
type failure struct {
	status int
	err    error  // nil if everything has been said
	hint   string // a second line, if not empty
}

func (f *failure) Error() string {
	if f.err == nil {
		return fmt.Sprintf("exit status %d", f.status)
	}
	return f.err.Error()
}

func (f *failure) Unwrap() error { return f.err }

// misuse is the error for a wrong command line.
func misuse(cmd *cobra.Command, format string, args ...any) error {
	return &failure{
		status: statusWrong,
		err:    fmt.Errorf(format, args...),
		hint:   fmt.Sprintf("run '%s --help' for help", cmd.CommandPath()),
	}
}

// explain prints what went wrong and returns the exit status.
func (p *program) explain(err error) int {
	if err == nil {
		return statusDone
	}
	f := failureOf(err)
	hungUp := p.results.err != nil && isBrokenPipe(err)
	if f.err == nil || hungUp {
		return f.status
	}
	begin := "render: "
	for _, err := range parts(f.err) {
		p.err.printf("%s%v\n", begin, err)
		begin = ""
	}
	if f.hint != "" {
		p.err.printf("%v\n", f.hint)
	}
	return f.status
}

// parts returns the errors that [errors.Join] has joined, which stand on a line each, or err alone.
func parts(err error) []error {
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || errors.Join(joined.Unwrap()...).Error() != err.Error() {
		return []error{err} // or an error that wraps several in one line
	}
	var all []error
	for _, part := range joined.Unwrap() {
		all = append(all, parts(part)...)
	}
	return all
}

// failureOf finds the exit status for an error: a failure, or one of the context, of a file,
// or about a scene or an option.
func failureOf(err error) *failure {
	var f *failure
	var path *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled):
		return &failure{status: statusInterrupted, err: errors.New("interrupted")}
	case errors.As(err, &path), errors.As(err, &link), errors.As(err, &call):
		return &failure{status: statusFile, err: err}
	default:
		return &failure{status: statusWrong, err: err}
	}
}

// note prints something that is neither a result nor a problem, if a person reads it.
func (p *program) note(format string, args ...any) {
	if p.err.isTerminal() && !p.quiet {
		p.err.printf(format+"\n", args...)
	}
}

// await returns what f returns or, as soon as ctx ends, its error. Reading from a terminal
// or preparing a million solids cannot be interrupted, so f is then left behind: the process
// is about to end.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
