package pngfile

import (
	"math/bits"
	"slices"
)

const (
	maxCode       = 15 // bits in the code of a symbol or a distance
	maxLengthCode = 7  // bits in the code of the length of one of those
)

// A code is the bits that stand for a symbol; no bits if it does not occur.
type code struct {
	bits uint16 // the first one lowest
	n    uint8
}

// makeCodes fills codes with the Huffman codes of symbols that occur count times each, none
// longer than limit.
func makeCodes(codes []code, count []uint32, limit int) {
	order := make([]int, 0, symbols) // what occurs, rare ones first: the count and the symbol
	for s, n := range count {
		if n > 0 {
			order = append(order, int(n)<<16|s)
		}
	}
	slices.Sort(order)
	lengths := codeLengths(order, limit)
	for n := limit; n > 0; n-- {
		for range lengths[n] {
			codes[order[0]&0xffff].n = uint8(n)
			order = order[1:]
		}
	}
	// RFC 1951, section 3.2.2: codes of one length are consecutive.
	var next [maxCode + 2]uint16
	for n := 1; n <= limit; n++ {
		next[n+1] = (next[n] + uint16(lengths[n])) << 1
	}
	for s := range codes {
		if n := codes[s].n; n > 0 {
			codes[s].bits = bits.Reverse16(next[n]) >> (16 - n)
			next[n]++
		}
	}
}

// codeLengths returns how many codes of each length a Huffman code has, for weights times
// 2^16 in ascending order. Where the tree is deeper than limit, it is rebalanced there.
func codeLengths(order []int, limit int) (count [maxCode + 1]int) {
	leaves := len(order)
	if leaves < 2 {
		count[1] = leaves
		return count
	}
	// The two lightest nodes become one, again and again. Leaves and nodes made of them come
	// in ascending order each, so the lightest is at the front of one of two queues (van
	// Leeuwen, On the construction of Huffman trees, 1976).
	var weight, parent, depth [2 * symbols]int
	for i, w := range order {
		weight[i] = w >> 16
	}
	leaf, node, root := 0, leaves, 2*leaves-2
	for next := leaves; next <= root; next++ {
		for range 2 {
			least := &leaf
			if leaf == leaves || node < next && weight[node] < weight[leaf] {
				least = &node
			}
			parent[*least] = next
			weight[next] += weight[*least]
			*least++
		}
	}
	for i := root - 1; i >= 0; i-- {
		depth[i] = depth[parent[i]] + 1
		if i < leaves {
			count[min(depth[i], limit)]++
		}
	}

	// A code of n bits takes 2^(limit-n) of the 2^limit there are. What was cut at the limit
	// takes too many: until all is well, one such code goes beside a shorter one, which
	// grows by a bit.
	taken := 0
	for n := 1; n <= limit; n++ {
		taken += count[n] << (limit - n)
	}
	for ; taken > 1<<limit; taken-- {
		n := limit - 1
		for count[n] == 0 {
			n--
		}
		count[n]--
		count[n+1] += 2
		count[limit]--
	}
	return count
}

// lengthOrder is the order of the lengths of the codes for lengths.
var lengthOrder = [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// writeTables writes the lengths of the codes for symbols and distances, from which they
// can be made again (RFC 1951, section 3.2.7).
func writeTables(w *bitWriter, symbol, distance []code) {
	symbol = trim(symbol, endOfBlock+1)
	distance = trim(distance, 1)
	items := runs(append(lengthsOf(symbol), lengthsOf(distance)...))

	var count [len(lengthOrder)]uint32
	for _, r := range items {
		count[r.symbol]++
	}
	var codes [len(lengthOrder)]code
	makeCodes(codes[:], count[:], maxLengthCode)
	n := len(lengthOrder)
	for n > 4 && codes[lengthOrder[n-1]].n == 0 {
		n--
	}

	w.put(uint64(len(symbol)-endOfBlock-1), 5)
	w.put(uint64(len(distance)-1), 5)
	w.put(uint64(n-4), 4)
	for _, s := range lengthOrder[:n] {
		w.put(uint64(codes[s].n), 3)
	}
	for _, r := range items {
		c := codes[r.symbol]
		w.put(uint64(c.bits)|uint64(r.extra)<<c.n, c.n+r.bits)
	}
}

// trim cuts unused codes at the end, but leaves at least so many.
func trim(codes []code, least int) []code {
	for len(codes) > least && codes[len(codes)-1].n == 0 {
		codes = codes[:len(codes)-1]
	}
	return codes
}

func lengthsOf(codes []code) []uint8 {
	lengths := make([]uint8, len(codes), symbols+distanceCodes)
	for i, c := range codes {
		lengths[i] = c.n
	}
	return lengths
}

// lengthRun is a length, or how often one repeats: a symbol and extra bits.
type lengthRun struct{ symbol, bits, extra uint8 }

// runs encodes lengths of codes.
func runs(lengths []uint8) []lengthRun {
	list := make([]lengthRun, 0, len(lengths))
	for i := 0; i < len(lengths); {
		v, n := lengths[i], 1
		for i+n < len(lengths) && lengths[i+n] == v {
			n++
		}
		switch {
		case v == 0 && n >= 11:
			n = min(n, 138)
			list = append(list, lengthRun{18, 7, uint8(n - 11)})
		case v == 0 && n >= 3:
			list = append(list, lengthRun{17, 3, uint8(n - 3)})
		case v != 0 && n >= 4:
			n = min(n, 7)
			list = append(list, lengthRun{v, 0, 0}, lengthRun{16, 2, uint8(n - 4)})
		default:
			n = 1
			list = append(list, lengthRun{v, 0, 0})
		}
		i += n
	}
	return list
}
