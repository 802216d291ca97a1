package molecule

import (
	"strings"

	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// isTinkerAtom reports whether a line describes an atom in the format of Tinker: a number, a name, three coordinates, the
// number of an atom type, and the numbers of bonded atoms.
func isTinkerAtom(line []byte) bool {
	words := lines.Fields(line)
	if len(words) < 6 || !isDigits(words[0]) || !isDigits(words[5]) || isNumber(words[1]) {
		return false
	}
	return isNumber(words[2]) && isNumber(words[3]) && isNumber(words[4])
}

func isNumber(word []byte) bool {
	_, _, problem := lines.ParseNumber(word)
	return problem == ""
}

// cellOf returns the lengths and angles of the unit cell in a line, or nil if the line does not consist of six numbers.
func cellOf(line string) (parameters []float64) {
	words := strings.Fields(line)
	if len(words) != len(cell{}) {
		return nil
	}
	for _, word := range words {
		x, _, problem := lines.ParseNumber([]byte(word))
		if problem != "" {
			return nil
		}
		parameters = append(parameters, x)
	}
	return parameters
}

// readTinker reads a frame in the format of Tinker. Its names are those of atom types in a force field, and it lists all
// bonds.
func (f *xyzFrame) readTinker(title, second string) error {
	if f.models == f.wanted {
		f.title = shortTitle(strings.TrimSpace(title))
		for i, x := range cellOf(second) {
			f.cell[i] = cellParameter{x: x, known: true}
		}
	}
	err := f.atoms(f.tinkerAtom)
	f.bonded = f.bonded || len(f.pairs) > 0
	f.resolve(f.pairs)
	return err
}

func (f *xyzFrame) tinkerAtom(_ int, words [][]byte) (err error) {
	if len(words) < 6 {
		return f.Wrong(nil, problem.CodeMissingKey, "want a number, a name, three coordinates and an atom type")
	}
	a := atom{element: unnamed, name: f.word(words[1]), line: int32(f.Line)}
	if a.serial, err = f.Integer("number", words[0], 1, MaxAtoms); err != nil {
		return err
	}
	if a.at, err = f.Position(words[2], words[3], words[4]); err != nil {
		return err
	}
	for _, word := range words[6:] {
		to, err := f.Integer("bonded atom", word, 1, MaxAtoms)
		if err != nil {
			return err
		}
		if len(f.pairs) >= f.most() {
			return f.tooMany("bonds", f.Reader)
		}
		f.pairs = append(f.pairs, [2]int{a.serial, to})
	}
	f.addAtom(a)
	return nil
}
