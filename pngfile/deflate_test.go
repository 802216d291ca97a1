package pngfile

import (
	"bytes"
	"compress/flate"
	"hash/adler32"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestFieldCodes compares with the tables of RFC 1951, section 3.2.5: the first value of each code.
func TestFieldCodes(t *testing.T) {
	lengths := []int{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	distances := []int{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577, 32769}
	code := 0
	for n := 3; n <= maxMatch; n++ {
		if code+1 < len(lengths) && n == lengths[code+1] {
			code++
		}
		f := lengthCode(n)
		if f.code != code || int(f.extra) != n-lengths[code] || f.extra>>f.bits != 0 {
			t.Errorf("lengthCode(%d) = %+v, want code %d and %d", n, f, code, n-lengths[code])
		}
		if want := max(0, code/4-1); code < 28 && int(f.bits) != want {
			t.Errorf("lengthCode(%d) has %d extra bits, want %d", n, f.bits, want)
		}
	}
	code = 0
	for d := 1; d <= window; d++ {
		if d == distances[code+1] {
			code++
		}
		f := distanceCode(d)
		if f.code != code || int(f.extra) != d-distances[code] || int(f.bits) != max(0, code/2-1) {
			t.Fatalf("distanceCode(%d) = %+v, want code %d and %d", d, f, code, d-distances[code])
		}
	}
}

// TestMakeCodes checks that codes are prefixes of no other, complete, within the limit, and
// no longer for symbols that are more frequent.
func TestMakeCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 0))
	var fibonacci [20]uint32
	for i := range fibonacci {
		fibonacci[i] = 1
		if i > 1 {
			fibonacci[i] = fibonacci[i-1] + fibonacci[i-2]
		}
	}
	tests := [][]uint32{fibonacci[:], {0, 7, 0}, {1, 1}, {0, 0, 5, 0, 9000}}
	for range 60 {
		count := make([]uint32, 1+r.IntN(symbols))
		for i := range count {
			count[i] = r.Uint32N(1 << r.UintN(15)) // of all magnitudes, some of them 0
		}
		tests = append(tests, count)
	}
	for _, count := range tests {
		for _, limit := range []int{maxCode, 9} {
			codes := make([]code, len(count))
			makeCodes(codes, count, limit)
			taken, used := 0, 0
			for s, c := range codes {
				if c.n > 0 != (count[s] > 0) || int(c.n) > limit || c.bits>>c.n != 0 {
					t.Fatalf("%v: a symbol that occurs %d times has code %+v", count, count[s], c)
				}
				if c.n == 0 {
					continue
				}
				used++
				taken += 1 << (limit - int(c.n))
				for z, d := range codes {
					if z != s && d.n >= c.n && d.bits&(1<<c.n-1) == c.bits {
						t.Fatalf("%v: code %+v starts code %+v", count, c, d)
					}
					if count[z] > count[s] && d.n > c.n {
						t.Fatalf("%v: a symbol that occurs %d times has a longer code than one that occurs %d times", count, count[z], count[s])
					}
				}
			}
			if used > 1 && taken != 1<<limit {
				t.Errorf("%v: the codes take %d of %d", count, taken, 1<<limit)
			}
		}
	}
}

// material is bytes with repetitions near and far.
func material(r *rand.Rand, n int) []byte {
	var b []byte
	for len(b) < n {
		switch k := 1 + r.IntN(600); r.IntN(4) {
		case 0:
			for range k {
				b = append(b, byte(r.IntN(1+r.IntN(256))))
			}
		case 1:
			b = append(b, bytes.Repeat([]byte{byte(r.IntN(256))}, k)...)
		case 2:
			b = append(b, bytes.Repeat([]byte{byte(r.IntN(256)), 1, 2, 3}, k)...)
		default:
			if d := 1 + r.IntN(40000); d <= len(b) {
				for range k {
					b = append(b, b[len(b)-d])
				}
			}
		}
	}
	return b[:n]
}

