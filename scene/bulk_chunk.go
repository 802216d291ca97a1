package scene

import (
	"bytes"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/shade"
	"pillbox/shapes"
)

// partSize is how many bytes of a bulk file make a part, which is read by one goroutine: many
// rows, and still many parts.
const partSize = 1 << 18

// part is a part of a bulk file, and the solids in it.
type part struct {
	*bulk // is only read
	rows

	spheres  []shapes.Sphere // or
	capsules []shapes.Capsule
	boxes    []shapes.Box
	objects  []Object // one for every row, also for those that are wrong:
	unsound  []int
	lines    []run
	errors   someErrors
	given    given
}

// given says which optional groups of columns the row has.
type given struct{ degrees, quaternion, channels bool }

// split returns the rows of a text, which begins at the given line of the file, in parts.
func (b *bulk) split(text []byte, line int) []*part {
	var parts []*part
	for len(text) > 0 {
		n := partEnd(text)
		parts = append(parts, &part{bulk: b, rows: newRows(b.File, text[:n], line)})
		line += bytes.Count(text[:n], []byte("\n"))
		text = text[n:]
	}
	return parts
}

// partEnd returns the length of a part at the beginning of the text: one that ends with a line
// and, as it has an even number of quotes, not within a quoted field.
func partEnd(text []byte) int {
	quotes, counted := 0, 0
	for end := min(partSize, len(text)); ; {
		n := bytes.IndexByte(text[end:], '\n')
		if n < 0 {
			return len(text)
		}
		end += n + 1
		if quotes += bytes.Count(text[counted:end], []byte(`"`)); quotes%2 == 0 {
			return end
		}
		counted = end
	}
}

// read reads the rows of the part.
func (p *part) read() {
	for {
		err := p.next()
		if err == io.EOF {
			p.packNames()
			p.rows = rows{} // lets go of the text
			return
		}
		if p.objects == nil {
			p.expect(len(p.text)/int(p.csv.InputOffset()) + 1)
		}
		before := p.errors.count
		p.lines = appendLine(p.lines, len(p.objects), p.row(err))
		if p.errors.count > before {
			p.unsound = append(p.unsound, len(p.objects)-1)
		}
	}
}

// packNames puts the names of all solids into one string, so that they do not keep their rows
// in memory.
func (p *part) packNames() {
	n := 0
	for i := range p.objects {
		n += len(p.objects[i].Name)
	}
	var all strings.Builder
	all.Grow(n)
	for i := range p.objects {
		name := &p.objects[i].Name
		start := all.Len()
		all.WriteString(*name)
		*name = all.String()[start:]
	}
}

// expect makes room for n solids.
func (p *part) expect(n int) {
	p.objects = make([]Object, 0, n)
	switch p.kind {
	case sphereKind:
		p.spheres = make([]shapes.Sphere, 0, n)
	case capsuleKind:
		p.capsules = make([]shapes.Capsule, 0, n)
	case boxKind:
		p.boxes = make([]shapes.Box, 0, n)
	}
}

// row reads the solid of a row, for which next returned err, and returns the row's line.
func (p *part) row(err error) (line int) {
	n, o := p.numbers, Object{}
	p.given = given{}
	switch e := p.misquoted(err); {
	case e != nil:
		line = e.Line
		p.errors.add(func() *Error { return e })
	case len(p.fields) != len(p.columns):
		line = p.rowLine()
		p.errors.add(func() *Error {
			e := p.missing("", CodeWrongLength, "must have %d fields, one for each column", len(p.columns))
			e.Value = strconv.Itoa(len(p.fields))
			return e
		})
	default:
		line = p.rowLine()
		p.readNumbers(&n)
		o = Object{Name: p.cell(p.index.name), Material: p.surfaceOf(&n)}
	}
	p.add(&n)
	p.objects = append(p.objects, o)
	return line
}

// add adds the shape of a solid.
func (p *part) add(n *numbers) {
	switch p.kind {
	case sphereKind:
		p.spheres = append(p.spheres, shapes.Sphere{Center: n.vector(slotPoint), Radius: n[slotRadius]})
	case capsuleKind:
		p.capsules = append(p.capsules, shapes.Capsule{A: n.vector(slotPoint), B: n.vector(slotSize), Radius: n[slotRadius]})
	case boxKind:
		p.boxes = append(p.boxes, shapes.Box{Center: n.vector(slotPoint), HalfExtents: n.vector(slotSize), Rotation: p.rotation(n)})
	}
}

