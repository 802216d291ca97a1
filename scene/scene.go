// Package scene reads scene files and holds what they say.
//
// A scene file is TOML; [Starter] is one that explains every key, [Schema] describes the
// format to editors. [Decode] reports every problem of a file at once, each an [*Error]
// with its place in the file, the full key, and the nearest known word for an unknown one.
// Keys are case-sensitive. An integer may represent a float, but not the reverse. Solids by
// the thousand may be rows of CSV files, and parts, of which placements put copies into the
// scene, may appear in other files; [Load], and [Decode] with [WithFiles], read these as well,
// from the scene's folder and nowhere else. A [Scene] has every solid on its own, parts expanded, and
// [Scene.WriteTOML] writes it so.
//
// Conventions: coordinates are right-handed with y up, lengths are in scene units, angles
// in degrees. A file's colors are sRGB, those of a [Scene] are linear light. Solids are
// numbered spheres first, then capsules, then boxes, each kind in file order: the scene's own
// tables, then what placements make, depth first, then the rows of bulk files. In keys such as sphere[1].center[2]
// indices count from 0.
package scene

import (
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// Scene is what a scene file says, with every default filled in. It is plain data; nothing
// in this module modifies a Scene that it is given.
type Scene struct {
	Name      string // the file's name as given to [Decode]; used in messages only
	Image     Image
	Camera    *camera.Camera // nil: the scene is framed, see [Scene.View]
	Shading   Shading
	Lights    []Light    // none: one light at the camera, see [Scene.LightsFrom]
	Materials []Material // the [material.NAME] tables, sorted by name

	// The solids of each kind in file order, and an entry in Objects for each of them:
	// spheres first, then capsules, boxes and cylinders.
	Spheres   []shapes.Sphere
	Capsules  []shapes.Capsule
	Boxes     []shapes.Box
	Cylinders []shapes.Cylinder
	Objects   Objects

	// AllowedOverlaps are pairs of patterns, as [path.Match] has them, of the names of solids that
	// may overlap or touch each other: see [Scene.Overlaps]. At most [MaxAllowedOverlaps]; they
	// change no pixel.
	AllowedOverlaps [][2]string

	Animation *Animation // nil: the file has none. See [Scene.At]

	Files []File // that were read besides the scene's own, each once

	keepsDecimals bool // [WithAllDigits] found some that are longer than their float64

	Warnings Errors // what is probably a mistake

	motion *motion // nil: nothing changes with time
	root   *part   // what the solids were expanded from; nil if the scene was not read from a file
}

// Image describes the picture.
type Image struct {
	Width, Height int  // in pixels
	Antialias     int  // n: n x n rays per pixel
	Adaptive      bool // only where one ray through the center is not enough
	Background    Background
}

// Background is what a ray sees that meets nothing.
type Background struct {
	Transparent    bool
	shade.Gradient // of the ray's direction; ignored if Transparent
}

// Shading holds what is common to all surfaces.
type Shading struct {
	Ambient shade.Gradient // light from everywhere, of the direction in which a surface faces
	Shadows bool
	Bounces int // how often a mirror ray may be reflected
}

// Light is a light as the file describes it.
type Light struct {
	Name string // "" if the file gives none

	// Attached says that the light moves with the camera: its Position or Direction is along the
	// camera's axes, right, up and toward the viewer, a position from the camera's. See [Light.From].
	Attached bool

	shade.Light

	stated geom.Vec3 // the direction as the file has it: normalizing cannot be undone
}

// Material is a named surface.
type Material struct {
	Name string
	shade.Material
}
