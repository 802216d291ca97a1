package derive

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// The parts of a cylinder's surface.
const (
	partSide  = "side"
	partDiscA = "disc around A"
	partDiscB = "disc around B"
)

// cylinder derives what package shapes computes about a cylinder.
type cylinder struct{ *shapes.Cylinder }

// given introduces the symbols of the cylinder.
func (c cylinder) given(d *Derivation) {
	d.Given("A", formula.Vector(c.A), "the center of one disc")
	d.Given("B", formula.Vector(c.B), "of the other")
	d.Given("r", formula.Real(c.Radius), "radius")
	d.Let("w", "B - A", "the axis")
	d.Let("L", "|w|", "its length")
	d.Let("u", "w / L", "its direction")
}

// Chord implements [Solid].
func (c cylinder) Chord(d *Derivation) Chord {
	c.given(d)
	d.Let("f", "o - A", "from A to the ray's origin")
	d.Let("y", "f · u", "height of the origin above A, along the axis")
	d.Let("dy", "d · u", "how fast the ray rises")
	d.Let("f2", "f - y u", "the part of f perpendicular to the axis")
	d.Let("d2", "d - dy u", "the part of d perpendicular to the axis")
	d.Let("a", "|d2|²", "")
	d.Note("The side: the infinite cylinder around the axis, seen along the axis:")
	in, out, ok := insideSide(d)
	if !ok {
		return Chord{}
	}
	d.Note("The slab between the planes of the discs, at the heights 0 and L:")
	slabOfDiscs(d)
	d.Note("The cylinder is what the two have in common:")
	d.Let("t_near", call("max", append(in, "disc_in")...), "the last entry")
	d.Let("t_far", call("min", append(out, "disc_out")...), "the first exit")
	if d.HoldsThen("t_near > t_far", "the line leaves one before it enters the other: no roots") {
		return Chord{}
	}
	near := cylinderPart(d, "t_near")
	x := Chord{OK: true, Near: float64(d.Scalar("t_near")), Far: float64(d.Scalar("t_far")), NearPart: near, FarPart: near}
	if x.Near != x.Far {
		x.FarPart = cylinderPart(d, "t_far")
	}
	return x
}

// insideSide derives where the line enters and leaves the infinite cylinder. The lists in and out each contain one
// symbol: the distance at which the line enters, and the distance at which it leaves. They are empty if the line is
// parallel to the axis. The result ok is false if the line misses the infinite cylinder.
func insideSide(d *Derivation) (in, out []string, ok bool) {
	const misses = "the line misses: no roots"
	d.Know("parallel", formula.Real(shapes.ParallelSine), "below this, a is rounding error:")
	if d.Holds("a < parallel²") {
		d.Given("parallel", formula.Real(shapes.ParallelSine), "below this, a is rounding error:")
		d.Claim("a < parallel²", "the line is parallel to the axis")
		d.Let("disc", "r² - |f2|²", "negative if the line is outside")
		return nil, nil, !d.HoldsThen("disc < 0", misses)
	}
	d.Let("b", "-(f2 · d2) / a", "where the line is closest to the axis")
	d.Let("l", "f2 + b d2", "from the axis to that point")
	d.Let("disc", "r² - |l|²", "discriminant")
	if d.HoldsThen("disc < 0", misses) {
		return nil, nil, false
	}
	if d.Holds("disc = 0") {
		d.Claim("disc = 0", "the line is tangent")
	}
	d.Let("h", "√(disc / a)", "half the chord")
	d.Let("side_in", "b - h", "the line enters")
	d.Let("side_out", "b + h", "the line leaves")
	return []string{"side_in"}, []string{"side_out"}, true
}

