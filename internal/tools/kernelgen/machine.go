package main

import . "github.com/mmcloughlin/avo/operand"

// machine is the instruction set of a target. The arithmetic of the solids (solids.go) is written once,
// in terms of these operations. Loops over rays, and code that depends on the number of lanes, are
// written for each machine.
type machine interface {
	load(base, index address, disp int) vec
	store(v vec, base, index address, disp int)
	keep(v vec, base address, disp int) (read func() vec) // spills v to the given memory if there are too few registers
	all(base address, disp int) vec                       // a number in memory, in every lane
	constant(v float64) vec
	zero() vec
	move(from, to vec)

	add(a, b vec) vec
	sub(a, b vec) vec
	mul(a, b vec) vec
	div(a, b vec) vec
	sqrt(a vec) vec
	larger(a, b vec) vec  // a unless b > a, so a for NaN
	smaller(a, b vec) vec // a unless b < a, so a for NaN

	compare(r relation, a, b vec) mask // lanes in which the relation between a and b holds
	and(a, b mask) mask
	or(a, b mask) mask
	without(a, b mask) mask
	choose(k mask, a, b vec) vec // a where k holds, b elsewhere

	leaveIfAny(k mask, label string) // jumps to the end of the block with the label
	leaveIfNone(k mask, label string)
	ifAny(k mask, label string, then func())
}

// target is the machine for which kernels are being generated.
var target machine

type (
	address = Op
	vec     = Op
	mask    = Op // all bits of a lane, or none
)

// relation is a predicate of VCMPPD, without exceptions.
type relation = U8

const (
	// These are false if a number is NaN.
	equal          = relation(0x00)
	less           = relation(0x11)
	lessOrEqual    = relation(0x12)
	greaterOrEqual = relation(0x1d)
	greater        = relation(0x1e)

	// These are true if a number is NaN.
	notLess        = relation(0x15)
	notLessOrEqual = relation(0x16)
	notGreater     = relation(0x1a)
)

func constant(v float64) vec            { return target.constant(v) }
func zero() vec                         { return target.zero() }
func move(from, to vec)                 { target.move(from, to) }
func add(a, b vec) vec                  { return target.add(a, b) }
func sub(a, b vec) vec                  { return target.sub(a, b) }
func mul(a, b vec) vec                  { return target.mul(a, b) }
func div(a, b vec) vec                  { return target.div(a, b) }
func sqrt(a vec) vec                    { return target.sqrt(a) }
func larger(a, b vec) vec               { return target.larger(a, b) }
func smaller(a, b vec) vec              { return target.smaller(a, b) }
func compare(r relation, a, b vec) mask { return target.compare(r, a, b) }
func and(a, b mask) mask                { return target.and(a, b) }
func or(a, b mask) mask                 { return target.or(a, b) }
func without(a, b mask) mask            { return target.without(a, b) }
func choose(k mask, a, b vec) vec       { return target.choose(k, a, b) }

func dot(a, b [3]vec) vec {
	return add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]))
}
