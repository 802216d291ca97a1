// Package pillbox renders scenes of spheres, capsules and oriented boxes: the same pixels
// on every machine.
//
// [Render] sets the scene up for one picture, a [follow.Stage], cuts the picture into tiles and
// renders them on several goroutines: the camera's view fills packets of coherent rays, the
// world of solids answers which solid each ray meets and which lights are blocked, package shade
// turns that into linear light, and the [Film] stores it as sRGB. What a rectangle of the
// picture shows depends on the scene, the options and the rectangle only, never on the number of
// workers, the size of the tiles or the machine.
//
// Conventions: pixel (0, 0) is the top left; rectangles are half-open,
// [Min.X, Max.X) x [Min.Y, Max.Y).
package pillbox

import (
	"context"
	"errors"

	"pillbox/internal/follow"
	"pillbox/scene"
)

// Render renders s, which must not be modified meanwhile; several calls may render it at
// once.
//
// If ctx ends early, Render returns what is finished together with the context's error; it ends
// within a moment, whatever the scene. With every other error the film is nil: ctx or s is nil, an
// option is out of range, the scene or its world is not fit to be rendered, or the camera is
// degenerate for a picture of this size; see [follow.New].
func Render(ctx context.Context, s *scene.Scene, opt Options) (*Film, error) {
	// Checked again by RenderStage: setting up a large scene takes long.
	if err := opt.validate(ctx); err != nil {
		return nil, err
	}
	st, err := opt.Stage(s)
	if err != nil {
		return nil, err
	}
	return RenderStage(ctx, st, opt)
}

// RenderStage is [Render] of a scene that is set up already. Size, Antialias, Region and World are
// those of the stage, which must not be nil; the options' do not count.
func RenderStage(ctx context.Context, st *follow.Stage, opt Options) (*Film, error) {
	if err := opt.validate(ctx); err != nil {
		return nil, err
	}
	if st == nil {
		return nil, errors.New("want a stage, got nil")
	}
	j := newJob(st, opt)
	return j.film, j.run(ctx)
}
