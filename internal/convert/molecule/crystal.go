package molecule

import (
	"math"
	"strings"

	"pillbox/geom"
	"pillbox/problem"
)

// cell is the unit cell of a crystal: the lengths a, b and c in angstrom, and the angles alpha, beta and gamma in degrees.
type cell [6]cellParameter

// cellItems returns the names of the parameters of a cell in the category _cell.
func cellItems() [6]string {
	return [...]string{"length_a", "length_b", "length_c", "angle_alpha", "angle_beta", "angle_gamma"}
}

// cellParameter is a length or an angle of a cell and its place in the file.
type cellParameter struct {
	x     float64
	text  string
	at    problem.Error
	known bool
}

// readCell reads parameters of the cell. They may be distributed over several places in the file.
func (c *cif) readCell() error {
	for i, item := range cellItems() {
		text := c.bytes(item)
		if text == nil {
			continue
		}
		x, err := c.float(item)
		if err != nil {
			return err
		}
		c.cell[i] = cellParameter{x: x, text: string(text), at: c.fields.place(c.columns[item]), known: true}
	}
	return nil
}

// invalid returns the index of the first parameter that is unknown or out of range, and describes what is wrong with
// it. If all are valid, found is false.
func (u *cell) invalid() (i int, code problem.Code, why string, found bool) {
	for i, p := range u {
		switch isAngle := i >= 3; {
		case !p.known:
			return i, problem.CodeMissingKey, "missing, and the atoms have coordinates of a unit cell", true
		case !isAngle && !(p.x > 0):
			return i, problem.CodeOutOfRange, "must be positive", true
		case isAngle && !(0 < p.x && p.x < 180):
			return i, problem.CodeOutOfRange, "must be between 0 and 180 degrees", true
		}
	}
	return 0, "", "", false
}

// axes returns the edges of a cell: a along x, b in the plane of x and y. It returns false if a parameter is
// [cell.invalid], or if no cell has these angles.
//
// Source: International Tables for Crystallography, volume F, section 11.4, and the convention of PDB files.
func (u *cell) axes() (geom.Mat3, bool) {
	if _, _, _, invalid := u.invalid(); invalid {
		return geom.Mat3{}, false
	}
	a, b, c := u[0].x, u[1].x, u[2].x
	_, cosAlpha := sincos(u[3].x)
	_, cosBeta := sincos(u[4].x)
	sinGamma, cosGamma := sincos(u[5].x)
	y := (cosAlpha - float64(cosBeta*cosGamma)) / sinGamma
	z := 1 - float64(cosBeta*cosBeta) - float64(y*y)
	if !(z > 0) { // such angles are impossible, or the edges lie in a plane
		return geom.Mat3{}, false
	}
	return geom.Mat3{
		X: geom.Vec3{X: a},
		Y: geom.Vec3{X: b * cosGamma, Y: b * sinGamma},
		Z: geom.Vec3{X: c * cosBeta, Y: c * y, Z: c * math.Sqrt(z)},
	}, true
}

func sincos(degrees float64) (sin, cos float64) { return geom.Angle(degrees).SinCos() }

// crystalSite reads an atom with fractional coordinates. It skips atoms without a position and dummy atoms. Disorder groups
// are treated as alternate locations.
func (c *cif) crystalSite() error {
	if c.blockModels == 0 {
		c.blockModels = 1
		c.models++
		c.fractional, c.firstFraction = true, c.Where()
	}
	if c.models != c.wanted || strings.EqualFold(string(c.bytes("calc_flag")), "dum") {
		return nil
	}
	for _, item := range fractions() {
		if c.bytes(item) == nil {
			c.account.Skip("atom without a position", c.Where())
			return nil
		}
	}
	if c.full() {
		return c.tooMany("atoms", c.Reader)
	}
	var a candidate
	var err error
	if a.at, err = c.vector(fractions()); err != nil {
		return err
	}
	a.name = c.get("label")
	if a.element = elementOf(string(c.bytes("type_symbol"))); a.element == unknown {
		a.element = elementOf(a.name)
	}
	if a.element == unknown {
		c.unknownAtom(c.Where())
	}
	if group := strings.TrimLeft(string(c.bytes("disorder_group")), "-+"); group != "" && group != "0" {
		a.alternate = group[0]
	}
	a.occupancy = c.optional(c.column("occupancy"), 1)
	c.addResidue(a)
	return nil
}

