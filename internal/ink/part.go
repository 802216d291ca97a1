package ink

import "pillbox/internal/geom2"

// Part is a convex part of a mark.
type Part struct{ polygon }

// Parts calls the function add with convex parts whose union is a mark: a line with its heads, or a convex area. A text
// has no parts.
func Parts(m Mark, add func(Part)) {
	switch m := m.(type) {
	case *Line:
		m.polygons(func(p polygon) { add(Part{p}) })
	case *Fill:
		add(Part{polygon{corners: m.Points}})
	}
}

// Bounds returns the box around the part.
func (p *Part) Bounds() geom2.Box { return p.bounds() }

// Across returns a range of x that contains all points of the part with y from top to bottom, and little more. If there
// are none, from is larger than to.
func (p *Part) Across(top, bottom float64) (from, to float64) {
	if b := p.bounds(); b.Max.Y < top || b.Min.Y > bottom {
		return 0, -1
	}
	r := p.outer(top, bottom)
	return r.from, r.to
}
