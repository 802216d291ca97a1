package scene

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/internal/tomltext"
	"pillbox/problem"
)

// numbers are the numbers of a row, each in the slot of its column.
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
	slotAxis       = slotAxes + 9       // only in tables; bulk files have no such columns
	slotAngle      = slotAxis + 3
	slotValue      = slotAngle + 1
	slots          = slotValue + 1
)

func (n *numbers) vector(slot int) geom.Vec3 {
	return geom.Vec3{X: n[slot], Y: n[slot+1], Z: n[slot+2]}
}

func (n *numbers) measures() measures { return measures(n[:slotRadius+1]) }

func (n *numbers) axes() geom.Mat3 {
	return geom.Mat3{X: n.vector(slotAxes), Y: n.vector(slotAxes + 3), Z: n.vector(slotAxes + 6)}
}

func (n *numbers) quaternion() [4]float64 { return [4]float64(n[slotQuaternion:]) }

// group is a set of columns with numbers that belong together. A file may omit an optional group as a whole, and other
// columns only if the table has defaults for them. A row must fill all columns of an optional group or leave all of
// them empty.
type group struct {
	names    []string
	slot     int // slot of the first; the others follow
	limits   keytable.Limits
	optional bool
}

// groupsOf returns the groups of columns with numbers for a kind of solids.
func groupsOf(k Kind) []group {
	var groups []group
	for _, m := range k.row().keys() {
		groups = append(groups, group{strings.Fields(m.columns), m.slot, m.limits, false})
	}
	if k.row().traits().turns {
		groups = append(groups,
			group{strings.Fields("rx ry rz"), slotDegrees, keytable.Finite(), true},
			group{strings.Fields("qw qx qy qz"), slotQuaternion, keytable.Finite(), true},
			group{strings.Fields("ax_x ax_y ax_z ay_x ay_y ay_z az_x az_y az_z"), slotAxes, keytable.Finite(), true})
	}
	return append(groups, group{strings.Fields("r g b"), slotColor, keytable.Fractions(), true}, group{[]string{columnValue}, slotValue, keytable.Finite(), true})
}

// Names of columns: the text columns, which are all optional, and the first column of each optional group.
const (
	columnColor    = "color"
	columnMaterial = "material"
	columnName     = "name"
	columnRadius   = "radius"

	columnChannel    = "r"
	columnDegrees    = "rx"
	columnQuaternion = "qw"
	columnAxes       = "ax_x"
	columnValue      = "value"
)

// column is a column of a file.
type column struct {
	name   string          // empty for an unknown column
	slot   int             // slot of its numbers; -1 for a text column
	limits keytable.Limits // of its numbers
	group  []int           // indices of the columns of its optional group
}

// readHeader reads the first row, which has the names of the columns. It returns false if that row
// cannot be a header.
func (b *bulk) readHeader(r *rows) bool {
	if e := b.noHeader(r, r.next()); e != nil {
		b.errors.addError(func() *problem.Error { return e })
		return false
	}
	b.positions = make(map[string]int)
	guessed := make(map[string]bool) // known columns that are suggested for unknown ones
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

// shortRadius reports a column r in a file without columns g, b and radius: it probably means the
// radius.
func (b *bulk) shortRadius(r *rows, guessed map[string]bool) {
	i := b.find(columnChannel)
	if i < 0 || !b.kind.has(slotRadius, keytable.Sizes()) || b.find("g") >= 0 || b.find("b") >= 0 || b.find(columnRadius) >= 0 {
		return
	}
	b.errors.addError(func() *problem.Error {
		e := r.wrong(i, "", problem.CodeUnknownColumn, "a color needs the columns r, g and b")
		e.Suggestion = columnRadius
		return e
	})
	guessed[columnRadius] = true
	b.columns[i] = column{slot: -1}
	delete(b.positions, columnChannel)
}

// noHeader returns an error if the first row cannot be a header, else nil. err is the error that next returned for
// the row.
func (b *bulk) noHeader(r *rows, err error) *problem.Error {
	const requirement = "must begin with the names of the columns, such as "
	isText := func(field string) bool {
		_, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		return err != nil
	}
	switch e := r.quoteError(err); {
	case err == io.EOF:
		return r.problem(tomltext.Extent{}, problem.CodeMissingColumn, requirement+b.example())
	case e != nil:
		return e
	case len(r.fields) == 1 && strings.ContainsAny(r.fields[0], ";\t"):
		return r.missing("", problem.CodeSyntax, "columns must be separated by commas")
	case !slices.ContainsFunc(r.fields, isText):
		return r.missing("", problem.CodeMissingColumn, "%s", requirement+b.example())
	}
	return nil
}

// example returns a header, for messages.
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

// column returns the column for field i of the header. It reports a name that is empty, unknown or a
// duplicate.
func (b *bulk) column(r *rows, i int, name string, known []string, guessed map[string]bool) column {
	c := column{slot: -1}
	switch {
	case name == "":
		b.wrongColumn(r, i, "", problem.CodeUnknownColumn, "a column has no name")
		return c
	case !slices.Contains(known, name):
		b.errors.addError(func() *problem.Error {
			e := r.wrong(i, "", problem.CodeUnknownColumn, "unknown column")
			if y, ok := b.speller.ColumnSynonym(name, known); ok {
				y.Explain(e)
			} else if e.Suggestion = text.ClosestWord(name, known); e.Suggestion == "" {
				e.Message += ", want one of " + strings.Join(known, ", ")
			}
			guessed[e.Suggestion] = true
			return e
		})
		return c
	case b.find(name) >= 0:
		b.wrongColumn(r, i, "", problem.CodeDuplicateColumn, "duplicate column")
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

// findColumns sets b.index after all columns are read.
func (b *bulk) findColumns() {
	b.index.color, b.index.material, b.index.name = b.find(columnColor), b.find(columnMaterial), b.find(columnName)
	b.index.channels, b.index.degrees, b.index.quaternion = b.find(columnChannel), b.find(columnDegrees), b.find(columnQuaternion)
	b.index.axes, b.index.value = b.find(columnAxes), b.find(columnValue)
	b.flawed = b.errors.count > 0
}

// wrongColumn reports an error in column i of the header. It computes positions only for the first errors: to find one
// takes time proportional to i, and a header may have 200,000 invalid columns.
func (b *bulk) wrongColumn(r *rows, i int, name string, code problem.Code, format string, args ...any) {
	b.errors.addError(func() *problem.Error { return r.wrong(i, name, code, format, args...) })
}

// find returns the index of a column, or -1.
func (b *bulk) find(name string) int {
	if i, ok := b.positions[name]; ok {
		return i
	}
	return -1
}

// link stores, in each column of a group, the indices of all columns of the group.
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

// checkGroup reports the missing columns of a group. The columns in guessed, which were suggested for unknown names,
// do not count as missing.
func (b *bulk) checkGroup(r *rows, g group, guessed map[string]bool) {
	there := func(name string) bool { return b.find(name) >= 0 || guessed[name] }
	first := slices.IndexFunc(g.names, there)
	for k, name := range g.names {
		switch {
		case there(name):
		case g.optional && first >= 0:
			b.errors.addError(func() *problem.Error {
				return r.missing(name, problem.CodeMissingColumn, "missing column, required with the column %s", g.names[first])
			})
		case !g.optional && !b.defaulted[g.slot+k]:
			b.errors.addError(func() *problem.Error { return r.missing(name, problem.CodeMissingColumn, "missing column") })
		}
	}
}
