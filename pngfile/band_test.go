package pngfile

import (
	"hash/adler32"
	"math/rand/v2"
	"testing"
)

func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for range 100 {
		data := make([]byte, r.IntN(200000))
		for i := range data {
			data[i] = byte(r.Uint32() | 0xf0)
		}
		n := r.IntN(len(data) + 1)
		got := combine(adler32.Checksum(data[:n]), adler32.Checksum(data[n:]), len(data)-n)
		if want := adler32.Checksum(data); got != want {
			t.Errorf("the sum of %d and %d bytes is %08x, want %08x", n, len(data)-n, got, want)
		}
	}
}

// TestFilters compares the bytes that each filter returns with the definition of the filter.
func TestFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for i := range 300 {
		n := 4 * (1 + r.IntN(100))
		row, up := make([]byte, n), make([]byte, n)
		for i := range row {
			row[i], up[i] = byte(r.Uint32()), byte(r.Uint32())
		}
		if i%2 == 0 { // rows as pictures have them: neighbors are alike
			for i := range row {
				if i >= 4 && r.IntN(9) > 0 {
					row[i] = row[i-4]
				}
				if i >= 4 && r.IntN(9) > 0 {
					up[i] = up[i-4]
				}
				if r.IntN(9) > 0 {
					up[i] = row[i]
				}
			}
		}
		for _, f := range []filter{none, left, above, paeth} {
			got := make([]byte, n)
			f.apply(got, row, up)
			for i := range row {
				var a, c byte
				if i >= 4 {
					a, c = row[i-4], up[i-4]
				}
				prediction := map[filter]byte{none: 0, left: a, above: up[i], paeth: nearest(a, up[i], c)}[f]
				if want := row[i] - prediction; got[i] != want {
					t.Fatalf("filter %d makes %d of byte %d, want %d", f, got[i], i, want)
				}
			}
		}
	}
}

// nearest is the Paeth predictor, computed as the specification describes it.
func nearest(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	best := a
	for _, v := range []byte{b, c} {
		if abs(p-int(v)) < abs(p-int(best)) {
			best = v
		}
	}
	return best
}
