package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Escape makes s safe within a line of output. It escapes unprintable characters, also line breaks, as in Go strings
// but without quotes. If s contains a command to a CI server, it escapes a character of the command, so that the server
// does not execute it.
func Escape(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, size := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && size == 1 || !unicode.IsPrint(r) { // invalid UTF-8, or unprintable
			quoted := strconv.QuoteToASCII(s[:size])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:size])
		}
		s = s[size:]
	}
	return withoutCommands(b.String())
}

// EscapeName returns a name, such as the name of a file, unchanged if [Escape] does not change it. Otherwise it returns
// a quoted Go string.
func EscapeName(s string) string {
	if Escape(s) == s {
		return s
	}
	return strings.ReplaceAll(strconv.Quote(s), commandMark, escapedMark)
}

// The marks of commands to GitHub Actions. The mark commandMark begins a command anywhere in a line. The mark
// commandLine does so only at the start of a line, after optional spaces.
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

// EscapeLines escapes each line of s with [Escape]. It keeps line breaks.
func EscapeLines(s string) string { return lines(s, "\n") }

// lines escapes each line of s with [Escape] and joins them with the separator.
func lines(s, separator string) string {
	var list []string
	for line := range strings.SplitSeq(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
		list = append(list, Escape(line))
	}
	return strings.Join(list, separator)
}

// EscapeWorkflowData escapes s for the message of a workflow command of GitHub Actions. It keeps line
// breaks.
func EscapeWorkflowData(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(lines(s, "\n"), "%", "%25"), "\n", "%0A")
}

// EscapeWorkflowProperty escapes s for a property of a workflow command, such as file or title.
func EscapeWorkflowProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(EscapeWorkflowData(s))
}

// markup contains the characters that can begin markup in GitHub's Markdown: emphasis, code, links,
// images, HTML, table cells, mentions, formulas.
const markup = "\\`*_[]<>&|~!#@:$^\"'"

// EscapeMarkdown escapes s for a paragraph or a table cell in Markdown. It keeps line breaks. No word
// becomes a link, a mention or markup.
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

// EscapeJSON returns JSON with the same values, in which all characters in strings that [Escape] would
// change are escaped. The data must be JSON as encoding/json writes it.
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
