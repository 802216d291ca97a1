// Package hash contains the command "render hash".
package hash

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/osfile"
	"pillbox/internal/picture"
	"pillbox/pngfile"
)

// New returns the command hash in an environment.
func New(p *command.Env) *cobra.Command {
	var moment *float64
	theme := ""
	cmd := &cobra.Command{
		Use:   "hash SCENE|IMAGE",
		Short: "Print the pixel hash of a scene or an image",
		Long: `Print the pixel hash of an image, or of the picture that a scene gives: the
SHA-256 of width, height and pixels, whatever the file format. Two machines that
print the same hash have rendered the same picture.`,
		Example: `  render hash scene.toml
  render hash scene.png`,
		GroupID:           command.GroupPictures,
		Args:              cli.WantArgs(1, 1, "one scene or image"),
		ValidArgsFunction: command.SceneOrImageFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runHash(p, cmd, args[0], command.LoadOptions{Moment: moment, Theme: theme})
		},
	}
	command.TimeFlag(cmd, &moment)
	command.ThemeFlag(cmd, &theme)
	return cmd
}

func runHash(p *command.Env, cmd *cobra.Command, name string, opt command.LoadOptions) error {
	hash, err := hashOfImage(cmd.Context(), p, name)
	switch {
	case errors.Is(err, image.ErrFormat):
		hash, err = hashOfScene(cmd.Context(), p, name, opt)
	case err == nil && opt.Moment != nil:
		return cli.Misuse(cmd, "--time is for scenes, and %s is an image", name)
	case err == nil && opt.Theme != "":
		return cli.Misuse(cmd, "--theme is for scenes, and %s is an image", name)
	}
	if err != nil {
		return err
	}
	_, err = io.WriteString(p.Out, hash+"\n")
	return err
}

// hashOfImage returns the hash of an image. Images with more than 8 bits per channel are errors, because hashing would
// ignore the additional bits.
func hashOfImage(ctx context.Context, p *command.Env, name string) (string, error) {
	if name != command.Standard {
		hash, err := command.Await(ctx, func() (string, error) { return hashByRows(ctx, name) })
		if err == nil || ctx.Err() != nil {
			return hash, err
		}
	}
	img, err := p.Image(ctx, name)
	if err != nil {
		return "", err
	}
	switch img.ColorModel() {
	case color.NRGBA64Model, color.RGBA64Model, color.Gray16Model:
		return "", &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s has 16 bits a channel, a pixel hash is of 8", name)}
	}
	return command.Await(ctx, func() (string, error) { return pillbox.Hash(picture.Straighten(img)), nil })
}

// hashByRows returns the hash of a PNG file that can be read by rows, which takes little memory.
func hashByRows(ctx context.Context, name string) (string, error) {
	f, err := osfile.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	d, err := pngfile.NewDecoder(f)
	if err != nil {
		return "", err
	}
	if err := osfile.CheckSize(d.Size()); err != nil {
		return "", err
	}
	h := pillbox.NewHasher(d.Size())
	err = d.Rows(func(row []byte) error {
		h.Row(row)
		return ctx.Err()
	})
	return h.Sum(), err
}

// hashOfScene returns the hash of a scene's picture.
func hashOfScene(ctx context.Context, p *command.Env, name string, opt command.LoadOptions) (string, error) {
	s, err := p.Load(ctx, name, opt)
	if err != nil {
		return "", err
	}
	film, _, err := p.Draw(ctx, s, pillbox.Options{}, "rendering")
	if err != nil {
		return "", err
	}
	return pillbox.Hash(film.Image), nil
}
