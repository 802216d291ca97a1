package scene

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"pillbox/internal/keytable"
	"pillbox/internal/sniff"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// rows reads the rows of a bulk file or of a chunk of one. Whitespace around fields and blank lines are
// ignored.
type rows struct {
	file   string // for messages
	text   []byte
	line   int // line of the file at which text begins
	csv    *csv.Reader
	start  int      // offset in text of the end of the previous row
	fields []string // fields of the row; valid until the next call of next
}

func newRows(file string, text []byte, line int) rows {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1 // rows of different lengths have a message of their own
	r.ReuseRecord = true
	r.TrimLeadingSpace = true
	return rows{file: file, text: text, line: line, csv: r}
}

// invalid returns an error if the text is not UTF-8, has a carriage return without a line feed, or contains what git
// leaves in place of a file or of conflicting lines. Otherwise it returns nil. It uses the check for TOML, which has the
// same encoding.
func (r *rows) invalid() *problem.Error {
	var syntax *tomltext.SyntaxError
	if errors.As(tomltext.Valid(r.text), &syntax) {
		if format := sniff.Format(r.text); format != "" && r.line == 1 {
			return r.problem(tomltext.Extent{}, problem.CodeSyntax, sniff.Mistaken(format, "CSV"))
		}
		return r.problem(syntax.Extent, problem.CodeSyntax, syntax.Message)
	}
	if at := loneReturn(r.text); at >= 0 {
		return r.problem(tomltext.Extent{Start: at, End: at + 1}, problem.CodeSyntax, tomltext.LoneReturn)
	}
	for _, f := range sniff.Git(r.text) {
		return r.problem(tomltext.Extent{Start: f.Start, End: f.End}, problem.CodeSyntax, f.Message)
	}
	return nil
}

// loneReturn returns the offset of the first carriage return without a line feed, or -1.
func loneReturn(text []byte) int {
	for i := 0; ; i++ {
		n := bytes.IndexByte(text[i:], '\r')
		if n < 0 {
			return -1
		}
		if i += n; !bytes.HasPrefix(text[i+1:], []byte("\n")) {
			return i
		}
	}
}

// next reads a row. At the end of the text it returns [io.EOF]. If the quotes of the row are wrong, it
// returns an error for [rows.quoteError].
func (r *rows) next() error {
	for {
		r.start = int(r.csv.InputOffset())
		var err error
		if r.fields, err = r.csv.Read(); err != nil || len(r.fields) > 1 || r.fields[0] != "" {
			return err
		}
	}
}

// rowLine returns the line of the file at which the row begins. The quotes of the row must be valid.
func (r *rows) rowLine() int {
	line, _ := r.csv.FieldPos(0)
	return r.line + line - 1
}

// wrong returns a problem with field i of the row, in the column of the given name.
func (r *rows) wrong(i int, column string, code problem.Code, format string, args ...any) *problem.Error {
	start, end := r.field(i), r.row().End
	if i+1 < len(r.fields) {
		next := r.field(i + 1)
		end = start + bytes.LastIndexByte(r.text[start:next], ',')
	}
	value := bytes.TrimRightFunc(r.text[start:max(start, end)], unicode.IsSpace)
	e := r.problem(tomltext.Extent{Start: start, End: start + len(value)}, code, fmt.Sprintf(format, args...))
	e.Key, e.Value = column, keytable.Excerpt(value)
	return e
}

// missing returns a problem with the whole row. The column, if not empty, is one that the row does not
// fill.
func (r *rows) missing(column string, code problem.Code, format string, args ...any) *problem.Error {
	e := r.problem(r.row(), code, fmt.Sprintf(format, args...))
	e.Key = column
	return e
}

// quoteError returns the problem that err, a result of next, describes, or nil if err is nil or [io.EOF].
func (r *rows) quoteError(err error) *problem.Error {
	if err == nil || err == io.EOF {
		return nil
	}
	var e *csv.ParseError
	errors.As(err, &e) // reading from memory has no other errors
	at := r.offset(e.Line-e.StartLine, e.Column)
	if at >= len(r.text) || r.text[at] != '"' { // at the end of the text
		return r.problem(r.row(), problem.CodeSyntax, "missing closing quote")
	}
	return r.problem(tomltext.Extent{Start: at, End: at + 1}, problem.CodeSyntax, `a field with quotes must be quoted as a whole, and each " inside be doubled`)
}

// row returns the extent of the row without its line end.
func (r *rows) row() tomltext.Extent {
	rest := r.text[r.start:r.csv.InputOffset()]
	for blank := true; blank; {
		if rest, blank = bytes.CutPrefix(rest, []byte("\n")); !blank {
			rest, blank = bytes.CutPrefix(rest, []byte("\r\n"))
		}
	}
	end := int(r.csv.InputOffset())
	return tomltext.Extent{Start: end - len(rest), End: end - len(rest) + len(bytes.TrimRight(rest, "\r\n"))}
}

// field returns the offset of field i in the text.
func (r *rows) field(i int) int {
	first, _ := r.csv.FieldPos(0)
	line, column := r.csv.FieldPos(i)
	return r.offset(line-first, column)
}

// offset returns the offset in the text of a position in the row: line counts from 0, column counts
// bytes from 1.
func (r *rows) offset(line, column int) int {
	at := r.row().Start
	for range line {
		at += bytes.IndexByte(r.text[at:], '\n') + 1
	}
	return at + column - 1
}

// problem returns an error at an extent of the text.
func (r *rows) problem(at tomltext.Extent, code problem.Code, message string) *problem.Error {
	before := r.text[:at.Start]
	lineStart := bytes.LastIndexByte(before, '\n') + 1
	column := 1 + utf8.RuneCount(before[lineStart:])
	return &problem.Error{
		File:      r.file,
		Line:      r.line + bytes.Count(before, []byte("\n")),
		Column:    column,
		EndColumn: column + utf8.RuneCount(keytable.FirstLine(r.text[at.Start:at.End])),
		Severity:  problem.SeverityError,
		Code:      code,
		Message:   message,
	}
}
