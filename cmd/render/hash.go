package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"

	"github.com/spf13/cobra"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/picture"
)

func (p *program) hashCommand() *cobra.Command {
	var moment secondsFlag
	cmd := &cobra.Command{
		Use:   "hash SCENE|IMAGE",
		Short: "Print the pixel hash of a scene or an image",
		Long: `Print the pixel hash of an image, or of the picture that a scene gives: the
SHA-256 of width, height and pixels, whatever the file format. Two machines that
print the same hash have rendered the same picture.`,
		Example: `  render hash scene.toml
  render hash scene.png`,
		GroupID:           groupPictures,
		Args:              cli.WantArgs(1, 1, "one scene or image"),
		ValidArgsFunction: sceneOrImageFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.runHash(cmd, args[0], moment)
		},
	}
	timeFlag(cmd, &moment)
	return cmd
}

func (p *program) runHash(cmd *cobra.Command, name string, moment secondsFlag) error {
	hash, err := p.hashOfImage(cmd.Context(), name)
	switch {
	case errors.Is(err, image.ErrFormat):
		hash, err = p.hashOfScene(cmd.Context(), name, moment)
	case err == nil && moment.given:
		return cli.Misuse(cmd, "--time is for scenes, and %s is an image", name)
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.out, hash)
	return err
}

// hashOfImage returns the hash of an image. Images with more than 8 bits per channel are errors, because hashing would
// ignore the additional bits.
func (p *program) hashOfImage(ctx context.Context, name string) (string, error) {
	img, err := p.image(ctx, name)
	if err != nil {
		return "", err
	}
	switch img.ColorModel() {
	case color.NRGBA64Model, color.RGBA64Model, color.Gray16Model:
		return "", &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s has 16 bits a channel, a pixel hash is of 8", name)}
	}
	return await(ctx, func() (string, error) { return pillbox.Hash(picture.Straighten(img)), nil })
}

// hashOfScene returns the hash of a scene's picture.
func (p *program) hashOfScene(ctx context.Context, name string, moment secondsFlag) (string, error) {
	s, err := p.load(ctx, name, loadOptions{moment: moment})
	if err != nil {
		return "", err
	}
	film, _, err := p.draw(ctx, s, pillbox.Options{}, "rendering")
	if err != nil {
		return "", err
	}
	return pillbox.Hash(film.Image), nil
}
