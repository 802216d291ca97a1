package explain

import (
	"context"
	"image"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
)

// Tracer explains what rays of one scene see. It is immutable and safe for concurrent use.
type Tracer struct {
	public   *pillbox.Prepared
	prepared *follow.Prepared // what public holds
}

// New returns a tracer for a scene from [pillbox.Prepare]. It explains every pixel of the picture,
// including those outside the region to render.
func New(p *pillbox.Prepared) *Tracer { return &Tracer{p, follow.Of(p)} }

// samples returns how many samples a pixel has in each direction: n, or 1 where adaptive
// antialiasing finds that enough. Only the renderer can decide that, from the neighboring pixels.
func (t *Tracer) samples(p image.Point) (int, error) {
	if !t.prepared.Adaptive() {
		return t.prepared.Antialias, nil
	}
	pic := t.public.Picture()
	pic.Region = image.Rectangle{p, p.Add(image.Pt(1, 1))}
	pixel, err := t.public.Prepare(t.prepared.Scene, pic)
	if err != nil {
		return 0, err
	}
	film, err := pixel.Render(context.Background(), pillbox.Work{})
	if err != nil {
		return 0, err
	}
	if film.Refined[0] {
		return t.prepared.Antialias, nil
	}
	return 1, nil
}

// follow traces a ray and records its path.
func (t *Tracer) follow(d accel.SecondaryRay) *follow.Path { return t.prepared.Follow(d, follow.Walks) }

// camera traces a ray of the camera and records its path.
func (t *Tracer) camera(r geom.Ray) *follow.Path { return t.follow(t.prepared.CameraRay(r)) }
