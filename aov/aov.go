// Package aov renders views of a scene other than its picture, what renderers call arbitrary
// output variables: how far away, turned which way, which solid, how lit, how often mirrored
// and how costly what a pixel shows is, and its color as linear light.
//
// Each value is a pure function of the scene, the size of the picture and the pixel, whatever
// the number of workers and the region. It belongs to the ray through the pixel's center, also
// in a picture with several rays a pixel, for distances, numbers and normals have no averages
// that mean anything. Only [Color] is the average over all samples.
//
// [Render] returns views as numbers, which [View.WritePFM] writes, [View.Picture] shows them,
// and [Sheet] puts all of them on one sheet.
//
// Conventions: those of package pillbox. Pixel (0, 0) is the top left; regions are half-open.
package aov

import "fmt"

// Kind describes what a view shows.
type Kind int

// The kinds of views. Unless said otherwise a pixel that meets no solid has NaN for each value
// and is transparent in a picture.
const (
	// Depth is the distance along the ray to the solid, in scene units; +Inf if none exists.
	Depth Kind = iota

	// Color is the pixel's linear light, red, green and blue: the average of the samples that the
	// picture has there, each clamped to 0..1, black if all see a transparent background. Encoded
	// it gives the very colors of the picture.
	Color

	// Normal is the surface's unit normal, x, y and z along the scene's axes, turned to face
	// the ray's origin. A picture shows n/2 + 1/2 as red, green and blue.
	Normal

	// Object is the solid's number. A picture gives each number a color, the one that package
	// regress gives it.
	Object

	// Facing is N.V, the cosine of the angle between normal and ray, 0..1; where the ray meets
	// the surface from inside the solid it is negative. A picture shows it as gray, and red
	// inside.
	Facing

	// Shadow is the share of the lights that reach the point, 0..1. A light that the surface
	// faces away from does not, nor does a spot light outside its cone. A picture shows it as gray.
	Shadow

	// Bounces is how often the ray is reflected: 0 for a matte surface, at most the scene's
	// bounces.
	Bounces

	// Cost is what it takes to find what the ray meets: how many nodes of the search tree it
	// enters and how many solids it is tested against, in the walk of one ray alone that
	// defines the result. (Rendering is faster: it walks once for many rays.)
	Cost
)

// Kinds returns all kinds of views.
func Kinds() []Kind {
	return []Kind{Depth, Color, Normal, Object, Facing, Shadow, Bounces, Cost}
}

// ParseKind returns the kind of the given name, and false if none exists.
func ParseKind(name string) (Kind, bool) {
	for _, k := range Kinds() {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}

// String returns the kind's name: the constant's, in lower case.
func (k Kind) String() string {
	names := [...]string{"depth", "color", "normal", "object", "facing", "shadow", "bounces", "cost"}
	if k < 0 || int(k) >= len(names) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return names[k]
}

// Meaning says in a few words what a view of the kind shows.
func (k Kind) Meaning() string {
	return [...]string{
		"distance along the ray",
		"what the picture shows",
		"n/2 + 1/2, facing the ray",
		"a color for each solid",
		"N.V; red from inside",
		"share of lights that arrive",
		"reflections by mirrors",
		"nodes entered + solids tested",
	}[k]
}

// Channels returns the number of values that a pixel has.
func (k Kind) Channels() int {
	if k == Color || k == Normal {
		return 3
	}
	return 1
}

// IsMeasure reports whether a view of the kind is kept as numbers, in a PFM file, because
// programs read its values. The others are pictures for people.
func (k Kind) IsMeasure() bool { return k == Depth || k == Color }
