package molecule

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// readSDF reads records. Each record is a molfile followed by data, and ends with $$$$.
func readSDF(l *lines.Reader, m *molecule) error {
	for {
		if err := l.Next(); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		more, err := readRecord(l, m)
		if err != nil || !more {
			return err
		}
	}
}

// readRecord reads a record, starting with its title line, and reports whether another record may follow.
func readRecord(l *lines.Reader, m *molecule) (more bool, err error) {
	title := strings.TrimSpace(string(l.Text))
	for _, what := range [...]string{"the program's line", "the comment", "the counts"} {
		err := l.Next()
		if err == io.EOF && m.models > 0 && title == "" {
			return false, nil // blank lines at the end of the file
		}
		if err == io.EOF {
			return false, l.Wrong(nil, problem.CodeMissingKey, "the file ends before "+what)
		}
		if err != nil {
			return false, err
		}
	}
	m.models++
	if m.models == m.wanted {
		m.title, m.bonded = title, true
		r := &molfile{Reader: l, molecule: m}
		read := r.version2000
		if bytes.HasSuffix(bytes.TrimSpace(l.Text), []byte("V3000")) {
			read = r.version3000
		}
		if err := read(); err != nil {
			return false, err
		}
		m.resolve(r.pairs)
	}
	for {
		if bytes.HasPrefix(l.Text, []byte("$$$$")) {
			return true, nil
		}
		if err := l.Next(); err == io.EOF {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
}

// molfile holds the state of reading a record.
type molfile struct {
	*lines.Reader
	*molecule
	pairs [][2]int
}

// most2000 is the largest number that fits into the columns of a count.
const most2000 = 999

// version2000 reads atoms and bonds in fixed columns.
func (r *molfile) version2000() error {
	atoms, err := r.Integer("number of atoms", r.Columns(1, 3), 0, most2000)
	if err != nil {
		return err
	}
	bonds, err := r.Integer("number of bonds", r.Columns(4, 6), 0, most2000)
	if err != nil {
		return err
	}
	for serial := 1; serial <= atoms; serial++ {
		if err := r.Within(fmt.Sprintf("atom %d of %d", serial, atoms)); err != nil {
			return err
		}
		if err := r.atom(serial, r.Columns(32, 34), r.Columns(1, 10), r.Columns(11, 20), r.Columns(21, 30)); err != nil {
			return err
		}
	}
	for n := 1; n <= bonds; n++ {
		if err := r.Within(fmt.Sprintf("bond %d of %d", n, bonds)); err != nil {
			return err
		}
		if err := r.pair(r.Columns(1, 3), r.Columns(4, 6), atoms); err != nil {
			return err
		}
	}
	return nil
}

func (r *molfile) atom(serial int, symbol, x, y, z []byte) (err error) {
	if r.full() {
		return r.tooMany("atoms", r.Reader)
	}
	at, err := r.Position(x, y, z)
	if err == nil {
		r.addSymbol(atom{at: at, serial: serial, line: int32(r.Line)}, string(symbol))
	}
	return err
}

// pair reads the numbers of two bonded atoms.
func (r *molfile) pair(a, b []byte, atoms int) error {
	i, err := r.Integer("first atom", a, 1, atoms)
	if err != nil {
		return err
	}
	k, err := r.Integer("second atom", b, 1, atoms)
	if err != nil {
		return err
	}
	r.pairs = append(r.pairs, [2]int{i, k})
	return nil
}

// mark3000 is the beginning of every line of version 3000 that holds data.
const mark3000 = "M  V30 "

// version3000 reads blocks of fields. Atoms and bonds are those of the record's own connection table. Blocks of templates
// and of R-groups contain tables, too, whose atoms are not atoms of the molecule.
func (r *molfile) version3000() error {
	var blocks []string // the current block is the last one
	for {
		fields, err := r.fields3000()
		if err != nil {
			return err
		}
		switch {
		case len(fields) == 0: // the end of the data, or a line without data
			if bytes.HasPrefix(r.Text, []byte("M  END")) {
				return nil
			}
		case equalFold(fields[0], "BEGIN") && len(fields) > 1:
			if len(blocks) >= maxBlocks {
				return r.Wrong(nil, problem.CodeTooDeep, fmt.Sprintf("blocks must nest at most %d deep", maxBlocks))
			}
			blocks = append(blocks, strings.ToUpper(string(fields[1])))
		case equalFold(fields[0], "END"):
			blocks = blocks[:max(0, len(blocks)-1)]
		default:
			switch strings.TrimPrefix(strings.Join(blocks, " "), "CTAB ") {
			case "ATOM":
				err = r.atom3000(fields)
			case "BOND":
				err = r.bond3000(fields)
			}
		}
		if err != nil {
			return err
		}
	}
}

// maxBlocks limits how deep blocks nest.
const maxBlocks = 100

// fields3000 returns the fields of a line and of its continuation lines.
func (r *molfile) fields3000() ([][]byte, error) {
	if err := r.Within("M  END"); err != nil {
		return nil, err
	}
	text, ok := bytes.CutPrefix(r.Text, []byte(mark3000))
	if !ok {
		return nil, nil
	}
	if !bytes.HasSuffix(text, []byte("-")) {
		return fieldsOf3000(text), nil
	}
	whole := bytes.Clone(text)
	for bytes.HasSuffix(whole, []byte("-")) {
		if err := r.Within("the continuation of a line"); err != nil {
			return nil, err
		}
		text, ok := bytes.CutPrefix(r.Text, []byte(mark3000))
		if !ok {
			return nil, r.Wrong(nil, problem.CodeMissingKey, "must continue the line before, which ends in -")
		}
		if whole = append(whole[:len(whole)-1], text...); len(whole) > lines.MaxLine {
			return nil, r.Wrong(nil, problem.CodeTooLarge, fmt.Sprintf("a line must have less than %d bytes, with those that continue it", lines.MaxLine))
		}
	}
	return fieldsOf3000(whole), nil
}

// fieldsOf3000 splits a text into fields at spaces. Quotation marks around a field, which may then contain spaces, are
// removed. A list of elements in brackets is one field, with the word NOT before it.
func fieldsOf3000(text []byte) (fields [][]byte) {
	for {
		text = bytes.TrimLeft(text, " \t")
		if len(text) == 0 {
			return fields
		}
		end := bytes.IndexAny(text, " \t")
		switch {
		case text[0] == '"', text[0] == '\'':
			end = bytes.IndexByte(text[1:], text[0]) + 1
			if end > 0 {
				fields = append(fields, text[1:end])
				text = text[end+1:]
				continue
			}
			end = -1
		case text[0] == '[', bytes.HasPrefix(text, []byte("NOT [")), bytes.HasPrefix(text, []byte("NOT[")):
			end = bytes.IndexByte(text, ']') + 1
		}
		if end <= 0 {
			end = len(text)
		}
		fields = append(fields, text[:end])
		text = text[end:]
	}
}

func (r *molfile) atom3000(f [][]byte) error {
	if len(f) < 5 {
		return r.Wrong(nil, problem.CodeMissingKey, "want a number, an element and three coordinates")
	}
	serial, err := r.Integer("number", f[0], 1, MaxAtoms)
	if err != nil {
		return err
	}
	symbol := f[1]
	if slices.ContainsFunc(f, func(field []byte) bool { return bytes.HasPrefix(field, []byte("CLASS=")) }) {
		symbol = nil // the name of a template, such as that of an amino acid
	}
	return r.atom(serial, symbol, f[2], f[3], f[4])
}

func (r *molfile) bond3000(f [][]byte) error {
	if len(f) < 4 {
		return r.Wrong(nil, problem.CodeMissingKey, "want a number, a kind and two atoms")
	}
	if len(r.pairs) >= r.most() {
		return r.tooMany("bonds", r.Reader)
	}
	const hydrogenBond = "10"
	if string(f[1]) == hydrogenBond {
		return nil
	}
	return r.pair(f[2], f[3], MaxAtoms)
}
