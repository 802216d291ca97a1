// Package animate contains the command "render animate".
package animate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/animate"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/filmfile"
	"pillbox/scene"
)

// New returns the command animate in an environment.
func New(p *command.Env) *cobra.Command {
	a := &animating{Env: p}
	a.render, a.preview = a.annotated(animate.Local), a.annotated(animate.Local)
	a.digest = a.ownDigest
	cmd := &cobra.Command{
		Use:   "animate SCENE -o OUT",
		Short: "Render the frames of an animated scene",
		Long: `Render the frames of a scene's animation to a film: a .gif, an animated .png, or an
.mp4 or .webm if the program ffmpeg is installed. With a number in the name, such as
frames/%04d.png, each frame is a separate PNG; existing frames of the same scene are
kept, so that an interrupted animation continues. With - raw video (YUV4MPEG2) goes to
standard output.

--turntable moves the camera once around its target; the scene needs no animation for
this. Several small frames are rendered at once.`,
		Example: `  render animate walk.toml -o walk.gif
  render animate walk.toml -o frames/%04d.png --fps 60 --width 3840
  render animate chess.toml -o chess.mp4 --turntable 12
  render animate walk.toml -o - | mpv -`,
		DisableFlagsInUseLine: true,
		GroupID:               command.GroupPictures,
		Args:                  cli.WantArgs(1, 1, "one scene"),
		ValidArgsFunction:     command.SceneFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			a.cmd, a.scene = cmd, args[0]
			return a.run(cmd.Context())
		},
	}
	flags := cmd.Flags()
	flags.VarP(cli.Text(&a.output, "OUT"), "output", "o", "write the film to OUT: .gif, .png, .mp4, .webm, numbered PNGs such as f%04d.png, or - for raw video")
	cli.Must(cmd.MarkFlagFilename("output", "gif", "png", "mp4", "webm"))
	flags.Var(cli.Value(&a.from, "SECONDS", command.ParseSeconds), "from", "begin at this time")
	flags.Var(cli.Optional(&a.to, "SECONDS", command.ParseSeconds), "to", "end before this time")
	flags.Var(cli.Float(&a.fps, "N", 0.001, scene.MaxFPS), "fps", "frames per second (default: the scene's)")
	flags.Var(cli.Optional(&a.turn, "SECONDS", command.ParseSeconds), "turntable", "move the camera once around its target in this time")
	command.DPIFlag(cmd, &a.dpi)
	flags.BoolVar(&a.force, "force", false, "render existing numbered frames again")
	flags.Var(cli.Int(&a.film.Options.Size.X, 1, scene.MaxSide), "width", "width of the frames in pixels; without --height, the height follows")
	flags.Var(cli.Int(&a.film.Options.Size.Y, 1, scene.MaxSide), "height", "height of the frames in pixels; without --width, the width follows")
	flags.Var(cli.Int(&a.film.Options.Antialias, 1, scene.MaxAntialias), "antialias", "cast N x N rays per pixel")
	flags.Var(cli.Int(&a.film.Options.Workers, 1, math.MaxInt32), "workers", "render on N threads; does not affect the image (default: one per processor)")
	cli.NoCompletion(cmd, "from", "to", "fps", "turntable", "width", "height", "antialias", "workers")
	command.ViewFlag(cmd, &a.view)
	command.ThemeFlag(cmd, &a.theme)
	a.delegate = p.Delegate(cmd)
	return cmd
}

// animating holds the flags and the state of one run of `render animate`.
type animating struct {
	*command.Env
	cmd    *cobra.Command
	scene  string // file name
	output string

	from     float64
	to, turn *float64 // nil: not given
	view     string
	theme    string  // file name
	fps      float64 // 0: that of the scene
	force    bool
	dpi      int
	film     animate.Film
	delegate command.Delegate

	render  animate.RenderFunc // renders the frames of the film
	preview animate.RenderFunc // renders the small frames from which a GIF's palette is chosen
	flaws   flaws
	digest  func(frame int, s *scene.Scene) string // identifies what a frame shows
}

func (a *animating) run(ctx context.Context) error {
	err := cli.CheckFlags(a.cmd, append(a.delegate.Rules(), cli.Excludes("shard", "force", "farm", "dpi"), cli.Excludes("theme", "shard"), cli.Excludes("theme", "farm"))...)
	if err != nil {
		return err
	}
	if a.force && !filmfile.IsNumbered(a.output) {
		return cli.Misuse(a.cmd, "--force is for numbered frames, such as -o %s", "f%04d.png")
	}
	if a.delegate.Replaces() {
		return a.delegate.ReplaceFilm(ctx, a.job())
	}
	save, err := a.saver()
	if err != nil {
		return err
	}
	if err := a.CheckOutput(a.cmd, filmfile.Frame(a.output, 0), a.scene); err != nil {
		return err
	}
	if !filmfile.IsNumbered(a.output) {
		if err := a.ExpectPartial(command.Output{Name: a.output}); err != nil {
			return err
		}
	}
	s, src, err := a.LoadSource(ctx, a.scene, command.LoadOptions{View: a.view, Theme: a.theme, Record: a.delegate.Renders()})
	if err != nil {
		return err
	}
	if err := command.PrintTexts(s, a.film.Options.Picture, a.dpi); err != nil {
		return err
	}
	if err := a.plan(s); err != nil {
		return err
	}
	if s.MayBeTransparent() && a.isVideo() {
		a.Warn("%s has no transparency: transparent pixels are black; .gif and .png keep them", a.output)
	}
	if !a.delegate.Renders() {
		err := save(ctx)
		a.reportFlaws(s, src)
		return err
	}
	if a.cmd.Flags().Changed("workers") && !a.isGIF() {
		a.Warn("--workers has no effect: the workers of the farm render the frames")
	}
	leave, err := a.goElsewhere(ctx, src)
	if err != nil {
		return err
	}
	err = save(ctx)
	a.reportFlaws(s, src)
	leave(cmp.Or(ctx.Err(), err)) // for an interrupted film, err states how many frames were written
	return err
}

