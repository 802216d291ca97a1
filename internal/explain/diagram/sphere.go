package diagram

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/chart"
	"pillbox/internal/explain/formula"
	"pillbox/internal/geom2"
	"pillbox/shapes"
)

type sphereFigure struct{ *shapes.Sphere }

func (f sphereFigure) draw(k *sketch) {
	k.sphere(f.Center, f.Radius, "c")
	k.numbers("t_near", "t_far", "o", "P", "Q", "d", "c", "r", "b", "l", "disc", "h", "e", "g", "s", "k")
}

func (f sphereFigure) outline(s *profile) []geom2.Point {
	center := s.project(f.Center)
	return geom2.Stadium(center, center, f.Radius)
}

// sphere draws the plane through the ray and the center of a sphere. The ray runs to the right. The origin of the plot
// is the point of the ray's line that is nearest to the center, and the center lies below it.
func (k *sketch) sphere(center geom.Vec3, radius float64, name string) {
	f := k.ray.Origin.Sub(center)
	b := -f.Dot(k.ray.Dir)
	miss := f.AddScaled(b, k.ray.Dir).Norm()
	middle, foot := geom2.Pt(0, -miss), geom2.Point{}
	at := func(t float64) geom2.Point { return geom2.Pt(t-b, 0) }
	if k.isSegment() {
		foot = at(min(max(b, 0), k.length))
	}

	seen := geom2.Nowhere().Include(middle, 1.2*radius).Include(foot, 0.2*radius)
	p := k.PlotOf(k.plotFrame, k.withEnds(seen, at, 3*radius), 40)
	p.Disc(middle, radius, k.slice, k.outline)
	k.rayLine(p, at)
	if k.isSegment() {
		k.distance(p, middle, foot, radius, "|k|")
	} else {
		k.distance(p, middle, foot, radius, "|l|")
		k.halfChord(p, middle, at, radius)
	}
	k.roots(p, at, func(t float64) geom2.Point { return at(t).Sub(middle).Scale(1 / radius) })
	p.Spot(name, middle, geom2.Pt(0, -1), k.Ink)

	up, ok := geom.Direction(f.AddScaled(b, k.ray.Dir))
	if !ok || math.Abs(up.Dot(k.ray.Dir)) > invisible {
		up = perpendicularTo(k.ray.Dir)
	}
	k.triad(func(v geom.Vec3) geom2.Point { return geom2.Pt(v.Dot(k.ray.Dir), v.Dot(up)) })
	round := []meaning{{name, "center"}, {"r", "radius"}}
	if k.isSegment() {
		k.caption("The plane through the segment and the center. " +
			key(append(round, meaning{"P, Q", "the ends of the segment"}, meaning{"k", "its point closest to the center, which decides"})...))
		return
	}
	k.caption("The plane through the ray and the center. " + key(append(k.rayKey(), append(round,
		meaning{"l", "from the center to the closest point of the line, at t = b"}, meaning{"h", "half the chord"})...)...))
}

// distance draws the line from middle, the center of the sphere, to nearest, the closest point of the ray or segment.
// It labels the line with the name and the length.
func (k *sketch) distance(p *chart.Plot, middle, nearest geom2.Point, radius float64, name string) {
	v := nearest.Sub(middle)
	if p.Scale*v.Norm() < 3 {
		p.Name(name+" = "+formula.Short(v.Norm()), nearest, geom2.Pt(1, -1), k.help)
	} else {
		p.Segment(middle, nearest, chart.Solid(k.help, 2))
		p.Name(name+" = "+formula.Short(v.Norm()), middle.Between(nearest, 0.5), geom2.Pt(1, 0), k.help)
	}
	if side := 12 / p.Scale; v.X == 0 && v.Y > 3*side {
		p.Segment(nearest.Add(geom2.Pt(side, 0)), nearest.Add(geom2.Pt(side, -side)), chart.Solid(k.help, 1.2))
		p.Segment(nearest.Add(geom2.Pt(0, -side)), nearest.Add(geom2.Pt(side, -side)), chart.Solid(k.help, 1.2))
	}
	if !k.chord.OK {
		rim := middle.Add(geom2.Pt(math.Sqrt2/2, -math.Sqrt2/2).Scale(radius))
		p.Segment(middle, rim, chart.Dashed(k.Muted, 1.5))
		p.Name("r = "+formula.Short(radius), middle.Between(rim, 0.6), geom2.Pt(-1, -1), k.Muted)
	}
}

// halfChord draws the radii to both ends of the chord, and a dimension line for half of it.
func (k *sketch) halfChord(p *chart.Plot, middle geom2.Point, at func(t float64) geom2.Point, radius float64) {
	if !k.chord.OK {
		return
	}
	near, far := at(k.chord.Near), at(k.chord.Far)
	for _, end := range []geom2.Point{near, far} {
		p.Segment(middle, end, chart.Dashed(k.Muted, 1.5))
	}
	p.Name("r = "+formula.Short(radius), middle.Between(near, 0.5), geom2.Pt(-1, -1), k.Muted)
	if half := far.Sub(near).Norm() / 2; half*p.Scale > 30 {
		above := k.Dimension(p.On(near.Between(far, 0.5)), p.On(far), geom2.Pt(0, -1), k.help)
		k.Label("h = "+brief(half), above, geom2.Pt(0, -1), k.help, p.Frame.Inset(4))
	}
}
