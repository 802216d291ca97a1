package accel

// haveKernels is set if the kernels are part of this program. Go's assembler has no vector instructions
// for wasm, so kernels_wasm.s contains only stubs, which internal/tools/straighten replaces with the kernels
// of kernels.wasm. Tests clear haveKernels.
var haveKernels = linkedKernels() != 0

// linkedKernels returns 0 in the stub, and another number in the kernel that replaces it.
func linkedKernels() uint64
