package accel

import "testing"

// WithAndWithoutKernels runs a test both ways.
func WithAndWithoutKernels(t *testing.T, test func(t *testing.T)) {
	if haveKernels {
		t.Run("kernels", test)
		haveKernels = false
		defer func() { haveKernels = true }()
	}
	t.Run("portable", test)
}
