package molecule

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"pillbox/internal/convert/selection"
	"pillbox/problem"
)

// isWater reports whether a kind of residue is water, in the names of the Protein Data Bank or of programs for molecular
// dynamics.
func isWater(kind string) bool {
	switch kind {
	case "HOH", "WAT", "H2O", "DOD", "D2O", "SOL", "OPC", "OPC3", "TP3", "TP4", "TP5", "T3P", "T4P", "T5P", "TIP":
		return true
	}
	return strings.HasPrefix(kind, "SPC") || len(kind) > 3 && strings.HasPrefix(kind, "TIP") && kind[3] <= '9'
}

// isAminoAcid reports whether a kind of residue is an amino acid of proteins, in the names of the Protein Data Bank or of
// programs for molecular dynamics. The latter mark the ends of chains, as in NALA, and states of protonation, as in LYSH.
func isAminoAcid(kind string) bool {
	if len(kind) == 4 {
		marked := (kind[0] == 'N' || kind[0] == 'C') && isAminoAcid(kind[1:])
		return marked || strings.IndexByte("12ABDEHNP", kind[3]) >= 0 && isAminoAcid(kind[:3])
	}
	switch kind {
	case "ALA", "ARG", "ASN", "ASP", "CYS", "GLN", "GLU", "GLY", "HIS", "ILE", "LEU", "LYS", "MET", "PHE", "PRO", "SER", "THR", "TRP",
		"TYR", "VAL", "MSE", "SEC", "PYL", "ASX", "GLX", "UNK", "HID", "HIE", "HIP", "HSD", "HSE", "HSP", "CYX", "CYM", "ASH", "GLH", "LYN":
		return true
	}
	return false
}

// isNucleotide reports whether a kind of residue is a nucleotide of RNA or DNA: one of the Protein Data Bank, in its old
// or new names, or of a force field, which may mark the kind of sugar and the ends of chains, as in RG and DA5.
func isNucleotide(kind string) bool {
	switch kind {
	case "ADE", "CYT", "GUA", "THY", "URA", "URI":
		return true
	}
	base := strings.TrimLeft(kind, "+")
	sugar := len(base) > 1 && (base[0] == 'D' || base[0] == 'R')
	if sugar {
		base = base[1:]
	}
	if len(base) == 2 && (base[1] == '3' || base[1] == '5' || sugar && base[1] == 'N') {
		base = base[:1]
	}
	return len(base) == 1 && strings.Contains("ACGTUIN", base)
}

// isMonomer reports whether a kind of residue is an amino acid, a nucleotide or a cap whose atoms are known.
func isMonomer(kind string) bool {
	return isAminoAcid(kind) && kind != "UNK" || isNucleotide(kind) || isCap(kind)
}

// isCap reports whether a kind of residue is a cap: a group at an end of a protein that is not an amino acid, such as
// acetyl.
func isCap(kind string) bool {
	switch kind {
	case "ACE", "NH2", "NME", "NMA", "FOR":
		return true
	}
	return false
}

// classify determines the class of each residue, from the file, from the kind of the residue and from its atoms.
func (m *molecule) classify() {
	m.classes = make([]selection.Class, len(m.residues))
	for first := 0; first < len(m.atoms); {
		end := m.residueEnd(first)
		if r := m.atoms[first].residue; r != noResidue {
			m.classes[r] |= m.classOf(&m.residues[r], m.atoms[first:end])
		}
		first = end
	}
	for i := range m.residues { // caps, and monomers with few atoms, have the class of their neighbors
		r := &m.residues[i]
		if m.classes[i]&^selection.Single != 0 || r.member == notMember || r.member == unknownMember && !isCap(r.kind) {
			continue
		}
		for _, k := range [...]int{i - 1, i + 1} {
			if 0 <= k && k < len(m.residues) && m.residues[k].chain == r.chain && m.residues[k].unit == r.unit {
				m.classes[i] |= m.classes[k] & (selection.Protein | selection.Nucleic)
			}
		}
	}
}

// residueEnd returns the index after the last atom of the residue whose first atom has the given index. If that atom
// has no residue, residueEnd returns the index after the atom.
func (m *molecule) residueEnd(first int) int {
	end := first + 1
	if r := m.atoms[first].residue; r != noResidue {
		for end < len(m.atoms) && m.atoms[end].residue == r {
			end++
		}
	}
	return end
}

// classOf returns the class of a residue that has the given atoms.
func (m *molecule) classOf(r *residue, atoms []atom) (class selection.Class) {
	if len(atoms) == 1 {
		class = selection.Single
	}
	if isWater(r.kind) {
		return class | selection.Water
	}
	if r.member == notMember {
		return class
	}
	var n, alpha, carbonyl, sugar, phosphate bool
	for i := range atoms {
		switch a := &atoms[i]; a.name {
		case "N":
			n = true
		case "CA":
			alpha = a.element == carbon
		case "C":
			carbonyl = true
		case "C3'", "C3*":
			sugar = true
		case "P":
			phosphate = true
		}
	}
	switch {
	case alpha && (isAminoAcid(r.kind) || n && carbonyl || r.member == isMember), isAminoAcid(r.kind) && (n || carbonyl):
		return class | selection.Protein
	case isNucleotide(r.kind) && (sugar || phosphate), sugar && phosphate, r.member == isMember && (sugar || phosphate):
		return class | selection.Nucleic
	}
	return class
}

