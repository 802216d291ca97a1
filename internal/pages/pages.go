// Package pages asks the system for large pages of memory. Memory is given to a program page by page when it is first used, and each
// time takes microseconds: for the pixels of a large picture, that is longer than to compute many of them.
package pages

// least is the size of memory from which large pages are worth asking for, in bytes: twice the usual size of a large page.
const least = 4 << 20

// UseLarge asks for large pages for memory that was just made and will be filled. It changes no value, and nothing on systems without
// large pages.
func UseLarge(memory []uint8) {
	if len(memory) >= least {
		advise(memory)
	}
}
