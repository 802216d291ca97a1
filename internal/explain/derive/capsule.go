package derive

import (
	"pillbox/geom"
	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// The parts of a capsule's surface.
const (
	partBody = "body"
	partA    = "ball around A"
	partB    = "ball around B"
)

// CapsuleParts returns the parts of a capsule, as [Chord] names them.
func CapsuleParts() []string { return []string{partBody, partA, partB} }

func ballA() ballSymbols {
	return ballSymbols{"f_A", "b_A", "l_A", "disc_A", "h_A", "near_A", "far_A"}
}

func ballB() ballSymbols {
	return ballSymbols{"f_B", "b_B", "l_B", "disc_B", "h_B", "near_B", "far_B"}
}

// capsule derives what package shapes computes about a capsule.
type capsule struct{ *shapes.Capsule }

// Chord implements [Solid].
func (c capsule) Chord(d *Derivation) Chord {
	d.Given("A", formula.Vector(c.A), "one end of the axis")
	d.Given("B", formula.Vector(c.B), "the other")
	d.Given("r", formula.Real(c.Radius), "radius")
	d.Let("w", "B - A", "the axis")
	d.Let("L", "|w|", "its length")
	d.Know("tiny", formula.Real(shapes.MinAxis), "no axis up to this many radii:")
	if d.Holds("L <= tiny * r") {
		d.Given("tiny", formula.Real(shapes.MinAxis), "no axis up to this many radii:")
		d.Claim("L <= tiny * r", "too short to have a direction: the capsule is a sphere")
		return onBall(d, "A", ballA(), partA)
	}
	d.Let("u", "w / L", "its direction")
	d.Let("f", "o - A", "from A to the ray's origin")
	d.Let("y", "f · u", "height of the origin above A, along the axis")
	d.Let("dy", "d · u", "how fast the ray rises")
	d.Let("f2", "f - y u", "the part of f perpendicular to the axis")
	d.Let("d2", "d - dy u", "the part of d perpendicular to the axis")
	d.Let("a", "|d2|²", "")
	d.Know("parallel", formula.Real(shapes.ParallelSine), "below this, a is rounding error:")
	if d.Holds("a < parallel²") {
		d.Given("parallel", formula.Real(shapes.ParallelSine), "below this, a is rounding error:")
		d.Claim("a < parallel²", "the line is parallel to the axis")
		return alongAxis(d)
	}
	return acrossAxis(d)
}

// acrossAxis derives the chord of a line that is not parallel to the axis. Seen along the axis, the infinite cylinder
// around it is a circle.
func acrossAxis(d *Derivation) Chord {
	d.Note("The infinite cylinder around the axis, seen along the axis:")
	d.Let("b", "-(f2 · d2) / a", "where the line is closest to the axis")
	d.Let("l", "f2 + b d2", "from the axis to that point")
	d.Let("disc", "r² - |l|²", "discriminant")
	if d.HoldsThen("disc < 0", "the line misses: no roots") {
		return Chord{}
	}
	if d.Holds("disc = 0") {
		d.Claim("disc = 0", "the line is tangent")
	}
	d.Let("h", "√(disc / a)", "half the chord")
	d.Let("c_near", "b - h", "the line enters the cylinder")
	d.Let("c_far", "b + h", "the line leaves it")
	d.Let("y_near", "y + c_near * dy", "the height there; the body reaches from 0 to L")
	d.Let("y_far", "y + c_far * dy", "")
	switch {
	case d.Holds("y_near < 0") && d.Holds("y_far < 0"):
		d.Claim("y_near < 0", "")
		d.Claim("y_far < 0", "both are beyond A: the ball there decides")
		return onBall(d, "A", ballA(), partA)
	case d.Holds("y_near > L") && d.Holds("y_far > L"):
		d.Claim("y_near > L", "")
		d.Claim("y_far > L", "both are beyond B: the ball there decides")
		return onBall(d, "B", ballB(), partB)
	}
	return throughBody(d)
}

// throughBody derives the chord of a line that passes through the body. The chord is the union of three intervals:
// where the line is inside the body, and where it is inside each of the two balls.
func throughBody(d *Derivation) Chord {
	d.Note("The body, the cylinder between the heights 0 and L:")
	atNear, atFar := bodyEnd(d, "near"), bodyEnd(d, "far")
	d.Note("The ball around A:")
	a := ballChord(d, "A", ballA())
	d.Note("The ball around B:")
	b := ballChord(d, "B", ballB())
	d.Note("The capsule is the union of the three:")
	union := func(side, at string) string {
		switch {
		case at == partA && a.OK:
			d.Let("t_"+side, side+"_A", "in the "+partA)
		case at == partB && b.OK:
			d.Let("t_"+side, side+"_B", "in the "+partB)
		case at == partBody:
			d.Let("t_"+side, "body_"+side, "in the body")
		default:
			d.Let("t_"+side, "body_"+side, "on the seam, where rounding makes the line miss the ball")
		}
		return at
	}
	c := Chord{OK: true, NearPart: union("near", atNear), FarPart: union("far", atFar)}
	if d.HoldsThen("t_far < t_near", "by rounding: the line is tangent at a seam") {
		d.Let("t_far", "t_near", "")
	}
	c.Near, c.Far = float64(d.Scalar("t_near")), float64(d.Scalar("t_far"))
	return c
}

// bodyEnd derives where the line enters (side near) or leaves (side far) the capsule's body, the cylinder around the
// axis. It returns the part of the capsule's surface through which the line enters or leaves the capsule on this
// side. This is the body or, if the line crosses one of the discs that end the body, the ball there.
func bodyEnd(d *Derivation, side string) string {
	y, t := "y_"+side, "body_"+side
	switch {
	case d.Holds(y + " < 0"):
		d.Claim(y+" < 0", "below A: through the disc that ends the body there, inside the ball")
		d.Let(t, "(0 - y) / dy", "")
		return partA
	case d.Holds(y + " > L"):
		d.Claim(y+" > L", "above B: through the disc that ends the body there, inside the ball")
		d.Let(t, "(L - y) / dy", "")
		return partB
	}
	switch {
	case d.HoldsThen(y+" = 0", "on the seam of body and ball A: the body counts"):
	case d.HoldsThen(y+" = L", "on the seam of body and ball B: the body counts"):
	default:
		d.Claim("0 < "+y+" < L", "between the ends")
	}
	d.Let(t, "c_"+side, "")
	return partBody
}

// onBall derives the chord of a line that can cross only one ball of the capsule.
func onBall(d *Derivation, center string, s ballSymbols, part string) Chord {
	c := ballChord(d, center, s)
	if c.OK {
		d.Let("t_near", s.near, "")
		d.Let("t_far", s.far, "")
		c.NearPart, c.FarPart = part, part
	}
	return c
}

// alongAxis derives the chord of a line parallel to the axis. If such a line hits the capsule, it enters through one
// ball and leaves through the other.
func alongAxis(d *Derivation) Chord {
	d.Note("The ball around A:")
	a := ballChord(d, "A", ballA())
	d.Note("The ball around B:")
	b := ballChord(d, "B", ballB())
	c := Chord{OK: true, NearPart: partA, FarPart: partB}
	forward := d.Holds("dy > 0")
	if forward {
		d.Claim("dy > 0", "the ray goes from A to B")
	} else {
		d.Claim("dy <= 0", "the ray goes from B to A")
		c.NearPart, c.FarPart = partB, partA
	}
	// Without rounding, such a line crosses both balls or neither. If the line misses one ball because of rounding, both
	// ends of the chord are on the other ball.
	switch {
	case !a.OK && !b.OK:
		return Chord{}
	case !a.OK:
		c.NearPart, c.FarPart = partB, partB
	case !b.OK:
		c.NearPart, c.FarPart = partA, partA
	}
	end := func(part string) string { return part[len(part)-1:] }
	d.Let("t_near", "near_"+end(c.NearPart), "into the first ball")
	d.Let("t_far", "far_"+end(c.FarPart), "out of the last")
	c.Near, c.Far = float64(d.Scalar("t_near")), float64(d.Scalar("t_far"))
	return c
}

// Normal implements [Solid]. The normal points away from the closest point of the axis.
func (c capsule) Normal(d *Derivation, e End) geom.Vec3 {
	d.Let("f", "o - A", "from A to the ray's origin")
	d.Let("p'", "f + "+e.Root+" d", "from A to the point")
	axisPoint(d, "p'")
	d.Let("q", "p' - k", "from the axis to the point")
	return roundNormal(d, "q", e.Normal)
}

// axisPoint derives k, the point of the axis that is closest to the point with the symbol p. Both points are
// relative to A.
func axisPoint(d *Derivation, p string) {
	d.Let("g", "w · "+p, "position along the axis, times its length")
	switch {
	case d.Holds("g <= 0"):
		d.Claim("g <= 0", "before A")
		d.Let("k", "(0, 0, 0)", "the closest point of the axis is A")
	case d.Holds("g >= |w|²"):
		d.Claim("g >= |w|²", "beyond B")
		d.Let("k", "w", "the closest point of the axis is B")
	default:
		d.Let("s", "g / |w|²", "axis parameter: 0 at A, 1 at B")
		d.Let("k", "s w", "the closest point of the axis")
	}
}

// Touches implements [Solid]. It compares the distance of two segments with the radius. See
// [geom.Segment.Dist2] for the method.
func (c capsule) Touches(d *Derivation) bool {
	d.Given("A", formula.Vector(c.A), "one end of the axis")
	d.Given("B", formula.Vector(c.B), "the other")
	d.Given("r", formula.Real(c.Radius), "radius")
	d.Let("w", "B - A", "the axis relative to A")
	d.Let("P'", "P - A", "the segment relative to A")
	d.Let("Q'", "Q - A", "")
	d.Let("e", "Q' - P'", "along the segment")
	d.Note("From P to the axis:")
	nearest(d, foot{from: zero, to: "w", along: "w", point: "P'", suffix: "_P"})
	d.Let("d_P", "|P' - k_P|²", "squared distance")
	d.Note("From Q to the axis:")
	nearest(d, foot{from: zero, to: "w", along: "w", point: "Q'", suffix: "_Q"})
	d.Let("d_Q", "|Q' - k_Q|²", "squared distance")
	d.Note("From A to the segment:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: zero, suffix: "_A"})
	d.Let("d_A", "|k_A|²", "squared distance")
	d.Note("From B to the segment:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: "w", suffix: "_B"})
	d.Let("d_B", "|w - k_B|²", "squared distance")
	d.Let("D", "min(d_P, d_Q, d_A, d_B)", "the smallest of the four")
	perpendicular(d)
	return atMost(d, "D", "r²")
}

// perpendicular derives the squared distance between the segment and the axis along the common perpendicular of their
// lines. If this is less than D, the smallest squared distance that was found from the ends, it becomes the new D. It
// counts only if the common perpendicular meets the axis between its ends.
func perpendicular(d *Derivation) {
	d.Let("n", "w × e", "perpendicular to both")
	if d.HoldsThen("|n|² = 0", "parallel, or one of them is a point: the ends decide") {
		return
	}
	d.Let("t", "(P' × e) · n / |n|²", "where the common perpendicular meets the axis: 0 at A, 1 at B")
	if !d.HoldsThen("0 < t < 1", "between A and B") {
		d.Note("The common perpendicular does not meet the axis between its ends: the ends decide.")
		return
	}
	d.Let("x", "t w", "there")
	d.Note("From there to the segment and back to the axis, which removes the rounding error of t:")
	nearest(d, foot{from: "P'", to: "Q'", along: "e", point: "x", suffix: "_y"})
	nearest(d, foot{from: zero, to: "w", along: "w", point: "k_y", suffix: "_x"})
	d.Let("d_xy", "|k_y - k_x|²", "squared distance")
	d.Let("D", "min(D, d_xy)", "the smallest of all")
}
