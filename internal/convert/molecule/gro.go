package molecule

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// nanometer is the unit of length of GRO files, in angstrom.
const nanometer = 10

// readGRO reads frames of GROMACS. Each has a title, the number of atoms, a line of fixed columns for each atom, and the
// edges of the box.
func readGRO(l *lines.Reader, m *molecule) error {
	for {
		err := l.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := (&groFrame{Reader: l, molecule: m}).read(); err != nil {
			return err
		}
	}
}

type groFrame struct {
	*lines.Reader
	*molecule
	width int // of the column of a coordinate
}

// read reads a frame whose title has been read.
func (f *groFrame) read() error {
	title := shortTitle(strings.TrimSpace(string(f.Text)))
	if err := f.Next(); err == io.EOF && title == "" && f.models > 0 {
		return nil // blank lines at the end of the file
	} else if err == io.EOF {
		return f.Wrong(nil, problem.CodeMissingKey, "the file ends before the number of atoms")
	} else if err != nil {
		return err
	}
	n, err := f.Integer("number of atoms", bytes.TrimSpace(f.Text), 0, MaxAtoms)
	if err != nil {
		return err
	}
	if f.models++; f.models == f.wanted {
		f.title = title
	}
	for i := 1; i <= n; i++ {
		if err := f.Within(fmt.Sprintf("atom %d of %d", i, n)); err != nil {
			return err
		}
		if f.models == f.wanted {
			if f.full() {
				return f.tooMany("atoms", f.Reader)
			}
			if err := f.atom(); err != nil {
				return err
			}
		}
	}
	if err := f.Within("the box"); err != nil {
		return err
	}
	if f.models != f.wanted {
		return nil
	}
	f.endResidue()
	return f.box()
}

// atom reads the line of an atom. The number of digits behind the decimal points, and with it the width of the
// coordinates, varies between files.
func (f *groFrame) atom() error {
	const (
		first  = 20 // column of the coordinates, counted from 0
		before = 5  // columns before and including the decimal point, without the digits after it
	)
	if f.width == 0 {
		tail := f.Text[min(first, len(f.Text)):]
		if point := bytes.IndexByte(tail, '.'); point >= 0 {
			f.width = bytes.IndexByte(tail[point+1:], '.') + 1
		}
		if f.width < before {
			return f.Wrong(nil, problem.CodeMissingKey, "want coordinates with decimal points from column 21 on")
		}
	}
	column := func(i int) []byte { return f.Columns(first+1+i*f.width, first+(i+1)*f.width) }
	at, err := f.Position(column(0), column(1), column(2))
	if err != nil {
		return err
	}
	var c candidate
	c.at = at.Scale(nanometer)
	c.name = f.word(f.Columns(11, 15))
	c.serial = serial(f.Columns(16, 20))
	c.element, c.line, c.occupancy = unnamed, int32(f.Line), 1
	c.residue = residue{kind: f.word(f.Columns(6, 10)), number: f.word(f.Columns(1, 5))}
	f.addResidue(c)
	return nil
}

// box reads the edges of the box: three lengths, or nine numbers, of which the last six are the coordinates off the
// diagonal. A box of zeros is none.
func (f *groFrame) box() error {
	words := lines.Fields(f.Text)
	if len(words) == 1 { // large numbers fill their columns
		const width = 10
		words = nil
		for i := 0; i+width <= len(f.Text); i += width {
			words = append(words, f.Columns(i+1, i+width))
		}
	}
	if len(words) != 3 && len(words) != 9 {
		return f.Wrong(nil, problem.CodeMissingKey, "the box must have 3 or 9 numbers")
	}
	var edges geom.Mat3
	e := &edges
	for i, to := range [...]*float64{&e.X.X, &e.Y.Y, &e.Z.Z, &e.X.Y, &e.X.Z, &e.Y.X, &e.Y.Z, &e.Z.X, &e.Z.Y} {
		if i >= len(words) {
			break
		}
		x, err := f.Coordinate("box", words[i])
		if err != nil {
			return err
		}
		*to = x * nanometer
	}
	f.edges, f.hasCell = edges, edges.X != geom.Vec3{} && edges.Y != geom.Vec3{} && edges.Z != geom.Vec3{}
	return nil
}
