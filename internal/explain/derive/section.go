package derive

import (
	"strconv"

	"pillbox/internal/explain/formula"
	"pillbox/shapes"
)

// Clip derives which part of the line o + t d lies on the kept sides of the sections that cut a solid, after the line's
// part in the whole solid. It reports whether the line meets what is left of the solid; t_near and t_far are then where it
// enters and leaves that. The function name names a section in a sentence, given its index.
func Clip(d *Derivation, c *shapes.Cut, name func(index int) string) bool {
	near, far := []string{"t_near"}, []string{"t_far"}
	for i := range c.By {
		s := &c.By[i]
		p := NewPlane(d, s, name(s.Index))
		switch {
		case d.Holds(p.Rise + " < 0"):
			d.Let(p.At, p.Crossing(), "the line enters the kept side of "+name(s.Index))
			near = append(near, p.At)
		case d.Holds(p.Rise + " > 0"):
			d.Let(p.At, p.Crossing(), "the line leaves the kept side of "+name(s.Index))
			far = append(far, p.At)
		case d.Holds(p.Left + " < 0"):
			d.Judge(p.Left+" < 0", formula.Rejects, "the line is parallel to the plane, on the side that is taken away")
			return false
		default:
			d.Note("The line is parallel to the plane of %s, on the kept side.", name(s.Index))
		}
	}
	if len(near) > 1 {
		d.Let("t_near", call("max", near...), "the line is in the solid and on the kept sides")
	}
	if len(far) > 1 {
		d.Let("t_far", call("min", far...), "it leaves the solid or a kept side")
	}
	if d.Holds("t_near > t_far") {
		d.Judge("t_near > t_far", formula.Rejects, "the line misses what is left of the solid")
		return false
	}
	return true
}

// Plane has the symbols of the derivation of where a line crosses the plane of a section. They end with the section's
// index.
type Plane struct {
	Point  string // a point of the plane
	Normal string // the section's normal
	Left   string // the distance from the ray's origin to the plane, positive on the kept side
	Rise   string // how fast the line rises toward the side that is taken away
	At     string // for the distance along the line at which it crosses the plane; NewPlane does not define it
}

// NewPlane derives how a line runs relative to the plane of a section with the given name.
func NewPlane(d *Derivation, s *shapes.Section, name string) Plane {
	p := PlaneOf(s)
	d.Given(p.Point, formula.Vector(s.Point), "a point of "+name)
	d.Given(p.Normal, formula.Vector(s.Normal), "its normal")
	d.Let(p.Left, "-((o - "+p.Point+") · "+p.Normal+")", "from the origin to the plane, positive on the kept side")
	d.Let(p.Rise, "d · "+p.Normal, "how fast the line rises toward the side that is taken away")
	return p
}

// PlaneOf returns the symbols for a section.
func PlaneOf(s *shapes.Section) Plane {
	n := strconv.Itoa(s.Index)
	return Plane{"a" + n, "m" + n, "left" + n, "rise" + n, "t" + n}
}

// Symbols returns all symbols, in the order in which they are derived.
func (p Plane) Symbols() []string { return []string{p.Point, p.Normal, p.Left, p.Rise, p.At} }

// Crossing returns the formula of At, for a line that is not parallel to the plane.
func (p Plane) Crossing() string { return p.Left + " / " + p.Rise }
