package commands

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/animate"
	animatecmd "pillbox/cmd/render/animate"
	"pillbox/cmd/render/picture"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/farm"
	"pillbox/internal/filmfile"
	"pillbox/scene"
)

func newAssemble(p *command.Env) *cobra.Command {
	var dpi int
	cmd := &cobra.Command{
		Use:   "assemble OUT SHARD...",
		Short: "Combine the shards of a picture or a film",
		Long: `Combine the shards that 'render SCENE --shard' or 'render animate SCENE --shard' wrote
on several machines. The output is the same, to the bit, as without shards. Its name
decides the format in the same way, but it cannot be SVG or PDF. Shards that do not belong
together are refused, and missing ones are listed.`,
		Example: `  render scene.toml --shard 0/2 -o part-0.shard     on one machine
  render scene.toml --shard 1/2 -o part-1.shard     on another
  render assemble scene.png part-*.shard            anywhere`,
		DisableFlagsInUseLine: true,
		GroupID:               command.GroupPictures,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return cli.Misuse(cmd, "want an output and its shards, got %s", cli.Quoted(args))
			}
			return nil
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return []cobra.Completion{"shard"}, cobra.ShellCompDirectiveFilterFileExt
		},
		RunE: func(cmd *cobra.Command, args []string) error { return assemble(p, cmd, args[0], args[1:], dpi) },
	}
	command.DPIFlag(cmd, &dpi)
	return cmd
}

func assemble(p *command.Env, cmd *cobra.Command, output string, names []string, dpi int) error {
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
		return assembleFilm(p, cmd, output, names, whole, dpi)
	}
	return assemblePicture(p, cmd, output, names, whole, dpi)
}

// imageSettings returns a scene with the image settings of an assembly and without solids. The code that writes pictures
// needs only the settings.
func imageSettings(a *farm.Assembly) *scene.Scene {
	shot := &a.Plan.Shots[0]
	img := scene.Image{Width: shot.Size.X, Height: shot.Size.Y, Antialias: shot.Antialias}
	img.Background.Transparent = a.Transparent
	return &scene.Scene{Image: img}
}

func assemblePicture(p *command.Env, cmd *cobra.Command, name string, shards []string, whole *farm.Assembly, dpi int) error {
	out, err := p.PictureOutput(cmd, name)
	if err != nil {
		return err
	}
	out.DPI = dpi
	if err := p.CheckOutput(cmd, name, shards...); err != nil {
		return err
	}
	opt := pillbox.Options{Picture: pillbox.Picture{Region: whole.Plan.Shots[0].Region}}
	return picture.Write(cmd.Context(), p, imageSettings(whole), opt, out, func(ctx context.Context, _ *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
		return whole.Picture(ctx, 0, opt)
	})
}

func assembleFilm(p *command.Env, cmd *cobra.Command, name string, shards []string, whole *farm.Assembly, dpi int) error {
	shot := &whole.Plan.Shots[0]
	picture := func(ctx context.Context, i int) (*image.NRGBA, error) {
		film, err := whole.Picture(ctx, i, pillbox.Options{})
		if err != nil {
			return nil, err
		}
		return film.Image, nil
	}
	save, err := animatecmd.NewSaver(p, cmd, animatecmd.Source{
		Film: animate.Film{Scene: imageSettings(whole), FPS: whole.FPS, First: whole.First(), End: whole.First() + whole.Frames,
			Options: pillbox.Options{Picture: pillbox.Picture{Size: shot.Size, Antialias: shot.Antialias}}},
		Render: func(ctx context.Context, f animate.Frame, _ pillbox.Options) (*image.NRGBA, error) {
			return picture(ctx, f.Index)
		},
		Preview: func(ctx context.Context, f animate.Frame, _ pillbox.Options) (*image.NRGBA, error) {
			return picture(ctx, whole.Frames+f.Index)
		},
		Digest: func(i int, _ *scene.Scene) string { return whole.Note(i) },
	}, name, dpi)
	if err != nil {
		return err
	}
	if err := p.CheckOutput(cmd, filmfile.Frame(name, 0), shards...); err != nil {
		return err
	}
	return save(cmd.Context())
}
