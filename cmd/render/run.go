package main

import (
	"context"
	"image"
	"io"
	"io/fs"
	"os"
	"time"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/archive"
	"pillbox/internal/cli"
	"pillbox/internal/osfile"
	"pillbox/scene"
)

// streams are the inputs and outputs of the program.
type streams struct {
	in       io.Reader
	out, err cli.Screen
	files    *osfile.Outputs
}

// program is one run of render.
type program struct {
	streams
	results *cli.Sticky // the writer behind out
	started time.Time
	quiet   bool // no progress, no warnings

	attached  bool             // another program runs this one: see the flag --attached
	interrupt func()           // ends an attached command like Ctrl-C
	archive   *archive.Archive // the archive from standard input; nil until one has been read

	render renderFunc
	folder func(scene string) fs.FS // returns the files that a scene may read
}

// A renderFunc renders like [figure.Render], in this process or on a farm.
type renderFunc func(ctx context.Context, s *scene.Scene, opt pillbox.Options) (*pillbox.Film, error)

// run runs the program and returns its exit status. If ctx ends because the user interrupts, run may return
// while a scene is still being read in the background; the process is about to end anyway.
func run(ctx context.Context, args []string, std streams) int {
	return newProgram(std).run(ctx, args)
}

func newProgram(std streams) *program {
	p := &program{streams: std, started: time.Now(), interrupt: func() {}, render: figure.Render, folder: folderOf}
	p.results = &cli.Sticky{Writer: std.out.Writer}
	p.out.Writer = p.results
	return p
}

func (p *program) run(ctx context.Context, args []string) int {
	defer func() { p.interrupt() }()
	root := p.command()
	root.SetArgs(append([]string{}, args...)) // with nil, Cobra would use os.Args
	root.SetIn(p.in)
	root.SetOut(p.out)
	root.SetErr(p.err)
	err := root.ExecuteContext(ctx)
	// A function that await left running may still write files. Abandon prevents this.
	if failed := p.files.Abandon(); err == nil {
		err = failed
	}
	if p.results.Err != nil {
		err = p.results.Err // printing the results failed
	}
	return p.explain(err)
}

// explain prints an error and returns the exit status.
func (p *program) explain(err error) int {
	if p.results.Err != nil && cli.IsBrokenPipe(err) {
		return cli.FailureOf(err).Status // the reader of the results has closed the pipe
	}
	return cli.Report(&p.err, "render", err)
}

// note prints additional information, on a terminal only.
func (p *program) note(format string, args ...any) {
	if p.err.IsTerminal() && !p.quiet {
		p.err.Printf(format+"\n", args...)
	}
}

// warn prints that a result may differ from what the user expects.
func (p *program) warn(format string, args ...any) {
	if !p.quiet {
		p.err.Printf("render: warning: "+format+"\n", args...)
	}
}

// newProgress returns a progress bar for rendering a picture of the given size.
func (p *program) newProgress(label string, size image.Point) *cli.Progress {
	return cli.NewProgress(&p.err, p.quiet, label, "px", size.X*size.Y)
}

// await calls f and returns its result. If ctx ends first, await returns the error of ctx at once and
// leaves f running: the process is then about to end. It does so because f may be impossible to interrupt,
// for example if it reads from a terminal or prepares a million solids.
func await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	return awaitWith(ctx, f, nil, nil)
}

// awaitWith calls f and returns its result or, as soon as ctx ends, the error of ctx. Until then it calls
// handle for each event that arrives.
func awaitWith[T any](ctx context.Context, f func() (T, error), events <-chan os.Signal, handle func()) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	for {
		select {
		case r := <-done:
			return r.value, r.err
		case <-events:
			handle()
		case <-ctx.Done():
			var none T
			return none, context.Cause(ctx)
		}
	}
}