// atomList provides the atoms of a molecule to package selection.
type atomList struct {
	*molecule
	numbers []residueNumber
}

// residueNumber is the number of a residue and its insertion code.
type residueNumber struct {
	number    int
	insertion string
	ok        bool
}

func (m *molecule) list() atomList {
	l := atomList{m, make([]residueNumber, len(m.residues))}
	for i := range m.residues {
		text := m.residues[i].number
		digits := len(text)
		for digits > 0 && (text[digits-1] < '0' || text[digits-1] > '9') {
			digits--
		}
		if n, err := strconv.Atoi(text[:digits]); err == nil {
			l.numbers[i] = residueNumber{n, text[digits:], true}
		}
	}
	return l
}

func (l atomList) Len() int { return len(l.atoms) }

func (l atomList) Atom(i int) selection.Atom {
	a := &l.atoms[i]
	s := selection.Atom{
		At: a.at, Name: a.name, Element: elements[a.element].symbol, ID: -1 - i, Serial: a.serial, BFactor: a.bFactor, Occupancy: a.occupancy,
	}
	if a.residue != noResidue {
		r, number := &l.residues[a.residue], &l.numbers[a.residue]
		s.Chain, s.Residue, s.ID, s.Class = r.chain, r.kind, int(a.residue), l.classes[a.residue]
		s.Number, s.Insertion, s.Numbered = number.number, number.insertion, number.ok
	}
	return s
}

// selectAtoms removes the atoms that the options do not select.
func (m *molecule) selectAtoms() error {
	if m.chosen != nil {
		m.keep(func(i int) bool {
			r := m.atoms[i].residue
			return r != noResidue && len(m.chosen.movements[m.residues[r].unit]) > 0
		})
		if len(m.atoms) == 0 {
			return fmt.Errorf("--assembly: assembly %s has no atoms in %s", m.chosen.name, m.file)
		}
	}
	if m.veiled != nil {
		selected, err := m.find("--ghost", m.veiled)
		if err != nil {
			return err
		}
		for i := range m.atoms {
			m.atoms[i].ghost = selected[i]
		}
	}
	if m.selection != nil {
		selected, err := m.find("--select", m.selection)
		if err != nil {
			return err
		}
		m.keep(func(i int) bool { return selected[i] })
	}
	if m.NoWater || m.NoHydrogens {
		m.keep(func(i int) bool {
			a := &m.atoms[i]
			isWater := a.residue != noResidue && m.classes[a.residue]&selection.Water != 0
			return !(m.NoWater && isWater) && !(m.NoHydrogens && a.element == hydrogen)
		})
	}
	if len(m.atoms) == 0 {
		return fmt.Errorf("%s: nothing to show: the options skip all atoms", m.file)
	}
	if m.veiled != nil && !slices.ContainsFunc(m.atoms, func(a atom) bool { return a.ghost }) {
		return fmt.Errorf("--ghost: selects none of the shown atoms of %s", m.file)
	}
	return nil
}

// find reports for each atom whether a selection contains it. It returns an error if the selection is empty. Messages
// begin with the option that states the selection.
func (m *molecule) find(option string, s *selection.Selection) ([]bool, error) {
	r := s.Of(m.list())
	if r.Count == 0 && len(r.Unmatched) > 0 {
		return nil, fmt.Errorf("%s: selects nothing in %s: %v", option, m.file, r.Unmatched[0])
	}
	if r.Count == 0 {
		return nil, fmt.Errorf("%s: selects nothing in %s", option, m.file)
	}
	for _, u := range r.Unmatched {
		m.account.Warn(&problem.Error{File: m.file, Message: fmt.Sprintf("%s: %v", option, u)})
	}
	return r.Selected, nil
}

// keep keeps the atoms with the indices i for which wanted(i) is true, and the bonds between them.
func (m *molecule) keep(wanted func(i int) bool) {
	at := make([]int32, len(m.atoms)) // the new index of each atom, or -1
	kept := m.atoms[:0]
	for i := range m.atoms {
		at[i] = -1
		if wanted(i) {
			at[i] = int32(len(kept))
			kept = append(kept, m.atoms[i])
		}
	}
	m.atoms = kept
	m.bonds = slices.DeleteFunc(m.bonds, func(b bond) bool { return at[b.a] < 0 || at[b.b] < 0 })
	for i := range m.bonds {
		b := &m.bonds[i]
		b.a, b.b = at[b.a], at[b.b]
	}
	m.copyBonds = slices.DeleteFunc(m.copyBonds, func(b copyBond) bool { return at[b.a] < 0 || at[b.b] < 0 })
	for i := range m.copyBonds {
		b := &m.copyBonds[i]
		b.a, b.b = at[b.a], at[b.b]
	}
}
