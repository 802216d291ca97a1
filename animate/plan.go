package animate

import (
	"errors"
	"fmt"
	"math"

	"pillbox"
	"pillbox/geom"
	"pillbox/scene"
)

// Plan chooses the frames of a film. The zero value means the whole animation of a scene.
type Plan struct {
	FPS  float64  // frames a second; 0: as the scene's animation states, or [scene.DefaultFPS] without one
	From float64  // the film begins with the frame nearest to this time in seconds
	To   *float64 // end of the film in seconds, exclusive; nil, or a later time: the end of the animation or, without one, of the turn
	Turn float64  // as in [Film]; the film of a scene without an animation lasts one turn
}

// ErrStill is the error for a film in which nothing would move: the scene has no animation, and [Plan].Turn
// is 0.
var ErrStill = errors.New("no animation")

// EmptyError is the error for a plan with no frame between its From and To.
type EmptyError struct{ From, To float64 } // seconds

func (e *EmptyError) Error() string {
	return fmt.Sprintf("there is no frame from %v to %v seconds", e.From, e.To)
}

// Film returns the film of the frames of s that p selects, to be rendered with opt. The error is
// [ErrStill], an [*EmptyError], or an error of [Film.Validate].
func (p Plan) Film(s *scene.Scene, opt pillbox.Options) (Film, error) {
	film := Film{Scene: s, FPS: p.FPS, Turn: p.Turn, Options: opt}
	duration := p.Turn
	if s.Animation != nil {
		duration = s.Animation.Duration
		if film.FPS == 0 {
			film.FPS = s.Animation.FPS
		}
	}
	if duration == 0 {
		return Film{}, ErrStill
	}
	if film.FPS == 0 {
		film.FPS = scene.DefaultFPS
	}
	if p.To != nil {
		duration = min(duration, *p.To)
	}
	frame := func(seconds float64) int { return geom.ClampInt(math.Round(seconds*film.FPS), 0, math.MaxInt32) }
	film.First, film.End = frame(p.From), frame(duration)
	if p.To == nil {
		film.End = max(1, film.End)
	}
	if film.Len() < 1 {
		return Film{}, &EmptyError{p.From, duration}
	}
	return film, film.Validate()
}

// previewWidth is the largest width of the frames from which a palette is chosen. The few thousand pixels
// of such a frame are enough to represent its colors.
const previewWidth = 96

// Preview returns a copy of the film with frames at most 96 pixels wide, to be counted by a
// [Histogram].
func (f *Film) Preview() (Film, error) {
	size, err := f.Size()
	if err != nil {
		return Film{}, err
	}
	preview := *f
	preview.Options.Size.X = min(size.X, previewWidth)
	preview.Options.Size.Y = max(1, size.Y*preview.Options.Size.X/size.X)
	return preview, nil
}
