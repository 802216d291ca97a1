package molecule

import (
	"fmt"
	"io"
	"math"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/binarycif"
	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// readBinaryCIF reads the tables of mmCIF in their binary form.
func readBinaryCIF(l *lines.Reader, m *molecule) error {
	data, err := io.ReadAll(io.LimitReader(l.Rest(), binarycif.MaxBytes+1))
	if err != nil {
		return err
	}
	blocks, err := binarycif.Parse(data)
	if err != nil {
		return (&binaryRow{file: l.Name}).wrong(problem.CodeSyntax, err.Error())
	}
	c := newCIF(l, m)
	for _, block := range blocks {
		for i := range block.Categories {
			if err := c.binaryTable(&block.Categories[i]); err != nil {
				return err
			}
		}
		if err := c.finishBlock(); err != nil {
			return err
		}
	}
	return nil
}

// binaryTable processes the rows of a table.
func (c *cif) binaryTable(table *binarycif.Category) error {
	category := strings.ToLower(table.Name)
	if !strings.HasPrefix(category, "_") {
		category = "_" + category
	}
	c.tags = c.tags[:0]
	for _, name := range table.Columns {
		c.tags = append(c.tags, category+"."+strings.ToLower(name))
	}
	if err := c.begin(); err != nil || c.reader == nil {
		return err
	}
	row := &binaryRow{file: c.Name, table: table, columns: make([]*binarycif.Column, len(table.Columns))}
	c.fields = row
	for row.row = range table.Rows {
		row.texts = row.texts[:0]
		err := c.reader(c)
		if row.err != nil {
			err = row.err
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// binaryRow gives the values of a row of a binary table. It decodes a column when its first value is needed.
type binaryRow struct {
	file    string
	table   *binarycif.Category
	row     int
	columns []*binarycif.Column
	texts   []byte // of the row's values that are in use
	err     error  // the first error of decoding
}

// column returns a decoded column, or nil after an error.
func (r *binaryRow) column(i int) *binarycif.Column {
	if r.columns[i] == nil && r.err == nil {
		column, err := r.table.Decode(i)
		if err != nil {
			r.err = r.wrong(problem.CodeSyntax, err.Error())
		}
		r.columns[i] = column
	}
	return r.columns[i]
}

func (r *binaryRow) bytes(i int) []byte {
	column := r.column(i)
	if column == nil || column.IsNull(r.row) {
		return nil
	}
	start := len(r.texts)
	r.texts = column.AppendText(r.texts, r.row)
	if start == len(r.texts) {
		return []byte{} // an empty text is a value
	}
	return r.texts[start:len(r.texts):len(r.texts)]
}

func (r *binaryRow) float(i int, item string) (float64, error) {
	column := r.column(i)
	if column == nil {
		return 0, r.err
	}
	x, ok := column.Float(r.row)
	if !ok { // some files contain numbers as text
		var why string
		if x, _, why = lines.ParseNumber(r.bytes(i)); why != "" {
			return 0, r.wrong(problem.CodeWrongType, fmt.Sprintf("%s: must be a finite number in row %d", item, r.row+1))
		}
	}
	if math.Abs(x) > geom.MaxCoordinate {
		return 0, r.wrong(problem.CodeOutOfRange, fmt.Sprintf("%s: is too large in row %d", item, r.row+1))
	}
	return x, nil
}

func (r *binaryRow) place(int) problem.Error { return problem.Error{File: r.file} }

func (r *binaryRow) wrong(code problem.Code, message string) error {
	return &problem.Error{File: r.file, Severity: problem.SeverityError, Code: code, Message: message}
}