// slabOfDiscs derives where the line crosses the planes of the discs.
func slabOfDiscs(d *Derivation) {
	into, out := "enters the slab", "leaves it"
	if d.Holds("dy = 0") {
		into, out = "", ""
		switch {
		case d.Holds("0 < y < L"):
			d.Claim("dy = 0", "parallel to the discs")
			d.Claim("0 < y < L", "and always between them")
		case d.Holds("y = 0") || d.Holds("y = L"):
			d.Claim("dy = 0", "parallel to the discs, in the plane of one: the quotient is NaN, which is ignored")
		default:
			d.Claim("dy = 0", "parallel to the discs, and never between them")
		}
	}
	lower, upper := "(0 - y) * (1 / dy)", "(L - y) * (1 / dy)"
	switch along := float64(d.Scalar("dy")); {
	case along == 0 && math.Signbit(along): // -0: divide by 0 and negate instead
		lower, upper = "-(L - y) * (1 / |dy|)", "y * (1 / |dy|)"
	case along < 0:
		lower, upper = upper, lower // the line comes from B
	}
	d.Let("disc_in", lower, into)
	d.Let("disc_out", upper, out)
}

// cylinderPart returns the part of the cylinder's surface at the end of the chord with the symbol root: the side or
// a disc. On a rim, which belongs to both, it returns the disc.
func cylinderPart(d *Derivation, root string) string {
	rises := d.Holds("dy > 0")
	part := partSide
	switch {
	case d.Holds("disc_in = " + root):
		if part = partDiscB; rises {
			part = partDiscA
		}
	case d.Holds("disc_out = " + root):
		if part = partDiscA; rises {
			part = partDiscB
		}
	}
	if _, ok := d.Lookup("side_in"); !ok || part == partSide {
		return part
	}
	for _, side := range []string{"side_in", "side_out"} {
		if d.Holds(side + " = " + root) {
			d.Claim(side+" = "+root, "on the rim: the normal is that of the "+part)
		}
	}
	return part
}

// Normal implements [Solid].
func (c cylinder) Normal(d *Derivation, e End) geom.Vec3 {
	switch e.Part {
	case partDiscA:
		return formula.Vec3(d.Let(e.Normal, "-u", "outward normal of the "+e.Part))
	case partDiscB:
		return formula.Vec3(d.Let(e.Normal, "u", "outward normal of the "+e.Part))
	}
	d.Let("q", "f2 + "+e.Root+" d2", "from the axis to the point")
	return roundNormal(d, "q", e.Normal)
}

// Touches implements [Solid]. It clips the segment, from 0 at P to 1 at Q, to the slab between the discs. Then it
// compares the distance between the clipped segment and the axis with the radius.
func (c cylinder) Touches(d *Derivation) bool {
	c.given(d)
	d.Let("F", "P - A", "the ends relative to A")
	d.Let("G", "Q - A", "")
	d.Let("y_P", "F · u", "their heights above A, along the axis")
	d.Let("y_Q", "G · u", "")
	d.Let("e", "y_Q - y_P", "how far the segment rises")
	first, last := "0", "1"
	if d.HoldsThen("e = 0", "parallel to the discs") {
		for _, beyond := range []string{"y_P < 0", "y_P > L"} {
			if d.Holds(beyond) {
				d.Judge(beyond, formula.Rejects, "the segment stays outside the slab between the discs")
				return false
			}
		}
		d.Claim("0 <= y_P <= L", "the whole segment is between them")
	} else {
		const lower, upper = "(0 - y_P) / e", "(L - y_P) / e"
		d.Let("first", "max(0, min("+lower+", "+upper+"))", "the segment enters the slab between the discs, or P")
		d.Let("last", "min(1, max("+lower+", "+upper+"))", "it leaves the slab, or Q")
		first, last = "first", "last"
		if d.Holds("first > last") {
			d.Judge("first > last", formula.Rejects, "the segment does not reach the slab")
			return false
		}
	}
	d.Note("What is left of it, seen along the axis, which is at the origin:")
	d.Let("P'", "F - y_P u", "the parts of the ends perpendicular to the axis")
	d.Let("Q'", "G - y_Q u", "")
	d.Let("v", "Q' - P'", "")
	at := func(t string) string {
		switch {
		case d.Holds(t + " = 1"):
			return "Q'"
		case t == "0":
			return "P' + 0 v"
		}
		return "P' + " + t + " v"
	}
	d.Let("C", at(first), "its ends")
	d.Let("E", at(last), "")
	d.Let("m", "E - C", "")
	nearest(d, foot{from: "C", to: "E", along: "m", point: zero})
	return atMost(d, "|k|²", "r²")
}