// wrong reports field i of the row.
func (p *part) wrong(i int, code Code, format string, args ...any) {
	p.errors.add(func() *Error { return p.rows.wrong(i, p.columns[i].name, code, format, args...) })
}

func (p *part) readNumbers(n *numbers) {
	p.given = given{p.has(p.index.degrees), p.has(p.index.quaternion), p.has(p.index.channels)}
	before := p.errors.count
	for i := range p.columns {
		if c := &p.columns[i]; c.slot >= 0 {
			p.number(i, c, &n[c.slot])
		}
	}
	if p.given.quaternion && p.errors.count == before && n.quaternion() == [4]float64{} {
		p.wrong(p.index.quaternion, CodeZeroVector, "a quaternion must not be zero")
	}
}

// has reports whether any field in the group of column i is not empty, and false if i is
// negative.
func (p *part) has(i int) bool {
	return i >= 0 && slices.ContainsFunc(p.columns[i].group, func(i int) bool { return p.cell(i) != "" })
}

// number reads field i into x, which keeps what stands for a field that is not there.
func (p *part) number(i int, c *column, x *float64) {
	field := p.cell(i)
	v, err := strconv.ParseFloat(field, 64)
	switch {
	case err == nil && c.limits.contain(v):
		*x = v
	case field == "" && (p.spare[c.slot] || c.group != nil && !p.has(i)):
	case field == "":
		p.wrong(i, CodeMissingKey, "missing")
	case errors.Is(err, strconv.ErrSyntax):
		p.wrong(i, CodeWrongType, "must be a number")
	case math.IsNaN(v) || math.IsInf(v, 0):
		p.wrong(i, CodeNotFinite, "%s", c.limits.demand(v))
	default:
		p.wrong(i, CodeOutOfRange, "%s", c.limits.demand(v))
	}
}

// cell returns field i of the row, and nothing if i is negative.
func (p *part) cell(i int) string {
	if i < 0 {
		return ""
	}
	return strings.TrimSpace(p.fields[i])
}

func (p *part) rotation(n *numbers) geom.Mat3 {
	switch {
	case p.given.degrees:
		a := n.vector(slotDegrees)
		return geom.RotationXYZ(geom.Angle(a.X), geom.Angle(a.Y), geom.Angle(a.Z))
	case p.given.quaternion:
		q := n.quaternion()
		rotation, _ := geom.RotationQuaternion(q[0], q[1], q[2], q[3]) // not zero, or an error anyway
		return rotation
	}
	return geom.Identity()
}

// surfaceOf returns what the row says of the surface, and otherwise what the table does.
func (p *part) surfaceOf(n *numbers) shade.Material {
	m := p.surface
	color, material := p.cell(p.index.color), p.cell(p.index.material)
	if p.given.channels {
		m = shade.Material{Albedo: shade.FromSRGB(n[slotColor], n[slotColor+1], n[slotColor+2])}
	}
	if color != "" {
		m = shade.Material{Albedo: p.color(color)}
	}
	if material != "" {
		m = p.material(material)
	}
	if color != "" && material != "" {
		p.wrong(p.index.color, CodeConflict, "cannot stand beside material")
	}
	return m
}

func (p *part) color(text string) shade.Color {
	c, ok := parseColor(text)
	switch {
	case ok:
	case strings.HasPrefix(text, "#"):
		p.wrong(p.index.color, CodeBadColor, badColor)
	default:
		p.errors.add(func() *Error {
			e := p.rows.wrong(p.index.color, columnColor, CodeUnknownColor, unknownColor)
			e.Suggestion = nearest(text, colorNames())
			return e
		})
	}
	return c
}

func (p *part) material(name string) shade.Material {
	if p.materials == nil {
		return shade.Material{}
	}
	m, ok := p.materials.use(name)
	if !ok {
		p.errors.add(func() *Error {
			e := p.rows.wrong(p.index.material, columnMaterial, CodeUnknownMaterial, unknownMaterial)
			e.Suggestion = p.materials.suggest(name)
			return e
		})
	}
	return m
}
