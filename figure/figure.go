// Package figure draws the annotations of a scene over its picture: labels, dimensions, lines, arrows, angles, markers, a
// title, axes, a scale bar, a legend and a color bar.
//
// [Render] renders a scene and draws its annotations. [New] arranges the annotations for a prepared scene; a [Figure]
// draws them into pixels, with the same bits on every machine, or writes the picture with them as SVG or PDF.
// Annotations do not affect what the renderer computes: this package casts rays only to find out what solids hide.
//
// Conventions: positions are pixels of the whole picture, with (0, 0) at its top left corner and y down. A scene
// states lengths in pixels for a picture of the scene's own height. In pictures of other heights, they are scaled.
package figure

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"slices"

	"pillbox"
	"pillbox/internal/follow"
	"pillbox/internal/ink"
	"pillbox/internal/typeface"
	"pillbox/scene"
	"pillbox/shade"
)

// Figure is the arranged annotations of a picture. It is immutable and safe for concurrent use.
type Figure struct {
	page   ink.Page
	items  []item
	labels []PlacedLabel

	flaws []scene.AnnotationFlaw
}

// Entry is a text of a figure.
type Entry struct {
	Kind string // "title", "label", "dimension", "angle", "axes", "scale_bar", "legend" or "colormap"
	Text string // with its markup

	// X and Y are the middle of the text's box, which extends from the top of the capital letters to the baseline.
	X, Y float64
}

// PlacedLabel is the place of a label of the scene. Lengths are pixels of the picture.
type PlacedLabel struct {
	Index                    int // in the scene's Annotations.Labels
	Left, Top, Right, Bottom float64

	// ShiftX and ShiftY are how far the text was moved to the right and down from its place in the scene file,
	// to avoid lines, other texts and the edge of the picture.
	ShiftX, ShiftY float64
}

// String describes the entry and its position, such as label "A" at (12.5, 30.0).
func (e Entry) String() string { return fmt.Sprintf("%s %q at (%.1f, %.1f)", e.Kind, e.Text, e.X, e.Y) }

// New arranges the annotations of the scene from which p was prepared. It returns an error if p was not
// returned by a Prepare function, or if the scale bar cannot be drawn. A scale bar cannot be drawn if it
// does not fit into the picture. With a perspective camera, it also needs a depth. It also returns an error if drawing the
// annotations would take too long. New casts rays to find out what
// solids hide; if ctx ends first, it returns the error of ctx.
func New(ctx context.Context, p *pillbox.Prepared) (*Figure, error) {
	if p == nil || follow.Of(p) == nil {
		return nil, errors.New("want a scene from pillbox.Prepare, got none")
	}
	prepared, _, release := follow.Of(p).Until(ctx)
	defer release()
	l := newLayout(ctx, prepared)
	if err := l.all(); err != nil {
		return nil, err
	}
	f := &Figure{items: l.items, labels: l.labels, flaws: l.flaws}
	if table := l.Scene.Crowded(l.Size.X, l.Size.Y); table != "" {
		f.flaws = append(f.flaws, scene.AnnotationFlaw{Table: table, Message: fmt.Sprintf(
			"the annotations leave little room for the solids in a picture of %d x %d pixels; use smaller sizes or a larger picture", l.Size.X, l.Size.Y)})
	}
	f.page.Size = l.Size
	if t := l.Scene.Annotations.Title; t != nil {
		f.page.Title = typeface.Plain(t.Text)
	}
	f.page.Marks = append(l.lines, l.texts...)
	if err := checkCost(f.page.Cost(), l.Size); err != nil {
		return nil, err
	}
	return f, nil
}

// leastLimit is the limit of the cost of drawing for small pictures. For large ones, it grows with the number of pixels.
const leastLimit = 1 << 25

// checkCost returns an error if drawing the annotations would take much longer than other work on a picture.
func checkCost(cost int64, size image.Point) error {
	if most := max(leastLimit, 16*int64(size.X)*int64(size.Y)); cost > most {
		return fmt.Errorf("the lines, dashes and letters of the annotations cross %d rows of pixels in total, want at most %d: draw fewer, or with a smaller width or size", cost, most)
	}
	return nil
}

// Layer is what an annotation lays over a pixel: the color of a text, of its halo or of a line.
type Layer struct {
	// Kind and Text are those of the annotation's [Entry]. Both are empty for a line or an area.
	Kind, Text string
	Halo       bool // whether this is the halo around the letters of Text

	Color   color.NRGBA // opaque, sRGB
	Covered float64     // the share of the pixel that it covers, above 0 and at most 1

	Over color.NRGBA // the pixel with this layer, and with those below it
}

