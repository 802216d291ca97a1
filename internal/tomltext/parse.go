// Package tomltext reads TOML 1.0 for programs that point at what is wrong in a file: it gives
// the values of a file, and the place of any of its keys. It knows no scenes.
//
// Places are extents of bytes in a file's [Text], which is the file without a byte order mark.
// Paths of keys have the form image.width, sphere[1].center[2] or material."a b".color:
// indices count from 0, and a part that TOML demands quotes for has them.
package tomltext

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
	"github.com/pelletier/go-toml/v2/unstable"

	"pillbox/internal/text"
)

// Extent is a piece of a text: the bytes [Start, End).
type Extent struct{ Start, End int }

// SyntaxError is why a file is not TOML, and the place in its [Text] that shows it.
type SyntaxError struct {
	Extent
	Message string // one line that begins in lower case and has no full stop
}

// Error returns the message.
func (e *SyntaxError) Error() string { return e.Message }

// Text returns what a file holds without a byte order mark at its beginning. If that is not
// UTF-8, the error is a [*SyntaxError] at the first wrong byte.
func Text(data []byte) (text []byte, err error) {
	text = WithoutMark(data)
	return text, Valid(text)
}

// Valid returns nil if the text is UTF-8, and otherwise a [*SyntaxError] at the first wrong byte.
func Valid(text []byte) error {
	if utf8.Valid(text) {
		return nil
	}
	i := 0
	for {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return &SyntaxError{Extent{i, i + 1}, fmt.Sprintf("invalid UTF-8 byte 0x%02x", text[i])}
		}
		i += size
	}
}

// WithoutMark returns a text without the byte order mark that it may begin with.
func WithoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\uFEFF")) }

// Parse returns the values of a TOML file: strings, int64, float64, booleans, dates and times,
// []any, map[string]any, and []map[string]any for arrays of tables with headers. If the file
// is not TOML, the error is a [*SyntaxError], the only one that is reported. Numbers that are
// too large for 64 bits are such an error too; but if they are the only one, Parse also
// returns the values, with infinity or a huge integer in place of these numbers, so that a
// caller that knows what the keys mean can say more about them. Arrays, inline tables and
// dotted keys may nest [MaxNesting] deep.
//
// A large file may have many elements of the given top-level arrays of tables. Parse then
// decodes it in chunks that begin with one of their headers, on as many goroutines as there
// are processors; the result does not depend on that.
func Parse(data []byte, arrays ...string) (root map[string]any, err error) {
	text, err := Text(data)
	if err != nil {
		return nil, err
	}
	if root, ok := decodeChunks(data, arrays, chunkSize); ok {
		return root, nil
	}
	if i, deep := tooDeep(text); deep {
		return nil, tooDeepError(i)
	}
	root, err = decode(data)
	if err == nil {
		return root, nil
	}
	replaced, ok := replaceHuge(data)
	if !ok {
		return nil, err
	}
	root, worse := decode(replaced)
	return root, cmp.Or(worse, err)
}

// decode returns the values of a TOML file. BurntSushi/toml could fill structs as well, but
// then it takes Radius for radius, gives up at the first wrong type, and is slower.
func decode(data []byte) (root map[string]any, err error) {
	// The decoder drops a byte order mark as well: of text it would drop a second one.
	err = toml.Unmarshal(data, &root)
	if err == nil {
		return root, nil
	}
	return nil, syntaxError(WithoutMark(data), err)
}

// syntaxError returns an error of the decoder with its place. The decoder's messages are made
// for people, but it often points at the beginning of a token, or one byte before. So the
// place is that where go-toml's parser stops, unless it does not stop: it checks the grammar
// alone, neither dates nor keys that are repeated. If the two name different lines, they report
// different errors, and go-toml's message goes with its place.
func syntaxError(text []byte, err error) *SyntaxError {
	at, message := Extent{}, err.Error()
	var e toml.ParseError
	if errors.As(err, &e) {
		start := min(max(0, e.Position.Start), len(text))
		at, message = Extent{start, min(start+e.Position.Len, len(text))}, e.Message
		if better, ok := grammarError(text); ok {
			between := text[min(at.Start, better.Start):max(at.Start, better.Start)]
			if bytes.Contains(between, []byte("\n")) {
				message = better.Message
			}
			at = better.Extent
		}
	}
	return &SyntaxError{wholeCharacters(text, at), tidy(message)}
}

// grammarError returns where and why go-toml's parser stops, and false if it does not.
func grammarError(text []byte) (SyntaxError, bool) {
	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
	}
	var e *unstable.ParserError
	if !errors.As(p.Error(), &e) {
		return SyntaxError{}, false
	}
	return SyntaxError{rangeExtent(p.Range(e.Highlight)), e.Message}, true
}

// wholeCharacters widens an extent to the characters that it has a part of. CR LF counts as
// one.
func wholeCharacters(text []byte, e Extent) Extent {
	if bytes.HasSuffix(text[:e.Start], []byte("\r")) && bytes.HasPrefix(text[e.Start:], []byte("\n")) {
		e.Start--
	}
	for e.Start < len(text) && !utf8.RuneStart(text[e.Start]) {
		e.Start--
	}
	for e.End < len(text) && !utf8.RuneStart(text[e.End]) {
		e.End++
	}
	return e
}

// shortWords shortens what a message of a library quotes.
func shortWords(message string) string {
	words := strings.Split(message, " ")
	for i, word := range words {
		words[i] = text.ShortenMiddle(word)
	}
	message = strings.Join(words, " ")
	if utf8.RuneCountInString(message) > 3*text.MaxQuoted {
		return text.ShortenMiddle(message) // it quotes many words
	}
	return message
}

// tidy gives a message of a library the form of a [SyntaxError].
func tidy(message string) string {
	message = shortWords(message)
	message = strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(strings.TrimSuffix(message, "."))
	first, size := utf8.DecodeRuneInString(message)
	if second, _ := utf8.DecodeRuneInString(message[size:]); unicode.IsUpper(second) {
		return message // TOML, UTF-8
	}
	return string(unicode.ToLower(first)) + message[size:]
}
