package pages

import (
	"bytes"
	"testing"
)

// TestUseLargeKeepsMemory checks that memory has the same values after the advice, whatever its size and its beginning.
func TestUseLargeKeepsMemory(t *testing.T) {
	for _, size := range []int{0, 1, least - 1, least, 3*least + 5} {
		for _, begin := range []int{0, 3, 4096} {
			memory := bytes.Repeat([]byte{7}, size+begin)[begin:]
			UseLarge(memory)
			if got := bytes.Count(memory, []byte{7}); got != size {
				t.Errorf("%d bytes, %d of them with their value", size, got)
			}
		}
	}
}
