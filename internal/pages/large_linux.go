package pages

import (
	"syscall"
	"unsafe"
)

// hugePage is MADV_HUGEPAGE.
const hugePage = 14

// mostRest is what may be left over after whole large pages before one more is worth it: to clear a large page takes as long
// as to get some dozens of small ones.
const mostRest = large / 8

// inLarge returns n bytes that begin with a large page. Only pages that are used take memory, so those around the bytes take
// none. It ignores errors: without large pages, only time is lost.
func inLarge(n int) []uint8 {
	whole := (n + large - mostRest) / large * large
	memory := make([]uint8, max(n, whole)+large)
	before := -uintptr(unsafe.Pointer(unsafe.SliceData(memory))) % large
	memory = memory[before:]
	_ = syscall.Madvise(memory[:whole], hugePage)
	return memory[:n:n]
}
