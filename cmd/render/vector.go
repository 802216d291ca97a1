package main

import (
	"context"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"strings"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/scene"
)

// vectorWriter writes a file with a picture and, over it, the annotations of the figure f as vectors.
type vectorWriter func(f *figure.Figure, w io.Writer, picture *image.NRGBA, dpi int) error

// vectorFormat returns the function that writes the format of a file name's extension, or nil if the format is neither
// SVG nor PDF.
func vectorFormat(name string) vectorWriter {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".svg":
		return (*figure.Figure).WriteSVG
	case ".pdf":
		return (*figure.Figure).WritePDF
	}
	return nil
}

// drawVectors renders the picture, and writes it with its annotations as vectors. See drawTo about interrupts.
func (r *rendering) drawVectors(ctx context.Context, sc *scene.Scene, out output, s *stats) (*pillbox.Film, int, error) {
	lap := newStopwatch()
	film, done, err := r.draw(ctx, sc, r.opt, "rendering")
	s.Render = lap.seconds()
	if err != nil {
		return film, done, err
	}
	err = r.writeOutput(ctx, out.name, func(w io.Writer) error { return out.vectors(r.figure, w, film.Image, out.dpi) })
	s.Encode = lap.seconds()
	return film, done, err
}

// arrange sets r.figure to the annotations of the prepared scene. It does nothing if the scene has none and the output
// is not SVG or PDF.
func (r *rendering) arrange(ctx context.Context, sc *scene.Scene) (err error) {
	if sc.Annotations.IsEmpty() && vectorFormat(r.output) == nil {
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

// refuseAnnotations returns an error if the scene has annotations. The argument how is the flag that makes
// the command render without drawing them.
func refuseAnnotations(sc *scene.Scene, how string) error {
	if sc.Annotations.IsEmpty() {
		return nil
	}
	return &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: the scene has annotations, which are drawn over a whole picture and would be missing: remove %s, or the annotations", sc.Name, how)}
}
