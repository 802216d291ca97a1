package play

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"math"

	"pillbox"
	"pillbox/figure"
	"pillbox/internal/tomltext"
	"pillbox/scene"
)

type labelsRequest struct{ sceneRequest }

type labelsAnswer struct {
	Labels []labelAnswer `json:"labels"`
}

// labelAnswer describes a label that the picture shows.
type labelAnswer struct {
	Label int        `json:"label"` // its number, for the request shift
	Text  string     `json:"text"`
	Box   [4]float64 `json:"box"`   // left, top, right and bottom, in pixels of the picture
	Table *tablePath `json:"table"` // the table that defines it, if the text contains it
}

func (e *Engine) labels(ctx context.Context, r *labelsRequest) (*labelsAnswer, error) {
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	placed, err := p.placedLabels(ctx)
	if err != nil {
		return nil, err
	}
	a, sections := &labelsAnswer{Labels: []labelAnswer{}}, tomltext.Outline(p.text.bytes)
	for _, l := range placed {
		described := labelAnswer{Label: l.Index, Text: p.moment.scene.Annotations.Labels[l.Index].Text, Box: [4]float64{l.Left, l.Top, l.Right, l.Bottom}}
		if key, file, ok := p.moment.scene.LabelTable(l.Index); ok && file == p.name {
			described.Table = p.tableOf(sections, key)
		}
		a.Labels = append(a.Labels, described)
	}
	return a, nil
}

// placedLabels returns the labels that the picture shows.
func (p *picture) placedLabels(ctx context.Context) ([]figure.PlacedLabel, error) {
	if len(p.moment.scene.Annotations.Labels) == 0 {
		return nil, nil
	}
	_, f, err := p.figure(ctx)
	if err != nil {
		return nil, err
	}
	return f.Labels(), nil
}

// figure returns the picture prepared for rendering, and its annotations.
func (p *picture) figure(ctx context.Context) (*pillbox.Prepared, *figure.Figure, error) {
	prepared, err := p.prepare()
	if err != nil {
		return nil, nil, err
	}
	f, err := p.arranged(ctx, prepared)
	return prepared, f, err
}

// arranged returns the annotations of a prepared scene.
func (p *picture) arranged(ctx context.Context, prepared *pillbox.Prepared) (*figure.Figure, error) {
	f, err := figure.New(ctx, prepared)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, refused("%v", err)
	}
	return f, nil
}

type shiftRequest struct {
	sceneRequest
	Label int        `json:"label"`
	By    [2]float64 `json:"by"` // to the right and down, in pixels of the picture
}

func (e *Engine) shift(ctx context.Context, r *shiftRequest) (*editAnswer, error) {
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	s := p.moment.scene
	if r.Label < 0 || r.Label >= len(s.Annotations.Labels) {
		return nil, failure(StatusMalformed, "there is no label %d", r.Label)
	}
	for _, x := range r.By {
		if !(math.Abs(x) < 1e6) {
			return nil, failure(StatusMalformed, "by must be a number of pixels, got %v", r.By)
		}
	}
	label := &s.Annotations.Labels[r.Label]
	key, file, ok := s.LabelTable(r.Label)
	if !ok || file != p.name {
		return nil, refused("label %q is in another file", label.Text)
	}
	placed, err := p.placedLabels(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range placed {
		if l.Index == r.Label {
			edits, _, err := e.change(ctx, p, []tomltext.Change{{Path: key + ".offset", Value: p.shifted(label, &l, r.By)}})
			return &editAnswer{edits}, err
		}
	}
	return nil, refused("the picture does not show label %q", label.Text)
}

// shifted returns the offset of a label after the user has dragged its text by the vector by, in pixels of the picture.
// The drag starts where the text is drawn, even if that is not at the label's offset. It ends at the edge of the
// picture.
func (p *picture) shifted(label *scene.Label, at *figure.PlacedLabel, by [2]float64) []any {
	const grain = 0.01 // of offsets, in pixels
	scale := float64(p.size.Y) / float64(p.moment.scene.Image.Height)
	ways := [2]float64{
		within(by[0], -at.Left, float64(p.size.X)-at.Right) + at.ShiftX,
		within(by[1], -at.Top, float64(p.size.Y)-at.Bottom) + at.ShiftY,
	}
	offset := []any{label.Offset[0], label.Offset[1]}
	for i, way := range ways {
		if way != 0 {
			offset[i] = max(-scene.MaxSide, min(scene.MaxSide, decimal(label.Offset[i]+way/scale, grain)))
		}
	}
	return offset
}

// within returns the number between low and high that is closest to x, or x if low exceeds high.
func within(x, low, high float64) float64 {
	if low > high {
		return x
	}
	return max(low, min(high, x))
}

type figureRequest struct {
	sceneRequest
	Format string `json:"format"` // svg or pdf
}

// figureAnswer is a picture with its annotations as vectors.
type figureAnswer struct {
	File []byte `json:"file"`
}

func (e *Engine) figure(ctx context.Context, r *figureRequest) (*figureAnswer, error) {
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	prepared, f, err := p.figure(ctx)
	if err != nil {
		return nil, err
	}
	write := map[string]vectorWriter{"svg": f.WriteSVG, "pdf": f.WritePDF}[r.Format]
	if write == nil {
		return nil, failure(StatusMalformed, "format must be svg or pdf, got %q", r.Format)
	}
	film, err := prepared.Render(ctx, pillbox.Work{Workers: e.Workers})
	if err != nil {
		return nil, err
	}
	var file bytes.Buffer
	if err := write(&file, film.Image, 0); err != nil {
		return nil, fmt.Errorf("writing the figure: %w", err)
	}
	return &figureAnswer{file.Bytes()}, nil
}

// vectorWriter writes a picture and its annotations; dpi is its resolution.
type vectorWriter = func(w io.Writer, picture *image.NRGBA, dpi int) error
