package explain

import (
	"fmt"
	"strings"

	"pillbox/escape"
	"pillbox/geom"
	"pillbox/shapes"
)

// Segment is which solids a segment touches, and why.
type Segment struct {
	tracer *Tracer

	geom.Segment
	Solids []Touch // every solid of the scene, by number
}

// Touch is the answer of one solid.
type Touch struct {
	Object  int32
	Touches bool
}

// Segment explains the segment test, [shapes.Shape].Touches, for every solid. The ends must be
// finite.
func (t *Tracer) Segment(s geom.Segment) *Segment {
	x := &Segment{tracer: t, Segment: s}
	for i := range t.stage.Scene.Objects {
		x.Solids = append(x.Solids, Touch{int32(i), t.solids().at(int32(i)).Touches(s)})
	}
	return x
}

// Document implements [Explanation].
func (x *Segment) Document(verbose bool) *Document {
	w := x.tracer.writer(verbose)
	w.heading(1, fmt.Sprintf("%s: a segment", escape.Name(w.stage.Scene.Name)))
	touched := x.touched()
	w.paragraph(fmt.Sprintf("The segment touches %d of %s.", touched, plural(len(x.Solids), "solid")))
	w.paragraph(segmentHelp)
	d := newDerivation[float]()
	d.given("P", vector(x.A), "from")
	d.given("Q", vector(x.B), "to")
	w.equations(d.steps)
	for _, s := range x.Solids {
		if !x.tells(s, verbose) {
			continue
		}
		w.heading(2, w.solids().label(s.Object)+": "+touchText(s.Touches))
		w.equations(w.touchSteps(x.Segment, s.Object))
	}
	if !x.tells(Touch{}, verbose) && touched < len(x.Solids) {
		w.heading(2, "The other solids")
		w.paragraph(fmt.Sprintf("The segment touches none of the other %d.", len(x.Solids)-touched))
	}
	return w.Document
}

const segmentHelp = "Numbers are rounded for reading, and every equation has the digits that it needs to come out. " +
	"· is the inner product, × the vector product, |v| the length of v."

func (x *Segment) touched() int {
	n := 0
	for _, s := range x.Solids {
		if s.Touches {
			n++
		}
	}
	return n
}

// tells reports whether a solid is derived: all if they are few, otherwise those touched.
func (x *Segment) tells(s Touch, verbose bool) bool {
	return verbose || s.Touches || len(x.Solids) <= manyTests
}

func touchText(touches bool) string {
	if touches {
		return "touched"
	}
	return "not touched"
}

// touchSteps derives whether the segment touches a solid.
func (t *Tracer) touchSteps(s geom.Segment, object int32) []Step {
	d := newDerivation[float]()
	touches(d, t.solids().at(object), s)
	return d.steps
}

// touches derives whether the closed segment P Q meets a closed solid. The numbers are those
// of package shapes.
func touches(d *derivation[float], s shapes.Shape, seg geom.Segment) bool {
	d.know("P", vector(seg.A))
	d.know("Q", vector(seg.B))
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

func sphereTouches(d *derivation[float], s *shapes.Sphere) bool {
	d.given("c", vector(s.Center), "centre")
	d.given("r", real(s.Radius), "radius")
	d.let("P'", "P - c", "the segment as seen from the centre")
	d.let("Q'", "Q - c", "")
	d.let("e", "Q' - P'", "along the segment")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: zero})
	return d.atMost("|k|²", "r²")
}

