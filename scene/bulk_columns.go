package scene

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
)

// numbers are those of one row, each in the slot of its column.
type numbers [slots]float64

// The first slot of each group of columns.
const (
	slotPoint      = 0              // x y z or ax ay az
	slotSize       = slotPoint + 3  // bx by bz or hx hy hz
	slotRadius     = slotSize + 3   // radius
	slotDegrees    = slotRadius + 1 // rx ry rz
	slotQuaternion = slotDegrees + 3
	slotColor      = slotQuaternion + 4 // r g b
	slotAxes       = slotColor + 3      // ax_x to az_z
	slotAxis       = slotAxes + 9       // no columns: only tables have these
	slotAngle      = slotAxis + 3
	slots          = slotAngle + 1
)

func (n *numbers) vector(slot int) geom.Vec3 {
	return geom.Vec3{X: n[slot], Y: n[slot+1], Z: n[slot+2]}
}

func (n *numbers) measures() measures { return measures(n[:slotRadius+1]) }

func (n *numbers) axes() geom.Mat3 {
	return geom.Mat3{X: n.vector(slotAxes), Y: n.vector(slotAxes + 3), Z: n.vector(slotAxes + 6)}
}

func (n *numbers) quaternion() [4]float64 { return [4]float64(n[slotQuaternion:]) }

// group is a set of columns with numbers. A file has all of them or, if they are optional,
// none. A row fills all of those that are optional or leaves all empty.
type group struct {
	names    []string
	slot     int // of the first; the others follow
	limits   limits
	optional bool
}

// groupsOf returns the columns with numbers for a kind of solids.
func groupsOf(k Kind) []group {
	var groups []group
	for _, m := range k.row().keys() {
		groups = append(groups, group{strings.Fields(m.columns), m.slot, m.limits, false})
	}
	if k.row().traits().turns {
		groups = append(groups,
			group{strings.Fields("rx ry rz"), slotDegrees, finite(), true},
			group{strings.Fields("qw qx qy qz"), slotQuaternion, finite(), true},
			group{strings.Fields("ax_x ax_y ax_z ay_x ay_y ay_z az_x az_y az_z"), slotAxes, finite(), true})
	}
	return append(groups, group{strings.Fields("r g b"), slotColor, fractions(), true})
}

// Some columns by name: those of texts, which are all optional, and the first of the optional
// groups.
const (
	columnColor    = "color"
	columnMaterial = "material"
	columnName     = "name"
	columnRadius   = "radius"

	columnChannel    = "r"
	columnDegrees    = "rx"
	columnQuaternion = "qw"
	columnAxes       = "ax_x"
)

// column is a column of a file.
type column struct {
	name   string // empty if it is unknown
	slot   int    // of its numbers; -1 if it holds texts
	limits limits // of its numbers
	group  []int  // the indices of the columns that are optional together with it
}

// readHeader reads the names of the columns, which are the first row. It returns false if
// that row cannot be a header.
func (b *bulk) readHeader(r *rows) bool {
	if e := b.noHeader(r, r.next()); e != nil {
		b.errors.add(func() *Error { return e })
		return false
	}
	b.positions = make(map[string]int)
	guessed := make(map[string]bool) // the known columns nearest to unknown ones
	known := columnNames(b.kind)
	for i, name := range r.fields {
		c := b.column(r, i, strings.TrimSpace(name), known, guessed)
		if c.name != "" {
			b.positions[c.name] = i
		}
		b.columns = append(b.columns, c)
	}
	b.shortRadius(r, guessed)
	for _, g := range groupsOf(b.kind) {
		b.checkGroup(r, g, guessed)
		if g.optional {
			b.link(g)
		}
	}
	return true
}

// shortRadius reports a column r without columns g and b in a file without a radius: it probably means the
// radius.
func (b *bulk) shortRadius(r *rows, guessed map[string]bool) {
	i := b.find(columnChannel)
	if i < 0 || !b.kind.has(slotRadius, sizes()) || b.find("g") >= 0 || b.find("b") >= 0 || b.find(columnRadius) >= 0 {
		return
	}
	b.errors.add(func() *Error {
		e := r.wrong(i, "", CodeUnknownColumn, "a color needs the columns r, g and b")
		e.Suggestion = columnRadius
		return e
	})
	guessed[columnRadius] = true
	b.columns[i] = column{slot: -1}
	delete(b.positions, columnChannel)
}

