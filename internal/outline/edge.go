package outline

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/scene"
)

// point is a position in the picture.
type point struct{ x, y float64 }

func (p point) between(q point) point { return point{(p.x + q.x) / 2, (p.y + q.y) / 2} }

// surface is what a ray hits: a smooth part of the surface of a solid, from outside or inside.
type surface struct {
	object int32 // accel.None for the background
	face   int8  // of a box: which of its faces; of a cylinder: one of its discs, or 0 for the rest; for a cut face, which section
	inside bool
}

func (t *Tracer) surfaceOf(h *accel.Hit) surface {
	if h.Object == accel.None {
		return surface{object: accel.None}
	}
	return surface{object: h.Object, face: t.faceOf(h), inside: h.Inside}
}

// faceOf returns the number of the face that a ray hits.
func (t *Tracer) faceOf(h *accel.Hit) int8 {
	if h.Face > 0 {
		return firstCut + int8(h.Face)
	}
	s := t.prepared.Scene
	switch kind, i := s.Of(int(h.Object)); kind {
	case scene.KindBox:
		b := &s.Boxes[i]
		across := b.Across(h.Normal)
		if [...]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z}[across].Dot(h.Normal) < 0 {
			return int8(-1 - across)
		}
		return int8(1 + across)
	case scene.KindCylinder:
		// The normal of a disc is parallel to the axis, all others are perpendicular to it.
		c := &s.Cylinders[i]
		axis := c.B.Sub(c.A)
		switch along, half := axis.Dot(h.Normal), axis.Norm()/2; {
		case along > half:
			return 1
		case along < -half:
			return -1
		}
	}
	return 0
}

// firstCut is greater than the number of any face of a solid. Cut faces follow it.
const firstCut = 16

// bisections is the number of times that locate halves the distance between two rays with an edge between them.
const bisections = 6

// ending is a ray next to an edge, and what it hits.
type ending struct {
	at  point
	hit accel.Hit
}

// mostEdges is the largest number of edges that locate finds between two neighboring rays.
const mostEdges = 4

// locate returns where an edge crosses the line from a to b in the picture. There can be several edges: a face that is
// narrower than the distance between the rays has two. locate returns the first edge that the outline draws or, if it
// draws none of them, the first edge. If there is no edge, it returns the zero crossing.
func (t *Tracer) locate(a, b ending) (first crossing) {
	for range mostEdges {
		c, after := t.nextEdge(a, b)
		if c.isOnLine || !first.isEdge {
			first = c
		}
		if c.isOnLine || !c.isEdge {
			break
		}
		a = after
	}
	return first
}

// nextEdge returns where an edge crosses the line from a to b in the picture, and a ray shortly after this edge. If a
// and b hit the same surface, or surfaces that coincide, there is no edge, and it returns the zero crossing.
func (t *Tracer) nextEdge(a, b ending) (crossing, ending) {
	low, high := min(a.hit.Object, b.hit.Object), max(a.hit.Object, b.hit.Object)
	t.settle(&a, low, high)
	t.settle(&b, low, high)
	from := t.surfaceOf(&a.hit)
	if from == t.surfaceOf(&b.hit) {
		return crossing{}, b
	}
	for range bisections {
		middle := ending{at: a.at.between(b.at)}
		middle.hit = t.hit(middle.at)
		t.settle(&middle, low, high)
		if t.surfaceOf(&middle.hit) == from {
			a = middle
		} else {
			b = middle
		}
	}
	at := a.at.between(b.at)
	return crossing{at, true, t.follows(at, &a.hit, &b.hit) && t.isDrawn(&a, &b), t.depth(&a.hit, &b.hit)}, b
}

// depth returns the depth of an edge between the hits a and b: that of the nearer one. Only fog depends on it, so it is
// 0 in a scene without fog.
func (t *Tracer) depth(a, b *accel.Hit) float64 {
	if !t.inFog {
		return 0
	}
	depth := math.Inf(1)
	for _, h := range [...]*accel.Hit{a, b} {
		if h.Object != accel.None {
			depth = min(depth, t.prepared.View.Depth(h.Point))
		}
	}
	return depth
}

