package molecule

import (
	"pillbox/internal/convert/model"
	"pillbox/scene"
)

// Sizes in angstrom of parts that are not to scale.
const (
	stickRadius = 0.2  // of Sticks
	rodRadius   = 0.15 // of BallsAndSticks
	ballScale   = 0.25 // ratio of a ball's radius to the van der Waals radius
)

// show adds spheres and capsules for the atoms and bonds.
func (m *molecule) show(s *model.Scene) {
	p := &painter{molecule: m, scene: s, known: make(map[string]bool)}
	alone := make([]bool, len(m.atoms)) // which atoms have no bonds
	for i := range alone {
		alone[i] = true
	}
	if m.Style != SpaceFill {
		bonds := m.findBonds()
		radius := stickRadius
		if m.Style == BallsAndSticks {
			radius = rodRadius
		}
		s.Capsules = make([]model.Capsule, 0, 2*len(bonds))
		for _, b := range bonds {
			alone[b.a], alone[b.b] = false, false
			p.stick(&m.atoms[b.a], &m.atoms[b.b], radius)
		}
	}
	if m.Style != Sticks {
		s.Spheres = make([]model.Sphere, 0, len(m.atoms))
	}
	for i := range m.atoms {
		a := &m.atoms[i]
		radius := elements[a.element].radius()
		if m.Style != SpaceFill {
			radius *= ballScale
		}
		if m.Style != Sticks || alone[i] {
			label := p.label(a)
			label.Name = m.fullName(a)
			s.Spheres = append(s.Spheres, model.Sphere{Center: a.at, Radius: radius, Label: label})
		}
	}
	if m.tooDense {
		s.Account.Note("crowded place", "left without bonds", scene.Error{File: m.file})
	}
	s.Account.Add(m.account)
}

// painter assigns colors to atoms, as materials of the scene.
type painter struct {
	*molecule
	scene  *model.Scene
	known  map[string]bool
	chains int
}

// stick adds a bond: one capsule or, if the atoms have different colors, one for each half.
func (p *painter) stick(a, b *atom, radius float64) {
	first, second := p.label(a), p.label(b)
	if a.at == b.at {
		return
	}
	if first == second {
		p.scene.Capsules = append(p.scene.Capsules, model.Capsule{A: a.at, B: b.at, Radius: radius, Label: first})
		return
	}
	middle := a.at.AddScaled(0.5, b.at.Sub(a.at))
	p.scene.Capsules = append(p.scene.Capsules,
		model.Capsule{A: a.at, B: middle, Radius: radius, Label: first},
		model.Capsule{A: middle, B: b.at, Radius: radius, Label: second})
}

// label returns the label with an atom's material.
func (p *painter) label(a *atom) model.Label {
	e := &elements[a.element]
	name, color := e.name, e.color
	if a.residue != noResidue {
		switch r := &p.residues[a.residue]; p.Color {
		case ByChain:
			name, color = "chain "+r.chain, ""
		case ByResidue:
			name, color = r.kind, residueColor(r.kind)
		}
	}
	if p.Color != ByElement {
		name = p.word([]byte(name))
	}
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

// chainColors can be distinguished by people with any kind of color vision: Okabe and Ito, "Color Universal Design", 2008.
var chainColors = [...]model.Color{
	"#56b4e9", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#0072b2", "#d55e00", "#999999",
}

// residueColor returns the color for a kind of residue: the "amino" colors of the RasMol manual and, for nucleotides, the
// "shapely" colors.
func residueColor(kind string) model.Color {
	switch kind {
	case "ASP", "GLU":
		return "#e60a0a"
	case "CYS", "MET", "MSE":
		return "#e6e600"
	case "LYS", "ARG":
		return "#145aff"
	case "SER", "THR":
		return "#fa9600"
	case "PHE", "TYR":
		return "#3232aa"
	case "ASN", "GLN":
		return "#00dcdc"
	case "GLY":
		return "#ebebeb"
	case "LEU", "VAL", "ILE":
		return "#0f820f"
	case "ALA":
		return "#c8c8c8"
	case "TRP":
		return "#b45ab4"
	case "HIS":
		return "#8282d2"
	case "PRO":
		return "#dc9682"
	case "A", "DA":
		return "#a0a0ff"
	case "C", "DC":
		return "#ff8c4b"
	case "G", "DG":
		return "#ff7070"
	case "T", "DT", "U", "DU":
		return "#a0ffa0"
	}
	return "#bea06e"
}

// unknownAtom notes an atom whose element is not known.
func (m *molecule) unknownAtom(at scene.Error) {
	m.account.Note("unknown atom", "shown in pink", at)
}
