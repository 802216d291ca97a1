package prefetch

import "unsafe"

// Available reports whether this package has an effect on this machine.
const Available = true

//go:noescape
func ends(p unsafe.Pointer, size uintptr)
