package scene

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// withPositions returns problems as errors with lines and columns. The problems must be sorted by their
// extents. It scans the file once.
func withPositions(file string, text []byte, problems []*problem) Errors {
	list := make(Errors, len(problems))
	offset, line, column := 0, 1, 1
	for i, p := range problems {
		passed := text[offset:p.extent.Start]
		if i := bytes.LastIndexByte(passed, '\n'); i >= 0 {
			line += bytes.Count(passed, []byte("\n"))
			column = 1
			passed = passed[i+1:]
		}
		column += utf8.RuneCount(passed)
		offset = p.extent.Start
		p.File, p.Line, p.Column = file, line, column
		p.EndColumn = column + utf8.RuneCount(firstLine(text[p.extent.Start:p.extent.End]))
		list[i] = &p.Error
	}
	return list
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// excerpt returns a piece of a file as one short, printable line.
func excerpt(text []byte) string {
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
