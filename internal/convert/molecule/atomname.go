package molecule

import (
	"slices"
	"strings"

	"pillbox/problem"
)

// Values of atom.element for atoms whose element must be found from their name. They are larger than every atomic number.
const (
	unnamed     = 255 // until the whole file is read: the names of its other atoms show how names are aligned
	virtualSite = 254 // a point of a force field that is not an atom
)

// alignment is the column of a PDB file in which the letters of an atom's name begin.
type alignment uint8

const (
	unaligned   alignment = iota // the format has no such columns, or the name fills all four
	firstColumn                  // that of symbols with two letters
	secondColumn
)

// nameElements finds the elements of the atoms that are [unnamed], from their names and residues. It removes virtual
// sites, with a note.
//
// In PDB files, " CA " is a carbon and "CA  " a calcium. Many programs write all names from the first column on, so a
// file has no alignment if the name of a carbon begins there, or if no name begins in the second column.
func (m *molecule) nameElements() {
	if !slices.ContainsFunc(m.atoms, func(a atom) bool { return a.element >= virtualSite }) {
		return
	}
	leftJustified := slices.ContainsFunc(m.atoms, m.beginsTooEarly) ||
		!slices.ContainsFunc(m.atoms, func(a atom) bool { return a.alignment == secondColumn })
	for first := 0; first < len(m.atoms); {
		end := m.residueEnd(first)
		for i := first; i < end; i++ {
			a := &m.atoms[i]
			if a.element != unnamed {
				continue
			}
			if leftJustified {
				a.alignment = unaligned
			}
			if a.element = m.elementByName(a, m.atoms[first:end]); a.element == unknown {
				m.unknownAtom(m.lineOf(a))
			}
			if a.residue == noResidue && a.element < virtualSite {
				a.name = a.ownName()
			}
		}
		first = end
	}
	m.dropVirtualSites()
}

func (m *molecule) lineOf(a *atom) problem.Error {
	if a.line == 0 {
		return problem.Error{File: m.file}
	}
	return problem.Error{File: m.file, Line: int(a.line), Column: 1}
}

// dropVirtualSites removes the atoms that are virtual sites.
func (m *molecule) dropVirtualSites() {
	found := false
	for i := range m.atoms {
		if a := &m.atoms[i]; a.element == virtualSite {
			m.account.Skip("virtual site", m.lineOf(a))
			found = true
		}
	}
	if found {
		m.keep(func(i int) bool { return m.atoms[i].element != virtualSite })
	}
}

// beginsTooEarly reports whether an atom's name begins in the first column although its symbol has one letter.
func (m *molecule) beginsTooEarly(a atom) bool {
	if a.alignment != firstColumn {
		return false
	}
	letters := lettersOf(a.name)
	return len(letters) == 1 || numberOf(letters[:2]) == unknown || isMonomer(m.kindOf(&a)) && !strings.HasPrefix(letters, "SE")
}

func (m *molecule) kindOf(a *atom) string {
	if a.residue == noResidue {
		return ""
	}
	return strings.ToUpper(m.residues[a.residue].kind)
}

