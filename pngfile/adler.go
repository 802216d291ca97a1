package pngfile

// mod is the modulus of Adler-32 (RFC 1950): the sum of all bytes plus 1 in the low half, and
// in the high half the sum of what the low half was after each byte.
const mod = 65521

// checksum returns the Adler-32 of data. It is several times as fast as hash/adler32: it adds
// up eight bytes at a time, in lanes of 16 bits.
func checksum(data []byte) uint32 {
	const words = 15 // more would overflow: the lanes of sums reach 2*255*(1+2+...+15) = 61200
	const lanes = 0x00ff00ff00ff00ff
	low, high := uint64(1), uint64(0)
	for len(data) >= 8*words {
		block := (*[8 * words]byte)(data)
		var even, odd, sums uint64
		for i := 0; i < len(block); i += 8 {
			v := load(block[i:])
			even += v & lanes
			odd += v >> 8 & lanes
			sums += even + odd
		}
		// A byte counts in high as often as there are bytes from it to the end of the block:
		// 8 times for each word from its own on, less its place in that, 0 to 7. The place is
		// twice the lane, and 1 more if odd.
		pairs := even + odd
		places := 2*(pairs>>16&0xffff+2*(pairs>>32&0xffff)+3*(pairs>>48)) + total(odd)
		high += uint64(len(block))*low + 8*total(sums) - places
		low += total(pairs)
		low, high = low%mod, high%mod
		data = data[len(block):]
	}
	for _, b := range data {
		low += uint64(b)
		high += low
	}
	return uint32(high%mod<<16 | low%mod)
}

// combine returns the Adler-32 of what has sum a followed by size bytes that have sum b.
func combine(a, b uint32, size int) uint32 {
	a0, a1, b0, b1, n := uint64(a&0xffff), uint64(a>>16), uint64(b&0xffff), uint64(b>>16), uint64(size)%mod
	// The low half is 1 plus the sum of all bytes, the high half the sum of the low ones
	// after each byte: those of b grow by what a adds to them.
	low := (a0 + b0 + mod - 1) % mod
	high := (a1 + b1 + n*(a0+mod-1)) % mod
	return uint32(high<<16 | low)
}

// total returns the sum of four lanes.
func total(lanes uint64) uint64 {
	return lanes&0xffff + lanes>>16&0xffff + lanes>>32&0xffff + lanes>>48
}