// job returns what the command line demands.
func (a *animating) job() *command.FilmJob {
	plan := func(s *scene.Scene) (*animate.Film, error) {
		err := a.plan(s)
		return &a.film, err
	}
	return &command.FilmJob{Job: command.Job{Command: a.cmd, Scene: a.scene, Output: a.output}, Plan: plan, Digest: a.digest}
}

// goElsewhere makes the delegate render the frames of the film, except numbered frames whose files are up to date. The
// caller must call the returned function leave at the end. The small frames for a palette are rendered by this process.
func (a *animating) goElsewhere(ctx context.Context, src *command.Source) (leave func(error), err error) {
	skip := func(i int, s *scene.Scene) bool { return filmfile.IsNumbered(a.output) && a.isThere(i, s) }
	render, leave, err := a.delegate.Film(ctx, src, &a.film, skip)
	if err == nil {
		a.render = a.annotated(render)
	}
	return leave, err
}

// annotated returns a function that renders a frame with the given function and draws the annotations of the frame's scene
// over the picture. It adds texts without a free place to a.flaws.
func (a *animating) annotated(render animate.RenderFunc) animate.RenderFunc {
	return func(ctx context.Context, f animate.Frame, opt pillbox.Options) (*image.NRGBA, error) {
		img, err := render(ctx, f, opt)
		if err != nil || f.Scene.Annotations.IsEmpty() {
			return img, err
		}
		p, err := pillbox.Prepare(f.Scene, opt.Picture)
		if err != nil {
			return nil, err
		}
		fig, err := figure.New(ctx, p)
		if err != nil {
			return nil, err
		}
		a.flaws.addFlaws(fig.Flaws())
		return img, fig.Draw(ctx, &pillbox.Film{Image: img, Region: p.Picture().Region})
	}
}

// reportFlaws prints warnings about texts without a free place.
func (a *animating) reportFlaws(s *scene.Scene, src *command.Source) {
	if flaws := a.flaws.all(); len(flaws) > 0 && !a.Quiet {
		a.ReportProblems(a.Err, s.AnnotationWarnings(src.Data, flaws), false)
	}
}

// flaws collects the texts without a free place in the frames of a film. It is safe for concurrent use.
type flaws struct {
	mu    sync.Mutex
	known map[flawKey]string // the message of an annotation
}

type flawKey struct {
	table string
	index int
}

// addFlaws adds the flaws of a frame. Of several messages about an annotation, the first in alphabetical order is kept, so that it does
// not depend on the order of frames.
func (f *flaws) addFlaws(all []scene.AnnotationFlaw) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		f.known = make(map[flawKey]string)
	}
	for _, x := range all {
		key := flawKey{x.Table, x.Index}
		if old, known := f.known[key]; !known || x.Message < old {
			f.known[key] = x.Message
		}
	}
}

// all returns each annotation once, in the order of tables and indices.
func (f *flaws) all() (all []scene.AnnotationFlaw) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, message := range f.known {
		all = append(all, scene.AnnotationFlaw{Table: key.table, Index: key.index, Message: "in some frames: " + message})
	}
	slices.SortFunc(all, func(a, b scene.AnnotationFlaw) int {
		return cmp.Or(cmp.Compare(a.Table, b.Table), cmp.Compare(a.Index, b.Index))
	})
	return all
}

// plan determines the frames of the film.
func (a *animating) plan(s *scene.Scene) error {
	if a.turn != nil && *a.turn == 0 {
		return cli.Misuse(a.cmd, "--turntable: must be more than 0 seconds")
	}
	plan := animate.Plan{FPS: a.fps, From: a.from, To: a.to}
	if a.turn != nil {
		plan.Turn = *a.turn
	}
	film, err := plan.Film(s, a.film.Options)
	var empty *animate.EmptyError
	switch {
	case errors.Is(err, animate.ErrStill):
		return &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s has no [animation] that says how long it is", s.Name),
			Hint: "--turntable SECONDS circles the camera about any scene"}
	case errors.As(err, &empty):
		return cli.Misuse(a.cmd, "%v", empty)
	}
	if err == nil && a.to != nil && *a.to*film.FPS > float64(film.End)+0.5 { // more than half a frame after the end
		a.Warn("--to %g has no effect: the animation ends at %g seconds", *a.to, float64(film.End)/film.FPS)
	}
	a.film = film
	return err
}
