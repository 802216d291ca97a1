package selection_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/internal/convert/selection"
)

type molecule []selection.Atom

func (m molecule) Len() int                  { return len(m) }
func (m molecule) Atom(i int) selection.Atom { return m[i] }

// made returns a molecule with two chains, a ligand, an ion and water.
func made() molecule {
	var m molecule
	id := 0
	residue := func(chain, name string, number int, insertion string, class selection.Class, atoms string) {
		for i, a := range strings.Fields(atoms) {
			m = append(m, selection.Atom{
				At: geom.Vec3{X: float64(len(m))}, Name: a, Element: strings.ToUpper(strings.TrimLeft(a, "12"))[:1], Chain: chain, Residue: name,
				Number: number, Insertion: insertion, Numbered: true, ID: id, Class: class, Serial: len(m) + 1, BFactor: float64(number), Occupancy: 1 / float64(i+1),
			})
		}
		id++
	}
	residue("A", "MET", -1, "", selection.Protein, "N CA C O CB SD")
	residue("A", "GLY", 52, "", selection.Protein, "N CA C O HA2")
	residue("A", "ALA", 52, "A", selection.Protein, "N CA C O CB")
	residue("a", "DG", 1, "", selection.Nucleic, "P OP1 O5' C1' N9")
	residue("B", "12P", 1, "", 0, "C1 O1")
	residue("B", "CA", 2, "", selection.Single, "CA")
	residue("B", "HOH", 3, "", selection.Water|selection.Single, "O")
	return m
}

// selected returns the serial numbers of the atoms of m that text selects, or the error message.
func selected(m molecule, text string) string {
	s, err := selection.Parse(text)
	if err != nil {
		return err.Error()
	}
	r := s.Of(m)
	var list []string
	for i, is := range r.Selected {
		if is {
			list = append(list, fmt.Sprint(i+1))
		}
	}
	if len(list) != r.Count {
		return "wrong count"
	}
	return strings.Join(list, " ")
}

