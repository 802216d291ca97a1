package molecule

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/problem"
)

// readXYZ reads frames. Each has the number of atoms, a comment, and a line for each atom.
func readXYZ(l *lines.Reader, m *molecule) error {
	for {
		err := l.Next()
		for err == nil && len(bytes.TrimSpace(l.Text)) == 0 {
			err = l.Next()
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := readFrame(l, m); err != nil {
			return err
		}
	}
}

// readFrame reads a frame whose first line has been read.
func readFrame(l *lines.Reader, m *molecule) error {
	whole := bytes.TrimSpace(l.Text)
	_, noCount := l.Integer("number of atoms", whole, 0, MaxAtoms)
	n, err := l.Integer("number of atoms", lines.Fields(whole)[0], 0, MaxAtoms)
	if err != nil {
		return noCount
	}
	title := string(bytes.TrimLeft(whole, "0123456789"))
	m.models++
	if err := l.Within("the comment"); err != nil {
		return cmp.Or(noCount, err)
	}
	comment, atFirst := string(l.Text), isTinkerAtom(l.Text)
	if n > 0 && !atFirst {
		if err := l.Within(fmt.Sprintf("atom 1 of %d", n)); err != nil {
			return cmp.Or(noCount, err)
		}
	}
	f := &xyzFrame{Reader: l, molecule: m, n: n}
	if atFirst || isTinkerAtom(l.Text) && len(cellOf(comment)) > 0 {
		return f.readTinker(title, comment)
	}
	if noCount != nil {
		return noCount // only Tinker writes a title behind the number
	}
	return f.read(comment)
}

// xyzFrame is the state of reading a frame of n atoms.
type xyzFrame struct {
	*lines.Reader
	*molecule
	n     int
	pairs [][2]int
}

// atoms calls read for the line of each atom. The first line has been read. It only skips the lines of a frame that is
// not selected.
func (f *xyzFrame) atoms(read func(serial int, words [][]byte) error) error {
	for serial := 1; serial <= f.n; serial++ {
		if serial > 1 {
			if err := f.Within(fmt.Sprintf("atom %d of %d", serial, f.n)); err != nil {
				return err
			}
		}
		if f.models != f.wanted {
			continue
		}
		if f.full() {
			return f.tooMany("atoms", f.Reader)
		}
		if err := read(serial, lines.Fields(f.Text)); err != nil {
			return err
		}
	}
	return nil
}

// read reads a frame in the usual or the extended format.
func (f *xyzFrame) read(comment string) error {
	columns, title := propertiesOf(comment)
	if f.models == f.wanted {
		f.title = title
		f.edges, f.hasCell = latticeOf(comment)
	}
	return f.atoms(func(serial int, words [][]byte) (err error) {
		a := atom{serial: serial, line: int32(f.Line)}
		if len(words) <= max(columns.symbol, columns.x+2) {
			return f.Wrong(nil, problem.CodeMissingKey, "want an element and three coordinates")
		}
		if a.at, err = f.Position(words[columns.x], words[columns.x+1], words[columns.x+2]); err != nil {
			return err
		}
		f.addSymbol(a, string(words[columns.symbol]))
		return nil
	})
}

// addSymbol adds an atom that belongs to no residue, with the element for a symbol in the file. It notes an atom without
// a known element.
func (m *molecule) addSymbol(a atom, symbol string) {
	switch a.element = elementNamed(symbol); {
	case a.element != unknown:
	case isVirtualSite(symbol):
		a.element = virtualSite
	default:
		m.unknownAtom(m.lineOf(&a))
	}
	m.addAtom(a)
}

// elementNamed returns the element for a text: a symbol, which may be followed by a number, or an atomic number.
func elementNamed(text string) uint8 {
	if n, err := strconv.Atoi(text); err == nil {
		if 0 < n && n < len(elements) {
			return uint8(n)
		}
		return unknown
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r < 'A' || 'Z' < r && r < 'a' || 'z' < r })
	if end < 0 {
		end = len(text)
	}
	return numberOf(text[:end])
}

// latticeOf returns the edges of the unit cell in the comment of a frame in the extended format: Lattice="ax ay az bx ...".
func latticeOf(comment string) (edges geom.Mat3, ok bool) {
	_, text, ok := strings.Cut(comment, `Lattice="`)
	if !ok {
		return edges, false
	}
	text, _, _ = strings.Cut(text, `"`)
	words := strings.Fields(text)
	for i, to := range [...]*float64{&edges.X.X, &edges.X.Y, &edges.X.Z, &edges.Y.X, &edges.Y.Y, &edges.Y.Z, &edges.Z.X, &edges.Z.Y, &edges.Z.Z} {
		if len(words) != 9 {
			return geom.Mat3{}, false
		}
		x, _, problem := lines.ParseNumber([]byte(words[i]))
		if problem != "" || math.Abs(x) > geom.MaxCoordinate {
			return geom.Mat3{}, false
		}
		*to = x
	}
	return edges, edges.X != geom.Vec3{} && edges.Y != geom.Vec3{} && edges.Z != geom.Vec3{}
}

// properties holds the columns of a frame that contain the elements and the coordinates.
type properties struct{ symbol, x int }

// propertiesOf parses a frame's comment, and returns the columns of the frame and its title. In the extended format,
// the comment is a list of properties, NAME:TYPE:COLUMNS, which determine the columns, and the title is "". Otherwise,
// the comment is the title.
func propertiesOf(comment string) (properties, string) {
	usual := properties{0, 1}
	const key = "Properties="
	i := strings.Index(comment, key)
	if i < 0 {
		comment = strings.TrimSpace(comment)
		return usual, string([]rune(comment)[:min(maxTitle, len([]rune(comment)))])
	}
	text, _, _ := strings.Cut(strings.Trim(comment[i+len(key):], `"`), " ")
	fields := strings.Split(strings.TrimRight(text, `"`), ":")
	found := properties{-1, -1}
	column := 0
	for triple := range slices.Chunk(fields, 3) {
		if len(triple) < 3 {
			return usual, ""
		}
		width, err := strconv.Atoi(triple[2])
		if err != nil || width < 1 || width > lines.MaxLine {
			return usual, ""
		}
		switch {
		case triple[0] == "species" || triple[0] == "Z" && found.symbol < 0:
			found.symbol = column
		case triple[0] == "pos" && width == 3:
			found.x = column
		}
		column += width
	}
	if found.symbol < 0 || found.x < 0 {
		return usual, ""
	}
	return found, ""
}
