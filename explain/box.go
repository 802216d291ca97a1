package explain

import (
	"fmt"
	"math"

	"pillbox/geom"
	"pillbox/shapes"
)

const axes = "xyz"

// boxChord derives where the line o + t d crosses a box. The numbers are those of package
// shapes.
func boxChord(d *derivation[float], b *shapes.Box) chord {
	givenBox(d, b)
	d.let("f", "o - c", "from the centre to the ray's origin")
	d.let("o'", "(X · f, Y · f, Z · f)", "the origin in the box's frame")
	d.let("d'", "(X · d, Y · d, Z · d)", "the direction in the box's frame")
	for axis := range axes {
		slab(d, axis)
	}
	d.let("t_near", "max(in_x, in_y, in_z)", "the last entry")
	d.let("t_far", "min(out_x, out_y, out_z)", "the first exit")
	if d.holdsThen("t_near > t_far", "the line leaves one slab before it has entered them all: no roots") {
		return chord{}
	}
	c := chord{ok: true, near: float64(d.scalar("t_near")), far: float64(d.scalar("t_far"))}
	c.nearPart = boxFace(d, "in_", "t_near", -1)
	c.farPart = boxFace(d, "out_", "t_far", +1)
	if c.near == c.far {
		c.farPart = c.nearPart // the line touches an edge or a corner
	}
	return c
}

func givenBox(d *derivation[float], b *shapes.Box) {
	d.given("c", vector(b.Center), "centre")
	d.given("h", vector(b.HalfExtents), "half extents")
	d.given("X", vector(b.Rotation.X), "the box's own axes")
	d.given("Y", vector(b.Rotation.Y), "")
	d.given("Z", vector(b.Rotation.Z), "")
}

// slab derives where the line enters and leaves the space between the two faces across an
// axis of the box.
func slab(d *derivation[float], axis int) {
	x := axes[axis : axis+1]
	o, v, h := "o'."+x, "d'."+x, "h."+x
	into, out := "into the slab across "+x, "and out"
	switch {
	case !d.holds(v + " = 0"):
	case d.holds("|" + o + "| < " + h):
		d.claim(v+" = 0", "parallel to the slab across "+x)
		d.claim("|"+o+"| < "+h, "and always inside")
		into, out = "", ""
	case d.holds("|" + o + "| > " + h):
		d.claim(v+" = 0", "parallel to the slab across "+x)
		d.claim("|"+o+"| > "+h, "and never inside")
		into, out = "", ""
	default:
		d.claim(v+" = 0", "parallel to the slab across "+x)
		d.claim("|"+o+"| = "+h, "and in one of its faces: that gives NaN, which counts for nothing")
		into, out = "", ""
	}
	lower, upper := "(-"+h+" - "+o+") * (1 / "+v+")", "("+h+" - "+o+") * (1 / "+v+")"
	if math.Signbit(float64(d.of("d'").x[axis])) {
		lower, upper = upper, lower // the line comes from above
	}
	d.let("in_"+x, lower, into)
	d.let("out_"+x, upper, out)
}

// boxFace returns the face at which an end of the chord lies: that of the axis which gave it,
// the first of several.
func boxFace(d *derivation[float], prefix, end string, way float64) string {
	for axis := range axes {
		if d.holds(prefix + axes[axis:axis+1] + " = " + end) {
			return face(axis, math.Copysign(1, way*float64(d.of("d'").x[axis])))
		}
	}
	panic(fmt.Sprintf("explain: %s of %v comes from no face", end, d.values))
}

// face names a face of a box by the axis, 0 to 2, and the side.
func face(axis int, side float64) string {
	if side < 0 {
		return "face -" + axes[axis:axis+1]
	}
	return "face +" + axes[axis:axis+1]
}

// boxNormal derives the outward normal of the face with the given name.
func boxNormal(d *derivation[float], face string) geom.Vec3 {
	axis := map[byte]string{'x': "X", 'y': "Y", 'z': "Z"}[face[len(face)-1]]
	if face[len(face)-2] == '-' {
		axis = "-" + axis
	}
	return vec3(d.let("n", axis, "outward normal of the "+face))
}
