package main

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/animate"
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

// newShard returns a shard of the given shots of the scene that was read from src.
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

// filmShard returns a shard of the film and of the small frames from which a palette is chosen.
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

func (p *program) assembleCommand() *cobra.Command {
	var dpi int
	cmd := &cobra.Command{
		Use:   "assemble OUT SHARD...",
		Short: "Combine the shards of a picture or a film",
		Long: `Combine the shards that 'render SCENE --shard' or 'render animate SCENE --shard' wrote
on several machines. The output is the same, to the bit, as without shards, and its name
decides the format in the same way. Shards that do not belong together are refused, and
missing ones are listed.`,
		Example: `  render scene.toml --shard 0/2 -o part-0.shard     on one machine
  render scene.toml --shard 1/2 -o part-1.shard     on another
  render assemble scene.png part-*.shard            anywhere`,
		DisableFlagsInUseLine: true,
		GroupID:               groupPictures,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.Misuse(cmd, "want an output and its shards, got %s", cli.Quoted(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"shard"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return p.assemble(cmd, args[0], args[1:], dpi) },
	}
	dpiFlag(cmd, &dpi)
	return cmd
}

func (p *program) assemble(cmd *cobra.Command, output string, names []string, dpi int) error {
	if strings.EqualFold(filepath.Ext(output), ".shard") {
		return cli.Misuse(cmd, "the output comes first, and %s is a shard", output)
	}
	files := make([]farm.File, len(names))
	for i, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return &cli.Failure{Status: cli.StatusFile, Err: fmt.Errorf("%s is not a regular file", name)}
		}
		files[i] = farm.File{Name: name, ReaderAt: f, Size: info.Size()}
	}
	whole, err := farm.Assemble(files)
	if err != nil {
		return err
	}
	if whole.Frames > 0 {
		return p.assembleFilm(cmd, output, names, whole, dpi)
	}
	return p.assemblePicture(cmd, output, names, whole, dpi)
}

// imageSettings returns a scene with the image settings of an assembly and without solids. The code that writes pictures
// needs only the settings.
func imageSettings(a *farm.Assembly) *scene.Scene {
	shot := &a.Plan.Shots[0]
	img := scene.Image{Width: shot.Size.X, Height: shot.Size.Y, Antialias: shot.Antialias}
	img.Background.Transparent = a.Transparent
	return &scene.Scene{Image: img}
}

func (p *program) assemblePicture(cmd *cobra.Command, name string, shards []string, whole *farm.Assembly, dpi int) error {
	p.render = func(ctx context.Context, _ *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
		return whole.Picture(ctx, 0, opt)
	}
	out, err := p.pictureOutput(cmd, name)
	if err != nil {
		return err
	}
	out.dpi = dpi
	if err := p.checkOutput(new(claims), cmd, name, shards...); err != nil {
		return err
	}
	r := &rendering{program: p, cmd: cmd, output: name}
	r.opt.Region = whole.Plan.Shots[0].Region
	film, _, err := r.drawTo(cmd.Context(), imageSettings(whole), out, new(stats))
	if err != nil {
		return err
	}
	p.noteWritten(out, film.Region.Size())
	return nil
}

func (p *program) assembleFilm(cmd *cobra.Command, name string, shards []string, whole *farm.Assembly, dpi int) error {
	a := &animating{program: p, cmd: cmd, scene: "SCENE", output: name, force: true, dpi: dpi}
	shot := &whole.Plan.Shots[0]
	a.film = animate.Film{Scene: imageSettings(whole), FPS: whole.FPS, End: whole.Frames, Options: pillbox.Options{Picture: pillbox.Picture{Size: shot.Size, Antialias: shot.Antialias}}}
	picture := func(ctx context.Context, i int) (*image.NRGBA, error) {
		film, err := whole.Picture(ctx, i, pillbox.Options{})
		if err != nil {
			return nil, err
		}
		return film.Image, nil
	}
	a.render = func(ctx context.Context, f animate.Frame, _ pillbox.Options) (*image.NRGBA, error) {
		return picture(ctx, f.Index)
	}
	a.preview = func(ctx context.Context, f animate.Frame, _ pillbox.Options) (*image.NRGBA, error) {
		return picture(ctx, whole.Frames+f.Index)
	}
	a.digest = func(i int, _ *scene.Scene) string { return whole.Note(i) }
	save, err := a.saver()
	if err != nil {
		return err
	}
	if err := p.checkOutput(new(claims), cmd, a.frameName(0), shards...); err != nil {
		return err
	}
	return save(cmd.Context())
}
