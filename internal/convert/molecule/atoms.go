package molecule

import (
	"fmt"
	"slices"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/selection"
	"pillbox/problem"
)

// molecule holds the atoms of the selected model, their bonds, and the state of reading a file.
type molecule struct {
	Options
	wanted int // number of the selected model, from 1
	models int // number of models in the file so far
	title  string

	atoms    []atom
	residues []residue
	bonds    []bond      // bonds in the file
	bonded   bool        // whether the file contains all bonds
	known    []knownBond // bonds that the file defines for all residues of a kind
	words    map[string]string
	recent   [recentWords]string // words that were used recently, by hash
	symbols  map[string]uint8    // elements by symbols in the file

	limited     model.Limited // nil: the file has no limits beside those of its format
	group       []candidate   // the atoms of the current residue
	sums        map[byte]altSum
	account     model.Account
	file        string               // the file's name
	tooDense    bool                 // not all pairs of atoms were tested for bonds: see grid
	selection   *selection.Selection // nil: all atoms
	veiled      *selection.Selection // the atoms that get a ghost; nil: none
	assemblies  []assembly
	assemblyAt  map[string]int      // indices in assemblies, by name
	operators   map[string]operator // by name
	cell        cell
	edges       geom.Mat3 // of the unit cell, if it has one
	hasCell     bool
	matrix      cellMatrix
	symmetry    symmetry
	copyBonds   []copyBond        // bonds in the file between symmetry copies, for a filled cell
	copies      int32             // number of copies of the file's atoms in a filled cell
	original    []int32           // in a filled cell: for each residue after those of the file, the residue that it repeats
	chosen      *chosenAssembly   // nil: the atoms of the file
	chainCopies int               // number of copies of chains in assemblies that were computed
	classes     []selection.Class // of residues
	hasBFactors bool
	hidden      map[int32]int32 // number of atoms at alternate locations that are not shown, by residue
}

// atom is an atom that is shown.
type atom struct {
	at      geom.Vec3
	name    string
	serial  int   // number by which bonds in the file refer to it
	residue int32 // index in residues, or noResidue
	line    int32 // number of its line, for notes; 0: unknown
	element uint8 // atomic number, unknown or, before nameElements, unnamed or virtualSite
	inBond  bool  // the file contains bonds of this atom
	ghost   bool  // the atom gets a ghost

	alternate byte // 0: not at an alternate location
	alignment alignment

	occupancy float64
	bFactor   float64 // in square angstrom, or a charge
	radius    float64 // in the file, in angstrom; 0: that of the element
}

const noResidue = -1

// residue is a monomer of a chain, or a separate molecule such as water.
type residue struct {
	chain  string
	kind   string // usually three letters
	number string // with the insertion code
	unit   string // the chain to which assemblies refer
	member membership
	copy   int32 // in a filled cell: the number of the copy of the file's atoms, from 1
}

// membership says whether a residue belongs to a polymer, according to the file.
type membership uint8

const (
	unknownMember membership = iota
	isMember
	notMember
)

// bond is a bond between two atoms, given by their indices.
type bond struct{ a, b int32 }

// copyBond is a bond between atoms in two symmetry copies of the file, which the codes name.
type copyBond struct {
	bond
	symmetry [2]string
}

// knownBond is a bond that all residues of a kind have.
type knownBond struct{ kind, a, b string }

// candidate is an atom of the current residue. An atom at an alternate location is shown only if this location is the
// residue's most likely one.
type candidate struct {
	atom
	residue residue
}

// altSum is the sum of occupancies of an alternate location.
type altSum struct {
	occupancy float64
	order     int // the order in which the locations were first read; of locations with the same sum, the first one is used
}

// word returns b as a string. Equal strings share memory.
func (m *molecule) word(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	// Most words occur many times within a few lines.
	recent := &m.recent[(b[0]*31^b[len(b)/2]*7^b[len(b)-1])&(recentWords-1)]
	if *recent == string(b) {
		return *recent
	}
	s, ok := m.words[string(b)]
	if !ok {
		s = string(b)
		m.words[s] = s
	}
	*recent = s
	return s
}

const recentWords = 128

// elementNumber returns the element for a symbol.
func (m *molecule) elementNumber(symbol []byte) uint8 {
	n, ok := m.symbols[string(symbol)]
	if !ok {
		n = numberOf(string(symbol))
		m.symbols[string(symbol)] = n
	}
	return n
}

// addResidue adds an atom of a residue. When the residue ends, one of its alternate locations is chosen.
func (m *molecule) addResidue(c candidate) {
	if n := len(m.group); n > 0 && !m.group[n-1].residue.sameAs(c.residue) {
		m.endResidue()
	}
	m.group = append(m.group, c)
}

