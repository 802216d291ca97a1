package play

import (
	"context"
	"fmt"
	"image"
	"slices"

	"pillbox/aov"
	"pillbox/explain"
	"pillbox/internal/play/broken"
)

// mistaken is a picture with a mistake of the renderer, and after the method compare how it differs from the right one.
type mistaken struct {
	canvas     *canvas
	mistake    broken.Mistake
	workers    int
	wrong, all int // pixels
}

// ask returns what a prediction is about: an explanation or, for a mistake of the renderer, a picture with it.
func (e *Engine) ask(ctx context.Context, r *predictRequest) (*question, error) {
	if r.Prediction.Kind != predictWrong {
		return e.question(ctx, &r.explainRequest)
	}
	c, err := e.canvas(ctx, &r.sceneRequest, "")
	if err != nil {
		return nil, err
	}
	m, ok := broken.Find(r.Prediction.Mistake)
	if !ok {
		return nil, failure(StatusMalformed, "there is no mistake %q", r.Prediction.Mistake)
	}
	return &question{picture: c.picture, mistaken: &mistaken{canvas: c, mistake: m, workers: e.Workers}}, nil
}

// compare renders both pictures and counts the pixels that differ. Only a reader who has chosen an answer needs this.
func (w *mistaken) compare(ctx context.Context) error {
	region := w.canvas.prepared.Picture().Region
	right, err := w.canvas.render(ctx, region, w.workers)
	if err != nil {
		return err
	}
	spoiled := *w.canvas
	spoiled.trap = &w.mistake
	faulty, err := spoiled.render(ctx, region, w.workers)
	if err != nil {
		return err
	}
	w.wrong, w.all = 0, len(right.image.Pix)/4
	for i := 0; i < len(right.image.Pix); i += 4 {
		if !slices.Equal(right.image.Pix[i:i+4], faulty.image.Pix[i:i+4]) {
			w.wrong++
		}
	}
	return nil
}

// pose returns the question how many pixels are wrong. The answer counts only after compare.
func (w *mistaken) pose() *posed {
	p := &posed{text: "How many pixels of the picture are wrong?", choices: choices("none of them", "up to a quarter", "more than a quarter"), why: w.count()}
	switch {
	case 4*w.wrong > w.all:
		p.answer = 2
	case w.wrong > 0:
		p.answer = 1
	}
	return p
}

func (w *mistaken) count() string { return fmt.Sprintf("%d of %d pixels are wrong.", w.wrong, w.all) }

// derivation states the mistake and how many pixels it makes wrong.
func (w *mistaken) derivation() explain.Blocks {
	return explain.Blocks{explain.Paragraph{Text: w.mistake.Fault}, explain.Paragraph{Text: w.count()}}
}

// mistakenPixel is a pixel of the picture with a mistake, beside the right one. Colors are sRGB, with alpha.
type mistakenPixel struct {
	Color [4]uint8 `json:"color"` // as shown, with the mistake
	Right [4]uint8 `json:"right"`
	Why   string   `json:"why"` // how the mistake changes the color; "" if it does not
	Ray   string   `json:"ray"` // the ray that the mistake changes, as explain.RayName; "" if none
}

// isWrong reports whether the mistake changes the color.
func (x *mistakenPixel) isWrong() bool { return x.Color != x.Right }

// mistakenAt renders a pixel with and without the mistake called name. It returns nil if name is "".
func (p *picture) mistakenAt(ctx context.Context, name string, at image.Point) (*mistakenPixel, error) {
	if name == "" {
		return nil, nil
	}
	prepared, err := p.prepare()
	if err != nil {
		return nil, err
	}
	c := &canvas{picture: p, prepared: prepared, view: aov.Color.String()}
	if err := c.spoil(name); err != nil {
		return nil, err
	}
	x := &mistakenPixel{}
	for _, side := range []struct {
		trap *broken.Mistake
		to   *[4]uint8
	}{{c.trap, &x.Color}, {nil, &x.Right}} {
		one := &canvas{picture: p, prepared: prepared, view: c.view, trap: side.trap}
		t, err := one.render(ctx, image.Rectangle{Min: at, Max: at.Add(image.Pt(1, 1))}, 1)
		if err != nil {
			return nil, err
		}
		*side.to = [4]uint8(t.image.Pix)
	}
	return x, nil
}

// mistakenPixel returns the explained pixel with the mistake of the request, and why the mistake changes it. It returns nil
// for requests without a mistake, and for those that are not about a pixel.
func (q *question) mistakenPixel(ctx context.Context, r *asked) (*mistakenPixel, error) {
	pixel, ok := q.explanation.(*explain.Pixel)
	if !ok {
		return nil, nil
	}
	x, err := q.mistakenAt(ctx, r.Trap, pixel.At)
	if err != nil || x == nil || !x.isWrong() {
		return x, err
	}
	m, _ := broken.Find(r.Trap)
	why, err := broken.Why(ctx, pixel.Prepared(), m, pixel.At)
	if err != nil {
		return nil, context.Cause(ctx)
	}
	x.Why = why.Text
	if why.Depth >= 0 {
		x.Ray = explain.RayName(why.Depth, why.Light)
	}
	return x, nil
}
