package molecule

import (
	"bytes"
	"io"
	"math"
	"slices"

	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// readPQR reads atoms with charges and radii. The records are those of PDB files, but their fields are words. A charge
// takes the place of the B-factor.
func readPQR(l *lines.Reader, m *molecule) error {
	r := &pdb{Reader: l, molecule: m}
	for {
		err := l.Next()
		if err == io.EOF {
			m.endResidue()
			return nil
		}
		if err != nil {
			return err
		}
		switch string(r.Columns(1, 6)) {
		case "MODEL":
			r.models++
			r.ended = false
		case "ENDMDL", "END":
			r.ended = true
		case "TITLE":
			r.titleRecord()
		case "CRYST1":
			r.cellRecord()
		default:
			if bytes.HasPrefix(l.Text, []byte("ATOM")) || bytes.HasPrefix(l.Text, []byte("HETATM")) {
				if err := r.chargedAtom(); err != nil {
					return err
				}
			}
		}
	}
}

// chargedAtom reads the record of an atom: its number and name, the kind, chain and number of its residue, three
// coordinates, charge and radius. The chain may be missing, and an element may follow.
func (r *pdb) chargedAtom() error {
	if !r.beginAtom() {
		return nil
	}
	if r.full() {
		return r.tooMany("atoms", r.Reader)
	}
	words := pqrWords(r.Text)
	if len(words[0]) > len("HETATM") { // a number without a space before it
		words = slices.Insert(words, 1, words[0][len("HETATM"):])
	}
	var c candidate
	last := len(words) - 1
	if last > 0 && !isNumber(words[last]) {
		c.element = numberOf(string(words[last]))
		last--
	}
	names := words[1:max(1, last-4)]
	if len(names) < 3 {
		return r.Wrong(nil, problem.CodeMissingKey, "want a number, a name, a residue and its number, three coordinates, a charge and a radius")
	}
	numbers := words[last-4 : last+1]
	var err error
	if c.at, err = r.Position(numbers[0], numbers[1], numbers[2]); err != nil {
		return err
	}
	if c.bFactor, err = r.Number("charge", numbers[3]); err != nil {
		return err
	}
	if c.radius, err = r.Coordinate("radius", numbers[4]); err != nil {
		return err
	}
	c.radius = max(c.radius, 0)
	r.hasBFactors = r.hasBFactors || c.bFactor != 0
	c.serial, c.name = serial(names[0]), r.word(names[1])
	c.line, c.occupancy = int32(min(r.Line, math.MaxInt32)), 1
	c.residue = r.pqrResidue(names[2:])
	c.element = elementIn(c.element, c.residue.kind)
	r.addResidue(c)
	return nil
}

// pqrWords splits an atom's record into words. Where the coordinates fill the columns of a PDB file, there may be no
// space between them.
func pqrWords(line []byte) [][]byte {
	const first, width, end = 30, 8, 54 // columns of the coordinates, counted from 0
	if len(line) < end {
		return lines.Fields(line)
	}
	words := lines.Fields(line[:first])
	for column := first; column < end; column += width {
		number := lines.Fields(line[column : column+width])
		if line[column+width-4] != '.' || len(number) != 1 || !isNumber(number[0]) {
			return lines.Fields(line)
		}
		words = append(words, number[0])
	}
	return append(words, lines.Fields(line[end:])...)
}

// pqrResidue returns the residue for the words of an atom's record between its name and its coordinates.
func (r *pdb) pqrResidue(words [][]byte) residue {
	var q residue
	isFirstNumber := func(word []byte) bool { return isDigits(bytes.TrimLeft(word, "-")) || isDigits(word[:len(word)-1]) }
	if len(words) > 0 && !(len(words) == 1 && isFirstNumber(words[0])) {
		q.kind = r.word(words[0])
		words = words[1:]
	}
	switch {
	case len(words) == 0:
	case len(words) == 1 && len(words[0]) > 1 && !isFirstNumber(words[0]) && isFirstNumber(words[0][1:]): // A1000
		q.chain, q.number = r.word(words[0][:1]), r.word(words[0][1:])
	case len(words) == 1:
		q.number = r.word(words[0])
	default:
		q.chain, q.number = r.word(words[0]), r.word(bytes.Join(words[1:], nil))
	}
	q.unit = q.chain
	return q
}
