package play

import (
	"context"
	"errors"
	"image"

	"pillbox/explain"
	"pillbox/internal/follow"
)

type suggestAnswer struct {
	Pixels []suggestion `json:"pixels"` // at most one of each kind
}

// suggestion is a pixel that is worth an explanation.
type suggestion struct {
	Pixel [2]int         `json:"pixel"`
	Kind  suggestionKind `json:"kind"`
	Text  string         `json:"text"` // the answer of its explanation
}

// suggestionKind is why a pixel is worth an explanation.
type suggestionKind string

const (
	suggestShadow suggestionKind = "shadow" // a solid blocks a light there
	suggestMirror suggestionKind = "mirror" // a mirror shows something
	suggestLit    suggestionKind = "lit"    // every light arrives
)

// The pixels that are tried: the middles of the cells of a grid across the picture.
const (
	suggestColumns = 24
	suggestRows    = 16
	maxSuggestRays = 2_000_000 // rays of all tries, beyond which nothing is suggested
)

// suggest finds pixels that are worth an explanation, one of each kind. It chooses the pixel closest to the middle of
// all pixels of its kind, so that it is not at the edge of a shadow.
func (e *Engine) suggest(ctx context.Context, r *sceneRequest) (*suggestAnswer, error) {
	p, err := e.picture(ctx, r)
	if err != nil {
		return nil, err
	}
	a := &suggestAnswer{Pixels: []suggestion{}}
	s := p.moment.scene
	if suggestColumns*suggestRows*(1+len(s.Lights))*(1+s.Shading.Bounces) > maxSuggestRays {
		return a, nil
	}
	prepared, err := p.prepare()
	if err != nil {
		return nil, err
	}
	found := map[suggestionKind][]image.Point{}
	traced := follow.Of(prepared)
	for i := range suggestColumns * suggestRows {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		at := image.Pt((2*(i%suggestColumns)+1)*p.size.X/(2*suggestColumns), (2*(i/suggestColumns)+1)*p.size.Y/(2*suggestRows))
		rays := traced.PixelRays(at, 1)
		if kind := worthOf(traced.Follow(traced.CameraRay(rays.SampleRay(0, 0)), follow.PositionOf(&rays, 0), nil)); kind != "" {
			found[kind] = append(found[kind], at)
		}
	}
	for _, kind := range []suggestionKind{suggestShadow, suggestMirror, suggestLit} {
		if len(found[kind]) == 0 {
			continue
		}
		at := central(found[kind])
		x, err := explain.Explain(ctx, prepared, explain.Query{Pixel: &at})
		if invalid := (*explain.QueryError)(nil); errors.As(err, &invalid) {
			return nil, refused("%v", invalid.Err)
		}
		if err != nil {
			return nil, context.Cause(ctx)
		}
		answer := x.Document(explain.Brief).Blocks()[1].(explain.Answer) // below the title
		a.Pixels = append(a.Pixels, suggestion{[2]int{at.X, at.Y}, kind, answer.Text})
	}
	return a, nil
}

// worthOf returns the kind of suggestion for what a ray meets, or "" if it is not worth an explanation.
func worthOf(q *follow.Path) suggestionKind {
	if !q.IsSolid() {
		return ""
	}
	if q.Mirror != nil {
		return suggestMirror
	}
	arrive := 0
	for i := range q.Lights {
		switch q.Lights[i].Visibility {
		case follow.Blocked:
			return suggestShadow
		case follow.Visible:
			arrive++
		}
	}
	if arrive > 0 && arrive == len(q.Lights) {
		return suggestLit
	}
	return ""
}

// central returns the point closest to the mean of the points.
func central(points []image.Point) image.Point {
	var sum image.Point
	for _, p := range points {
		sum = sum.Add(p)
	}
	mean := sum.Div(len(points))
	best, least := points[0], -1
	for _, p := range points {
		v := p.Sub(mean)
		if d := v.X*v.X + v.Y*v.Y; least < 0 || d < least {
			best, least = p, d
		}
	}
	return best
}
