package explain

import (
	"context"
	"errors"
	"image"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/scene"
)

// Tracer explains what rays of one scene see. It is immutable and safe for concurrent use.
type Tracer struct{ stage *follow.Prepared }

// New prepares the scene, which must not be modified afterwards. Of the options, Size,
// Antialias and World count; World, if not nil, must have a tree. The other errors are those of
// [pillbox.Render].
func New(s *scene.Scene, opt pillbox.Options) (*Tracer, error) {
	if _, ok := opt.World.(*accel.World); !ok && opt.World != nil {
		return nil, errors.New("want a world with a tree to walk through")
	}
	opt.Region = image.Rectangle{}
	st, err := opt.Stage(s)
	if err != nil {
		return nil, err
	}
	return &Tracer{st}, nil
}

// samples returns how many samples a pixel has in each direction: n, or 1 where adaptive
// antialiasing finds that enough. Only the renderer can tell that, from what lies around.
func (t *Tracer) samples(p image.Point) (int, error) {
	if !t.stage.Adaptive() {
		return t.stage.Antialias, nil
	}
	pixel := *t.stage
	pixel.Region = image.Rectangle{p, p.Add(image.Pt(1, 1))}
	film, err := pillbox.RenderStage(context.Background(), &pixel, pillbox.Options{})
	if err != nil {
		return 0, err
	}
	if film.Refined[0] {
		return t.stage.Antialias, nil
	}
	return 1, nil
}

// follow explains a ray that leaves no solid.
func (t *Tracer) follow(d accel.SecondaryRay) *follow.Path { return t.stage.Follow(d, follow.Walks) }

// camera explains a ray that the camera casts.
func (t *Tracer) camera(r geom.Ray) *follow.Path { return t.follow(t.stage.CameraRay(r)) }
