// Package model holds a scene while it is converted from another program's file: the readers of
// formats fill a [Scene], and [Scene.Write] writes it as a scene file.
//
// A [Scene] is what a scene file can say, in its own words: parts and placements, materials by
// name, colors as text. It need not be valid. Writing makes names unique, shares equal parts,
// leaves out what nothing uses, puts many solids of one kind into bulk tables and computes a view
// and lights for a scene that has none; what it writes can be loaded. The [Account] describes what of the
// file could not be shown.
//
// Conventions: as in scene files lengths are in units of the file, angles in degrees, coordinates
// right-handed; which way is up is for the scene to say. Numbers are written with 12 digits.
package model

import (
	"io"
	"io/fs"

	"pillbox/camera"
	"pillbox/geom"
)

// Source is a file that is converted.
type Source struct {
	Name   string    // in messages
	Text   io.Reader // the contents of the file
	Folder fs.FS     // contains the files that it may refer to; nil if none exist
	Dir    string    // the path of the file's own folder in Folder; "" is Folder itself
}

// Scene is a scene that is made from another program's file. Its embedded Part has the solids, lights and
// placements of the scene itself. A scene in which no part has a light that a scene can have gets one that is
// attached to the camera, and stands to its left and above.
type Scene struct {
	Source string   // the source, for the first line of the scene file: a name and a format
	Maker  string   // the command that makes it, for that line, too; \"\": render import
	Notes  []string // more lines
	Files  []string // that were read besides the source, as messages have them

	Up            geom.Vec3      // zero: y
	Width, Height int            // of the picture; 0: what is usual
	Background    *Gradient      // nil: what is usual
	Camera        *camera.Camera // nil, or one that cannot see: a view of everything but grounds
	From          geom.Vec3      // the direction from which that view is seen; zero: from the right, above, in front
	Ambient       *Gradient      // light from everywhere; nil: some if there are no lights, else what is usual
	Materials     []Material     // those that nothing uses are not written

	Part
	Account Account
}

// Gradient is one color straight up and another straight down.
type Gradient struct{ Top, Bottom Color }

// Light is a light that has a position, a direction, or both and a cone.
type Light struct {
	Name        string
	Attached    bool // to the camera, along whose axes it stands or shines; in no part but the scene itself
	Directional bool
	Vector      geom.Vec3 // the position, or the direction in which the light travels; not zero
	Beam        *Beam     // of a spot light; nil: the light shines in all directions
	Color       Color     // "": white
	Intensity   float64   // 0 to 1e15
}

// Beam is the beam of a spot light.
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
	Color Color   // of every other square
	Size  float64 // the length of their edges
}

// Part is a set of solids, lights and copies of other parts. The same part may be placed in several
// others; none may contain itself.
type Part struct {
	Name      string // a suggestion: other parts may have it, too
	Spheres   []Sphere
	Capsules  []Capsule
	Boxes     []Box
	Cylinders []Cylinder
	Lights    []Light // but those that no scene can have
	Places    []Place
}

// Len is the number of the part's own solids.
func (p *Part) Len() (n int) {
	for _, k := range p.kinds() {
		n += k.len()
	}
	return n
}

// Label is what a solid has besides its geometry. All may be empty.
type Label struct {
	Name     string // a suggestion: it may be there twice
	Material string // the name of one in Scene.Materials
	Color    Color  // instead of a material
}

// Sphere is a ball.
type Sphere struct {
	Center geom.Vec3
	Radius float64
	Label
}

// Capsule is all that is within Radius of the axis from A to B.
type Capsule struct {
	A, B   geom.Vec3
	Radius float64
	Label
}

// Box is a box that is turned about its center.
type Box struct {
	Center      geom.Vec3
	HalfExtents geom.Vec3
	Rotation    Quaternion
	Ground      bool // a view that is computed need not show all of it
	Label
}

// Cylinder is all that is within Radius of the line through A and B, between two flat discs around these points, which
// differ.
type Cylinder struct {
	A, B   geom.Vec3
	Radius float64
	Label
}

// Place is a copy of a part, or a row or ring of copies.
type Place struct {
	Part *Part
	Name string // a suggestion
	Pose
	Material string // for solids that have neither material nor color
	Color    Color
	Count    int  // of copies; 0 means 1
	Step     Step // what lies between a copy and the next, as in scene files
}

// Step is what lies between a copy and the next.
type Step struct {
	Position geom.Vec3
	Axis     geom.Vec3 // zero: the copies are not turned
	Angle    geom.Angle
}

// copies is the number of copies, 1 at least.
func (p *Place) copies() int { return max(1, p.Count) }
