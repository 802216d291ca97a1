package derive

import (
	"math/big"

	"pillbox/exact"
	"pillbox/internal/explain/formula"
)

// Capsules derives whether two capsules overlap, touch or are apart. The formulas are those of package exact.
func Capsules(a, b exact.Capsule3) (*IntegerDerivation, exact.Relation) {
	d := formula.New[formula.Integer]()
	return d, relate(d, a, b)
}

// Gap returns the distance between the infinite lines through the axes of two capsules. It is measured along their
// common perpendicular, |h| / √D, and rounded. If the lines lie in one plane, which is decided in integers, Gap
// returns nil and false.
func Gap(a, b exact.Capsule3) (gap *big.Float, apart bool) {
	d := formula.New[formula.Integer]()
	d.Silent = true
	relate(d, a, b)
	h := acrossBoth(d)
	if h.Sign() == 0 { // also if they are parallel, the only case in which D is 0
		return nil, false
	}
	length := new(big.Float).SetInt(d.Scalar("D").Int)
	length.Sqrt(length)
	whole := new(big.Float).SetInt(h.Abs(h))
	return whole.Quo(whole, length), true
}

// IntegerDerivation is a derivation in integers. It never rounds.
type IntegerDerivation = formula.Derivation[formula.Integer]

func integers(x [3]*big.Int) formula.Value[formula.Integer] {
	return formula.Triple(integer(x[0]), integer(x[1]), integer(x[2]))
}

func integer(x *big.Int) formula.Integer { return formula.Integer{Int: x} }

// relate derives whether two capsules overlap, touch or are apart.
func relate(d *IntegerDerivation, a, b exact.Capsule3) exact.Relation {
	d.Given("p1", integers(a.P), "the first axis goes from")
	d.Given("q1", integers(a.Q), "to")
	d.Given("r1", formula.Scalar(integer(a.R)), "radius")
	d.Given("p2", integers(b.P), "the second from")
	d.Given("q2", integers(b.Q), "to")
	d.Given("r2", formula.Scalar(integer(b.R)), "radius")
	d.Let("r", "r1 + r2", "they touch if the axes are this far apart")
	d.Let("u", "q1 - p1", "along the first axis")
	d.Let("v", "q2 - p2", "along the second")
	d.Let("w", "p1 - p2", "from the second to the first")
	d.Let("uu", "u · u", "")
	d.Let("uv", "u · v", "")
	d.Let("vv", "v · v", "")
	d.Let("f", "v · w", "position of p1 along v, times |v|")
	d.Let("g", "u · (p2 - p1)", "position of p2 along u, times |u|")
	d.Note("The closest points of the two lines, by Cramer's rule:")
	d.Let("D", "uu * vv - uv * uv", "0 if they are parallel or an axis is a point")
	d.Let("s", "vv * g + uv * f", "on the first axis, at s / D of its length")
	d.Let("t", "uu * f + uv * g", "on the second axis, at t / D of its length")
	if d.Holds("D > 0") && d.Holds("0 <= s <= D") && d.Holds("0 <= t <= D") {
		return betweenLines(d)
	}
	for _, c := range []struct{ fails, note string }{
		{"D = 0", "no unique closest points"},
		{"s < 0", "before p1"}, {"s > D", "beyond q1"},
		{"t < 0", "before p2"}, {"t > D", "beyond q2"},
	} {
		if d.Holds(c.fails) {
			d.Claim(c.fails, c.note+": an end of an axis decides")
			break
		}
	}
	return betweenEnds(d)
}

// betweenLines compares the distance between the infinite lines through the two axes with the sum of the radii. Call
// it only if the closest points of these lines lie inside both axes.
func betweenLines(d *IntegerDerivation) exact.Relation {
	d.Claim("0 <= s <= D", "inside the first axis")
	d.Claim("0 <= t <= D", "inside the second: the distance of the lines decides")
	acrossBoth(d)
	return compare(d, "h * h", "r * r * D", "the squared distance, times D")
}

// acrossBoth derives h: the distance of the lines times the length of n, their common perpendicular. It
// is 0 if and only if the lines are in one plane.
func acrossBoth(d *IntegerDerivation) *big.Int {
	d.Let("n", "u × v", "perpendicular to both; |n|² = D")
	return d.Let("h", "w · n", "distance of the lines, times √D").Part(0).Int
}

// betweenEnds compares the distance of each end of an axis from the other axis with the sum of the
// radii.
func betweenEnds(d *IntegerDerivation) exact.Relation {
	d.Let("pp", "w · w", "from p1 to p2, squared")
	d.Let("qp", "pp - g - g + uu", "from q1 to p2, squared")
	d.Let("pq", "pp - f - f + vv", "from p1 to q2, squared")
	d.Let("f'", "f + uv", "position of q1 along v, times |v|")
	d.Let("g'", "g + uv", "position of q2 along u, times |u|")
	best := exact.Apart
	for _, end := range []struct{ name, to, xx, along, length2 string }{
		{"p1", "the second axis", "pp", "f", "vv"},
		{"q1", "the second axis", "qp", "f'", "vv"},
		{"p2", "the first axis", "pp", "g", "uu"},
		{"q2", "the first axis", "pq", "g'", "uu"},
	} {
		d.Note("From %s to %s:", end.name, end.to)
		best = max(best, fromEnd(d, end.xx, end.along, end.length2))
	}
	d.Note("The smallest distance decides: the capsules are %s.", best)
	return best
}

// fromEnd compares the distance of a point from an axis with the sum of the radii. Its arguments are the symbols of
// three numbers. The number xx is the squared distance from the start of the axis to the point. The number along is the
// point's position along the axis, times the axis's length. The number length2 is the square of this length.
func fromEnd(d *IntegerDerivation, xx, along, length2 string) exact.Relation {
	switch {
	case d.HoldsThen(along+" <= 0", "not beyond the start, which is closest"):
		return compare(d, xx, "r * r", "squared distances")
	case d.HoldsThen(along+" >= "+length2, "not before the end, which is closest"):
		return compare(d, xx+" - "+along+" - "+along+" + "+length2, "r * r", "squared distances")
	}
	d.Claim("0 < "+along+" < "+length2, "a point between the ends is closest")
	return compare(d, "("+xx+" - r * r) * "+length2, along+" * "+along, "squared distances minus r², times the squared length")
}

// compare compares the integers with the formulas x and y, and returns the relation of the capsules. They overlap if x
// < y, touch if x = y, and are apart if x > y.
func compare(d *IntegerDerivation, x, y, what string) exact.Relation {
	switch {
	case d.Holds(x + " < " + y):
		d.Claim(x+" < "+y, what+": overlapping")
		return exact.Overlapping
	case d.Holds(x + " = " + y):
		d.Claim(x+" = "+y, what+": touching")
		return exact.Touching
	}
	d.Claim(x+" > "+y, what+": apart")
	return exact.Apart
}
