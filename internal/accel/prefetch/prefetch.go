// Package prefetch makes the processor begin to load memory while it does other work. In a large scene,
// most of what a ray needs is not in the cache, and waiting for it takes longer than using it.
//
// Prefetching does not affect results, and every pointer is allowed, even nil. A request takes about two
// nanoseconds, so it pays only for memory that is probably not in the cache. Where [Available] is false,
// requests have no effect, and callers can skip work that only prepares requests. All functions are safe for
// concurrent use.
package prefetch

import "unsafe"

// Struct begins to load the cache lines that contain the first and the last byte of *p. Lines between
// these are not loaded.
func Struct[T any](p *T) { Memory(unsafe.Pointer(p), unsafe.Sizeof(*p)) }

// Memory begins to load the cache lines that contain the first and the last of size bytes from p. If
// size is 0, it may load the line before p.
func Memory(p unsafe.Pointer, size uintptr) { ends(p, size) }
