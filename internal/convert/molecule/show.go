package molecule

import (
	"slices"
	"strings"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/selection"
	"pillbox/problem"
)

// Sizes of sticks, rods and balls, which are not to scale. The radii are in angstrom.
const (
	stickRadius = 0.2  // of Sticks
	rodRadius   = 0.15 // of BallsAndSticks
	ballScale   = 0.25 // ratio of a ball's radius to the van der Waals radius
)

// show adds spheres and capsules for the atoms and bonds.
func (m *molecule) show(s *model.Scene) error {
	p := &painter{molecule: m, scene: s, known: make(map[string]bool), ofResidue: make([]model.Label, len(m.residues))}
	p.placeParts()
	if err := p.captions(); err != nil {
		return err
	}
	style := m.Style
	hull := p.hull()
	switch m.Color {
	case ByBFactor:
		p.ramp = m.bFactorRamp()
	case ByPosition:
		p.ramp, p.positions = positionRamp(), m.positions()
	}
	if style == Tube {
		p.tubes()
		m.keep(func(i int) bool {
			r := m.atoms[i].residue
			return r == noResidue || m.classes[r]&(polymer|selection.Water) == 0
		})
		style, p.Color = Sticks, ByElement
	}
	p.show(style)
	for _, h := range hull {
		h.part.Spheres = append(h.part.Spheres, h.Sphere)
	}
	if m.Cell {
		p.cellEdges()
	}
	if m.tooDense {
		s.Account.Note("crowded place", "left without bonds", problem.Error{File: m.file})
	}
	s.Account.Add(m.account)
	return nil
}

// hullSphere is a sphere of the hull, and the part to which it belongs.
type hullSphere struct {
	part *model.Part
	model.Sphere
}

// hull returns the spheres of the atoms that get a ghost.
func (p *painter) hull() (list []hullSphere) {
	for i := range p.atoms {
		if a := &p.atoms[i]; a.ghost {
			s := model.Sphere{Center: a.at, Radius: a.spaceFillRadius(), Label: model.Label{Name: p.fullName(a), InHull: true}}
			list = append(list, hullSphere{p.part(a), s})
		}
	}
	return list
}

// spaceFillRadius returns the radius of an atom in the style [SpaceFill].
func (a *atom) spaceFillRadius() float64 {
	if a.radius > 0 {
		return a.radius
	}
	return elements[a.element].vanDerWaalsRadius()
}

// show adds solids in a style other than [Tube]. In the style [SpaceFill], it omits atoms that get a ghost.
func (p *painter) show(style Style) {
	alone := make([]bool, len(p.atoms)) // which atoms have no bonds
	for i := range alone {
		alone[i] = true
	}
	if style != SpaceFill {
		bonds := p.findBonds()
		radius := stickRadius
		if style == BallsAndSticks {
			radius = rodRadius
		}
		p.sticks(bonds, radius)
		for _, b := range bonds {
			alone[b.a], alone[b.b] = false, false
		}
	}
	if style != Sticks {
		p.reserve()
	}
	for i := range p.atoms {
		a := &p.atoms[i]
		radius := a.spaceFillRadius()
		if style != SpaceFill {
			radius = elements[a.element].vanDerWaalsRadius() * ballScale
		}
		if style == SpaceFill && !a.ghost || style == BallsAndSticks || style == Sticks && alone[i] {
			label := p.label(a)
			label.Name = p.fullName(a)
			part := p.part(a)
			part.Spheres = append(part.Spheres, model.Sphere{Center: a.at, Radius: radius, Label: label})
		}
	}
}

// reserve makes room for a sphere for each atom.
func (p *painter) reserve() {
	counts := make(map[*model.Part]int)
	for first := 0; first < len(p.atoms); {
		end := p.residueEnd(first)
		counts[p.part(&p.atoms[first])] += end - first
		first = end
	}
	for part, n := range counts {
		part.Spheres = slices.Grow(part.Spheres, n)
	}
}

// painter assigns colors to atoms, as materials of the scene, and solids to parts.
type painter struct {
	*molecule
	scene     *model.Scene
	known     map[string]bool
	chains    int
	parts     []*model.Part              // by index of the residue; nil: the scene
	ofElement [len(elements)]model.Label // by element
	ofResidue []model.Label              // by index of the residue
	ramp      *ramp                      // for B-factors or positions
	positions []float64                  // by index of the residue
}

// part returns the part for the solids of an atom.
func (p *painter) part(a *atom) *model.Part {
	if p.parts == nil || a.residue == noResidue {
		return &p.scene.Part
	}
	return p.parts[a.residue]
}

