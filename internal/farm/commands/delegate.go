package commands

import (
	"context"
	"image"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/animate"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/farm"
	"pillbox/scene"
)

// delegate renders the pictures of a command on a farm, or renders a shard of them.
type delegate struct {
	*command.Env
	farm  farmFlags
	shard share
}

func newDelegate(p *command.Env, cmd *cobra.Command) command.Delegate {
	d := &delegate{Env: p}
	addShardFlag(cmd, &d.shard)
	d.farm.add(cmd)
	return d
}

// Rules returns the rules for --farm and the flags that require it, and for flags that have no effect if the command
// does not wait for the job.
func (d *delegate) Rules() []cli.FlagRule {
	var rules []cli.FlagRule
	for _, flag := range farmOnly() {
		rules = append(rules, cli.Needs(flag, "farm"))
	}
	return append(rules, cli.Excludes("detach", "output", "aov", "stats", "force", "dpi", "workers"))
}

// Replaces reports whether the command writes a shard, or submits its work without waiting for it.
func (d *delegate) Replaces() bool { return d.shard.count > 0 || d.farm.detached() }

// ReplacePicture writes a shard of the picture, or submits the picture to the farm.
func (d *delegate) ReplacePicture(ctx context.Context, job *command.PictureJob) error {
	if d.shard.count > 0 {
		return d.writePictureShard(ctx, job)
	}
	sc, src, err := d.loadPlain(ctx, job.Scene, job.Load, "--detach")
	if err != nil {
		return err
	}
	s, err := pictureShard(share{0, 1}, sc, src, job)
	if err != nil {
		return err
	}
	return d.submit(ctx, &d.farm, sc, src, s)
}

// ReplaceFilm writes a shard of the film, or submits the film to the farm.
func (d *delegate) ReplaceFilm(ctx context.Context, job *command.FilmJob) error {
	if d.shard.count > 0 {
		return d.writeFilmShard(ctx, job)
	}
	sc, src, err := d.loadPlain(ctx, job.Scene, command.LoadOptions{Record: true}, "--detach")
	if err != nil {
		return err
	}
	s, _, err := filmShard(share{0, 1}, sc, src, job)
	if err != nil {
		return err
	}
	return d.submit(ctx, &d.farm, sc, src, s)
}

// Renders reports whether the pictures come from a farm.
func (d *delegate) Renders() bool { return d.farm.wanted() }

// Picture starts a farm job that renders the picture.
func (d *delegate) Picture(ctx context.Context, sc *scene.Scene, src *command.Source, job *command.PictureJob) (command.RenderFunc, func(error), error) {
	shot, err := farm.NewShot(sc, job.Options, job.Time)
	if err != nil {
		return nil, nil, err
	}
	c, err := d.join(ctx, &d.farm, sc, (*farm.Source)(src), []farm.Shot{shot})
	if err != nil {
		return nil, nil, err
	}
	render := func(ctx context.Context, _ *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
		return c.picture(ctx, 0, opt)
	}
	return render, c.leave, nil
}

// Film starts a farm job that renders the frames of a film.
func (d *delegate) Film(ctx context.Context, src *command.Source, film *animate.Film, skip func(int, *scene.Scene) bool) (animate.RenderFunc, func(error), error) {
	all, err := farm.FilmShots(film)
	if err != nil {
		return nil, nil, err
	}
	var shots []farm.Shot
	number := make(map[int]int) // shot number by frame
	for i, shot := range all {
		s, err := film.At(i)
		if err != nil {
			return nil, nil, err
		}
		if !skip(i, s) {
			number[i], shots = len(shots), append(shots, shot)
		}
	}
	if len(shots) == 0 {
		return animate.Local, func(error) {}, nil
	}
	c, err := d.join(ctx, &d.farm, film.Scene, (*farm.Source)(src), shots)
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, f animate.Frame, opt pillbox.Options) (*image.NRGBA, error) {
		n, ok := number[f.Index]
		if !ok { // it was skipped when the job started
			return animate.Local(ctx, f, opt)
		}
		film, err := c.picture(ctx, n, pillbox.Options{})
		if err != nil {
			return nil, err
		}
		return film.Image, nil
	}, c.leave, nil
}
