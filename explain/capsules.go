package explain

import (
	"fmt"
	"math/big"
	"strings"

	"pillbox/exact"
	"pillbox/internal/explain/derive"
	"pillbox/internal/explain/formula"
	"pillbox/scene"
)

// Pair explains whether two capsules overlap, touch or are apart. The relation is exact: it is computed
// with integers.
type Pair struct {
	Names    [2]string
	Decimals [2]exact.Decimal3
	Relation exact.Relation
	Whole    [2]exact.Capsule3 // the decimals as integers in units of 10^Exponent
	Exponent int
}

// Capsules explains [exact.RelateDecimal3], the exact test of two capsules. The names appear in the
// explanation. The text of a number is its entry in [exact.Decimal3].Text or, if the entry is empty, the
// shortest decimal that rounds to the float64. If [exact.Decimal3.Validate] rejects a capsule, Capsules
// returns its error, preceded by the capsule's name.
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

// CapsulesOf explains the exact test of two solids of a scene, which a and b identify by their object
// numbers. It returns an error if one of them is neither a sphere nor a capsule. The numbers must be valid.
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

// Title implements [Explanation].
func (x *Pair) Title() string {
	return fmt.Sprintf("%s and %s are %s", x.Names[0], x.Names[1], x.Relation)
}

// Document implements [Explanation]. It does not depend on the detail.
func (x *Pair) Document(Detail) *Document {
	d := &Document{}
	d.heading(1, x.Title())
	d.paragraph("A capsule is the set of points within its radius of its axis. The comparison does not round: " +
		"every number is taken as the decimal in the file, and multiplied by a power of ten to make it an integer. " +
		"· is the dot product, × the cross product, |v| the length of v.")
	d.paragraph(fmt.Sprintf("In multiples of %s:", x.Unit()))
	d.equations(x.steps())
	return d
}

// Unit returns the unit of the integers, 10^Exponent, as a decimal.
func (x *Pair) Unit() string {
	e := x.Exponent
	if e >= 0 {
		return "1" + strings.Repeat("0", e)
	}
	return "0." + strings.Repeat("0", -e-1) + "1"
}

// Steps derives the relation. The formulas are those of package exact.
func (x *Pair) Steps() []Step { return stepsOf(x.steps()) }

func (x *Pair) steps() []formula.Step {
	d, _ := derive.Capsules(x.Whole[0], x.Whole[1])
	return d.Steps()
}

// Gap returns the distance between the two infinite lines on which the axes lie, in scene units and
// rounded: |h| / √D, measured along their common perpendicular. If the two lines lie in one plane, Gap
// returns 0 and false. It decides this exactly, with integers.
func (x *Pair) Gap() (gap float64, apart bool) {
	whole, apart := derive.Gap(x.Whole[0], x.Whole[1])
	if !apart {
		return 0, false
	}
	unit, _ := new(big.Float).SetString(fmt.Sprintf("1e%d", x.Exponent))
	gap, _ = whole.Mul(whole, unit).Float64()
	return gap, true
}
