package typeface

import (
	"encoding/binary"
	"maps"
	"slices"
)

// Subset returns a TrueType font file that contains the outlines of only the given letters. letters holds their
// numbers, see [Face.Index]; they have the same numbers in the file. The same letters always give the same bytes.
func (f *Face) Subset(letters []uint16) []byte {
	in := tablesOf(f.data)
	loca, long := in["loca"], binary.BigEndian.Uint16(in["head"][50:]) != 0
	at := func(i int) uint32 {
		if long {
			return binary.BigEndian.Uint32(loca[4*i:])
		}
		return 2 * uint32(binary.BigEndian.Uint16(loca[2*i:]))
	}
	kept := map[uint16]bool{0: true} // the letter for missing characters, which every font must have
	for _, l := range letters {
		keep(kept, l, func(i uint16) []byte { return in["glyf"][at(int(i)):at(int(i)+1)] })
	}
	var glyf, index []byte
	for i := range f.font.NumGlyphs() {
		index = binary.BigEndian.AppendUint32(index, uint32(len(glyf)))
		if kept[uint16(i)] {
			glyf = padded(append(glyf, in["glyf"][at(i):at(i+1)]...))
		}
	}
	index = binary.BigEndian.AppendUint32(index, uint32(len(glyf)))

	head := slices.Clone(in["head"])
	binary.BigEndian.PutUint16(head[50:], 1) // the index has 32-bit offsets
	binary.BigEndian.PutUint32(head[8:], 0)  // the checksum of the file, see below
	post := make([]byte, 32)
	copy(post, in["post"][:32])
	binary.BigEndian.PutUint32(post, 0x00030000) // version 3, without names of letters
	out := map[string][]byte{"glyf": glyf, "loca": index, "head": head, "post": post}
	for _, tag := range []string{"OS/2", "cmap", "cvt ", "fpgm", "gasp", "hhea", "hmtx", "maxp", "name", "prep"} {
		if data, ok := in[tag]; ok {
			out[tag] = data
		}
	}
	return assemble(out)
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
// these. The function outline returns the data of a letter.
func keep(kept map[uint16]bool, letter uint16, outline func(uint16) []byte) {
	if kept[letter] {
		return
	}
	kept[letter] = true
	data := outline(letter)
	if len(data) == 0 || int16(binary.BigEndian.Uint16(data)) >= 0 {
		return // empty, or not composed of others
	}
	// OpenType specification, table glyf, "Composite Glyph Description".
	const wordArguments, scaled, more, scaledTwice, matrix = 1, 1 << 3, 1 << 5, 1 << 6, 1 << 7
	for data = data[10:]; ; {
		flags := binary.BigEndian.Uint16(data)
		keep(kept, binary.BigEndian.Uint16(data[2:]), outline)
		n := 6
		if flags&wordArguments != 0 {
			n += 2
		}
		switch {
		case flags&scaled != 0:
			n += 2
		case flags&scaledTwice != 0:
			n += 4
		case flags&matrix != 0:
			n += 8
		}
		if data = data[n:]; flags&more == 0 {
			return
		}
	}
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
