// Package pages makes memory in large pages. Memory is given to a program page by page when it is first used, and each
// time takes microseconds: for the pixels of a large picture, that is longer than to compute many of them.
package pages

// large is the usual size of a large page in bytes, and least the size of memory from which large pages are worth asking for.
const (
	large = 2 << 20
	least = 2 * large
)

// Make returns n bytes of zeros, in large pages if there are many and the system has them.
func Make(n int) []uint8 {
	if n < least {
		return make([]uint8, n)
	}
	return inLarge(n)
}
