package molecule

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// readMOL2 reads molecules of Tripos. A file consists of sections, which begin with @<TRIPOS> and a name; each molecule
// begins with the section MOLECULE. A charge takes the place of the B-factor.
//
// Source: "Tripos Mol2 File Format", Tripos, 2005.
func readMOL2(l *lines.Reader, m *molecule) error {
	r := &mol2{Reader: l, molecule: m, chains: make(map[string]string)}
	for {
		words, err := r.words()
		if err == io.EOF {
			return r.endMolecule()
		}
		if err == nil {
			err = r.line(words)
		}
		if err != nil {
			return err
		}
	}
}

type mol2 struct {
	*lines.Reader
	*molecule
	section string
	row     int               // number of lines of the section so far
	stated  int               // number of atoms that the molecule must have
	read    int               // number of its atoms so far
	pairs   [][2]int          // numbers of bonded atoms
	chains  map[string]string // by number of the substructure
}

// words returns the words of the next line that is not empty and no comment. In the section MOLECULE, every line counts.
// A backslash at the end of a line continues it.
func (r *mol2) words() ([][]byte, error) {
	for {
		if err := r.Next(); err != nil {
			return nil, err
		}
		text := bytes.TrimSpace(r.Text)
		if r.section != "MOLECULE" && (len(text) == 0 || text[0] == '#') {
			continue
		}
		words := lines.Fields(r.Text)
		for bytes.HasSuffix(bytes.TrimSpace(r.Text), []byte(`\`)) {
			words = cloneWords(words[:max(0, len(words)-1)])
			if err := r.Within("the continuation of a line"); err != nil {
				return nil, err
			}
			if words = append(words, lines.Fields(r.Text)...); len(words) > lines.MaxLine {
				return nil, r.Wrong(nil, problem.CodeTooLarge, "a line is too long")
			}
		}
		return words, nil
	}
}

func cloneWords(words [][]byte) (clones [][]byte) {
	for _, word := range words {
		clones = append(clones, bytes.Clone(word))
	}
	return clones
}

// line processes the words of a line.
func (r *mol2) line(words [][]byte) error {
	const mark = "@<TRIPOS>"
	if len(words) > 0 && bytes.HasPrefix(words[0], []byte(mark)) {
		r.section, r.row = string(words[0][len(mark):]), 0
		if r.section != "MOLECULE" {
			return nil
		}
		if err := r.endMolecule(); err != nil {
			return err
		}
		r.models++
		r.stated, r.read = 0, 0
		return nil
	}
	if r.row++; r.models != r.wanted {
		return nil
	}
	switch r.section {
	case "MOLECULE":
		return r.header(words)
	case "ATOM":
		return r.atom(words)
	case "BOND":
		return r.bond(words)
	case "SUBSTRUCTURE":
		const chain = 5
		if len(words) > chain && !bytes.HasPrefix(words[chain], []byte("*")) {
			r.chains[string(words[0])] = r.word(words[chain])
		}
	case "CRYSIN":
		return r.crystal(words)
	}
	return nil
}

// header reads the lines of the section MOLECULE: the title, and the numbers of atoms and of other things.
func (r *mol2) header(words [][]byte) (err error) {
	switch r.row {
	case 1:
		r.title = shortTitle(strings.TrimSpace(string(r.Text)))
	case 2:
		if len(words) == 0 {
			return r.Wrong(nil, problem.CodeMissingKey, "number of atoms: missing")
		}
		r.stated, err = r.Integer("number of atoms", words[0], 0, MaxAtoms)
	}
	return err
}

// atom reads an atom: its number, name, coordinates and type, and perhaps the number and name of its substructure and
// its charge.
func (r *mol2) atom(words [][]byte) (err error) {
	if len(words) < 6 {
		return r.Wrong(nil, problem.CodeMissingKey, "want a number, a name, three coordinates and a type")
	}
	if r.full() {
		return r.tooMany("atoms", r.Reader)
	}
	var c candidate
	if c.serial, err = r.Integer("number", words[0], 0, MaxAtoms); err != nil {
		return err
	}
	if c.at, err = r.Position(words[2], words[3], words[4]); err != nil {
		return err
	}
	c.name, c.line, c.occupancy = r.word(words[1]), int32(r.Line), 1
	c.element = elementOfType(string(words[5]))
	if c.element == unknown {
		r.unknownAtom(r.Where())
	}
	if len(words) > 6 {
		c.residue.unit = r.word(words[6]) // for now, the number of the substructure
	}
	if len(words) > 7 {
		c.residue.kind, c.residue.number = r.substructure(words[7])
	}
	if len(words) > 8 {
		c.bFactor = optional(words[8], 0)
		r.hasBFactors = r.hasBFactors || c.bFactor != 0
	}
	r.read++
	r.addResidue(c)
	return nil
}

// substructure splits the name of a substructure, such as ALA12, into the kind of a residue and its number. Names that
// only mark a missing one, such as <0>, are empty.
func (r *mol2) substructure(name []byte) (kind, number string) {
	if bytes.ContainsAny(name, "<>*") {
		return "", ""
	}
	stem := bytes.TrimRight(name, "0123456789")
	if len(stem) == 0 {
		return r.word(name), ""
	}
	return r.word(stem), r.word(name[len(stem):])
}

// elementOfType returns the element for an atom type, unnamed or virtualSite. Tripos types begin with the symbol of an
// element, as C.ar. Types of other force fields, such as ca or OS, say less than the atom's name.
func elementOfType(text string) uint8 {
	symbol, _, dotted := strings.Cut(text, ".")
	switch symbol {
	case "LP", "Lp":
		return virtualSite
	case "Du", "Any", "Hev", "Het", "Hal":
		return unknown
	}
	n := numberOf(symbol)
	if n != unknown && (dotted || len(symbol) == 1 || symbol == elements[n].symbol) {
		return n
	}
	return unnamed
}

// bond reads a bond: its number, two atoms and its type.
func (r *mol2) bond(words [][]byte) error {
	if len(words) < 4 {
		return r.Wrong(nil, problem.CodeMissingKey, "want a number, two atoms and a type")
	}
	a, err := r.Integer("first atom", words[1], 0, MaxAtoms)
	if err != nil {
		return err
	}
	b, err := r.Integer("second atom", words[2], 0, MaxAtoms)
	if err != nil {
		return err
	}
	if len(r.pairs) >= r.most() {
		return r.tooMany("bonds", r.Reader)
	}
	if string(words[3]) != "nc" { // not connected
		r.pairs = append(r.pairs, [2]int{a, b})
	}
	return nil
}

// crystal reads the lengths and angles of the unit cell.
func (r *mol2) crystal(words [][]byte) error {
	if len(words) < len(r.cell) || r.row > 1 {
		return nil
	}
	for i := range r.cell {
		x, err := r.Coordinate("cell", words[i])
		if err != nil {
			return err
		}
		r.cell[i] = cellParameter{x: x, known: true}
	}
	if n := len(r.cell); len(words) > n {
		r.symmetry.group = string(words[n])
	}
	return nil
}

// endMolecule completes the selected molecule.
func (r *mol2) endMolecule() error {
	if r.models != r.wanted {
		return nil
	}
	if r.read < r.stated {
		return r.Wrong(nil, problem.CodeMissingKey, fmt.Sprintf("the molecule ends before atom %d of %d", r.read+1, r.stated))
	}
	r.endResidue()
	for i := range r.residues {
		q := &r.residues[i]
		q.chain = r.chains[q.unit]
		q.unit = q.chain
	}
	r.bonded = r.bonded || len(r.pairs) > 0
	r.resolve(r.pairs)
	r.pairs = nil
	return nil
}
