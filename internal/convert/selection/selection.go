// Package selection chooses atoms of a molecule by a text such as
//
//	chain A and not water
//	byres within 5 of (ligand and not ion)
//
// [Parse] returns a [Selection] or an [*Error] with the position of the mistake. The grammar, in the notation of the Go
// specification:
//
//	selection  = term { ( "or" | "|" ) term } .
//	term       = factor { ( "and" | "&" ) factor } .
//	factor     = ( "not" | "!" ) factor | "byres" factor | "bychain" factor | "within" distance "of" factor
//	           | "(" selection ")" | class | text value { [ "," ] value } | numeric range { [ "," ] range } | numeric compare .
//	class      = "all" | "none" | "protein" | "nucleic" | "polymer" | "ligand" | "ion" | "water" | "backbone" | "sidechain" | "hydrogen" .
//	text       = "chain" | "residue" | "resname" | "name" | "element" .
//	numeric    = "number" | "serial" | "bfactor" | "occupancy" .
//	range      = bound [ ( "-" | ":" | "to" ) bound ] .
//	compare    = ( "<" | "<=" | ">" | ">=" | "=" | "==" | "!=" ) bound .
//
// So "not", "within", "byres" and "bychain" apply to the factor that follows, and "and" binds more tightly than "or".
// The words of the language are lower case. A value is a word or is in quotes; words of the language are values only in
// quotes. In a value without quotes, * matches any characters and ? one character. A word after "residue" is a number
// or a range of numbers if it looks like one, and otherwise a name. Chains are compared exactly, other texts ignoring
// case. A bound of "number" may end in an insertion code, as in 52A; without a code, it includes all codes. Keywords
// have plurals and synonyms: see [Keywords].
//
// A class is a property of residues: see [Class]. Lengths are in the unit of the coordinates.
package selection

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/text"
)

// Class is a set of classes: those to which a residue belongs. A residue that is not in Protein, Nucleic or Water is a
// ligand.
type Class uint8

const (
	Protein Class = 1 << iota
	Nucleic
	Water
	Single // the residue has one atom
)

const polymer = Protein | Nucleic

// Atom is an atom with its residue. Texts may be empty.
type Atom struct {
	At        geom.Vec3
	Name      string
	Element   string // symbol
	Chain     string
	Residue   string // name
	Number    int    // of the residue
	Insertion string // insertion code of the residue
	Numbered  bool   // the residue has a number
	ID        int    // atoms of one residue have equal IDs and are consecutive
	Class     Class
	Serial    int
	BFactor   float64
	Occupancy float64
}

// Atoms is the molecule. Atom must return the same values when it is called again.
type Atoms interface {
	Len() int
	Atom(i int) Atom
}

// Selection is a parsed selection. It is immutable and safe for concurrent use.
type Selection struct {
	root   node
	values []value
}

// Result is what a selection selects in one molecule. Unmatched lists the values in the selection's text, such as a
// chain's name, that no atom has.
type Result struct {
	Selected  []bool // for each atom
	Count     int    // of the selected atoms
	Unmatched []Unmatched
}

// Unmatched is a value in the selection's text, such as a chain's name, that no atom of the molecule has.
type Unmatched struct {
	Keyword    string // such as chain
	Value      string
	Column     int
	Suggestion string // a similar value that atoms have, or ""
}

func (u Unmatched) String() string {
	return fmt.Sprintf("column %d: no atom has %s %q", u.Column, u.Keyword, u.Value) + text.DidYouMean(u.Suggestion, "%q")
}

// Of selects atoms of a molecule.
func (s *Selection) Of(atoms Atoms) Result {
	r := &run{atoms: atoms, matched: make([]bool, len(s.values))}
	result := Result{Selected: s.root.eval(r)}
	for _, is := range result.Selected {
		if is {
			result.Count++
		}
	}
	for i := range s.values {
		if v := &s.values[i]; !r.matched[i] {
			result.Unmatched = append(result.Unmatched, Unmatched{v.property.name, v.text, v.column, r.similar(v)})
		}
	}
	return result
}

// run is the evaluation of a selection for one molecule.
type run struct {
	atoms   Atoms
	matched []bool // by index in Selection.values
}

// similar returns a value that some atom of the molecule has, and whose text is most similar to v. It returns "" if
// none is similar, or if v is a range or a pattern.
func (r *run) similar(v *value) string {
	if v.isRange || v.pattern {
		return ""
	}
	seen := make(map[string]bool)
	var known []string
	for i := range r.atoms.Len() {
		a := r.atoms.Atom(i)
		if s := v.property.text(&a); s != "" && !seen[s] {
			seen[s] = true
			known = append(known, s)
		}
	}
	slices.Sort(known)
	if i := slices.IndexFunc(known, func(k string) bool { return strings.EqualFold(k, v.text) }); i >= 0 {
		return known[i]
	}
	return text.ClosestWord(v.text, known)
}

// node is a part of a selection.
type node interface {
	eval(*run) []bool
}

type and struct{ a, b node }

func (n and) eval(r *run) []bool {
	a, b := n.a.eval(r), n.b.eval(r)
	for i := range a {
		a[i] = a[i] && b[i]
	}
	return a
}

type or struct{ a, b node }

func (n or) eval(r *run) []bool {
	a, b := n.a.eval(r), n.b.eval(r)
	for i := range a {
		a[i] = a[i] || b[i]
	}
	return a
}

type not struct{ a node }

func (n not) eval(r *run) []bool {
	a := n.a.eval(r)
	for i := range a {
		a[i] = !a[i]
	}
	return a
}

// class selects atoms by a property without values.
type class struct{ has func(*Atom) bool }

func (n class) eval(r *run) []bool { return r.each(n.has) }

// each returns for each atom whether it has a property.
func (r *run) each(has func(*Atom) bool) []bool {
	selected := make([]bool, r.atoms.Len())
	for i := range selected {
		a := r.atoms.Atom(i)
		selected[i] = has(&a)
	}
	return selected
}

// list selects the atoms that match at least one of the values of the selection with the indices first to last - 1.
type list struct {
	selection   *Selection
	first, last int
}

func (n list) eval(r *run) []bool {
	return r.each(func(a *Atom) bool {
		is := false
		for i := n.first; i < n.last; i++ {
			if n.selection.values[i].matches(a) {
				r.matched[i], is = true, true
			}
		}
		return is
	})
}

// whole selects every atom of the groups that contain a selected atom.
type whole struct {
	of    node
	chain bool // groups are chains; otherwise residues
}

func (n whole) eval(r *run) []bool {
	selected := n.of.eval(r)
	if n.chain {
		chains := make(map[string]bool)
		for i, is := range selected {
			if is {
				chains[r.atoms.Atom(i).Chain] = true
			}
		}
		return r.each(func(a *Atom) bool { return chains[a.Chain] })
	}
	for first := 0; first < len(selected); {
		id, any := r.atoms.Atom(first).ID, selected[first]
		end := first + 1
		for end < len(selected) && r.atoms.Atom(end).ID == id {
			any = any || selected[end]
			end++
		}
		for i := first; i < end; i++ {
			selected[i] = any
		}
		first = end
	}
	return selected
}

// within selects atoms whose distance from an atom of another selection is at most a number.
type within struct {
	distance float64
	of       node
}

func (n within) eval(r *run) []bool {
	selected := n.of.eval(r)
	var points []geom.Vec3
	for i, is := range selected {
		if is {
			points = append(points, r.atoms.Atom(i).At)
		}
	}
	t := newTree(points)
	return r.each(func(a *Atom) bool { return t.isWithin(a.At, n.distance) })
}
