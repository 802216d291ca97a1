package text

import (
	"fmt"
	"strings"
)

// ShellQuoted quotes a word for a shell. If the word has characters that cannot be printed, it uses the quoting of C
// strings $'...', which bash, zsh and POSIX 2024 support.
func ShellQuoted(word string) string {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+/.,:@"
	switch {
	case Escape(word) != word:
		var b strings.Builder
		for i := range len(word) {
			if c := word[i]; c < ' ' || c > '~' || c == '\'' || c == '\\' || c == '#' || c == ':' {
				fmt.Fprintf(&b, `\%03o`, c)
			} else {
				b.WriteByte(c)
			}
		}
		return "$'" + b.String() + "'"
	case word != "" && strings.Trim(word, harmless) == "":
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
