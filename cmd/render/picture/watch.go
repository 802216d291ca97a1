package picture

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile/watch"
	"pillbox/problem"
	"pillbox/scene"
)

// NewWatch returns the command watch in an environment.
func NewWatch(p *command.Env) *cobra.Command {
	w := &watching{rendering: rendering{Env: p}}
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
		GroupID:               command.GroupPictures,
		DisableFlagsInUseLine: true,
		Args:                  cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction:     command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			w.cmd, w.scene = cmd, args[0]
			return w.run(cmd.Context())
		},
	}
	command.OutputFlag(cmd, &w.output, "write the picture to FILE")
	command.PictureFlags(cmd, &w.opt)
	command.ThemeFlag(cmd, &w.theme)
	cmd.Flags().BoolVar(&w.preview, "preview", false, "also show the picture in the terminal")
	return cmd
}

// watching holds the flags and the state of one run of `render watch`.
type watching struct {
	rendering
	preview bool
	out     command.Output
	inputs  *watch.Files
}

func (w *watching) run(ctx context.Context) error {
	if !w.cmd.Flags().Changed("output") {
		w.output = command.DefaultOutput(w.scene)
	}
	var err error
	switch {
	case w.scene == command.Standard || w.output == command.Standard:
		return cli.Misuse(w.cmd, "watch needs files, not standard input or output")
	case w.preview && !w.Err.Color:
		return cli.Misuse(w.cmd, "--preview needs a terminal with colors on standard error")
	}
	if w.out, err = w.PictureOutput(w.cmd, w.output); err != nil {
		return err
	}
	if err := w.CheckOutput(w.cmd, w.output, w.scene); err != nil {
		return err
	}
	w.inputs = watch.Start()
	defer w.inputs.Close()
	for ctx.Err() == nil {
		command.Repeat(ctx, w.inputs, func(current context.Context) { w.once(ctx, current) })
	}
	return &cli.Failure{Status: cli.StatusInterrupted}
}

// once reads and renders the scene and reports the result. current is a context that ends when an input has
// changed; then the method stops early and waits for its own work to stop. If ctx ends, it may leave work
// running in the background.
func (w *watching) once(ctx, current context.Context) {
	w.Started = time.Now()
	w.inputs.Begin()
	w.inputs.Look(w.scene)
	if w.theme != "" {
		for _, name := range command.ThemeFiles(w.scene, w.theme) {
			w.inputs.Look(name)
		}
	}
	opt := w.loading()
	opt.Files = w.inputs.FS(current, command.FolderName(w.scene), w.Folder(w.scene))
	s, src, err := w.Decode(ctx, w.scene, opt)
	if current.Err() != nil {
		return // reading was canceled, so not all files that the scene names are known
	}
	w.inputs.End()
	missing := errors.Is(err, fs.ErrNotExist)
	w.Clear()
	if err == nil {
		err = w.picture(ctx, current, s, src.Data)
	}
	var problems problem.Errors
	switch {
	case current.Err() != nil:
		return
	case errors.As(err, &problems):
		w.PrintProblems(w.Err, problems)
	case err != nil:
		w.Report(err)
	}
	if missing && !w.Quiet { // also without a terminal, where the error alone would look like the end
		w.Err.Printf("Waiting for %s (Ctrl-C to stop)\n", w.scene)
	} else {
		w.Note("Watching %s (Ctrl-C to stop)", w.scene)
	}
}

// picture renders a scene, which was decoded from data, prints its warnings, writes the picture and, if requested, shows it on
// the terminal. It stops when current ends.
func (w *watching) picture(ctx, current context.Context, s *scene.Scene, data []byte) error {
	r := w.rendering // a copy, in which this scene is prepared
	err := r.arrange(ctx, s)
	if !w.Quiet {
		w.PrintProblems(w.Err, command.AllWarnings(s, data, r.figure))
	}
	if err != nil {
		return err
	}
	draw := r.drawThenSave
	if w.out.CanStream() {
		draw = r.drawAndSave
	}
	film, _, err := draw(current, s, w.out, new(Stats))
	if err != nil {
		return err
	}
	if w.preview {
		const above, below = 0, 3 // below: the line with the output, the line with what is watched, the cursor
		w.Err.Measure()
		panels := w.Err.NewPanels(1, above, below)
		panels.Add(film.Image)
		if err := panels.Print(&w.Err); err != nil {
			return err
		}
	}
	w.NoteWritten(w.out, film.Region.Size())
	return nil
}
