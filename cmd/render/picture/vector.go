package picture

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/scene"
)

// vectorFormat returns the function that writes the format of a file name's extension, or nil if the format is neither
// SVG nor PDF.
func vectorFormat(name string) command.VectorWriter {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".svg":
		return (*figure.Figure).WriteSVG
	case ".pdf":
		return (*figure.Figure).WritePDF
	}
	return nil
}

// drawVectors renders the picture, and writes it with its annotations as vectors. See drawTo about interrupts.
func (r *rendering) drawVectors(ctx context.Context, sc *scene.Scene, out command.Output, s *Stats) (*pillbox.Film, int, error) {
	lap := command.NewStopwatch()
	film, done, err := r.draw(ctx, sc, r.opt, "rendering")
	s.Render = lap.Seconds()
	if err != nil {
		return film, done, err
	}
	defer r.Saving(film.Image.Rect.Size())()
	err = r.WriteOutput(ctx, out.Name, func(w io.Writer) error { return out.Vectors(r.figure, w, film.Image, out.DPI) })
	s.Encode = lap.Seconds()
	return film, done, err
}

// arrange prepares the scene, unless only a farm renders it. It sets r.figure to the annotations of the scene, or to nil if the
// scene has none and the output is not SVG or PDF.
func (r *rendering) arrange(ctx context.Context, sc *scene.Scene) (err error) {
	if err := command.PrintTexts(sc, r.opt.Picture, r.dpi); err != nil {
		return err
	}
	isFigure := !sc.Annotations.IsEmpty() || vectorFormat(r.output) != nil
	if !r.isElsewhere() || len(r.views) > 0 || isFigure {
		if err := r.prepare(ctx, sc); err != nil {
			return err
		}
	}
	if !isFigure {
		return nil
	}
	if r.figure, err = figure.New(ctx, r.prepared); err != nil && ctx.Err() != nil {
		return err
	}
	if err != nil {
		return &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: %w", sc.Name, err)}
	}
	return nil
}
