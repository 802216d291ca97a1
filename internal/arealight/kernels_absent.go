//go:build !amd64

package arealight

import "pillbox/geom"

// Stubs for machines without kernels: the portable code runs.

var haveKernels = false

func measure(geom.Vec3, float64, float64, *Points) (above, ok bool) { return false, false }
