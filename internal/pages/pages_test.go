package pages

import (
	"bytes"
	"testing"
)

// TestMake checks that memory of any size consists of zeros, also where garbage was, and that it is not shared.
func TestMake(t *testing.T) {
	for _, size := range []int{0, 1, least - 1, least, least + 1, least + large/8, 3*least + 5, 4*large - 1} {
		var kept [][]uint8
		for i := range 3 {
			memory := Make(size)
			if len(memory) != size || cap(memory) > size && size >= least {
				t.Errorf("%d bytes with room for %d, want %d", len(memory), cap(memory), size)
			}
			if got := bytes.Count(memory, []byte{0}); got != size {
				t.Errorf("%d zeros of %d", got, size)
			}
			for j := range memory {
				memory[j] = uint8(i + 1)
			}
			kept = append(kept, memory)
		}
		for i, memory := range kept {
			if got := bytes.Count(memory, []byte{uint8(i + 1)}); got != size {
				t.Errorf("%d bytes, %d of them with their value", size, got)
			}
		}
	}
}