// capsuleTouches compares the distance of two segments with the radius. See
// [geom.Segment.Dist2] for the method.
func capsuleTouches(d *derivation[float], c *shapes.Capsule) bool {
	d.given("A", vector(c.A), "one end of the axis")
	d.given("B", vector(c.B), "the other")
	d.given("r", real(c.Radius), "radius")
	d.let("w", "B - A", "the axis as seen from A")
	d.let("P'", "P - A", "the segment as seen from A")
	d.let("Q'", "Q - A", "")
	d.let("e", "Q' - P'", "along the segment")
	d.note("From P to the axis:")
	nearest(d, foot{from: zero, to: "w", along: "w", point: "P'", suffix: "_P"})
	d.let("d_P", "|P' - k_P|²", "squared distance")
	d.note("From Q to the axis:")
	nearest(d, foot{from: zero, to: "w", along: "w", point: "Q'", suffix: "_Q"})
	d.let("d_Q", "|Q' - k_Q|²", "squared distance")
	d.note("From A to the segment:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: zero, suffix: "_A"})
	d.let("d_A", "|k_A|²", "squared distance")
	d.note("From B to the segment:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: "w", suffix: "_B"})
	d.let("d_B", "|w - k_B|²", "squared distance")
	d.let("D", "min(d_P, d_Q, d_A, d_B)", "the nearest of the ends")
	perpendicular(d)
	return d.atMost("D", "r²")
}

// perpendicular improves D, the squared distance of the ends of the axis and the segment, by
// the common perpendicular where it meets both.
func perpendicular(d *derivation[float]) {
	d.let("n", "w × e", "perpendicular to both")
	if d.holdsThen("|n|² = 0", "parallel, or one is a point: the ends decide") {
		return
	}
	d.let("t", "(P' × e) · n / |n|²", "where the common perpendicular meets the axis: 0 at A, 1 at B")
	if !d.holdsThen("0 < t < 1", "between A and B") {
		d.note("The common perpendicular does not meet the axis between its ends: the ends decide.")
		return
	}
	d.let("x", "t w", "there")
	d.note("From there to the segment, and back to the axis, which removes the rounding of t:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: "x", suffix: "_y"})
	nearest(d, foot{from: zero, to: "w", along: "w", point: "k_y", suffix: "_x"})
	d.let("d_xy", "|k_y - k_x|²", "squared distance")
	d.let("D", "min(D, d_xy)", "the least of all")
}

// boxTouches clips the segment, from 0 at P to 1 at Q, by the three slabs of a box.
func boxTouches(d *derivation[float], b *shapes.Box) bool {
	givenBox(d, b)
	d.let("F", "P - c", "the ends as seen from the centre")
	d.let("G", "Q - c", "")
	d.let("P'", "(X · F, Y · F, Z · F)", "and along the box's axes")
	d.let("Q'", "(X · G, Y · G, Z · G)", "")
	in, out := []string{"0"}, []string{"1"}
	for axis := range axes {
		x := axes[axis : axis+1]
		p, h, e := "P'."+x, "h."+x, "e_"+x
		d.let(e, "Q'."+x+" - "+p, "along "+x)
		if d.holdsThen(e+" = 0", "no way across the slab") {
			if d.holds("|" + p + "| > " + h) {
				d.judge("|"+p+"| > "+h, Rejects, "the segment stays outside this slab")
				return false
			}
			d.claim("|"+p+"| <= "+h, "all of the segment is inside")
			continue
		}
		lower, upper := "(-"+h+" - "+p+") / "+e, "("+h+" - "+p+") / "+e
		d.let("in_"+x, "min("+lower+", "+upper+")", "into the slab across "+x)
		d.let("out_"+x, "max("+lower+", "+upper+")", "and out")
		in, out = append(in, "in_"+x), append(out, "out_"+x)
	}
	d.let("first", "max("+strings.Join(in, ", ")+")", "the last entry, or P")
	d.let("last", "min("+strings.Join(out, ", ")+")", "the first exit, or Q")
	return d.atMost("first", "last")
}

// zero is the point as seen from which the others are given.
const zero = "(0, 0, 0)"

// foot says between which points the nearest one is looked for: the segment goes from one
// along a vector to the other. A suffix tells the results of several apart.
type foot struct{ from, to, along, point, suffix string }

// nearest derives k, the point of a segment nearest to a given one.
func nearest(d *derivation[float], f foot) {
	g, s, k := "g"+f.suffix, "s"+f.suffix, "k"+f.suffix
	away, at := "("+f.point+" - "+f.from+")", f.from+" + "+s+" "+f.along
	if f.from == zero {
		away, at = f.point, s+" "+f.along
	}
	d.let(g, f.along+" · "+away, "how far along, times the length")
	length2 := "|" + f.along + "|²"
	switch {
	case d.holds(g + " <= 0"):
		d.claim(g+" <= 0", "before the first end")
		d.let(k, f.from, "which is the nearest point")
	case d.holds(g + " >= " + length2):
		d.claim(g+" >= "+length2, "beyond the last end")
		d.let(k, f.to, "which is the nearest point")
	default:
		d.let(s, g+" / "+length2, "0 at the first end, 1 at the last")
		if d.holdsThen(s+" = 1", "by rounding") {
			at = f.to
		}
		d.let(k, at, "the nearest point")
	}
}

// atMost judges by x <= y and returns it.
func (d *derivation[T]) atMost(x, y string) bool {
	if d.holds(x + " <= " + y) {
		d.judge(x+" <= "+y, Accepts, "the segment touches the solid")
		return true
	}
	d.judge(x+" > "+y, Rejects, "the segment stays outside")
	return false
}
