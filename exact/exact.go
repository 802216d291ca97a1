// Package exact decides whether two capsules overlap, touch or lie apart, without rounding.
//
// A capsule is the set of points within distance R of a segment, its axis. It is a stadium in the plane and
// a pill in space; if its axis has length zero, it is a disc or a sphere. Coordinates and radii are integers
// of any size. The package compares the squared distance of the axes with (r1 + r2)². Where the squared
// distance is a fraction, both sides are multiplied by its denominator. So the comparison needs only
// sums and products of integers: no floating point, division or square root.
//
// As a result, the answer for (a, b) equals the answer for (b, a). It does not change if the ends of an axis are
// swapped, or if all numbers are multiplied by the same positive integer. It also does not change if the same
// operation moves both capsules: permuting the coordinates, negating a coordinate, or adding an integer to it.
//
// [Decimal3] is a capsule whose coordinates and radius are decimals. Multiplied by a power of ten, they
// become integers. [Decimal] is a single decimal with exact arithmetic.
//
// Functions do not modify their arguments and are safe for concurrent use.
package exact

import (
	"errors"
	"fmt"
	"math/big"
)

// Relation says how two closed capsules lie relative to each other.
type Relation int

const (
	Apart       Relation = iota // no common point: the axes are further apart than r1 + r2
	Touching                    // common points, but none inside both: the axes are r1 + r2 apart
	Overlapping                 // the axes are nearer to each other than r1 + r2
)

// String returns "apart", "touching" or "overlapping".
func (r Relation) String() string {
	switch r {
	case Apart:
		return "apart"
	case Touching:
		return "touching"
	case Overlapping:
		return "overlapping"
	}
	return fmt.Sprintf("Relation(%d)", int(r))
}

// Capsule2 is a stadium: the points of the plane within distance R of the closed segment from P to
// Q. If P equals Q it is a disc, if R is zero the bare segment.
type Capsule2 struct {
	P, Q [2]*big.Int
	R    *big.Int
}

// Validate returns an error if a number is nil or the radius is negative. The package treats such a
// stadium as the empty set.
func (c Capsule2) Validate() error {
	return c.lift().Validate()
}

// lift returns c in space, at height zero. Distances do not change.
func (c Capsule2) lift() Capsule3 {
	zero := new(big.Int)
	return Capsule3{
		P: [3]*big.Int{c.P[0], c.P[1], zero},
		Q: [3]*big.Int{c.Q[0], c.Q[1], zero},
		R: c.R,
	}
}

// Capsule3 is a pill: the points of space within distance R of the closed segment from P to Q. If P
// equals Q it is a sphere, if R is zero the bare segment.
type Capsule3 struct {
	P, Q [3]*big.Int
	R    *big.Int
}

// Validate returns an error if a number is nil or the radius is negative. The package treats such a
// pill as the empty set.
func (c Capsule3) Validate() error {
	for i := range c.P {
		if c.P[i] == nil {
			return fmt.Errorf("P[%d]: must be an integer, got nil", i)
		}
		if c.Q[i] == nil {
			return fmt.Errorf("Q[%d]: must be an integer, got nil", i)
		}
	}
	if c.R == nil {
		return errors.New("R: must be an integer, got nil")
	}
	if c.R.Sign() < 0 {
		return fmt.Errorf("R: must not be negative, got %v", c.R)
	}
	return nil
}

// Relate2 returns whether the closed stadiums a and b are apart, touch or overlap. Two bare segments (R
// = 0) that meet are Touching; a bare segment that reaches inside a stadium is Overlapping with it. A
// stadium that Validate rejects is empty, hence Apart from everything.
func Relate2(a, b Capsule2) Relation {
	return Relate3(a.lift(), b.lift())
}

// Relate3 returns whether the closed pills a and b are apart, touch or overlap. Two bare segments (R =
// 0) that meet are Touching; a bare segment that reaches inside a pill is Overlapping with it. A pill
// that Validate rejects is empty, hence Apart from everything.
func Relate3(a, b Capsule3) Relation {
	if a.Validate() != nil || b.Validate() != nil {
		return Apart
	}
	if a.fits() && b.fits() {
		return relate(convert(a, newInt128), convert(b, newInt128))
	}
	return relate(convert(a, newBigInt), convert(b, newBigInt))
}

// Intersects2 reports whether the open stadiums a and b, that is, without their outlines, have a point
// in common. With R <= 0 an open stadium is empty and intersects nothing.
func Intersects2(a, b Capsule2) bool {
	return Intersects3(a.lift(), b.lift())
}

// Intersects3 reports whether the open pills a and b, that is, without their surfaces, have a point in
// common. With R <= 0 an open pill is empty and intersects nothing.
func Intersects3(a, b Capsule3) bool {
	return Relate3(a, b) == Overlapping && a.R.Sign() > 0 && b.R.Sign() > 0
}

// SegmentsIntersect reports whether the closed segments p1 q1 and p2 q2 of the plane have a point in
// common. A segment of length zero is a point. A segment with a nil coordinate is empty.
func SegmentsIntersect(p1, q1, p2, q2 [2]*big.Int) bool {
	a := Capsule2{P: p1, Q: q1, R: new(big.Int)}.lift()
	b := Capsule2{P: p2, Q: q2, R: new(big.Int)}.lift()
	if a.Validate() != nil || b.Validate() != nil {
		return false
	}
	if a.fits() && b.fits() {
		return meet(convert(a, newInt128), convert(b, newInt128))
	}
	return meet(convert(a, newBigInt), convert(b, newBigInt))
}
