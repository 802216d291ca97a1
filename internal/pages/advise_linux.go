package pages

import "syscall"

// hugePage is MADV_HUGEPAGE.
const hugePage = 14

// advise ignores errors: without large pages, only time is lost.
func advise(memory []uint8) { _ = syscall.Madvise(memory, hugePage) }
