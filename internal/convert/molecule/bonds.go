package molecule

import (
	"cmp"
	"math"
	"slices"

	"pillbox/geom"
)

// Two atoms are bonded if their distance is at most the sum of their covalent radii plus slackOfBonds. Atoms closer than
// leastBond are the same atom, written twice.
const (
	slackOfBonds = 0.4
	leastBond    = 0.4
)

// maxNeighbors is the largest number of atoms that are examined in one cube of a [grid]. It is several times the number in
// the densest matter.
const maxNeighbors = 500

// maxBonds is the largest number of bonds from an atom to later atoms that are found by distance. If there are more, the
// region is denser than matter, and none of them is a bond. No atom in matter has more than about 16.
const maxBonds = 32

// findBonds returns the bonds in the file and, unless the file contains all bonds, those found by distance.
func (m *molecule) findBonds() []bond {
	bonds := m.bonds
	if !m.bonded {
		kinds := m.applyKnown(&bonds)
		bonds = m.byDistance(bonds, kinds)
	}
	slices.SortFunc(bonds, func(p, q bond) int { return cmp.Or(cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b)) })
	return slices.Compact(bonds)
}

// applyKnown appends the bonds that follow from m.known, which lists bonds that all residues of a kind have. It returns
// the set of these kinds.
func (m *molecule) applyKnown(bonds *[]bond) map[string]bool {
	of := make(map[string][]knownBond)
	kinds := make(map[string]bool)
	for _, k := range m.known {
		of[k.kind] = append(of[k.kind], k)
		kinds[k.kind] = true
	}
	if len(of) == 0 {
		return kinds
	}
	names := make(map[string]int32)
	for start := 0; start < len(m.atoms); {
		end := start + 1
		for end < len(m.atoms) && m.atoms[end].residue == m.atoms[start].residue {
			end++
		}
		if m.atoms[start].residue != noResidue {
			if known := of[m.residues[m.atoms[start].residue].kind]; len(known) > 0 {
				clear(names)
				for i := start; i < end; i++ {
					names[m.atoms[i].name] = int32(i)
				}
				for _, k := range known {
					a, okA := names[k.a]
					b, okB := names[k.b]
					if okA && okB && a != b {
						*bonds = append(*bonds, bond{min(a, b), max(a, b)})
					}
				}
			}
		}
		start = end
	}
	return kinds
}

// copyOf returns the number of an atom's copy in a filled cell.
func (m *molecule) copyOf(a *atom) int32 {
	if a.residue == noResidue {
		return 0
	}
	return m.residues[a.residue].copy
}

// byDistance appends bonds between atoms that are close to each other. It skips two atoms if each of them has a bond in
// the file, unless they are in different copies of the file's atoms: the file does not list bonds between these. It also skips two atoms of the same residue if the map kinds contains the residue's kind, because all bonds
// within such a residue are known.
func (m *molecule) byDistance(bonds []bond, kinds map[string]bool) []bond {
	g := newGrid(m.atoms)
	for i := range m.atoms {
		a, first := &m.atoms[i], len(bonds)
		g.around(a.at, func(k int32) {
			b := &m.atoms[k]
			if len(bonds)-first > maxBonds || k <= int32(i) || a.inBond && b.inBond && m.copyOf(a) == m.copyOf(b) {
				return
			}
			if a.residue == b.residue && a.residue != noResidue && kinds[m.residues[a.residue].kind] {
				return
			}
			d := a.at.Sub(b.at).Norm()
			if leastBond < d && d <= elements[a.element].covalentRadius()+elements[b.element].covalentRadius()+slackOfBonds {
				bonds = append(bonds, bond{int32(i), k})
			}
		})
		if len(bonds)-first > maxBonds {
			bonds, g.tooDense = bonds[:first], true
		}
	}
	m.tooDense = g.tooDense
	return bonds
}

// grid stores atoms by the cube that contains them, in a hash table. The edge of a cube is the longest possible bond.
type grid struct {
	atoms    []atom
	edge     float64
	heads    []int32 // the first atom of each hash value, or -1
	next     []int32 // the next atom with the same hash value
	tooDense bool    // not all atoms were examined, because some region has more atoms than matter can have
}

func newGrid(atoms []atom) *grid {
	size := 1
	for size < 2*len(atoms) {
		size *= 2
	}
	g := &grid{atoms: atoms, heads: make([]int32, size), next: make([]int32, len(atoms))}
	for i := range atoms {
		g.edge = max(g.edge, 2*elements[atoms[i].element].covalentRadius()+slackOfBonds)
	}
	for i := range g.heads {
		g.heads[i] = -1
	}
	for i := range atoms {
		h := g.hash(g.cube(atoms[i].at))
		g.next[i], g.heads[h] = g.heads[h], int32(i)
	}
	return g
}

// cube is the position of a cube, in multiples of the edge.
type cube struct{ x, y, z int64 }

func (g *grid) cube(p geom.Vec3) cube {
	at := func(x float64) int64 { return int64(math.Floor(x / g.edge)) }
	return cube{at(p.X), at(p.Y), at(p.Z)}
}

func (g *grid) hash(c cube) int {
	h := uint64(c.x)*0x9e3779b97f4a7c15 ^ uint64(c.y)*0xc2b2ae3d27d4eb4f ^ uint64(c.z)*0x165667b19e3779f9
	return int((h ^ h>>32) & uint64(len(g.heads)-1))
}

// around calls visit with the atoms in the cube that contains p and in the adjacent cubes.
func (g *grid) around(p geom.Vec3, visit func(int32)) {
	c := g.cube(p)
	for x := c.x - 1; x <= c.x+1; x++ {
		for y := c.y - 1; y <= c.y+1; y++ {
			for z := c.z - 1; z <= c.z+1; z++ {
				n := 0
				for i := g.heads[g.hash(cube{x, y, z})]; i >= 0; i = g.next[i] {
					if n++; n > maxNeighbors {
						g.tooDense = true
						break
					}
					if g.cube(g.atoms[i].at) == (cube{x, y, z}) {
						visit(i)
					}
				}
			}
		}
	}
}
