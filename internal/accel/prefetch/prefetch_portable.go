//go:build !amd64

package prefetch

import "unsafe"

// Available says whether this machine does anything at all.
const Available = false

func ends(unsafe.Pointer, uintptr) {}
