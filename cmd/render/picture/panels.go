package picture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"path/filepath"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/cli"
	"pillbox/internal/command"
	"pillbox/problem"
	"pillbox/scene"
)

// panels reads the file of a figure with panels, see [command.Env.Panels], and prints its problems.
func (r *rendering) panels(ctx context.Context) (*scene.Panels, error) {
	p, err := r.Panels(ctx, r.scene)
	var problems problem.Errors
	if errors.As(err, &problems) {
		screen := r.Err
		if r.json {
			screen = r.Out
		}
		r.ReportProblems(screen, problems, r.json)
		return nil, &cli.Failure{Status: cli.StatusWrong}
	}
	return p, err
}

// runPanels renders a figure with panels.
func (r *rendering) runPanels(ctx context.Context, p *scene.Panels) error {
	for _, name := range []string{"view", "time", "region", "height", "aov", "verify", "stats", "shard", "farm"} {
		if r.cmd.Flags().Changed(name) {
			return cli.Misuse(r.cmd, "--%s: %s is a figure with panels; its [[panel]] tables have the keys scene, view, theme, time and title", name, r.scene)
		}
	}
	out, err := r.checkOutputs(ctx)
	if err != nil {
		return err
	}
	for i := range p.Panels {
		if err := r.CheckOutput(r.cmd, out.Name, r.pathOf(&p.Panels[i])); err != nil {
			return err
		}
	}
	scenes, texts, err := r.panelScenes(ctx, p)
	if err != nil {
		return err
	}
	sheet, err := r.sheetOf(p, scenes)
	if err != nil {
		return err
	}
	var cells []figure.Cell
	for i, s := range scenes {
		if err := command.PrintTexts(s, pillbox.Picture{Size: image.Pt(sheet.Width, 0)}, r.dpi); err != nil {
			return err
		}
		c, err := r.cell(ctx, s, texts[i], pillbox.Picture{Size: image.Pt(sheet.Width, 0), Antialias: r.opt.Antialias})
		if err != nil {
			return err
		}
		if c.Title = p.Panels[i].Title; p.Letters {
			c.Letter = p.Letter(i)
		}
		cells = append(cells, c)
	}
	f, picture := sheet.Compose(cells)
	if n := picture.Rect.Dx() * picture.Rect.Dy(); n > scene.MaxPixels || max(picture.Rect.Dx(), picture.Rect.Dy()) > scene.MaxSide {
		return &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: a figure of %d x %d pixels is too large: set a smaller width", r.scene, picture.Rect.Dx(), picture.Rect.Dy())}
	}
	if out.Vectors != nil {
		err = r.WriteOutput(ctx, out.Name, func(w io.Writer) error { return out.Vectors(f, w, picture, out.DPI) })
	} else if err = f.Draw(ctx, &pillbox.Film{Image: picture}); err == nil {
		err = r.Save(out, picture)
	}
	if err == nil {
		r.NoteWritten(out, picture.Rect.Size())
	}
	return err
}

// pathOf returns the path of a panel's scene.
func (r *rendering) pathOf(p *scene.Panel) string {
	return filepath.Join(command.FolderName(r.scene), filepath.FromSlash(p.Scene))
}

// panelScenes loads the scenes of all panels. It also returns the texts of their files.
func (r *rendering) panelScenes(ctx context.Context, p *scene.Panels) (all []*scene.Scene, texts [][]byte, err error) {
	for i := range p.Panels {
		x := &p.Panels[i]
		opt := command.LoadOptions{View: x.View, Theme: r.theme, JSON: r.json, Held: true}
		if x.Theme != "" {
			opt.Theme = x.Theme
		}
		if x.HasTime {
			opt.Moment = &x.Time
		}
		s, src, err := r.LoadSource(ctx, r.pathOf(x), opt)
		if err != nil {
			return nil, nil, err
		}
		all, texts = append(all, s), append(texts, src.Data)
	}
	return all, texts, nil
}

// sheetOf returns the sheet of a figure in pixels of the picture. With a common scale, it changes the cameras of the scenes.
func (r *rendering) sheetOf(p *scene.Panels, scenes []*scene.Scene) (*figure.Sheet, error) {
	sheet := &figure.Sheet{Columns: min(p.Columns, len(scenes)), Width: p.Width, Background: p.Background, Lettering: p.Lettering}
	if sheet.Width == 0 {
		sheet.Width = scenes[0].Image.Width
	}
	gaps, by := sheet.Columns-1, 1.0
	if whole := r.opt.Size.X; whole > 0 {
		by = float64(whole) / (float64(sheet.Columns*sheet.Width) + float64(float64(gaps)*p.Gap))
		sheet.Lettering.Size *= by
	}
	if p.Lettering.Points > 0 {
		sheet.Lettering = p.Lettering.Printed(float64(cmp.Or(r.dpi, scene.DefaultDPI)))
	}
	sheet.Gap = int(math.Round(p.Gap * by))
	if whole := r.opt.Size.X; whole > 0 {
		if sheet.Width = (whole - gaps*sheet.Gap) / sheet.Columns; sheet.Width < 1 {
			return nil, cli.Misuse(r.cmd, "--width: a figure with %d columns needs more pixels, got %d", sheet.Columns, whole)
		}
	}
	if !p.Common {
		return sheet, nil
	}
	scale, heights := 0.0, make([]int, len(scenes))
	for i, s := range scenes {
		size, err := pillbox.Picture{Size: image.Pt(sheet.Width, 0)}.SizeOf(s)
		if err != nil {
			return nil, err
		}
		view, err := s.View(size.X, size.Y)
		if err != nil {
			return nil, err
		}
		if !view.Parallel() {
			return nil, &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: scale = \"common\" needs orthographic cameras, and that of panel[%d], %s, is perspective", r.scene, i, s.Name)}
		}
		heights[i], scale = size.Y, max(scale, view.PixelAt(0))
	}
	for i, s := range scenes {
		scenes[i] = s.AtScale(scale, sheet.Width, heights[i])
	}
	return sheet, nil
}

// cell renders the picture of a panel, without its annotations, and arranges them. It prints the warnings of the scene, which was
// decoded from text.
func (r *rendering) cell(ctx context.Context, s *scene.Scene, text []byte, picture pillbox.Picture) (figure.Cell, error) {
	p, err := r.PrepareScene(ctx, s, picture)
	if err != nil {
		return figure.Cell{}, err
	}
	f, err := figure.New(ctx, p)
	r.ReportWarnings(s, text, f, r.json)
	if err != nil {
		if ctx.Err() == nil {
			err = &cli.Failure{Status: cli.StatusWrong, Err: fmt.Errorf("%s: %w", s.Name, err)}
		}
		return figure.Cell{}, err
	}
	film, _, err := r.DrawBy(ctx, command.RenderPrepared(p), s, pillbox.Options{Picture: picture, Work: pillbox.Work{Workers: r.opt.Workers}}, "rendering "+s.Name)
	if err != nil {
		return figure.Cell{}, err
	}
	return figure.Cell{Figure: f, Picture: film.Image}, nil
}