// Layers returns what the annotations lay over a pixel, from the lowest to the highest. under is the pixel without
// annotations. The field Over of the last layer is the pixel that [Figure.Draw] draws. If ctx ends first, Layers returns
// its error.
func (f *Figure) Layers(ctx context.Context, pixel image.Point, under color.NRGBA) ([]Layer, error) {
	marks, err := f.page.At(ctx, pixel)
	var all []Layer
	for i := range marks {
		m := &marks[i]
		under = m.Over(under)
		l := Layer{Color: color.NRGBA{R: m.Color.R, G: m.Color.G, B: m.Color.B, A: 255}, Covered: float64(m.Covered) / ink.FullCoverage, Over: under}
		if text, ok := m.Mark.(*ink.Text); ok {
			l.Kind, l.Text, l.Halo = f.kindOf(text), text.Text, m.Halo
		}
		all = append(all, l)
	}
	return all, err
}

// kindOf returns the kind of the annotation that has a text.
func (f *Figure) kindOf(t *ink.Text) string {
	for i := range f.items {
		if slices.Contains(f.items[i].texts, t) {
			return f.items[i].Kind
		}
	}
	return ""
}

// Entries returns the texts of the figure, in the order in which they were placed. The caller owns the slice.
func (f *Figure) Entries() []Entry {
	var all []Entry
	for i := range f.items {
		all = append(all, f.items[i].Entry)
	}
	return all
}

// Labels returns the labels that are drawn, in the order of the scene. The caller owns the slice.
func (f *Figure) Labels() []PlacedLabel { return append([]PlacedLabel(nil), f.labels...) }

// Flaws returns the annotations whose texts have no free place: they meet a line, another text or the edge of the picture.
// The caller owns the slice.
func (f *Figure) Flaws() []scene.AnnotationFlaw { return slices.Clone(f.flaws) }

// Draw draws the annotations into the part of the picture that a film shows, unless the film is nil. If ctx ends first,
// it returns the error of ctx, and the film shows only some of the annotations.
func (f *Figure) Draw(ctx context.Context, film *pillbox.Film) error {
	if film == nil {
		return nil
	}
	return f.page.Draw(ctx, film.Image, film.Region.Min)
}

// WriteSVG writes a picture, without annotations, and the annotations as SVG. The picture is embedded, lines are
// paths, and texts are texts in an embedded font. dpi is the number of pixels per inch when printed; 0 means the
// 96 of CSS.
func (f *Figure) WriteSVG(w io.Writer, picture *image.NRGBA, dpi int) error {
	if err := f.check(picture); err != nil {
		return err
	}
	return f.page.WriteSVG(w, picture, dpi)
}

// WritePDF writes a picture, without annotations, and the annotations as PDF with embedded fonts. dpi is the
// number of pixels per inch; 0 means 96.
func (f *Figure) WritePDF(w io.Writer, picture *image.NRGBA, dpi int) error {
	if err := f.check(picture); err != nil {
		return err
	}
	return f.page.WritePDF(w, picture, dpi)
}

func (f *Figure) check(picture *image.NRGBA) error {
	if picture == nil || picture.Rect.Size() != f.page.Size {
		return fmt.Errorf("want the whole picture of %d x %d pixels", f.page.Size.X, f.page.Size.Y)
	}
	return nil
}

// Render renders a scene as [pillbox.Render] does, and draws the scene's annotations over the finished film. If
// there are annotations, opt.Rows is called only once, at the end. [pillbox.Film.Linear] does not contain the
// annotations.
func Render(ctx context.Context, s *scene.Scene, opt pillbox.Options) (*pillbox.Film, error) {
	if s == nil || s.Annotations.IsEmpty() {
		return pillbox.Render(ctx, s, opt)
	}
	p, err := pillbox.PrepareWith(s, opt)
	if err != nil {
		return nil, err
	}
	return RenderPrepared(ctx, p, opt.Work)
}

// RenderPrepared renders a prepared scene and draws its annotations, as [Render] does.
func RenderPrepared(ctx context.Context, p *pillbox.Prepared, w pillbox.Work) (*pillbox.Film, error) {
	if p == nil || follow.Of(p) == nil || p.Scene().Annotations.IsEmpty() {
		return p.Render(ctx, w)
	}
	f, err := New(ctx, p) // first, because rendering takes longer
	if err != nil {
		return nil, err
	}
	return f.Over(ctx, w, func(w pillbox.Work) (*pillbox.Film, error) { return p.Render(ctx, w) })
}

// Over calls the function render and draws the annotations over the film that it returns, unless render
// fails. It passes w to render without w.Rows, and calls w.Rows itself, once, when the annotations are
// drawn.
func (f *Figure) Over(ctx context.Context, w pillbox.Work, render func(pillbox.Work) (*pillbox.Film, error)) (*pillbox.Film, error) {
	rows := w.Rows
	w.Rows = nil
	film, err := render(w)
	if err != nil {
		return film, err
	}
	if err := f.Draw(ctx, film); err != nil {
		return film, err
	}
	if rows != nil {
		rows(film, film.Image.Rect.Dy())
	}
	return film, nil
}

func inkOf(c shade.Color) ink.Color {
	return ink.Color{R: shade.EncodeSRGB8(c.R), G: shade.EncodeSRGB8(c.G), B: shade.EncodeSRGB8(c.B)}
}
