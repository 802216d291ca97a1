package typeface

import (
	"encoding/binary"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
)

var makeSigns = flag.String("make-signs", "", "write signs.ttf and its license again, from this file of the font DejaVu Sans")

// signBlocks are the ranges of characters of the font of signs, without those that the Go fonts have and those that control
// the order of letters or break lines. Viewers of SVG files would obey them.
var signBlocks = [][2]rune{
	{0x2b0, 0x2b8}, {0x2e0, 0x2e3}, {0x300, 0x36f}, {0x3d0, 0x3d7}, {0x3f0, 0x3f6}, {0x1d2c, 0x1d6a}, {0x2000, 0x209f},
	{0x20d0, 0x20ff}, {0x2100, 0x214f}, {0x2190, 0x22ff}, {0x2300, 0x2307}, {0x2308, 0x2311}, {0x2320, 0x232a}, {0x239b, 0x23ae},
	{0x25a0, 0x25ff}, {0x2605, 0x2606}, {0x2609, 0x2609}, {0x2640, 0x2642}, {0x266d, 0x266f}, {0x2713, 0x2713}, {0x2717, 0x2717},
	{0x27c0, 0x27ff}, {0x29eb, 0x29eb}, {0x2a00, 0x2a06}, {0x2a7d, 0x2a7e}, {0x2aaf, 0x2ab0}, {0x2c7c, 0x2c7c},
}

// TestMakeSigns makes the font of signs from DejaVu Sans. Without the flag, it does nothing.
func TestMakeSigns(t *testing.T) {
	if *makeSigns == "" {
		t.Skip("no -make-signs")
	}
	data, err := os.ReadFile(*makeSigns)
	if err != nil {
		t.Fatal(err)
	}
	for name, contents := range map[string][]byte{"signs.ttf": signsOf(data), "LICENSE-signs": []byte(licenseOf(tablesOf(data)["name"]))} {
		if err := os.WriteFile(name, contents, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// signsOf returns the font file with the characters of signBlocks, in which glyphs have consecutive numbers.
func signsOf(data []byte) []byte {
	from, regular := open("DejaVu Sans, to make signs", data), Regular()
	in := tablesOf(data)
	glyphs := glyphsOf(in)
	old := []uint16{0} // by the new number
	number := make(map[uint16]uint16)
	var add func(letter uint16)
	add = func(letter uint16) {
		if _, known := number[letter]; known {
			return
		}
		number[letter] = uint16(len(old))
		old = append(old, letter)
		outline := glyphs(letter)
		components(outline, func(at int) { add(binary.BigEndian.Uint16(outline[at+2:])) })
	}
	characters := make(map[rune]uint16)
	for _, b := range signBlocks {
		for r := b[0]; r <= b[1]; r++ {
			letter, ok := from.Index(r)
			if _, known := regular.Index(r); ok && !known && unicode.IsGraphic(r) {
				add(letter)
				characters[r] = number[letter]
			}
		}
	}
	var glyf, loca, hmtx []byte
	for _, letter := range old {
		loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
		outline := withoutInstructions(glyphs(letter))
		components(outline, func(at int) {
			binary.BigEndian.PutUint16(outline[at+2:], number[binary.BigEndian.Uint16(outline[at+2:])])
		})
		glyf = padded(append(glyf, outline...))
		last := int(binary.BigEndian.Uint16(in["hhea"][34:])) - 1
		hmtx = append(hmtx, in["hmtx"][4*min(int(letter), last):][:2]...)
		if int(letter) <= last {
			hmtx = append(hmtx, in["hmtx"][4*int(letter)+2:][:2]...)
		} else {
			hmtx = append(hmtx, in["hmtx"][4*(last+1)+2*(int(letter)-last-1):][:2]...)
		}
	}
	loca = binary.BigEndian.AppendUint32(loca, uint32(len(glyf)))
	changed := func(table string, at, value int) {
		in[table] = slices.Clone(in[table])
		binary.BigEndian.PutUint16(in[table][at:], uint16(value))
	}
	changed("hhea", 34, len(old))
	changed("maxp", 4, len(old))
	changed("head", 50, 1)
	binary.BigEndian.PutUint32(in["head"][8:], 0)
	post := append([]byte{0, 3, 0, 0}, in["post"][4:32]...)
	return assemble(map[string][]byte{
		"OS/2": in["OS/2"], "cmap": cmap(func(r rune) (uint16, bool) { n, ok := characters[r]; return n, ok }), "glyf": glyf, "head": in["head"], "hhea": in["hhea"],
		"hmtx": hmtx, "loca": loca, "maxp": in["maxp"], "name": {0, 0, 0, 0, 0, 6}, "post": post,
	})
}

// licenseOf returns the copyright and the license in the table name of a font file.
func licenseOf(name []byte) string {
	texts := make(map[uint16]string)
	start := int(binary.BigEndian.Uint16(name[4:]))
	for i := range int(binary.BigEndian.Uint16(name[2:])) {
		entry := name[6+12*i:]
		number := func(at int) uint16 { return binary.BigEndian.Uint16(entry[at:]) }
		if number(0) != 3 { // Windows, with texts in UTF-16
			continue
		}
		data := name[start+int(number(10)):][:number(8)]
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = binary.BigEndian.Uint16(data[2*i:])
		}
		texts[number(6)] = string(utf16.Decode(units))
	}
	all := texts[0] + "\n" + texts[13] // copyright, license
	return "The font signs.ttf has some glyphs of DejaVu Sans (" + texts[5] + "), without instructions and with other numbers.\n\n" +
		strings.ReplaceAll(strings.TrimSpace(strings.ReplaceAll(all, "\r\n", "\n")), "\t", " ") + "\n"
}
