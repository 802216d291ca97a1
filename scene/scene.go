// Package scene reads scene files into a [Scene].
//
// A scene file is TOML. [Starter] returns a file that explains every key, and [Schema] returns a JSON Schema for
// editors. [Decode] reports the problems of all tables at once. Each is an [*Error] with its position and key. For a
// misspelled word, it suggests a known word if one is similar. A syntax error hides the other problems of its table.
// Keys are case-sensitive. An integer is valid where a float is required, but not the reverse.
//
// Rows of CSV files (bulk files) can define many solids. Included files can define materials and parts, whose copies
// placements put into the scene. [Load], and [Decode] with [WithFiles], read these files, but only from the scene's
// folder. In a [Scene], all parts are expanded to individual solids. [Scene.WriteTOML] writes these solids, without
// parts.
//
// Conventions: coordinates are right-handed with y up, lengths are in scene units, angles in degrees.
// Colors in a file are sRGB, those in a [Scene] are linear light. Object numbers count spheres first,
// then capsules, boxes and cylinders. Within a kind, the order is that of the file: the scene's own
// tables, then the solids of placements, depth first, then the rows of bulk files. In keys such as
// sphere[1].center[2], indices count from 0.
package scene

import (
	"cmp"
	"math"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// Scene is the contents of a scene file. Keys that the file lacks have their defaults, but Camera and Framing are
// nil, Lights is empty and Animation is nil if the file does not have them. Functions in this module do
// not modify a Scene that they are given, except for [Scene.Detach].
type Scene struct {
	Name      string // the name given to [Decode], for messages and titles
	ZUp       bool   // z points up in the world, instead of y; only exports use this
	Image     Image
	Camera    *camera.Camera // nil for a camera that frames the scene: see [Scene.CameraFor]
	Framing   *Framing       // what this camera shows; nil for the default: see [DefaultFraming]
	Shading   Shading
	Lights    []Light    // empty for the default, one light at the camera: see [Scene.PlacedLights]
	Materials []Material // the [material.NAME] tables, sorted by name

	// The solids of each kind in file order, and an entry in Objects for each of them:
	// spheres first, then capsules, boxes and cylinders.
	Spheres   []shapes.Sphere
	Capsules  []shapes.Capsule
	Boxes     []shapes.Box
	Cylinders []shapes.Cylinder
	Objects   Objects

	// AllowedOverlaps lists pairs of patterns, in the syntax of [path.Match], for the names of solids
	// that may overlap or touch each other: see package overlap. There may be at most
	// [MaxAllowedOverlaps]. They do not affect the picture.
	AllowedOverlaps [][2]string

	Outline     *Outline    // the lines along the edges of surfaces; nil for none
	Fog         *Fog        // nil for none
	Colormap    *Colormap   // the colors of values; nil if no solid has a value and the file has no [colormap]
	Sections    []Section   // planes that cut solids, at most MaxSections
	Annotations Annotations // what package figure draws over the picture

	Animation *Animation // nil if the file has none; see [Scene.At]

	Files []File // other files that were read, each once

	keepsDecimals bool // [WithAllDigits] found numbers with more digits than their float64

	Warnings problem.Errors // probable mistakes

	film   *film   // all frames of the film that the scene is or belongs to; nil if it does not move
	motion *motion // nil without [[animate]] tables
	root   *part   // the part that the solids were expanded from; nil if the scene was not read from a file

	density float64 // pixels per inch in print; 0: unknown

	noteTables noteTables // those of the annotations; empty like root
}

// Image describes the picture.
type Image struct {
	Width, Height int  // in pixels
	Antialias     int  // n, for n x n rays per pixel
	Adaptive      bool // cast n x n rays only for pixels that differ from their neighbors
	Background    Background
}

// Background is the color of rays that hit nothing, or transparent.
type Background struct {
	Transparent    bool
	shade.Gradient // color by the direction of the ray; ignored if Transparent
}

// Shading holds settings for all surfaces.
type Shading struct {
	Ambient shade.Gradient // ambient light, by the direction in which a surface faces
	Shadows bool
	Bounces int // largest number of reflections in mirrors along a path

	// Samples is the number of rays that are cast from a point of a surface to each light with a size and, for ambient
	// occlusion, into the sky. They are cast only where solids may hide the light or the sky. Samples is a power of
	// two, at most [MaxSamples]. Zero means the default of scene files, 16.
	Samples int

	Occlusion Occlusion

	// Flat shows the albedo of each surface, as if white light fell on it evenly: there are no lights, shadows and
	// mirrors, and all other settings of Shading are ignored.
	Flat bool
}

// SampleCount returns Samples or, if that is zero, its default.
func (s *Shading) SampleCount() int { return cmp.Or(s.Samples, int(defaultSamples)) }

// Occlusion controls ambient occlusion: how solids near a surface darken its ambient light.
type Occlusion struct {
	Enabled bool

	// Distance is the largest distance from a surface at which solids darken it. Zero means any distance: then only
	// the background gives ambient light. It is ignored unless Enabled is set.
	Distance float64
}

// Reach returns the distance at which solids cease to darken a surface: Distance, or infinity if Distance is zero.
func (o Occlusion) Reach() float64 {
	if o.Distance == 0 {
		return math.Inf(1)
	}
	return o.Distance
}

// Light is a light as described in the file.
type Light struct {
	Name string // "" if the file gives none

	// Attached is true if the light moves with the camera. Then Position and Direction are in camera coordinates:
	// right, up and toward the viewer; Position is relative to that of the camera. See [Light.InScene].
	Attached bool

	shade.Light

	stated geom.Vec3 // the direction in the file before it was normalized
}

// Material is a named surface.
type Material struct {
	Name string
	shade.Material
}
