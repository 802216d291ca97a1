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

	"pillbox/internal/text"
)

// Extent is a piece of a text: the bytes [Start, End).
type Extent struct{ Start, End int }

// SyntaxError is a syntax error of a file, with its position in the [Text].
type SyntaxError struct {
	Extent
	Message string // one line that begins in lower case, without a full stop

	first Extent // the first definition of a key that is defined again, or zero
	final bool   // the message and the extent cannot be improved by a look at the line
}

// Error returns the message.
func (e *SyntaxError) Error() string { return e.Message }

func syntax(at Extent, format string, args ...any) *SyntaxError {
	return &SyntaxError{Extent: at, Message: fmt.Sprintf(format, args...)}
}

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
			return syntax(Extent{i, i + 1}, "invalid UTF-8 byte 0x%02x", text[i])
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
	root, wrong := decode(data)
	if wrong == nil {
		return root, nil
	}
	if replaced, ok := replaceHuge(data); ok {
		var worse *SyntaxError
		root, worse = decode(replaced)
		wrong = cmp.Or(worse, wrong)
	}
	return root, wrong.namingFirst(text)
}

// decode returns the values of a TOML file, or its first error. The file may begin with a byte order mark, which the
// decoder removes; so it would accept a second one if this function got a text.
func decode(data []byte) (root map[string]any, wrong *SyntaxError) {
	text := WithoutMark(data)
	root, err := unmarshal(data)
	if err == nil {
		wrong = check(text)
	} else {
		// The positions in the error are those in the text with LF for CR LF.
		wrong = syntaxError(text, cmp.Or(toml.Unmarshal(data, &root), err))
	}
	if wrong != nil {
		return nil, wrong
	}
	return root, nil
}

// unmarshal calls the decoder. Line breaks CR LF in multi-line strings become LF. BurntSushi/toml can also fill structs,
// but then it accepts Radius for radius, stops at the first wrong type, and is slower.
func unmarshal(data []byte) (root map[string]any, err error) {
	if bytes.Contains(data, []byte("\r\n")) {
		data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
	}
	err = toml.Unmarshal(data, &root)
	return root, err
}

// shift moves the error by a number of bytes.
func (e *SyntaxError) shift(offset int) {
	e.Start, e.End = e.Start+offset, e.End+offset
	if e.first.End > 0 {
		e.first.Start, e.first.End = e.first.Start+offset, e.first.End+offset
	}
}

// namingFirst returns e. If e has the first definition of a key, namingFirst adds its line to the message, unless both
// definitions are on the same line.
func (e *SyntaxError) namingFirst(text []byte) *SyntaxError {
	if e.first.End > 0 && !sameLine(text, e.first.Start, e.Start) {
		e.Message += fmt.Sprintf(", first on line %d", 1+bytes.Count(text[:e.first.Start], []byte("\n")))
	}
	e.first = Extent{}
	return e
}

// syntaxError converts an error of the decoder to a [SyntaxError]. The decoder has good messages, but its position is
// often the beginning of a token or one byte before. So the result has the decoder's message and the position at which
// go-toml's parser stops, with three exceptions.
//
// If [check] finds an error before the parser stops, and not below the decoder's line, the result is that error. If
// neither check nor the parser finds an error up to that line, the result has the decoder's position, for example at a
// date that does not exist. If the parser stops on another line than the decoder, the two report different errors. Then
// the result has the parser's message and position.
func syntaxError(text []byte, err error) *SyntaxError {
	at, message := Extent{}, err.Error()
	var e toml.ParseError
	if errors.As(err, &e) {
		start := min(max(0, e.Position.Start), len(text))
		at, message = Extent{start, min(start+e.Position.Len, len(text))}, e.Message
		better := check(text)
		switch {
		case better == nil, better.final && better.Start > start && !sameLine(text, start, better.Start):
		case better.final, !sameLine(text, start, better.Start):
			return better
		default:
			at = better.Extent
		}
	}
	return syntax(wholeCharacters(text, at), "%s", tidy(message))
}

// sameLine reports whether there is no line break between two bytes.
func sameLine(text []byte, i, j int) bool {
	return !bytes.Contains(text[min(i, j):max(i, j)], []byte("\n"))
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
