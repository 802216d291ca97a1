// The places of the kernels for wasm: see kernels_wasm.go.

#include "textflag.h"

TEXT ·linkedKernels(SB), NOSPLIT, $0-8
	Get SP
	I64Const $0
	I64Store ret+0(FP)
	RET

TEXT ·sphereShadowKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·capsuleShadowKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·boxShadowKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·cylinderShadowKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·traverseKernel(SB), NOSPLIT, $0-56
	UNDEF

TEXT ·sphereKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·capsuleKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·boxKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·cylinderKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·sphereParallelKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·capsuleParallelKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·boxParallelKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·cylinderParallelKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·sphereNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·capsuleNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·boxNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·cylinderNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·sphereParallelNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·capsuleParallelNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·boxParallelNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·cylinderParallelNormalsKernel(SB), NOSPLIT, $0-32
	UNDEF

TEXT ·originsKernel(SB), NOSPLIT, $0-24
	UNDEF

TEXT ·directionsKernel(SB), NOSPLIT, $0-24
	UNDEF

TEXT ·frustumKernel(SB), NOSPLIT, $0-24
	UNDEF
