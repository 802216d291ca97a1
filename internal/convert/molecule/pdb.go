package molecule

import (
	"bytes"
	"io"
	"math"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
)

// maxTitle limits the length of titles, in bytes or characters. A PDB title may exceed it by the length of its last
// line.
const maxTitle = 200

// readPDB reads records with fixed columns.
func readPDB(l *lines.Reader, m *molecule) error {
	r := &pdb{Reader: l, molecule: m, closed: make(map[string]int), reopened: make(map[string]int), rows: make(map[string][3][4]float64)}
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
	wide  bool     // some serial numbers have six digits

	closed      map[string]int           // by chain, the number of residues before its last TER record
	reopened    map[string]int           // by chain, the index of the last residue after a TER record that is a monomer
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
	case "ENDMDL", "END":
		r.ended = true // programs for molecular dynamics separate models by END, without MODEL
	case "TITLE":
		r.titleRecord()
	case "ATOM", "HETATM":
		return r.atomRecord()
	case "TER":
		if r.inWanted() {
			r.endResidue()
			if n := len(r.residues); n > 0 {
				r.closed[r.residues[n-1].chain] = n
			}
		}
	case "CRYST1":
		if r.beforeEnd() {
			r.cellRecord()
		}
	case "SCALE1", "SCALE2", "SCALE3":
		if r.beforeEnd() {
			r.scaleRecord()
		}
	case "REMARK":
		if r.readsAssemblies() && string(r.Columns(8, 10)) == "350" {
			return r.assemblyRecord()
		}
		if r.FillCell && string(r.Columns(8, 10)) == "290" {
			return r.symmetryRecord()
		}
	case "CONECT":
		if r.inWanted() || r.ended || r.models == 0 {
			return r.bondRecord()
		}
	}
	return nil
}

// inWanted reports whether the current line belongs to the selected model.
func (r *pdb) inWanted() bool { return r.models == r.wanted && !r.ended }

// beforeEnd reports whether the selected model has not ended.
func (r *pdb) beforeEnd() bool { return r.models < r.wanted || r.inWanted() }

// titleRecord reads a line of a title. A line without a number begins a new title, as that of a later frame.
func (r *pdb) titleRecord() {
	if !r.beforeEnd() {
		return
	}
	if len(r.Columns(9, 10)) == 0 {
		r.title = ""
	}
	if len(r.title) < maxTitle {
		r.title = strings.TrimSpace(r.title + " " + string(r.Columns(11, 80)))
	}
}

// beginAtom begins a model if necessary, and reports whether it is the selected one.
func (r *pdb) beginAtom() bool {
	if r.models == 0 || r.ended {
		r.models++ // a file with a single model has no MODEL record
		r.ended = false
	}
	return r.models == r.wanted
}

func (r *pdb) atomRecord() error {
	if !r.beginAtom() {
		return nil
	}
	if r.full() {
		return r.tooMany("atoms", r.Reader)
	}
	var c candidate
	var err error
	c.serial = r.atomSerial()
	if c.at, err = r.Position(r.Columns(31, 38), r.Columns(39, 46), r.Columns(47, 54)); err != nil {
		return err
	}
	c.name = r.word(r.Columns(13, 16))
	c.alignment = alignmentOf(r.Text)
	c.line = int32(min(r.Line, math.MaxInt32))
	c.bFactor = optional(r.Columns(61, 66), 0)
	r.hasBFactors = r.hasBFactors || c.bFactor != 0
	c.occupancy = optional(r.Columns(55, 60), 1)
	c.residue = residue{chain: r.word(r.Columns(22, 22)), kind: r.word(r.Columns(18, 21)), number: r.word(bytes.TrimSpace(r.Columns(23, 27)))}
	c.residue.unit = c.residue.chain
	if alternate := r.Columns(17, 17); len(alternate) > 0 {
		c.alternate = alternate[0]
	}
	c.element = elementIn(numberOf(string(r.Columns(77, 78))), c.residue.kind)
	r.addResidue(c)
	if chain := c.residue.chain; len(r.closed) > 0 && r.Text[0] == 'A' && isMonomer(strings.ToUpper(c.residue.kind)) {
		r.reopened[chain] = len(r.residues)
	}
	return nil
}

// elementIn returns an element that the file states, or unnamed if the file states none or a wrong one for this kind of
// residue.
func elementIn(element uint8, kind string) uint8 {
	switch {
	case element == unknown,
		element != hydrogen && element != oxygen && isWater(kind),
		isMistaken(element) && isMonomer(kind):
		return unnamed
	}
	return element
}

// alignmentOf returns where the letters of the name in an atom's line begin. A name of four characters fills all columns.
func alignmentOf(line []byte) alignment {
	const first, last = 12, 15 // columns of the name, counted from 0
	isLetter := func(i int) bool { return line[i]|' ' >= 'a' && line[i]|' ' <= 'z' }
	switch {
	case len(line) <= last:
		return unaligned
	case isLetter(first) && line[last] == ' ':
		return firstColumn
	case !isLetter(first) && isLetter(first+1):
		return secondColumn
	}
	return unaligned
}

// optional parses a number that the picture does not need. Some programs write asterisks, nan, inf or other texts in
// its place; these count as missing.
func optional(text []byte, missing float64) float64 {
	x, _, problem := lines.ParseNumber(text)
	if problem != "" || math.Abs(x) > geom.MaxCoordinate {
		return missing
	}
	return x
}

// findMembers marks residues after the last TER record of their chain. They are not monomers of the polymer, unless a
// monomer in an ATOM record follows them: then the TER record marks a gap in the chain.
func (r *pdb) findMembers() {
	for i := range r.residues {
		chain := r.residues[i].chain
		end, ok := r.closed[chain]
		if last, open := r.reopened[chain]; open {
			end = max(end, last+1)
		}
		if ok && i >= end {
			r.residues[i].member = notMember
		}
	}
}
