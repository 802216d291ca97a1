package play

import (
	"context"
	"math"

	"pillbox/geom"
)

// steerRequest is a drag of a ray or segment in the picture, from a pixel to another. The dragged point moves in the plane
// parallel to the picture.
type steerRequest struct {
	sceneRequest
	Ray     *[6]float64 `json:"ray"`
	Segment *[6]float64 `json:"segment"`
	Part    steerPart   `json:"part"`
	From    [2]float64  `json:"from"` // on or beside the line
	To      [2]float64  `json:"to"`
}

// steerPart is what a drag changes.
type steerPart string

const (
	steerAll   steerPart = ""      // shifts the whole line
	steerStart steerPart = "start" // moves the start; the end of a segment, or the tip of the direction of a ray, stays
	steerEnd   steerPart = "end"   // turns a ray about its start, or moves the end of a segment
)

type steerAnswer struct {
	Ray     *[6]float64 `json:"ray,omitempty"`
	Segment *[6]float64 `json:"segment,omitempty"`
}

func (e *Engine) steer(ctx context.Context, r *steerRequest) (*steerAnswer, error) {
	p, err := e.picture(ctx, &r.sceneRequest)
	if err != nil {
		return nil, err
	}
	if (r.Ray == nil) == (r.Segment == nil) || r.Part != steerAll && r.Part != steerStart && r.Part != steerEnd {
		return nil, failure(StatusMalformed, "want either a ray or a segment, and the part start, end or none")
	}
	for _, x := range [...]float64{r.From[0], r.From[1], r.To[0], r.To[1]} {
		if !(math.Abs(x) < 1e6) {
			return nil, failure(StatusMalformed, "from and to must be points in the picture, got %v and %v", r.From, r.To)
		}
	}
	view, err := p.moment.scene.View(p.size.X, p.size.Y)
	if err != nil {
		return nil, refused("%v", err)
	}
	q := newProjection(p.moment.scene, view, p.size)
	if r.Segment != nil {
		n, ok := q.steerSegment(r)
		if !ok {
			return nil, refused("the point lies behind the camera")
		}
		return &steerAnswer{Segment: &n}, nil
	}
	n, ok := q.steerRay(r)
	if !ok {
		return nil, refused("the point lies behind the camera")
	}
	return &steerAnswer{Ray: &n}, nil
}

// steerSegment returns the segment after a drag, and false if the dragged point lies behind the eye.
func (q *projection) steerSegment(r *steerRequest) ([6]float64, bool) {
	a, b := halves(r.Segment)
	at := a
	switch r.Part {
	case steerEnd:
		at = b
	case steerAll:
		at = q.nearest(a, b.Sub(a), r.From)
	}
	delta, grain, ok := q.shift(at, r)
	if r.Part != steerEnd {
		a = rounded(a.Add(delta), grain)
	}
	if r.Part != steerStart {
		b = rounded(b.Add(delta), grain)
	}
	return six(a, b), ok
}

// steerRay returns the ray after a drag, and false if the dragged point lies behind the eye.
func (q *projection) steerRay(r *steerRequest) ([6]float64, bool) {
	origin, toward := halves(r.Ray)
	at := q.nearest(origin, toward, r.From)
	delta, grain, ok := q.shift(at, r)
	switch r.Part {
	case steerAll:
		origin = rounded(origin.Add(delta), grain)
	case steerStart:
		tip := origin.Add(toward)
		origin = rounded(origin.Add(delta), grain)
		toward = rounded(tip.Sub(origin), grain)
	case steerEnd:
		toward = rounded(at.Add(delta).Sub(origin), grain)
	}
	return six(origin, toward), ok
}

// shift returns by which vector a drag moves a point. grain is a length too small to be visible there. It returns false if
// the point lies behind the eye.
func (q *projection) shift(at geom.Vec3, r *steerRequest) (delta geom.Vec3, grain float64, ok bool) {
	depth := q.depth(at)
	if !q.view.Parallel() && depth < q.behind {
		return delta, 0, false
	}
	edge := q.pixelAt(depth)
	return q.axes.X.Scale((r.To[0] - r.From[0]) * edge).Sub(q.axes.Y.Scale((r.To[1] - r.From[1]) * edge)), edge / 2, true
}

// nearest returns the point of a line that is closest to what a point of the picture shows: to the line through the
// eye. If both lines are parallel, it returns the origin.
func (q *projection) nearest(origin, dir geom.Vec3, at [2]float64) geom.Vec3 {
	across := q.axes.X.Scale((at[0] - q.centerX) * q.pixel).Sub(q.axes.Y.Scale((at[1] - q.centerY) * q.pixel))
	eye, sight := q.origin, across.Sub(q.axes.Z)
	if q.view.Parallel() {
		eye, sight = eye.Add(across), q.axes.Z.Neg()
	}
	w := origin.Sub(eye)
	dd, ds, ss := dir.Dot(dir), dir.Dot(sight), sight.Dot(sight)
	det := dd*ss - ds*ds
	if !(det > 1e-12*dd*ss) {
		return origin
	}
	return origin.AddScaled(max(0, (ds*sight.Dot(w)-ss*dir.Dot(w))/det), dir)
}

func six(a, b geom.Vec3) [6]float64 { return [6]float64{a.X, a.Y, a.Z, b.X, b.Y, b.Z} }
