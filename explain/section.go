package explain

import (
	"fmt"
	"slices"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/follow"
	"pillbox/shade"
	"pillbox/shapes"
)

// left returns what sections leave of a solid for rays of a kind: the whole solid, a [shapes.Cut], or nil.
func (t *Tracer) left(object int32, kind rayKind) shapes.Shape {
	if kind == shadowRay {
		return t.prepared.ForLight().Shape(object)
	}
	return t.prepared.Shape(object)
}

// onFace states on which cut face a ray ends, as an addition to the solid, or returns "".
func (t *Tracer) onFace(h *accel.Hit) string {
	if i, ok := h.Section(); ok {
		return ", on the cut face of " + t.prepared.Scene.SectionLabel(i)
	}
	return ""
}

// divided states which sections divide a solid.
func (t *Tracer) divided(c *shapes.Cut) string {
	var names []string
	for i := range c.By {
		names = append(names, t.prepared.Scene.SectionLabel(c.By[i].Index))
	}
	if len(names) == 1 {
		return names[0] + " cuts the solid"
	}
	return listed(names, "sections") + " cut the solid"
}

// faceSteps derives the point and the normal of a hit on a cut face.
func (t *Tracer) faceSteps(q *follow.Path, c *shapes.Cut, index int) []formula.Step {
	d := derive.Ray(q.Ray)
	by := slices.IndexFunc(c.By, func(s shapes.Section) bool { return s.Index == index })
	plane := derive.NewPlane(d, &c.By[by], t.prepared.Scene.SectionLabel(index))
	d.Let(plane.At, plane.Crossing(), "the ray crosses the plane")
	d.Let("t", plane.At, "the distance of the hit")
	if whole, ok := c.Whole.Span(q.Ray); ok {
		verb := "enters"
		if q.Hit.Inside {
			verb = "leaves"
		}
		at := formula.Apart(formula.Readable, q.Hit.T, whole.Near.T, whole.Far.T)
		d.Note("The ray %s the kept side at %s; %s spans %s to %s, so the hit is on the cut face of %s.",
			verb, at[0], t.label(q.Hit.Object), at[1], at[2], t.prepared.Scene.SectionLabel(index))
	}
	d.Let("p", "o + t d", "the point")
	d.Let("n", plane.Normal, "the outward normal is that of the section")
	t.face(d, q)
	return t.ofSections(d.All())
}

// faceNote says which color a cut face has at a hit.
func (t *Tracer) faceNote(h *accel.Hit) string {
	i, ok := h.Section()
	switch {
	case !ok:
		return ""
	case t.prepared.OnHatch(h):
		return "the color of the hatch of " + t.prepared.Scene.SectionLabel(i)
	case t.prepared.Scene.Sections[i].HasColor:
		return "the color of " + t.prepared.Scene.SectionLabel(i)
	}
	return "the cut face has the material's albedo"
}

// valueText returns a sentence with the value that the color of a solid represents at a hit, or "" if it represents none.
func (t *Tracer) valueText(h *accel.Hit) string {
	if _, isFace := h.Section(); isFace {
		return ""
	}
	v, c := t.prepared.Scene.Objects.Material(int(h.Object)).Value, t.prepared.Scene.Colormap
	if v == nil || c == nil {
		return ""
	}
	color := c.ColorOf(*v)
	r, g, b := shade.EncodeSRGB8(color.R), shade.EncodeSRGB8(color.G), shade.EncodeSRGB8(color.B)
	return fmt.Sprintf("Value %v -> color #%02x%02x%02x of the color map %s, which goes from %v to %v.", *v, r, g, b, c.Map.Name(), c.Range[0], c.Range[1])
}

// cutLineSteps states where the line of a ray crosses a solid that sections cut or remove.
func (t *Tracer) cutLineSteps(q *follow.Path, l *Line, left shapes.Shape) []formula.Step {
	d := derive.Ray(q.Ray)
	c, isCut := left.(*shapes.Cut)
	if !isCut {
		d.Note("No crossing: sections take the whole solid away.")
		return d.All()
	}
	whole, ok := c.Whole.Span(q.Ray)
	switch {
	case !ok:
		d.Note("No crossing: the line misses the solid, also the part that sections take away.")
		return d.All()
	case l.Crossings == 0:
		at := formula.Apart(formula.Readable, whole.Near.T, whole.Far.T)
		d.Note("No crossing: the line is inside the whole solid from %s to %s, but %s, and the line misses what is left.", at[0], at[1], t.divided(c))
		return d.All()
	}
	at := formula.Apart(formula.Readable, whole.Near.T, whole.Far.T)
	d.Note("The line is inside the whole solid from %s to %s; %s.", at[0], at[1], t.divided(c))
	d.Given("t_near", formula.Real(l.Near.T), "the line enters what is left of the solid "+whereabouts(l.Near.T)+", at")
	d.Let("P1", "o + t_near d", "the point there")
	d.Given("n1", formula.Vector(l.Near.Normal), "the outward normal"+t.ofFace(c, q.Ray, false))
	if l.Crossings == 2 {
		d.Given("t_far", formula.Real(l.Far.T), "it leaves this "+whereabouts(l.Far.T)+", at")
		d.Let("P2", "o + t_far d", "the point there")
		d.Given("n2", formula.Vector(l.Far.Normal), "the outward normal"+t.ofFace(c, q.Ray, true))
	}
	return d.All()
}

// ofFace names the section on whose cut face a line enters or, if far is set, leaves a solid, as an addition.
func (t *Tracer) ofFace(c *shapes.Cut, r geom.Ray, far bool) string {
	h := accel.Hit{Face: accel.FaceOf(c, r, far)}
	if i, ok := h.Section(); ok {
		return ", that of " + t.prepared.Scene.SectionLabel(i)
	}
	return ""
}
