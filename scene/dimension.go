package scene

import (
	"fmt"
	"slices"

	"pillbox/geom"
	"pillbox/internal/text"
	"pillbox/problem"
)

// Dimension is a line with arrows at its ends and a length.
type Dimension struct {
	From, To geom.Vec3 // the measured points, unless Across is set

	// Across measures a solid: "diameter", "length", "x", "y" or "z". Solid is its object number.
	Across string
	Solid  int

	Offset geom.Vec3 // from the measured points to the line, in scene coordinates
	Text   string    // {} is replaced by the length
	Hidden Hidden
	Quantity
	Lettering
}

// lengthMark is replaced by the length in the text of a dimension.
const lengthMark = "{}"

// partDimension is a dimension of a part, with the path of the solid that it measures, if any.
type partDimension struct {
	noted
	Dimension
	rawOn any
	on    []solidPath
}

func (x *partDimension) place(in *noteInstance) error {
	d := x.Dimension
	f := &in.transform
	d.From, d.To, d.Offset = f.point(d.From), f.point(d.To), f.rotation.MulVec(d.Offset.Scale(f.scale))
	if len(x.on) > 0 {
		d.Solid = in.solids(x.on)[0].First
	}
	for _, v := range []geom.Vec3{d.From, d.To, d.Offset} {
		if !geom.IsCoordinate(v) {
			return fmt.Errorf("outside the limits: coordinates must be finite and at most %g in magnitude, got %v", geom.MaxCoordinate, v)
		}
	}
	in.scene.Annotations.Dimensions = append(in.scene.Annotations.Dimensions, d)
	in.scene.noteTables.dimensions = append(in.scene.noteTables.dimensions, x.table)
	return nil
}

// acrossWords returns the words for the lengths of solids of all kinds that a [Dimension] can measure, such as
// "diameter".
func acrossWords() (words []string) {
	for _, k := range Kinds() {
		for _, w := range k.row().traits().lengths {
			if !slices.Contains(words, w) {
				words = append(words, w)
			}
		}
	}
	return words
}

// Lengths returns the words for the lengths of a solid of this kind that a [Dimension] can measure, such as "diameter".
// The default is the first.
func (k Kind) Lengths() []string { return slices.Clone(k.row().traits().lengths) }

// aim finds the solid that a dimension measures.
func (x *partDimension) aim(l *loader, p *part) {
	if x.rawOn == nil {
		return
	}
	t := x.table
	found, ok := l.aimAt(p, t, "on", x.rawOn)
	if !ok {
		return
	}
	kind, isSolid := ParseKind(found.element.table)
	if !isSolid {
		t.Wrong("on", problem.CodeUnknownTarget, "must be the name of a solid: a placement has no length of its own")
		return
	}
	x.on = []solidPath{{found.hops, found.element}}
	known := kind.row().traits().lengths
	switch {
	case x.Across == "" && kind == KindBox:
		t.Missing("across", problem.CodeMissingKey, "required for a box: x, y or z, its own axis along which to measure")
	case x.Across == "":
		x.Across = known[0]
	case !slices.Contains(known, x.Across):
		t.Wrong("across", problem.CodeUnknownValue, "must be %s for a %s", text.Series(known, "or"), kind)
	}
}
