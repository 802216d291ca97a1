package tomltext

import (
	"bytes"
)

// MaxNesting is the largest depth of nested arrays and inline tables, and the largest number of dots in a dotted key.
// It is far more than real files need. The limit is necessary because the TOML library has none and recurses, in
// quadratic time.
const MaxNesting = 100

// tooDeep returns the offset of the first bracket, brace or dot beyond MaxNesting, and false if there
// is none. It does not parse TOML, except that it skips strings and comments.
func tooDeep(text []byte) (int, bool) {
	var counts [256]bool // the bytes that matter
	for _, c := range []byte("\"'#[]{}=,\n.") {
		counts[c] = true
	}
	depth, parts := 0, 0
	for i := 0; i < len(text); i++ {
		if !counts[text[i]] {
			continue
		}
		switch text[i] {
		case '"', '\'':
			i = stringEnd(text, i)
		case '#':
			i = lineEnd(text, i)
			parts = 0
		case '[', '{':
			depth++
			parts = 0
		case ']', '}':
			depth = max(0, depth-1)
			parts = 0
		case '=', ',', '\n':
			parts = 0
		case '.':
			parts++
		}
		if depth > MaxNesting || parts > MaxNesting {
			return i, true
		}
	}
	return 0, false
}

func tooDeepError(i int) *SyntaxError {
	return syntax(Extent{i, i + 1}, "nested more than %d deep", MaxNesting)
}

// stringEnd returns the offset of the last byte of the string whose opening quote is at the offset i. If the string is
// not closed, it returns the offset of the end of the line or, in a multi-line string, of the last byte of the text.
func stringEnd(text []byte, i int) int {
	quote := text[i : i+1]
	escapes := text[i] == '"'
	if i+2 < len(text) && text[i+1] == text[i] && text[i+2] == text[i] {
		quote = text[i : i+3]
	}
	for j := i + len(quote); j < len(text); j++ {
		switch {
		case escapes && text[j] == '\\':
			j++
		case bytes.HasPrefix(text[j:], quote):
			return j + len(quote) - 1
		case len(quote) == 1 && text[j] == '\n':
			return j // an unclosed string, which the decoder reports
		}
	}
	return len(text) - 1
}

func lineEnd(text []byte, i int) int {
	if n := bytes.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text) - 1
}
