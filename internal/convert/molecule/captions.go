package molecule

import (
	"fmt"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/selection"
	"pillbox/scene"
)

// captions adds the labels of chains, at the centers of their polymers, and of ligands, beside their centers.
func (p *painter) captions() error {
	if p.NameChains {
		if err := p.nameChains(); err != nil {
			return err
		}
	}
	if p.NameLigands {
		if err := p.nameLigands(); err != nil {
			return err
		}
	}
	n := len(p.scene.Captions)
	for i := range p.scene.Places {
		n += len(p.scene.Places[i].Part.Captions)
	}
	if n > scene.MaxAnnotations {
		return fmt.Errorf("--label: a scene has at most %d labels, and this one would have %d; select fewer chains", scene.MaxAnnotations, n)
	}
	return nil
}

// center is the mean of the positions of some atoms, at which a caption is placed.
type center struct {
	part *model.Part
	name string
	sum  geom.Vec3
	n    int
}

func (c *center) caption() model.Caption {
	return model.Caption{Text: c.name, At: c.sum.Div(float64(c.n))}
}

func (p *painter) nameChains() error {
	type key struct {
		part  *model.Part
		chain string
	}
	index := make(map[key]int)
	var centers []center
	for i := range p.atoms {
		a := &p.atoms[i]
		if a.residue == noResidue || p.classes[a.residue]&polymer == 0 {
			continue
		}
		k := key{p.part(a), p.residues[a.residue].chain}
		at, ok := index[k]
		if !ok {
			at = len(centers)
			index[k] = at
			centers = append(centers, center{part: k.part, name: k.chain})
		}
		centers[at].sum = centers[at].sum.Add(a.at)
		centers[at].n++
	}
	named := false
	for i := range centers {
		if c := &centers[i]; c.name != "" {
			c.part.Captions = append(c.part.Captions, c.caption())
			named = true
		}
	}
	if !named {
		return fmt.Errorf("--label: %s has no chains with names", p.file)
	}
	return nil
}

func (p *painter) nameLigands() error {
	const across, up = 60, -60 // pixels from the ligand to its label
	named := false
	for first := 0; first < len(p.atoms); {
		end := p.residueEnd(first)
		atoms := p.atoms[first:end]
		first = end
		r := atoms[0].residue
		if r == noResidue || p.classes[r]&(polymer|selection.Water|selection.Single) != 0 || p.residues[r].kind == "" {
			continue
		}
		c := center{name: p.residues[r].kind + " " + p.residues[r].number}
		for i := range atoms {
			c.sum = c.sum.Add(atoms[i].at)
			c.n++
		}
		caption := c.caption()
		caption.OffsetX, caption.OffsetY = across, up
		part := p.part(&atoms[0])
		part.Captions = append(part.Captions, caption)
		named = true
	}
	if !named {
		return fmt.Errorf("--label: %s has no ligands", p.file)
	}
	return nil
}
