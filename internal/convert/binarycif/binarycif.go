// Package binarycif reads BinaryCIF, the binary form of CIF: tables whose columns are encoded one by one, in MessagePack.
//
// [Parse] finds the tables, and [Category.Decode] decodes a column. The sizes that a file claims are checked before
// memory is allocated for them: a decoded column has at most a few times [MaxRows] values. Errors do not contain the
// name of the file.
//
// Sources: "BinaryCIF Format" and "Encoding Methods" of the Mol* project; Sehnal et al., "BinaryCIF and CIFTools", PLOS
// Computational Biology 16(10), 2020; the MessagePack specification.
package binarycif

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"pillbox/internal/text"
)

// Limits of files.
const (
	MaxBytes = 1 << 27    // size of a file
	MaxRows  = 10_000_000 // of a category
)

// fewRows is the number of rows that a category may have in a file of any size. A larger category has at most one row for each
// byte of the file: a table of atoms needs more bytes, but run lengths can state any number in a few.
const fewRows = 100_000

// Block is a data block: the categories of one structure.
type Block struct {
	Header     string
	Categories []Category
}

// Category is a table of the file; its columns hold the values of items.
type Category struct {
	Name    string // as in CIF, such as _atom_site
	Rows    int
	Columns []string // names, such as Cartn_x

	columns []value // data and mask
}

// Parse reads a file. It does not decode columns. The blocks refer to the bytes of data.
func Parse(data []byte) ([]Block, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("a file must have at most %d bytes", MaxBytes)
	}
	d := &decoder{data: data}
	file, err := d.value(0)
	if err != nil {
		return nil, err
	}
	if len(d.data) > 0 {
		return nil, d.wrong("the file continues after its end")
	}
	list := file.key("dataBlocks")
	if list.kind != kindArray {
		return nil, errors.New("not a BinaryCIF file: it has no list dataBlocks")
	}
	var blocks []Block
	for i := range list.items {
		b := &list.items[i]
		block := Block{Header: string(b.key("header").bytes)}
		for k := range b.key("categories").items {
			c, err := category(&b.key("categories").items[k], min(MaxRows, max(fewRows, len(data))))
			if err != nil {
				return nil, err
			}
			block.Categories = append(block.Categories, c)
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

func category(v *value, most int) (Category, error) {
	c := Category{Name: string(v.key("name").bytes)}
	rows, ok := v.key("rowCount").integer()
	if !ok || rows < 0 || rows > int64(most) {
		return c, fmt.Errorf("%s: rowCount must be from 0 to %d", text.Shorten(text.Escape(c.Name)), most)
	}
	c.Rows = int(rows)
	for i := range v.key("columns").items {
		column := v.key("columns").items[i]
		c.Columns = append(c.Columns, string(column.key("name").bytes))
		c.columns = append(c.columns, column)
	}
	return c, nil
}

// Column is a decoded column. Its values are integers, floats or strings.
type Column struct {
	numbers numbers
	strings []string // distinct strings
	index   []int32  // into strings, or -1; nil: the values are numbers
	mask    []int32  // 0 means that the value is present; nil means that all are
}

// Decode decodes the column with the given index in c.Columns.
func (c *Category) Decode(i int) (*Column, error) {
	column, err := c.decode(&c.columns[i])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", text.Shorten(text.Escape(c.Name+"."+c.Columns[i])), err)
	}
	return column, nil
}

func (c *Category) decode(v *value) (*Column, error) {
	column := new(Column)
	data := v.key("data")
	encodings := data.key("encoding").items
	var err error
	if n := len(encodings); n > 0 && encodings[0].word("kind") == "StringArray" {
		if n > 1 {
			return nil, errors.New("StringArray must be the only encoding of a column")
		}
		err = column.decodeStrings(&encodings[0], data.key("data").bytes, c.Rows)
	} else {
		column.numbers, err = decodeNumbers(encodings, data.key("data").bytes, c.Rows)
		if err == nil && column.numbers.len() != c.Rows {
			err = fmt.Errorf("has %d values for %d rows", column.numbers.len(), c.Rows)
		}
	}
	if err != nil {
		return nil, err
	}
	if mask := v.key("mask"); mask.kind == kindMap {
		n, err := decodeNumbers(mask.key("encoding").items, mask.key("data").bytes, c.Rows)
		if err == nil && (n.ints == nil && c.Rows > 0 || len(n.ints) != c.Rows) {
			err = fmt.Errorf("has %d integers for %d rows", len(n.ints), c.Rows)
		}
		if err != nil {
			return nil, fmt.Errorf("mask: %w", err)
		}
		column.mask = n.ints
	}
	return column, nil
}

// decodeStrings decodes the encoding StringArray.
func (c *Column) decodeStrings(e *value, data []byte, rows int) error {
	index, err := decodeNumbers(e.key("dataEncoding").items, data, rows)
	if err != nil {
		return err
	}
	if len(index.ints) != rows {
		return fmt.Errorf("has %d strings for %d rows", index.len(), rows)
	}
	offsets, err := decodeNumbers(e.key("offsetEncoding").items, e.key("offsets").bytes, rows+1)
	if err != nil {
		return fmt.Errorf("offsets: %w", err)
	}
	if c.strings, err = cut(string(e.key("stringData").bytes), offsets.ints); err != nil {
		return err
	}
	for _, i := range index.ints {
		if i < -1 || int(i) >= len(c.strings) {
			return fmt.Errorf("has the string %d of %d", i, len(c.strings))
		}
	}
	if c.index = index.ints; c.index == nil {
		c.index = []int32{}
	}
	return nil
}

// IsNull reports whether the value of a row is missing: . or ? in CIF.
func (c *Column) IsNull(row int) bool {
	return c.mask != nil && c.mask[row] != 0 || c.index != nil && c.index[row] < 0
}

// AppendText appends the value of a row as text.
func (c *Column) AppendText(to []byte, row int) []byte {
	switch {
	case c.IsNull(row):
		return to
	case c.index != nil:
		return append(to, c.strings[c.index[row]]...)
	case c.numbers.floats != nil:
		return strconv.AppendFloat(to, c.numbers.floats[row], 'g', -1, 64)
	}
	return strconv.AppendInt(to, int64(c.numbers.ints[row]), 10)
}

// Float returns the value of a row if it is a finite number, and false otherwise.
func (c *Column) Float(row int) (x float64, ok bool) {
	switch {
	case c.IsNull(row) || c.index != nil:
		return 0, false
	case c.numbers.floats != nil:
		x = c.numbers.floats[row]
		return x, !math.IsNaN(x) && !math.IsInf(x, 0)
	}
	return float64(c.numbers.ints[row]), true
}