// lettersOf returns the first letters of an atom's name, in upper case. Digits and marks before them do not count.
func lettersOf(name string) string {
	isLetter := func(r rune) bool { return 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z' }
	name = strings.TrimLeftFunc(name, func(r rune) bool { return !isLetter(r) })
	if end := strings.IndexFunc(name, func(r rune) bool { return !isLetter(r) }); end >= 0 {
		name = name[:end]
	}
	return strings.ToUpper(name)
}

// elementByName returns the element of an atom, unknown, or virtualSite. all are the atoms of its residue.
func (m *molecule) elementByName(a *atom, all []atom) uint8 {
	letters, kind, alone := lettersOf(a.name), m.kindOf(a), len(all) == 1
	if letters == "" {
		return unknown
	}
	if isWater(kind) {
		return elementInWater(letters, all)
	}
	if isMonomer(kind) && !(alone && numberOf(kind) != unknown && letters == kind) { // RU is a nucleotide or an ion
		return elementInMonomer(letters)
	}
	if ion := ionOf(kind, letters); ion != unknown && (alone && letters == lettersOf(kind) || beginsWith(letters, elements[ion].symbol)) {
		return ion
	}
	if charged := numberOf(letters); charged != unknown && strings.ContainsAny(a.name, "+-") {
		return charged
	}
	if isVirtualSite(a.name) {
		return virtualSite
	}
	return elementInLigand(a, letters)
}

// beginsWith reports whether the letters of an atom's name begin with the symbol of an ion. A symbol of one letter must be
// all letters, because other elements begin with it: iron in the residue F3S, chlorine in 1C9.
func beginsWith(letters, symbol string) bool {
	return letters == symbol || len(symbol) == 2 && strings.HasPrefix(letters, strings.ToUpper(symbol))
}

// elementInWater returns the element of an atom of water. Water models have more sites than atoms, such as MW, EPW and
// LP1; OM is such a site, too. If no atom is named as an oxygen, the names of the file mean something else, such as beads
// that each represent several molecules.
func elementInWater(letters string, all []atom) uint8 {
	switch letters[0] {
	case 'O':
		if letters != "OM" {
			return oxygen
		}
	case 'H', 'D':
		return hydrogen
	}
	if slices.ContainsFunc(all, func(a atom) bool { return strings.HasPrefix(lettersOf(a.name), "O") }) {
		return virtualSite
	}
	return unknown
}

// elementInMonomer returns the element of an atom of an amino acid, a nucleotide or a cap. These contain few elements,
// so the first letter of the name decides: CA, HG and NE are not metals. Names that begin with Q are pseudoatoms of NMR
// structures, those with M masses of a force field.
func elementInMonomer(letters string) uint8 {
	switch {
	case strings.HasPrefix(letters, "SE"):
		return numberOf("SE")
	case isVirtualSite(letters), letters[0] == 'Q', letters[0] == 'M':
		return virtualSite
	case strings.IndexByte("HDCNOSP", letters[0]) >= 0:
		return numberOf(letters[:1])
	}
	return unknown
}

// isMistaken reports whether an element is one that programs mistake the atoms of amino acids and nucleotides for, such
// as calcium for CA and mercury for HG.
func isMistaken(element uint8) bool {
	symbol := strings.ToUpper(elements[element].symbol)
	return len(symbol) == 2 && strings.IndexByte("CHNOP", symbol[0]) >= 0 && !isDistinct(symbol)
}

// isVirtualSite reports whether a name is that of a virtual site in many force fields: a lone pair, an extra point or
// the mass of a water model.
func isVirtualSite(name string) bool {
	switch lettersOf(name) {
	case "LP", "LPA", "LPB", "EP", "EPW", "MW", "M", "VS":
		return true
	}
	return false
}

// ionOf returns the element of an ion if a kind of residue is the name of one, such as ZN, CL-, Mg2+ or SOD. If the
// residue is called ION, the atom's name decides.
func ionOf(kind, atom string) uint8 {
	letters := lettersOf(kind)
	switch letters {
	case "ION", "IONS":
		return numberOf(atom)
	case "SOD":
		letters = "NA"
	case "POT":
		letters = "K"
	case "CAL":
		letters = "CA"
	case "CES", "CIO":
		letters = "CS"
	case "LIT":
		letters = "LI"
	case "RUB":
		letters = "RB"
	case "BAR":
		letters = "BA"
	case "CAD":
		letters = "CD"
	case "CLA", "CHL", "CLO", "CIM", "CIP":
		return ionNamedLike(letters, atom)
	case "IOD":
		letters = "I"
	case "BRO":
		letters = "BR"
	}
	return numberOf(letters)
}

// ionNamedLike returns the ion for names of residues that larger molecules also have. The atom of an ion has the name of
// its residue or of its element.
func ionNamedLike(kind, atom string) uint8 {
	ion := "CL"
	if kind == "CIP" {
		ion = "NA"
	}
	if atom != kind && atom != ion {
		return unknown
	}
	return numberOf(ion)
}

// elementInLigand returns the element of an atom in a residue whose contents are unknown.
func elementInLigand(a *atom, letters string) uint8 {
	one := numberOf(letters[:1])
	if len(letters) == 1 {
		return one
	}
	two := numberOf(letters[:2])
	if strings.Contains(a.name, elements[two].symbol) && two != unknown { // its second letter is lower case
		return two
	}
	switch {
	case a.alignment == secondColumn && one != unknown && !isDistinct(letters): // some programs write " CL1" and " FE "
		return one
	case two != unknown && (a.alignment == firstColumn || isDistinct(letters[:2])):
		return two
	case letters[0] == 'T' && two != unknown:
		return two
	case letters == "DU" || letters == "XX":
		return unknown
	case one == unknown:
		return two
	}
	return one
}

// isDistinct reports whether two letters are the symbol of an element even in a name that is not aligned. Other symbols,
// such as those of calcium, cadmium, cobalt, mercury, sodium and osmium, are also the beginnings of usual names of
// carbon, hydrogen, nitrogen and oxygen atoms.
func isDistinct(symbol string) bool {
	switch symbol {
	case "BR", "CL", "CR", "CU", "FE", "IR", "LI", "NI", "PT", "SE", "SI", "YB":
		return true
	}
	return false
}
