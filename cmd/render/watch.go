package main

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/scene"
)

func (p *program) watchCommand() *cobra.Command {
	w := &watching{rendering: rendering{program: p}}
	cmd := &cobra.Command{
		Use:   "watch SCENE [-o OUT.png]",
		Short: "Render a scene again whenever it is saved",
		Long: `Render a scene, and again whenever it or a file that it names is saved, until Ctrl-C.
On a terminal what is wrong with the scene, or where the picture is, stands in the
place of what was said before. A scene with errors leaves the picture as it was.

The picture goes where 'render SCENE' would write it. Programs that show pictures and
read them again when they change show it best.`,
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

// watching is one call of watch.
type watching struct {
	rendering
	preview bool
	out     output
	inputs  *watchedFiles
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
	if err := w.checkOutput(w.cmd, w.output, w.scene); err != nil {
		return err
	}
	if w.inputs, err = watchFiles(); err != nil {
		return err
	}
	defer w.inputs.close()
	for ctx.Err() == nil {
		if err := w.untilChanged(ctx); err != nil {
			return err
		}
	}
	return &cli.Failure{Status: cli.StatusInterrupted}
}

// untilChanged renders, and returns when an input has changed, maybe before it is done, or when ctx
// ends.
func (w *watching) untilChanged(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- w.once(ctx) }()
	select {
	case err := <-done:
		if err != nil {
			return err
		}
		select {
		case <-w.inputs.changed:
		case <-ctx.Done():
		}
		return nil
	case <-w.inputs.changed:
	case <-ctx.Done():
	}
	cancel()
	return <-done
}

// once renders the scene as it is now and describes what came of it. The error says that its files cannot
// be watched.
func (w *watching) once(ctx context.Context) error {
	w.started = time.Now()
	s, err := w.current(ctx)
	var unwatched *watchError
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &unwatched):
		return err
	}
	w.clear()
	if err == nil {
		if !w.quiet {
			w.printProblems(w.err, s.Warnings)
		}
		err = w.picture(ctx, s)
	}
	var problems scene.Errors
	switch {
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &problems):
		w.printProblems(w.err, problems)
	case err != nil:
		w.explain(err)
	}
	w.note("%s is watched; Ctrl-C ends", w.scene)
	return nil
}

// current reads the scene when all that it consists of is watched, so that no change is missed. An
// invalid one gives [scene.Errors].
func (w *watching) current(ctx context.Context) (*scene.Scene, error) {
	for {
		s, err := w.decode(ctx, w.scene)
		names := []string{w.scene}
		var problems scene.Errors
		if errors.As(err, &problems) {
			for _, e := range problems {
				names = append(names, e.File)
			}
		} else if err == nil {
			for _, f := range s.Files {
				names = append(names, f.Name)
			}
		}
		more, unwatched := w.inputs.add(names...)
		if unwatched != nil {
			return nil, unwatched
		}
		if !more || ctx.Err() != nil {
			return s, err
		}
	}
}

// picture renders a scene, writes the picture and shows it if that is wanted.
func (w *watching) picture(ctx context.Context, s *scene.Scene) error {
	r := w.rendering // which gets this scene prepared
	if err := r.prepare(ctx, s); err != nil {
		return err
	}
	draw := r.drawThenSave
	if w.out.piecemeal() {
		draw = r.drawAndSave
	}
	film, _, err := draw(ctx, s, w.out, new(stats))
	if err != nil {
		return err
	}
	if w.preview {
		panels := w.err.NewPanels(1)
		panels.Add(film.Image)
		if err := panels.Print(&w.err); err != nil {
			return err
		}
	}
	if !w.quiet {
		w.sayWritten(w.out, film.Region.Size())
	}
	return nil
}

// clear takes what was said of the scene before off a terminal.
func (w *watching) clear() {
	const fromTheTop = "\x1b[H\x1b[2J"
	if w.err.Color {
		w.err.Printf("%s", cli.Fitted(fromTheTop))
	}
}
