package derive

import (
	"fmt"
	"math"
	"strings"

	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

const axes = "xyz"

// box derives what package shapes computes about a box.
type box struct{ *shapes.Box }

// Chord implements [Solid].
func (b box) Chord(d *Derivation) Chord {
	b.given(d)
	d.Let("f", "o - c", "from the center to the ray's origin")
	d.Let("o'", "(X · f, Y · f, Z · f)", "the origin in the box's frame")
	d.Let("d'", "(X · d, Y · d, Z · d)", "the direction in the box's frame")
	for axis := range axes {
		slab(d, axis)
	}
	d.Let("t_near", "max(in_x, in_y, in_z)", "the last entry")
	d.Let("t_far", "min(out_x, out_y, out_z)", "the first exit")
	if d.HoldsThen("t_near > t_far", "the line leaves one slab before it enters another: no roots") {
		return Chord{}
	}
	c := Chord{OK: true, Near: float64(d.Scalar("t_near")), Far: float64(d.Scalar("t_far"))}
	c.NearPart = boxFace(d, "in_", "t_near", -1)
	c.FarPart = boxFace(d, "out_", "t_far", +1)
	if c.Near == c.Far {
		c.FarPart = c.NearPart // the line is tangent at an edge or a corner
	}
	return c
}

// given introduces the symbols of the box.
func (b box) given(d *Derivation) {
	d.Given("c", formula.Vector(b.Center), "center")
	d.Given("h", formula.Vector(b.HalfExtents), "half extents")
	d.Given("X", formula.Vector(b.Rotation.X), "the box's own axes")
	d.Given("Y", formula.Vector(b.Rotation.Y), "")
	d.Given("Z", formula.Vector(b.Rotation.Z), "")
}

// slab derives where the line enters and leaves the space between two opposite faces: a slab.
func slab(d *Derivation, axis int) {
	x := axes[axis : axis+1]
	o, v, h := "o'."+x, "d'."+x, "h."+x
	into, out := "enters the slab across "+x, "leaves it"
	switch {
	case !d.Holds(v + " = 0"):
	case d.Holds("|" + o + "| < " + h):
		d.Claim(v+" = 0", "parallel to the slab across "+x)
		d.Claim("|"+o+"| < "+h, "and always inside")
		into, out = "", ""
	case d.Holds("|" + o + "| > " + h):
		d.Claim(v+" = 0", "parallel to the slab across "+x)
		d.Claim("|"+o+"| > "+h, "and never inside")
		into, out = "", ""
	default:
		d.Claim(v+" = 0", "parallel to the slab across "+x)
		d.Claim("|"+o+"| = "+h, "and in one of its faces: the quotient is NaN, which is ignored")
		into, out = "", ""
	}
	lower, upper := "(-"+h+" - "+o+") * (1 / "+v+")", "("+h+" - "+o+") * (1 / "+v+")"
	switch along := float64(d.Of("d'").Part(axis)); {
	case along == 0 && math.Signbit(along): // -0: divide by 0 and negate instead
		lower, upper = "-("+h+" - "+o+") * (1 / |"+v+"|)", "-(-"+h+" - "+o+") * (1 / |"+v+"|)"
	case along < 0:
		lower, upper = upper, lower // the line comes from above
	}
	d.Let("in_"+x, lower, into)
	d.Let("out_"+x, upper, out)
}

// boxFace returns the name of the face at an end of the chord. At an edge or a corner, two or three faces meet. Then
// boxFace returns the face that is perpendicular to the first of their axes x, y and z.
func boxFace(d *Derivation, prefix, root string, sign float64) string {
	var tied []string
	first := 0
	for axis := len(axes) - 1; axis >= 0; axis-- {
		if symbol := prefix + axes[axis:axis+1]; d.Holds(symbol + " = " + root) {
			tied, first = append([]string{symbol}, tied...), axis
		}
	}
	if len(tied) == 0 {
		panic(fmt.Sprintf("explain: %s = %v comes from no face", root, d.Scalar(root)))
	}
	found := face(first, math.Copysign(1, sign*float64(d.Of("d'").Part(first))))
	if len(tied) > 1 {
		what := map[int]string{2: "on an edge, which two faces share", 3: "at a corner, which three faces share"}[len(tied)]
		d.Claim(strings.Join(tied, " = "), what+": the first axis decides, so the normal is that of the "+found)
	}
	return found
}

// face returns the name of a face of a box. The face is perpendicular to the axis, 0 to 2. It is on the negative
// side if side is negative.
func face(axis int, side float64) string {
	if side < 0 {
		return "face -" + axes[axis:axis+1]
	}
	return "face +" + axes[axis:axis+1]
}

// Normal implements [Solid]. The normal is that of the face.
func (b box) Normal(d *Derivation, e End) geom.Vec3 {
	axis := map[byte]string{'x': "X", 'y': "Y", 'z': "Z"}[e.Part[len(e.Part)-1]]
	if e.Part[len(e.Part)-2] == '-' {
		axis = "-" + axis
	}
	return formula.Vec3(d.Let(e.Normal, axis, "outward normal of the "+e.Part))
}

// Touches implements [Solid]. It clips the segment, from 0 at P to 1 at Q, by the three slabs of the box.
func (b box) Touches(d *Derivation) bool {
	b.given(d)
	d.Let("F", "P - c", "the ends relative to the center")
	d.Let("G", "Q - c", "")
	d.Let("P'", "(X · F, Y · F, Z · F)", "and in the box's axes")
	d.Let("Q'", "(X · G, Y · G, Z · G)", "")
	in, out := []string{"0"}, []string{"1"}
	for axis := range axes {
		x := axes[axis : axis+1]
		p, h, e := "P'."+x, "h."+x, "e_"+x
		d.Let(e, "Q'."+x+" - "+p, "along "+x)
		if d.HoldsThen(e+" = 0", "parallel to the slab") {
			if d.Holds("|" + p + "| > " + h) {
				d.Judge("|"+p+"| > "+h, formula.Rejects, "the segment stays outside this slab")
				return false
			}
			d.Claim("|"+p+"| <= "+h, "the whole segment is inside it")
			continue
		}
		lower, upper := "(-"+h+" - "+p+") / "+e, "("+h+" - "+p+") / "+e
		d.Let("in_"+x, "min("+lower+", "+upper+")", "enters the slab across "+x)
		d.Let("out_"+x, "max("+lower+", "+upper+")", "leaves it")
		in, out = append(in, "in_"+x), append(out, "out_"+x)
	}
	d.Let("first", call("max", in...), "the last entry, or P")
	d.Let("last", call("min", out...), "the first exit, or Q")
	return atMost(d, "first", "last")
}
