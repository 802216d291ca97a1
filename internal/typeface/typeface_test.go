package typeface_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"reflect"
	"testing"
	"unicode"

	"golang.org/x/image/font/sfnt"

	"pillbox/internal/typeface"
)

func Example() {
	face := typeface.Regular()
	for _, r := range "Ø²∥" {
		letter, ok := face.Index(r)
		if !ok {
			fmt.Printf("%c is missing\n", r)
			continue
		}
		fmt.Printf("%c is %d of %d units wide\n", r, face.Advance(letter), face.UnitsPerEm())
	}
	// Output:
	// Ø is 1593 of 2048 units wide
	// ² is 933 of 2048 units wide
	// ∥ is missing
}

// TestSignsAreGraphic checks that no font has characters that reorder letters or break lines in SVG files only.
func TestSignsAreGraphic(t *testing.T) {
	signs := typeface.Signs()
	for r := range rune(unicode.MaxRune) {
		if _, ok := signs.Index(r); ok && !unicode.IsGraphic(r) {
			t.Errorf("the font of signs has %U", r)
		}
	}
	if _, got := typeface.Missing("a\u202eb"); got != 1 {
		t.Errorf("U+202E is number %d of the missing characters", got)
	}
}

func TestMissingCountsCharacters(t *testing.T) {
	for text, want := range map[string]int{"": -1, "αβγ m²": -1, "∇·v∥": -1, "αβ漢": 2, "漢": 0} {
		if _, got := typeface.Missing(text); got != want {
			t.Errorf("Missing(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestOutlinesAreClosed checks that every contour of a letter ends where it starts, so that the inside of the
// letter is well defined.
func TestOutlinesAreClosed(t *testing.T) {
	for _, face := range []*typeface.Face{typeface.Regular(), typeface.Bold()} {
		contours := 0
		for r := rune(' '); r < 0x2300; r++ {
			letter, ok := face.Index(r)
			if !ok {
				continue
			}
			for _, c := range face.Outline(letter) {
				contours++
				if end := c.Curves[len(c.Curves)-1].To; end != c.Start {
					t.Errorf("%s: a contour of %q starts at %v and ends at %v", face.Name(), r, c.Start, end)
				}
			}
		}
		if contours < 500 {
			t.Errorf("%s: %d contours", face.Name(), contours)
		}
	}
}

// TestSubset checks that the letters in a subset equal those of the whole font, including letters composed of
// others. All other letters must be empty, and the checksums must be right.
func TestSubset(t *testing.T) {
	face := typeface.Regular()
	var letters []uint16
	const text = "Åé gµΩ"
	for _, r := range text {
		letter, _ := face.Index(r)
		letters = append(letters, letter)
	}
	data := face.Subset(letters)
	if again := typeface.Regular().Subset(letters); !bytes.Equal(data, again) {
		t.Error("two subsets differ")
	}
	if len(data) > 8_000 {
		t.Errorf("a subset of %d letters has %d bytes", len(letters), len(data))
	}
	var sum uint32
	for i := 0; i < len(data); i += 4 {
		sum += binary.BigEndian.Uint32(data[i:])
	}
	if sum != 0xb1b0afba {
		t.Errorf("the checksum of the file is %#x", sum)
	}
	subset, err := sfnt.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	whole := typeface.Open(data)
	for _, r := range text {
		letter, ok := whole.Index(r)
		want, _ := face.Index(r)
		if !ok || letter != want || !reflect.DeepEqual(whole.Outline(letter), face.Outline(letter)) || whole.Advance(letter) != face.Advance(letter) {
			t.Errorf("%q is not the letter of the whole font", r)
		}
	}
	if other, _ := face.Index('B'); len(whole.Outline(other)) != 0 || subset.NumGlyphs() > 712 {
		t.Error("the subset has other letters")
	}
}
