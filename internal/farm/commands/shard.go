package commands

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/animate"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/farm"
	"pillbox/scene"
)

// share is one of several shards.
type share struct{ index, count int }

const shardForm = "I/N"

// parseShare parses the number of a shard and how many there are.
func parseShare(s string) (share, error) {
	before, after, _ := strings.Cut(s, "/")
	index, err := strconv.Atoi(before)
	count, err2 := strconv.Atoi(after)
	if err != nil || err2 != nil || count < 1 || count > farm.MaxShards || index < 0 || index >= count {
		return share{}, fmt.Errorf("must be %s, such as 0/8: one of N shards, counted from 0, of at most %d", shardForm, farm.MaxShards)
	}
	return share{index, count}, nil
}

func addShardFlag(cmd *cobra.Command, f *share) {
	cmd.Flags().Var(cli.Value(f, shardForm, parseShare), "shard", "render one of N shares to a .shard file, for 'render assemble'")
	cli.NoCompletion(cmd, "shard")
}

// checkShard returns an error if a shard cannot be written to the output.
func (p *delegate) checkShard(cmd *cobra.Command, output string) error {
	if output != command.Standard && !strings.EqualFold(filepath.Ext(output), ".shard") {
		return cli.Misuse(cmd, "the output of --shard must end in .shard, got %q", output)
	}
	if output == command.Standard && p.Out.IsTerminal() {
		return cli.Misuse(cmd, "a shard on a terminal would be noise; redirect standard output")
	}
	return nil
}

// writePictureShard renders one shard of a picture.
func (d *delegate) writePictureShard(ctx context.Context, job *command.PictureJob) error {
	output := job.Output
	if output == "" {
		name := command.DefaultOutput(job.Scene)
		output = fmt.Sprintf("%s-%d.shard", strings.TrimSuffix(name, filepath.Ext(name)), d.shard.index)
	}
	sc, src, err := d.loadForShard(ctx, &job.Job, output, job.Load)
	if err != nil {
		return err
	}
	s, err := pictureShard(d.shard, sc, src, job)
	if err != nil {
		return err
	}
	return d.saveShard(ctx, output, s, sc, farm.ShardOptions{Workers: job.Options.Workers})
}

// writeFilmShard renders one shard of a film.
func (d *delegate) writeFilmShard(ctx context.Context, job *command.FilmJob) error {
	sc, src, err := d.loadForShard(ctx, &job.Job, job.Output, command.LoadOptions{Record: true})
	if err != nil {
		return err
	}
	s, film, err := filmShard(d.shard, sc, src, job)
	if err != nil {
		return err
	}
	note := func(i int, at *scene.Scene) string {
		if i < s.Frames {
			return job.Digest(i, at)
		}
		return ""
	}
	return d.saveShard(ctx, job.Output, s, sc, farm.ShardOptions{Workers: film.Options.Workers, Note: note})
}

// loadForShard checks that a shard can be written to the output, and loads the scene.
func (d *delegate) loadForShard(ctx context.Context, job *command.Job, output string, opt command.LoadOptions) (*scene.Scene, *farm.Source, error) {
	if err := d.checkShard(job.Command, output); err != nil {
		return nil, nil, err
	}
	if err := d.CheckOutput(job.Command, output, job.Scene); err != nil {
		return nil, nil, err
	}
	return d.loadPlain(ctx, job.Scene, opt, "--shard")
}

// loadPlain loads a scene, which must not have annotations. The parameter flag is the flag that excludes them.
func (d *delegate) loadPlain(ctx context.Context, name string, opt command.LoadOptions, flag string) (*scene.Scene, *farm.Source, error) {
	sc, src, err := d.LoadSource(ctx, name, opt)
	if err == nil && !sc.Annotations.IsEmpty() {
		err = &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: the scene has annotations, which are drawn over a whole picture and would be missing: remove %s, or the annotations", sc.Name, flag)}
	}
	return sc, (*farm.Source)(src), err
}

// pictureShard returns the shard that f selects of a picture.
func pictureShard(f share, sc *scene.Scene, src *farm.Source, job *command.PictureJob) (*farm.Shard, error) {
	shot, err := farm.NewShot(sc, job.Options, job.Time)
	if err != nil {
		return nil, err
	}
	return newShard(f, sc, src, []farm.Shot{shot}), nil
}

// filmShard returns the shard that f selects of a film. The shots of its plan are the frames of the film,
// and then small versions of the frames, from which a palette can be chosen.
func filmShard(f share, sc *scene.Scene, src *farm.Source, job *command.FilmJob) (*farm.Shard, *animate.Film, error) {
	film, err := job.Plan(sc)
	if err != nil {
		return nil, nil, err
	}
	shots, err := farm.FilmShots(film)
	if err != nil {
		return nil, nil, err
	}
	preview, err := film.Preview()
	if err != nil {
		return nil, nil, err
	}
	small, err := farm.FilmShots(&preview)
	if err != nil {
		return nil, nil, err
	}
	s := newShard(f, sc, src, shots)
	s.Plan.Shots = append(shots, small...)
	s.FPS, s.Frames = film.FPS, film.Len()
	return s, film, nil
}

// newShard returns the shard that f selects of a plan to render shots: pictures of the scene s, or parts of
// them. src is the source from which s was read.
func newShard(f share, s *scene.Scene, src *farm.Source, shots []farm.Shot) *farm.Shard {
	return &farm.Shard{
		Plan:   farm.Plan{Scene: src.Hash(), Shots: shots, Cell: farm.ShardCell(shots, f.count)},
		Index:  f.index,
		Count:  f.count,
		Output: farm.Output{Transparent: s.Image.Background.Transparent},
	}
}

// saveShard renders a shard and writes it.
func (p *delegate) saveShard(ctx context.Context, name string, s *farm.Shard, sc *scene.Scene, opt farm.ShardOptions) error {
	to, err := p.Open(command.Output{Name: name})
	if err != nil {
		return err
	}
	pixels := 0
	for _, shot := range s.Plan.Shots {
		pixels += shot.Region.Dx() * shot.Region.Dy()
	}
	progress := p.NewProgress("rendering", image.Pt(max(1, pixels/s.Count), 1))
	opt.Progress = func(done, all int) {
		progress.Update(min(progress.All(), int(float64(progress.All())*float64(done)/float64(all))))
	}
	err = farm.WriteShard(ctx, to, s, sc, opt)
	progress.Clear()
	if err != nil {
		to.Discard()
		return err
	}
	if err := to.Commit(); err != nil {
		return err
	}
	p.NoteFile(name, "%s: shard %d of %d, %d units", name, s.Index, s.Count, len(s.Parts))
	return nil
}
