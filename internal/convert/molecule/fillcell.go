package molecule

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/selection"
)

// sameSite is a distance in angstrom. Two images of an atom that are closer are the same atom, and an atom that is closer
// to a face of the unit cell is on this face.
const sameSite = 0.05

// farthestSite is the largest fractional coordinate of an atom in the file.
const farthestSite = 100_000

// cellFilling replaces the atoms of a molecule by their symmetry images in the unit cell.
type cellFilling struct {
	*molecule
	operators []symmetryOperator
	sites     [][3]float64 // fractional coordinates of the atoms in the file
	margin    [3]float64   // sameSite in fractional coordinates, perpendicular to each pair of faces

	atoms    []atom
	bonds    []bond
	classes  []selection.Class
	partners [][]int32 // of each atom in the file, the atoms with greater indices to which the file bonds it
	taken    []bool    // by residue of the file: an image of the residue uses its index

	repeated []bool            // by operator and atom: an earlier operator moves the atom to the same place
	orbit    [][3]float64      // results of the operators for one atom
	merges   map[int32][]merge // of atoms at special positions that have bonds in the file
	index    map[imageOf]int32 // of the images of atoms that have bonds in the file
	imagesOf map[int32][]int32 // of the atoms in bonds between symmetry copies
}

// merge states that an operator and an earlier one move an atom to the same place, apart from a translation by edges.
type merge struct {
	op, first int32    // the operators
	shift     [3]int32 // the translation of the result of the earlier operator
}

// imageOf identifies an image.
type imageOf struct {
	op, atom int32
	shift    [3]int32
}

// maxComparisons limits the number of atoms times the square of the number of operators. With up to 100 operators, the
// limit of atoms in the cell is reached first.
const maxComparisons = 1_000_000_000

// image is an image of an atom of the file by the current operator.
type image struct {
	shift [3]int32 // the translation, in edges, from the result of the operator
	site  [3]float64
	atom  int32
}

// fillCell replaces the atoms by all their symmetry images in the unit cell. Atoms on faces are repeated on the opposite
// faces.
func (m *molecule) fillCell() error {
	reciprocal, ok := reciprocalOf(m.edges)
	if !ok {
		return fmt.Errorf("--fill-cell: the edges of the unit cell of %s lie in a plane", m.file)
	}
	m.warnIfMissing()
	f := &cellFilling{molecule: m, operators: m.symmetry.operators, taken: make([]bool, len(m.residues)), classes: m.classes}
	if len(f.operators) == 0 {
		f.operators = []symmetryOperator{identityOperator()}
	}
	if len(m.atoms) > MaxAtoms/len(f.operators) {
		return f.tooManyImages()
	}
	if n := len(f.operators); len(m.atoms) > maxComparisons/(n*n) {
		return fmt.Errorf("--fill-cell: %s has %d symmetry operators; with as many, it must have at most %d atoms", m.file, n, maxComparisons/(n*n))
	}
	if n := len(f.operators); len(m.copyBonds) > maxComparisons/(8*n*n) { // 8: images of an atom at a corner
		return fmt.Errorf("--fill-cell: %s has %d symmetry operators; with as many, it must have at most %d bonds between symmetry copies", m.file, n, maxComparisons/(8*n*n))
	}
	for i := range m.atoms {
		at := m.atoms[i].at
		site := [3]float64{reciprocal.X.Dot(at), reciprocal.Y.Dot(at), reciprocal.Z.Dot(at)}
		if max(math.Abs(site[0]), math.Abs(site[1]), math.Abs(site[2])) > farthestSite {
			return fmt.Errorf("--fill-cell: %s has atoms more than %d edges away from the unit cell", m.file, farthestSite)
		}
		f.sites = append(f.sites, site)
	}
	for i, r := range [...]geom.Vec3{reciprocal.X, reciprocal.Y, reciprocal.Z} {
		f.margin[i] = min(sameSite*r.Norm(), 0.25)
	}
	f.partners = make([][]int32, len(m.atoms))
	for _, b := range m.bonds {
		f.partners[b.a] = append(f.partners[b.a], b.b)
	}
	f.imagesOf = make(map[int32][]int32)
	for _, b := range m.copyBonds {
		f.imagesOf[b.a], f.imagesOf[b.b] = nil, nil
	}
	f.findRepeated(reciprocal)
	for k := range f.operators {
		if err := f.addImages(k); err != nil {
			return err
		}
	}
	f.bondMerged()
	f.bondCopies()
	m.atoms, m.bonds, m.classes = f.atoms, f.bonds, f.classes
	return nil
}

func (f *cellFilling) tooManyImages() error {
	return fmt.Errorf("--fill-cell: the unit cell of %s has more than %d atoms", f.file, MaxAtoms)
}

