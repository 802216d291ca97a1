package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape returns text that may stand anywhere in a line: what cannot be printed, line breaks
// included, as in Go strings, without quotes around it; and no command to a CI server.
func Escape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) { // no UTF-8, or nothing to see
			quoted := strconv.QuoteToASCII(s[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return withoutCommands(b.String())
}

// EscapeName returns the name of a file or of something else as it is, or as a quoted Go string if
// [Escape] would change it.
func EscapeName(s string) string {
	if Escape(s) == s {
		return s
	}
	return strings.ReplaceAll(strconv.Quote(s), commandMark, escapedMark)
}

// The beginnings of commands of GitHub Actions: anywhere in a line, and behind spaces at most.
const (
	commandMark = "##["
	escapedMark = `#\x23[`
	commandLine = "::"
	escapedLine = `\x3a:`
)

func withoutCommands(line string) string {
	line = strings.ReplaceAll(line, commandMark, escapedMark)
	if text := strings.TrimLeft(line, " "); strings.HasPrefix(text, commandLine) {
		indent := line[:len(line)-len(text)]
		return indent + escapedLine + text[len(commandLine):]
	}
	return line
}

// lines returns the lines of a text, each as [Escape] has it, with the given separator.
func lines(s, separator string) string {
	var list []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		list = append(list, Escape(line))
	}
	return strings.Join(list, separator)
}

// EscapeWorkflowData returns text for the message of a workflow command of GitHub Actions, line breaks
// included.
func EscapeWorkflowData(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(lines(s, "\n"), "%", "%25"), "\n", "%0A")
}

// EscapeWorkflowProperty returns text for a property of such a command, such as file or title.
func EscapeWorkflowProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(EscapeWorkflowData(s))
}

// markup is what Markdown, as GitHub has it, may take for more than text: emphasis, code, links,
// images, HTML, cells of tables, mentions, formulas.
const markup = "\\`*_[]<>&|~!#@:$^\"'"

// EscapeMarkdown returns text for a paragraph or a cell of a table in Markdown, line breaks included. No
// word of it becomes a link, a mention or markup.
func EscapeMarkdown(s string) string {
	var b strings.Builder
	for i, line := range strings.Split(lines(s, "\n"), "\n") {
		if i > 0 {
			b.WriteString("<br>")
		}
		for _, r := range line {
			if strings.ContainsRune(markup, r) {
				fmt.Fprintf(&b, "&#%d;", r)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return strings.ReplaceAll(b.String(), "www.", "www&#46;")
}

// EscapeJSON returns the same values in JSON with the characters of strings that [Escape] would change
// escaped. The data must be JSON, as encoding/json writes it.
func EscapeJSON(data []byte) []byte {
	var b strings.Builder
	for _, r := range string(data) {
		switch {
		case unicode.IsPrint(r), r == '\n':
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return []byte(strings.ReplaceAll(b.String(), commandMark, `#\u0023[`))
}
