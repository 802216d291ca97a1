package play

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"strings"

	"pillbox/camera"
	"pillbox/explain"
	"pillbox/internal/accel"
	"pillbox/internal/explain/outside"
	"pillbox/internal/follow"
)

type outsideRequest struct {
	explainRequest            // its query may be missing
	Orbit          [2]float64 `json:"orbit"`   // degrees to the right and up, from the default
	Zoom           float64    `json:"zoom"`    // factor of the distance; 0: 1
	Size           [2]int     `json:"size"`    // of the picture
	Samples        int        `json:"samples"` // n, for n x n samples per pixel
}

// outsideAnswer is a picture of the scene, its camera and the path of a ray, taken by another camera.
type outsideAnswer struct {
	PNG  []byte        `json:"png"`
	Alt  string        `json:"alt"`  // describes the picture
	Path []pathSegment `json:"path"` // in pixels of the picture
}

// The default view of the page is turned by these angles from the axis of the scene's own camera.
const (
	asideRight = 55
	asideUp    = 25
)

// kindEye is the kind of the point that marks the scene's own camera in a view from outside.
const kindEye = "eye"

func (e *Engine) outside(ctx context.Context, r *outsideRequest) (*outsideAnswer, error) {
	size := image.Pt(r.Size[0], r.Size[1])
	if size.X < 1 || size.Y < 1 {
		return nil, failure(StatusMalformed, "size must be at least 1 x 1, got %d x %d", size.X, size.Y)
	}
	if err := e.limitSize(size, r.Samples); err != nil {
		return nil, err
	}
	if r.Zoom != 0 && !(r.Zoom >= 1e-3 && r.Zoom <= 1e3) {
		return nil, failure(StatusMalformed, "zoom must lie between 0.001 and 1000, got %g", r.Zoom)
	}
	q, subject, err := e.subject(ctx, &r.explainRequest)
	if err != nil {
		return nil, err
	}
	from := aside(subject.Camera(), r)
	img, err := subject.Render(ctx, outside.Picture{Camera: from, Size: size, Antialias: r.Samples, Workers: e.Workers})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, refused("%v", err)
	}
	var data bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&data, img); err != nil {
		return nil, err
	}
	path, err := q.outsidePath(&r.explainRequest, from, size)
	if err != nil {
		return nil, err
	}
	return &outsideAnswer{data.Bytes(), q.describeOutside(), path}, nil
}

// subject returns what a view from outside shows: the scene with its camera and, if the request has a query, its path
// or segment.
func (e *Engine) subject(ctx context.Context, r *explainRequest) (*question, *outside.Subject, error) {
	if r.Pixel == nil && r.Ray == nil && r.Segment == nil && r.Capsules == nil {
		p, err := e.picture(ctx, &r.sceneRequest)
		if err != nil {
			return nil, nil, err
		}
		prepared, err := p.prepare()
		return &question{picture: p}, &outside.Subject{Prepared: prepared}, err
	}
	q, err := e.question(ctx, r)
	if err != nil {
		return nil, nil, err
	}
	prepared, err := q.prepare()
	if err != nil {
		return nil, nil, err
	}
	query := r.query()
	return q, &outside.Subject{Prepared: prepared, Pixel: query.Pixel, Path: q.path, Segment: query.Segment}, nil
}

// aside returns the camera of a view from outside: the camera c, orbited to the default view, and then moved as the
// request r specifies.
func aside(c camera.Camera, r *outsideRequest) camera.Camera {
	c = orbit(c, c.Up, asideRight+r.Orbit[0], asideUp+r.Orbit[1])
	if r.Zoom != 0 {
		c = dolly(c, r.Zoom)
	}
	return c
}

// outsidePath returns the path and the position of the scene's own camera, projected into a view from outside.
func (q *question) outsidePath(r *explainRequest, from camera.Camera, size image.Point) ([]pathSegment, error) {
	view, err := from.View(size.X, size.Y)
	if err != nil {
		return nil, refused("%v", err)
	}
	prepared, err := q.trace()
	if err != nil {
		return nil, err
	}
	w := &walker{list: []pathSegment{}, projection: newProjection(q.moment.scene, view, size)}
	eye := prepared.View.Position()
	w.addSegment(pathSegment{Kind: kindEye, Object: accel.None, Light: -1}, eye, eye)
	switch {
	case r.Segment != nil:
		a, b := halves(r.Segment)
		w.addSegment(pathSegment{Kind: kindSegment, Object: accel.None, Light: -1}, a, b)
	case q.path != nil:
		w.path(q.path, q.first, nil)
	}
	return w.list, nil
}

// describeOutside describes a view from outside.
func (q *question) describeOutside() string {
	parts := []string{"The scene from outside, with its camera"}
	s := q.moment.scene
	for p := q.path; p != nil; p = p.Mirror {
		name := explain.RayName(p.Depth, -1)
		if !p.IsSolid() {
			parts = append(parts, fmt.Sprintf("the %s, which hits nothing", name))
			continue
		}
		parts = append(parts, fmt.Sprintf("the %s, which ends at %s", name, s.Label(int(p.Hit.Object))))
		for i := range p.Lights {
			if light := q.describeLight(&p.Lights[i]); light != "" {
				parts = append(parts, light)
			}
		}
	}
	return strings.Join(parts, "; ")
}

// describeLight describes the shadow ray to a light. It returns "" if no shadow ray was cast.
func (q *question) describeLight(a *follow.LightSample) string {
	switch a.Visibility {
	case follow.Visible:
		return fmt.Sprintf("a ray that reaches light %d", a.Index)
	case follow.Partly:
		return fmt.Sprintf("rays to points of light %d, some of which are blocked", a.Index)
	case follow.Blocked, follow.Enclosed:
		return fmt.Sprintf("a ray to light %d, which %s blocks", a.Index, q.moment.scene.Label(int(a.Object)))
	}
	return ""
}
