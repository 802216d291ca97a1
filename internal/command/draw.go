package command

import (
	"context"
	"slices"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/problem"
	"pillbox/scene"
)

// PrepareScene prepares a scene with [pillbox.Prepare], and shows the progress.
func (p *Env) PrepareScene(ctx context.Context, s *scene.Scene, pic pillbox.Picture) (*pillbox.Prepared, error) {
	stage := cli.NewStageProgress(&p.Err, p.Quiet, "building the search tree")
	defer stage.Clear()
	building := func(done, all int) { stage.Update(int64(done), int64(all)) }
	building(0, s.Objects.Len())
	return Await(ctx, func() (*pillbox.Prepared, error) {
		return pillbox.PrepareWith(s, pillbox.Options{Picture: pic, Work: pillbox.Work{Building: building}})
	})
}

// PrintTexts sets the sizes of those texts of a scene whose sizes are in points, for a picture with a number of pixels per inch.
// If it is 0, they keep their sizes.
func PrintTexts(s *scene.Scene, pic pillbox.Picture, dpi int) error {
	if dpi == 0 {
		return nil
	}
	size, err := pic.SizeOf(s)
	if err != nil {
		return err
	}
	return s.Print(float64(dpi) * float64(s.Image.Height) / float64(size.Y))
}

// RenderPrepared returns a renderFunc that renders p. It ignores all options except Work.
func RenderPrepared(p *pillbox.Prepared) RenderFunc {
	return func(ctx context.Context, _ *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
		return p.Render(ctx, opt.Work)
	}
}

// Annotated returns a renderFunc that calls render and draws the figure f over its films. If f is nil, it returns
// render.
func Annotated(f *figure.Figure, render RenderFunc) RenderFunc {
	if f == nil {
		return render
	}
	return func(ctx context.Context, sc *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
		return f.Over(ctx, opt.Work, func(w pillbox.Work) (*pillbox.Film, error) {
			opt.Work = w
			return render(ctx, sc, opt)
		})
	}
}

// Draw renders with a progress bar. If the user interrupts, it returns the unfinished film and its percentage together
// with the error.
func (p *Env) Draw(ctx context.Context, sc *scene.Scene, opt pillbox.Options, label string) (*pillbox.Film, int, error) {
	return p.DrawBy(ctx, p.Render, sc, opt, label)
}

// DrawBy renders with the given function and a progress bar. If the user interrupts, it returns the unfinished
// film and its percentage together with the error.
func (p *Env) DrawBy(ctx context.Context, render RenderFunc, sc *scene.Scene, opt pillbox.Options, label string) (*pillbox.Film, int, error) {
	size, err := opt.SizeOf(sc)
	if err != nil {
		return nil, 0, err
	}
	if !opt.Region.Empty() {
		size = opt.Region.Size()
	}
	progress := p.NewProgress(label, size)
	defer progress.Clear()
	opt.Progress = func(done, _ int) { progress.Update(done) }
	film, err := render(ctx, sc, opt)
	return film, progress.Percent(), err
}

// ReportWarnings prints the warnings of a scene, which was decoded from data, together with those about the places of its
// annotations in a figure, in the order of lines. They are JSON on standard output if asJSON is set. f may be nil.
func (p *Env) ReportWarnings(s *scene.Scene, data []byte, f *figure.Figure, asJSON bool) {
	if p.Quiet {
		return
	}
	screen := p.Err
	if asJSON {
		screen = p.Out
	}
	p.ReportProblems(screen, AllWarnings(s, data, f), asJSON)
}

// AllWarnings returns the warnings of a scene, which was decoded from data, and those about the places of its annotations in a
// figure, in the order of lines. f may be nil.
func AllWarnings(s *scene.Scene, data []byte, f *figure.Figure) problem.Errors {
	if f == nil {
		return s.Warnings
	}
	return slices.Concat(s.Warnings, s.AnnotationWarnings(data, f.Flaws())).Sorted(s.Name)
}