// sameAs reports whether r and q are the same residue: whether they have the same chain and number. The kind may differ
// between alternate locations.
func (r residue) sameAs(q residue) bool { return r.chain == q.chain && r.number == q.number }

// endResidue adds the atoms of the current residue, at its most likely alternate location.
func (m *molecule) endResidue() {
	if n := len(m.atoms); n+len(m.group) > cap(m.atoms) {
		m.atoms = slices.Grow(m.atoms, n+len(m.group)) // double it: files have many atoms, and copying them takes time
	}
	best := m.likeliest()
	hidden := int32(0)
	for i := range m.group {
		c := &m.group[i]
		if c.alternate != 0 && c.alternate != best {
			hidden++
			continue
		}
		if n := len(m.residues); n == 0 || m.residues[n-1] != c.residue {
			m.residues = append(m.residues, c.residue)
		}
		c.atom.residue = int32(len(m.residues) - 1)
		m.atoms = append(m.atoms, c.atom)
	}
	if hidden > 0 {
		m.hidden[int32(len(m.residues)-1)] += hidden
	}
	m.group = m.group[:0]
}

// likeliest returns the alternate location with the largest sum of occupancies in the current residue. If several have
// the largest sum, it returns the first in the file. It returns 0 if the residue has no alternate locations.
func (m *molecule) likeliest() (best byte) {
	if !slices.ContainsFunc(m.group, func(c candidate) bool { return c.alternate != 0 }) {
		return 0
	}
	clear(m.sums)
	for i := range m.group {
		if alternate := m.group[i].alternate; alternate != 0 {
			sum, known := m.sums[alternate]
			if !known {
				sum.order = i
			}
			sum.occupancy += m.group[i].occupancy
			m.sums[alternate] = sum
		}
	}
	for alternate, sum := range m.sums {
		top := m.sums[best]
		if best == 0 || sum.occupancy > top.occupancy || sum.occupancy == top.occupancy && sum.order < top.order {
			best = alternate
		}
	}
	return best
}

// addAtom adds an atom that belongs to no residue. Its name consists of its element and its number in the file.
func (m *molecule) addAtom(a atom) {
	if a.element < virtualSite { // others are named by nameElements
		a.name = a.ownName()
	}
	a.residue = noResidue
	m.atoms = append(m.atoms, a)
}

// ownName returns the name of an atom without a residue.
func (a *atom) ownName() string { return elements[a.element].symbol + strconv.Itoa(a.serial) }

// full reports whether the largest number of atoms has been reached.
func (m *molecule) full() bool { return len(m.atoms)+len(m.group) >= m.most() }

// most returns the largest number of atoms, or of bonds or other elements, that the file may have as far as it was read.
func (m *molecule) most() int {
	if m.limited != nil {
		return min(MaxAtoms, m.limited.MaxElements())
	}
	return MaxAtoms
}

// fullName returns the name of an atom with its chain and residue, such as A.GLY12.CA. It omits the parts that the
// file lacks.
func (m *molecule) fullName(a *atom) string {
	if a.residue == noResidue {
		return a.name
	}
	r := &m.residues[a.residue]
	if r.kind == "" && r.chain == "" && r.number == "" {
		return a.name
	}
	if r.chain == "" {
		return r.kind + r.number + "." + a.name
	}
	return r.chain + "." + r.kind + r.number + "." + a.name
}

// resolve adds bonds for pairs of serial numbers. It ignores pairs with an atom that was not read.
func (m *molecule) resolve(pairs [][2]int) {
	if len(pairs) == 0 {
		return
	}
	at := make(map[int]int32, len(m.atoms))
	for i := range m.atoms {
		if _, twice := at[m.atoms[i].serial]; !twice {
			at[m.atoms[i].serial] = int32(i)
		}
	}
	for _, p := range pairs {
		a, okA := at[p[0]]
		b, okB := at[p[1]]
		if okA && okB && a != b {
			m.bond(a, b)
		}
	}
}

// bond adds a bond from the file.
func (m *molecule) bond(a, b int32) {
	m.atoms[a].inBond, m.atoms[b].inBond = true, true
	m.bonds = append(m.bonds, bond{min(a, b), max(a, b)})
}

// tooMany returns the error for more atoms or bonds, as what names them, than a file may have.
func (m *molecule) tooMany(what string, l *lines.Reader) error {
	message := fmt.Sprintf("there are more than %d %s", m.most(), what)
	if m.most() < MaxAtoms {
		message += ", too many for the size of the compressed file; decompress it first"
	}
	return l.Wrong(nil, problem.CodeTooLarge, message)
}
