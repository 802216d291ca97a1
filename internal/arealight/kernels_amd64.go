package arealight

import (
	"golang.org/x/sys/cpu"

	"pillbox/geom"
)

//go:generate go run -C ../tools/kernelgen . -arealight -out ../../arealight/kernels_amd64.s

// haveKernels is set if this machine can run the kernels. Tests clear it.
var haveKernels = cpu.X86.HasAVX2

// measure computes the result of measurePoints with a kernel. The kernel measures kernelPoints points at a time, so above can
// be false because of points beyond the last one. If haveKernels is false, measure returns ok = false and computes nothing.
func measure(n geom.Vec3, widest, product float64, p *Points) (above, ok bool) {
	if !haveKernels {
		return false, false
	}
	d := &p.Dirs
	groups := uint64(p.Len()+kernelPoints-1) / kernelPoints
	return pointsKernel(&n, widest, product, &d.X[0], &d.Y[0], &d.Z[0], &d.Heights[0], &p.Reach[0], &p.Weight[0], groups) != 0, true
}

//go:noescape
func pointsKernel(normal *geom.Vec3, widest, product float64, x, y, z, heights, reach, weight *float64, groups uint64) uint64