func TestSelect(t *testing.T) {
	m := made()
	for text, want := range map[string]string{
		"chain B":                         "22 23 24 25",
		"chain a":                         "17 18 19 20 21",
		"chain a*":                        "17 18 19 20 21",
		"chain A*":                        "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16",
		"chain B, a and protein":          "",
		"chain B or chain a and nucleic":  "17 18 19 20 21 22 23 24 25",
		"(chain B | chain a) & nucleic":   "17 18 19 20 21",
		"not polymer":                     "22 23 24 25",
		"not ligand and chain B":          "25",
		"!(ligand or polymer)":            "25",
		"ligand":                          "22 23 24",
		"ligands and not ions":            "22 23",
		"water":                           "25",
		"solvent":                         "25",
		"residue gly":                     "7 8 9 10 11",
		"residue 52":                      "7 8 9 10 11 12 13 14 15 16",
		"residue 52A":                     "12 13 14 15 16",
		"residue 52a HOH":                 "12 13 14 15 16 25",
		"number 1-2":                      "17 18 19 20 21 22 23 24",
		"number -1":                       "1 2 3 4 5 6",
		"number -5--1":                    "1 2 3 4 5 6",
		"number -5 to 1 and chain A":      "1 2 3 4 5 6",
		"resi 52A:60":                     "12 13 14 15 16",
		"number < 1":                      "1 2 3 4 5 6",
		"number >= 52":                    "7 8 9 10 11 12 13 14 15 16",
		"number != 52 and chain A":        "1 2 3 4 5 6",
		"resname 12P":                     "22 23",
		"residue \"12P\"":                 "22 23",
		"name CA and protein":             "2 8 13",
		"element C and not name C?":       "3 9 14 20",
		"name O5' 'C1\\''":                `column 15: the quotation mark is not closed, got "'"`,
		"name O5' \"C1'\"":                "19 20",
		"backbone and chain A":            "1 2 3 4 7 8 9 10 11 12 13 14 15",
		"backbone and nucleic":            "17 18 19",
		"sidechain":                       "5 6 16 20 21",
		"hydrogen":                        "11",
		"within 1 of name SD":             "5 6 7",
		"within 0.99 of (name SD)":        "6",
		"byres within 1 of name SD":       "1 2 3 4 5 6 7 8 9 10 11",
		"bychain within 1.5 of water":     "22 23 24 25",
		"within 2 of water and not water": "23 24",
		"serial 3 - 4":                    "3 4",
		"bfactor 2 to 3":                  "24 25",
		"occupancy < 0.2":                 "6",
		"occupancy 0.2":                   "5 11 16 21",
		"all and not none and element n":  "1 7 12 21",
		"within 5 of none":                "",
		"not not water":                   "25",
		"chain \"B\"and(ion)":             "24",
	} {
		if got := selected(m, text); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                    "column 1: want a selection such as chain A, ligand or not water, but the selection ends",
		"ligan":                               `column 1: want a selection such as chain A, ligand or not water, got "ligan"; did you mean "ligand"?`,
		"chain A und water":                   `column 13: want "and" or "or", got "water"`,
		"chain A AND water":                   `column 9: want "and" or "or", got "AND"; did you mean "and"?`,
		"chain":                               "column 6: want a chain, such as A, but the selection ends",
		"chain A and":                         "column 12: want a selection such as chain A, ligand or not water, but the selection ends",
		"(chain A":                            `column 9: want "and", "or" or ")", but the selection ends`,
		"chain A)":                            `column 8: want "and" or "or", got ")"`,
		"chain A,":                            "column 9: want a chain, such as A, but the selection ends",
		"name and":                            `column 6: want a name (a word of the language needs quotes), got "and"`,
		"number A":                            `column 8: want a number or a range, such as 10-20, got "A"`,
		"number 20-10":                        `column 8: a range must begin with its smaller number, got "20-10"`,
		"number 5 to x":                       `column 13: want the end of the range, a number, got "x"`,
		"number <":                            "column 9: want a number after <, but the selection ends",
		"bfactor 5A":                          `column 9: want a number or a range, such as 10-20, got "5A"`,
		"within x of ligand":                  `column 8: want a distance, a number of at least 0, as in "within 5 of ligand", got "x"`,
		"within -1 of ligand":                 `column 8: want a distance, a number of at least 0, as in "within 5 of ligand", got "-1"`,
		"within NaN of ligand":                `column 8: want a distance, a number of at least 0, as in "within 5 of ligand", got "NaN"`,
		"within 5 ligand":                     `column 10: want "of", got "ligand"`,
		"chain \"A":                           `column 7: the quotation mark is not closed, got "\"A"`,
		"protein within 5 of ligand":          `column 9: want "and" or "or", got "within"`,
		"ä and ligan":                         `column 1: want a selection such as chain A, ligand or not water, got "ä"`,
		"water and ä":                         `column 11: want a selection such as chain A, ligand or not water, got "ä"`,
		strings.Repeat("(", 99):               `column 100: want a selection such as chain A, ligand or not water, but the selection ends`,
		strings.Repeat("not ", 100) + "water": `column 401: parentheses and operators must nest at most 100 deep, got "water"`,
		strings.Repeat("a", 10_001):           "column 10001: a selection must have at most 10000 characters, not 10001",
	} {
		if _, err := selection.Parse(text); err == nil || err.Error() != want {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
	}
}

// TestUnmatched checks the message about a value that no atom has, which suggests the most similar value.
func TestUnmatched(t *testing.T) {
	for text, want := range map[string]string{
		"chain b":                  `column 7: no atom has chain "b"; did you mean "B"?`,
		"chain A Z":                `column 9: no atom has chain "Z"`,
		"not resname GLX":          `column 13: no atom has resname "GLX"; did you mean "GLY"?`,
		"name C* QX*":              `column 9: no atom has name "QX*"`,
		"water or number 70 to 80": `column 17: no atom has number "70 to 80"`,
		"chain A":                  "",
	} {
		s, err := selection.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, u := range s.Of(made()).Unmatched {
			got = append(got, u.String())
		}
		if strings.Join(got, "\n") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// TestWithin compares the keyword within with a test of all distances.
func TestWithin(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		m := make(molecule, 1+rng.IntN(400))
		for i := range m {
			m[i] = selection.Atom{At: geom.Vec3{X: float64(rng.IntN(20)), Y: float64(rng.IntN(20)), Z: float64(rng.IntN(20))}, Chain: string(rune('A' + rng.IntN(5)))}
		}
		d := rng.IntN(6)
		s, err := selection.Parse(fmt.Sprintf("within %d of chain C", d))
		if err != nil {
			t.Fatal(err)
		}
		var want []bool
		for i := range m {
			want = append(want, slices.ContainsFunc(m, func(a selection.Atom) bool {
				return a.Chain == "C" && a.At.Sub(m[i].At).Norm2() <= float64(d*d)
			}))
		}
		if got := s.Of(m).Selected; !slices.Equal(got, want) {
			t.Errorf("seed %d: within %d differs from all distances", seed, d)
		}
	}
}

// TestKeywords checks every keyword with its synonyms and its plural. None of these words must be accepted as a
// value, except in quotes.
func TestKeywords(t *testing.T) {
	for _, k := range selection.Keywords() {
		for _, word := range append(k.Synonyms, k.Name) {
			if _, err := selection.Parse("chain " + word); err == nil {
				t.Errorf("%s is a chain without quotes", word)
			}
			if _, err := selection.Parse(`chain "` + word + `"`); err != nil {
				t.Errorf("%s is no chain in quotes: %v", word, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{"chain A and not (water or within 5.5 of resname HEM)", "byres number -5--1, 52A to 60 | name \"O5'\"", "bfactor >= 20 & element C*", "name [a\\*"} {
		f.Add(text)
	}
	m := made()
	f.Fuzz(func(t *testing.T, text string) {
		s, err := selection.Parse(text)
		if err != nil {
			var e *selection.Error
			if !errors.As(err, &e) || e.Column < 1 || e.Column > len([]rune(text))+1 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if r := s.Of(m); len(r.Selected) != len(m) {
			t.Errorf("%q selects among %d atoms", text, len(r.Selected))
		}
	})
}
