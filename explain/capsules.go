package explain

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"pillbox/exact"
	"pillbox/scene"
	"pillbox/shapes"
)

// Pair is whether two capsules overlap, touch or lie apart, decided in integers, and why.
type Pair struct {
	Names    [2]string
	Decimals [2]exact.Decimal3
	Relation exact.Relation
	Whole    [2]exact.Capsule3 // the decimals in multiples of 10^Exponent
	Exponent int
}

// Capsules explains the exact test of two capsules, [exact.RelateDecimal3]: every number
// counts as its shortest decimal. The names appear in the text. The error is that of
// [exact.Decimal3.Validate].
func Capsules(names [2]string, a, b exact.Decimal3) (*Pair, error) {
	x := &Pair{Names: names, Decimals: [2]exact.Decimal3{a, b}, Relation: exact.RelateDecimal3(a, b)}
	for i, c := range x.Decimals {
		if err := c.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
	}
	x.Whole[0], x.Whole[1] = exact.Common3(a, b)
	x.Exponent = exponent(x.Decimals[:], x.Whole[:])
	return x, nil
}

// CapsulesOf explains the exact test of two spheres or capsules of a scene, given by their
// numbers. The error says that one of them is a box.
func CapsulesOf(s *scene.Scene, a, b int32) (*Pair, error) {
	var names [2]string
	var decimals [2]exact.Decimal3
	for i, object := range [2]int32{a, b} {
		names[i] = solids{s}.label(object)
		c := shapes.Capsule{}
		switch x := (solids{s}).at(object).(type) {
		case *shapes.Sphere:
			c = shapes.Capsule{A: x.Center, B: x.Center, Radius: x.Radius}
		case *shapes.Capsule:
			c = *x
		default:
			return nil, fmt.Errorf("%s is neither a capsule nor a sphere", names[i])
		}
		decimals[i] = exact.Decimal3{P: arrayOf(c.A), Q: arrayOf(c.B), R: c.Radius}
	}
	return Capsules(names, decimals[0], decimals[1])
}

// exponent returns the power of ten by which decimals were divided to give integers.
func exponent(decimals []exact.Decimal3, whole []exact.Capsule3) int {
	for i, c := range decimals {
		w := whole[i]
		for j, x := range [7]float64{c.P[0], c.P[1], c.P[2], c.Q[0], c.Q[1], c.Q[2], c.R} {
			if x == 0 {
				continue
			}
			// Both are the same digits, but for zeros at the end: compare where they start.
			n := [7]*big.Int{w.P[0], w.P[1], w.P[2], w.Q[0], w.Q[1], w.Q[2], w.R}[j]
			_, lead, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
			e, _ := strconv.Atoi(lead)
			return e - (len(new(big.Int).Abs(n).String()) - 1)
		}
	}
	return 0 // all are zero
}

// Document implements [Explanation]. It is the same whether verbose or not.
func (x *Pair) Document(bool) *Document {
	d := &Document{}
	d.heading(1, fmt.Sprintf("%s and %s are %s", x.Names[0], x.Names[1], x.Relation))
	d.paragraph("Each is the set of points within its radius of its axis. They are compared without rounding: " +
		"every number counts as the decimal that it was read as, and a power of ten makes integers of all of them. " +
		"· is the inner product, × the vector product, |v| the length of v.")
	d.paragraph(fmt.Sprintf("In multiples of %s:", powerOfTen(x.Exponent)))
	d.equations(x.steps())
	return d
}

func powerOfTen(e int) string {
	if e >= 0 {
		return "1" + strings.Repeat("0", e)
	}
	return "0." + strings.Repeat("0", -e-1) + "1"
}

// steps derives the relation. The formulas are those of package exact.
func (x *Pair) steps() []Step {
	d := newDerivation[whole]()
	relate(d, x.Whole[0], x.Whole[1])
	return d.steps
}

func integers(x [3]*big.Int) value[whole] {
	return value[whole]{3, [3]whole{{x[0]}, {x[1]}, {x[2]}}}
}

