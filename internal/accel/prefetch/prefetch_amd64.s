#include "textflag.h"

// func ends(p unsafe.Pointer, size uintptr)
TEXT ·ends(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), AX
	MOVQ size+8(FP), CX
	PREFETCHT0 (AX)
	PREFETCHT0 -1(AX)(CX*1)
	RET