// reciprocalOf returns the reciprocal edges of a cell: the dot product of a point with them gives its fractional
// coordinates. It returns false if the edges lie in a plane.
func reciprocalOf(edges geom.Mat3) (geom.Mat3, bool) {
	bc, ca, ab := edges.Y.Cross(edges.Z), edges.Z.Cross(edges.X), edges.X.Cross(edges.Y)
	volume := edges.X.Dot(bc)
	const least = 1e-9 // ratio of the volume to that of a right-angled cell
	if !(math.Abs(volume) > least*float64(edges.X.Norm()*edges.Y.Norm())*edges.Z.Norm()) {
		return geom.Mat3{}, false
	}
	return geom.Mat3{X: bc.Div(volume), Y: ca.Div(volume), Z: ab.Div(volume)}, true
}

// addImages adds the images by the operator with index k. Images with the same translation are consecutive, in the order
// of the file, so that residues and bonds remain whole.
func (f *cellFilling) addImages(k int) error {
	var images []image
	for i := range f.sites {
		if f.repeated[k*len(f.sites)+i] {
			continue
		}
		images = f.inCell(images, f.operators[k].apply(f.sites[i]), int32(i))
		if len(f.atoms)+len(images) > MaxAtoms {
			return f.tooManyImages()
		}
	}
	slices.SortStableFunc(images, func(p, q image) int {
		return cmp.Or(cmp.Compare(p.shift[0], q.shift[0]), cmp.Compare(p.shift[1], q.shift[1]), cmp.Compare(p.shift[2], q.shift[2]))
	})
	for len(images) > 0 {
		n := 1
		for n < len(images) && images[n].shift == images[0].shift {
			n++
		}
		f.addCopy(k, images[:n])
		images = images[n:]
	}
	return nil
}

// findRepeated finds the atoms that an operator moves to the same place as an earlier one, apart from translations by
// edges of the cell. Such an atom is at a special position.
func (f *cellFilling) findRepeated(reciprocal geom.Mat3) {
	f.repeated = make([]bool, len(f.operators)*len(f.sites))
	f.merges, f.index = make(map[int32][]merge), make(map[imageOf]int32)
	reach := [3]float64{sameSite * reciprocal.X.Norm(), sameSite * reciprocal.Y.Norm(), sameSite * reciprocal.Z.Norm()}
	for n := range reach {
		reach[n] *= 1.01 // rounding
	}
	for i := range f.sites {
		f.orbit = f.orbit[:0]
		for k := range f.operators {
			at := f.operators[k].apply(f.sites[i])
			f.orbit = append(f.orbit, at)
			for j := range k {
				d, near := difference(&f.orbit[j], &at, &reach)
				if near && f.point(d).Norm() < sameSite {
					f.repeated[k*len(f.sites)+i] = true
					f.merge(int32(i), int32(k), int32(j))
					break
				}
			}
		}
	}
}

// difference returns the difference of two points, apart from translations by edges. It returns false if a component
// exceeds that of reach.
func difference(p, q, reach *[3]float64) (d [3]float64, near bool) {
	for n := range d {
		x := p[n] - q[n]
		if d[n] = x - math.RoundToEven(x); math.Abs(d[n]) > reach[n] {
			return d, false
		}
	}
	return d, true
}

// merge records that operators k and j move an atom to the same place, if the file bonds it.
func (f *cellFilling) merge(i, k, j int32) {
	if !f.molecule.atoms[i].inBond {
		return
	}
	x := f.mergeOf(i, j)
	x.op = k
	for n := range x.shift {
		x.shift[n] += int32(math.RoundToEven(f.orbit[k][n] - f.orbit[j][n]))
	}
	f.merges[i] = append(f.merges[i], x)
}

// mergeOf returns the merge of an atom by an operator. If no earlier operator moves the atom to the same place, the result
// names the operator itself as the first.
func (f *cellFilling) mergeOf(i, op int32) merge {
	all := f.merges[i]
	if at, ok := slices.BinarySearchFunc(all, op, func(x merge, op int32) int { return cmp.Compare(x.op, op) }); ok {
		return all[at]
	}
	return merge{op: op, first: op}
}

// bondMerged adds the images of bonds in the file to atoms at special positions. Such an image ends at an atom in another
// copy, with which the image of the atom is merged.
func (f *cellFilling) bondMerged() {
	for _, b := range f.molecule.bonds {
		for _, x := range f.merges[b.a] {
			f.bondImages(b, x.op)
		}
		for _, x := range f.merges[b.b] {
			f.bondImages(b, x.op)
		}
	}
}

// bondImages adds the images of a bond by an operator.
func (f *cellFilling) bondImages(b bond, op int32) {
	ends := [2]merge{f.mergeOf(b.a, op), f.mergeOf(b.b, op)}
	for _, m := range f.inCell(nil, f.operators[op].apply(f.sites[b.a]), b.a) {
		var at [2]int32
		both := true
		for n, atom := range [2]int32{b.a, b.b} {
			shift := ends[n].shift
			for axis := range shift {
				shift[axis] += m.shift[axis]
			}
			i, ok := f.index[imageOf{ends[n].first, atom, shift}]
			at[n], both = i, both && ok
		}
		if both {
			f.bonds = append(f.bonds, bond{min(at[0], at[1]), max(at[0], at[1])})
		}
	}
}

