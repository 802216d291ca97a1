package text

import "unicode/utf8"

// MaxQuoted is the largest number of characters that a message quotes from a file.
const MaxQuoted = 80

// Shorten returns s if it has at most [MaxQuoted] characters, otherwise its beginning and an ellipsis,
// together MaxQuoted characters.
func Shorten(s string) string { return ShortenTo(s, MaxQuoted) }

// ShortenTo is like [Shorten] for at most n characters. n must be positive.
func ShortenTo(s string, n int) string {
	if start := offsetOf(s, n-1); offsetOf(s[start:], 1) < len(s)-start {
		return s[:start] + "…"
	}
	return s
}

// ShortenMiddle is like [Shorten] but keeps the beginning and the end, with the ellipsis in the middle.
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

// offsetOf returns the byte offset of the n-th character of s, counted from 0, or the length of s if it
// has at most n characters.
func offsetOf(s string, n int) int {
	offset := 0
	for ; n > 0 && offset < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[offset:])
		offset += size
	}
	return offset
}
