package selection

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// property is a property of atoms that a selection compares with values, such as chain or number.
type property struct {
	name     string
	text     func(*Atom) string                            // nil for numbers
	number   func(*Atom) (x float64, code string, ok bool) // nil for texts
	exact    bool                                          // case matters
	coded    bool                                          // numbers may have insertion codes
	both     bool                                          // values like numbers are residue numbers, others names
	synonyms []string
}

func numberOf(a *Atom) (float64, string, bool) { return float64(a.Number), a.Insertion, a.Numbered }

// properties returns the properties in the order of the documentation.
func properties() []property {
	return []property{
		{name: "chain", text: func(a *Atom) string { return a.Chain }, exact: true},
		{name: "residue", text: func(a *Atom) string { return a.Residue }, number: numberOf, coded: true, both: true},
		{name: "resname", text: func(a *Atom) string { return a.Residue }, synonyms: []string{"resn"}},
		{name: "number", number: numberOf, coded: true, synonyms: []string{"resid", "resi", "resnum", "resseq"}},
		{name: "name", text: func(a *Atom) string { return a.Name }, synonyms: []string{"atom"}},
		{name: "element", text: func(a *Atom) string { return a.Element }, synonyms: []string{"elem"}},
		{name: "serial", number: func(a *Atom) (float64, string, bool) { return float64(a.Serial), "", a.Serial != 0 }, synonyms: []string{"index"}},
		{name: "bfactor", number: func(a *Atom) (float64, string, bool) { return a.BFactor, "", true }},
		{name: "occupancy", number: func(a *Atom) (float64, string, bool) { return a.Occupancy, "", true }},
	}
}

// namedClass is a class of atoms.
type namedClass struct {
	name     string
	has      func(*Atom) bool
	synonyms []string
}

// classes returns the classes in the order of the documentation.
func classes() []namedClass {
	return []namedClass{
		{name: "all", has: func(*Atom) bool { return true }},
		{name: "none", has: func(*Atom) bool { return false }},
		{name: "protein", has: func(a *Atom) bool { return a.Class&Protein != 0 }},
		{name: "nucleic", has: func(a *Atom) bool { return a.Class&Nucleic != 0 }},
		{name: "polymer", has: func(a *Atom) bool { return a.Class&polymer != 0 }},
		{name: "ligand", has: isLigand},
		{name: "ion", has: func(a *Atom) bool { return isLigand(a) && a.Class&Single != 0 && a.Residue != "" }},
		{name: "water", has: func(a *Atom) bool { return a.Class&Water != 0 }, synonyms: []string{"solvent"}},
		{name: "backbone", has: isBackbone},
		{name: "sidechain", has: func(a *Atom) bool { return a.Class&polymer != 0 && !isBackbone(a) }},
		{name: "hydrogen", has: func(a *Atom) bool { return a.Element == "H" }},
	}
}

func isLigand(a *Atom) bool { return a.Class&(polymer|Water) == 0 }

// isBackbone reports whether an atom belongs to the backbone of a protein or nucleic acid, by the atom's name. The
// hydrogens of backbone atoms belong to the backbone.
func isBackbone(a *Atom) bool {
	switch {
	case a.Class&Protein != 0:
		switch a.Name {
		case "N", "CA", "C", "O", "OXT", "H", "H1", "H2", "H3", "HA", "HA2", "HA3", "HXT", "D", "D1", "D2", "D3", "DA":
			return true
		}
	case a.Class&Nucleic != 0:
		switch strings.ReplaceAll(a.Name, "*", "'") {
		case "P", "OP1", "OP2", "OP3", "O1P", "O2P", "O3P", "O5'", "C5'", "C4'", "C3'", "O3'", "H5'", "H5''", "H4'", "H3'", "HO3'", "HO5'":
			return true
		}
	}
	return false
}

// operators are the words of the language that are neither properties nor classes.
var operators = []string{"and", "or", "not", "byres", "bychain", "within", "of", "to"}

// Keyword is a word of the language and its synonyms. A word with an s appended is accepted as a plural, except for
// operators. Synonyms does not list these plurals.
type Keyword struct {
	Name     string
	Synonyms []string
}

// Keywords returns the words of the language: operators, properties, classes.
func Keywords() (all []Keyword) {
	for _, name := range operators {
		all = append(all, Keyword{Name: name})
	}
	for _, p := range properties() {
		all = append(all, Keyword{p.name, p.synonyms})
	}
	for _, c := range classes() {
		all = append(all, Keyword{c.name, c.synonyms})
	}
	return all
}

// keyword returns the keyword for a word: the word itself, or the keyword of which it is a synonym or plural. It
// returns "" if none exists.
func keyword(word string) string {
	for _, k := range Keywords() {
		if k.is(word) || k.is(strings.TrimSuffix(word, "s")) && !slices.Contains(operators, k.Name) {
			return k.Name
		}
	}
	return ""
}

func (k Keyword) is(word string) bool { return word == k.Name || slices.Contains(k.Synonyms, word) }

// value is a value of a selection: a text, a pattern, or a range of numbers.
type value struct {
	property *property
	text     string // as the user wrote it
	column   int
	isRange  bool
	low      bound
	high     bound
	outside  bool // the value matches the numbers outside of the range
	pattern  bool // text contains * or ? with their special meaning
}

// bound is an end of a range of numbers. If the field open is true, the range does not include the number x itself.
type bound struct {
	x    float64
	code string // insertion code; "": all
	open bool
}

func (v *value) matches(a *Atom) bool {
	if v.isRange {
		x, code, ok := v.property.number(a)
		return ok && (v.low.below(x, code) && v.high.above(x, code)) != v.outside
	}
	text, s := v.text, v.property.text(a)
	if !v.property.exact {
		text, s = strings.ToUpper(text), strings.ToUpper(s)
	}
	if v.pattern {
		ok, err := path.Match(text, s)
		return ok && err == nil
	}
	return s == text
}

// compare compares the number x and its insertion code with the bound. It returns -1 if x is smaller, 0 if it is equal,
// and 1 if it is larger. Codes decide only between equal numbers, and only if the bound has a code.
func (b *bound) compare(x float64, code string) int {
	if c := cmp.Compare(x, b.x); c != 0 || b.code == "" {
		return c
	}
	return cmp.Compare(strings.ToUpper(code), b.code)
}

func (b *bound) below(x float64, code string) bool {
	c := b.compare(x, code)
	return c > 0 || c == 0 && !b.open
}

func (b *bound) above(x float64, code string) bool {
	c := b.compare(x, code)
	return c < 0 || c == 0 && !b.open
}
