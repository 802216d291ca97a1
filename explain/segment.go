package explain

import (
	"fmt"
	"pillbox"
	"strings"

	"pillbox/geom"
	"pillbox/internal/accel"
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
func (x *Segment) Prepared() *pillbox.Prepared { return x.tracer.prepared }

// Touch reports whether the segment touches one solid.
type Touch struct {
	Object  int32
	Touches bool
}

// Segment explains the segment test, [shapes.Shape].Touches, for every solid. The ends must be finite.
func (t *Tracer) Segment(s geom.Segment) *Segment {
	x := &Segment{tracer: t, Segment: s, chosen: accel.None}
	for i := range t.stage.Scene.Objects.Len() {
		x.Solids = append(x.Solids, Touch{int32(i), t.shape(int32(i)).Touches(s)})
	}
	return x
}

// Title implements [Explanation].
func (x *Segment) Title() string {
	return fmt.Sprintf("%s: a segment", text.EscapeName(x.tracer.stage.Scene.Name))
}

// Document implements [Explanation].
func (x *Segment) Document(detail Detail) *Document {
	w := x.tracer.writer(detail)
	w.heading(1, x.Title())
	touched := x.touched()
	w.paragraph(fmt.Sprintf("The segment touches %d of %s.", touched, text.Count(len(x.Solids), "solid")))
	w.paragraph(segmentHelp)
	d := formula.New[formula.Float]()
	d.Given("P", formula.Vector(x.A), "one end of the segment")
	d.Given("Q", formula.Vector(x.B), "the other")
	w.equations(d.All())
	others := 0
	for _, s := range x.Solids {
		if !x.tells(s, detail) {
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

// Subject returns the solid to draw: the chosen one, otherwise the first that is touched, otherwise the first;
// -1 in an empty scene.
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

// tells reports whether a solid is derived: all if there are few, otherwise the touched ones and the chosen one.
func (x *Segment) tells(s Touch, detail Detail) bool {
	return detail == Verbose || s.Touches || s.Object == x.chosen || len(x.Solids) <= manyTests
}

func touchText(touches bool) string {
	if touches {
		return "touched"
	}
	return "not touched"
}

// Touching derives whether a solid and a closed segment have a point in common. The symbols are those of the
// text: P and Q are the ends.
func Touching(seg geom.Segment, s shapes.Shape) (*formula.Derivation[formula.Float], bool) {
	d := formula.New[formula.Float]()
	return d, touches(d, s, seg)
}

// touchSteps derives whether the segment touches a solid.
func (t *Tracer) touchSteps(s geom.Segment, object int32) []formula.Step {
	d, _ := Touching(s, t.shape(object))
	return d.All()
}

// touches derives whether the closed segment from P to Q touches a closed solid, with the bits of package shapes.
func touches(d *derivation, s shapes.Shape, seg geom.Segment) bool {
	d.Know("P", formula.Vector(seg.A), "one end of the segment")
	d.Know("Q", formula.Vector(seg.B), "the other")
	switch s := s.(type) {
	case *shapes.Sphere:
		return sphereTouches(d, s)
	case *shapes.Capsule:
		return capsuleTouches(d, s)
	case *shapes.Box:
		return boxTouches(d, s)
	}
	panic(fmt.Sprintf("explain: no derivation for %T", s))
}

func sphereTouches(d *derivation, s *shapes.Sphere) bool {
	d.Given("c", formula.Vector(s.Center), "center")
	d.Given("r", formula.Real(s.Radius), "radius")
	d.Let("P'", "P - c", "the segment relative to the center")
	d.Let("Q'", "Q - c", "")
	d.Let("e", "Q' - P'", "along the segment")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: zero})
	return atMost(d, "|k|²", "r²")
}

// capsuleTouches compares the distance of two segments with the radius. See
// [geom.Segment.Dist2] for the method.
func capsuleTouches(d *derivation, c *shapes.Capsule) bool {
	d.Given("A", formula.Vector(c.A), "one end of the axis")
	d.Given("B", formula.Vector(c.B), "the other")
	d.Given("r", formula.Real(c.Radius), "radius")
	d.Let("w", "B - A", "the axis relative to A")
	d.Let("P'", "P - A", "the segment relative to A")
	d.Let("Q'", "Q - A", "")
	d.Let("e", "Q' - P'", "along the segment")
	d.Note("From P to the axis:")
	nearest(d, foot{from: zero, to: "w", along: "w", point: "P'", suffix: "_P"})
	d.Let("d_P", "|P' - k_P|²", "squared distance")
	d.Note("From Q to the axis:")
	nearest(d, foot{from: zero, to: "w", along: "w", point: "Q'", suffix: "_Q"})
	d.Let("d_Q", "|Q' - k_Q|²", "squared distance")
	d.Note("From A to the segment:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: zero, suffix: "_A"})
	d.Let("d_A", "|k_A|²", "squared distance")
	d.Note("From B to the segment:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: "w", suffix: "_B"})
	d.Let("d_B", "|w - k_B|²", "squared distance")
	d.Let("D", "min(d_P, d_Q, d_A, d_B)", "the smallest of the four")
	perpendicular(d)
	return atMost(d, "D", "r²")
}

// perpendicular takes the common perpendicular into account, where it meets both the axis and the segment, in D,
// the squared distance of their ends.
func perpendicular(d *derivation) {
	d.Let("n", "w × e", "perpendicular to both")
	if d.HoldsThen("|n|² = 0", "parallel, or one of them is a point: the ends decide") {
		return
	}
	d.Let("t", "(P' × e) · n / |n|²", "where the common perpendicular meets the axis: 0 at A, 1 at B")
	if !d.HoldsThen("0 < t < 1", "between A and B") {
		d.Note("The common perpendicular does not meet the axis between its ends: the ends decide.")
		return
	}
	d.Let("x", "t w", "there")
	d.Note("From there to the segment and back to the axis, which removes the rounding error of t:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: "x", suffix: "_y"})
	nearest(d, foot{from: zero, to: "w", along: "w", point: "k_y", suffix: "_x"})
	d.Let("d_xy", "|k_y - k_x|²", "squared distance")
	d.Let("D", "min(D, d_xy)", "the smallest of all")
}

// boxTouches clips the segment, from 0 at P to 1 at Q, by the three slabs of a box.
func boxTouches(d *derivation, b *shapes.Box) bool {
	givenBox(d, b)
	d.Let("F", "P - c", "the ends relative to the center")
	d.Let("G", "Q - c", "")
	d.Let("P'", "(X · F, Y · F, Z · F)", "and in the box's axes")
	d.Let("Q'", "(X · G, Y · G, Z · G)", "")
	in, out := []string{"0"}, []string{"1"}
	for axis := range axes {
		x := axes[axis : axis+1]
		p, h, e := "P'."+x, "h."+x, "e_"+x
		d.Let(e, "Q'."+x+" - "+p, "along "+x)
		if d.HoldsThen(e+" = 0", "parallel to the slab") {
			if d.Holds("|" + p + "| > " + h) {
				d.Judge("|"+p+"| > "+h, formula.Rejects, "the segment stays outside this slab")
				return false
			}
			d.Claim("|"+p+"| <= "+h, "the whole segment is inside it")
			continue
		}
		lower, upper := "(-"+h+" - "+p+") / "+e, "("+h+" - "+p+") / "+e
		d.Let("in_"+x, "min("+lower+", "+upper+")", "enters the slab across "+x)
		d.Let("out_"+x, "max("+lower+", "+upper+")", "leaves it")
		in, out = append(in, "in_"+x), append(out, "out_"+x)
	}
	d.Let("first", "max("+strings.Join(in, ", ")+")", "the last entry, or P")
	d.Let("last", "min("+strings.Join(out, ", ")+")", "the first exit, or Q")
	return atMost(d, "first", "last")
}

// zero is the point that the others are relative to.
const zero = "(0, 0, 0)"

// foot describes the search for the point of a segment closest to a given point: the segment goes from one point
// along a vector to another. A suffix distinguishes the symbols of several searches.
type foot struct{ from, to, along, point, suffix string }

// nearest derives k, the point of a segment closest to a given point.
func nearest(d *derivation, f foot) {
	g, s, k := "g"+f.suffix, "s"+f.suffix, "k"+f.suffix
	away, at := "("+f.point+" - "+f.from+")", f.from+" + "+s+" "+f.along
	if f.from == zero {
		away, at = f.point, s+" "+f.along
	}
	d.Let(g, f.along+" · "+away, "position along it, times its length")
	length2 := "|" + f.along + "|²"
	switch {
	case d.Holds(g + " <= 0"):
		d.Claim(g+" <= 0", "before the first end")
		d.Let(k, f.from, "the closest point")
	case d.Holds(g + " >= " + length2):
		d.Claim(g+" >= "+length2, "beyond the second end")
		d.Let(k, f.to, "the closest point")
	default:
		d.Let(s, g+" / "+length2, "0 at the first end, 1 at the second")
		if d.HoldsThen(s+" = 1", "by rounding") {
			at = f.to
		}
		d.Let(k, at, "the closest point")
	}
}

// atMost judges by x <= y and returns it.
func atMost(d *derivation, x, y string) bool {
	if d.Holds(x + " <= " + y) {
		d.Judge(x+" <= "+y, formula.Accepts, "the segment touches the solid")
		return true
	}
	d.Judge(x+" > "+y, formula.Rejects, "the segment does not touch the solid")
	return false
}
