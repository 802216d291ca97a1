//go:build amd64 || wasm

package accel

import "unsafe"

func meetSphere(r *rays, w *window, v *sphereFrom) verdict {
	if !haveKernels {
		return undecided
	}
	return sphereKernel(r, w, v)
}

func meetCapsule(r *rays, w *window, v *capsuleFrom) verdict {
	if v.length == 0 {
		return meetSphere(r, w, &v.a)
	}
	if !haveKernels {
		return undecided
	}
	return capsuleKernel(r, w, v)
}

func meetBox(r *rays, w *window, v *boxFrom) verdict {
	if !haveKernels {
		return undecided
	}
	return boxKernel(r, w, v)
}

func meetCylinder(r *rays, w *window, v *cylinderFrom) verdict {
	if !haveKernels {
		return undecided
	}
	return cylinderKernel(r, w, v)
}

// meetSphereParallel tests a sphere against parallel rays, as meetSphere does for rays with a common origin. The
// following functions do the same for other solids.
func meetSphereParallel(r *rays, w *window, s *sphere) verdict {
	if !haveKernels {
		return undecided
	}
	return sphereParallelKernel(r, w, s)
}

func meetCapsuleParallel(r *rays, w *window, s *capsule) verdict {
	if !haveKernels || s.length == 0 {
		return undecided
	}
	return capsuleParallelKernel(r, w, s)
}

func meetBoxParallel(r *rays, w *window, s *box) verdict {
	if !haveKernels {
		return undecided
	}
	return boxParallelKernel(r, w, s)
}

func meetCylinderParallel(r *rays, w *window, s *cylinder) verdict {
	if !haveKernels {
		return undecided
	}
	return cylinderParallelKernel(r, w, s)
}

