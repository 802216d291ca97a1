package explain

import (
	"context"
	"image"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
)

// Tracer explains what rays of one scene see. It is immutable and safe for concurrent use.
type Tracer struct {
	public   *pillbox.Prepared
	prepared *follow.Prepared // the prepared scene inside public
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

// viewer traces a ray that may start anywhere, and records its path.
func (t *Tracer) viewer(r geom.Ray) *follow.Path {
	// The ray belongs to no pixel, so it gets the sample points of pixel 0, 0.
	return t.prepared.Follow(t.prepared.ViewerRay(r), sampler.Position{}, follow.Traversals)
}

// camera traces ray i of a packet of the camera and records its path.
func (t *Tracer) camera(p *geom.Packet, i int) *follow.Path {
	return t.prepared.Follow(t.prepared.CameraRay(p.At(i)), follow.PositionOf(p, i), follow.Traversals)
}
