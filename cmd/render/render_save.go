package main

import (
	"context"
	"fmt"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/picture"
	"pillbox/pngfile"
	"pillbox/scene"
)

// prepare prepares the scene, and sets r.prepared.
func (r *rendering) prepare(ctx context.Context, sc *scene.Scene) (err error) {
	r.prepared, err = r.prepareScene(ctx, sc, r.opt.Picture)
	return err
}

// draw renders the prepared scene in this process, or the scene on a farm, with a progress bar. It draws
// the annotations over the film, unless the output is a vector format.
func (r *rendering) draw(ctx context.Context, sc *scene.Scene, opt pillbox.Options, label string) (*pillbox.Film, int, error) {
	render := r.render
	if r.prepared != nil && !r.farm.wanted() {
		render = renderPrepared(r.prepared)
	}
	if vectorFormat(r.output) == nil { // otherwise the annotations are not part of the pixels
		render = annotated(r.figure, render)
	}
	return r.drawBy(ctx, render, sc, opt, label)
}

// drawTo renders and writes the picture. If the user interrupts, it returns the unfinished film and its percentage
// together with the error.
func (r *rendering) drawTo(ctx context.Context, sc *scene.Scene, out output, s *stats) (*pillbox.Film, int, error) {
	if out.vectors != nil {
		return r.drawVectors(ctx, sc, out, s)
	}
	if out.canStream() {
		return r.drawAndSave(ctx, sc, out, s)
	}
	return r.drawThenSave(ctx, sc, out, s)
}

// drawThenSave renders, and then writes the picture. See drawTo about interrupts.
func (r *rendering) drawThenSave(ctx context.Context, sc *scene.Scene, out output, s *stats) (*pillbox.Film, int, error) {
	if sc.Image.Background.Transparent && out.format.IsOpaque() {
		r.warn("%s has no transparency: transparent pixels are black; PNG and TIFF keep them", out.name)
	}
	lap := newStopwatch()
	film, done, err := r.draw(ctx, sc, r.opt, "rendering")
	s.Render = lap.seconds()
	if err != nil {
		return film, done, err
	}
	err = r.save(out, film.Image)
	s.Encode = lap.seconds()
	return film, done, err
}

// drawAndSave renders and writes the picture as PNG at the same time. See drawTo about interrupts.
func (r *rendering) drawAndSave(ctx context.Context, sc *scene.Scene, out output, s *stats) (*pillbox.Film, int, error) {
	to, err := r.open(out)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	options := pngfile.Options{Color: pngfile.RGB, Workers: r.opt.Workers, DPI: out.dpi}
	if sc.Image.Background.Transparent {
		options.Color = pngfile.RGBA
	}
	png := picture.NewStream(to, options, cancel) // if writing fails, rendering is canceled
	opt := r.opt
	opt.Rows = func(film *pillbox.Film, n int) { png.Rows(film.Image, n) }

	lap := newStopwatch()
	film, done, err := r.draw(ctx, sc, opt, "rendering")
	s.Render = lap.seconds()
	if err == nil {
		err = png.Close()
	} else {
		if ctx.Err() != nil {
			err = context.Cause(ctx) // the write error, or the interrupt
		}
		png.Stop()
	}
	if err != nil {
		to.Discard()
		return film, done, err
	}
	err = to.Commit()
	s.Encode = lap.seconds()
	return film, done, err
}

// savePartial writes an unfinished picture to the output for partial pictures.
func (r *rendering) savePartial(out output, film *pillbox.Film, percent int) error {
	partial, ok := out.partial()
	if !ok {
		return context.Canceled
	}
	if err := r.save(partial, film.Image); err != nil {
		return err
	}
	return &cli.Failure{
		Status: cli.StatusInterrupted,
		Err:    fmt.Errorf("interrupted; %s holds the %d %% that are finished", partial.name, percent),
	}
}
