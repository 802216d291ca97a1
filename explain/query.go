package explain

import (
	"context"
	"errors"
	"fmt"
	"image"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/text"
	"pillbox/scene"
)

// Query is a question about a scene. Exactly one of Pixel, Ray, Segment and Capsules is not nil.
type Query struct {
	Pixel    *image.Point  // why a pixel has its color
	Ray      *[2]geom.Vec3 // what a ray sees: its origin, and a direction of any length
	Segment  *geom.Segment // which solids a segment touches
	Capsules *[2]string    // whether two capsules or spheres overlap, by their names as in [Solid]
	Solid    string        // also derive this solid, by its name as in [Solid]; "" to derive no other; ignored with Capsules
}

// QueryError reports an invalid query.
type QueryError struct {
	Part string // "pixel", "ray", "capsules" or "solid"; "" if not exactly one query is set
	Err  error
}

func (e *QueryError) Error() string {
	if e.Part == "" {
		return e.Err.Error()
	}
	return e.Part + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *QueryError) Unwrap() error { return e.Err }

// Validate returns an error, always a [*QueryError], unless exactly one of the queries is set.
func (q *Query) Validate() error {
	n := 0
	for _, isSet := range [...]bool{q.Pixel != nil, q.Ray != nil, q.Segment != nil, q.Capsules != nil} {
		if isSet {
			n++
		}
	}
	if n != 1 {
		return &QueryError{"", errors.New("want one of pixel, ray, segment and capsules")}
	}
	return nil
}

// Explain answers a query about a prepared scene. Its errors are of type [*QueryError], except for the error of ctx if ctx
// ends first. The explanation is a [*Pixel], [*Ray], [*Segment] or [*Pair].
func Explain(ctx context.Context, p *pillbox.Prepared, q Query) (Explanation, error) {
	if err := q.Validate(); err != nil {
		return nil, err
	}
	if q.Capsules != nil {
		return q.explainCapsules(p.Scene())
	}
	object := accel.None
	if q.Solid != "" {
		var err error
		if object, err = solidNamed(p.Scene(), "solid", q.Solid); err != nil {
			return nil, err
		}
	}
	return q.explain(newTracer(ctx, p), object)
}

// explain answers a query. It also derives the given solid, unless object is accel.None.
func (q *Query) explain(t *Tracer, object int32) (Explanation, error) {
	switch {
	case q.Pixel != nil:
		x, err := t.Pixel(*q.Pixel)
		if err != nil && t.ctx.Err() != nil {
			return nil, t.ctx.Err()
		}
		if err != nil {
			return nil, &QueryError{"pixel", err}
		}
		if object != accel.None {
			x = x.WithSolid(object)
		}
		return x, nil
	case q.Ray != nil:
		x, err := t.Ray(q.Ray[0], q.Ray[1])
		if err != nil {
			return nil, &QueryError{"ray", err}
		}
		if object != accel.None {
			x = x.WithSolid(object)
		}
		return x, nil
	}
	x := t.Segment(*q.Segment)
	if object != accel.None {
		x = x.WithSolid(object)
	}
	return x, nil
}

func (q *Query) explainCapsules(s *scene.Scene) (Explanation, error) {
	var pair [2]int32
	for i, name := range q.Capsules {
		var err error
		if pair[i], err = solidNamed(s, "capsules", name); err != nil {
			return nil, err
		}
	}
	x, err := CapsulesOf(s, pair[0], pair[1])
	if err != nil {
		return nil, &QueryError{"capsules", err}
	}
	return x, nil
}

func solidNamed(s *scene.Scene, part, name string) (int32, error) {
	object, ok := Solid(s, name)
	if !ok {
		return accel.None, &QueryError{part, fmt.Errorf("no solid of %s is named %q; give a name, or kind and index such as sphere[3]", text.EscapeName(s.Name), name)}
	}
	return object, nil
}
