package explain

import (
	"context"
	"image"
	"math"
	"slices"
	"sync"

	"pillbox"
	"pillbox/figure"
	"pillbox/geom"
	"pillbox/internal/arealight"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
)

// Tracer explains what rays of one scene see. It is immutable and safe for concurrent use.
type Tracer struct {
	public   *pillbox.Prepared
	prepared *follow.Prepared // the prepared scene inside public
	ctx      context.Context  // ends explaining

	annotations func() (*figure.Figure, error) // arranges the annotations once; nil for a scene without annotations
}

// New returns a tracer for a scene from [pillbox.Prepare]. It explains every pixel of the picture,
// including those outside the region to render.
func New(p *pillbox.Prepared) *Tracer { return newTracer(context.Background(), p) }

func newTracer(ctx context.Context, p *pillbox.Prepared) *Tracer {
	t := &Tracer{public: p, prepared: follow.Of(p), ctx: ctx}
	if !t.prepared.Scene.Annotations.IsEmpty() {
		t.annotations = sync.OnceValues(func() (*figure.Figure, error) { return figure.New(ctx, p) })
	}
	return t
}

// annotate adds what the annotations of the scene lay over a pixel.
func (t *Tracer) annotate(x *Pixel) error {
	if t.annotations == nil {
		return nil
	}
	f, err := t.annotations()
	if err != nil {
		return err
	}
	x.Annotations, err = f.Layers(t.ctx, x.At, x.SRGB8)
	if n := len(x.Annotations); n > 0 {
		x.SRGB8 = x.Annotations[n-1].Over
	}
	return err
}

// samples returns how many samples pixel p has in each direction: n or, if adaptive antialiasing takes only
// one sample, 1. It renders the pixel to find this out, because the decision depends on the neighboring
// pixels.
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
	film, err := pixel.Render(t.ctx, pillbox.Work{})
	if err != nil {
		return 0, err
	}
	if film.Refined[0] {
		return t.prepared.Antialias, nil
	}
	return 1, nil
}

// viewer traces a ray that may start anywhere, and records its path. The points on lights and in the sky
// that the ray uses are those of the sample at.
func (t *Tracer) viewer(r geom.Ray, at sampler.Position, record *follow.Recorder) *follow.Path {
	return t.prepared.Follow(t.prepared.ViewerRay(r), at, record)
}

// positionOf returns the sample of the picture through whose cell the ray r passes, if the camera casts
// rays like r. A perspective camera casts the rays that start at its position; an orthographic camera casts
// those in its own direction. For all other rays, and for rays that miss the picture, positionOf returns
// false.
func (t *Tracer) positionOf(r geom.Ray) (sampler.Position, bool, error) {
	v := t.prepared.View
	to := r.Origin
	if !v.Parallel() {
		to = r.Origin.AddScaled(max(1, r.Origin.Norm()), r.Dir) // far enough away that the sum keeps the digits of Dir
	}
	x, y, depth := v.Project(to)
	size := t.prepared.Size
	isCast := r.Dir == v.Through(x, y).Dir
	if !v.Parallel() {
		isCast = r.Origin == v.Position() && depth > 0
	}
	if !(isCast && 0 <= x && x < float64(size.X) && 0 <= y && y < float64(size.Y)) {
		return sampler.Position{}, false, nil
	}
	at := sampler.Position{X: int(x), Y: int(y)}
	side, err := t.samples(image.Pt(at.X, at.Y))
	if err != nil {
		return sampler.Position{}, false, err
	}
	cell := func(x float64) int { return geom.ClampInt((x-math.Floor(x))*float64(side), 0, side-1) }
	at.Sample = cell(y)*side + cell(x)
	return at, true, nil
}

// usesPoints reports whether colors depend on pseudorandom sample points: if a light has a size, or if the scene
// has ambient occlusion.
func (t *Tracer) usesPoints() bool {
	p := t.prepared
	return p.Scene.Shading.Occlusion.Enabled || slices.ContainsFunc(p.Emitters, func(e arealight.Emitter) bool { return e.HasSize() })
}

// camera traces ray i of a packet of the camera and records its path.
func (t *Tracer) camera(p *geom.Packet, i int, record *follow.Recorder) *follow.Path {
	return t.prepared.Follow(t.prepared.CameraRay(p.At(i)), follow.PositionOf(p, i), record)
}
