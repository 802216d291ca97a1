package accel

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"pillbox/geom"
)

// haveKernels is set if this machine can run the kernels. Tests clear it.
var haveKernels = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

// haveWideKernels is set if this machine can also run the kernels that need AVX-512, and runs them at its usual clock frequency.
// The first processors with AVX-512 reduced the frequency; they lack VBMI2. Tests clear haveWideKernels.
var haveWideKernels = haveKernels && cpu.X86.HasAVX512F && cpu.X86.HasAVX512VBMI2

// haveSkyKernels is true if this architecture has kernels for [BVH.BlockedSky].
const haveSkyKernels = true

// prepareSlabs prepares s for the ray r, as [slabRay.prepare] does, with a kernel. Without kernels, it does
// nothing and returns false.
func prepareSlabs(s *slabRay, r *geom.Ray, slack float64) bool {
	if haveKernels {
		slabRayKernel(s, r, slack)
	}
	return haveKernels
}

// updateDepths recomputes the depths of the blocks in r with a kernel. Without kernels, it does nothing and
// returns false.
func updateDepths(at *rays, d *depthBuffer, r rect) bool {
	if haveKernels {
		updateDepthsKernel(&at.t[(r.y0*packetSide+r.x0)*blockSide], d, uint64(r.y0*blocks+r.x0), uint64(r.x1-r.x0), uint64(r.y1-r.y0))
	}
	return haveKernels
}

// enterScreen stores in e the children of n that some ray may reach, as [screen.enter] does, with a kernel.
// Without kernels, it does nothing and returns false.
func enterScreen(s *screen, n *node, e *entered, d *depthBuffer) bool {
	if haveKernels {
		if !d.met {
			d = nil
		}
		screenKernel(s, n, e, d)
	}
	return haveKernels
}

// coarsen recomputes the levels above 0 of d with a kernel. Without kernels, it does nothing and returns false.
func coarsen(d *depthBuffer) bool {
	if haveKernels {
		coarsenKernel(d)
	}
	return haveKernels
}

// boundOrigins returns the bounds of the origins of the rays with the indices members, computed with a kernel.
// Without kernels, it returns false.
func boundOrigins(rays []SecondaryRay, members []int32) (geom.Bounds, bool) {
	if !haveKernels {
		return geom.Bounds{}, false
	}
	var ends [2][lanes]float64
	originBoundsKernel(&rays[0], &members[0], uint64(len(members)), &ends)
	lo, hi := &ends[0], &ends[1]
	return geom.Bounds{Min: geom.Vec3{X: lo[0], Y: lo[1], Z: lo[2]}, Max: geom.Vec3{X: hi[0], Y: hi[1], Z: hi[2]}}, true
}

// findBalls does the work of [coneSearch.findAmong] with a kernel. There must be at least one ball. Without kernels, it does
// nothing and returns false.
func findBalls(s *coneSearch, b *balls) bool {
	if haveKernels {
		ballsKernel(s, &b.groups[0], &b.slots[0], uint64(len(b.groups)))
	}
	return haveKernels
}

// searchCone sets found to the balls that the cone may meet, as [coneSearch.search] does, with a kernel. Without
// kernels, it does nothing and returns false.
func searchCone(s *coneSearch, t *tree, b *leafBalls) bool {
	if haveKernels {
		coneKernel(s, &t.nodes[0], &b.children[0], &b.groups[0])
	}
	return haveKernels
}

// invertSky computes the field inv of the first n rays with a kernel. Without kernels, it does nothing and returns false.
func invertSky(r *skyRays, n int) bool {
	if haveKernels {
		skyInverseKernel(r, laneGroups(n))
	}
	return haveKernels
}

// nextSky does the work of [skyTraversal.next] with a kernel. Without kernels, it does nothing and returns false.
func nextSky(t *skyTraversal, nodes []node) (leaves uint32, ok bool) {
	if haveKernels {
		leaves = skyTraverseKernel(t, unsafe.SliceData(nodes))
	}
	return leaves, haveKernels
}

// blockSky returns the subset of the given rays that the spheres of a leaf block, computed with a kernel.
// It ignores the sphere own. There must be at least one ray. Without kernels, ok is false.
func blockSky(r *skyRays, spheres []sphere, leaf child, own primRef, rays raySet) (blocked raySet, ok bool) {
	if !haveKernels {
		return 0, false
	}
	first, tested := primRef(leaf.first), uint32(1)<<leaf.count-1
	if own.kind() == sphereKind {
		tested &^= 1 << uint32(own.index()-first.index())
	}
	return raySet(skySpheresKernel(r, &spheres[first.index()], uint32(rays), tested)), true
}

// maskRays does the work of [masker.find] with a kernel. There must be at least fewestMasked elements in near, of which
// the first len(m.masks) are those for which masks are computed. Without kernels, it does nothing and returns false.
func maskRays(m *masker, l *shadowRays, n int, balls []nestedBalls, near []int32) bool {
	switch {
	case !haveKernels:
	case haveWideKernels:
		maskWideKernel(m, l, &balls[0], &near[0], &m.masks[0], uint64(len(m.masks)), uint64(n+15)/16)
	default:
		maskKernel(m, l, &balls[0], &near[0], &m.masks[0], uint64(len(m.masks)), uint64(n+7)/8)
	}
	return haveKernels
}

