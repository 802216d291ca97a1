package molecule

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"pillbox/internal/convert/lines"
	"pillbox/scene"
)

// maxTitle limits the length of titles, in bytes or characters. A PDB title may exceed it by the length of its last
// line.
const maxTitle = 200

// readPDB reads records with fixed columns.
func readPDB(l *lines.Reader, m *molecule) error {
	r := &pdb{Reader: l, molecule: m, closed: make(map[string]int), rows: make(map[string][3][4]float64)}
	for {
		err := l.Next()
		if err == io.EOF {
			m.endResidue()
			r.endGenerator()
			r.findMembers()
			m.resolve(r.pairs)
			return nil
		}
		if err != nil {
			return err
		}
		if err := r.record(); err != nil {
			return err
		}
	}
}

type pdb struct {
	*lines.Reader
	*molecule
	ended bool     // the last model has ended, and no other has begun
	pairs [][2]int // serial numbers of bonded atoms

	closed      map[string]int           // by chain, the number of residues before its TER record
	rows        map[string][3][4]float64 // of operators
	biomolecule string                   // name of the assembly in the current lines of remark 350
	current     generator
	names       []string // of its operators
}

// record processes a line. Its first six columns are the type of the record.
func (r *pdb) record() error {
	switch string(r.Columns(1, 6)) {
	case "MODEL":
		r.models++
		r.ended = false
	case "ENDMDL":
		r.ended = true
	case "TITLE":
		if len(r.title) < maxTitle {
			r.title = strings.TrimSpace(r.title + " " + string(r.Columns(11, 80)))
		}
	case "ATOM", "HETATM":
		if r.models == 0 || r.ended {
			r.models++ // a file with a single model has no MODEL record
			r.ended = false
		}
		if r.models == r.wanted {
			return r.atomRecord()
		}
	case "TER":
		if r.models == r.wanted && !r.ended {
			r.endResidue()
			if n := len(r.residues); n > 0 {
				r.closed[r.residues[n-1].chain] = n
			}
		}
	case "CRYST1":
		r.cellRecord()
	case "REMARK":
		if r.readsAssemblies() && string(r.Columns(8, 10)) == "350" {
			return r.assemblyRecord()
		}
	case "CONECT":
		return r.bondRecord()
	}
	return nil
}

func (r *pdb) atomRecord() error {
	if r.full() {
		return tooMany(r.Reader)
	}
	var c candidate
	var err error
	if c.at, err = r.Position(r.Columns(31, 38), r.Columns(39, 46), r.Columns(47, 54)); err != nil {
		return err
	}
	c.name = r.word(r.Columns(13, 16))
	c.serial = r.serial(r.Columns(7, 11))
	c.element = r.elementOf()
	if x, _, problem := lines.ParseNumber(r.Columns(61, 66)); problem == "" { // some programs write other texts here
		c.bFactor = x
		r.hasBFactors = r.hasBFactors || x != 0
	}
	c.residue = residue{chain: r.word(r.Columns(22, 22)), kind: r.word(r.Columns(18, 20)), number: r.word(bytes.TrimSpace(r.Columns(23, 27)))}
	if alternate := r.Columns(17, 17); len(alternate) > 0 {
		c.alternate = alternate[0]
	}
	c.occupancy = 1
	if text := r.Columns(55, 60); len(text) > 0 {
		if c.occupancy, err = r.Number("occupancy", text); err != nil {
			return err
		}
	}
	if c.element == unknown {
		r.unknownAtom(r.Where())
	}
	c.residue.unit = c.residue.chain
	r.addResidue(c)
	return nil
}

// findMembers marks residues after the TER record of their chain. They are not monomers of the polymer.
func (r *pdb) findMembers() {
	for i := range r.residues {
		if end, ok := r.closed[r.residues[i].chain]; ok && i >= end {
			r.residues[i].member = notMember
		}
	}
}

// serial parses an atom's number. For atoms beyond 99,999 some programs write letters or asterisks. It then returns 0,
// because no bond can refer to such an atom.
func (r *pdb) serial(text []byte) int {
	n, err := strconv.Atoi(string(text))
	if err != nil {
		return 0
	}
	return n
}

// elementOf returns the element of the atom in the line. Old files state it only in the first two columns of the name.
func (r *pdb) elementOf() uint8 {
	if e := numberOf(string(r.Columns(77, 78))); e != unknown {
		return e
	}
	name := r.Columns(13, 16)
	if len(name) == 0 {
		return unknown
	}
	if len(name) == 4 && (name[0] == 'H' || name[0] == 'h') {
		return hydrogen // a name of four letters that begins in the column of two-letter symbols
	}
	if two := r.Columns(13, 14); len(two) == 2 {
		if e := numberOf(string(two)); e != unknown {
			return e
		}
	}
	return numberOf(string(bytes.TrimLeft(name, "0123456789")[:min(1, len(bytes.TrimLeft(name, "0123456789")))]))
}

// bondRecord reads a CONECT record: an atom and up to four atoms that are bonded to it.
func (r *pdb) bondRecord() error {
	from := r.serial(r.Columns(7, 11))
	for column := 12; column <= 27; column += 5 {
		if to := r.serial(r.Columns(column, column+4)); from != 0 && to != 0 {
			if len(r.pairs) >= MaxAtoms {
				return r.Wrong(nil, scene.CodeTooLarge, "there are too many bonds")
			}
			r.pairs = append(r.pairs, [2]int{from, to})
		}
	}
	return nil
}