// bondCopies adds the images of bonds that the file states between symmetry copies, where both ends are in the cell.
func (f *cellFilling) bondCopies() {
	for _, b := range f.copyBonds {
		p, okP := f.copied(b.a, b.symmetry[0])
		q, okQ := f.copied(b.b, b.symmetry[1])
		if !okP || !okQ {
			continue
		}
		for k := range f.operators {
			other := f.operators[k].apply(q)
			for _, m := range f.inCell(nil, f.operators[k].apply(p), b.a) {
				end := [3]float64{other[0] + float64(m.shift[0]), other[1] + float64(m.shift[1]), other[2] + float64(m.shift[2])}
				i, j := f.imageAt(b.a, m.site), f.imageAt(b.b, end)
				if i >= 0 && j >= 0 && i != j {
					f.bonds = append(f.bonds, bond{min(i, j), max(i, j)})
				}
			}
		}
	}
}

// asInFile is the code of the symmetry copy that consists of the atoms in the file.
const asInFile = "1_555"

// copied returns the fractional coordinates of an atom in the symmetry copy with a code such as 2_655: the number of an
// operator, and a digit for the translation along each edge of the cell, where 5 means none. It returns false for other codes.
func (f *cellFilling) copied(atom int32, code string) (at [3]float64, ok bool) {
	number, shift, _ := strings.Cut(code, "_")
	k, err := strconv.Atoi(number)
	if err != nil || k < 1 || k > len(f.operators) || len(shift) != len(at) || strings.Trim(shift, "0123456789") != "" {
		return at, false
	}
	at = f.operators[k-1].apply(f.sites[atom])
	for n := range at {
		at[n] += float64(int(shift[n]) - '5')
	}
	return at, true
}

// imageAt returns the image of an atom at a place, or -1.
func (f *cellFilling) imageAt(atom int32, site [3]float64) int32 {
	at := f.point(site)
	for _, i := range f.imagesOf[atom] {
		if f.atoms[i].at.Sub(at).Norm() < sameSite {
			return i
		}
	}
	return -1
}

// point returns the point with the given fractional coordinates.
func (f *cellFilling) point(p [3]float64) geom.Vec3 {
	return f.edges.MulVec(geom.Vec3{X: p[0], Y: p[1], Z: p[2]})
}

// inCell appends the images of an atom that are in the cell: up to two along each edge.
func (f *cellFilling) inCell(images []image, site [3]float64, atom int32) []image {
	var first, last [3]int32
	for n, x := range site {
		first[n], last[n] = int32(math.Ceil(-f.margin[n]-x)), int32(math.Floor(1+f.margin[n]-x))
	}
	for x := first[0]; x <= last[0]; x++ {
		for y := first[1]; y <= last[1]; y++ {
			for z := first[2]; z <= last[2]; z++ {
				moved := [3]float64{site[0] + float64(x), site[1] + float64(y), site[2] + float64(z)}
				images = append(images, image{[3]int32{x, y, z}, moved, atom})
			}
		}
	}
	return images
}

// addCopy adds images by the operator with index k that have the same translation, with the bonds between them.
func (f *cellFilling) addCopy(k int, images []image) {
	f.copies++
	isFile := f.operators[k] == identityOperator() && images[0].shift == [3]int32{}
	first := int32(len(f.atoms))
	residueOf := make(map[int32]int32)
	for i := range images {
		a := f.molecule.atoms[images[i].atom]
		if !isFile {
			a.at = f.point(images[i].site)
		}
		if a.residue != noResidue {
			a.residue = f.residueIn(residueOf, a.residue)
		}
		if a.inBond && len(f.operators) > 1 {
			f.index[imageOf{int32(k), images[i].atom, images[i].shift}] = int32(len(f.atoms))
		}
		if of := images[i].atom; len(f.imagesOf) > 0 {
			if list, ok := f.imagesOf[of]; ok {
				f.imagesOf[of] = append(list, int32(len(f.atoms)))
			}
		}
		f.atoms = append(f.atoms, a)
	}
	for i := range images {
		for _, partner := range f.partners[images[i].atom] {
			at, found := slices.BinarySearchFunc(images, partner, func(m image, atom int32) int { return cmp.Compare(m.atom, atom) })
			if found {
				f.bonds = append(f.bonds, bond{first + int32(i), first + int32(at)})
			}
		}
	}
}

// residueIn returns the residue for atoms of the current copy whose residue in the file has the index r. The first copy of
// a residue has the index of the residue.
func (f *cellFilling) residueIn(residueOf map[int32]int32, r int32) int32 {
	if n, ok := residueOf[r]; ok {
		return n
	}
	n := r
	if f.taken[r] {
		n = int32(len(f.residues))
		f.residues = append(f.residues, f.residues[r])
		f.classes = append(f.classes, f.classes[r])
		f.original = append(f.original, r)
	}
	f.taken[r] = true
	f.residues[n].copy = f.copies
	residueOf[r] = n
	return n
}
