package play

import (
	"context"
	"fmt"
	"slices"

	"pillbox/explain"
	"pillbox/internal/play/broken"
)

// mistaken is a picture that is rendered with a mistake, compared with the right one.
type mistaken struct {
	mistake    broken.Mistake
	wrong, all int // pixels
}

// ask returns what a prediction is about: an explanation or, for a mistake of the renderer, the number of wrong pixels.
func (e *Engine) ask(ctx context.Context, r *predictRequest) (*question, error) {
	if r.Prediction.Kind != predictWrong {
		return e.question(ctx, &r.explainRequest)
	}
	c, err := e.canvas(ctx, &r.sceneRequest, "")
	if err != nil {
		return nil, err
	}
	right, err := c.render(ctx, c.prepared.Picture().Region, e.Workers)
	if err != nil {
		return nil, err
	}
	m, ok := broken.Find(r.Prediction.Mistake)
	if !ok {
		return nil, failure(StatusMalformed, "there is no mistake %q", r.Prediction.Mistake)
	}
	c.trap = &m
	faulty, err := c.render(ctx, c.prepared.Picture().Region, e.Workers)
	if err != nil {
		return nil, err
	}
	w := &mistaken{mistake: m, all: len(right.image.Pix) / 4}
	for i := 0; i < len(right.image.Pix); i += 4 {
		if !slices.Equal(right.image.Pix[i:i+4], faulty.image.Pix[i:i+4]) {
			w.wrong++
		}
	}
	return &question{picture: c.picture, mistaken: w}, nil
}

// pose returns the question how many pixels are wrong.
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
