package scene

import (
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"pillbox/exact"
	"pillbox/geom"
	"pillbox/internal/archive"
	"pillbox/internal/keytable"
	"pillbox/internal/text"
	"pillbox/problem"
	"pillbox/shade"
	"pillbox/shapes"
)

// chunk is a run of rows of a bulk file, and the solids in them.
type chunk struct {
	*bulk // read-only here
	rows

	solids        // one for every row, also for invalid rows
	own    tables // names and materials from the rows; their indices follow those of the tables of bulk
	lines  []run
	errors cappedErrors
	syntax *problem.Error // not nil if the chunk is not UTF-8
	given  given
	texts  [7]string // the long numbers of the row, see [exact.Decimal3]

	table  *archive.Table // if not nil, the rows are its records instead of text
	record int            // number of the current record
}

// given records which optional groups of columns the row fills.
type given struct{ degrees, axis, quaternion, axes, channels, value bool }

// read reads the rows of the chunk.
func (c *chunk) read() {
	if c.syntax = c.invalid(); c.syntax != nil {
		return
	}
	for {
		err := c.next()
		if err == io.EOF {
			c.own.joinNames()
			c.own.recent = nil
			return
		}
		before := c.errors.count
		c.lines = appendLine(c.lines, len(c.objects), c.row(err))
		c.valid = append(c.valid, !c.flawed && c.errors.count == before)
	}
}

// row reads the current row, adds its solid, and returns the line of the row. err is the error that next returned for
// the row.
func (c *chunk) row(err error) (line int) {
	n, o, has := c.newRow()
	switch e := c.quoteError(err); {
	case e != nil:
		line = e.Line
		c.errors.addError(func() *problem.Error { return e })
	case len(c.fields) != len(c.columns):
		line = c.rowLine()
		c.errors.addError(func() *problem.Error {
			e := c.missing("", problem.CodeWrongLength, "must have %d fields, one for each column", len(c.columns))
			e.Value = strconv.Itoa(len(c.fields))
			return e
		})
	default:
		line = c.rowLine()
		c.readNumbers(&n)
		o.name = c.own.addName(c.name())
		o.material, has = c.surfaceOf(&n)
	}
	c.addObject(&n, o, has)
	return line
}

// newRow begins a row. It returns what a row without fields would have: the default numbers, an object without a
// name, and a surface of its own.
func (c *chunk) newRow() (n numbers, o object, has surfaceFlags) {
	c.given, c.texts = given{}, [7]string{6: c.radius}
	return c.numbers, object{}, hasSurface
}

// addObject adds the solid of a row.
func (c *chunk) addObject(n *numbers, o object, has surfaceFlags) {
	if c.exact {
		c.long.set(len(c.objects), c.kind.withEnd(c.texts))
	}
	c.kind.row().addSolid(&c.solids, n.measures(), n.rotation(c.given))
	c.objects = append(c.objects, o)
	c.solids.has = append(c.solids.has, has)
}

// wrong reports an error in field i of the row.
func (c *chunk) wrong(i int, code problem.Code, format string, args ...any) {
	c.errors.addError(func() *problem.Error { return c.rows.wrong(i, c.columns[i].name, code, format, args...) })
}

func (c *chunk) readNumbers(n *numbers) {
	c.given = given{degrees: c.has(c.index.degrees), quaternion: c.has(c.index.quaternion), axes: c.has(c.index.axes), channels: c.has(c.index.channels), value: c.has(c.index.value)}
	c.oneOf(choice{c.index.degrees, c.given.degrees}, choice{c.index.quaternion, c.given.quaternion}, choice{c.index.axes, c.given.axes})
	before := c.errors.count
	for i := range c.columns {
		if col := &c.columns[i]; col.slot >= 0 {
			c.readNumber(i, col, &n[col.slot])
		}
	}
	if c.directed && c.errors.count == before {
		m := measures(n[:slotRadius+1])
		if flaw := m.axisFlaw(); flaw != "" {
			c.wrong(c.positions["bx"], problem.CodeNoLength, "%s", flaw)
		}
	}
	if c.given.quaternion && c.errors.count == before && n.quaternion() == [4]float64{} {
		c.wrong(c.index.quaternion, problem.CodeZeroVector, "a quaternion must not be zero")
	}
	if c.given.axes && c.errors.count == before && !shapes.IsRotation(n.axes()) {
		c.wrong(c.index.axes, problem.CodeNotOrthonormal, "ax_x to az_z "+keytable.NotOrthonormal)
	}
}

// has reports whether the row has a nonempty field in any column of the group to which column i belongs. It returns
// false if i is negative.
func (c *chunk) has(i int) bool {
	if c.table != nil {
		return i >= 0 // numbers are never empty
	}
	return i >= 0 && slices.ContainsFunc(c.columns[i].group, func(i int) bool { return c.cell(i) != "" })
}

// readNumber reads field i into x. In a text file, x keeps its value, the default, if the field is empty or invalid.
func (c *chunk) readNumber(i int, col *column, x *float64) {
	if c.table != nil {
		*x = c.table.Number(c.record, i)
		if !col.limits.Contain(*x) {
			c.errors.count++
		}
		return
	}
	field := c.cell(i)
	v, err := strconv.ParseFloat(field, 64)
	switch {
	case err == nil && col.limits.Contain(v):
		*x = v
		if c.exact && col.slot < slotDegrees {
			c.keepText(i, col.slot, field)
		}
	case field == "" && (c.defaulted[col.slot] || col.group != nil && !c.has(i)):
	case field == "":
		c.wrong(i, problem.CodeMissingKey, "missing")
	case errors.Is(err, strconv.ErrSyntax):
		c.wrong(i, problem.CodeWrongType, "must be a number")
	case math.IsNaN(v) || math.IsInf(v, 0):
		c.wrong(i, problem.CodeNotFinite, "%s", keytable.OrUnrepresentable(problem.CodeNotFinite, col.limits.Requirement(v), []byte(field)))
	default:
		c.wrong(i, problem.CodeOutOfRange, "%s", keytable.OrUnrepresentable(problem.CodeOutOfRange, col.limits.Requirement(v), []byte(field)))
	}
}

