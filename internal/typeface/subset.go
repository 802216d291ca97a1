package typeface

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"
)

// Subset returns a TrueType font file that contains the outlines of only the given letters. letters holds their
// numbers, see [Face.Index]; they have the same numbers in the file. The file has no instructions for pixel grids. The
// same letters always give the same bytes.
func (f *Face) Subset(letters []uint16) []byte {
	in := tablesOf(f.data)
	glyphs := glyphsOf(in)
	kept := map[uint16]bool{0: true} // the letter for missing characters, which every font must have
	for _, l := range letters {
		keep(kept, l, glyphs)
	}
	n := int(slices.Max(slices.Collect(maps.Keys(kept)))) + 1
	var glyf, loca []byte
	for i := range n + 1 {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		if kept[uint16(i)] && i < n {
			glyf = padded(append(glyf, withoutInstructions(glyphs(uint16(i)))...))
		}
	}
	set := func(table string, at, value int) {
		in[table] = slices.Clone(in[table])
		binary.BigEndian.PutUint16(in[table][at:], uint16(value))
	}
	widths := min(n, int(binary.BigEndian.Uint16(in["hhea"][34:]))) // letters after these have the last width
	set("hhea", 34, widths)
	set("maxp", 4, n)
	set("head", 50, 1)                            // loca has 32-bit offsets
	binary.BigEndian.PutUint32(in["head"][8:], 0) // the checksum of the file, see assemble
	post := make([]byte, 32)
	copy(post, in["post"][:32])
	binary.BigEndian.PutUint32(post, 0x00030000) // version 3, without names of letters
	return assemble(map[string][]byte{
		"OS/2": in["OS/2"], "cmap": cmap(func(r rune) (uint16, bool) { letter, ok := f.Index(r); return letter, ok && kept[letter] }), "glyf": glyf, "head": in["head"], "hhea": in["hhea"],
		"hmtx": in["hmtx"][:4*widths+2*(n-widths)], "loca": loca, "maxp": in["maxp"], "name": {0, 0, 0, 0, 0, 6}, "post": post,
	})
}

// glyphsOf returns a function that returns the outline of a letter as the font file stores it.
func glyphsOf(tables map[string][]byte) func(letter uint16) []byte {
	loca, glyf, long := tables["loca"], tables["glyf"], binary.BigEndian.Uint16(tables["head"][50:]) != 0
	at := func(i int) uint32 {
		if long {
			return binary.BigEndian.Uint32(loca[4*i:])
		}
		return 2 * uint32(binary.BigEndian.Uint16(loca[2*i:]))
	}
	return func(letter uint16) []byte { return glyf[at(int(letter)):at(int(letter)+1)] }
}

// cmap returns the table cmap of a font. The function index returns the number of a character's letter, or false.
func cmap(index func(rune) (uint16, bool)) []byte {
	// OpenType specification, table cmap, format 4: ranges of characters whose letters have consecutive numbers.
	type segment struct{ first, last, delta uint16 }
	var all []segment
	for r := range rune(0xFFFF) {
		letter, ok := index(r)
		if !ok {
			continue
		}
		c := uint16(r)
		if n := len(all); n > 0 && all[n-1].last+1 == c && all[n-1].delta == letter-c {
			all[n-1].last = c
		} else {
			all = append(all, segment{c, c, letter - c})
		}
	}
	all = append(all, segment{0xFFFF, 0xFFFF, 1})
	n := len(all)
	selector := bits.Len(uint(n)) - 1
	var out []byte
	add := func(values ...int) {
		for _, v := range values {
			out = binary.BigEndian.AppendUint16(out, uint16(v))
		}
	}
	add(0, 1, 3, 1, 0, 12) // one table, for Unicode on Windows, 12 bytes after the beginning
	add(4, 16+8*n, 0, 2*n, 2<<selector, selector, 2*n-2<<selector)
	for _, s := range all {
		add(int(s.last))
	}
	add(0)
	for _, s := range all {
		add(int(s.first))
	}
	for _, s := range all {
		add(int(s.delta))
	}
	for range all {
		add(0)
	}
	return out
}

