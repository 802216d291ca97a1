// Package fit finds solids that contain a triangle mesh and are little larger: the sphere, capsule, cylinder
// or oriented box of the least volume, or several of them, each around a piece of the mesh.
//
// Every vertex of the mesh lies in a solid, and so does every point of its triangles. A solid around a piece
// is convex and contains the piece's corners, and the pieces are cut at planes, so the volume that a closed
// mesh bounds lies inside, too. Solids are a little larger than necessary ([Solid.Grow]), so that this also holds
// after their numbers are written with 12 digits.
//
// The volumes are small, not the smallest possible: axes are sought among the normals of the mesh, its
// principal axes and those of the coordinates, and the best of them are improved step by step. Given an axis,
// the circle around the mesh is the smallest one (Welzl, "Smallest enclosing disks (balls and ellipsoids)",
// 1991) and so is the rectangle (Freeman and Shapira, "Determining the minimum-area encasing rectangle for an
// arbitrary closed curve", 1975, one of whose sides lies along an edge of the convex hull).
//
// Lengths are in the units of the mesh. Every product that is added is rounded on its own, so a mesh gives
// the same solids on every machine. All functions are pure and safe for concurrent use.
package fit

import (
	"math"

	"pillbox/geom"
)

// Kind is a kind of solid.
type Kind uint8

// The kinds, in the order in which one is chosen if their volumes are equal.
const (
	Sphere Kind = iota
	Capsule
	Cylinder
	Box
)

// String returns the kind as scene files have it.
func (k Kind) String() string { return [...]string{"sphere", "capsule", "cylinder", "box"}[k] }

// Kinds returns all kinds.
func Kinds() []Kind { return []Kind{Sphere, Capsule, Cylinder, Box} }

// Solid is a fitted solid.
type Solid struct {
	Kind        Kind
	Center      geom.Vec3 // of a sphere or a box
	A, B        geom.Vec3 // the ends of the axis of a capsule or a cylinder
	Radius      float64   // of all but boxes
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

// Contains reports whether a point lies in the solid.
func (s *Solid) Contains(p geom.Vec3) bool {
	switch s.Kind {
	case Sphere:
		return p.Sub(s.Center).Norm() <= s.Radius
	case Capsule:
		nearest, _ := geom.Segment{A: s.A, B: s.B}.Closest(p)
		return p.Sub(nearest).Norm() <= s.Radius
	case Cylinder:
		axis := s.B.Sub(s.A)
		length := axis.Norm()
		along := p.Sub(s.A).Dot(axis) / length
		across := p.Sub(s.A).AddScaled(-along/length, axis)
		return 0 <= along && along <= length && across.Norm() <= s.Radius
	default:
		q := s.Axes.TransposeMulVec(p.Sub(s.Center))
		return math.Abs(q.X) <= s.HalfExtents.X && math.Abs(q.Y) <= s.HalfExtents.Y && math.Abs(q.Z) <= s.HalfExtents.Z
	}
}

// Options control a fit.
type Options struct {
	Most  int    // the number of solids, at most; 0 means 1
	Kinds []Kind // that may be used; none means all
}

// Fit is the solids that contain a mesh.
type Fit struct {
	Solids []Solid

	// Volume is the sum of the volumes of the solids, of which some may overlap. Reference is the volume of the
	// mesh if it is closed, else about that of its convex hull; it is 0 if the mesh is flat.
	Volume, Reference float64
	Closed            bool // whether Reference is the volume of the mesh
}

// Ratio returns how many times larger the solids are than the mesh or its convex hull, at least 1, and
// false if the mesh is flat.
func (f *Fit) Ratio() (float64, bool) {
	if f.Reference == 0 {
		return 0, false
	}
	return max(1, f.Volume/f.Reference), true
}

// Mesh fits solids to a mesh: vertices, and triangles as indices of vertices. All vertices must be
// coordinates (geom.IsCoordinate), and each should be a corner of a triangle: others are ignored. The
// result has no solids if there are no triangles.
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
