package molecule

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"pillbox/convert/model"
	"pillbox/scene"
)

// maxLine is the longest line in bytes.
const maxLine = 1 << 20

// lines reads a file line by line, and says what is wrong with a line.
type lines struct {
	name string
	from *bufio.Reader
	text []byte // the line, without its end; good until the next
	line int
	last error
}

func newLines(src model.Source) *lines {
	return &lines{name: src.Name, from: bufio.NewReaderSize(src.Text, maxLine)}
}

// next goes on to the next line. It returns io.EOF behind the last.
func (l *lines) next() error {
	text, err := l.from.ReadSlice('\n')
	if err == io.EOF && len(text) > 0 {
		err = nil
	}
	l.line++
	l.text = bytes.TrimRight(text, "\r\n")
	if l.line == 1 {
		l.text = bytes.TrimPrefix(l.text, []byte("\ufeff")) // a mark that editors on Windows leave
	}
	if err == bufio.ErrBufferFull {
		l.text = l.text[:0]
		return l.wrong(nil, scene.CodeTooLarge, fmt.Sprintf("a line must have less than %d bytes", maxLine))
	}
	return err
}

// columns returns a field of the line by its columns, from 1 and both included, without space around it.
func (l *lines) columns(from, to int) []byte {
	if from > len(l.text) {
		return nil
	}
	return bytes.TrimSpace(l.text[from-1 : min(to, len(l.text))])
}

// fields returns the words of a text. Unlike those of bytes.Fields they know how far the text goes on, from
// which wrong tells where they stand.
func fields(text []byte) (words [][]byte) {
	for {
		text = bytes.TrimLeft(text, " \t")
		if len(text) == 0 {
			return words
		}
		end := bytes.IndexAny(text, " \t")
		if end < 0 {
			end = len(text)
		}
		words = append(words, text[:end])
		text = text[end:]
	}
}

// wrong returns an error about a part of the line, or about where it should be: the end.
func (l *lines) wrong(part []byte, code scene.Code, message string) error {
	start := len(l.text)
	if len(part) > 0 {
		if i := cap(l.text) - cap(part); i >= 0 && i <= len(l.text) && bytes.HasPrefix(l.text[i:], part) {
			start = i
		}
	}
	return l.errorAt(l.line, utf8.RuneCount(l.text[:start])+1, part, code, message)
}

// errorAt returns an error about a value at a place.
func (l *lines) errorAt(line, column int, value []byte, code scene.Code, message string) error {
	const most = 40 // characters of a value
	e := &scene.Error{
		File: l.name, Line: line, Column: column, EndColumn: column + max(1, utf8.RuneCount(value)),
		Severity: scene.SeverityError, Code: code, Message: message,
	}
	if len(value) > 0 {
		text := []rune(string(value))
		e.Value = strconv.Quote(string(text[:min(len(text), most)]))
	}
	return e
}

// whole returns an error about the file.
func (l *lines) whole(message string) error {
	return &scene.Error{File: l.name, Severity: scene.SeverityError, Code: scene.CodeMissingKey, Message: message}
}

// place returns where the line begins, for notes.
func (l *lines) place() scene.Error { return scene.Error{File: l.name, Line: l.line, Column: 1} }

// tooMany returns an error about a file with too many atoms.
func (l *lines) tooMany() error {
	return l.wrong(nil, scene.CodeTooLarge, fmt.Sprintf("there are more than %d atoms", MaxAtoms))
}

// number reads a finite number.
func (l *lines) number(field string, text []byte) (float64, error) {
	x, code, problem := parseNumber(text)
	if problem != "" {
		return 0, l.wrong(text, code, field+": "+problem)
	}
	return x, nil
}

// parseNumber reads a finite number, or says what is wrong with it.
func parseNumber(text []byte) (x float64, code scene.Code, problem string) {
	x, err := strconv.ParseFloat(string(text), 64)
	switch {
	case len(text) == 0:
		return 0, scene.CodeMissingKey, "missing"
	case err != nil && !math.IsInf(x, 0):
		return 0, scene.CodeWrongType, "must be a number"
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, scene.CodeNotFinite, "must be finite"
	}
	return x, "", ""
}

// integer reads a whole number from least to most.
func (l *lines) integer(field string, text []byte, least, most int) (int, error) {
	n, err := strconv.Atoi(string(text))
	switch {
	case len(text) == 0:
		return 0, l.wrong(nil, scene.CodeMissingKey, field+": missing")
	case err != nil || n < least || n > most:
		return 0, l.wrong(text, scene.CodeOutOfRange, fmt.Sprintf("%s: must be a whole number from %d to %d", field, least, most))
	}
	return n, nil
}
