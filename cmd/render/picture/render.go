// Package picture contains the commands that render a picture: the root command, "render SCENE", and "render watch".
package picture

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/cmd/render/version"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/scene"
)

// rendering holds the flags and the state of one run of the root command.
type rendering struct {
	*command.Env
	cmd *cobra.Command

	scene   string // file name
	output  string // file name
	dpi     int
	size    printedSize
	opt     pillbox.Options
	moment  *float64
	view    string
	theme   string // file name
	json    bool
	stats   bool
	verify  bool
	version bool
	views   []viewFile

	prepared *pillbox.Prepared // the prepared scene; nil before prepare is called
	figure   *figure.Figure    // nil if the scene has no annotations and the output is a picture

	delegate command.Delegate // nil: the picture is rendered here
}

// New returns the root command, which renders.
func New(p *command.Env) *cobra.Command {
	r := &rendering{Env: p}
	cmd := &cobra.Command{
		Use: "render SCENE.toml [-o OUT.png]",
		Long: `Render a scene of spheres, capsules, oriented boxes and cylinders, written in
TOML, to a picture. The pixels are the same on every machine.

  render SCENE.toml                       render a scene to SCENE.png
  render init                             write scene.toml, a scene to start from
  render check SCENE.toml                 find every mistake
  render serve SCENE.toml                 edit it in the browser: the playground
  render explain SCENE.toml --pixel X,Y   say why a pixel has its color
  render golden check                     compare scenes with their accepted pictures

The picture goes to the scene's base name with .png in the current folder. -o names
another file; its extension may be .png, .jpg, .jpeg, .tiff, .tif or .bmp, or .svg or
.pdf, in which annotations are vectors and text. JPEG and BMP show transparent pixels
as black. With "-" the scene comes from standard input
(the picture is then scene.png) or the picture goes to standard output. For a scene
named like a command, write ./check. Ctrl-C writes the finished part to
OUT.partial.png.

Exit status: 0 success; 1 a comparison found a difference; 2 a scene or the command
line is wrong; 3 a file could not be read or written; 130 interrupted.`,
		Example: `  render scene.toml -o big.jpg --width 3840    larger, as a JPEG
  render scene.toml --region 0,0,200,100       the top left corner only
  render - -o - < scene.toml > out.png         in a pipe
  render check scenes/*.toml                   check several scenes`,
		DisableFlagsInUseLine: true,
		Args:                  wantScene,
		ValidArgsFunction:     command.ScenesBesideCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.version {
				return version.WriteVersion(p)
			}
			if len(args) == 0 {
				cmd.SetOut(p.Err)
				_ = cmd.Help()
				return &cli.Failure{Status: cli.StatusWrong}
			}
			r.cmd, r.scene = cmd, args[0]
			return r.run(cmd.Context())
		},
	}
	// The flag is not Cobra's own: that flag would need the text of the version at every start of the
	// program.
	cmd.Flags().BoolVar(&r.version, "version", false, "show the version")
	command.OutputFlag(cmd, &r.output, "write the picture to FILE, or to standard output if it is -")
	command.PictureFlag(cmd, "output", "svg", "pdf")
	command.DPIFlag(cmd, &r.dpi)
	cmd.Flags().Var(cli.Value(&r.size, "LENGTH", parseSize), "size", "width of the printed picture, such as 85mm; sets the pixels from --dpi; units: mm, cm, in, pt")
	cli.NoCompletion(cmd, "size")
	command.PictureFlags(cmd, &r.opt)
	command.JSONFlag(cmd, &r.json, "print the problems of the scene as JSON on standard output")
	cmd.Flags().BoolVar(&r.stats, "stats", false, "print times and counts as a line of JSON on standard error")
	cmd.Flags().BoolVar(&r.verify, "verify", false, "write nothing; compare with a slow render without search tree")
	r.viewsFlag(cmd)
	command.TimeFlag(cmd, &r.moment)
	command.ViewFlag(cmd, &r.view)
	command.ThemeFlag(cmd, &r.theme)
	r.delegate = p.Delegate(cmd)
	return cmd
}

// wantScene accepts one argument, or none to print help. If the argument is not a file but resembles a command, the
// error suggests that command.
func wantScene(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] != "" && !osfile.Exists(args[0]) {
		if near := cli.SimilarCommand(cmd, args[0]); near != "" {
			return cli.Misuse(cmd, "%q is neither a scene nor a command%s", args[0], text.DidYouMean(near, "'%s'"))
		}
		if missing := command.MissingWings(); missing != "" && !strings.ContainsAny(args[0], "./\\-") {
			return cli.Misuse(cmd, "%q is neither a scene nor a command; %s", args[0], missing)
		}
	}
	if len(args) == 2 {
		if _, picture := picture.FormatOf(args[1]); picture {
			return cli.Misuse(cmd, "want one scene, got %s%s", cli.Quoted(args), text.DidYouMean(args[1], "'-o %s'"))
		}
	}
	return cli.WantArgs(0, 1, "one scene")(cmd, args)
}

