package pngfile

import (
	"encoding/binary"
	"math/bits"
)

// A block collects the tokens of one block of a deflate stream (RFC 1951) and counts them.
type block struct {
	tokens    []token
	literals  [256]uint32
	lengths   [maxMatch + 1]uint32
	distances [distanceCodes]uint32
}

// A token is a literal byte, or the length of a match times 2^16 plus its distance less one.
type token uint32

const (
	endOfBlock    = 256 // a symbol; those before it are literals, those behind it lengths
	symbols       = 286
	distanceCodes = 30

	// So many tokens outweigh the tables in front of them, and few enough are about alike.
	maxTokens = 1 << 14
)

func (b *block) full() bool { return len(b.tokens) >= maxTokens }

func (b *block) clear() { *b = block{tokens: b.tokens[:0]} }

func (b *block) literal(c byte) {
	b.tokens = append(b.tokens, token(c))
	b.literals[c]++
}

func (b *block) match(m match) {
	b.tokens = append(b.tokens, token(m.length<<16|(m.distance-1)))
	b.lengths[m.length]++
	b.distances[distanceCode(m.distance).code]++
}

// field is how deflate writes a length or a distance: a code for its order of magnitude, and
// extra bits that say which one of those it is.
type field struct {
	code  int
	bits  uint8 // number of extra bits
	extra uint64
}

func lengthCode(length int) field {
	switch n := length - 3; {
	case length == maxMatch:
		return field{code: 28}
	case n < 8:
		return field{code: n}
	default:
		extra := bits.Len(uint(n)) - 3
		return field{4*extra + n>>extra, uint8(extra), uint64(n & (1<<extra - 1))}
	}
}

func distanceCode(distance int) field {
	n := distance - 1
	if n < 4 {
		return field{code: n}
	}
	extra := bits.Len(uint(n)) - 2
	return field{2*extra + n>>extra, uint8(extra), uint64(n & (1<<extra - 1))}
}

// symbols returns how often each symbol occurs.
func (b *block) symbols() (count [symbols]uint32) {
	copy(count[:], b.literals[:])
	count[endOfBlock] = 1
	for length := minMatch; length <= maxMatch; length++ {
		count[endOfBlock+1+lengthCode(length).code] += b.lengths[length]
	}
	return count
}

// cost estimates the size of the block in bits, without its tables, by the entropy of its
// symbols.
func (b *block) cost() int {
	count := b.symbols()
	cost := entropy(count[:]) + entropy(b.distances[:])
	for length := minMatch; length <= maxMatch; length++ {
		cost += int(lengthCode(length).bits) * int(b.lengths[length])
	}
	for code, n := range b.distances {
		cost += max(0, code/2-1) * int(n) // extra bits
	}
	return cost
}

// entropy returns the sum of n*log2(all/n) over the counts n, all of them together.
func entropy(count []uint32) int {
	all, sum := 0, 0
	for _, n := range count {
		all += int(n)
		sum += int(n) * log2(n)
	}
	return (all*log2(uint32(all)) - sum) >> 8
}

// log2 returns 256 times the binary logarithm of n, between powers of two by linear
// interpolation. (That of package math is not the same on every machine.)
func log2(n uint32) int {
	if n == 0 {
		return 0
	}
	whole := bits.Len32(n) - 1
	return whole<<8 | int(uint64(n)<<8>>whole)&0xff
}

// write writes the block, with Huffman codes made for it, to w.
func (b *block) write(w *bitWriter) {
	count := b.symbols()
	var symbol [symbols]code
	var distance [distanceCodes]code
	makeCodes(symbol[:], count[:], maxCode)
	makeCodes(distance[:], b.distances[:], maxCode)

	const dynamic = 2
	w.put(dynamic<<1, 3) // not the last block
	writeTables(w, symbol[:], distance[:])

	var length [maxMatch + 1]struct { // codes with extra bits
		bits uint64
		n    uint8
	}
	for n := minMatch; n <= maxMatch; n++ {
		f := lengthCode(n)
		c := symbol[endOfBlock+1+f.code]
		length[n].bits, length[n].n = uint64(c.bits)|f.extra<<c.n, c.n+f.bits
	}
	for _, t := range b.tokens {
		if t < endOfBlock {
			w.put(uint64(symbol[t].bits), symbol[t].n)
			continue
		}
		l := &length[t>>16]
		w.put(l.bits, l.n)
		f := distanceCode(int(t&0xffff) + 1)
		c := distance[f.code]
		w.put(uint64(c.bits)|f.extra<<c.n, c.n+f.bits)
	}
	w.put(uint64(symbol[endOfBlock].bits), symbol[endOfBlock].n)
}

// A bitWriter appends bits to out, the lowest bit of each byte first.
type bitWriter struct {
	out     []byte
	pending uint64
	n       uint8 // pending bits, below 32
}

// put writes the lowest n bits of v, at most 32. The others must be 0.
func (w *bitWriter) put(v uint64, n uint8) {
	w.pending |= v << w.n
	w.n += n
	if w.n >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.pending))
		w.pending >>= 32
		w.n -= 32
	}
}

// align ends at a whole byte, with an empty stored block.
func (w *bitWriter) align() {
	w.put(0, 3) // stored, not the last
	for ; w.n > 0; w.n -= min(w.n, 8) {
		w.out = append(w.out, byte(w.pending))
		w.pending >>= 8
	}
	w.out = append(w.out, 0, 0, 0xff, 0xff)
}
