package sampler

import (
	"golang.org/x/sys/cpu"

	"pillbox/geom"
)

//go:generate go run -C ../tools/kernelgen . -sampler -out ../../sampler/kernels_amd64.s

// haveKernels is set if this machine can run the kernels. Tests clear it.
var haveKernels = cpu.X86.HasAVX2

// hemisphere computes the result of [Set.Hemisphere] with a kernel. If haveKernels is false, it returns false and
// computes nothing.
func hemisphere(s Set, n int, frame *geom.Mat3, d *Directions) bool {
	if haveKernels {
		hemisphereKernel(s.first, s.u, s.v, frame, &d.X[0], &d.Y[0], &d.Z[0], &d.Sectors[0], vectors(n))
	}
	return haveKernels
}

// spherical computes the result of [Set.Cap] with a kernel. If haveKernels is false, it returns false and computes
// nothing.
func spherical(s Set, n int, frame *geom.Mat3, oneMinusCos float64, d *Directions) bool {
	if haveKernels {
		capKernel(s.first, s.u, s.v, oneMinusCos, frame, &d.X[0], &d.Y[0], &d.Z[0], &d.Heights[0], vectors(n))
	}
	return haveKernels
}

func vectors(n int) uint64 { return uint64(n+kernelPoints-1) / kernelPoints }

//go:noescape
func hemisphereKernel(first, u, v uint32, frame *geom.Mat3, x, y, z *float64, sectors *int32, groups uint64)

//go:noescape
func capKernel(first, u, v uint32, oneMinusCos float64, frame *geom.Mat3, x, y, z, heights *float64, groups uint64)
