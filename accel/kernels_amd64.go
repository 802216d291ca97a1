package accel

import "golang.org/x/sys/cpu"

//go:generate go run -C kernelgen . -out ../kernels_amd64.s

// haveKernels is set if this machine can run the kernels. Tests clear it.
var haveKernels = cpu.X86.HasAVX2

func meetBall(r *rays, w *window, v *ballFrom) verdict {
	if !haveKernels {
		return undecided
	}
	return ballAVX2(r, w, v)
}

func meetPill(r *rays, w *window, v *pillFrom) verdict {
	if v.length == 0 {
		return meetBall(r, w, &v.a)
	}
	if !haveKernels {
		return undecided
	}
	return pillAVX2(r, w, v)
}

func meetBlock(r *rays, w *window, v *blockFrom) verdict {
	if !haveKernels {
		return undecided
	}
	return blockAVX2(r, w, v)
}

// meetBallParallel is meetBall for parallel rays; so are the following.
func meetBallParallel(r *rays, w *window, s *ball) verdict {
	if !haveKernels {
		return undecided
	}
	return ballParallelAVX2(r, w, s)
}

func meetPillParallel(r *rays, w *window, s *pill) verdict {
	if !haveKernels || s.length == 0 {
		return undecided
	}
	return pillParallelAVX2(r, w, s)
}

func meetBlockParallel(r *rays, w *window, s *block) verdict {
	if !haveKernels {
		return undecided
	}
	return blockParallelAVX2(r, w, s)
}

// ballNormals makes the normals of rays from, ..., to - 1 and reports whether it did; so do the
// following.
func ballNormals(r *rays, v *ballFrom, from, to int) bool {
	if haveKernels {
		ballNormalsAVX2(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func pillNormals(r *rays, v *pillFrom, from, to int) bool {
	if haveKernels {
		pillNormalsAVX2(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func blockNormals(r *rays, v *blockFrom, from, to int) bool {
	if haveKernels {
		blockNormalsAVX2(r, v, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

// ballNormalsParallel is ballNormals for parallel rays; so are the following.
func ballNormalsParallel(r *rays, s *ball, from, to int) bool {
	if haveKernels {
		ballParallelNormalsAVX2(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func pillNormalsParallel(r *rays, s *pill, from, to int) bool {
	if haveKernels {
		pillParallelNormalsAVX2(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

func blockNormalsParallel(r *rays, s *block, from, to int) bool {
	if haveKernels {
		blockParallelNormalsAVX2(r, s, uint64(8*from), laneGroups(to-from))
	}
	return haveKernels
}

// makeRow makes the rays of a row and reports whether it did.
func makeRow(r *rays, p *raster, row int, parallel bool) bool {
	offset := uint64(8 * blockSide * row)
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

// enterHull is [hull.enter]; it reports whether it could do it.
func enterHull(h *hull, n *node, t *[fanout]float64) bool {
	if haveKernels {
		hullAVX2(h, n, t)
	}
	return haveKernels
}

// enterSlabs is [slabs.enter]; it reports whether it could do it.
func enterSlabs(s *slabs, n *node, t *[fanout]float64) bool {
	if haveKernels {
		slabsAVX2(s, n, t)
	}
	return haveKernels
}

// shadeBall closes the first n lines where the ball blocks them; so do the following.
func shadeBall(l *lines, b *ball, n int) verdict {
	if !haveKernels {
		return undecided
	}
	return ballShadowAVX2(l, b, laneGroups(n))
}

func shadePill(l *lines, p *pill, n int) verdict {
	if !haveKernels || p.length == 0 {
		return undecided
	}
	return pillShadowAVX2(l, p, laneGroups(n))
}

func shadeBlock(l *lines, b *block, n int) verdict {
	if !haveKernels {
		return undecided
	}
	return blockShadowAVX2(l, b, laneGroups(n))
}

// projectBall projects a ball, reports whether it is in front, and whether it could tell;
// so do the following.
func projectBall(l *lens, s *ball, p *projection) (seen, ok bool) {
	return haveKernels && ballRectAVX2(l, s, p) != 0, haveKernels
}

func projectPill(l *lens, s *pill, p *projection) (seen, ok bool) {
	return haveKernels && pillRectAVX2(l, s, p) != 0, haveKernels
}

func projectBlock(l *lens, s *block, p *projection) (seen, ok bool) {
	return haveKernels && blockRectAVX2(l, s, p) != 0, haveKernels
}

//go:noescape
func ballRectAVX2(l *lens, v *ball, p *projection) uint64

//go:noescape
func pillRectAVX2(l *lens, v *pill, p *projection) uint64

//go:noescape
func blockRectAVX2(l *lens, v *block, p *projection) uint64

//go:noescape
func ballShadowAVX2(l *lines, v *ball, groups uint64) verdict

//go:noescape
func pillShadowAVX2(l *lines, v *pill, groups uint64) verdict

//go:noescape
func blockShadowAVX2(l *lines, v *block, groups uint64) verdict

//go:noescape
func slabsAVX2(s *slabs, n *node, t *[fanout]float64)

//go:noescape
func ballAVX2(r *rays, w *window, v *ballFrom) verdict

//go:noescape
func pillAVX2(r *rays, w *window, v *pillFrom) verdict

//go:noescape
func blockAVX2(r *rays, w *window, v *blockFrom) verdict

//go:noescape
func ballParallelAVX2(r *rays, w *window, v *ball) verdict

//go:noescape
func pillParallelAVX2(r *rays, w *window, v *pill) verdict

//go:noescape
func blockParallelAVX2(r *rays, w *window, v *block) verdict

//go:noescape
func ballNormalsAVX2(r *rays, v *ballFrom, offset, groups uint64)

//go:noescape
func pillNormalsAVX2(r *rays, v *pillFrom, offset, groups uint64)

//go:noescape
func blockNormalsAVX2(r *rays, v *blockFrom, offset, groups uint64)

//go:noescape
func ballParallelNormalsAVX2(r *rays, v *ball, offset, groups uint64)

//go:noescape
func pillParallelNormalsAVX2(r *rays, v *pill, offset, groups uint64)

//go:noescape
func blockParallelNormalsAVX2(r *rays, v *block, offset, groups uint64)

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
func prefetchBall(p *ball)

//go:noescape
func prefetchPill(p *pill)

//go:noescape
func prefetchBlock(p *block)

//go:noescape
func hullAVX2(h *hull, n *node, t *[fanout]float64)