func (r *rendering) run(ctx context.Context) error {
	if err := r.check(); err != nil {
		return err
	}
	panels, err := r.panels(ctx)
	switch {
	case err != nil:
		return err
	case panels != nil:
		return r.runPanels(ctx, panels)
	case r.delegate.Replaces():
		return r.delegate.ReplacePicture(ctx, r.job())
	case r.verify:
		return r.runVerify(ctx)
	}
	out, err := r.checkOutputs(ctx)
	if err != nil {
		return err
	}
	var s Stats
	sc, leave, err := r.ready(ctx, &s)
	if err != nil {
		return err
	}
	film, done, err := r.drawTo(ctx, sc, out, &s)
	leave(err)
	if err != nil {
		if film != nil && ctx.Err() != nil {
			return r.savePartial(ctx, out, film, done)
		}
		return err
	}
	if err := r.finishViews(ctx, sc, film, &s); err != nil {
		return err
	}
	if !r.stats || r.Err.IsTerminal() { // with --stats, programs read JSON only
		r.NoteWritten(out, film.Region.Size(), viewFileNames(r.views)...)
	}
	if r.stats {
		s.Total = time.Since(r.Started).Seconds()
		s.describe(sc, film)
		return json.NewEncoder(r.Err).Encode(s)
	}
	return nil
}

// check sets the default name of the output and returns an error for flags that cannot be combined.
func (r *rendering) check() error {
	err := cli.CheckFlags(r.cmd, append(r.delegate.Rules(),
		cli.Excludes("verify", "output", "stats", "aov", "shard", "farm", "dpi"),
		cli.Excludes("shard", "aov", "stats", "farm", "dpi"), cli.Excludes("theme", "shard"), cli.Excludes("theme", "farm"),
		cli.Needs("size", "dpi"), cli.Excludes("size", "width", "height"))...)
	if err != nil {
		return err
	}
	if err := r.applySize(); err != nil {
		return err
	}
	if !r.cmd.Flags().Changed("output") {
		r.output = command.DefaultOutput(r.scene)
	}
	if r.json && r.output == command.Standard {
		return cli.Misuse(r.cmd, "--json and -o - cannot share standard output")
	}
	return nil
}

// checkOutputs returns the output for the picture. It returns an error if a file cannot be written.
func (r *rendering) checkOutputs(ctx context.Context) (command.Output, error) {
	if err := r.checkViews(); err != nil {
		return command.Output{}, err
	}
	out := command.Output{Name: r.output, Vectors: vectorFormat(r.output)}
	if out.Vectors == nil {
		var err error
		if out, err = r.PictureOutput(r.cmd, r.output, ".svg", ".pdf"); err != nil {
			return command.Output{}, err
		}
	} else if !r.opt.Region.Empty() {
		return command.Output{}, cli.Misuse(r.cmd, "--region: SVG and PDF files contain the whole picture")
	}
	out.DPI = r.dpi
	if err := r.ExpectPartial(out); err != nil {
		return command.Output{}, err
	}
	if err := r.CheckOutput(r.cmd, out.Name, r.scene); err != nil {
		return command.Output{}, r.orNotScene(ctx, err)
	}
	return out, nil
}

// ready loads the scene and prepares what the flags require: the scene for rendering in this process, a job
// on a farm, or both. The caller must call the returned function leave at the end.
func (r *rendering) ready(ctx context.Context, s *Stats) (sc *scene.Scene, leave func(error), err error) {
	lap := command.NewStopwatch()
	r.opt.Linear = wantsColor(r.views) && !r.isElsewhere()
	loading := r.loading()
	loading.Held = true
	sc, src, err := r.LoadSource(ctx, r.scene, loading)
	if err != nil {
		return nil, nil, err
	}
	s.Load = lap.Seconds()
	err = r.arrange(ctx, sc)
	r.ReportWarnings(sc, src.Data, r.figure, r.json)
	if err != nil {
		return nil, nil, err
	}
	s.Build = lap.Seconds()
	if r.isElsewhere() {
		r.Render, leave, err = r.delegate.Picture(ctx, sc, src, r.job())
		return sc, leave, err
	}
	return sc, func(error) {}, nil
}

// finishViews writes the views of --aov after the picture.
func (r *rendering) finishViews(ctx context.Context, sc *scene.Scene, film *pillbox.Film, s *Stats) error {
	lap := command.NewStopwatch()
	err := r.saveViews(ctx, sc, film)
	s.Views = lap.Seconds()
	if errors.Is(err, context.Canceled) {
		return &cli.Failure{
			Status: cli.StatusInterrupted,
			Err:    errors.New("interrupted; the picture is whole, but not all views are written"),
		}
	}
	return err
}

// orNotScene handles err, an error of checking the output, for example that the output would replace the
// input. The real mistake may be that the user passed a picture instead of a scene. In this case,
// orNotScene prints that the input is not a scene, and returns an error without a message. Otherwise it
// returns err.
func (r *rendering) orNotScene(ctx context.Context, err error) error {
	var problems problem.Errors
	if _, _, found := r.Decode(ctx, r.scene, command.LoadOptions{}); errors.As(found, &problems) && problems[0].Line == 0 {
		r.ReportProblems(r.Err, problems, false)
		return &cli.Failure{Status: cli.StatusWrong}
	}
	return err
}

// loading returns the options for reading the scene.
func (r *rendering) loading() command.LoadOptions {
	return command.LoadOptions{Moment: r.moment, View: r.view, Theme: r.theme, Record: r.isElsewhere() || r.delegate != nil && r.delegate.Replaces(), JSON: r.json}
}

// isElsewhere reports whether the picture is rendered outside this process.
func (r *rendering) isElsewhere() bool { return r.delegate != nil && r.delegate.Renders() }

// job returns what the command line demands.
func (r *rendering) job() *command.PictureJob {
	job := &command.PictureJob{Job: command.Job{Command: r.cmd, Scene: r.scene}, Options: r.opt, Time: r.moment, Load: r.loading()}
	if r.cmd.Flags().Changed("output") {
		job.Output = r.output
	}
	return job
}
