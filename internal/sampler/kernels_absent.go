//go:build !amd64

package sampler

import "pillbox/geom"

// Stubs for machines without kernels: each reports that it did nothing, and the portable code runs.

var haveKernels = false

func hemisphere(Set, int, *geom.Mat3, *Directions) bool         { return false }
func spherical(Set, int, *geom.Mat3, float64, *Directions) bool { return false }
