package molecule

import (
	"fmt"
	"strconv"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/internal/convert/model"
	"pillbox/scene"
)

// molecule is what is read: the atoms of the model that is wanted, and bonds.
type molecule struct {
	Options
	wanted int // the model, from 1
	models int // how many the file has so far
	title  string

	atoms    []atom
	residues []residue
	bonds    []bond      // that the file has
	bonded   bool        // the file has all bonds
	known    []knownBond // that the file has for all residues of a kind
	words    map[string]string

	group            []candidate // the atoms of the residue that is being read
	sums             map[byte]altSum
	account          model.Account
	file             string // its name
	crowded          bool   // see grid
	left             int    // atoms that are left out as asked for
	hiddenAlternates int
}

// atom is an atom that is shown.
type atom struct {
	at      geom.Vec3
	name    string
	serial  int   // by which bonds of the file name it
	residue int32 // in residues, or noResidue
	element uint8
	inBond  bool // the file has bonds of it
}

const noResidue = -1

// residue is a monomer of a chain, or a molecule beside it.
type residue struct {
	chain  string
	kind   string // three letters, mostly
	number string // with the insertion code
}

// bond is a bond between two atoms, by their numbers.
type bond struct{ a, b int32 }

// knownBond is a bond that all residues of a kind have.
type knownBond struct{ kind, a, b string }

// candidate is an atom of the residue that is being read. It is shown unless it belongs to another
// alternate location than the residue's likeliest.
type candidate struct {
	atom
	residue   residue
	alternate byte // 0: none
	occupancy float64
}

// altSum is how likely an alternate location is.
type altSum struct {
	occupancy float64
	order     int // the first one read wins where they are equally likely
}

// word returns a string that is shared by all that are equal.
func (m *molecule) word(b []byte) string {
	if s, ok := m.words[string(b)]; ok {
		return s
	}
	s := string(b)
	m.words[s] = s
	return s
}

// waters are the residues that are water.
func isWater(kind string) bool {
	switch kind {
	case "HOH", "WAT", "H2O", "DOD", "TIP", "TIP3", "TIP4", "SOL", "SPC":
		return true
	}
	return false
}

// addResidue adds an atom of a residue. Alternate locations are chosen among when the residue ends.
func (m *molecule) addResidue(c candidate) {
	if m.NoWater && isWater(c.residue.kind) || m.NoHydrogens && c.element == hydrogen {
		m.left++
		return
	}
	if n := len(m.group); n > 0 && !m.group[n-1].residue.sameAs(c.residue) {
		m.endResidue()
	}
	m.group = append(m.group, c)
}

// sameAs reports whether two atoms belong to one residue, which may be of two kinds in alternate locations.
func (r residue) sameAs(q residue) bool { return r.chain == q.chain && r.number == q.number }

// endResidue adds the atoms of the residue that was read, in its likeliest alternate location.
func (m *molecule) endResidue() {
	best := m.likeliest()
	for i := range m.group {
		c := &m.group[i]
		if c.alternate != 0 && c.alternate != best {
			m.hiddenAlternates++
			continue
		}
		if n := len(m.residues); n == 0 || m.residues[n-1] != c.residue {
			m.residues = append(m.residues, c.residue)
		}
		c.atom.residue = int32(len(m.residues) - 1)
		m.atoms = append(m.atoms, c.atom)
	}
	m.group = m.group[:0]
}

// likeliest returns the alternate location with the largest sum of occupancies, the first one of several.
func (m *molecule) likeliest() (best byte) {
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

// add adds an atom that belongs to no residue. It is named after its element and its number in the file.
func (m *molecule) add(a atom) {
	if m.NoHydrogens && a.element == hydrogen {
		m.left++
		return
	}
	a.name = elements[a.element].symbol + strconv.Itoa(a.serial)
	a.residue = noResidue
	m.atoms = append(m.atoms, a)
}

// full reports that there are too many atoms.
func (m *molecule) full() bool { return len(m.atoms)+len(m.group) >= MaxAtoms }

// fullName returns the name of an atom with its residue.
func (m *molecule) fullName(a *atom) string {
	if a.residue == noResidue {
		return a.name
	}
	r := &m.residues[a.residue]
	if *r == (residue{}) {
		return a.name
	}
	chain := r.chain
	if chain != "" {
		chain += "."
	}
	return chain + r.kind + r.number + "." + a.name
}

// resolve makes bonds of pairs of the file's serial numbers. Atoms that are not shown have none.
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

// bond adds a bond of the file.
func (m *molecule) bond(a, b int32) {
	m.atoms[a].inBond, m.atoms[b].inBond = true, true
	m.bonds = append(m.bonds, bond{min(a, b), max(a, b)})
}

// tooMany returns an error about a file with too many atoms.
func tooMany(l *lines.Reader) error {
	return l.Wrong(nil, scene.CodeTooLarge, fmt.Sprintf("there are more than %d atoms", MaxAtoms))
}
