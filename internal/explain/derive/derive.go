// Package derive shows, formula by formula, how packages shapes and exact compute their results.
//
// [Of] returns the derivations for one solid: where a line crosses it, the normal there, and whether a segment touches
// it. [Capsules] derives whether two capsules overlap, in integers. The results equal those of the explained packages,
// bit for bit.
//
// Conventions: a ray has the origin o and the direction d, a segment the ends P and Q. A derivation
// must not be used concurrently.
package derive

import (
	"fmt"
	"strings"

	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// Derivation is a derivation in floats.
type Derivation = formula.Derivation[formula.Float]

// Solid derives what package shapes computes about one solid.
type Solid interface {
	// Chord derives where the line o + t d crosses the solid: t_near and t_far.
	Chord(d *Derivation) Chord

	// Normal derives the outward normal at an end of the chord, after Chord.
	Normal(d *Derivation, e End) geom.Vec3

	// Touches derives whether the closed segment from P to Q touches the closed solid.
	Touches(d *Derivation) bool
}

// Of returns the derivations for a solid. It panics if the solid's type is not one of package shapes.
func Of(s shapes.Shape) Solid {
	switch s := s.(type) {
	case *shapes.Sphere:
		return sphere{s}
	case *shapes.Capsule:
		return capsule{s}
	case *shapes.Box:
		return box{s}
	case *shapes.Cylinder:
		return cylinder{s}
	}
	panic(fmt.Sprintf("derive: no derivation for %T", s))
}

// Chord is where a line crosses a solid, and through which parts of its surface.
type Chord struct {
	OK                bool    // whether the line hits the solid; if not, the other fields are zero
	Near, Far         float64 // distances from the origin, Near <= Far; equal if the line is tangent
	NearPart, FarPart string  // such as a capsule's body or ball, a box's face, a cylinder's side or disc; "" for a sphere
}

// End is an end of a chord. Root is the symbol of its distance, Normal the symbol for its normal, and Part the part of
// the surface, as in [Chord].
type End struct{ Root, Normal, Part string }

// Ray begins a derivation about a ray. The ray's symbols are hidden steps, because a document usually
// introduces them before.
func Ray(r geom.Ray) *Derivation {
	d := formula.New[formula.Float]()
	d.Know("o", formula.Vector(r.Origin), "the ray's origin")
	d.Know("d", formula.Vector(r.Dir), "the ray's direction")
	return d
}

// Roots derives where the line of a ray crosses a solid.
func Roots(r geom.Ray, s shapes.Shape) (*Derivation, Chord) {
	d := Ray(r)
	return d, Of(s).Chord(d)
}

// call returns the formula function(terms...), where function is min or max. For a single term, it
// returns the term.
func call(function string, terms ...string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	return function + "(" + strings.Join(terms, ", ") + ")"
}
