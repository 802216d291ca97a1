// Package tomltext reads TOML 1.0 for programs that report errors with positions: it returns the values
// of a file and the position of any key. It also edits TOML. It is independent of scenes.
//
// Positions are extents of bytes in a file's [Text], which is the file without a byte order mark. Paths
// of keys have the form image.width, sphere[1].center[2] or material."a b".color. Indices count from 0.
// Parts that need quotes in TOML have quotes.
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

// SyntaxError is a syntax error of a file, with its position in the [Text].
type SyntaxError struct {
	Extent
	Message string // one line that begins in lower case, without a full stop
}

// Error returns the message.
func (e *SyntaxError) Error() string { return e.Message }

// Text returns the contents of a file without the byte order mark at its beginning. If it is not UTF-8,
// the error is a [*SyntaxError] at the first invalid byte.
func Text(data []byte) (text []byte, err error) {
	text = WithoutMark(data)
	return text, Valid(text)
}

// Valid returns nil if the text is UTF-8, and otherwise a [*SyntaxError] at the first invalid byte.
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

// WithoutMark returns data without the byte order mark at its beginning, if there is one.
func WithoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\uFEFF")) }

// Parse returns the values of a TOML file: strings, int64, float64, booleans, dates and times, []any, map[string]any,
// and []map[string]any for arrays of tables with headers. If the file is not TOML, the error is a [*SyntaxError] for
// the first error. Arrays, inline tables and dotted keys may be nested up to [MaxNesting].
//
// A number that is too large for 64 bits is also an error. If there are no other errors, Parse also returns the values,
// so that the caller can report the key's own limits. In these values, infinity or a huge integer replaces the numbers
// that are too large.
//
// arrays lists the names of top-level arrays of tables that may have many elements. Parse decodes a large file in
// chunks that begin with one of their headers, on all processors. The result is the same.
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

// decode returns the values of a TOML file. BurntSushi/toml can also fill structs, but then it accepts
// Radius for radius, stops at the first wrong type, and is slower.
func decode(data []byte) (root map[string]any, err error) {
	// Pass data, not text, from which the byte order mark has been removed: the decoder removes a mark, too, so it
	// would accept a second one.
	err = toml.Unmarshal(data, &root)
	if err == nil {
		return root, nil
	}
	return nil, syntaxError(WithoutMark(data), err)
}

// syntaxError converts an error of the decoder to a [SyntaxError]. The decoder has good messages, but its position is
// often the beginning of a token or one byte before. So the result has the decoder's message and the position at which
// go-toml's parser stops, with two exceptions.
//
// The parser checks only the grammar, not dates or duplicate keys. If it does not stop, the result has the decoder's
// position. If the two positions are on different lines, the decoder and the parser report different errors. Then the
// result has the parser's message and position.
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

// grammarError returns the error at which go-toml's parser stops, and false if it does not stop.
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

// wholeCharacters extends an extent that begins or ends within a character, so that it contains the whole character. An
// extent that begins at the LF of a line break CR LF is extended to the CR.
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

// shortWords shortens the long words in a library's message, because they are quoted from the file.
func shortWords(message string) string {
	words := strings.Split(message, " ")
	for i, word := range words {
		words[i] = text.ShortenMiddle(word)
	}
	message = strings.Join(words, " ")
	if utf8.RuneCountInString(message) > 3*text.MaxQuoted {
		return text.ShortenMiddle(message) // the message quotes many words
	}
	return message
}

// tidy converts a message of a library to the form of a [SyntaxError].
func tidy(message string) string {
	message = shortWords(message)
	message = strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(strings.TrimSuffix(message, "."))
	first, size := utf8.DecodeRuneInString(message)
	if second, _ := utf8.DecodeRuneInString(message[size:]); unicode.IsUpper(second) {
		return message // an abbreviation such as TOML or UTF-8
	}
	return string(unicode.ToLower(first)) + message[size:]
}
