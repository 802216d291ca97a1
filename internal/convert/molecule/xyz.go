package molecule

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/lines"
	"pillbox/scene"
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

func readFrame(l *lines.Reader, m *molecule) error {
	n, err := l.Integer("number of atoms", bytes.TrimSpace(l.Text), 0, MaxAtoms)
	if err != nil {
		return err
	}
	m.models++
	if err := l.Within("the comment"); err != nil {
		return err
	}
	columns, title := propertiesOf(string(l.Text))
	if m.models == m.wanted {
		m.title = title
		m.edges, m.hasCell = latticeOf(string(l.Text))
	}
	for serial := 1; serial <= n; serial++ {
		if err := l.Within(fmt.Sprintf("atom %d of %d", serial, n)); err != nil {
			return err
		}
		if m.models != m.wanted {
			continue
		}
		a := atom{serial: serial}
		words := lines.Fields(l.Text)
		if len(words) <= max(columns.symbol, columns.x+2) {
			return l.Wrong(nil, scene.CodeMissingKey, "want an element and three coordinates")
		}
		if a.at, err = l.Position(words[columns.x], words[columns.x+1], words[columns.x+2]); err != nil {
			return err
		}
		if a.element = elementNamed(string(words[columns.symbol])); a.element == unknown {
			m.unknownAtom(l.Where())
		}
		m.add(a)
	}
	return nil
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
