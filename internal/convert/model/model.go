// Package model holds a scene while it is converted from another program's file: the readers of
// formats fill a [Scene], and [Scene.Write] writes it as a scene file.
//
// A [Scene] has the elements of a scene file: parts and placements, materials by name, colors as text. It need not be
// valid: writing makes names unique, merges equal parts, omits unused materials, writes large numbers of solids to bulk
// tables, and adds a camera and lights if the scene has none. A scene that was written can be loaded. The [Account] lists
// the elements of the other program's file that are skipped or shown differently.
//
// Conventions: as in scene files, lengths are in units of the file, angles in degrees, and coordinates
// right-handed. The field Up contains the up direction. Numbers are written with 12 digits.
package model

import (
	"io"
	"io/fs"
	"path/filepath"

	"pillbox/camera"
	"pillbox/geom"
)

// Source is a file to convert.
type Source struct {
	Name   string    // used in messages
	Text   io.Reader // the contents of the file
	Folder fs.FS     // contains the files to which Text may refer; nil: it must not refer to any
	Dir    string    // path of the file's own folder in Folder; "" is Folder itself
	Path   string    // absolute path of Folder, for references with absolute paths; "": unknown
}

// Limited is the text of a file that may have fewer elements, such as atoms, than its format permits: a compressed one.
type Limited interface {
	MaxElements() int // as far as the text was read
}

// Absolute returns the path in s.Folder of a file with an absolute path, or nothing if the path is not absolute or not
// in that folder.
func (s *Source) Absolute(file string) []string {
	if s.Path == "" || !filepath.IsAbs(filepath.FromSlash(file)) {
		return nil
	}
	rel, err := filepath.Rel(s.Path, filepath.FromSlash(file))
	if err != nil || !filepath.IsLocal(rel) {
		return nil
	}
	return []string{filepath.ToSlash(rel)}
}

// HasRoot reports whether the user chose the Folder, with --root. Otherwise, Folder is the folder that contains the
// file.
func (s *Source) HasRoot() bool { return s.Dir != "" }

// Scene is a scene converted from another program's file. The embedded Part contains the scene's own solids, lights and
// placements. If no part has a valid light, writing adds one that is attached to the camera, to the left of it and above.
type Scene struct {
	File   string   // name of the source, in errors of writing
	Source string   // name and format of the source, for the first line of the scene file
	Maker  string   // the command that makes the scene, also for the first line; "": render import
	Notes  []string // more lines of comments
	Files  []string // names of the files that were read in addition to the source

	Up            geom.Vec3      // zero: y
	Width, Height int            // of the picture; 0: the default of scene files
	Antialias     int            // n x n rays per pixel; 0: the default of scene files
	Background    *Gradient      // nil: the default of scene files
	Camera        *camera.Camera // if nil or invalid, writing adds a camera that shows all solids except grounds
	Tight         bool           // the added camera looks along the shortest principal axis, and the solids fill the picture
	From          geom.Vec3      // from the solids toward the added camera; zero: to the right, above, in front
	Ambient       *Gradient      // nil: the default of scene files or, if no light is valid, a gray gradient
	Occlusion     float64        // distance of ambient occlusion; 0: none
	Silhouettes   float64        // width of lines along silhouettes, in pixels; 0: none
	Materials     []Material     // unused materials are not written

	Part
	Account Account
}

// Gradient has one color straight up and another one straight down.
type Gradient struct{ Top, Bottom Color }

// Light is a point light, which has a position, a directional light, which has a direction, or a spot light, which has
// both and a cone.
type Light struct {
	Name        string
	Attached    bool // to the camera: Vector is relative to the camera's axes; only in the scene itself
	Directional bool
	Vector      geom.Vec3 // the position or, if Directional, the direction in which the light travels, not zero
	Beam        *Beam     // the cone of a spot light; nil: the light shines in all directions
	Radius      float64   // of the ball from which a light with a position shines; 0: a point
	Color       Color     // "": white
	Intensity   float64   // 0 to 1e15
}

// Beam describes the cone of a spot light.
type Beam struct {
	Direction  geom.Vec3 // not zero
	Cone, Edge float64   // degrees, as in scene files
}

// Material is a surface that has a name.
type Material struct {
	Name    string
	Color   Color
	Mirror  float64 // weight of the mirror, 0 to 1
	Checker *Checker
}

// Checker is a pattern of squares on the faces of boxes.
type Checker struct {
	Color Color   // color of every other square
	Size  float64 // edge length of the squares
}

// Part is a set of solids, lights and placements of other parts. A part may be placed several times, but must not
// contain itself, not even indirectly.
type Part struct {
	Name      string // a suggestion: other parts may have the same name
	Spheres   []Sphere
	Capsules  []Capsule
	Boxes     []Box
	Cylinders []Cylinder
	Lights    []Light // invalid ones are not written
	Captions  []Caption
	Places    []Place
}

// Len is the number of the part's own solids.
func (p *Part) Len() (n int) {
	for _, k := range p.kinds() {
		n += k.len()
	}
	return n
}

// Caption is a text that is drawn over the picture at a point: a [[label]] of scene files. Its letters have a white
// border.
type Caption struct {
	Text    string
	At      geom.Vec3
	OffsetX float64 // pixels from the point to the left end of the text, with a line between them; 0: the text is at the point
	OffsetY float64
	Size    float64 // of the letters, in pixels; 0: 22
}

// Label holds the properties of a solid other than its geometry. All may be empty.
type Label struct {
	Name     string  // a suggestion: other solids may have the same name
	Material string  // the name of a material in Scene.Materials
	Color    Color   // instead of a material
	Ghost    float64 // the share of a ghost, less than 1; 0 if the surface is opaque
	InHull   bool    // the solid has the material of the scene's hull, instead of a material, color and ghost of its own
}

// The hull is a ghost around the other solids of a scene. All its solids have one material, so within one
// placement of the scene, it shows no surfaces inside.
// The name of the material is HullName, with a number if another material has this name.
const (
	HullName        = "ghost"
	HullColor Color = "#4a8fd6"
	HullShare       = 0.35
)

// Sphere is a ball.
type Sphere struct {
	Center geom.Vec3
	Radius float64
	Label
}

// Capsule is the set of points within Radius of the axis from A to B.
type Capsule struct {
	A, B   geom.Vec3
	Radius float64
	Label
}

// Box is a box that is rotated about its center.
type Box struct {
	Center      geom.Vec3
	HalfExtents geom.Vec3
	Rotation    Quaternion
	Ground      bool // an added camera need not show all of it
	Label
}

// Cylinder is the set of points within Radius of the line through A and B that lie between the planes of its flat ends at A
// and B. A and B must differ.
type Cylinder struct {
	A, B   geom.Vec3
	Radius float64
	Label
}

// Place is a placement: a copy of a part, or a row or a ring of copies.
type Place struct {
	Part *Part
	Name string // a suggestion
	Pose
	Material string // for solids that have neither a material nor a color
	Color    Color
	Count    int  // number of copies; 0 means 1
	Step     Step // from each copy to the next, as in scene files
}

// Step is the movement from each copy to the next.
type Step struct {
	Position geom.Vec3
	Axis     geom.Vec3 // zero: no rotation
	Angle    geom.Angle
}

// copies returns the number of copies, at least 1.
func (p *Place) copies() int { return max(1, p.Count) }
