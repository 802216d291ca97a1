package derive

import (
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// Segment begins a derivation about the closed segment from P to Q. Its symbols are hidden steps,
// because a document usually introduces them before.
func Segment(s geom.Segment) *Derivation {
	d := formula.New[formula.Float]()
	d.Know("P", formula.Vector(s.A), "one end of the segment")
	d.Know("Q", formula.Vector(s.B), "the other")
	return d
}

// Touches derives whether a closed segment touches a closed solid. The result is that of [shapes.Shape].Touches, even
// where rounding decides.
func Touches(seg geom.Segment, s shapes.Shape) (*Derivation, bool) {
	d := Segment(seg)
	return d, Of(s).Touches(d)
}

// zero is the formula for the point to which all points of the derivation are relative, such as the end A of an axis
// or the center of a sphere.
const zero = "(0, 0, 0)"

// foot contains the symbols of a derivation that finds the point of a segment closest to a given point. The symbols
// from and to are those of the segment's ends, along is that of the vector between them, and point is that of the
// given point. The suffix distinguishes the symbols of several such searches.
type foot struct{ from, to, along, point, suffix string }

// nearest derives k, the point of the segment that is closest to the given point: see foot.
func nearest(d *Derivation, f foot) {
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

// atMost reports whether x <= y, and adds the comparison to the derivation.
func atMost(d *Derivation, x, y string) bool {
	if d.Holds(x + " <= " + y) {
		d.Judge(x+" <= "+y, formula.Accepts, "the segment touches the solid")
		return true
	}
	d.Judge(x+" > "+y, formula.Rejects, "the segment does not touch the solid")
	return false
}
