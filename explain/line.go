package explain

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/shapes"
)

// Line is where the whole line of a ray crosses a solid, including behind the ray's origin. What sections take away is not
// crossed.
type Line struct {
	Object    int32
	Crossings int // 0, 1 if the line is tangent to the solid, or 2

	// Near and Far are the crossings, with outward normals. T is negative behind the ray's origin. They
	// are equal if there is only one crossing, and zero without crossings.
	Near, Far shapes.Hit
}

// lineThrough intersects the line of a ray with a solid.
func (t *Tracer) lineThrough(r geom.Ray, object int32) *Line {
	shape := t.left(object, cameraRay)
	if shape == nil {
		return &Line{Object: object}
	}
	span, ok := shape.Span(r)
	switch {
	case !ok:
		return &Line{Object: object}
	case span.Tangent:
		return &Line{object, 1, span.Near, span.Far}
	}
	return &Line{object, 2, span.Near, span.Far}
}

// isDerived reports whether the tests of a ray include the derivation of a solid's roots.
func isDerived(traversal *follow.Traversal, object int32, detail Detail) bool {
	derives := derivedTests(traversal, detail)
	for _, s := range traversal.Steps {
		if s.Solid != nil && s.Solid.Object == object {
			return derives(s.Solid)
		}
	}
	return false
}

// lineSteps derives where the line of a ray enters and leaves a solid, and the roots. If rootsKnown is
// true, the steps of the roots are hidden, because the document already derives them in the section about
// the ray's tests.
func (t *Tracer) lineSteps(q *follow.Path, l *Line, rootsKnown bool) []formula.Step {
	left := t.left(l.Object, cameraRay)
	if _, isCut := left.(*shapes.Cut); isCut || left == nil {
		return t.cutLineSteps(q, l, left)
	}
	d := derive.Ray(q.Ray)
	d.Silent = rootsKnown
	s := t.shape(l.Object)
	c := derive.Of(s).Chord(d)
	d.Silent = false
	switch l.Crossings {
	case 0:
		d.Note("No crossing: the line misses the solid.")
	case 1:
		d.Note("One crossing: the line touches the solid at t_near, %s.", whereabouts(c.Near))
		d.Let("P1", "o + t_near d", "the point there")
		derive.Of(s).Normal(d, derive.End{Root: "t_near", Normal: "n1", Part: c.NearPart})
	default:
		d.Note("Two crossings: the line enters at t_near, %s, and leaves at t_far, %s.", whereabouts(c.Near), whereabouts(c.Far))
		d.Let("P1", "o + t_near d", "where it enters")
		derive.Of(s).Normal(d, derive.End{Root: "t_near", Normal: "n1", Part: c.NearPart})
		d.Let("P2", "o + t_far d", "where it leaves")
		derive.Of(s).Normal(d, derive.End{Root: "t_far", Normal: "n2", Part: c.FarPart})
	}
	return t.ofSolid(l.Object, d.All())
}

// whereabouts describes the place of a crossing on its line.
func whereabouts(t float64) string {
	switch {
	case t > 0:
		return "ahead of the ray's origin"
	case t < 0:
		return "behind the ray's origin"
	}
	return "at the ray's origin"
}

// lineTitle is the heading of the explanation of a line.
func (t *Tracer) lineTitle(l *Line) string {
	return fmt.Sprintf("The whole line: %s", t.label(l.Object))
}

// WithSolid returns a copy of the explanation that also derives where the whole line of the ray crosses the solid
// with the given number. The traversal need not reach this solid.
func (x *Ray) WithSolid(object int32) *Ray {
	y := *x
	y.Line = x.tracer.lineThrough(x.Path.Ray, object)
	return &y
}

// WithSolid returns a copy of the explanation that also derives where the whole line of the first sample's ray
// crosses the solid with the given number.
func (x *Pixel) WithSolid(object int32) *Pixel {
	y := *x
	y.Line = x.tracer.lineThrough(x.Samples[0].Ray, object)
	return &y
}

// WithSolid returns a copy of the explanation that always derives the test of the solid with the given
// number, whether it is touched or not.
func (x *Segment) WithSolid(object int32) *Segment {
	y := *x
	y.chosen = object
	return &y
}

// lineOf intersects the line of a ray with the solid of its closest hit. It returns nil if the ray hits
// nothing.
func (t *Tracer) lineOf(q *follow.Path) *Line {
	if q.Hit.Object == accel.None {
		return nil
	}
	return t.lineThrough(q.Ray, q.Hit.Object)
}
