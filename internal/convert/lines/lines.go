// Package lines reads text files of other programs line by line. It returns errors as [*problem.Error] with line and column,
// counted in characters.
package lines

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"strconv"
	"unicode/utf8"

	"pillbox/geom"
	"pillbox/problem"
)

// MaxLine limits the length of lines: a line must have less than this number of bytes, not counting its line feed.
const MaxLine = 1 << 20

// Reader reads a file.
type Reader struct {
	Name string // in messages
	Text []byte // the line without its end; valid until the next call of Next
	Line int    // number of the line, from 1; 0 before the first
	from *bufio.Reader
}

// New returns a reader before the first line of a file. The name is used in messages only.
func New(name string, from io.Reader) *Reader {
	return &Reader{Name: name, from: bufio.NewReaderSize(from, MaxLine)}
}

// Next advances to the next line. After the last line it returns io.EOF.
func (l *Reader) Next() error {
	text, err := l.from.ReadSlice('\n')
	if err == io.EOF && len(text) > 0 {
		err = nil
	}
	l.Line++
	l.Text = bytes.TrimRight(text, "\r\n")
	if l.Line == 1 {
		l.Text = bytes.TrimPrefix(l.Text, []byte("\ufeff")) // a byte order mark, which some editors on Windows write
	}
	if err == bufio.ErrBufferFull {
		l.Text = l.Text[:0]
		return l.Wrong(nil, problem.CodeTooLarge, fmt.Sprintf("a line must have less than %d bytes", MaxLine))
	}
	return err
}

// Rest returns a reader of the bytes after the current line, for formats in which they are not lines.
func (l *Reader) Rest() io.Reader { return l.from }

// Columns returns the text between two columns, counted from 1 and both included, without surrounding space.
func (l *Reader) Columns(from, to int) []byte {
	if from > len(l.Text) {
		return nil
	}
	return bytes.TrimSpace(l.Text[from-1 : min(to, len(l.Text))])
}

// Fields splits a text into words at spaces and tabs. Unlike bytes.Fields, it does not limit the capacity of the words: it
// extends as far as that of the text. [Reader.Wrong] needs this to find the column of a word.
func Fields(text []byte) (words [][]byte) {
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

// Wrong returns an error about a part of the line, with its position. The part must be a subslice of Text whose capacity
// extends as far as that of Text, such as a word from [Fields]. If the part is empty or not such a subslice, the position
// is the end of the line.
func (l *Reader) Wrong(part []byte, code problem.Code, message string) error {
	start := len(l.Text)
	if len(part) > 0 {
		if i := cap(l.Text) - cap(part); i >= 0 && i <= len(l.Text) && bytes.HasPrefix(l.Text[i:], part) {
			start = i
		}
	}
	return l.ErrorAt(l.Line, utf8.RuneCount(l.Text[:start])+1, part, code, message)
}

// ErrorAt returns an error about a value at a position.
func (l *Reader) ErrorAt(line, column int, value []byte, code problem.Code, message string) error {
	const most = 40 // characters of the value in the message
	e := &problem.Error{
		File: l.Name, Line: line, Column: column, EndColumn: column + max(1, utf8.RuneCount(value)),
		Severity: problem.SeverityError, Code: code, Message: message,
	}
	if len(value) > 0 {
		text := []rune(string(value))
		e.Value = strconv.Quote(string(text[:min(len(text), most)]))
	}
	return e
}

// Whole returns an error about the whole file.
func (l *Reader) Whole(message string) error {
	return &problem.Error{File: l.Name, Severity: problem.SeverityError, Code: problem.CodeMissingKey, Message: message}
}

// Where returns the position of the line, for notes.
func (l *Reader) Where() problem.Error { return problem.Error{File: l.Name, Line: l.Line, Column: 1} }

// Number reads a finite number.
func (l *Reader) Number(field string, text []byte) (float64, error) {
	x, code, why := ParseNumber(text)
	if why != "" {
		return 0, l.Wrong(text, code, field+": "+why)
	}
	return x, nil
}

// ParseNumber parses a finite number. If it cannot, code and why say so.
func ParseNumber(text []byte) (x float64, code problem.Code, why string) {
	if x, ok := parseDecimal(text); ok {
		return x, "", ""
	}
	x, err := strconv.ParseFloat(string(text), 64)
	switch {
	case len(text) == 0:
		return 0, problem.CodeMissingKey, "missing"
	case err != nil && !math.IsInf(x, 0):
		return 0, problem.CodeWrongType, "must be a number"
	case math.IsNaN(x) || math.IsInf(x, 0):
		return 0, problem.CodeNotFinite, "must be finite"
	}
	return x, "", ""
}

// parseDecimal parses digits with at most one decimal point between them, and an optional minus sign before them. It
// returns false for other texts, and for more digits than a float64 holds exactly. The result is the quotient of two
// exact numbers, rounded once. So it is the number closest to the decimal, like the result of strconv.ParseFloat.
func parseDecimal(text []byte) (x float64, ok bool) {
	const most = 15 // 10^15 < 2^53
	powers := [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}
	digits := text
	if len(digits) > 0 && digits[0] == '-' {
		digits = digits[1:]
	}
	n, point := int64(0), -1
	for i, c := range digits {
		switch {
		case '0' <= c && c <= '9':
			n = 10*n + int64(c-'0')
		case c == '.' && point < 0 && 0 < i && i < len(digits)-1:
			point = i
		default:
			return 0, false
		}
		if i > most {
			return 0, false
		}
	}
	if len(digits) == 0 || len(digits) > most {
		return 0, false
	}
	x = float64(n)
	if point >= 0 {
		x /= powers[len(digits)-1-point]
	}
	if len(digits) < len(text) {
		x = -x
	}
	return x, true
}

// Integer parses an integer from least to most.
func (l *Reader) Integer(field string, text []byte, least, most int) (int, error) {
	n, err := strconv.Atoi(string(text))
	switch {
	case len(text) == 0:
		return 0, l.Wrong(nil, problem.CodeMissingKey, field+": missing")
	case err != nil || n < least || n > most:
		return 0, l.Wrong(text, problem.CodeOutOfRange, fmt.Sprintf("%s: must be a whole number from %d to %d", field, least, most))
	}
	return n, nil
}

// Within advances to the next line. If no line is left, the error says that the file ends before the thing that
// the parameter what names.
func (l *Reader) Within(what string) error {
	err := l.Next()
	if err == io.EOF {
		return l.Wrong(nil, problem.CodeMissingKey, "the file ends before "+what)
	}
	return err
}

// Coordinate parses a number within the limits of a coordinate.
func (l *Reader) Coordinate(field string, text []byte) (float64, error) {
	x, err := l.Number(field, text)
	if err == nil && math.Abs(x) > geom.MaxCoordinate {
		err = l.Wrong(text, problem.CodeOutOfRange, fmt.Sprintf("%s: must be at most %g in magnitude", field, geom.MaxCoordinate))
	}
	return x, err
}

// Position parses three coordinates.
func (l *Reader) Position(x, y, z []byte) (v geom.Vec3, err error) {
	if v.X, err = l.Coordinate("x", x); err != nil {
		return v, err
	}
	if v.Y, err = l.Coordinate("y", y); err != nil {
		return v, err
	}
	v.Z, err = l.Coordinate("z", z)
	return v, err
}
