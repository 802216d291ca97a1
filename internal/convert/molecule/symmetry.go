package molecule

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"pillbox/internal/text"
	"pillbox/problem"
)

// symmetry is the symmetry of a crystal, as the file states it.
type symmetry struct {
	operators []symmetryOperator
	group     string // the symbol or the number of the space group; "": the file states none
}

// symmetryOperator moves fractional coordinates: it has three rows of a matrix, each followed by an element of a translation.
type symmetryOperator [3][4]float64

// identityOperator returns the operator x,y,z.
func identityOperator() symmetryOperator {
	return symmetryOperator{{0: 1}, {1: 1}, {2: 1}}
}

// maxOperators is the largest number of symmetry operators of a file. A space group has at most 192 in its usual cell.
const maxOperators = 1000

// wantOperator describes the form of an operator, for messages.
const wantOperator = "must be a symmetry operator, such as -x,y+1/2,-z"

// parseOperator parses an operator such as -x,y+1/2,-z. Its matrix must keep volumes.
func parseOperator(text string) (o symmetryOperator, ok bool) {
	rows := strings.Split(strings.ToLower(strings.Join(strings.Fields(text), "")), ",")
	if len(rows) != len(o) {
		return o, false
	}
	for i, row := range rows {
		if o[i], ok = parseSum(row); !ok {
			return o, false
		}
	}
	const rounding = 1e-6
	return o, math.Abs(math.Abs(o.determinant())-1) <= rounding
}

// parseSum parses a sum of multiples of x, y and z and of numbers, such as 1/2-x+y.
func parseSum(sum string) (row [4]float64, ok bool) {
	for sum != "" {
		sign := 1.0
		switch {
		case sum[0] == '-':
			sign, sum = -1, sum[1:]
		case sum[0] == '+':
			sum = sum[1:]
		case ok: // a later term without a sign
			return row, false
		}
		end := strings.IndexAny(sum, "+-")
		if end < 0 {
			end = len(sum)
		}
		x, axis, valid := parseTerm(sum[:end])
		if !valid {
			return row, false
		}
		row[axis] += float64(sign * x)
		sum, ok = sum[end:], true
	}
	return row, ok
}

// parseTerm parses a term such as x, 2*x, 2x, 1/2 or 0.5. The axis is 0 to 2 for x to z, and 3 for a number.
func parseTerm(term string) (x float64, axis int, ok bool) {
	axis = 3
	if n := len(term); n > 0 && 'x' <= term[n-1] && term[n-1] <= 'z' {
		axis = int(term[n-1] - 'x')
		if term = strings.TrimSuffix(term[:n-1], "*"); term == "" {
			return 1, axis, n == 1
		}
	}
	numerator, denominator, isRatio := strings.Cut(term, "/")
	x, err := strconv.ParseFloat(numerator, 64)
	if isRatio && err == nil {
		var d float64
		d, err = strconv.ParseFloat(denominator, 64)
		x /= d
	}
	const most = 1000
	return x, axis, err == nil && math.Abs(x) <= most
}

func (o *symmetryOperator) determinant() float64 {
	minor := func(i, j int) float64 { return float64(o[1][i]*o[2][j]) - float64(o[1][j]*o[2][i]) }
	return float64(o[0][0]*minor(1, 2)) - float64(o[0][1]*minor(0, 2)) + float64(o[0][2]*minor(0, 1))
}

// apply returns the image of a point in fractional coordinates.
func (o *symmetryOperator) apply(p [3]float64) (q [3]float64) {
	for i, row := range o {
		q[i] = float64(row[0]*p[0]) + float64(row[1]*p[1]) + float64(row[2]*p[2]) + row[3]
	}
	return q
}

// addOperator adds an operator, unless the symmetry has it already. It returns false if there are too many.
func (s *symmetry) addOperator(o symmetryOperator) bool {
	for i := range s.operators {
		if s.operators[i] == o {
			return true
		}
	}
	s.operators = append(s.operators, o)
	return len(s.operators) <= maxOperators
}

// isMissing reports whether the file states a space group other than P 1, but no operators.
func (s *symmetry) isMissing() bool {
	symbol := strings.ToLower(strings.Join(strings.Fields(s.group), ""))
	return len(s.operators) == 0 && symbol != "" && symbol != "p1" && symbol != "1"
}

// warnIfMissing adds a warning if the file states a space group, but no operators.
func (m *molecule) warnIfMissing() {
	if m.symmetry.isMissing() {
		m.account.Warn(&problem.Error{File: m.file, Code: problem.CodeMissingKey, Message: fmt.Sprintf(
			"--fill-cell: the file states the space group %q without its operators; only the atoms of the file are repeated",
			text.Shorten(m.symmetry.group))})
	}
}

// symmetryReader returns the reader of a category that describes the symmetry of a crystal, or nil for other categories.
func symmetryReader(category string) rowReader {
	switch category {
	case "_symmetry_equiv", "_space_group_symop":
		return (*cif).symmetryRow
	case "_symmetry", "_space_group", "_space_group_magn":
		return (*cif).spaceGroupRow
	}
	return nil
}

// symmetryRow reads an operator.
func (c *cif) symmetryRow() error {
	for _, item := range [...]string{"pos_as_xyz", "operation_xyz"} {
		found := c.bytes(item)
		if found == nil {
			continue
		}
		at := c.fields.place(c.columns[item])
		o, ok := parseOperator(string(found))
		if !ok {
			return c.ErrorAt(at.Line, at.Column, found, problem.CodeWrongType, wantOperator)
		}
		if !c.symmetry.addOperator(o) {
			return c.ErrorAt(at.Line, at.Column, nil, problem.CodeTooLarge, tooManyOperators())
		}
	}
	return nil
}

func tooManyOperators() string {
	return fmt.Sprintf("there are more than %d symmetry operators", maxOperators)
}

// spaceGroupRow reads the symbol or the number of the space group, from items of several versions of the dictionaries.
func (c *cif) spaceGroupRow() error {
	if c.symmetry.group == "" {
		c.symmetry.group = c.get("name_h-m_alt", "space_group_name_h-m", "name_h-m_full", "name_h-m_ref", "name_hall", "space_group_name_hall",
			"it_number", "int_tables_number", "name_bns", "number_bns")
	}
	return nil
}

// symmetryRecord reads an operator from a line of remark 290, such as "2555   -X,Y+1/2,-Z".
func (r *pdb) symmetryRecord() error {
	number, operator, _ := bytes.Cut(r.Columns(11, 80), []byte(" "))
	if !bytes.HasSuffix(number, []byte("555")) || bytes.Count(operator, []byte(",")) != 2 {
		return nil
	}
	o, ok := parseOperator(string(operator))
	if !ok {
		return r.Wrong(bytes.TrimSpace(operator), problem.CodeWrongType, wantOperator)
	}
	if !r.symmetry.addOperator(o) {
		return r.Wrong(nil, problem.CodeTooLarge, tooManyOperators())
	}
	return nil
}
