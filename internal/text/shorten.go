package text

import "unicode/utf8"

// MaxQuoted is how many characters of a file a message quotes.
const MaxQuoted = 80

// Shorten returns s, or its beginning and an ellipsis if it has more than [MaxQuoted] characters, the ellipsis included.
func Shorten(s string) string {
	if start := offsetOf(s, MaxQuoted-1); offsetOf(s[start:], 1) < len(s)-start {
		return s[:start] + "…"
	}
	return s
}

// ShortenMiddle is [Shorten] for text whose end counts as well: the ellipsis is in the middle.
func ShortenMiddle(s string) string {
	if Shorten(s) == s {
		return s
	}
	end := len(s)
	for range MaxQuoted / 2 {
		_, size := utf8.DecodeLastRuneInString(s[:end])
		end -= size
	}
	return s[:offsetOf(s, MaxQuoted-MaxQuoted/2-1)] + "…" + s[end:]
}

// offsetOf returns where the n-th character of s begins, counted from 0, or the length of s if it has no more.
func offsetOf(s string, n int) int {
	offset := 0
	for ; n > 0 && offset < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}
