// Package aov renders views of a scene other than its picture. Renderers call such views arbitrary output
// variables (AOVs). A view shows one property of what each pixel sees: the distance, the normal, the solid,
// the lights that reach it, the open share of the sky, the number of reflections, the cost of traversal, or
// the color as linear light.
//
// Each value depends only on the scene, the picture's size and the pixel, not on the number of workers
// or the region. It is the value of the single ray through the pixel's center, even if the picture has
// several rays per pixel, because averages of distances, numbers and normals are meaningless. Only
// [Color] is the average over all samples of the pixel, and depends on their number.
//
// [Render] returns views as numbers. [View.WritePFM] writes them to a file, [View.Picture] draws one
// view, and [Sheet] draws all views on one sheet.
//
// The conventions are those of package pillbox: pixel (0, 0) is the top left, and regions are half-open.
package aov

import "fmt"

// Kind describes what a view shows.
type Kind int

// The kinds of views. Unless stated otherwise, a pixel whose ray hits no solid has the value NaN in
// each channel and is transparent in a picture.
const (
	// Depth is the distance along the ray to the solid, in scene units; +Inf if the ray hits none.
	Depth Kind = iota

	// Color is the pixel's linear light, as red, green and blue: the average of the pixel's samples, each
	// clamped to 0..1. The average ignores samples that see a transparent background. If all samples see
	// it, the color is black. The color includes the lines of [scene.Scene.Outline]. Encoded as sRGB, it
	// gives exactly the colors of the picture.
	Color

	// Normal is the surface's unit normal, x, y and z along the scene's axes, turned to face
	// the ray's origin. A picture shows n/2 + 1/2 as red, green and blue.
	Normal

	// Object is the solid's number. A picture shows a color that depends only on the number.
	Object

	// Facing is N.V, the cosine of the angle between the normal and the direction to the ray's origin. It is
	// 0..1, or -1..0 if the ray hits the surface from inside the solid. A picture shows positive values in gray
	// and negative ones in red.
	Facing

	// Shadow is the fraction of the lights that reach the point, 0..1. For example, 0.5 means one of two
	// lights. A light with a size counts in proportion to its visible part. A light does not reach a
	// surface that faces away from it, nor a point outside its cone. A scene without lights counts as
	// having one light, at the camera. If the colors of the scene are flat, the value is 1. A picture shows
	// the fraction in gray.
	Shadow

	// Occlusion is the open share of the sky above the point, 0..1. It is computed from the same directions
	// as the ambient light of the picture: see [pillbox/scene.Occlusion]. In a scene without ambient
	// occlusion, solids at any distance hide the sky. A picture shows the share in gray.
	Occlusion

	// Bounces is how often mirrors reflect the ray: 0 for a matte surface, at most the scene's limit of
	// bounces.
	Bounces

	// Cost is the work of finding the ray's closest hit alone: the number of nodes of the bounding-volume
	// hierarchy that the ray enters, plus the number of solids that it is tested against. The root always
	// counts as entered. A ray that hits nothing has a cost, too. Rendering costs less, because it
	// traverses the hierarchy once for many rays.
	Cost
)

// Kinds returns all kinds of views.
func Kinds() []Kind {
	return []Kind{Depth, Color, Normal, Object, Facing, Shadow, Occlusion, Bounces, Cost}
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

// String returns the name of the constant k in lower case, such as "depth".
func (k Kind) String() string {
	names := [...]string{"depth", "color", "normal", "object", "facing", "shadow", "occlusion", "bounces", "cost"}
	if k < 0 || int(k) >= len(names) {
		return fmt.Sprintf("Kind(%d)", int(k))
	}
	return names[k]
}

// Meaning returns in a few words what a view of kind k shows. k must be one of the constants.
func (k Kind) Meaning() string {
	return [...]string{
		"distance along the ray",
		"what the picture shows",
		"n/2 + 1/2, facing the ray",
		"a color for each solid",
		"N.V; red from inside",
		"share of lights that arrive",
		"open share of the sky above",
		"reflections by mirrors",
		"nodes entered + solids tested",
	}[k]
}

// Channels returns the number of values per pixel in a view of kind k: 3 or 1.
func (k Kind) Channels() int {
	if k == Color || k == Normal {
		return 3
	}
	return 1
}

// IsMeasure reports whether views of kind k are meant for programs and saved as numbers, in PFM files.
// Views of other kinds are meant for people and saved as pictures.
func (k Kind) IsMeasure() bool { return k == Depth || k == Color }
