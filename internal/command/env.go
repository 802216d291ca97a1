// Package command contains what the commands of render share: the environment in which they run, reading scenes, checking and
// writing outputs, flags, and progress. A wing adds its commands with a [Wing].
package command

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/archive"
	"pillbox/internal/cli"
	"pillbox/internal/osfile"
	"pillbox/internal/text"
	"pillbox/scene"
)

// Streams are the inputs and outputs of the program.
type Streams struct {
	In       io.Reader
	Out, Err cli.Screen
	Files    *osfile.Outputs // nil: with the usual rules
}

// Env is the environment of the commands in one run of render: streams, files, and what the wings add to the core.
type Env struct {
	Streams
	Results *cli.Sticky // the writer behind out
	Started time.Time
	Quiet   bool // no progress, no warnings

	finishing *atomic.Int64 // 1 + the number of pixels of what is being saved, see [Env.Saving]; 0: nothing is

	Attached  bool             // another program runs this one: see the flag --attached
	Interrupt func()           // ends an attached command like Ctrl-C
	archive   *archive.Archive // the archive from standard input; nil until one has been read
	peeked    peeked           // for the next OpenInput

	Render RenderFunc
	Folder func(scene string) fs.FS // returns the files that a scene may read

	Wings []Wing
}

// A RenderFunc renders like [figure.Render], in this process or on a farm.
type RenderFunc func(ctx context.Context, s *scene.Scene, opt pillbox.Options) (*pillbox.Film, error)

// NewEnv returns the environment for one run with some wings.
func NewEnv(std Streams, wings []Wing) *Env {
	if std.Files == nil {
		std.Files = new(osfile.Outputs)
	}
	p := &Env{Streams: std, Started: time.Now(), finishing: new(atomic.Int64), Interrupt: func() {}, Render: figure.Render, Folder: FolderOf, Wings: wings}
	p.Results = &cli.Sticky{Writer: std.Out.Writer}
	p.Out.Writer = p.Results
	return p
}

// maxFinished is the largest number of pixels of a picture that is encoded after SIGTERM: JPEG, the slowest format, takes about half
// a second for it.
const maxFinished = 1 << 23

// Finish reports whether an interrupted command may encode the finished part of a picture or video, as what names it, of the given
// size. If so, the program ends only when the command has done this. Otherwise err says why not.
func (p *Env) Finish(ctx context.Context, what string, size image.Point) (err error) {
	if !isSavedAfter(context.Cause(ctx), size.X*size.Y) {
		return &cli.Failure{
			Status: cli.StatusInterrupted,
			Err:    fmt.Errorf("interrupted; nothing is saved, because %s of %dx%d pixels takes too long after SIGTERM", what, size.X, size.Y),
			Hint:   fmt.Sprintf("Ctrl-C saves every finished part, SIGTERM only with up to %d pixels", maxFinished),
		}
	}
	p.Saving(size)
	return nil
}

// Saving declares that nothing remains to be done but to encode and write a complete picture of the given size, or the finished part
// of one. From then on, and until the command calls saved, an interruption does not end the program: see [Env.IsSaving].
func (p *Env) Saving(size image.Point) (saved func()) {
	before := p.finishing.Swap(int64(size.X)*int64(size.Y) + 1)
	return func() { p.finishing.Store(before) }
}

// IsSaving reports whether the command is saving something that it may still save after an interruption with the given cause.
// Otherwise the program ends soon, even if some work does not stop. It is safe for concurrent use.
func (p *Env) IsSaving(cause error) bool {
	pixels := int(p.finishing.Load()) - 1
	return pixels >= 0 && isSavedAfter(cause, pixels)
}

// isSavedAfter reports whether a picture of so many pixels is encoded after an interruption with the given cause.
func isSavedAfter(cause error, pixels int) bool {
	return pixels <= maxFinished || !errors.Is(cause, cli.ErrTerminated)
}

// Report prints an error and returns the exit status.
func (p *Env) Report(err error) int {
	if p.Results.Err != nil && cli.IsBrokenPipe(err) {
		return cli.FailureOf(err).Status // the reader of the results has closed the pipe
	}
	return cli.Report(&p.Err, "render", err)
}

// Note prints additional information, on a terminal only.
func (p *Env) Note(format string, args ...any) {
	if p.Err.IsTerminal() && !p.Quiet {
		p.Err.Printf(format+"\n", args...)
	}
}

// Warn prints that a result may differ from what the user expects.
func (p *Env) Warn(format string, args ...any) {
	if !p.Quiet {
		p.Err.Printf("render: warning: "+format+"\n", args...)
	}
}

// WarnLeftovers names the files that killed commands left. Old versions of files may be the only copies, and come first.
func (p *Env) WarnLeftovers(names []string) {
	var old, unfinished []string
	for _, name := range names {
		if osfile.IsAside(name) {
			old = append(old, name)
		} else {
			unfinished = append(unfinished, name)
		}
	}
	p.warnFiles(old, "is the old version of a file that was being replaced; rename it, or import again", "are old versions, too")
	p.warnFiles(unfinished, "is an unfinished file; remove it, unless another run is writing it now", "are unfinished, too")
}

// maxWarnings is the largest number of files with the same warning that are named.
const maxWarnings = 4

// warnFiles prints a warning for some files, and how many others there are.
func (p *Env) warnFiles(names []string, warning, others string) {
	for i, name := range names {
		if i == maxWarnings && len(names) > maxWarnings+1 {
			p.Warn("%s more %s", text.Count(len(names)-i, "file"), others)
			return
		}
		p.Warn("%s %s", text.Escape(filepath.ToSlash(name)), warning)
	}
}

// NewProgress returns a progress bar for rendering a picture of the given size.
func (p *Env) NewProgress(label string, size image.Point) *cli.Progress {
	return cli.NewProgress(&p.Err, p.Quiet, label, "px", size.X*size.Y)
}

// Await calls f and returns its result. If ctx ends first, await returns the error of ctx at once and
// leaves f running: the process is then about to end. It does so because f may be impossible to interrupt,
// for example if it reads from a terminal or prepares a million solids.
func Await[T any](ctx context.Context, f func() (T, error)) (T, error) {
	return AwaitWith(ctx, f, nil, nil)
}

// AwaitWith calls f and returns its result or, as soon as ctx ends, the error of ctx. Until then it calls
// handle for each event that arrives.
func AwaitWith[T any](ctx context.Context, f func() (T, error), events <-chan os.Signal, handle func()) (T, error) {
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
