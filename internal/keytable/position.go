package keytable

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"pillbox/problem"
)

// WithPositions returns problems as errors with lines and columns. The problems must be sorted by their
// extents. It scans the file once.
func WithPositions(file string, text []byte, problems []*Problem) problem.Errors {
	list := make(problem.Errors, len(problems))
	offset, line, column := 0, 1, 1
	for i, p := range problems {
		passed := text[offset:p.Extent.Start]
		if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
			line += bytes.Count(passed, []byte("\n"))
			column = 1
			passed = passed[i+1:]
		}
		column += utf8.RuneCount(passed)
		offset = p.Extent.Start
		p.File, p.Line, p.Column = file, line, column
		p.EndColumn = column + utf8.RuneCount(FirstLine(text[p.Extent.Start:p.Extent.End]))
		list[i] = &p.Error
	}
	return list
}

// FirstLine returns a text up to its first line break.
func FirstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// Excerpt returns a piece of a file as one short, printable line.
func Excerpt(text []byte) string {
	const (
		most = 60   // characters
		read = 4096 // bytes; a value may have megabytes
	)
	s := strings.ToValidUTF8(string(text[:min(len(text), read)]), "")
	if strings.Contains(s, "\n") {
		s = strings.Join(strings.Fields(s), " ")
	}
	line := []rune(s)
	if len(line) > most {
		line = append(line[:most-4], []rune(" ...")...)
	}
	for i, r := range line {
		if !unicode.IsPrint(r) {
			line[i] = ' '
		}
	}
	return string(line)
}
