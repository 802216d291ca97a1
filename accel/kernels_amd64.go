package accel

import (
	"unsafe"

	"golang.org/x/sys/cpu"

	"pillbox/geom"
)

//go:generate go run -C kernelgen . -out ../kernels_amd64.s

// haveKernels is set if this machine can run the kernels. Tests clear it.
var haveKernels = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

func meetSphere(r *rays, w *window, v *sphereFrom) verdict {
	if !haveKernels {
		return undecided
	}
	return sphereAVX2(r, w, v)
}

func meetCapsule(r *rays, w *window, v *capsuleFrom) verdict {
	if v.length == 0 {
		return meetSphere(r, w, &v.a)
	}
	if !haveKernels {
		return undecided
	}
	return capsuleAVX2(r, w, v)
}

func meetBox(r *rays, w *window, v *boxFrom) verdict {
	if !haveKernels {
		return undecided
	}
	return boxAVX2(r, w, v)
}

// meetSphereParallel is meetSphere for parallel rays; so are the following.
func meetSphereParallel(r *rays, w *window, s *sphere) verdict {
	if !haveKernels {
		return undecided
	}
	return sphereParallelAVX2(r, w, s)
}

func meetCapsuleParallel(r *rays, w *window, s *capsule) verdict {
	if !haveKernels || s.length == 0 {
		return undecided
	}
	return capsuleParallelAVX2(r, w, s)
}

func meetBoxParallel(r *rays, w *window, s *box) verdict {
	if !haveKernels {
		return undecided
	}
	return boxParallelAVX2(r, w, s)
}

