package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/pngfile"
	"pillbox/scene"
)

// rendering holds the flags and the state of one run of the root command.
type rendering struct {
	*program
	cmd *cobra.Command

	scene   string // file name
	output  string // file name
	dpi     int
	opt     pillbox.Options
	moment  secondsFlag
	claims  claims
	json    bool
	stats   bool
	verify  bool
	version bool
	views   viewsFlag

	prepared *pillbox.Prepared // the prepared scene; nil before prepare is called

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
another file; its extension may be .png, .jpg, .jpeg, .tiff, .tif or .bmp. JPEG and
BMP show transparent pixels as black. With "-" the scene comes from standard input
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
	// Cobra's own version flag would require the version's text at every start of the program.
	cmd.Flags().BoolVar(&r.version, "version", false, "show the version")
	outputFlag(cmd, &r.output, "write the picture to FILE, or to standard output if it is -")
	dpiFlag(cmd, &r.dpi)
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
	err := cli.CheckFlags(r.cmd, append(append(farmRules(), detachRules()...),
		cli.Excludes("verify", "output", "stats", "aov", "shard", "farm", "dpi"),
		cli.Excludes("shard", "aov", "stats", "farm", "dpi"))...)
	if err != nil {
		return err
	}
	if !r.cmd.Flags().Changed("output") {
		r.output = defaultOutput(r.scene)
	}
	if r.json && r.output == standard {
		return cli.Misuse(r.cmd, "--json and -o - cannot share standard output")
	}
	switch {
	case r.shard.count > 0:
		return r.runShard(ctx)
	case r.farm.detached():
		return r.runDetached(ctx)
	case r.verify:
		return r.runVerify(ctx)
	}
	if err := r.checkViews(); err != nil {
		return err
	}
	out, err := r.pictureOutput(r.cmd, r.output)
	if err != nil {
		return err
	}
	out.dpi = r.dpi

	if partial, ok := out.partial(); ok {
		r.claims = append(r.claims, claim{r.cmd, partial.name})
	}
	if err := r.checkOutput(&r.claims, r.cmd, out.name, r.scene); err != nil {
		return r.orNotScene(ctx, err)
	}

	var s stats
	lap := newStopwatch()
	r.opt.Linear = r.views.wantsColor() && !r.farm.wanted()
	sc, src, err := r.loadSource(ctx, r.scene, r.loading())
	if err != nil {
		return err
	}
	s.Load = lap.seconds()
	if !r.farm.wanted() || len(r.views.wanted) > 0 {
		if err := r.prepare(ctx, sc); err != nil {
			return err
		}
	}
	s.Build = lap.seconds()
	leave := func(error) {}
	if r.farm.wanted() {
		if leave, err = r.joinFarm(ctx, sc, src); err != nil {
			return err
		}
	}

	film, done, err := r.drawTo(ctx, sc, out, &s)
	leave(err)
	if err != nil {
		if film != nil && ctx.Err() != nil {
			return r.savePartial(out, film, done)
		}
		return err
	}
	lap = newStopwatch()
	if err := r.saveViews(ctx, sc, film); err != nil {
		if errors.Is(err, context.Canceled) {
			err = &cli.Failure{
				Status: cli.StatusInterrupted,
				Err:    errors.New("interrupted; the picture is whole, but not all views are written"),
			}
		}
		return err
	}
	s.Views = lap.seconds()
	s.Total = time.Since(r.started).Seconds()
	if !r.stats || r.err.IsTerminal() { // with --stats, programs read JSON only
		r.noteWritten(out, film.Region.Size(), r.views.files()...)
	}
	if r.stats {
		s.describe(sc, film)
		return json.NewEncoder(r.err).Encode(s)
	}
	return nil
}

// orNotScene returns err or, if the input is not a scene, reports that instead. err is the error that the output would
// replace the input. A user who passes a picture instead of a scene causes it, too.
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

// joinFarm starts a farm job that renders the picture. The caller must call leave in the end.
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

// prepare prepares the scene.
func (r *rendering) prepare(ctx context.Context, sc *scene.Scene) (err error) {
	r.prepared, err = r.prepareScene(ctx, sc, r.opt.Picture)
	return err
}

// prepareScene is [pillbox.Prepare] with a display of the progress.
func (p *program) prepareScene(ctx context.Context, s *scene.Scene, pic pillbox.Picture) (*pillbox.Prepared, error) {
	stage := cli.NewStage(&p.err, p.quiet, "building the search tree")
	defer stage.Clear()
	building := func(done, all int) { stage.Update(int64(done), int64(all)) }
	building(0, s.Objects.Len())
	return await(ctx, func() (*pillbox.Prepared, error) {
		return pillbox.PrepareWith(s, pillbox.Options{Picture: pic, Work: pillbox.Work{Building: building}})
	})
}

// draw renders the prepared scene here, or the scene on a farm, with a progress bar.
func (r *rendering) draw(ctx context.Context, sc *scene.Scene, opt pillbox.Options, label string) (*pillbox.Film, int, error) {
	if r.prepared == nil || r.farm.wanted() {
		return r.program.draw(ctx, sc, opt, label)
	}
	return r.drawBy(ctx, renderPrepared(r.prepared), sc, opt, label)
}

