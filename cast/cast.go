// Package cast answers rays and segments by the million: what each meets first, or all that it
// crosses.
//
// Both cast into a scene from [pillbox.Prepare]; its picture does not matter. [Cast] casts one ray or
// segment. [Stream] reads them, casts them on all processors and writes what they meet, in the order
// of the input and in bounded memory.
//
// Conventions: those of package shapes, whose bits the answers have. Solids have the numbers of the
// scene. Everything here is safe for concurrent use.
package cast

import (
	"cmp"
	"errors"
	"math"
	"pillbox"
	"slices"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/shapes"
)

// Query describes what is cast and which crossings are wanted.
type Query uint8

const (
	First   Query = iota // of a ray: the first crossing ahead of its origin
	Ahead                // of a ray: all crossings ahead of its origin
	Line                 // of a ray: all crossings of its whole line
	Segment              // of a closed segment: the first crossing
	Through              // of a closed segment: all crossings
)

// isSegment reports whether a segment is cast.
func (q Query) isSegment() bool { return q == Segment || q == Through }

// Hit is a crossing. Of a segment, T is the fraction of the way from its first end to its second. If
// it touches a solid whose surface it does not cross, T is +Inf, Inside is true, and Point and Normal
// mean nothing.
type Hit struct {
	T       float64   // distance along the ray
	Point   geom.Vec3 // where that is
	Normal  geom.Vec3 // outward, unit length, whichever side is crossed
	Object  int32     // the solid's number
	Inside  bool      // the crossing leaves the solid
	Touches bool      // a closed segment and the solid share a point, as [shapes.Shape].Touches has it
}

// ErrNoDirection says that a ray has no direction: its vector is zero or not finite.
var ErrNoDirection = errors.New("the direction must not be zero")

// Cast appends to hits what a ray or a segment meets, nothing if that is nothing. A ray starts at from
// and goes along to, a vector of any length ([geom.Toward]); a segment ends at the points from and to.
// Both must be coordinates ([geom.IsCoordinate]), except that a vector may be longer. The only
// error is [ErrNoDirection]: segments need none.
//
// All crossings are in ascending order of T, and in that of the solids' numbers where T is equal. A
// line that touches a solid in one point crosses it once.
//
// Of a segment both ends count. A solid that it touches without a crossing, as one that it lies
// in, comes last; of the [Segment] query, only if there is no crossing. A segment shorter than 1e-150
// is a point, and touches solids without crossing them.
func Cast(p *pillbox.Prepared, q Query, from, to geom.Vec3, hits []Hit) ([]Hit, error) {
	return castIn(treeOf(p), q, from, to, hits)
}

// treeOf returns the search tree of a prepared scene.
func treeOf(p *pillbox.Prepared) *accel.BVH { return follow.Of(p).World.(*accel.BVH) }

func castIn(w *accel.BVH, q Query, from, to geom.Vec3, hits []Hit) ([]Hit, error) {
	if q.isSegment() {
		return castSegment(w, q, geom.Segment{A: from, B: to}, hits), nil
	}
	r, ok := geom.Toward(from, to)
	if !ok {
		return hits, ErrNoDirection
	}
	if q == First {
		return met(w.TraverseNearest(r, nil), hits), nil
	}
	l := line{r, math.Inf(-1), math.Inf(1)}
	if q == Ahead {
		l.from = math.SmallestNonzeroFloat64
	}
	first := len(hits)
	var room [64]int32
	for _, object := range w.Along(l.ray, l.from, l.to, room[:0]) {
		if span, ok := w.Shape(object).Span(l.ray); ok {
			hits = l.cross(object, span, hits)
		}
	}
	slices.SortStableFunc(hits[first:], ascending)
	return hits, nil
}

// met appends what a ray meets first, unless that is nothing.
func met(h accel.Hit, hits []Hit) []Hit {
	if h.Object == accel.None {
		return hits
	}
	return append(hits, Hit{T: h.T, Point: h.Point, Normal: h.Normal, Object: h.Object, Inside: h.Inside})
}

// line is the part of a ray's line between two distances, both included.
type line struct {
	ray      geom.Ray
	from, to float64
}

// cross appends where the line enters a solid and where it leaves it, or touches it, if that is within
// its part.
func (l *line) cross(object int32, s shapes.Span, hits []Hit) []Hit {
	ends := []shapes.Hit{s.Near, s.Far}
	if s.Tangent {
		ends = ends[:1]
	}
	for i, h := range ends {
		if l.from <= h.T && h.T <= l.to {
			hits = append(hits, Hit{T: h.T, Point: l.ray.At(h.T), Normal: h.Normal, Object: object, Inside: i == 1})
		}
	}
	return hits
}

// ascending is the order of hits. Sorting must be stable: a solid is entered before it is left.
func ascending(a, b Hit) int {
	return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Object, b.Object))
}

// shortest is the least length of a segment that has a direction: shorter ones have squares that a
// float64 cannot hold.
const shortest = 1e-150

// castSegment appends what a segment crosses or touches.
func castSegment(w *accel.BVH, q Query, s geom.Segment, hits []Hit) []Hit {
	first, length := len(hits), s.Length()
	if length < shortest {
		for _, object := range w.Touching(s.A) {
			hits = append(hits, touch(object))
		}
	} else {
		hits = crossSegment(w, s, length, hits)
		slices.SortStableFunc(hits[first:], ascending)
	}
	if q == Segment && len(hits) > first {
		hits = hits[:first+1]
	}
	return hits
}

// crossSegment appends what a segment meets that is no point, in no particular order.
func crossSegment(w *accel.BVH, s geom.Segment, length float64, hits []Hit) []Hit {
	r, _ := geom.Toward(s.A, s.B.Sub(s.A))
	l := line{r, 0, length}
	var room [64]int32
	for _, object := range w.Along(l.ray, l.from, l.to, room[:0]) {
		shape, first := w.Shape(object), len(hits)
		touches := shape.Touches(s)
		if span, ok := shape.Span(l.ray); ok {
			if touches {
				span = l.reach(span)
			}
			hits = l.cross(object, span, hits)
		}
		for i := first; i < len(hits); i++ {
			hits[i].T /= length
			hits[i].Touches = touches
		}
		if touches && len(hits) == first {
			hits = append(hits, touch(object))
		}
	}
	return hits
}

// reach returns the span of the line in a solid that its part touches. The line enters the solid no
// later than where the part ends, and leaves it no earlier than where that starts: if it does, rounding
// has moved a crossing that lies on an end.
func (l *line) reach(s shapes.Span) shapes.Span {
	s.Near.T, s.Far.T = min(s.Near.T, l.to), max(s.Far.T, l.from)
	return s
}

// touch returns what a segment meets that touches a solid without crossing its surface.
func touch(object int32) Hit {
	return Hit{T: math.Inf(1), Object: object, Inside: true, Touches: true}
}
