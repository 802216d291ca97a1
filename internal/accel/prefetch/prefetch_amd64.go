package prefetch

import "unsafe"

// Available says whether this machine does anything at all.
const Available = true

//go:noescape
func ends(p unsafe.Pointer, size uintptr)