// elementOf returns the element for a symbol that may be followed by a charge, such as Cu2+, or for a label that begins
// with a symbol, such as C12A.
func elementOf(label string) uint8 {
	letters := strings.IndexFunc(label, func(r rune) bool { return !('a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') })
	if letters < 0 {
		letters = len(label)
	}
	symbol := label[:letters]
	if n := numberOf(symbol); n != unknown || len(symbol) < 2 {
		return n
	}
	// A lower-case letter in a label belongs to the symbol.
	if n := numberOf(symbol[:2]); n != unknown && 'a' <= symbol[1] && symbol[1] <= 'z' {
		return n
	}
	return numberOf(symbol[:1])
}

// toAngstrom converts the fractional coordinates of a crystal's atoms to angstrom.
func (c *cif) toAngstrom() error {
	if i, code, why, found := c.cell.invalid(); found {
		return c.wrongCell(i, code, why)
	}
	axes, ok := c.cell.axes()
	if !ok {
		const gamma = 5
		return c.wrongCell(gamma, problem.CodeOutOfRange, "no unit cell has this angle and the angles alpha and beta of the file")
	}
	for i := range c.atoms {
		at := &c.atoms[i].at
		*at = axes.X.Scale(at.X).Add(axes.Y.Scale(at.Y)).Add(axes.Z.Scale(at.Z))
	}
	return nil
}

// wrongCell returns an error about a parameter of the cell. The error has the position of the parameter. If the
// file lacks the parameter, it has the position of the first atom that needs it.
func (c *cif) wrongCell(i int, code problem.Code, why string) error {
	message := "_cell." + cellItems()[i] + ": " + why
	p := c.cell[i]
	if !p.known {
		e := c.firstFraction
		e.Severity, e.Code, e.Message = problem.SeverityError, code, message
		return &e
	}
	return c.ErrorAt(p.at.Line, p.at.Column, []byte(p.text), code, message)
}

// componentAtom is an atom of a chemical component, such as a ligand. It has up to three positions.
type componentAtom struct {
	candidate
	at    [3]geom.Vec3
	known [3]bool
}

// componentPositions returns the names of the items with the positions of a component's atoms: idealized positions,
// positions from an example structure, and positions of the CCP4 monomer library.
func componentPositions() [3][3]string {
	return [...][3]string{
		{"pdbx_model_cartn_x_ideal", "pdbx_model_cartn_y_ideal", "pdbx_model_cartn_z_ideal"},
		{"model_cartn_x", "model_cartn_y", "model_cartn_z"},
		{"x", "y", "z"},
	}
}

// componentAtom reads an atom of a chemical component. Structure files list components without positions.
func (c *cif) componentAtom() error {
	var a componentAtom
	var err error
	for k, items := range componentPositions() {
		if !c.has(items) || c.bytes(items[0]) == nil || c.bytes(items[1]) == nil || c.bytes(items[2]) == nil {
			continue
		}
		if a.at[k], err = c.vector(items); err != nil {
			return err
		}
		a.known[k] = true
	}
	if a.known == [3]bool{} {
		return nil
	}
	if len(c.components) >= c.most() {
		return c.tooMany("atoms", c.Reader)
	}
	a.name = c.get("atom_id")
	a.element = elementOf(string(c.bytes("type_symbol")))
	a.residue = residue{kind: c.get("comp_id")}
	a.occupancy = 1
	if a.element == unknown {
		c.unknownAtom(c.Where())
	}
	c.components = append(c.components, a)
	return nil
}

// addComponents adds the atoms of the component to the molecule, with the first kind of position that all of them have.
// It returns an error if there is no such kind.
func (c *cif) addComponents() error {
	if c.models != c.wanted {
		return nil
	}
	for k := range componentPositions() {
		if !allKnown(c.components, k) {
			continue
		}
		for i := range c.components {
			a := &c.components[i]
			a.candidate.at = a.at[k]
			c.addResidue(a.candidate)
		}
		c.endResidue()
		return nil
	}
	return &problem.Error{
		File: c.Name, Severity: problem.SeverityError, Code: problem.CodeMissingKey,
		Message: "some atoms of the component have no ideal position and some no model position",
	}
}

func allKnown(atoms []componentAtom, position int) bool {
	for i := range atoms {
		if !atoms[i].known[position] {
			return false
		}
	}
	return true
}
