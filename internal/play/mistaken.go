package play

import (
	"context"
	"fmt"
	"slices"

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
