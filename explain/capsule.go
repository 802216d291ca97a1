package explain

import (
	"pillbox/geom"
	"pillbox/shapes"
)

// The parts of a capsule's surface.
const (
	partBody = "body"
	partA    = "ball around A"
	partB    = "ball around B"
)

func ballA() ballSymbols {
	return ballSymbols{"f_A", "b_A", "l_A", "disc_A", "h_A", "near_A", "far_A"}
}

func ballB() ballSymbols {
	return ballSymbols{"f_B", "b_B", "l_B", "disc_B", "h_B", "near_B", "far_B"}
}

// capsuleChord derives where the line o + t d crosses a capsule. The numbers are those of
// package shapes.
func capsuleChord(d *derivation[float], c *shapes.Capsule) chord {
	d.given("A", vector(c.A), "one end of the axis")
	d.given("B", vector(c.B), "the other")
	d.given("r", real(c.Radius), "radius")
	d.let("w", "B - A", "the axis")
	d.let("L", "|w|", "its length")
	d.know("tiny", real(shapes.MinAxis))
	if d.holds("L <= tiny * r") {
		d.given("tiny", real(shapes.MinAxis), "no axis up to that many radii:")
		d.claim("L <= tiny * r", "too short to have a direction: the capsule is a sphere")
		return onBall(d, "A", ballA(), partA)
	}
	d.let("u", "w / L", "its direction")
	d.let("f", "o - A", "from A to the ray's origin")
	d.let("y", "f · u", "how high above A the origin lies, along the axis")
	d.let("dy", "d · u", "how fast the ray climbs")
	d.let("f2", "f - y u", "the part of f across the axis")
	d.let("d2", "d - dy u", "the part of d across the axis")
	d.let("a", "|d2|²", "")
	d.know("parallel", real(shapes.ParallelSine))
	if d.holds("a < parallel²") {
		d.given("parallel", real(shapes.ParallelSine), "less than that is rounding:")
		d.claim("a < parallel²", "nothing but rounding: the line is parallel to the axis")
		return alongAxis(d)
	}
	return acrossAxis(d)
}

// acrossAxis looks along the axis, where the cylinder around it is a circle.
func acrossAxis(d *derivation[float]) chord {
	d.note("The cylinder around the axis, without ends, seen along the axis:")
	d.let("b", "-(f2 · d2) / a", "where the line is nearest to the axis")
	d.let("l", "f2 + b d2", "from the axis to that point")
	d.let("disc", "r² - |l|²", "discriminant")
	if d.holdsThen("disc < 0", "the line passes by: no roots") {
		return chord{}
	}
	if d.holds("disc = 0") {
		d.claim("disc = 0", "the line just touches")
	}
	d.let("h", "√(disc / a)", "half the chord")
	d.let("c_near", "b - h", "the line enters the cylinder")
	d.let("c_far", "b + h", "the line leaves it")
	d.let("y_near", "y + c_near * dy", "how high that is; the body reaches from 0 to L")
	d.let("y_far", "y + c_far * dy", "")
	switch {
	case d.holds("y_near < 0") && d.holds("y_far < 0"):
		d.claim("y_near < 0", "")
		d.claim("y_far < 0", "both lie beyond A: the ball there decides")
		return onBall(d, "A", ballA(), partA)
	case d.holds("y_near > L") && d.holds("y_far > L"):
		d.claim("y_near > L", "")
		d.claim("y_far > L", "both lie beyond B: the ball there decides")
		return onBall(d, "B", ballB(), partB)
	}
	return throughBody(d)
}

