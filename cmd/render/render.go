package main

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/scene"
)

// rendering holds the flags and the state of one run of the root command.
type rendering struct {
	*program
	cmd *cobra.Command

	scene   string // file name
	output  string // file name
	dpi     int
	size    lengthFlag
	opt     pillbox.Options
	moment  secondsFlag
	claims  claims
	json    bool
	stats   bool
	verify  bool
	version bool
	views   viewsFlag

	prepared *pillbox.Prepared // the prepared scene; nil before prepare is called
	figure   *figure.Figure    // nil if the scene has no annotations and the output is a picture

	shard shardFlag
	farm  farmFlags
}

// renderCommand returns the root command, which renders.
func (p *program) renderCommand() *cobra.Command {
	r := &rendering{program: p}
	cmd := &cobra.Command{
		Use: "render SCENE.toml [-o OUT.png]",
		Long: `Render a scene of spheres, capsules, oriented boxes and cylinders, written in
TOML, to a picture. The pixels are the same on every machine.

The picture goes to the scene's base name with .png in the current folder. -o names
another file; its extension may be .png, .jpg, .jpeg, .tiff, .tif or .bmp, or .svg or
.pdf, in which annotations are vectors and text. JPEG and BMP show transparent pixels
as black. With "-" the scene comes from standard input
(the picture is then scene.png) or the picture goes to standard output. For a scene
named like a command, write ./check. Ctrl-C writes the finished part to
OUT.partial.png.

Exit status: 0 success; 1 a comparison found a difference; 2 a scene or the command
line is wrong; 3 a file could not be read or written; 130 interrupted.`,
		Example: `  render init                                  write scene.toml, a scene to start from
  render scene.toml                            render it to scene.png
  render scene.toml -o big.jpg --width 3840    larger, as a JPEG
  render scene.toml --region 0,0,200,100       the top left corner only
  render - -o - < scene.toml > out.png         in a pipe
  render check scenes/*.toml                   find every mistake`,
		DisableFlagsInUseLine: true,
		Args:                  wantScene,
		ValidArgsFunction:     scenesBesideCommands,
		RunE: func(cmd *cobra.Command, args []string) error {
			if r.version {
				return p.writeVersion()
			}
			if len(args) == 0 {
				cmd.SetOut(p.err)
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
	outputFlag(cmd, &r.output, "write the picture to FILE, or to standard output if it is -")
	cli.Must(cmd.MarkFlagFilename("output", "png", "jpg", "jpeg", "tiff", "tif", "bmp", "svg", "pdf"))
	dpiFlag(cmd, &r.dpi)
	cmd.Flags().Var(&r.size, "size", "width of the printed picture, such as 85mm; sets the pixels from --dpi; units: mm, cm, in, pt")
	cli.NoCompletion(cmd, "size")
	pictureFlags(cmd, &r.opt)
	jsonFlag(cmd, &r.json, "print the problems of the scene as JSON on standard output")
	cmd.Flags().BoolVar(&r.stats, "stats", false, "print times and counts as a line of JSON on standard error")
	cmd.Flags().BoolVar(&r.verify, "verify", false, "write nothing; compare with a slow render without search tree")
	r.viewsFlag(cmd)
	timeFlag(cmd, &r.moment)
	addShardFlag(cmd, &r.shard)
	r.farm.add(cmd)
	return cmd
}

// wantScene accepts one argument, or none to print help. If the argument is not a file but resembles a command, the
// error suggests that command.
func wantScene(cmd *cobra.Command, args []string) error {
	if len(args) > 0 && args[0] != "" && !osfile.Exists(args[0]) {
		if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
			return cli.Misuse(cmd, "%q is neither a scene nor a command; did you mean '%s'?", args[0], strings.Join(near, "' or '"))
		}
	}
	if len(args) == 2 {
		if _, picture := picture.FormatOf(args[1]); picture {
			return cli.Misuse(cmd, "want one scene, got %s; did you mean '-o %s'?", cli.Quoted(args), args[1])
		}
	}
	return cli.WantArgs(0, 1, "one scene")(cmd, args)
}

func (r *rendering) run(ctx context.Context) error {
	if err := r.check(); err != nil {
		return err
	}
	switch {
	case r.shard.count > 0:
		return r.runShard(ctx)
	case r.farm.detached():
		return r.runDetached(ctx)
	case r.verify:
		return r.runVerify(ctx)
	}
	out, err := r.checkOutputs(ctx)
	if err != nil {
		return err
	}
	var s stats
	sc, leave, err := r.ready(ctx, &s)
	if err != nil {
		return err
	}
	film, done, err := r.drawTo(ctx, sc, out, &s)
	leave(err)
	if err != nil {
		if film != nil && ctx.Err() != nil {
			return r.savePartial(out, film, done)
		}
		return err
	}
	if err := r.finishViews(ctx, sc, film, &s); err != nil {
		return err
	}
	if !r.stats || r.err.IsTerminal() { // with --stats, programs read JSON only
		r.noteWritten(out, film.Region.Size(), r.views.files()...)
	}
	if r.stats {
		s.Total = time.Since(r.started).Seconds()
		s.describe(sc, film)
		return json.NewEncoder(r.err).Encode(s)
	}
	return nil
}

// check sets the default name of the output and returns an error for flags that cannot be combined.
func (r *rendering) check() error {
	err := cli.CheckFlags(r.cmd, append(append(farmRules(), detachRules()...),
		cli.Excludes("verify", "output", "stats", "aov", "shard", "farm", "dpi"),
		cli.Excludes("shard", "aov", "stats", "farm", "dpi"),
		cli.Needs("size", "dpi"), cli.Excludes("size", "width", "height"))...)
	if err != nil {
		return err
	}
	if err := r.applySize(); err != nil {
		return err
	}
	if !r.cmd.Flags().Changed("output") {
		r.output = defaultOutput(r.scene)
	}
	if r.json && r.output == standard {
		return cli.Misuse(r.cmd, "--json and -o - cannot share standard output")
	}
	return nil
}

// checkOutputs returns the output for the picture. It returns an error if a file cannot be written.
func (r *rendering) checkOutputs(ctx context.Context) (output, error) {
	if err := r.checkViews(); err != nil {
		return output{}, err
	}
	out := output{name: r.output, vectors: vectorFormat(r.output)}
	if out.vectors == nil {
		var err error
		if out, err = r.pictureOutput(r.cmd, r.output, ".svg", ".pdf"); err != nil {
			return output{}, err
		}
	} else if !r.opt.Region.Empty() {
		return output{}, cli.Misuse(r.cmd, "--region: SVG and PDF files contain the whole picture")
	}
	out.dpi = r.dpi
	if partial, ok := out.partial(); ok {
		r.claims = append(r.claims, claim{r.cmd, partial.name})
	}
	if err := r.checkOutput(&r.claims, r.cmd, out.name, r.scene); err != nil {
		return output{}, r.orNotScene(ctx, err)
	}
	return out, nil
}

// ready loads the scene and prepares what the flags require: the scene for rendering in this process, a job
// on a farm, or both. The caller must call the returned function leave at the end.
func (r *rendering) ready(ctx context.Context, s *stats) (sc *scene.Scene, leave func(error), err error) {
	lap := newStopwatch()
	r.opt.Linear = r.views.wantsColor() && !r.farm.wanted()
	sc, src, err := r.loadSource(ctx, r.scene, r.loading())
	if err != nil {
		return nil, nil, err
	}
	s.Load = lap.seconds()
	isFigure := !sc.Annotations.IsEmpty() || vectorFormat(r.output) != nil
	if !r.farm.wanted() || len(r.views.wanted) > 0 || isFigure {
		if err := r.prepare(ctx, sc); err != nil {
			return nil, nil, err
		}
	}
	if err := r.arrange(ctx, sc); err != nil {
		return nil, nil, err
	}
	s.Build = lap.seconds()
	if r.farm.wanted() {
		leave, err = r.joinFarm(ctx, sc, src)
		return sc, leave, err
	}
	return sc, func(error) {}, nil
}

// finishViews writes the views of --aov after the picture.
func (r *rendering) finishViews(ctx context.Context, sc *scene.Scene, film *pillbox.Film, s *stats) error {
	lap := newStopwatch()
	err := r.saveViews(ctx, sc, film)
	s.Views = lap.seconds()
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
	var problems scene.Errors
	if _, _, found := r.decode(ctx, r.scene, loadOptions{}); errors.As(found, &problems) && problems[0].Line == 0 {
		r.reportProblems(r.err, problems, false)
		return &cli.Failure{Status: cli.StatusWrong}
	}
	return err
}

// loading returns the options for reading the scene.
func (r *rendering) loading() loadOptions {
	return loadOptions{moment: r.moment, record: r.farm.wanted() || r.shard.count > 0, json: r.json, outputs: r.claims}
}

// joinFarm starts a farm job that renders the picture. The caller must call the returned function leave at
// the end.
func (r *rendering) joinFarm(ctx context.Context, sc *scene.Scene, src *farm.Source) (leave func(error), err error) {
	shot, err := farm.NewShot(sc, r.opt, r.moment.value())
	if err != nil {
		return nil, err
	}
	c, err := r.join(ctx, &r.farm, sc, src, []farm.Shot{shot})
	if err != nil {
		return nil, err
	}
	r.render = func(ctx context.Context, _ *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
		return c.picture(ctx, 0, opt)
	}
	return c.leave, nil
}
