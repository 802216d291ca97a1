// Package fit finds solids that contain a triangle mesh tightly: the sphere, capsule, cylinder or
// oriented box of the least volume, or several of them, each around a piece of the mesh.
//
// Every point of every triangle lies in a solid: the mesh is divided at planes, and each solid is convex and contains
// all corners of its piece. If the mesh is closed, the solids also contain the volume that it bounds. Solids are
// slightly larger than necessary, so that they still contain the mesh when their numbers are written with 12 digits:
// see [Solid.Grow].
//
// The volumes are small, but not always the smallest possible. Candidates for the axis of a solid are
// the normals of the mesh, its principal axes and the coordinate axes; the best of these are improved
// by small rotations. For a given axis, the circle around the mesh is the smallest one (Welzl,
// "Smallest enclosing disks (balls and ellipsoids)", 1991), and so is the rectangle (Freeman and
// Shapira, "Determining the minimum-area encasing rectangle for an arbitrary closed curve", 1975).
//
// Lengths are in the units of the mesh. Products are rounded before they are added, never fused, so a
// mesh gives the same solids on every machine. All functions are safe for concurrent use. They do not
// modify their arguments; [Solid.Grow] modifies its receiver.
package fit

import (
	"math"

	"pillbox/geom"
)

// Kind is a kind of solid.
type Kind uint8

// The kinds. If the volumes of several kinds differ by at most a millionth, the kind that comes first here is chosen.
const (
	Sphere Kind = iota
	Capsule
	Cylinder
	Box
)

// String returns the kind's name in scene files.
func (k Kind) String() string { return [...]string{"sphere", "capsule", "cylinder", "box"}[k] }

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Sphere, Capsule, Cylinder, Box} }

// Solid is a fitted solid.
type Solid struct {
	Kind        Kind
	Center      geom.Vec3 // of a sphere or a box
	A, B        geom.Vec3 // the ends of the axis of a capsule or a cylinder
	Radius      float64   // of a sphere, a capsule or a cylinder
	HalfExtents geom.Vec3 // of a box, along its axes
	Axes        geom.Mat3 // of a box: an orthonormal, right-handed rotation
}

// Volume returns the volume of the solid.
func (s *Solid) Volume() float64 {
	disc := math.Pi * s.Radius * s.Radius
	switch s.Kind {
	case Sphere:
		return ballVolume(s.Radius)
	case Capsule:
		return float64(disc*s.B.Sub(s.A).Norm()) + ballVolume(s.Radius)
	case Cylinder:
		return disc * s.B.Sub(s.A).Norm()
	default:
		return 8 * s.HalfExtents.X * s.HalfExtents.Y * s.HalfExtents.Z
	}
}

func ballVolume(r float64) float64 { return 4.0 / 3 * math.Pi * r * r * r }

// Options control a fit.
type Options struct {
	Most  int    // the maximum number of solids; 0 means 1
	Kinds []Kind // the kinds to use; empty means all
}

// Fit is the result of [Mesh]: solids that together contain the mesh.
type Fit struct {
	Solids []Solid

	// Volume is the sum of the volumes of the solids, which may overlap. If the mesh is closed, Reference is its
	// volume, provided that this is neither almost 0 nor clearly larger than the volume of its convex hull. Otherwise
	// Reference is approximately the volume of the convex hull. It is 0 if the mesh is flat or has no triangles.
	Volume, Reference float64
	Closed            bool // whether Reference is the volume of the mesh
}

// Ratio returns Volume / Reference, but at least 1. It returns false if Reference is 0.
func (f *Fit) Ratio() (float64, bool) {
	if f.Reference == 0 {
		return 0, false
	}
	return max(1, f.Volume/f.Reference), true
}

// Mesh fits solids to a mesh: vertices, and triangles as indices of vertices. All vertices must be in
// the range of coordinates (geom.IsCoordinate). Vertices that belong to no triangle are ignored.
// Without triangles, the result has no solids.
func Mesh(vertices []geom.Vec3, triangles [][3]int, opt Options) Fit {
	if len(opt.Kinds) == 0 {
		opt.Kinds = Kinds()
	}
	if len(triangles) == 0 {
		return Fit{}
	}
	corners := make([][3]geom.Vec3, len(triangles))
	for i, t := range triangles {
		corners[i] = [3]geom.Vec3{vertices[t[0]], vertices[t[1]], vertices[t[2]]}
	}
	whole := newPiece(corners, opt.Kinds)
	var f Fit
	f.Reference, f.Closed = reference(vertices, triangles, whole.cloud)
	for _, p := range split(whole, max(1, opt.Most), opt.Kinds) {
		f.Solids = append(f.Solids, p.solid)
		f.Volume += p.solid.Volume()
	}
	return f
}
