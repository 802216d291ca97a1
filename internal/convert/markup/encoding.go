package markup

import (
	"bytes"
	"encoding/binary"
	"regexp"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// UTF8 converts a file in UTF-16, or in the encoding Latin-1 that its declaration states, to UTF-8. It returns any
// other file unchanged. A file that is valid UTF-8 is UTF-8, whatever it declares.
func UTF8(text []byte) []byte {
	switch {
	case bytes.HasPrefix(text, []byte("\xff\xfe")), bytes.HasPrefix(text, []byte("<\x00")):
		return fromUTF16(text, binary.LittleEndian)
	case bytes.HasPrefix(text, []byte("\xfe\xff")), bytes.HasPrefix(text, []byte("\x00<")):
		return fromUTF16(text, binary.BigEndian)
	case !utf8.Valid(text) && declaresLatin1(text):
		var b strings.Builder
		for _, c := range text {
			b.WriteRune(rune(c))
		}
		return []byte(b.String())
	}
	return text
}

// fromUTF16 converts UTF-16 to UTF-8. It keeps a byte order mark.
func fromUTF16(text []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(text)/2)
	for i := range units {
		units[i] = order.Uint16(text[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// declaresLatin1 reports whether the XML declaration names Latin-1 or the code page of Windows that differs from it only
// in some punctuation.
func declaresLatin1(text []byte) bool {
	declaration, _, ok := bytes.Cut(text, []byte("?>"))
	return ok && regexp.MustCompile(`(?i)^<\?xml\s[^>]*encoding\s*=\s*["'](iso-?8859-1|latin-?1|windows-1252)["']`).Match(declaration)
}
