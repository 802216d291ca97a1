package molecule

import (
	"fmt"
	"slices"
	"strings"

	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// assemblyRecord reads a line of remark 350, which describes assemblies.
func (r *pdb) assemblyRecord() error {
	line := string(r.Columns(12, 80))
	key, value, _ := strings.Cut(line, ":")
	value = strings.TrimSpace(value)
	switch {
	case key == "BIOMOLECULE":
		r.endGenerator()
		r.biomolecule, _, _ = strings.Cut(value, ",")
		if len(r.assemblies) >= maxAssemblies {
			return r.Wrong(nil, problem.CodeTooLarge, fmt.Sprintf("there are more than %d assemblies", maxAssemblies))
		}
		r.assemblyNamed(r.biomolecule)
	case r.biomolecule == "":
	case strings.HasSuffix(key, "BIOLOGICAL UNIT") || strings.HasSuffix(key, "QUATERNARY STRUCTURE"):
		who, _, _ := strings.Cut(strings.ToLower(key), " determined")
		a := r.assemblyNamed(r.biomolecule)
		if a.details != "" {
			a.details += "; "
		}
		a.details = shortTitle(a.details + who + ": " + strings.ToLower(value))
	case key == "APPLY THE FOLLOWING TO CHAINS":
		r.endGenerator()
		return r.addUnits(value)
	case key == "AND CHAINS":
		return r.addUnits(value)
	case strings.HasPrefix(line, "BIOMT"):
		return r.operatorRecord()
	}
	return nil
}

// shortTitle returns at most the first maxTitle characters of a text.
func shortTitle(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), maxTitle)])
}

// addUnits reads a list of chains, separated by commas, and adds the chains to the current generator.
func (r *pdb) addUnits(list string) error {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name == "NULL" {
			name = "" // files with a single chain may not name it
		} else if name == "" {
			continue
		}
		if len(r.current.units) >= maxUnits {
			return r.Wrong(nil, problem.CodeTooLarge, "there are too many chains")
		}
		if !slices.Contains(r.current.units, name) {
			r.current.units = append(r.current.units, name)
		}
	}
	return nil
}

// operatorRecord reads a row of the matrix of an operator, a movement of a copy. It names the operator by its assembly
// and its number.
func (r *pdb) operatorRecord() error {
	fields := lines.Fields(r.Text[min(11, len(r.Text)):])
	if len(fields) < 6 {
		return r.Wrong(nil, problem.CodeMissingKey, "want a number, three elements of a matrix and one of a translation")
	}
	if len(r.operators) >= maxCopies {
		return r.Wrong(nil, problem.CodeTooLarge, "there are too many operators")
	}
	name := fmt.Sprintf("%s.%s", r.biomolecule, fields[1])
	index := slices.Index([]string{"BIOMT1", "BIOMT2", "BIOMT3"}, string(fields[0]))
	if index < 0 {
		return r.Wrong(fields[0], problem.CodeUnknownValue, "want BIOMT1, BIOMT2 or BIOMT3")
	}
	var row [4]float64
	for i := range row {
		x, err := r.Coordinate("operator", fields[i+2])
		if err != nil {
			return err
		}
		row[i] = x
	}
	rows, known := r.rows[name]
	rows[index] = row
	r.rows[name] = rows
	o := operatorOf(rows)
	o.at = r.Where()
	r.operators[name] = o
	if !known {
		if len(r.names) == 0 {
			r.current.at = r.Where()
		}
		r.names = append(r.names, name)
	}
	return nil
}

// endGenerator adds the current generator to its assembly, and begins an empty one. A generator without chains or
// movements is dropped.
func (r *pdb) endGenerator() {
	if len(r.names) > 0 && len(r.current.units) > 0 {
		r.current.expression = strings.Join(r.names, ",")
		r.addGenerator(r.biomolecule, r.current)
	}
	r.current, r.names = generator{}, nil
}

// cellRecord reads the lengths and angles of the unit cell.
func (r *pdb) cellRecord() {
	for i, columns := range [...][2]int{{7, 15}, {16, 24}, {25, 33}, {34, 40}, {41, 47}, {48, 54}} {
		text := r.Columns(columns[0], columns[1])
		x, err := r.Number("cell", text)
		if err != nil {
			r.cell = cell{}
			return // programs without a cell write anything here
		}
		r.cell[i] = cellParameter{x: x, text: string(text), at: problem.Error{File: r.Name, Line: r.Line, Column: columns[0]}, known: true}
	}
	r.symmetry.group = string(r.Columns(56, 66))
	if r.cell[0].x == 1 && r.cell[1].x == 1 && r.cell[2].x == 1 {
		r.cell = cell{} // by convention, the molecule is not a crystal
	}
}