// narrowMasks does the work of [narrower.narrow] with a kernel. It returns the number of solids in t.left. Without kernels, it
// does nothing, and ok is false.
func narrowMasks(t *narrower, m *masker, s *solids, around *leafBalls, near []int32) (n int, ok bool) {
	if haveKernels {
		n = int(narrowKernel(t, m, s, &around.refs[0], &around.nested[0], &near[0], &m.masks[0], uint64(len(near))))
	}
	return n, haveKernels
}

// addCentroids extends l to include the centroids of the items, with a kernel. There must be at least one item. Without
// kernels, it does nothing and returns false.
func addCentroids(l *bounds32, items []item) bool {
	if haveKernels {
		centroidsKernel(l, &items[0], uint64(len(items)))
	}
	return haveKernels
}

// addToBins adds the items to their bins, with a kernel. There must be at least one item. Without kernels, it does
// nothing and returns false.
func addToBins(b *bins, items []item) bool {
	if haveKernels {
		binsKernel(b, &items[0], uint64(len(items)))
	}
	return haveKernels
}

// partitionItems moves the items below the plane to the front and returns their number, with a kernel. There must
// be at least one item. Without kernels, it does nothing, and ok is false.
func partitionItems(p *splitPlane, items []item) (lower int, ok bool) {
	if haveKernels {
		lower = int(partitionKernel(&items[0], uint64(len(items)), uint64(p.axis), p.lo, p.scale, float64(p.last+1)))
	}
	return lower, haveKernels
}

// sweepBins finds the cheapest plane between two slices and stores it in b.best, with a kernel. The bins hold n
// items. Without kernels, it does nothing and returns false.
func sweepBins(b *bins, n int) bool {
	if haveKernels {
		sweepKernel(b, uint64(b.slices), uint64(n))
	}
	return haveKernels
}

// projectSphere stores in p the footprint of a sphere: the rectangle of samples that it projects to, and
// the distance. It uses a kernel. If the sphere projects to none of the packet's samples, seen is false and
// p is not set. Without kernels, ok is false. The following functions do the same for other solids.
func projectSphere(l *laneProjection, s *sphere, p *footprint) (seen, ok bool) {
	return haveKernels && sphereRectKernel(l, s, p) != 0, haveKernels
}

func projectCapsule(l *laneProjection, s *capsule, p *footprint) (seen, ok bool) {
	return haveKernels && capsuleRectKernel(l, s, p) != 0, haveKernels
}

func projectBox(l *laneProjection, s *box, p *footprint) (seen, ok bool) {
	return haveKernels && boxRectKernel(l, s, p) != 0, haveKernels
}

func projectCylinder(l *laneProjection, s *cylinder, p *footprint) (seen, ok bool) {
	return haveKernels && cylinderRectKernel(l, s, p) != 0, haveKernels
}

//go:noescape
func sphereRectKernel(l *laneProjection, v *sphere, p *footprint) uint64

//go:noescape
func capsuleRectKernel(l *laneProjection, v *capsule, p *footprint) uint64

//go:noescape
func boxRectKernel(l *laneProjection, v *box, p *footprint) uint64

//go:noescape
func cylinderRectKernel(l *laneProjection, v *cylinder, p *footprint) uint64

//go:noescape
func slabRayKernel(s *slabRay, ray *geom.Ray, slack float64)

//go:noescape
func updateDepthsKernel(t *float64, d *depthBuffer, first, columns, rows uint64)

//go:noescape
func coarsenKernel(d *depthBuffer)

//go:noescape
func screenKernel(s *screen, n *node, e *entered, d *depthBuffer)

//go:noescape
func originBoundsKernel(rays *SecondaryRay, members *int32, n uint64, ends *[2][lanes]float64)

//go:noescape
func ballsKernel(s *coneSearch, groups *ballGroup, slots *[ballGroupSize]int32, n uint64)

//go:noescape
func coneKernel(s *coneSearch, nodes *node, children *[fanout]int32, groups *ballGroup)

//go:noescape
func skyInverseKernel(r *skyRays, groups uint64)

//go:noescape
func skyTraverseKernel(t *skyTraversal, nodes *node) uint32

//go:noescape
func skySpheresKernel(r *skyRays, spheres *sphere, rays, tested uint32) uint32

//go:noescape
func maskKernel(m *masker, l *shadowRays, balls *nestedBalls, near *int32, masks *rayMask, n, groups uint64)

//go:noescape
func maskWideKernel(m *masker, l *shadowRays, balls *nestedBalls, near *int32, masks *rayMask, n, groups uint64)

//go:noescape
func narrowKernel(t *narrower, m *masker, solids *solids, refs *primRef, balls *nestedBalls, near *int32, masks *rayMask, n uint64) uint64

//go:noescape
func centroidsKernel(l *bounds32, items *item, n uint64)

//go:noescape
func binsKernel(l *bins, items *item, n uint64)

//go:noescape
func partitionKernel(items *item, n, axis uint64, lo, scale, above float64) uint64

//go:noescape
func sweepKernel(b *bins, slices, n uint64)

// prefetchChildren begins to load all cache lines of all children that are nodes, not leaves.
//
//go:noescape
func prefetchChildren(n, nodes *node)