// sphereNormals computes the normals of the rays from, ..., to - 1 with a kernel. Without kernels, it does nothing and
// returns false. The following functions do the same for other solids.
func sphereNormals(r *rays, v *sphereFrom, from, to int) bool {
	if haveKernels {
		sphereNormalsKernel(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func capsuleNormals(r *rays, v *capsuleFrom, from, to int) bool {
	if haveKernels {
		capsuleNormalsKernel(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func boxNormals(r *rays, v *boxFrom, from, to int) bool {
	if haveKernels {
		boxNormalsKernel(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func cylinderNormals(r *rays, v *cylinderFrom, from, to int) bool {
	if haveKernels {
		cylinderNormalsKernel(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

// sphereNormalsParallel is sphereNormals for parallel rays, for which the sphere is not prepared. The following
// functions do the same for other solids.
func sphereNormalsParallel(r *rays, s *sphere, from, to int) bool {
	if haveKernels {
		sphereParallelNormalsKernel(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func capsuleNormalsParallel(r *rays, s *capsule, from, to int) bool {
	if haveKernels {
		capsuleParallelNormalsKernel(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func boxNormalsParallel(r *rays, s *box, from, to int) bool {
	if haveKernels {
		boxParallelNormalsKernel(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func cylinderNormalsParallel(r *rays, s *cylinder, from, to int) bool {
	if haveKernels {
		cylinderParallelNormalsKernel(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

// makeRow computes the rays of a row with a kernel. Without kernels, it does nothing and returns false.
func makeRow(r *rays, p *raster, row int, parallel bool) bool {
	offset := uint64(8 * packetSide * row)
	switch {
	case !haveKernels:
	case parallel:
		originsKernel(r, p, offset)
	default:
		directionsKernel(r, p, offset)
	}
	return haveKernels
}

// enterFrustum stores in t, for each child of n, a lower bound of the distance at which rays of h enter the
// child's bounds, with a kernel. If no ray enters them, it stores +Inf. Without kernels, it does nothing and
// returns false.
func enterFrustum(h *frustum, n *node, t *[fanout]float64) bool {
	if haveKernels {
		frustumKernel(h, n, t)
	}
	return haveKernels
}

// traverse continues the traversal w up to its next leaf or its end, with a kernel. w must not have a
// probe. Unlike [singleTraversal.traverse], the kernel does not stop at a leaf of spheres if the ray misses
// all of them. It also need not stop at a leaf that holds only the solid that the ray leaves. Without
// kernels, traverse does nothing and returns false.
func traverse(w *singleTraversal) bool {
	if haveKernels {
		var t streamOrder
		traverseKernel(&w.traversalState, &t, 1, 1, unsafe.SliceData(w.tree.nodes), unsafe.SliceData(w.spheres))
	}
	return haveKernels
}

// traverseAll continues the traversals of the active rays, with a kernel. A ray stops when it reaches a
// leaf or the end of its traversal. traverseAll returns when at least enough rays have stopped. The
// parameter active is the number of active rays, which come first in the order of the stream. The result
// left is the number of rays that have not stopped; they now come first in the order. Without kernels,
// traverseAll does nothing, and ok is false.
func traverseAll(s *stream, active, enough int) (left int, ok bool) {
	if haveKernels {
		left = int(traverseKernel(&s.rays[0].traversalState, &s.streamOrder, int64(active), int64(enough),
			unsafe.SliceData(s.tree.nodes), unsafe.SliceData(s.spheres)))
	}
	return left, haveKernels
}

// occludeSphere sets open to 0 for those of the first n rays that the sphere blocks. The following
// functions do the same for other solids.
func occludeSphere(l *shadowRays, b *sphere, n int) verdict {
	if !haveKernels {
		return undecided
	}
	return sphereShadowKernel(l, b, laneGroups(n))
}

func occludeCapsule(l *shadowRays, p *capsule, n int) verdict {
	if !haveKernels || p.length == 0 {
		return undecided
	}
	return capsuleShadowKernel(l, p, laneGroups(n))
}

func occludeBox(l *shadowRays, b *box, n int) verdict {
	if !haveKernels {
		return undecided
	}
	return boxShadowKernel(l, b, laneGroups(n))
}

func occludeCylinder(l *shadowRays, b *cylinder, n int) verdict {
	if !haveKernels {
		return undecided
	}
	return cylinderShadowKernel(l, b, laneGroups(n))
}

//go:noescape
func sphereShadowKernel(l *shadowRays, v *sphere, groups uint64) verdict

//go:noescape
func capsuleShadowKernel(l *shadowRays, v *capsule, groups uint64) verdict

//go:noescape
func boxShadowKernel(l *shadowRays, v *box, groups uint64) verdict

//go:noescape
func cylinderShadowKernel(l *shadowRays, v *cylinder, groups uint64) verdict

//go:noescape
func traverseKernel(states *traversalState, turns *streamOrder, n, enough int64, nodes *node, spheres *sphere) int64

//go:noescape
func sphereKernel(r *rays, w *window, v *sphereFrom) verdict

//go:noescape
func capsuleKernel(r *rays, w *window, v *capsuleFrom) verdict

//go:noescape
func boxKernel(r *rays, w *window, v *boxFrom) verdict

//go:noescape
func cylinderKernel(r *rays, w *window, v *cylinderFrom) verdict

//go:noescape
func sphereParallelKernel(r *rays, w *window, v *sphere) verdict

//go:noescape
func capsuleParallelKernel(r *rays, w *window, v *capsule) verdict

//go:noescape
func boxParallelKernel(r *rays, w *window, v *box) verdict

//go:noescape
func cylinderParallelKernel(r *rays, w *window, v *cylinder) verdict

//go:noescape
func sphereNormalsKernel(r *rays, v *sphereFrom, offset, groups uint64)

//go:noescape
func capsuleNormalsKernel(r *rays, v *capsuleFrom, offset, groups uint64)

//go:noescape
func boxNormalsKernel(r *rays, v *boxFrom, offset, groups uint64)

//go:noescape
func cylinderNormalsKernel(r *rays, v *cylinderFrom, offset, groups uint64)

//go:noescape
func sphereParallelNormalsKernel(r *rays, v *sphere, offset, groups uint64)

//go:noescape
func capsuleParallelNormalsKernel(r *rays, v *capsule, offset, groups uint64)

//go:noescape
func boxParallelNormalsKernel(r *rays, v *box, offset, groups uint64)

//go:noescape
func cylinderParallelNormalsKernel(r *rays, v *cylinder, offset, groups uint64)

//go:noescape
func originsKernel(r *rays, p *raster, offset uint64)

//go:noescape
func directionsKernel(r *rays, p *raster, offset uint64)

//go:noescape
func frustumKernel(h *frustum, n *node, t *[fanout]float64)