// keepText stores the text of the number in field i in c.texts, at the index slot, unless the number is the shortest
// decimal of its float64. For spheres and capsules, the indices are those of the field Text of [exact.Decimal3].
func (c *chunk) keepText(i, slot int, field string) {
	_, long, err := exact.ReadDecimal(field)
	if errors.Is(err, exact.ErrTooLong) {
		c.wrong(i, problem.CodeTooManyDigits, tooManyDigits)
	}
	c.texts[slot] = long // empty for a number in hexadecimal digits
}

// name returns the solid's name, or "".
func (c *chunk) name() string {
	name := c.cell(c.index.name)
	if utf8.RuneCountInString(name) > MaxName {
		c.wrong(c.index.name, problem.CodeTooLong, tooLong, MaxName)
	}
	return name
}

// cell returns field i of the row, or "" if i is negative.
func (c *chunk) cell(i int) string {
	switch {
	case i < 0:
		return ""
	case c.table != nil:
		return strings.TrimSpace(c.word(i))
	}
	return strings.TrimSpace(c.fields[i])
}

// rotation returns the rotation of a row in the form that g selects. Invalid values, which are reported elsewhere,
// may give any rotation.
func (n *numbers) rotation(g given) geom.Mat3 {
	switch {
	case g.degrees:
		a := n.vector(slotDegrees)
		return geom.RotationXYZ(geom.Angle(a.X), geom.Angle(a.Y), geom.Angle(a.Z))
	case g.axis:
		rotation, _ := geom.RotationAxis(n.vector(slotAxis), geom.Angle(n[slotAngle]))
		return rotation
	case g.quaternion:
		q := n.quaternion()
		rotation, _ := geom.RotationQuaternion(q[0], q[1], q[2], q[3])
		return rotation
	case g.axes:
		return n.axes()
	}
	return geom.Identity()
}

// surfaceOf returns the index of the material from the row or, if it has none, from the table, and whether
// either has one.
func (c *chunk) surfaceOf(n *numbers) (m uint32, has surfaceFlags) {
	m = c.surface
	color, material := c.cell(c.index.color), c.cell(c.index.material)
	if c.given.channels {
		m = c.matte(shade.FromSRGB(n[slotColor], n[slotColor+1], n[slotColor+2]))
	}
	if color != "" {
		m = c.matte(c.color(color))
	}
	if material != "" {
		m = c.material(material)
	}
	if c.given.value {
		m = c.surfaceOfRow(valued(n[slotValue], nil))
	}
	forms := c.oneOf(choice{c.index.material, material != ""}, choice{c.index.color, color != ""}, choice{c.index.channels, c.given.channels}, choice{c.index.value, c.given.value})
	if !c.bulk.bare || forms > 0 {
		has = hasSurface
	}
	return m, has
}

// choice is one of several ways to state a property of a solid.
type choice struct {
	column int // its first column
	given  bool
}

// OneOf returns how many of the forms the row fills. It reports an error for each but the first: a file may have the
// columns of several forms, but a row may fill only the columns of one.
func (c *chunk) oneOf(forms ...choice) (n int) {
	first := ""
	for _, f := range forms {
		switch {
		case !f.given:
			continue
		case n == 0:
			first = c.columns[f.column].name
		default:
			message := keytable.Conflict
			if f.column == c.index.value {
				message = valueConflict
			}
			c.wrong(f.column, problem.CodeConflict, message, first)
		}
		n++
	}
	return n
}

// manyMaterials is the number of materials at which a chunk allocates room for one material per row. With that many
// materials, its colors probably do not repeat.
const manyMaterials = 512

// matte returns the index of a material whose color comes from the row.
func (c *chunk) matte(albedo shade.Color) uint32 {
	return c.surfaceOfRow(shade.Material{Albedo: albedo})
}

// surfaceOfRow returns the index of a material that comes from the row.
func (c *chunk) surfaceOfRow(m shade.Material) uint32 {
	if n := len(c.own.materials); n == manyMaterials {
		c.own.grow(0, max(0, cap(c.objects)-n))
	}
	return uint32(len(c.tables.materials)) + c.own.addMaterial(m)
}

func (c *chunk) color(field string) shade.Color {
	value, ok := keytable.ParseColor(field)
	switch {
	case ok:
	case strings.HasPrefix(field, "#"):
		c.wrong(c.index.color, problem.CodeBadColor, keytable.BadColor)
	default:
		c.errors.addError(func() *problem.Error {
			e := c.rows.wrong(c.index.color, columnColor, problem.CodeUnknownColor, keytable.UnknownColor)
			if e.Suggestion = keytable.WithHash(field); e.Suggestion == "" {
				e.Suggestion = text.ClosestWord(field, keytable.ColorNames())
			}
			return e
		})
	}
	return value
}

func (c *chunk) material(name string) uint32 {
	if c.materials == nil {
		return 0
	}
	m, ok := c.materials.use(name)
	if !ok {
		c.errors.addError(func() *problem.Error {
			e := c.rows.wrong(c.index.material, columnMaterial, problem.CodeUnknownMaterial, unknownMaterial)
			c.materials.reportUnknown(e, name)
			return e
		})
	}
	return m
}