// noHeader returns why the first row, for which next returned err, cannot be a header.
func (b *bulk) noHeader(r *rows, err error) *Error {
	const requirement = "must begin with the names of the columns, such as "
	isText := func(field string) bool {
		_, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		return err != nil
	}
	switch e := r.quoteError(err); {
	case err == io.EOF:
		return r.problem(tomltext.Extent{}, CodeMissingColumn, requirement+b.example())
	case e != nil:
		return e
	case len(r.fields) == 1 && strings.ContainsAny(r.fields[0], ";\t"):
		return r.missing("", CodeSyntax, "columns must be separated by commas")
	case !slices.ContainsFunc(r.fields, isText):
		return r.missing("", CodeMissingColumn, "%s", requirement+b.example())
	}
	return nil
}

// example returns a header.
func (b *bulk) example() string {
	return strings.Join(b.kind.columnsOf(), ",")
}

// columnNames returns the names of all columns for a kind of solids.
func columnNames(k Kind) (names []string) {
	for _, g := range groupsOf(k) {
		names = append(names, g.names...)
	}
	return append(names, columnColor, columnMaterial, columnName)
}

// column returns the column that a field of the header names, one of the known ones if it is right.
func (b *bulk) column(r *rows, i int, name string, known []string, guessed map[string]bool) column {
	c := column{slot: -1}
	switch {
	case name == "":
		b.wrongColumn(r, i, "", CodeUnknownColumn, "a column has no name")
		return c
	case !slices.Contains(known, name):
		b.errors.add(func() *Error {
			e := r.wrong(i, "", CodeUnknownColumn, "unknown column")
			if y, ok := b.speller.columnSynonym(name, known); ok {
				y.explain(e)
			} else if e.Suggestion = text.Nearest(name, known); e.Suggestion == "" {
				e.Message += ", want one of " + strings.Join(known, ", ")
			}
			guessed[e.Suggestion] = true
			return e
		})
		return c
	case b.find(name) >= 0:
		b.wrongColumn(r, i, "", CodeDuplicateColumn, "duplicate column")
		return c
	}
	c.name = name
	for _, g := range groupsOf(b.kind) {
		if k := slices.Index(g.names, name); k >= 0 {
			c.slot, c.limits = g.slot+k, g.limits
		}
	}
	return c
}

// findColumns notes where the columns are, when they are all there.
func (b *bulk) findColumns() {
	b.index.color, b.index.material, b.index.name = b.find(columnColor), b.find(columnMaterial), b.find(columnName)
	b.index.channels, b.index.degrees, b.index.quaternion = b.find(columnChannel), b.find(columnDegrees), b.find(columnQuaternion)
	b.index.axes = b.find(columnAxes)
	b.flawed = b.errors.count > 0
}

// wrongColumn reports column i of the header. It computes the position of the first errors only: that takes time
// proportional to i, and a header may have 200,000 wrong columns.
func (b *bulk) wrongColumn(r *rows, i int, name string, code Code, format string, args ...any) {
	b.errors.add(func() *Error { return r.wrong(i, name, code, format, args...) })
}

// find returns the index of a column, or -1.
func (b *bulk) find(name string) int {
	if i, ok := b.positions[name]; ok {
		return i
	}
	return -1
}

// link notes in each column of a group which columns the group has.
func (b *bulk) link(g group) {
	var all []int
	for _, name := range g.names {
		if i := b.find(name); i >= 0 {
			all = append(all, i)
		}
	}
	for _, i := range all {
		b.columns[i].group = all
	}
}

// checkGroup reports columns that are missing.
func (b *bulk) checkGroup(r *rows, g group, guessed map[string]bool) {
	there := func(name string) bool { return b.find(name) >= 0 || guessed[name] }
	first := slices.IndexFunc(g.names, there)
	for k, name := range g.names {
		switch {
		case there(name):
		case g.optional && first >= 0:
			b.errors.add(func() *Error {
				return r.missing(name, CodeMissingColumn, "missing column, required with the column %s", g.names[first])
			})
		case !g.optional && !b.defaulted[g.slot+k]:
			b.errors.add(func() *Error { return r.missing(name, CodeMissingColumn, "missing column") })
		}
	}
}
