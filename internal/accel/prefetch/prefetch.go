// Package prefetch lets the processor begin to load memory while it does other work. In a large scene, most of what
// a ray needs is not in the cache, and to wait for it takes longer than to use it.
//
// Conventions: it changes no result, and a pointer to anything may be given, even nil. A request costs about two
// nanoseconds, so it pays only for memory that is likely not to be in the cache. Where [Available] is false,
// nothing is done, and what only prepares a request can be left out. All functions are safe for concurrent use.
package prefetch

import "unsafe"

// Struct begins to load the cache lines in which *p begins and ends: all of it, if it fills no more than two. What
// lies between them in a larger one is not asked for.
func Struct[T any](p *T) { Memory(unsafe.Pointer(p), unsafe.Sizeof(*p)) }

// Memory does that for size bytes from p on. If none exist, it is the line before p that may be loaded, too.
func Memory(p unsafe.Pointer, size uintptr) { ends(p, size) }
