package pngfile

import (
	"encoding/binary"
	"math/bits"
)

const (
	minMatch = 4   // the literals that a match of three would replace cost about as much
	maxMatch = 258 // the longest that deflate can express
	window   = 1 << 15

	hashBits = 15

	// Of a match as long as can be, as in areas that repeat, so many places at either end are
	// enough to find it again.
	ends = 64
)

// effort says how hard a matcher searches.
type effort struct {
	afterLiteral int // earlier places to look at where nothing matched before
	afterMatch   int // and where something did: more is likely to
	lazy         int // a match shorter than this gives way to a longer one a byte later
}

// A matcher finds what has occurred before (LZ77): by the hash of four bytes and, first, at
// the distances of its last matches. In the filtered rows of a picture the same few
// distances come again and again, and the matches there are long.
type matcher struct {
	pixel int // bytes a pixel

	// Places are kept modulo 2^16, twice the window, which tells those beyond it apart.
	head [1 << hashBits]uint16 // the last place of each hash
	prev [window]uint16        // by place modulo window, the last one before it of its hash

	recent [4]int // distances, the last one first
}

// A match repeats length bytes from distance bytes before. The zero value is none.
type match struct{ length, distance int }

// scan adds the tokens of src[from:] to b. Matches reach back into src[:from]. At the end,
// and whenever b is full, scan calls flush, which must clear b.
func (m *matcher) scan(src []byte, from int, e effort, b *block, flush func()) {
	clear(m.head[:]) // nothing may depend on what was scanned before
	clear(m.prev[:])
	m.recent = [...]int{1, 1, 1, 1}
	m.insert(src, 0, from)
	tries := e.afterLiteral
	for i := from; i < len(src); {
		if b.full() {
			flush()
		}
		known := i // the places before it are in the tables
		found := m.flat(src, i)
		if found.length < maxMatch {
			found = m.search(src, i, found, tries)
			known++
			if found.length == 0 {
				b.literal(src[i])
				i++
				tries = e.afterLiteral
				continue
			}
		}
		for found.length < e.lazy {
			later := m.search(src, i+1, found, max(1, tries/4)) // most often in vain
			known++
			if later == found {
				break
			}
			b.literal(src[i])
			i++
			found = later
		}
		b.match(found)
		i += found.length
		tries = e.afterMatch
		switch {
		case found.distance <= m.pixel: // a flat area, whose places are all alike
			known = max(known, i-minMatch-m.pixel)
		case found.length == maxMatch:
			m.insert(src, known, i-maxMatch+ends)
			known = i - ends
			fallthrough
		default:
			m.remember(found.distance)
		}
		m.insert(src, known, i)
	}
	flush()
}

// flat returns the match of src[i:] with the byte or the pixel before, if that has at least
// eight bytes.
func (m *matcher) flat(src []byte, i int) match {
	if i+8 > len(src) || i < m.pixel {
		return match{}
	}
	here := binary.LittleEndian.Uint64(src[i:])
	if here == binary.LittleEndian.Uint64(src[i-1:]) {
		return match{common(src, i-1, i), 1}
	}
	if here == binary.LittleEndian.Uint64(src[i-m.pixel:]) {
		return match{common(src, i-m.pixel, i), m.pixel}
	}
	return match{}
}

// search returns the longest match for src[i:] that is longer than beat, or beat. It puts i
// in the tables.
func (m *matcher) search(src []byte, i int, beat match, tries int) match {
	if i+minMatch > len(src) {
		return beat
	}
	four := binary.LittleEndian.Uint32(src[i:])
	place := m.put(hash(four), i)

	least := max(minMatch, beat.length+1)
	limit := min(maxMatch, len(src)-i)
	for _, d := range m.recent[:min(len(m.recent), tries)] {
		if d <= i && binary.LittleEndian.Uint32(src[i-d:]) == four {
			if n := common(src, i-d, i); n >= least {
				beat, least = match{n, d}, n+1
			}
		}
	}
	for last := 0; tries > 0 && least <= limit; tries-- {
		d := int(uint16(i) - place)
		if d <= last || d > min(i, window) {
			break // the end of the list, or the remains of another
		}
		if src[i-d+least-1] == src[i+least-1] && binary.LittleEndian.Uint32(src[i-d:]) == four {
			if n := common(src, i-d, i); n >= least {
				beat, least = match{n, d}, n+1
			}
		}
		last = d
		place = m.prev[place%window]
	}
	return beat
}

// insert puts the places from <= i < to in the tables.
func (m *matcher) insert(src []byte, from, to int) {
	i := from
	to = min(to, len(src)-minMatch+1)
	for ; i+5 <= to; i += 5 {
		eight := binary.LittleEndian.Uint64(src[i:]) // holds five times four bytes
		m.put(hash(uint32(eight)), i)
		m.put(hash(uint32(eight>>8)), i+1)
		m.put(hash(uint32(eight>>16)), i+2)
		m.put(hash(uint32(eight>>24)), i+3)
		m.put(hash(uint32(eight>>32)), i+4)
	}
	for ; i < to; i++ {
		m.put(hash(binary.LittleEndian.Uint32(src[i:])), i)
	}
}

// put makes i the last place of hash h, and returns the one before.
func (m *matcher) put(h uint32, i int) uint16 {
	before := m.head[h]
	m.prev[uint(i)%window] = before
	m.head[h] = uint16(i)
	return before
}

// remember puts a distance in front of the recent ones.
func (m *matcher) remember(distance int) {
	i := 0
	for i < len(m.recent)-1 && m.recent[i] != distance {
		i++
	}
	copy(m.recent[1:i+1], m.recent[:i])
	m.recent[0] = distance
}

// hash is Knuth's multiplicative one: the factor is a prime near 2^32 over the golden ratio.
func hash(four uint32) uint32 {
	return four * 2654435761 >> (32 - hashBits)
}

// common returns how many bytes, at most maxMatch, are the same from src[p] and from src[i]
// on, p < i.
func common(src []byte, p, i int) int {
	a, b := src[p:], src[i:min(i+maxMatch, len(src))]
	n := 0
	for ; len(b)-n >= 8; n += 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)/8
		}
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