// renderPrepared returns a renderFunc that renders p. It ignores all options except Work.
func renderPrepared(p *pillbox.Prepared) renderFunc {
	return func(ctx context.Context, _ *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
		return p.Render(ctx, opt.Work)
	}
}

// drawTo renders and writes the picture. If the user interrupts, it returns the unfinished film and its percentage
// together with the error.
func (r *rendering) drawTo(ctx context.Context, sc *scene.Scene, out output, s *stats) (*pillbox.Film, int, error) {
	if out.canStream() {
		return r.drawAndSave(ctx, sc, out, s)
	}
	return r.drawThenSave(ctx, sc, out, s)
}

// drawThenSave renders, and then writes the picture. An interrupt has the effect described at drawTo.
func (r *rendering) drawThenSave(ctx context.Context, sc *scene.Scene, out output, s *stats) (*pillbox.Film, int, error) {
	if sc.Image.Background.Transparent && out.format.IsOpaque() {
		r.warn("%s has no transparency: transparent pixels are black; PNG and TIFF keep them", out.name)
	}
	lap := newStopwatch()
	film, done, err := r.draw(ctx, sc, r.opt, "rendering")
	s.Render = lap.seconds()
	if err != nil {
		return film, done, err
	}
	err = r.save(out, film.Image)
	s.Encode = lap.seconds()
	return film, done, err
}

// drawAndSave renders and writes the picture as PNG at the same time. An interrupt has the effect described at drawTo.
func (r *rendering) drawAndSave(ctx context.Context, sc *scene.Scene, out output, s *stats) (*pillbox.Film, int, error) {
	to, err := r.open(out)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	// If writing fails, the tripwire cancels the rendering.
	png := pngWriter{w: tripwire{to, cancel}, options: pngfile.Options{Color: pngfile.RGB, Workers: r.opt.Workers, DPI: out.dpi}}
	if sc.Image.Background.Transparent {
		png.options.Color = pngfile.RGBA
	}
	opt := r.opt
	opt.Rows = png.rows

	lap := newStopwatch()
	film, done, err := r.draw(ctx, sc, opt, "rendering")
	s.Render = lap.seconds()
	if err == nil {
		err = png.finish()
	} else {
		if ctx.Err() != nil {
			err = context.Cause(ctx) // the write error, or the interrupt
		}
		png.stop()
	}
	if err != nil {
		to.Discard()
		return film, done, err
	}
	err = to.Commit()
	s.Encode = lap.seconds()
	return film, done, err
}

// draw renders with a progress bar. If the user interrupts, it returns the unfinished film and its percentage together
// with the error.
func (p *program) draw(ctx context.Context, sc *scene.Scene, opt pillbox.Options, label string) (*pillbox.Film, int, error) {
	return p.drawBy(ctx, p.render, sc, opt, label)
}

// drawBy is draw with the given function for rendering.
func (p *program) drawBy(ctx context.Context, render renderFunc, sc *scene.Scene, opt pillbox.Options, label string) (*pillbox.Film, int, error) {
	size, err := opt.SizeOf(sc)
	if err != nil {
		return nil, 0, err
	}
	if !opt.Region.Empty() {
		size = opt.Region.Size()
	}
	progress := p.newProgress(label, size)
	defer progress.Clear()
	opt.Progress = func(done, _ int) { progress.Update(done) }
	film, err := render(ctx, sc, opt)
	return film, progress.Percent(), err
}

// savePartial writes an unfinished picture to the output for partial pictures.
func (r *rendering) savePartial(out output, film *pillbox.Film, percent int) error {
	partial, ok := out.partial()
	if !ok {
		return context.Canceled
	}
	if err := r.save(partial, film.Image); err != nil {
		return err
	}
	return &cli.Failure{
		Status: cli.StatusInterrupted,
		Err:    fmt.Errorf("interrupted; %s holds the %d %% that are finished", partial.name, percent),
	}
}

// stats is the JSON that --stats prints. Times are in seconds.
type stats struct {
	Solids    int          `json:"solids"`
	Width     int          `json:"width"`
	Height    int          `json:"height"`
	Load      float64      `json:"load_s"`
	Build     float64      `json:"build_s"`
	Render    float64      `json:"render_s"`
	Encode    float64      `json:"encode_s"`
	Views     float64      `json:"views_s"`
	Total     float64      `json:"total_s"`
	Rays      pillbox.Rays `json:"rays"`
	PixelHash string       `json:"pixel_hash"`
}

func (s *stats) describe(sc *scene.Scene, film *pillbox.Film) {
	s.Solids = sc.Objects.Len()
	s.Width, s.Height = film.Region.Dx(), film.Region.Dy()
	s.Rays = film.Rays
	s.PixelHash = pillbox.Hash(film.Image)
}

// stopwatch measures successive stages.
type stopwatch struct{ lap time.Time }

func newStopwatch() *stopwatch { return &stopwatch{time.Now()} }

// seconds returns the time since the previous call, or since the stopwatch was created.
func (w *stopwatch) seconds() float64 {
	now := time.Now()
	d := now.Sub(w.lap)
	w.lap = now
	return d.Seconds()
}
