package picture

import (
	"context"
	"fmt"

	"pillbox"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/internal/picture"
	"pillbox/pngfile"
	"pillbox/scene"
)

// prepare prepares the scene, and sets r.prepared.
func (r *rendering) prepare(ctx context.Context, sc *scene.Scene) (err error) {
	r.prepared, err = r.PrepareScene(ctx, sc, r.opt.Picture)
	return err
}

// draw renders the prepared scene in this process, or the scene on a farm, with a progress bar. It draws
// the annotations over the film, unless the output is a vector format.
func (r *rendering) draw(ctx context.Context, sc *scene.Scene, opt pillbox.Options, label string) (*pillbox.Film, int, error) {
	render := r.Render
	if r.prepared != nil && !r.isElsewhere() {
		render = command.RenderPrepared(r.prepared)
	}
	if vectorFormat(r.output) == nil { // otherwise the annotations are not part of the pixels
		render = command.Annotated(r.figure, render)
	}
	return r.DrawBy(ctx, render, sc, opt, label)
}

// Write renders the scene s with a function, and writes the picture to the output.
func Write(ctx context.Context, p *command.Env, s *scene.Scene, opt pillbox.Options, out command.Output, render command.RenderFunc) error {
	own := *p
	own.Render = render
	r := &rendering{Env: &own, output: out.Name, opt: opt}
	film, _, err := r.drawTo(ctx, s, out, new(Stats))
	if err != nil {
		return err
	}
	r.NoteWritten(out, film.Region.Size())
	return nil
}

// drawTo renders and writes the picture. If the user interrupts, it returns the unfinished film and its percentage
// together with the error.
func (r *rendering) drawTo(ctx context.Context, sc *scene.Scene, out command.Output, s *Stats) (*pillbox.Film, int, error) {
	if out.Vectors != nil {
		return r.drawVectors(ctx, sc, out, s)
	}
	if out.CanStream() {
		return r.drawAndSave(ctx, sc, out, s)
	}
	return r.drawThenSave(ctx, sc, out, s)
}

// drawThenSave renders, and then writes the picture. See drawTo about interrupts.
func (r *rendering) drawThenSave(ctx context.Context, sc *scene.Scene, out command.Output, s *Stats) (*pillbox.Film, int, error) {
	if sc.Image.Background.Transparent && out.Format.IsOpaque() {
		r.Warn("%s has no transparency: transparent pixels are black; PNG and TIFF keep them", out.Name)
	}
	lap := command.NewStopwatch()
	film, done, err := r.draw(ctx, sc, r.opt, "rendering")
	s.Render = lap.Seconds()
	if err != nil {
		return film, done, err
	}
	err = r.Save(out, film.Image)
	s.Encode = lap.Seconds()
	return film, done, err
}

// drawAndSave renders and writes the picture as PNG at the same time. See drawTo about interrupts.
func (r *rendering) drawAndSave(ctx context.Context, sc *scene.Scene, out command.Output, s *Stats) (*pillbox.Film, int, error) {
	to, err := r.Open(out)
	if err != nil {
		return nil, 0, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	options := pngfile.Options{Color: pngfile.RGB, Workers: r.opt.Workers, DPI: out.DPI}
	if sc.Image.Background.Transparent {
		options.Color = pngfile.RGBA
	}
	png := picture.NewStream(to, options, cancel) // if writing fails, rendering is canceled
	opt := r.opt
	opt.Rows = func(film *pillbox.Film, n int) { png.Rows(film.Image, n) }

	lap := command.NewStopwatch()
	film, done, err := r.draw(ctx, sc, opt, "rendering")
	s.Render = lap.Seconds()
	if err == nil {
		defer r.Saving(film.Image.Rect.Size())()
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
	s.Encode = lap.Seconds()
	return film, done, err
}

// savePartial writes an unfinished picture to the output for partial pictures.
func (r *rendering) savePartial(ctx context.Context, out command.Output, film *pillbox.Film, percent int) error {
	partial, ok := out.Partial()
	if !ok {
		return context.Canceled
	}
	if err := r.Finish(ctx, "a picture", film.Image.Rect.Size()); err != nil {
		return err
	}
	if err := r.Save(partial, film.Image); err != nil {
		return err
	}
	return &cli.Failure{
		Status: cli.StatusInterrupted,
		Err:    fmt.Errorf("interrupted; %s holds the %d %% that are finished", partial.Name, percent),
	}
}
