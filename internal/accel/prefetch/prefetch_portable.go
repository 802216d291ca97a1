//go:build !amd64

package prefetch

import "unsafe"

// Available reports whether this package has an effect on this machine.
const Available = false

func ends(unsafe.Pointer, uintptr) {}
