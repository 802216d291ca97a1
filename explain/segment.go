package explain

import (
	"fmt"
	"pillbox"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/internal/text"
	"pillbox/shapes"
)

// Segment explains which solids a segment touches.
type Segment struct {
	tracer *Tracer

	geom.Segment
	Solids []Touch // every solid of the scene, by number

	chosen int32 // always derived; accel.None if none was chosen
}

// Prepared returns the prepared scene.
func (x *Segment) Prepared() *pillbox.Prepared { return x.tracer.public }

// Touch reports whether the segment touches one solid.
type Touch struct {
	Object  int32
	Touches bool
}

// Segment explains the segment test, [shapes.Shape].Touches, for every solid. The ends must be finite.
func (t *Tracer) Segment(s geom.Segment) *Segment {
	x := &Segment{tracer: t, Segment: s, chosen: accel.None}
	for i := range t.prepared.Scene.Objects.Len() {
		left := t.left(int32(i), cameraRay)
		x.Solids = append(x.Solids, Touch{int32(i), left != nil && left.Touches(s)})
	}
	return x
}

// Title implements [Explanation].
func (x *Segment) Title() string {
	return fmt.Sprintf("%s: a segment", text.EscapeName(x.tracer.prepared.Scene.Name))
}

// Document implements [Explanation].
func (x *Segment) Document(detail Detail) *Document {
	w := x.tracer.writer(detail)
	w.heading(1, x.Title())
	touched := x.touched()
	w.blocks = append(w.blocks, Answer{fmt.Sprintf("The segment touches %d of %s.", touched, text.Count(len(x.Solids), "solid"))})
	w.paragraph(segmentHelp)
	d := formula.New[formula.Float]()
	d.Given("P", formula.Vector(x.A), "one end of the segment")
	d.Given("Q", formula.Vector(x.B), "the other")
	w.equations(d.All())
	others := 0
	for _, s := range x.Solids {
		if !x.derives(s, detail) {
			others++
			continue
		}
		w.heading(2, w.label(s.Object)+": "+touchText(s.Touches))
		w.equations(w.touchSteps(x.Segment, s.Object))
	}
	if others > 0 {
		w.heading(2, "The other solids")
		w.paragraph(fmt.Sprintf("The segment touches none of the other %d.", others))
	}
	return w.Document
}

// Subject returns the number of the solid to draw: the chosen solid, or else the first solid that the
// segment touches, or else solid 0. In an empty scene it returns -1.
func (x *Segment) Subject() int32 {
	if x.chosen != accel.None {
		return x.chosen
	}
	for _, s := range x.Solids {
		if s.Touches {
			return s.Object
		}
	}
	if len(x.Solids) > 0 {
		return 0
	}
	return accel.None
}

const segmentHelp = roundingHelp + "· is the dot product, × the cross product, |v| the length of v, and v.x its x coordinate."

func (x *Segment) touched() int {
	n := 0
	for _, s := range x.Solids {
		if s.Touches {
			n++
		}
	}
	return n
}

// derives reports whether the document derives the test of a solid. A verbose explanation derives all
// tests, and so does any explanation if there are few solids. Otherwise only the tests of the chosen solid
// and of the touched solids are derived.
func (x *Segment) derives(s Touch, detail Detail) bool {
	return detail == Verbose || s.Touches || s.Object == x.chosen || len(x.Solids) <= manyTests
}

func touchText(touches bool) string {
	if touches {
		return "touched"
	}
	return "not touched"
}

// touchSteps derives whether the segment touches a solid.
func (t *Tracer) touchSteps(s geom.Segment, object int32) []formula.Step {
	left := t.left(object, cameraRay)
	if left == nil {
		d := formula.New[formula.Float]()
		d.Decide(formula.Rejects, "sections take the whole solid away")
		return d.All()
	}
	d, touchesWhole := derive.Touches(s, t.shape(object))
	if c, isCut := left.(*shapes.Cut); isCut {
		d.Note("This is the whole solid; %s.", t.divided(c))
		switch {
		case c.Touches(s):
			d.Decide(formula.Accepts, "the segment touches what is left of the solid")
		case touchesWhole:
			d.Decide(formula.Rejects, "the segment touches nothing of what is left of the solid")
		}
	}
	return t.ofSolid(object, d.All())
}