// sphereNormals makes the normals of rays from, ..., to - 1 and reports whether it could do it; so
// do the following.
func sphereNormals(r *rays, v *sphereFrom, from, to int) bool {
	if haveKernels {
		sphereNormalsAVX2(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func capsuleNormals(r *rays, v *capsuleFrom, from, to int) bool {
	if haveKernels {
		capsuleNormalsAVX2(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func boxNormals(r *rays, v *boxFrom, from, to int) bool {
	if haveKernels {
		boxNormalsAVX2(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

// sphereNormalsParallel is sphereNormals for parallel rays; so are the following.
func sphereNormalsParallel(r *rays, s *sphere, from, to int) bool {
	if haveKernels {
		sphereParallelNormalsAVX2(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func capsuleNormalsParallel(r *rays, s *capsule, from, to int) bool {
	if haveKernels {
		capsuleParallelNormalsAVX2(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func boxNormalsParallel(r *rays, s *box, from, to int) bool {
	if haveKernels {
		boxParallelNormalsAVX2(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

// makeRow makes the rays of a row and reports whether it could do it.
func makeRow(r *rays, p *raster, row int, parallel bool) bool {
	offset := uint64(8 * packetSide * row)
	switch {
	case !haveKernels:
	case parallel:
		originsAVX2(r, p, offset)
	default:
		directionsAVX2(r, p, offset)
	}
	return haveKernels
}

// farthestRay is [rays.farthest]; it reports whether it could do it.
func farthestRay(r *rays, rows int) (float64, bool) {
	if !haveKernels {
		return 0, false
	}
	return farthestAVX2(r, uint64(rows)), true
}

// enterFrustum is [frustum.enter]; it reports whether it could do it.
func enterFrustum(h *frustum, n *node, t *[fanout]float64) bool {
	if haveKernels {
		frustumAVX2(h, n, t)
	}
	return haveKernels
}

// descend is [walker.descend] without a probe, except that it goes on from leaves of spheres none of which
// the ray may meet and may go on from a leaf of what the ray leaves; it reports whether it could do it.
func descend(w *walker) bool {
	if haveKernels {
		var t turns
		descendAVX2(&w.descent, &t, 1, 1, unsafe.SliceData(w.tree.nodes), unsafe.SliceData(w.spheres))
	}
	return haveKernels
}

// descendAll is descend for those walks of a stream that are active, the first ones, until enough of them
// have come to a leaf or left the tree. It returns how many are active still, which again are the first ones.
func descendAll(s *stream, active, enough int) (left int, ok bool) {
	if haveKernels {
		left = int(descendAVX2(&s.strands[0].descent, &s.turns, int64(active), int64(enough),
			unsafe.SliceData(s.tree.nodes), unsafe.SliceData(s.spheres)))
	}
	return left, haveKernels
}

// startsOf is [starts]; it reports whether it could do it.
func startsOf(rays []Departure, members []int32) (geom.Bounds, bool) {
	if !haveKernels {
		return geom.Bounds{}, false
	}
	var ends [2][lanes]float64
	startsAVX2(&rays[0], &members[0], uint64(len(members)), &ends)
	lo, hi := &ends[0], &ends[1]
	return geom.Bounds{Min: geom.Vec3{X: lo[0], Y: lo[1], Z: lo[2]}, Max: geom.Vec3{X: hi[0], Y: hi[1], Z: hi[2]}}, true
}

// addCentroids adds the items' centroids to l and reports whether it could do it. There is an item at least.
func addCentroids(l *bounds32, items []item) bool {
	if haveKernels {
		centroidsAVX2(l, &items[0], uint64(len(items)))
	}
	return haveKernels
}

// addToBins adds items to bins that are prepared and reports whether it could do it.
func addToBins(b *bins, items []item) bool {
	if haveKernels {
		binsAVX2(b, &items[0], uint64(len(items)))
	}
	return haveKernels
}

// partitionItems is [splitPlane.partition]; it reports whether it could do it. There is an item at least.
func partitionItems(p *splitPlane, items []item) (lower int, ok bool) {
	if haveKernels {
		lower = int(partitionAVX2(&items[0], uint64(len(items)), uint64(p.axis), p.lo, p.scale, float64(p.last+1)))
	}
	return lower, haveKernels
}

// sweepBins is the sweep of bins with n items, and reports whether it could do it.
func sweepBins(b *bins, n int) bool {
	if haveKernels {
		sweepAVX2(b, uint64(b.slices), uint64(n))
	}
	return haveKernels
}

// occludeSphere finds which of the first n rays the sphere blocks; so do the following.
func occludeSphere(l *shadowRays, b *sphere, n int) verdict {
	if !haveKernels {
		return undecided
	}
	return sphereShadowAVX2(l, b, laneGroups(n))
}

func occludeCapsule(l *shadowRays, p *capsule, n int) verdict {
	if !haveKernels || p.length == 0 {
		return undecided
	}
	return capsuleShadowAVX2(l, p, laneGroups(n))
}

func occludeBox(l *shadowRays, b *box, n int) verdict {
	if !haveKernels {
		return undecided
	}
	return boxShadowAVX2(l, b, laneGroups(n))
}

// projectSphere projects a sphere, reports whether it is in front, and whether it could do it;
// so do the following.
func projectSphere(l *laneProjection, s *sphere, p *footprint) (seen, ok bool) {
	return haveKernels && sphereRectAVX2(l, s, p) != 0, haveKernels
}

func projectCapsule(l *laneProjection, s *capsule, p *footprint) (seen, ok bool) {
	return haveKernels && capsuleRectAVX2(l, s, p) != 0, haveKernels
}

func projectBox(l *laneProjection, s *box, p *footprint) (seen, ok bool) {
	return haveKernels && boxRectAVX2(l, s, p) != 0, haveKernels
}

//go:noescape
func sphereRectAVX2(l *laneProjection, v *sphere, p *footprint) uint64

//go:noescape
func capsuleRectAVX2(l *laneProjection, v *capsule, p *footprint) uint64

//go:noescape
func boxRectAVX2(l *laneProjection, v *box, p *footprint) uint64

//go:noescape
func sphereShadowAVX2(l *shadowRays, v *sphere, groups uint64) verdict

//go:noescape
func capsuleShadowAVX2(l *shadowRays, v *capsule, groups uint64) verdict

//go:noescape
func boxShadowAVX2(l *shadowRays, v *box, groups uint64) verdict

//go:noescape
func startsAVX2(rays *Departure, members *int32, n uint64, ends *[2][lanes]float64)

//go:noescape
func centroidsAVX2(l *bounds32, items *item, n uint64)

//go:noescape
func binsAVX2(l *bins, items *item, n uint64)

//go:noescape
func partitionAVX2(items *item, n, axis uint64, lo, scale, above float64) uint64

//go:noescape
func sweepAVX2(b *bins, slices, n uint64)

//go:noescape
func descendAVX2(walks *descent, turns *turns, n, enough int64, nodes *node, spheres *sphere) int64

//go:noescape
func sphereAVX2(r *rays, w *window, v *sphereFrom) verdict

//go:noescape
func capsuleAVX2(r *rays, w *window, v *capsuleFrom) verdict

//go:noescape
func boxAVX2(r *rays, w *window, v *boxFrom) verdict

//go:noescape
func sphereParallelAVX2(r *rays, w *window, v *sphere) verdict

//go:noescape
func capsuleParallelAVX2(r *rays, w *window, v *capsule) verdict

//go:noescape
func boxParallelAVX2(r *rays, w *window, v *box) verdict

//go:noescape
func sphereNormalsAVX2(r *rays, v *sphereFrom, offset, groups uint64)

//go:noescape
func capsuleNormalsAVX2(r *rays, v *capsuleFrom, offset, groups uint64)

//go:noescape
func boxNormalsAVX2(r *rays, v *boxFrom, offset, groups uint64)

//go:noescape
func sphereParallelNormalsAVX2(r *rays, v *sphere, offset, groups uint64)

//go:noescape
func capsuleParallelNormalsAVX2(r *rays, v *capsule, offset, groups uint64)

//go:noescape
func boxParallelNormalsAVX2(r *rays, v *box, offset, groups uint64)

//go:noescape
func originsAVX2(r *rays, p *raster, offset uint64)

//go:noescape
func directionsAVX2(r *rays, p *raster, offset uint64)

//go:noescape
func farthestAVX2(r *rays, rows uint64) float64

// prefetchNode lets the processor begin to load a node while it does other work, and so do the
// following. They change no result.
//
//go:noescape
func prefetchNode(p *node)

//go:noescape
func prefetchSphere(p *sphere)

//go:noescape
func prefetchCapsule(p *capsule)

//go:noescape
func prefetchBox(p *box)

//go:noescape
func frustumAVX2(h *frustum, n *node, t *[fanout]float64)