// relate derives how two capsules lie to each other.
func relate(d *derivation[whole], a, b exact.Capsule3) exact.Relation {
	d.given("p1", integers(a.P), "the first axis goes from")
	d.given("q1", integers(a.Q), "to")
	d.given("r1", scalar(whole{a.R}), "radius")
	d.given("p2", integers(b.P), "the second from")
	d.given("q2", integers(b.Q), "to")
	d.given("r2", scalar(whole{b.R}), "radius")
	d.let("r", "r1 + r2", "they touch where the axes are that far apart")
	d.let("u", "q1 - p1", "along the first axis")
	d.let("v", "q2 - p2", "along the second")
	d.let("w", "p1 - p2", "from the second to the first")
	d.let("uu", "u · u", "")
	d.let("uv", "u · v", "")
	d.let("vv", "v · v", "")
	d.let("f", "v · w", "how far p1 lies along v, times |v|")
	d.let("g", "u · (p2 - p1)", "how far p2 lies along u, times |u|")
	d.note("The lines are nearest at the parts s / D of the first axis and t / D of the second (Cramer's rule):")
	d.let("D", "uu * vv - uv * uv", "0 if they are parallel, or an axis is a point")
	d.let("s", "vv * g + uv * f", "")
	d.let("t", "uu * f + uv * g", "")
	if d.holds("D > 0") && d.holds("0 <= s <= D") && d.holds("0 <= t <= D") {
		return betweenLines(d)
	}
	for _, c := range []struct{ fails, note string }{
		{"D = 0", "no single nearest points"},
		{"s < 0", "before p1"}, {"s > D", "beyond q1"},
		{"t < 0", "before p2"}, {"t > D", "beyond q2"},
	} {
		if d.holds(c.fails) {
			d.claim(c.fails, c.note+": an end of an axis decides")
			break
		}
	}
	return betweenEnds(d)
}

// betweenLines compares the distance of two lines that are nearest inside both axes.
func betweenLines(d *derivation[whole]) exact.Relation {
	d.claim("0 <= s <= D", "inside the first axis")
	d.claim("0 <= t <= D", "inside the second: the axes are as far apart as their lines, |h| / √D")
	acrossBoth(d)
	return compare(d, "h * h", "r * r * D", "the squared distance, times D")
}

// acrossBoth derives h, how far the lines are apart along their common perpendicular, times its
// length: 0 if and only if both lie in one plane.
func acrossBoth(d *derivation[whole]) *big.Int {
	d.let("n", "u × v", "perpendicular to both; |n|² = D")
	return d.let("h", "w · n", "").x[0].Int
}

// betweenEnds compares the distance of each end from the other axis.
func betweenEnds(d *derivation[whole]) exact.Relation {
	d.let("pp", "w · w", "from p1 to p2, squared")
	d.let("qp", "pp - g - g + uu", "from q1 to p2, squared")
	d.let("pq", "pp - f - f + vv", "from p1 to q2, squared")
	d.let("f'", "f + uv", "how far q1 lies along v, times |v|")
	d.let("g'", "g + uv", "how far q2 lies along u, times |u|")
	best := exact.Apart
	for _, end := range []struct{ name, to, xx, along, length2 string }{
		{"p1", "the second axis", "pp", "f", "vv"},
		{"q1", "the second axis", "qp", "f'", "vv"},
		{"p2", "the first axis", "pp", "g", "uu"},
		{"q2", "the first axis", "pq", "g'", "uu"},
	} {
		d.note("From %s to %s:", end.name, end.to)
		best = max(best, fromEnd(d, end.xx, end.along, end.length2))
	}
	d.note("The nearest of the four decides: they are %s.", best)
	return best
}

// fromEnd compares the distance of a point from an axis, given the squared distance of the
// point from the start of the axis, how far it lies along the axis, and that length squared.
func fromEnd(d *derivation[whole], xx, along, length2 string) exact.Relation {
	switch {
	case d.holdsThen(along+" <= 0", "not after the start, which is nearest"):
		return compare(d, xx, "r * r", "squared distances")
	case d.holdsThen(along+" >= "+length2, "not before the end, which is nearest"):
		return compare(d, xx+" - "+along+" - "+along+" + "+length2, "r * r", "squared distances")
	}
	d.claim("0 < "+along+" < "+length2, "a point between is nearest")
	return compare(d, "("+xx+" - r * r) * "+length2, along+" * "+along, "squared distances, less r², times the squared length")
}

// compare claims how two integers compare and returns what that means for the capsules.
func compare(d *derivation[whole], x, y, what string) exact.Relation {
	switch {
	case d.holds(x + " < " + y):
		d.claim(x+" < "+y, what+": overlapping")
		return exact.Overlapping
	case d.holds(x + " = " + y):
		d.claim(x+" = "+y, what+": touching")
		return exact.Touching
	}
	d.claim(x+" > "+y, what+": apart")
	return exact.Apart
}
