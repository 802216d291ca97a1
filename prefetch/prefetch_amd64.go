package prefetch

import "unsafe"

//go:noescape
func twoLines(p unsafe.Pointer)
