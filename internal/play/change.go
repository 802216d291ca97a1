package play

import (
	"context"

	"pillbox/internal/tomltext"
)

// change is a change of a text: the fields of the request camera, move or edit.
type change struct {
	Camera *motion   `json:"camera"`
	Move   *movement `json:"move"`
	Edit   *settings `json:"edit"`
}

// apply replaces the text of a request by the text after a change, and returns the edits. It does nothing if c is nil.
func (e *Engine) apply(ctx context.Context, r *sceneRequest, c *change) ([]Edit, error) {
	if c == nil {
		return nil, nil
	}
	edits, err := e.edits(ctx, *r, c)
	if err != nil {
		return nil, err
	}
	r.Text = newText(r.Text).apply(edits)
	return edits, nil
}

// edits returns the edits for a change.
func (e *Engine) edits(ctx context.Context, r sceneRequest, c *change) ([]Edit, error) {
	switch {
	case c.Camera != nil && c.Move == nil && c.Edit == nil:
		a, err := e.camera(ctx, &cameraRequest{r, *c.Camera})
		if err != nil {
			return nil, err
		}
		return a.Edits, nil
	case c.Move != nil && c.Camera == nil && c.Edit == nil:
		a, err := e.move(ctx, &moveRequest{r, *c.Move})
		if err != nil {
			return nil, err
		}
		return a.Edits, nil
	case c.Edit != nil && c.Camera == nil && c.Move == nil:
		a, err := e.edit(ctx, &editRequest{r, *c.Edit})
		if err != nil {
			return nil, err
		}
		return a.Edits, nil
	}
	return nil, failure(StatusMalformed, "a change must be one of camera, move and edit")
}

// apply returns the text after edits. The page gets the same text when it applies the edits.
func (t *sceneText) apply(edits []Edit) string {
	list := make([]tomltext.Edit, len(edits))
	for i, edit := range edits {
		list[i] = tomltext.Edit{Extent: tomltext.Extent{Start: t.byte(edit.From), End: t.byte(edit.To)}, Insert: edit.Insert}
	}
	return mark[:t.mark*len(mark)] + string(tomltext.Apply(t.bytes, list))
}
