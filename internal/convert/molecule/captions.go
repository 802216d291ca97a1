package molecule

import (
	"cmp"
	"fmt"
	"slices"

	"pillbox/geom"
	"pillbox/internal/convert/model"
	"pillbox/internal/convert/selection"
	"pillbox/scene"
)

// captions adds the labels of chains, in their middles, and of ligands, beside their centers.
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

// printSize is the size of labels for print, in pixels: more than 6 points if the default width of 1280 pixels is printed as 85
// mm, the width of a column.
const printSize = 32

func (p *painter) caption(c *center) model.Caption {
	caption := model.Caption{Text: c.name, At: c.sum.Div(float64(c.n))}
	if p.Print {
		caption.Size = printSize
	}
	return caption
}

func (p *painter) nameChains() error {
	type key struct {
		part  *model.Part
		chain string
	}
	index := make(map[key]int)
	var chains []center
	var residues [][]geom.Vec3 // of each chain: the places of its residues
	for first := 0; first < len(p.atoms); {
		end := p.residueEnd(first)
		atoms := p.atoms[first:end]
		first = end
		a := &atoms[0]
		if a.residue == noResidue || p.classes[a.residue]&polymer == 0 {
			continue
		}
		place := a.at
		if point, ok := p.tracePoint(atoms); ok {
			place = point.at
		}
		k := key{p.part(a), p.residues[a.residue].chain}
		at, ok := index[k]
		if !ok {
			at = len(chains)
			index[k] = at
			chains, residues = append(chains, center{part: k.part, name: k.chain}), append(residues, nil)
		}
		chains[at].sum = chains[at].sum.Add(place)
		chains[at].n++
		residues[at] = append(residues[at], place)
	}
	named := false
	for i := range chains {
		if c := &chains[i]; c.name != "" {
			caption := p.caption(c)
			caption.At = nearest(residues[i], caption.At) // the center of a helix is empty
			c.part.Captions = append(c.part.Captions, caption)
			named = true
		}
	}
	if !named {
		return fmt.Errorf("--label: %s has no chains with names", p.file)
	}
	return nil
}

// nearest returns the first of the points that no other is nearer to p than.
func nearest(points []geom.Vec3, p geom.Vec3) geom.Vec3 {
	return slices.MinFunc(points, func(a, b geom.Vec3) int { return cmp.Compare(a.Sub(p).Norm(), b.Sub(p).Norm()) })
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
		caption := p.caption(&c)
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
