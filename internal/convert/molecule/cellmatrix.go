package molecule

import (
	"math"
	"strconv"

	"pillbox/geom"
)

// cellMatrix is the matrix in a file that converts coordinates to fractional ones. It states where the unit cell lies.
type cellMatrix struct {
	rows  [3][4]float64 // each row of the matrix is followed by an element of the translation
	known [3]bool
	name  string // for messages
}

// set sets a row, unless the file states none: then an element is NaN, or all are zero.
func (c *cellMatrix) set(i int, row [4]float64, name string) {
	for _, x := range row {
		if math.IsNaN(x) {
			return
		}
	}
	if row != [4]float64{} {
		c.rows[i], c.known[i], c.name = row, true, name
	}
}

// isOf reports whether the matrix is that of a cell at the origin with the given edges, apart from rounding. It returns true
// for a matrix of which rows are unknown.
func (c *cellMatrix) isOf(edges geom.Mat3) bool {
	const rounding = 0.005 // files have six digits after the decimal point, and edges are at most a few thousand angstrom
	if c.known != [3]bool{true, true, true} {
		return true
	}
	for i, row := range c.rows {
		r := geom.Vec3{X: row[0], Y: row[1], Z: row[2]}
		got := [4]float64{r.Dot(edges.X), r.Dot(edges.Y), r.Dot(edges.Z), row[3]}
		var want [4]float64
		want[i] = 1
		for k := range got {
			if !(math.Abs(got[k]-want[k]) <= rounding) {
				return false
			}
		}
	}
	return true
}

// scaleRecord reads a row of the matrix of the cell, SCALE1 to SCALE3.
func (r *pdb) scaleRecord() {
	missing := math.NaN()
	row := [4]float64{optional(r.Columns(11, 20), missing), optional(r.Columns(21, 30), missing), optional(r.Columns(31, 40), missing), optional(r.Columns(46, 55), 0)}
	r.matrix.set(int(r.Text[5]-'1'), row, "SCALE")
}

// matrixRow reads the matrix of the cell.
func (c *cif) matrixRow() error {
	missing := math.NaN()
	for i := range c.matrix.rows {
		item := func(name string) int { return c.column("fract_transf_" + name) }
		n := "[" + strconv.Itoa(i+1) + "]"
		row := [4]float64{3: c.optional(item("vector"+n), 0)}
		for k := range 3 {
			row[k] = c.optional(item("matrix"+n+"["+strconv.Itoa(k+1)+"]"), missing)
		}
		c.matrix.set(i, row, "_atom_sites.fract_transf_matrix")
	}
	return nil
}
