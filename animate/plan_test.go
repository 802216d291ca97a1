package animate_test

import (
	"errors"
	"testing"

	"pillbox"
	"pillbox/animate"
	"pillbox/scene"
)

// TestPlan checks which frames a plan chooses, from a scene that moves for two seconds at 10 frames per second and
// from a scene without motion.
func TestPlan(t *testing.T) {
	still := scene.New()
	moving := scene.New()
	moving.Animation = &scene.Animation{Duration: 2, FPS: 10}
	half, long, none := 0.5, 9.0, 0.0
	for _, c := range []struct {
		name       string
		scene      *scene.Scene
		plan       animate.Plan
		fps        float64
		first, end int
		err        error // nil, ErrStill or an EmptyError
	}{
		{"all", moving, animate.Plan{}, 10, 0, 20, nil},
		{"other rate", moving, animate.Plan{FPS: 25}, 25, 0, 50, nil},
		{"part", moving, animate.Plan{From: 0.2, To: &half}, 10, 2, 5, nil},
		{"behind the end", moving, animate.Plan{To: &long}, 10, 0, 20, nil},
		{"at least one frame", moving, animate.Plan{FPS: 0.1}, 0.1, 0, 1, nil},
		{"none", moving, animate.Plan{To: &none}, 0, 0, 0, &animate.EmptyError{From: 0, To: 0}},
		{"none", moving, animate.Plan{From: 3}, 0, 0, 0, &animate.EmptyError{From: 3, To: 2}},
		{"turn and animation", moving, animate.Plan{Turn: 4}, 10, 0, 20, nil},
		{"turn", still, animate.Plan{Turn: 4}, scene.DefaultFPS, 0, 4 * scene.DefaultFPS, nil},
		{"still", still, animate.Plan{}, 0, 0, 0, animate.ErrStill},
	} {
		film, err := c.plan.Film(c.scene, pillbox.Options{})
		var empty *animate.EmptyError
		switch wanted, ok := c.err.(*animate.EmptyError); {
		case ok && (!errors.As(err, &empty) || *empty != *wanted), !ok && !errors.Is(err, c.err):
			t.Errorf("%s: error %v, want %v", c.name, err, c.err)
		case err == nil && (film.FPS != c.fps || film.First != c.first || film.End != c.end || film.Turn != c.plan.Turn):
			t.Errorf("%s: frames %d to %d at %v, want %d to %d at %v", c.name, film.First, film.End, film.FPS, c.first, c.end, c.fps)
		}
	}
}
