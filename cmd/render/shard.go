package main

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillbox/internal/cli"
	"pillbox/internal/farm"
	"pillbox/scene"
)

// shardFlag is the value of a flag that selects one of several shards.
type shardFlag struct{ index, count int }

const shardForm = "I/N"

func (f *shardFlag) Set(s string) error {
	before, after, _ := strings.Cut(s, "/")
	index, err := strconv.Atoi(before)
	count, err2 := strconv.Atoi(after)
	if err != nil || err2 != nil || count < 1 || count > farm.MaxShards || index < 0 || index >= count {
		return fmt.Errorf("must be %s, such as 0/8: one of N shards, counted from 0, of at most %d", shardForm, farm.MaxShards)
	}
	*f = shardFlag{index, count}
	return nil
}

func (f *shardFlag) String() string {
	if f.count == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", f.index, f.count)
}

func (f *shardFlag) Type() string { return shardForm }

func addShardFlag(cmd *cobra.Command, f *shardFlag) {
	cmd.Flags().Var(f, "shard", "render one of N shares to a .shard file, for 'render assemble'")
	cli.NoCompletion(cmd, "shard")
}

// checkShard returns an error if a shard cannot be written to the output.
func (p *program) checkShard(cmd *cobra.Command, output string) error {
	if output != standard && !strings.EqualFold(filepath.Ext(output), ".shard") {
		return cli.Misuse(cmd, "the output of --shard must end in .shard, got %q", output)
	}
	if output == standard && p.out.IsTerminal() {
		return cli.Misuse(cmd, "a shard on a terminal would be noise; redirect standard output")
	}
	return nil
}

// runShard renders one shard of the picture.
func (r *rendering) runShard(ctx context.Context) error {
	if !r.cmd.Flags().Changed("output") {
		name := defaultOutput(r.scene)
		r.output = fmt.Sprintf("%s-%d.shard", strings.TrimSuffix(name, filepath.Ext(name)), r.shard.index)
	}
	if err := r.checkShard(r.cmd, r.output); err != nil {
		return err
	}
	if err := r.checkOutput(&r.claims, r.cmd, r.output, r.scene); err != nil {
		return err
	}
	sc, src, err := r.loadSource(ctx, r.scene, r.loading())
	if err == nil {
		err = refuseAnnotations(sc, "--shard")
	}
	if err != nil {
		return err
	}
	shot, err := farm.NewShot(sc, r.opt, r.moment.value())
	if err != nil {
		return err
	}
	s := newShard(r.shard, sc, src, []farm.Shot{shot})
	return r.saveShard(ctx, r.output, s, sc, farm.ShardOptions{Workers: r.opt.Workers})
}

// newShard returns the shard that f selects of a plan to render shots: pictures of the scene s, or parts of
// them. src is the source from which s was read.
func newShard(f shardFlag, s *scene.Scene, src *farm.Source, shots []farm.Shot) *farm.Shard {
	return &farm.Shard{
		Plan:   farm.Plan{Scene: src.Hash(), Shots: shots, Cell: farm.ShardCell(shots, f.count)},
		Index:  f.index,
		Count:  f.count,
		Output: farm.Output{Transparent: s.Image.Background.Transparent},
	}
}

// saveShard renders a shard and writes it.
func (p *program) saveShard(ctx context.Context, name string, s *farm.Shard, sc *scene.Scene, opt farm.ShardOptions) error {
	to, err := p.open(output{name: name})
	if err != nil {
		return err
	}
	pixels := 0
	for _, shot := range s.Plan.Shots {
		pixels += shot.Region.Dx() * shot.Region.Dy()
	}
	progress := p.newProgress("rendering", image.Pt(max(1, pixels/s.Count), 1))
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
	p.noteFile(name, "%s: shard %d of %d, %d units", name, s.Index, s.Count, len(s.Parts))
	return nil
}

// runShard renders one shard of the film.
func (a *animating) runShard(ctx context.Context) error {
	if err := a.checkShard(a.cmd, a.output); err != nil {
		return err
	}
	if err := a.checkOutput(&a.claims, a.cmd, a.output, a.scene); err != nil {
		return err
	}
	sc, src, err := a.loadSource(ctx, a.scene, loadOptions{record: true, outputs: a.claims})
	if err == nil {
		err = refuseAnnotations(sc, "--shard")
	}
	if err != nil {
		return err
	}
	s, err := a.filmShard(a.shard, sc, src)
	if err != nil {
		return err
	}
	note := func(i int, at *scene.Scene) string {
		if i < s.Frames {
			return a.digest(i, at)
		}
		return ""
	}
	return a.saveShard(ctx, a.output, s, sc, farm.ShardOptions{Workers: a.film.Options.Workers, Note: note})
}

// filmShard returns the shard that f selects of a film. The shots of its plan are the frames of the film,
// and then small versions of the frames, from which a palette can be chosen.
func (a *animating) filmShard(f shardFlag, sc *scene.Scene, src *farm.Source) (*farm.Shard, error) {
	if err := a.plan(sc); err != nil {
		return nil, err
	}
	shots, err := farm.FilmShots(&a.film)
	if err != nil {
		return nil, err
	}
	preview, err := a.film.Preview()
	if err != nil {
		return nil, err
	}
	small, err := farm.FilmShots(&preview)
	if err != nil {
		return nil, err
	}
	s := newShard(f, sc, src, shots)
	s.Plan.Shots = append(shots, small...)
	s.FPS, s.Frames = a.film.FPS, a.film.Len()
	return s, nil
}
