package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"

	// Pictures come in these formats, too.
	_ "image/gif"

	_ "golang.org/x/image/webp"

	"github.com/spf13/cobra"

	"pillbox"
)

func (p *program) hashCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "hash SCENE|IMAGE",
		Short: "Print the pixel hash of a scene or an image",
		Long: `Print the pixel hash of an image, or of the picture that a scene gives: the
SHA-256 of width, height and pixels, whatever the file format. Two machines that
print the same hash have rendered the same picture.`,
		Example: `  render hash scene.toml
  render hash scene.png`,
		GroupID:           groupPictures,
		Args:              wantArgs(1, 1, "one scene or image"),
		ValidArgsFunction: sceneOrImageFiles,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.runHash(cmd.Context(), args[0])
		},
	}
}

func (p *program) runHash(ctx context.Context, name string) error {
	img, err := p.picture(ctx, name)
	if err != nil {
		return err
	}
	p.out.printf("%v\n", pillbox.Hash(img))
	return nil
}

// picture decodes an image or, if the file is none, renders it as a scene.
func (p *program) picture(ctx context.Context, name string) (*image.NRGBA, error) {
	img, err := p.image(ctx, name)
	if err == nil {
		return toNRGBA(name, img)
	}
	if !errors.Is(err, image.ErrFormat) {
		return nil, err
	}
	s, err := p.load(ctx, name, false)
	if err != nil {
		return nil, err
	}
	film, _, err := p.draw(ctx, s, pillbox.Options{}, "rendering")
	if err != nil {
		return nil, err
	}
	return film.Image, nil
}

// image reads an image. Standard input can be read again afterwards.
func (p *program) image(ctx context.Context, name string) (image.Image, error) {
	return await(ctx, func() (image.Image, error) {
		in, err := p.openInput(name)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		data, err := io.ReadAll(in)
		if err != nil {
			return nil, err
		}
		if name == standard {
			p.in = bytes.NewReader(data)
		}
		img, _, err := image.Decode(bytes.NewReader(data))
		if err != nil {
			return nil, &failure{status: statusFile, err: fmt.Errorf("read %s: %w", name, err)}
		}
		return img, nil
	})
}

// toNRGBA returns img with straight alpha and 8 bits a channel; more bits would be lost.
func toNRGBA(name string, img image.Image) (*image.NRGBA, error) {
	switch img.ColorModel() {
	case color.NRGBA64Model, color.RGBA64Model, color.Gray16Model:
		return nil, &failure{status: statusWrong, err: fmt.Errorf("%s has 16 bits a channel, a pixel hash is of 8", name)}
	}
	if same, ok := img.(*image.NRGBA); ok {
		return same, nil
	}
	b := img.Bounds()
	straight := image.NewNRGBA(b)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			straight.Set(x, y, img.At(x, y))
		}
	}
	return straight, nil
}
