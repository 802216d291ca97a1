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

// makeDirections makes the directions of a row and reports whether it did.
func makeDirections(r *rays, p *raster, row int) bool {
	if haveKernels {
		directionsAVX2(r, p, uint64(8*blockSide*row))
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
func ballNormalsAVX2(r *rays, v *ballFrom, offset, groups uint64)

//go:noescape
func pillNormalsAVX2(r *rays, v *pillFrom, offset, groups uint64)

//go:noescape
func blockNormalsAVX2(r *rays, v *blockFrom, offset, groups uint64)

//go:noescape
func directionsAVX2(r *rays, p *raster, offset uint64)

//go:noescape
func farthestAVX2(r *rays, rows uint64) float64

//go:noescape
func hullAVX2(h *hull, n *node, t *[fanout]float64)
