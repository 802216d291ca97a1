package ink

import (
	"math"

	"pillbox/internal/geom2"
)

// polygon is a closed polygon.
type polygon struct {
	at      Point   // what corners are relative to
	corners []Point // may be shared with other polygons
	radius  float64 // of a circle around at through the corners of a regular polygon; 0 for other polygons
}

func (p *polygon) corner(i int) Point { return p.at.Add(p.corners[i]) }

// bounds returns the box around a polygon. If a coordinate is NaN, so is a side of the box.
func (p *polygon) bounds() geom2.Box {
	if p.radius > 0 {
		return geom2.Box{Min: p.at, Max: p.at}.Inset(-p.radius)
	}
	b := geom2.Nowhere()
	for i := range p.corners {
		b = b.Include(p.corner(i), 0)
	}
	return b
}

// margin is a width in pixels by which inner is smaller and outer is larger than the polygon. It is more than the
// rounding of crossings to columns, which moves them by half a column, and all other rounding errors.
const margin = 4.0 / columnsPerPixel

// inner returns a range of x that a disc contains for all y from top to bottom. The range is empty if from >= to.
func (p *polygon) inner(top, bottom float64) span {
	// The circle inside a regular polygon of n corners is smaller than that around it by the factor cos(pi/n), which is
	// more than 1 - pi^2/(2 n^2).
	n := float64(len(p.corners))
	radius := float64(p.radius * (1 - 5/float64(n*n)))
	away := max(math.Abs(top-p.at.Y), math.Abs(bottom-p.at.Y))
	half2 := float64(radius*radius) - float64(away*away)
	if !(half2 > 0) {
		return span{}
	}
	half := math.Sqrt(half2) - margin
	return span{p.at.X - half, p.at.X + half}
}

// outer returns a range of x that contains all points of the polygon, which must be convex, with y from top to bottom.
func (p *polygon) outer(top, bottom float64) span {
	var r span
	if p.radius > 0 {
		away := max(0, top-p.at.Y, p.at.Y-bottom)
		half := math.Sqrt(max(0, float64(p.radius*p.radius)-float64(away*away)))
		r = span{p.at.X - half, p.at.X + half}
	} else {
		r = p.chord(top, bottom)
	}
	return span{r.from - margin, r.to + margin}
}

// chord returns the smallest range of x of the points on the polygon's edges with y from top to bottom. If there are
// none, from is larger than to.
func (p *polygon) chord(top, bottom float64) span {
	r := span{math.Inf(1), math.Inf(-1)}
	for i := range p.corners {
		a, b := p.corner(i), p.corner((i+1)%len(p.corners))
		if a.Y > b.Y {
			a, b = b, a
		}
		if b.Y < top || a.Y > bottom {
			continue
		}
		for _, y := range [2]float64{max(a.Y, top), min(b.Y, bottom)} {
			x := a.X
			if b.Y > a.Y {
				x += float64((y - a.Y) / (b.Y - a.Y) * (b.X - a.X))
			}
			r = span{min(r.from, x), max(r.to, x)}
		}
		if a.Y == b.Y {
			r = span{min(r.from, b.X), max(r.to, b.X)}
		}
	}
	return r
}
