// Package accel answers, for whole packets of rays, which solid each ray meets first and
// whether anything blocks it.
//
// Conventions: solids are numbered spheres first, then capsules, then boxes. The nearest
// hit is the one with the smallest distance; among equal distances the smaller number
// wins. A [BVH] holds the solids prepared in a bounding-volume hierarchy and [BruteForce] holds
// them in a plain list; both answer every query with the same bits, those that package
// shapes defines. Both are immutable and safe for concurrent use.
//
// # How a nearest hit is found
//
// [New] prepares the solids and builds the tree, once for a scene:
//
//   - solids.go: the prepared solids, in the order of the tree's leaves. A solid has
//     the object number of the scene and a primitive reference, its place here. sphere.go, capsule.go and box.go
//     hold what a kind precomputes, for rays from anywhere and for rays from one origin.
//   - build.go: the surface-area heuristic over bins. tree.go: nodes with eight children each, and
//     the traversal that visits the leaves inside a volume, the nearest first.
//
// [BVH.Nearest] (bvh.go) then cuts a packet of camera rays into squares of at most 32 x 32:
//
//   - screen.go: the bounds of a node's children are projected to rectangles of samples. The traversal walks
//     the tree once for all rays of such a square, so those of a square that meets no bounds are never made.
//   - depthbuffer.go: a coarse depth buffer says how far the rays of each block of 4 x 4 still look, so that nodes
//     and leaves that are hidden from all rays that may meet them are left out.
//   - projection.go: a solid of a leaf is projected to the rectangle of samples that may meet it.
//   - packet.go: the rays in that rectangle are made, tested and keep their nearest hit. At the end the hits
//     get their points and normals.
//   - kernels.go, kernels_simd.go and kernelgen: the inner loops for four rays at a time on amd64, for two
//     in wasm. They give the bits of the portable code beside them, which runs where none exist.
//
// Other rays have walks of their own, over the same tree and the same prepared solids:
//
//   - ray.go and singleray.go: single rays, whose slab test is that of the literature, in single
//     precision. BVH.NearestEach asks for many. A packet whose vectors are not perpendicular falls back
//     on them, and probe.go reports their steps. stream.go: several of them at once, each on its own way.
//   - group.go, frustum.go, shaft.go, shadow.go and reflection.go: shadow rays and reflected rays, in groups
//     that leave one solid, each with a shaft around it.
//   - cost.go: counts nodes and tests, so that a walk that rays share is abandoned when it costs more
//     than single rays would.
//   - pairs.go: pairs of solids whose bounds overlap.
//
// Bounds, frusta, shafts and projections only cull. BVH.slack (bvh.go) says by how much all of
// them are widened so that none culls a hit; brute.go is what tests compare with.
//
// # Rays that leave a surface
//
// Shadow rays and reflected rays start a rounding error above or below the surface that they
// leave, so what they meet is decided by identity and direction, never by an epsilon:
//
//   - The solid that the ray leaves is convex. From outside it is never met again. From
//     inside, a reflected ray meets it where it leaves it.
//   - Another solid is met only where the ray enters it, so a neighbor that shares the
//     surface or a joint does not matter.
//   - A solid that contains the eye contains the whole path from it, so it is met only
//     where the ray leaves it.
package accel

import (
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// Hit describes what a ray meets first. If that is nothing, T is +Inf and Object is [None]; the
// other fields mean nothing then.
type Hit struct {
	T      float64   // distance along the ray
	Point  geom.Vec3 // where that is: Ray.At(T)
	Normal geom.Vec3 // outward, unit length, whichever side was hit
	Object int32     // the solid's number, or [None]
	Inside bool      // the ray came from inside the solid
}

// None represents no solid.
const None int32 = -1

// SecondaryRay is a ray that leaves a surface.
type SecondaryRay struct {
	Ray    geom.Ray
	Object int32 // the solid that the ray leaves
	Inside bool  // it leaves the inner side of that solid's surface

	// Eye lists the solids that contain the eye, as [BVH.Enclosing] gives them. Many
	// rays may share it; it is not modified.
	Eye []int32
}

// crossingRule says which crossings of a solid a ray may meet.
type crossingRule uint8

const (
	either   crossingRule = iota // the first crossing ahead
	entering                     // where the ray enters, if that lies ahead
	enclosed                     // where the ray leaves, if that lies ahead
	leaving                      // where the line leaves, even if rounding put it behind the origin
)

// pick applies the rule to the two crossings of a solid.
func (s crossingRule) pick(near, far float64) (t float64, inside, ok bool) {
	switch {
	case s == leaving:
		return far, true, true
	case s == enclosed:
		return far, true, far > 0
	case near > 0:
		return near, false, true
	case s == either && far > 0:
		return far, true, true
	}
	return 0, false, false
}

// rule returns which crossings the ray may meet of a solid that it does not leave.
func (d *SecondaryRay) rule(object int32) crossingRule {
	if len(d.Eye) > 0 && slices.Contains(d.Eye, object) {
		return enclosed
	}
	return entering
}

// encloses reports whether p lies in the solid deeper than rounding can tell from its
// surface. It intersects the line from p toward the middle of the solid's bounds: it encloses p if the line enters far
// enough behind p.
func encloses(s shapes.Shape, p geom.Vec3) bool {
	bounds := s.Bounds()
	if !bounds.Contains(p) {
		return false
	}
	dir, ok := geom.Direction(bounds.Center().Sub(p))
	if !ok {
		return true
	}
	span, ok := s.Span(geom.Ray{Origin: p, Dir: dir})
	return ok && span.Near.T < -2*shapes.Slack*bounds.Size().Norm()
}
