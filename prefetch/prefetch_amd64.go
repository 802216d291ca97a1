package prefetch

import "unsafe"

//go:noescape
func ends(p unsafe.Pointer, size uintptr)