// TestScan puts tokens together again, and reads what is made of them with compress/flate.
func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 0))
	for i := range 40 {
		src := material(r, r.IntN(1+[]int{10, 300, 100000, 300000}[i%4]))
		from := r.IntN(len(src) + 1)
		m := matcher{pixel: []int{1, 3, 4}[i%3]}
		var b block
		var w bitWriter
		got := bytes.Clone(src[:from])
		m.scan(src, from, effort{1 + r.IntN(9), 1 + r.IntN(40), r.IntN(40)}, &b, func() {
			for _, k := range b.tokens {
				if k < endOfBlock {
					got = append(got, byte(k))
					continue
				}
				length, distance := int(k>>16), int(k&0xffff)+1
				if length < minMatch || length > maxMatch || distance > window || distance > len(got) {
					t.Fatalf("a match of %d bytes at distance %d after %d bytes", length, distance, len(got))
				}
				for range length {
					got = append(got, got[len(got)-distance])
				}
			}
			b.write(&w)
			b.clear()
		})
		if !bytes.Equal(got, src) {
			t.Fatal("the tokens do not give what was scanned")
		}
		w.align()
		inflated, err := io.ReadAll(flate.NewReaderDict(bytes.NewReader(append(w.out, 3, 0)), src[:from]))
		if err != nil || !bytes.Equal(inflated, src[from:]) {
			t.Fatalf("inflating fails (%v) or gives something else", err)
		}
	}
}

// TestScanForgets uses a matcher twice.
func TestScanForgets(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	tokens := func(m *matcher, src []byte) []token {
		var b block
		m.scan(src, 0, effort{8, 8, 8}, &b, func() { b.tokens = b.tokens[:len(b.tokens):len(b.tokens)] })
		return b.tokens
	}
	for range 20 {
		before, src := material(r, 40000), material(r, 12000)
		copy(before[5000:], src[3000:])
		used := matcher{pixel: 3}
		tokens(&used, before)
		if !slices.Equal(tokens(&used, src), tokens(&matcher{pixel: 3}, src)) {
			t.Fatal("a matcher that has been used finds something else")
		}
	}
}

// TestScanFindsRepetitions notices a matcher that finds little: all else would still be
// right.
func TestScanFindsRepetitions(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 0))
	line := make([]byte, 5000)
	for i := range line {
		line[i] = byte(r.Uint32())
	}
	src := bytes.Repeat(line, 20)
	m := matcher{pixel: 3}
	var b block
	m.scan(src, 0, effort{1, 1, 0}, &b, func() {})
	if got, most := len(b.tokens), len(line)+len(src)/maxMatch+20; got > most {
		t.Errorf("a line that repeats takes %d tokens, want at most %d", got, most)
	}
}

// TestCost holds the estimate to what blocks take, but for their tables.
func TestCost(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	for i := range 20 {
		var b block
		for range 10000 {
			if i%2 == 0 && r.IntN(2) == 0 {
				b.literal(byte(r.NormFloat64() * 9))
			} else {
				b.match(match{minMatch + r.IntN(maxMatch-minMatch), 1 + r.IntN(window)})
			}
		}
		var w bitWriter
		b.write(&w)
		const tables = 200 // bytes, at most
		got, want := b.cost()/8, len(w.out)
		if got > want || got < want-want/50-tables {
			t.Errorf("the cost is %d bytes, the block takes %d", got, want)
		}
	}
}

func TestCombine(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	for range 100 {
		data := make([]byte, r.IntN(200000))
		for i := range data {
			data[i] = byte(r.Uint32() | 0xf0)
		}
		n := r.IntN(len(data) + 1)
		got := combine(checksum(data[:n]), checksum(data[n:]), len(data)-n)
		if want := adler32.Checksum(data); got != want {
			t.Errorf("the sum of %d and %d bytes is %08x, want %08x", n, len(data)-n, got, want)
		}
	}
}

// TestFilters compares with the definitions, byte by byte.
func TestFilters(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 0))
	for i := range 300 {
		n := 4 * (1 + r.IntN(100))
		row, up := make([]byte, n), make([]byte, n)
		for i := range row {
			row[i], up[i] = byte(r.Uint32()), byte(r.Uint32())
		}
		if i%2 == 0 { // rows as pictures have them: neighbours are alike
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

// nearest is the Paeth predictor in the words of the specification.
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
