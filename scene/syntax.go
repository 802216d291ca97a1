package scene

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
)

// parse returns the values of a TOML file as they are, or why it is none, and the file
// without a byte order mark. If it is none just for numbers that are too large, parse returns
// why, and the values with those that [clip] put in their place. BurntSushi/toml could fill
// the raw tables itself, but then it takes Radius for radius, gives up at the first wrong type,
// and is slower than [fields.fill].
func parse(data []byte) (root map[string]any, text []byte, syntax *problem) {
	if len(data) > MaxBytes {
		p := syntaxProblem(extent{}, fmt.Sprintf("a scene must not be larger than %d MiB; [[bulk]] tables hold more", MaxBytes>>20))
		p.Code = CodeTooLarge
		return nil, data, p
	}
	text = withoutMark(data)
	if i := invalidUTF8(text); i < len(text) {
		return nil, text, syntaxProblem(extent{i, i + 1}, invalidByte(text[i]))
	}
	if root, ok := decodeSections(data, sectionSize); ok {
		return root, text, nil
	}
	if i, deep := tooDeep(text); deep {
		return nil, text, syntaxProblem(extent{i, i + 1}, fmt.Sprintf("nested more than %d deep", maxNesting))
	}
	if root, syntax = unmarshal(data); syntax == nil {
		return root, text, nil
	}
	clipped, ok := clip(data)
	if !ok {
		return nil, text, syntax
	}
	root, worse := unmarshal(clipped)
	return root, text, cmp.Or(worse, syntax)
}

// unmarshal returns the values of a TOML file, or why it is none.
func unmarshal(data []byte) (root map[string]any, syntax *problem) {
	// The decoder drops a byte order mark as well: of text it would drop a second one.
	err := toml.Unmarshal(data, &root)
	if err == nil {
		return root, nil
	}
	text := withoutMark(data)
	at, message := whatIsWrong(text, err)
	return nil, syntaxProblem(wholeCharacters(text, at), message)
}

// withoutMark returns a text without its byte order mark, if it has one.
func withoutMark(data []byte) []byte { return bytes.TrimPrefix(data, []byte("\uFEFF")) }

// whatIsWrong returns the place and the message of an error of the decoder. Its messages are
// made for people, but it often points at the beginning of a token, or one byte before. So
// the place is that where go-toml's parser stops, unless it does not: it checks the grammar
// alone, neither dates nor keys that stand twice. If the two disagree about the line, they
// are not speaking of the same thing.
func whatIsWrong(text []byte, err error) (extent, string) {
	var e toml.ParseError
	if !errors.As(err, &e) {
		return extent{}, err.Error()
	}
	start := min(max(0, e.Position.Start), len(text))
	at := extent{start, min(start+e.Position.Len, len(text))}

	var p unstable.Parser
	p.Reset(text)
	for p.NextExpression() {
	}
	var grammar *unstable.ParserError
	if !errors.As(p.Error(), &grammar) {
		return at, e.Message
	}
	better := rangeExtent(p.Range(grammar.Highlight))
	between := text[min(at.start, better.start):max(at.start, better.start)]
	if bytes.Contains(between, []byte("\n")) {
		return better, grammar.Message
	}
	return better, e.Message
}

func syntaxProblem(at extent, message string) *problem {
	return &problem{
		Error:  Error{Severity: SeverityError, Code: CodeSyntax, Message: tidy(message)},
		extent: at,
	}
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or len(text).
func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return len(text)
	}
	i := 0
	for {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
}

func invalidByte(b byte) string { return fmt.Sprintf("invalid UTF-8 byte 0x%02x", b) }

// wholeCharacters widens an extent to the characters that it has a part of. CR LF counts as
// one.
func wholeCharacters(text []byte, e extent) extent {
	if bytes.HasSuffix(text[:e.start], []byte("\r")) && bytes.HasPrefix(text[e.start:], []byte("\n")) {
		e.start--
	}
	for e.start < len(text) && !utf8.RuneStart(text[e.start]) {
		e.start--
	}
	for e.end < len(text) && !utf8.RuneStart(text[e.end]) {
		e.end++
	}
	return e
}

// tidy gives a message of BurntSushi/toml the form of ours: one line that begins in lower
// case and has no full stop.
func tidy(message string) string {
	message = strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(strings.TrimSuffix(message, "."))
	first, size := utf8.DecodeRuneInString(message)
	if second, _ := utf8.DecodeRuneInString(message[size:]); unicode.IsUpper(second) {
		return message // TOML, UTF-8
	}
	return string(unicode.ToLower(first)) + message[size:]
}
