// Package cast casts rays and segments in bulk: it finds where they first cross a solid, or all their
// crossings.
//
// [Cast] casts one ray or segment. [Stream] reads rays or segments, casts them on all processors and writes
// their crossings, in the order of the input and in bounded memory. Both take a scene from
// [pillbox.Prepare] and ignore its picture.
//
// The conventions are those of package shapes. For the same ray, both packages compute the same distances
// and normals, bit for bit. Solids are identified by their object numbers in the scene
// ([scene.Scene.Number]). Ghosts are solids like all others here. All functions are safe for concurrent use.
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

// Query selects what is cast, rays or segments, and which crossings to return.
type Query uint8

const (
	First   Query = iota // of a ray: the first crossing ahead of its origin
	Ahead                // of a ray: all crossings ahead of its origin
	Line                 // of a ray: all crossings of its whole line
	Segment              // of a closed segment: the first crossing
	Through              // of a closed segment: all crossings
)

// isSegment reports whether q casts segments.
func (q Query) isSegment() bool { return q == Segment || q == Through }

// Hit is a crossing of a ray or segment with the surface of a solid. It can also represent a segment that
// touches a solid without crossing its surface, such as a segment inside the solid. Then T is +Inf, Inside
// is true, and Point and Normal are meaningless.
type Hit struct {
	T       float64   // distance along a ray, or fraction of a segment's length
	Point   geom.Vec3 // the point at T
	Normal  geom.Vec3 // outward and of unit length, also where the ray leaves the solid
	Object  int32     // the solid's object number
	Inside  bool      // whether the ray or segment leaves the solid here
	Touches bool      // for segments: the result of [shapes.Shape].Touches for the segment and the solid
	Face    uint8     // 1 + the index of the section on whose cut face the point lies; 0 on the solid's own surface
}

// ErrNoDirection is the error for a ray whose direction is zero or not finite.
var ErrNoDirection = errors.New("the direction must not be zero")

// Cast appends the crossings of a ray or a segment to hits. A ray starts at the point from, and to is its
// direction, a vector of any length ([geom.Toward]). A segment has the ends from and to. Points must be
// within the range of coordinates ([geom.IsCoordinate]). The only error is [ErrNoDirection], and only for
// rays.
//
// Crossings are in ascending order of T and, where T is equal, of object numbers. A line that touches a
// solid in one point crosses it once.
//
// A segment includes both of its ends. It can touch a solid without crossing the surface, for example from
// inside. The hits for such solids come after all crossings. The query [Segment] returns only the first
// hit. A segment shorter than 1e-150 counts as a point: it can touch solids but not cross them.
func Cast(p *pillbox.Prepared, q Query, from, to geom.Vec3, hits []Hit) ([]Hit, error) {
	return castIn(treeOf(p), q, from, to, hits)
}

// treeOf returns the bounding-volume hierarchy over all solids of a prepared scene.
func treeOf(p *pillbox.Prepared) *accel.BVH { return follow.Of(p).Tree() }

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
			hits = l.cross(object, w.Shape(object), span, hits)
		}
	}
	slices.SortStableFunc(hits[first:], ascending)
	return hits, nil
}

// met converts the closest hit of a ray and appends it to hits. It appends nothing if the ray hits nothing.
func met(h accel.Hit, hits []Hit) []Hit {
	if h.Object == accel.None {
		return hits
	}
	return append(hits, Hit{T: h.T, Point: h.Point, Normal: h.Normal, Object: h.Object, Inside: h.Inside, Face: h.Face})
}

// line is the part of a ray's line between the distances from and to, inclusive.
type line struct {
	ray      geom.Ray
	from, to float64
}

// cross appends those crossings of the ray's line with a solid that lie between the distances from and to.
// The span s holds both crossings of the whole line.
func (l *line) cross(object int32, shape shapes.Shape, s shapes.Span, hits []Hit) []Hit {
	ends := []shapes.Hit{s.Near, s.Far}
	if s.Tangent {
		ends = ends[:1]
	}
	for i, h := range ends {
		if l.from <= h.T && h.T <= l.to {
			hits = append(hits, Hit{T: h.T, Point: l.ray.At(h.T), Normal: h.Normal, Object: object, Inside: i == 1, Face: accel.FaceOf(shape, l.ray, i == 1)})
		}
	}
	return hits
}

// ascending compares hits by T, then by object number. The sort that uses it must be stable: if a line
// enters and leaves a solid at the same T, the entry stays first.
func ascending(a, b Hit) int {
	return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(a.Object, b.Object))
}

// shortest is the least length of a segment that is not treated as a point. For much shorter segments, the
// squared length would underflow to 0.
const shortest = 1e-150

// castSegment appends the crossings of the segment s to hits, as [Cast] describes.
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

// crossSegment appends the hits of a segment that is not a point, unsorted.
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
			hits = l.cross(object, shape, span, hits)
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

// reach corrects s, the span of a solid that touches the line's part from l.from to l.to. Only rounding can put
// Near beyond l.to, or Far before l.from; reach moves such a crossing to that end.
func (l *line) reach(s shapes.Span) shapes.Span {
	s.Near.T, s.Far.T = min(s.Near.T, l.to), max(s.Far.T, l.from)
	return s
}

// touch returns the Hit of a segment that touches a solid without crossing its surface.
func touch(object int32) Hit {
	return Hit{T: math.Inf(1), Object: object, Inside: true, Touches: true}
}
