package explain

import (
	"math"

	"pillbox/geom"
)

// ball draws the plane through the ray and the centre of a ball: the ray runs to the right,
// the point of its line nearest to the centre is the origin of the plot, and the centre lies
// below that.
func (k *sketch) ball(center geom.Vec3, radius float64, name string) {
	f := k.ray.Origin.Sub(center)
	b := -f.Dot(k.ray.Dir)
	miss := f.AddScaled(b, k.ray.Dir).Norm()
	middle, foot := point{0, -miss}, point{}
	at := func(t float64) point { return point{t - b, 0} }
	if k.isSegment() {
		foot = at(min(max(b, 0), k.length))
	}

	seen := nowhere().include(middle, 1.2*radius).include(foot, 0.2*radius)
	p := k.plotOf(plotFrame(), k.withEnds(seen, at, 3*radius), 40)
	p.disc(middle, radius, k.slice, k.outline)
	k.rayLine(p, at)
	if k.isSegment() {
		k.distance(p, middle, foot, radius, "|k|")
	} else {
		k.distance(p, middle, foot, radius, "|l|")
		k.halfChord(p, middle, at, radius)
	}
	k.roots(p, at, func(t float64) point { return at(t).sub(middle).scale(1 / radius) })
	p.spot(name, middle, point{0, -1}, k.fore)

	if k.isSegment() {
		k.caption("The plane through the segment and the centre. k is the nearest point of the segment, seen from the centre: it decides.")
		return
	}
	k.caption("The plane through the ray and the centre. l leads from the centre to the nearest point of the line, at t = b.")
}

// distance draws the way from a centre to the point that is nearest to it.
func (k *sketch) distance(p *plot, middle, nearest point, radius float64, name string) {
	way := nearest.sub(middle)
	if p.scale*way.norm() < 3 {
		p.label(name+" = "+short(way.norm()), nearest, point{1, -1}, k.help)
	} else {
		p.segment(middle, nearest, stroke{k.help, 2, false})
		p.label(name+" = "+short(way.norm()), middle.between(nearest, 0.5), point{1, 0}, k.help)
	}
	if side := 12 / p.scale; way.x == 0 && way.y > 3*side {
		p.segment(nearest.add(point{side, 0}), nearest.add(point{side, -side}), stroke{k.help, 1.2, false})
		p.segment(nearest.add(point{0, -side}), nearest.add(point{side, -side}), stroke{k.help, 1.2, false})
	}
	if !k.chord.ok {
		rim := middle.add(point{math.Sqrt2 / 2, -math.Sqrt2 / 2}.scale(radius))
		p.segment(middle, rim, stroke{k.muted, 1.5, true})
		p.label("r = "+short(radius), middle.between(rim, 0.6), point{-1, -1}, k.muted)
	}
}

// halfChord draws the radii to both ends of the chord and measures half of it above the line.
func (k *sketch) halfChord(p *plot, middle point, at func(t float64) point, radius float64) {
	if !k.chord.ok {
		return
	}
	near, far := at(k.chord.near), at(k.chord.far)
	for _, end := range []point{near, far} {
		p.segment(middle, end, stroke{k.muted, 1.5, true})
	}
	p.label("r = "+short(radius), middle.between(near, 0.5), point{-1, -1}, k.muted)
	if half := far.sub(near).norm() / 2; half*p.scale > 30 {
		above := k.dimension(p.on(near.between(far, 0.5)), p.on(far), point{0, -1}, k.help)
		k.name("h = "+brief(half), above, point{0, -1}, k.help, p.frame.inset(4))
	}
}