// tablesOf returns the tables of a font file.
func tablesOf(data []byte) map[string][]byte {
	tables := make(map[string][]byte)
	for i := range int(binary.BigEndian.Uint16(data[4:])) {
		entry := data[12+16*i:]
		start, length := binary.BigEndian.Uint32(entry[8:]), binary.BigEndian.Uint32(entry[12:])
		tables[string(entry[:4])] = data[start:][:length:length]
	}
	return tables
}

// keep adds the letter with a number to the set kept. If the letter is composed of other letters, keep also adds
// these. The function glyphs returns the data of a letter.
func keep(kept map[uint16]bool, letter uint16, glyphs func(uint16) []byte) {
	if kept[letter] {
		return
	}
	kept[letter] = true
	data := glyphs(letter)
	components(data, func(at int) { keep(kept, binary.BigEndian.Uint16(data[at+2:]), glyphs) })
}

// Flags of the parts of a letter that is composed of others: OpenType specification, table glyf, "Composite Glyph
// Description".
const (
	wordArguments   = 1
	scaled          = 1 << 3
	more            = 1 << 5
	scaledTwice     = 1 << 6
	matrix          = 1 << 7
	hasInstructions = 1 << 8
)

// components calls f with the position of each part of a letter that is composed of others, and returns the position
// after the last one. It returns false for other letters.
func components(data []byte, f func(at int)) (end int, ok bool) {
	if len(data) == 0 || int16(binary.BigEndian.Uint16(data)) >= 0 {
		return 0, false
	}
	for at := 10; ; {
		flags := binary.BigEndian.Uint16(data[at:])
		f(at)
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&scaled != 0:
			at += 2
		case flags&scaledTwice != 0:
			at += 4
		case flags&matrix != 0:
			at += 8
		}
		if flags&more == 0 {
			return at, true
		}
	}
}

// withoutInstructions returns the data of a letter without the instructions that fit it to a grid of pixels.
func withoutInstructions(data []byte) []byte {
	if len(data) == 0 {
		return nil
	}
	out := slices.Clone(data)
	end, composed := components(data, func(at int) {
		binary.BigEndian.PutUint16(out[at:], binary.BigEndian.Uint16(data[at:])&^hasInstructions)
	})
	if composed {
		return out[:end]
	}
	at := 10 + 2*int(binary.BigEndian.Uint16(data)) // after the ends of the contours
	n := int(binary.BigEndian.Uint16(data[at:]))
	return append(append(out[:at], 0, 0), data[at+2+n:]...)
}

// assemble returns the font file with the given tables.
func assemble(tables map[string][]byte) []byte {
	tags := slices.Sorted(maps.Keys(tables))
	n, selector := len(tags), 0
	for 2<<selector <= n {
		selector++
	}
	file := binary.BigEndian.AppendUint32(nil, 0x00010000)
	for _, v := range []int{n, 16 << selector, selector, 16*n - 16<<selector} {
		file = binary.BigEndian.AppendUint16(file, uint16(v))
	}
	offset, head := 12+16*n, 0
	for _, tag := range tags {
		if tag == "head" {
			head = offset
		}
		data := tables[tag]
		file = append(file, tag...)
		file = binary.BigEndian.AppendUint32(file, checksum(data))
		file = binary.BigEndian.AppendUint32(file, uint32(offset))
		file = binary.BigEndian.AppendUint32(file, uint32(len(data)))
		offset += (len(data) + 3) &^ 3
	}
	for _, tag := range tags {
		file = padded(append(file, tables[tag]...))
	}
	// OpenType specification, table head, checksumAdjustment.
	binary.BigEndian.PutUint32(file[head+8:], 0xb1b0afba-checksum(file))
	return file
}

// padded appends zeros until the length is a multiple of four.
func padded(data []byte) []byte {
	for len(data)%4 != 0 {
		data = append(data, 0)
	}
	return data
}

// checksum returns the sum of the 32-bit numbers in data.
func checksum(data []byte) (sum uint32) {
	for ; len(data) >= 4; data = data[4:] {
		sum += binary.BigEndian.Uint32(data)
	}
	if len(data) > 0 {
		sum += binary.BigEndian.Uint32(padded(slices.Clone(data)))
	}
	return sum
}
