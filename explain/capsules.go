package explain

import (
	"fmt"
	"math/big"
	"strings"

	"pillbox/exact"
	"pillbox/internal/explain/formula"
	"pillbox/scene"
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
// counts as its shortest decimal or as its text. The names appear in the text. The error is that of
// [exact.Decimal3.Validate].
func Capsules(names [2]string, a, b exact.Decimal3) (*Pair, error) {
	x := &Pair{Names: names, Decimals: [2]exact.Decimal3{a, b}, Relation: exact.RelateDecimal3(a, b)}
	for i, c := range x.Decimals {
		if err := c.Validate(); err != nil {
			return nil, fmt.Errorf("%s: %w", names[i], err)
		}
	}
	x.Whole[0], x.Whole[1] = exact.Common3(a, b)
	x.Exponent = exact.Exponent3(a, b)
	return x, nil
}

// CapsulesOf explains the exact test of two spheres or capsules of a scene, given by their
// numbers. The error says that one of them is a box.
func CapsulesOf(s *scene.Scene, a, b int32) (*Pair, error) {
	var names [2]string
	var decimals [2]exact.Decimal3
	for i, object := range [2]int32{a, b} {
		names[i] = s.Label(int(object))
		d, ok := s.Decimal(int(object))
		if !ok {
			return nil, fmt.Errorf("%s is neither a capsule nor a sphere", names[i])
		}
		decimals[i] = d
	}
	return Capsules(names, decimals[0], decimals[1])
}

// Document implements [Explanation]. It is the same in any detail.
func (x *Pair) Document(Detail) *Document {
	d := &Document{}
	d.heading(1, fmt.Sprintf("%s and %s are %s", x.Names[0], x.Names[1], x.Relation))
	d.paragraph("Each is the set of points within its radius of its axis. They are compared without rounding: " +
		"every number counts as the decimal that it was read as, and a power of ten makes integers of all of them. " +
		"· is the inner product, × the vector product, |v| the length of v.")
	d.paragraph(fmt.Sprintf("In multiples of %s:", x.Unit()))
	d.equations(x.Steps())
	return d
}

// Unit returns what the integers are multiples of, 10^Exponent, in decimals.
func (x *Pair) Unit() string {
	e := x.Exponent
	if e >= 0 {
		return "1" + strings.Repeat("0", e)
	}
	return "0." + strings.Repeat("0", -e-1) + "1"
}

// Steps derives the relation. The formulas are those of package exact.
func (x *Pair) Steps() []formula.Step {
	d := formula.New[formula.Integer]()
	relate(d, x.Whole[0], x.Whole[1])
	return d.Steps()
}

// Gap returns how far the lines of the axes are apart along their common perpendicular,
// |h| / √D, rounded, and false if they lie in one plane: the integers decide that.
func (x *Pair) Gap() (gap float64, apart bool) {
	d := formula.New[formula.Integer]()
	d.Silent = true
	relate(d, x.Whole[0], x.Whole[1])
	h := acrossBoth(d)
	if h.Sign() == 0 { // also if they are parallel: D divides below, and is zero only then
		return 0, false
	}
	length := new(big.Float).SetInt(d.Scalar("D").Int)
	length.Sqrt(length)
	unit, _ := new(big.Float).SetString(fmt.Sprintf("1e%d", x.Exponent))
	whole := new(big.Float).SetInt(h.Abs(h))
	gap, _ = whole.Quo(whole, length).Mul(whole, unit).Float64()
	return gap, true
}

// integerDerivation never rounds.
type integerDerivation = formula.Derivation[formula.Integer]

func integers(x [3]*big.Int) formula.Value[formula.Integer] {
	return formula.Triple(integer(x[0]), integer(x[1]), integer(x[2]))
}

func integer(x *big.Int) formula.Integer { return formula.Integer{Int: x} }

// relate derives how two capsules lie to each other.
func relate(d *integerDerivation, a, b exact.Capsule3) exact.Relation {
	d.Given("p1", integers(a.P), "the first axis goes from")
	d.Given("q1", integers(a.Q), "to")
	d.Given("r1", formula.Scalar(integer(a.R)), "radius")
	d.Given("p2", integers(b.P), "the second from")
	d.Given("q2", integers(b.Q), "to")
	d.Given("r2", formula.Scalar(integer(b.R)), "radius")
	d.Let("r", "r1 + r2", "they touch where the axes are that far apart")
	d.Let("u", "q1 - p1", "along the first axis")
	d.Let("v", "q2 - p2", "along the second")
	d.Let("w", "p1 - p2", "from the second to the first")
	d.Let("uu", "u · u", "")
	d.Let("uv", "u · v", "")
	d.Let("vv", "v · v", "")
	d.Let("f", "v · w", "how far p1 lies along v, times |v|")
	d.Let("g", "u · (p2 - p1)", "how far p2 lies along u, times |u|")
	d.Note("The lines are nearest at the parts s / D of the first axis and t / D of the second (Cramer's rule):")
	d.Let("D", "uu * vv - uv * uv", "0 if they are parallel, or an axis is a point")
	d.Let("s", "vv * g + uv * f", "")
	d.Let("t", "uu * f + uv * g", "")
	if d.Holds("D > 0") && d.Holds("0 <= s <= D") && d.Holds("0 <= t <= D") {
		return betweenLines(d)
	}
	for _, c := range []struct{ fails, note string }{
		{"D = 0", "no single nearest points"},
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

// betweenLines compares the distance of two lines that are nearest inside both axes.
func betweenLines(d *integerDerivation) exact.Relation {
	d.Claim("0 <= s <= D", "inside the first axis")
	d.Claim("0 <= t <= D", "inside the second: the axes are as far apart as their lines, |h| / √D")
	acrossBoth(d)
	return compare(d, "h * h", "r * r * D", "the squared distance, times D")
}

// acrossBoth derives h, how far the lines are apart along their common perpendicular, times its
// length: 0 if and only if both lie in one plane.
func acrossBoth(d *integerDerivation) *big.Int {
	d.Let("n", "u × v", "perpendicular to both; |n|² = D")
	return d.Let("h", "w · n", "").Part(0).Int
}

// betweenEnds compares the distance of each end from the other axis.
func betweenEnds(d *integerDerivation) exact.Relation {
	d.Let("pp", "w · w", "from p1 to p2, squared")
	d.Let("qp", "pp - g - g + uu", "from q1 to p2, squared")
	d.Let("pq", "pp - f - f + vv", "from p1 to q2, squared")
	d.Let("f'", "f + uv", "how far q1 lies along v, times |v|")
	d.Let("g'", "g + uv", "how far q2 lies along u, times |u|")
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
	d.Note("The nearest of the four decides: they are %s.", best)
	return best
}

// fromEnd compares the distance of a point from an axis, given the squared distance of the
// point from the start of the axis, how far it lies along the axis, and that length squared.
func fromEnd(d *integerDerivation, xx, along, length2 string) exact.Relation {
	switch {
	case d.HoldsThen(along+" <= 0", "not after the start, which is nearest"):
		return compare(d, xx, "r * r", "squared distances")
	case d.HoldsThen(along+" >= "+length2, "not before the end, which is nearest"):
		return compare(d, xx+" - "+along+" - "+along+" + "+length2, "r * r", "squared distances")
	}
	d.Claim("0 < "+along+" < "+length2, "a point between is nearest")
	return compare(d, "("+xx+" - r * r) * "+length2, along+" * "+along, "squared distances, less r², times the squared length")
}

// compare claims how two integers compare and returns what that means for the capsules.
func compare(d *integerDerivation, x, y, what string) exact.Relation {
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
