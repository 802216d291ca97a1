package molecule

import (
	"bytes"
	"strconv"

	"pillbox/internal/convert/lines"
)

// atomSerial returns the number of the atom in the line. A number of six digits extends into the empty column after it.
// Some programs then move the rest of the line by one column; atomSerial moves it back.
func (r *pdb) atomSerial() int {
	const pointOfX = 34 // column of the decimal point, counted from 0
	text := r.Columns(7, 12)
	if len(text) < 6 || !isDigits(text) {
		return serial(r.Columns(7, 11))
	}
	r.wide = true
	n := serial(text)
	if len(r.Text) > pointOfX+1 && r.Text[pointOfX] != '.' && r.Text[pointOfX+1] == '.' {
		copy(r.Text[6:], r.Text[7:])
		r.Text = r.Text[:len(r.Text)-1]
	}
	return n
}

func isDigits(text []byte) bool {
	for _, c := range text {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(text) > 0
}

// serial parses an atom's number. For atoms beyond 99,999 some programs write hexadecimal or hybrid base-36 numbers. If
// it is neither, such as asterisks, serial returns 0, because no bond can refer to such an atom.
//
// Source: Grosse-Kunstleve and Sauter, "hybrid_36", Computational Crystallography Toolbox, 2006.
func serial(text []byte) int {
	if n, err := strconv.Atoi(string(text)); err == nil {
		return max(n, 0)
	}
	const digits = 5
	if len(text) != digits {
		return 0
	}
	base, least := 16, int64(0)
	if 'A' <= text[0] && text[0] <= 'Z' {
		base, least = 36, 10*36*36*36*36-100_000 // A0000 is 100,000
	}
	n, err := strconv.ParseInt(string(text), base, 32)
	if err != nil || n < least {
		return 0
	}
	return int(n - least)
}

// bondRecord reads a CONECT record: an atom and up to four atoms that are bonded to it.
func (r *pdb) bondRecord() error {
	numbers, ok := r.conectNumbers()
	if !ok {
		r.account.Skip("unreadable CONECT record", r.Where())
		return nil
	}
	for i := 1; i < len(numbers); i++ {
		if numbers[0] == 0 || numbers[i] == 0 {
			continue
		}
		if len(r.pairs) >= r.most() {
			return r.tooMany("bonds", r.Reader)
		}
		r.pairs = append(r.pairs, [2]int{numbers[0], numbers[i]})
	}
	return nil
}

// conectNumbers returns the numbers of a CONECT record: up to five in columns of five characters. For files with more
// than 99,999 atoms, some programs widen the columns to six characters, or separate the numbers by spaces. The function
// returns false if the line can be divided in none of these ways.
func (r *pdb) conectNumbers() ([]int, bool) {
	const most = 5
	text := r.Text[min(6, len(r.Text)):]
	widths := [...]int{5, 6}
	if r.wide {
		widths = [...]int{6, 5}
	}
	for _, width := range widths {
		if !inColumns(text[:min(len(text), most*width)], width) {
			continue
		}
		var numbers []int
		for column := 7; column < 7+most*width; column += width {
			numbers = append(numbers, serial(r.Columns(column, column+width-1)))
		}
		return numbers, true
	}
	var numbers []int
	for _, word := range lines.Fields(text) {
		const longest = 8 // digits of MaxAtoms
		if !isDigits(word) || len(word) > longest {
			return nil, false
		}
		numbers = append(numbers, serial(word))
	}
	return numbers[:min(len(numbers), most)], true
}

// inColumns reports whether every column of the given width is empty or ends with a number, so that no number extends
// into another column.
func inColumns(text []byte, width int) bool {
	for len(text) > 0 {
		column := text[:min(width, len(text))]
		text = text[len(column):]
		number := bytes.TrimSpace(column)
		if len(number) > 0 && (len(column) < width || column[width-1] == ' ' || bytes.ContainsAny(number, " \t")) {
			return false
		}
	}
	return true
}
