package molecule

import (
	"math"
	"strings"

	"pillbox/geom"
	"pillbox/scene"
)

// cell is the unit cell of a crystal: lengths in angstrom, angles in degrees. A zero means unknown.
type cell struct{ a, b, c, alpha, beta, gamma float64 }

// readCell reads parameters of the cell. They may be distributed over several places in the file.
func (c *cif) readCell() error {
	for _, p := range [...]struct {
		item string
		to   *float64
	}{
		{"length_a", &c.cell.a}, {"length_b", &c.cell.b}, {"length_c", &c.cell.c},
		{"angle_alpha", &c.cell.alpha}, {"angle_beta", &c.cell.beta}, {"angle_gamma", &c.cell.gamma},
	} {
		if c.bytes(p.item) == nil {
			continue
		}
		x, err := c.float(p.item)
		if err != nil {
			return err
		}
		*p.to = x
	}
	return nil
}

// axes returns the edges of the cell: a along x, b in the plane of x and y. It returns false if the parameters do not
// describe a cell.
//
// Source: International Tables for Crystallography, volume F, section 11.4, and the convention of PDB files.
func (u *cell) axes() (geom.Mat3, bool) {
	for _, length := range [...]float64{u.a, u.b, u.c} {
		if !(length > 0) {
			return geom.Mat3{}, false
		}
	}
	for _, angle := range [...]float64{u.alpha, u.beta, u.gamma} {
		if !(0 < angle && angle < 180) {
			return geom.Mat3{}, false
		}
	}
	_, cosAlpha := sincos(u.alpha)
	_, cosBeta := sincos(u.beta)
	sinGamma, cosGamma := sincos(u.gamma)
	y := (cosAlpha - cosBeta*cosGamma) / sinGamma
	z := 1 - cosBeta*cosBeta - y*y
	if !(z > 0) { // such angles are impossible, or the edges lie in a plane
		return geom.Mat3{}, false
	}
	return geom.Mat3{
		X: geom.Vec3{X: u.a},
		Y: geom.Vec3{X: u.b * cosGamma, Y: u.b * sinGamma},
		Z: geom.Vec3{X: u.c * cosBeta, Y: u.c * y, Z: u.c * math.Sqrt(z)},
	}, true
}

// sincos returns the sine and the cosine of an angle in degrees. It is exact for a right angle.
func sincos(degrees float64) (sin, cos float64) {
	if degrees == 90 {
		return 1, 0
	}
	return math.Sincos(degrees * math.Pi / 180)
}

// crystalSite reads an atom with fractional coordinates. It skips atoms without a position and dummy atoms. Disorder groups
// are treated as alternate locations.
func (c *cif) crystalSite() error {
	c.models, c.fractional = 1, true
	if strings.EqualFold(string(c.bytes("calc_flag")), "dum") {
		return nil
	}
	for _, item := range fractions() {
		if c.bytes(item) == nil {
			c.account.Skip("atom without a position", c.Where())
			return nil
		}
	}
	if c.wanted != 1 {
		return nil
	}
	if c.full() {
		return tooMany(c.Reader)
	}
	a := candidate{occupancy: 1}
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
	if c.bytes("occupancy") != nil {
		if a.occupancy, err = c.float("occupancy"); err != nil {
			return err
		}
	}
	c.addResidue(a)
	return nil
}

// elementOf returns the element for a symbol that may have a charge, such as Cu2+, or for a label that begins with a
// symbol, such as C12A.
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

// toAngstrom converts the fractional coordinates of a crystal's atoms.
func (c *cif) toAngstrom() error {
	axes, ok := c.cell.axes()
	if !ok {
		return c.Whole("the atoms have coordinates of a unit cell, and _cell.length_a to _cell.angle_gamma are not those of one")
	}
	for i := range c.atoms {
		at := &c.atoms[i].at
		*at = axes.X.Scale(at.X).Add(axes.Y.Scale(at.Y)).Add(axes.Z.Scale(at.Z))
	}
	return nil
}

// componentAtom is an atom of a chemical component, such as a ligand. It has up to three positions.
type componentAtom struct {
	candidate
	at    [3]geom.Vec3
	known [3]bool
}

// componentPositions returns the items with the positions of a component's atoms: the idealized ones, those from an example
// structure, and those of the CCP4 monomer library.
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
	if len(c.components) >= MaxAtoms {
		return tooMany(c.Reader)
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
func (c *cif) addComponents() error {
	if len(c.components) == 0 || c.wanted != 1 {
		return nil
	}
	c.models = 1
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
	return &scene.Error{
		File: c.Name, Severity: scene.SeverityError, Code: scene.CodeMissingKey,
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
