package scene

import "pillbox/geom"

// Label is a text at a point. Its box extends from the top of the capital letters to the baseline.
type Label struct {
	Text   string // lines are separated by \n
	At     geom.Vec3
	On     []Range // the solids that the label is on; At is their center; empty for a label at a point
	Offset [2]float64
	Anchor Anchor // the point of the text's box that is put at Offset, in pixels to the right and down, from the picture of At
	Leader bool   // draw a line from the text to the point
	Hidden Hidden
	Lettering
}

// partLabel is a label of a part, with the paths of the solids and placements that it is on.
type partLabel struct {
	noted
	Label
	rawOn any // the value of the key on, until it is resolved
	on    []solidPath
}

func (x *partLabel) aim(l *loader, p *part) {
	if x.rawOn != nil {
		x.on = l.aimNames(p, x.table, "on", x.rawOn)
	}
}

func (x *partLabel) place(in *noteInstance) error {
	label := x.Label
	at, err := in.moved("at", label.At)
	label.At, label.On = at, in.solids(x.on)
	in.scene.Annotations.Labels = append(in.scene.Annotations.Labels, label)
	in.scene.noteTables.labels = append(in.scene.noteTables.labels, x.table)
	return err
}