// throughBody derives the chord of a line that passes through the body: the union of three
// intervals.
func throughBody(d *derivation[float]) chord {
	d.note("The body, which is the cylinder between the heights 0 and L:")
	atNear, atFar := bodyEnd(d, "near"), bodyEnd(d, "far")
	d.note("The ball around A:")
	a := ballChord(d, "A", ballA())
	d.note("The ball around B:")
	b := ballChord(d, "B", ballB())
	d.note("The capsule is the union of the three:")
	union := func(side, at string) string {
		switch {
		case at == partA && a.ok:
			d.let("t_"+side, side+"_A", "in the "+partA)
		case at == partB && b.ok:
			d.let("t_"+side, side+"_B", "in the "+partB)
		case at == partBody:
			d.let("t_"+side, "body_"+side, "in the body")
		default:
			d.let("t_"+side, "body_"+side, "on the seam, where rounding hides the ball")
		}
		return at
	}
	c := chord{ok: true, nearPart: union("near", atNear), farPart: union("far", atFar)}
	if d.holdsThen("t_far < t_near", "by rounding: the line touches a seam") {
		d.let("t_far", "t_near", "")
	}
	c.near, c.far = float64(d.scalar("t_near")), float64(d.scalar("t_far"))
	return c
}

// bodyEnd derives where the line enters or leaves the body and returns the part of the
// capsule's surface in which it enters or leaves the capsule there.
func bodyEnd(d *derivation[float], side string) string {
	y, t := "y_"+side, "body_"+side
	switch {
	case d.holds(y + " < 0"):
		d.claim(y+" < 0", "below A: through the disc that ends the body there, inside the ball")
		d.let(t, "(0 - y) / dy", "")
		return partA
	case d.holds(y + " > L"):
		d.claim(y+" > L", "above B: through the disc that ends the body there, inside the ball")
		d.let(t, "(L - y) / dy", "")
		return partB
	}
	d.claim("0 <= "+y+" <= L", "between the ends")
	d.let(t, "c_"+side, "")
	return partBody
}

// onBall derives the chord of a line that meets the capsule in one of its balls only.
func onBall(d *derivation[float], center string, s ballSymbols, part string) chord {
	c := ballChord(d, center, s)
	if c.ok {
		d.let("t_near", s.near, "")
		d.let("t_far", s.far, "")
		c.nearPart, c.farPart = part, part
	}
	return c
}

// alongAxis derives the chord of a line parallel to the axis: in through one ball, out
// through the other.
func alongAxis(d *derivation[float]) chord {
	d.note("The ball around A:")
	a := ballChord(d, "A", ballA())
	d.note("The ball around B:")
	b := ballChord(d, "B", ballB())
	c := chord{ok: true, nearPart: partA, farPart: partB}
	forward := d.holds("dy > 0")
	if forward {
		d.claim("dy > 0", "the ray runs from A to B")
	} else {
		d.claim("dy <= 0", "the ray runs from B to A")
		c.nearPart, c.farPart = partB, partA
	}
	// Only rounding can make one of them miss.
	switch {
	case !a.ok && !b.ok:
		return chord{}
	case !a.ok:
		c.nearPart, c.farPart = partB, partB
	case !b.ok:
		c.nearPart, c.farPart = partA, partA
	}
	end := func(part string) string { return part[len(part)-1:] }
	d.let("t_near", "near_"+end(c.nearPart), "into the first ball")
	d.let("t_far", "far_"+end(c.farPart), "out of the last")
	c.near, c.far = float64(d.scalar("t_near")), float64(d.scalar("t_far"))
	return c
}

// capsuleNormal derives the outward normal where the line crosses a capsule at t: away from
// the nearest point of the axis.
func capsuleNormal(d *derivation[float]) geom.Vec3 {
	d.let("f", "o - A", "from A to the ray's origin")
	d.let("p'", "f + t d", "from A to the point")
	axisPoint(d, "p'")
	d.let("q", "p' - k", "from the axis to the point")
	return roundNormal(d, "q")
}

// axisPoint derives k, the point of the axis that is nearest to p, both seen from A.
func axisPoint(d *derivation[float], p string) {
	d.let("g", "w · "+p, "how far along the axis, times its length")
	switch {
	case d.holds("g <= 0"):
		d.claim("g <= 0", "before A")
		d.let("k", "(0, 0, 0)", "the nearest point of the axis is A")
	case d.holds("g >= |w|²"):
		d.claim("g >= |w|²", "beyond B")
		d.let("k", "w", "the nearest point of the axis is B")
	default:
		d.let("s", "g / |w|²", "axis parameter: 0 at A, 1 at B")
		d.let("k", "s w", "the nearest point of the axis")
	}
}
