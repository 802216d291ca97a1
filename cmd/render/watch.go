package main

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/osfile/watch"
	"pillbox/scene"
)

func (p *program) watchCommand() *cobra.Command {
	w := &watching{rendering: rendering{program: p}}
	cmd := &cobra.Command{
		Use:   "watch SCENE [-o OUT.png]",
		Short: "Render a scene again whenever it is saved",
		Long: `Render a scene, and again whenever it or a file that it names is saved, until Ctrl-C.
These files need not exist yet, and their folders may be replaced. On a terminal, each
status replaces the previous one. A scene with errors leaves the picture unchanged.

The picture has the same file name as with 'render SCENE'. Open it in a viewer that
reloads changed files.`,
		Example: `  render watch scene.toml
  render watch scene.toml --width 640 --preview`,
		GroupID:               groupPictures,
		DisableFlagsInUseLine: true,
		Args:                  cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction:     sceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			w.cmd, w.scene = cmd, args[0]
			return w.run(cmd.Context())
		},
	}
	outputFlag(cmd, &w.output, "write the picture to FILE")
	pictureFlags(cmd, &w.opt)
	cmd.Flags().BoolVar(&w.preview, "preview", false, "also show the picture in the terminal")
	return cmd
}

// watching holds the flags and the state of one run of `render watch`.
type watching struct {
	rendering
	preview bool
	out     output
	inputs  *watch.Files
}

func (w *watching) run(ctx context.Context) error {
	if !w.cmd.Flags().Changed("output") {
		w.output = defaultOutput(w.scene)
	}
	var err error
	switch {
	case w.scene == standard || w.output == standard:
		return cli.Misuse(w.cmd, "watch needs files, not standard input or output")
	case w.preview && !w.err.Color:
		return cli.Misuse(w.cmd, "--preview needs a terminal with colors on standard error")
	}
	if w.out, err = w.pictureOutput(w.cmd, w.output); err != nil {
		return err
	}
	if err := w.checkOutput(&w.claims, w.cmd, w.output, w.scene); err != nil {
		return err
	}
	w.inputs = watch.Start()
	defer w.inputs.Close()
	for ctx.Err() == nil {
		repeat(ctx, w.inputs, func(current context.Context) { w.once(ctx, current) })
	}
	return &cli.Failure{Status: cli.StatusInterrupted}
}

// repeat calls once, and returns when an input changes or ctx ends. If an input changes while once is
// running, repeat cancels the context current and waits until once has returned, so that only one scene is
// in memory at a time.
func repeat(ctx context.Context, inputs *watch.Files, once func(current context.Context)) {
	current, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan struct{})
	go func() {
		defer close(done)
		once(current)
	}()
	select {
	case <-inputs.Changed():
		cancel()
		<-done
		return
	case <-done:
	}
	select {
	case <-inputs.Changed():
	case <-ctx.Done():
	}
}

// once reads and renders the scene and reports the result. current is a context that ends when an input has
// changed; then the method stops early and waits for its own work to stop. If ctx ends, it may leave work
// running in the background.
func (w *watching) once(ctx, current context.Context) {
	w.started = time.Now()
	w.inputs.Begin()
	w.inputs.Look(w.scene)
	opt := w.loading()
	opt.files = w.inputs.FS(current, folderName(w.scene), w.folder(w.scene))
	s, _, err := w.decode(ctx, w.scene, opt)
	if current.Err() != nil {
		return // reading was canceled, so not all files that the scene names are known
	}
	w.inputs.End()
	missing := errors.Is(err, fs.ErrNotExist)
	w.clear()
	if err == nil {
		if !w.quiet {
			w.printProblems(w.err, s.Warnings)
		}
		err = w.picture(ctx, current, s)
	}
	var problems scene.Errors
	switch {
	case current.Err() != nil:
		return
	case errors.As(err, &problems):
		w.printProblems(w.err, problems)
	case err != nil:
		w.explain(err)
	}
	if missing && !w.quiet { // also without a terminal, where the error alone would look like the end
		w.err.Printf("Waiting for %s (Ctrl-C to stop)\n", w.scene)
	} else {
		w.note("Watching %s (Ctrl-C to stop)", w.scene)
	}
}

// picture renders a scene, writes the picture and, if requested, shows it on the terminal. It stops when current ends.
func (w *watching) picture(ctx, current context.Context, s *scene.Scene) error {
	r := w.rendering // a copy, in which this scene is prepared
	if err := r.prepare(ctx, s); err != nil {
		return err
	}
	draw := r.drawThenSave
	if w.out.canStream() {
		draw = r.drawAndSave
	}
	film, _, err := draw(current, s, w.out, new(stats))
	if err != nil {
		return err
	}
	if w.preview {
		const above, below = 0, 3 // below: the line with the output, the line with what is watched, the cursor
		w.err.Measure()
		panels := w.err.NewPanels(1, above, below)
		panels.Add(film.Image)
		if err := panels.Print(&w.err); err != nil {
			return err
		}
	}
	w.noteWritten(w.out, film.Region.Size())
	return nil
}

// clear clears the terminal.
func (p *program) clear() {
	const fromTheTop = "\x1b[H\x1b[2J"
	if p.err.Color {
		p.err.Printf("%s", cli.Fitted(fromTheTop))
	}
}
