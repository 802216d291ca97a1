package accel

// haveKernels is set if the kernels are part of this program. Go's assembler knows no vectors for wasm, so
// kernels_wasm.s holds places for them only, which web/wasm/straighten fills with those of kernels.wasm. Tests
// clear it.
var haveKernels = linkedKernels() != 0

// linkedKernels returns 0 unless it is a kernel itself.
func linkedKernels() uint64
