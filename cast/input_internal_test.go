package cast

import (
	"strings"
	"testing"
)

// TestLongLineInReusedBuffer checks that the maximum length of a line is the same in a new buffer and in a reused,
// larger one.
func TestLongLineInReusedBuffer(t *testing.T) {
	for _, c := range []struct {
		length int // of the line and its line break
		want   string
	}{
		{chunkBytes, ""},
		{chunkBytes + 1, "rays:1: must be at most 131071 bytes long"},
		{2 * chunkBytes, "rays:1: must be at most 131071 bytes long"},
	} {
		for _, size := range []int{chunkBytes, 4 * chunkBytes} {
			o := Options{Format: CSV, Source: "rays"}
			_, err := newCutter(&o, strings.NewReader(strings.Repeat("1", c.length-1)+"\n")).next(make([]byte, size))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("a line of %d bytes in a buffer of %d: %q, want %q", c.length, size, got, c.want)
			}
		}
	}
}