// placeParts chooses the part for the solids of each residue, and places the parts as the chosen assembly says. Chains
// that are copied by the same movements share one part. A chain with a single copy that is not moved remains in the
// scene itself.
func (p *painter) placeParts() {
	if p.chosen == nil {
		return
	}
	p.parts = make([]*model.Part, len(p.residues))
	shown := make([]bool, len(p.residues))
	for i := range p.atoms {
		if r := p.atoms[i].residue; r != noResidue {
			shown[r] = true
		}
	}
	made := make(map[string]*model.Part) // by the names of movements
	ofUnit := make(map[string]*model.Part)
	for i := range p.residues {
		unit := p.residues[i].unit
		if !shown[i] {
			continue
		}
		if ofUnit[unit] == nil {
			moves := p.chosen.movements[unit]
			var key strings.Builder
			for _, v := range moves {
				key.WriteString(v.name)
				key.WriteByte(0)
			}
			part := made[key.String()]
			if part == nil {
				part = p.place(moves)
				made[key.String()] = part
			}
			ofUnit[unit] = part
		}
		p.parts[i] = ofUnit[unit]
	}
}

// place returns a new part for chains with the given movements, and places a copy of the part in the scene for each
// movement. If the only movement is the identity, place returns the scene's own part instead, without a placement.
func (p *painter) place(moves []movement) *model.Part {
	if len(moves) == 1 && moves[0].isIdentity() {
		return &p.scene.Part
	}
	part := &model.Part{Name: "unit"}
	for _, v := range moves {
		p.scene.Places = append(p.scene.Places, model.Place{Part: part, Name: v.name, Pose: v.pose})
	}
	return part
}

// sticks adds a capsule for each bond. If the two atoms of a bond differ in color or part, the bond becomes two
// capsules, one from each atom to the middle. A bond of length 0 is omitted.
func (p *painter) sticks(bonds []bond, radius float64) {
	for _, bond := range bonds {
		a, b := &p.atoms[bond.a], &p.atoms[bond.b]
		if a.at == b.at {
			continue
		}
		first, second := p.label(a), p.label(b)
		from, to := p.part(a), p.part(b)
		if first == second && from == to {
			from.Capsules = append(from.Capsules, model.Capsule{A: a.at, B: b.at, Radius: radius, Label: first})
			continue
		}
		middle := a.at.AddScaled(0.5, b.at.Sub(a.at))
		from.Capsules = append(from.Capsules, model.Capsule{A: a.at, B: middle, Radius: radius, Label: first})
		to.Capsules = append(to.Capsules, model.Capsule{A: middle, B: b.at, Radius: radius, Label: second})
	}
}

// cellEdges adds the edges of the unit cell.
func (p *painter) cellEdges() {
	const radius = 0.1
	label := p.material("unit cell", "#808080")
	edges := [...]geom.Vec3{p.edges.X, p.edges.Y, p.edges.Z}
	for i, edge := range edges {
		u, v := edges[(i+1)%3], edges[(i+2)%3]
		for _, corner := range [...]geom.Vec3{{}, u, v, u.Add(v)} {
			p.scene.Capsules = append(p.scene.Capsules, model.Capsule{A: corner, B: corner.Add(edge), Radius: radius, Label: label})
		}
	}
}

// label returns a label that names the material of an atom.
func (p *painter) label(a *atom) model.Label {
	switch {
	case a.residue == noResidue && p.Color != ByBFactor, p.Color == ByElement:
	case p.Color == ByBFactor:
		return p.ramp.label(p.scene, a.bFactor)
	case p.Color == ByPosition:
		if at := p.positions[a.residue]; at >= 0 {
			return p.ramp.label(p.scene, at)
		}
	default:
		label := &p.ofResidue[a.residue]
		if label.Material == "" {
			switch r := &p.residues[a.residue]; p.Color {
			case ByChain:
				*label = p.material(strings.TrimSpace("chain "+r.chain), "")
			case ByResidue:
				*label = p.material(r.kind, residueColor(r.kind))
			}
		}
		return *label
	}
	label := &p.ofElement[a.element]
	if label.Material == "" {
		e := &elements[a.element]
		*label = p.material(e.name, e.color)
	}
	return *label
}

// material returns a label that names a material. If the scene lacks this material, the function adds it with the
// given color; "" means the next of the chains' colors.
func (p *painter) material(name string, color model.Color) model.Label {
	name = p.word([]byte(name))
	if !p.known[name] {
		p.known[name] = true
		if color == "" {
			color = chainColors[p.chains%len(chainColors)]
			p.chains++
		}
		p.scene.Materials = append(p.scene.Materials, model.Material{Name: name, Color: color})
	}
	return model.Label{Material: name}
}

// unknownAtom notes an atom whose element is not known.
func (m *molecule) unknownAtom(at problem.Error) {
	m.account.Note("unknown atom", "shown in pink", at)
}
