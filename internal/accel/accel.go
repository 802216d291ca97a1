// Package accel is the acceleration structure: it finds the closest hit of each ray of a packet, and
// whether a shadow ray is blocked.
//
// Conventions: object numbers count spheres first, then capsules, boxes and cylinders. The closest hit is the
// one with the smallest distance; if several solids have exactly that distance, the one with the smallest
// object number (tie.go). A [BVH] holds the solids in a bounding-volume hierarchy, and [BruteForce] holds
// them in a plain list. For every query about hits, both give the same bits, namely those that package shapes
// computes. (MayOcclude and Cover are different: they predict what rays would find, to save rays. BruteForce makes no
// such predictions.) Both are immutable and safe for concurrent use.
//
// # How a closest hit is found
//
// [New] prepares the solids and builds the tree, once per scene:
//
//   - solids.go: the prepared solids, in the order of the tree's leaves. Each has its object number in
//     the scene and a primitive reference, which says where it is stored. sphere.go, capsule.go, box.go
//     and cylinder.go contain the values that each kind precomputes, for rays from any origin and for
//     rays from one origin.
//   - build.go and bins.go: the binned surface-area heuristic. tree.go: nodes with eight children each,
//     and the traversal that visits the leaves that a volume meets, nearest first.
//
// [BVH.Nearest] (bvh.go) divides a packet of camera rays into squares of at most 32 x 32:
//
//   - screen.go: projects the bounds of a node's children to rectangles of samples. The traversal
//     visits the tree once for all rays of a square. The rays themselves are computed only if the
//     square meets the bounds of a leaf.
//   - depthbuffer.go: a coarse depth buffer, with one depth for each block of 4 x 4 rays: their
//     farthest hit so far. The traversal skips nodes and leaves that are farther away than this in all
//     blocks that they project to.
//   - projection.go: projects a solid of a leaf to the rectangle of samples whose rays may hit it.
//   - packet.go: computes the rays in that rectangle, tests them and keeps the closest hit of each. At
//     the end it computes the points and normals of the hits.
//   - kernels.go, kernels_simd.go and kernelgen: SIMD kernels for the inner loops, with four rays at a
//     time on amd64 and two in wasm. They give the same bits as the portable code, which runs on all
//     other machines.
//
// Other rays use the same tree and the same prepared solids:
//
//   - ray.go and singleray.go: the traversal of a single ray, with the usual slab test, in single
//     precision. It also serves packets whose vectors are not perpendicular. probe.go reports its
//     steps. stream.go: many single rays, interleaved to hide the latency of memory.
//   - group.go, shadow.go and reflection.go: shadow rays and reflected rays. The rays that leave the same solid
//     are traced as a group. shaft.go and frustum.go: the volume around a group.
//   - cover.go, cone.go, balls.go, fan.go, raymask.go and narrow.go: whether solids hide a light with a size, and the shadow
//     rays to it. A cone contains all rays from a point to the light. A kernel finds the solids whose bounding balls meet the
//     cone. Two other kernels find the rays that certainly hit each of these solids, and those that may hit it.
//   - sky.go: rays from one point in all directions, which share one traversal. Each node on its stack has the set of the
//     rays that enter it.
//   - traversalcost.go: counts nodes and tests, so that a traversal shared by many rays is abandoned
//     when it costs more than single rays would.
//   - pairs.go: pairs of solids whose bounds overlap. line.go: all solids near a line.
//
// Bounds, frusta, shafts and projections only cull: BVH.slack (bvh.go) is the margin that keeps them
// from culling a hit in spite of rounding. Tests compare all results with brute.go.
//
// # Rays that leave a surface
//
// Because of rounding, shadow rays and reflected rays start slightly above or below the surface that
// they leave. Which crossings count is therefore decided by identity and direction, never by an
// epsilon:
//
//   - The solid that the ray leaves is convex. A ray on its outside never hits it again. A reflected
//     ray on its inside hits it where it leaves the solid.
//   - Any other solid is hit only where the ray enters it. So a neighbor that touches or overlaps the
//     surface at the ray's origin is not hit there.
//   - A solid that contains the eye contains the whole path so far, so it is hit only where the ray
//     leaves it.
package accel

import (
	"slices"

	"pillbox/geom"
	"pillbox/shapes"
)

// Hit is the closest hit of a ray. For a miss, T is +Inf, Object is [None], and the other fields are
// meaningless.
type Hit struct {
	T      float64   // distance along the ray
	Point  geom.Vec3 // the point at T: Ray.At(T)
	Normal geom.Vec3 // outward and of unit length, even for a hit from inside
	Object int32     // the object number of the solid, or [None]
	Inside bool      // the ray came from inside the solid
	Face   uint8     // 1 + the Index of the section on whose cut face the hit lies; 0 on the solid's own surface
}

// None is the object number for no solid.
const None int32 = -1

// SecondaryRay is a shadow ray or a reflected ray: it leaves a surface.
type SecondaryRay struct {
	Ray    geom.Ray
	Object int32 // the solid that the ray leaves
	Inside bool  // it starts on the inner side of that solid's surface

	// Eye lists the solids that contain the eye, as [BVH.Enclosing] returns them. Rays may share the
	// slice; it is not modified.
	Eye []int32
}

// crossingRule selects which of a ray's two crossings with a solid counts as a hit.
type crossingRule uint8

const (
	either   crossingRule = iota // the first crossing ahead
	entering                     // where the ray enters, if that lies ahead
	enclosed                     // where the ray leaves, if that lies ahead
	leaving                      // where the line leaves, even if rounding put it behind the origin
)

// pick returns the crossing that counts, given where the line enters and leaves the solid, and false if
// none counts.
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

// rule returns the crossing rule for a solid other than d.Object.
func (d *SecondaryRay) rule(object int32) crossingRule {
	if len(d.Eye) > 0 && slices.Contains(d.Eye, object) {
		return enclosed
	}
	return entering
}

// Encloses reports whether p lies inside the solid, and not so near its surface that rounding could put it
// outside. It intersects the solid with the line from p toward the middle of the solid's bounds; p is enclosed
// if the line enters the solid far enough behind p.
func Encloses(s shapes.Shape, p geom.Vec3) bool {
	if c, ok := s.(*shapes.Cut); ok {
		return Encloses(c.Whole, p) && c.Encloses(p, 2*shapes.Slack*c.Whole.Bounds().Size().Norm())
	}
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