// settle makes both rays next to an edge hit the same solid where the surfaces of the solids low and high coincide. If
// the surface that e hits coincides with that of low, the hit of e becomes a hit of low. Otherwise, settle tries the
// same with high. Without this, rounding would decide which of two coplanar faces each ray hits, and there would be
// edges everywhere.
func (t *Tracer) settle(e *ending, low, high int32) {
	switch object := e.hit.Object; {
	case object == accel.None || object == low:
	case t.coincide(e, low):
	case object != high:
		t.coincide(e, high)
	}
}

// Two surfaces coincide at a point if their distance is at most coincidentGap of a pixel, and the cosine of the angle
// between their normals is at least coincidentCos.
const (
	coincidentGap = 0x1p-20
	coincidentCos = 1 - 1e-9
)

// coincide reports whether the surface of a solid coincides with the surface that e hits. If so, it replaces the hit of
// e by that of the solid.
func (t *Tracer) coincide(e *ending, object int32) bool {
	if object == accel.None {
		return false
	}
	h, r := &e.hit, t.ray(e.at)
	shape := t.prepared.Shape(object)
	span, ok := shape.Span(r)
	other := span.Near
	if h.Inside {
		other = span.Far
	}
	if !ok || !(other.Normal.Dot(h.Normal) >= coincidentCos) {
		return false
	}
	_, _, depth := t.prepared.View.Project(h.Point)
	if gap := math.Abs((other.T - h.T) * r.Dir.Dot(h.Normal)); !(gap <= coincidentGap*t.prepared.View.PixelAt(depth)) {
		return false
	}
	*h = accel.Hit{T: other.T, Point: r.At(other.T), Normal: other.Normal, Object: object, Inside: h.Inside, Face: accel.FaceOf(shape, r, h.Inside)}
	return true
}

func (t *Tracer) ray(p point) geom.Ray { return t.prepared.View.Through(p.x, p.y) }

// follows reports whether the outline draws an edge at p. Rays on the two sides of p have the hits a and b.
func (t *Tracer) follows(p point, a, b *accel.Hit) bool {
	switch {
	case a.Object == accel.None || b.Object == accel.None:
		return t.outline.Silhouettes
	case a.Object == b.Object && a.Inside == b.Inside:
		return t.outline.Creases
	case a.Object != b.Object && t.meet(p, a, b):
		return t.outline.Contacts
	}
	return t.outline.Silhouettes && t.isStep(a, b)
}

// isStep reports whether the depths of two hits differ by more than the outline requires of a silhouette.
func (t *Tracer) isStep(a, b *accel.Hit) bool {
	view := t.prepared.View
	return t.outline.Depth == 0 || math.Abs(view.Depth(a.Point)-view.Depth(b.Point)) > t.outline.Depth
}

// The method meet reports whether the surfaces at the hits a and b touch at the point p of the picture. They touch if
// the ray through p crosses the tangent planes at both hits, with at most the size of a pixel between the crossings.
func (t *Tracer) meet(p point, a, b *accel.Hit) bool {
	r := t.ray(p)
	_, _, depthA := t.prepared.View.Project(a.Point)
	_, _, depthB := t.prepared.View.Project(b.Point)
	gap := math.Abs(toPlane(r, a) - toPlane(r, b))
	return gap <= t.prepared.View.PixelAt(min(depthA, depthB)) // false for NaN
}

// toPlane returns the distance along a ray to the tangent plane of a hit. It is infinite or NaN if the ray is
// parallel to the plane.
func toPlane(r geom.Ray, h *accel.Hit) float64 {
	return h.Point.Sub(r.Origin).Dot(h.Normal) / r.Dir.Dot(h.Normal)
}
