package fit

import (
	"math"

	"pillbox/geom"
	"pillbox/internal/geom2"
)

// sphere returns the smallest sphere around all points. It starts with the sphere around the extreme points, and
// repeatedly adds the farthest point outside. If it has added very many, it enlarges the sphere instead.
func (c *cloud) sphere() Solid {
	points := append([]geom.Vec3(nil), c.extreme...)
	for {
		b := smallestBall(points)
		farthest, distance := geom.Vec3{}, b.radius
		for _, p := range c.points {
			if d := p.Sub(b.center).Norm(); d > distance {
				farthest, distance = p, d
			}
		}
		if distance <= float64(b.radius*(1+1e-9)) || len(points) > 3*len(c.extreme)+100 {
			s := Solid{Kind: Sphere, Center: b.center, Radius: distance}
			s.Grow(c.magnitude)
			return s
		}
		points = append(points, farthest)
	}
}

// flatten returns the coordinates of points across and along an axis.
func flatten(axis geom.Vec3, points []geom.Vec3) (u, v geom.Vec3, across []geom2.Point, along []float64) {
	u, v = perpendicular(axis)
	across, along = make([]geom2.Point, len(points)), make([]float64, len(points))
	for i, p := range points {
		across[i], along[i] = geom2.Pt(p.Dot(u), p.Dot(v)), p.Dot(axis)
	}
	return u, v, across, along
}

// tube is the smallest infinite cylinder around points with a given direction of its axis.
type tube struct {
	axis, u, v geom.Vec3
	x, y       float64   // the point where the axis crosses the plane of u and v
	radius     float64   // distance of the farthest point from the axis
	across2    []float64 // squared distances of the points from the axis
	along      []float64 // coordinates of the points along the axis
}

func tubeAlong(axis geom.Vec3, points []geom.Vec3) tube {
	u, v, across, along := flatten(axis, points)
	t := tube{axis: axis, u: u, v: v, along: along, across2: make([]float64, len(points))}
	flat := make([]geom.Vec3, len(points))
	for i := range flat {
		flat[i] = geom.Vec3{X: across[i].X, Y: across[i].Y}
	}
	b := smallestBall(flat)
	t.x, t.y = b.center.X, b.center.Y
	var most float64
	for i, p := range flat {
		t.across2[i] = p.Sub(b.center).Norm2()
		most = max(most, t.across2[i])
	}
	t.radius = math.Sqrt(most)
	return t
}

// pointAt returns the point on the tube's axis that has the given coordinate along the axis.
func (t *tube) pointAt(along float64) geom.Vec3 {
	return t.u.Scale(t.x).AddScaled(t.y, t.v).AddScaled(along, t.axis)
}

// cylinderAlong returns the smallest cylinder along an axis around points.
func cylinderAlong(axis geom.Vec3, points []geom.Vec3) Solid {
	t := tubeAlong(axis, points)
	low, high := t.along[0], t.along[0]
	for _, h := range t.along {
		low, high = min(low, h), max(high, h)
	}
	if least := max(geom.MinSize, float64(1e-9*t.radius)); high-low < least { // flat
		low, high = low-least, high+least
	}
	return Solid{Kind: Cylinder, A: t.pointAt(low), B: t.pointAt(high), Radius: max(t.radius, geom.MinSize)}
}

// capsuleAlong returns the smallest capsule that contains points and whose axis lies on the axis of the smallest tube
// around them. A capsule thicker than the tube can be shorter and so have less volume. A golden-section search finds a
// radius close to the best one.
func capsuleAlong(axis geom.Vec3, points []geom.Vec3) Solid {
	t := tubeAlong(axis, points)
	low, high := t.along[0], t.along[0]
	for _, h := range t.along {
		low, high = min(low, h), max(high, h)
	}
	thin, thick := t.radius, math.Sqrt(float64(t.radius*t.radius)+float64((high-low)*(high-low)/4))
	const golden = 0.6180339887498949
	from, to := thin, thick
	x, y := to-float64(golden*(to-from)), from+float64(golden*(to-from))
	atX, atY := t.capsuleVolume(x), t.capsuleVolume(y)
	for range 24 {
		if atX <= atY {
			to, y, atY = y, x, atX
			x = to - float64(golden*(to-from))
			atX = t.capsuleVolume(x)
		} else {
			from, x, atX = x, y, atY
			y = from + float64(golden*(to-from))
			atY = t.capsuleVolume(y)
		}
	}
	radius := x
	if t.capsuleVolume(thin) <= atX {
		radius = thin
	}
	a, b := t.ends(radius)
	return Solid{Kind: Capsule, A: t.pointAt(a), B: t.pointAt(b), Radius: max(radius, geom.MinSize)}
}

// ends returns the ends of the axis of the shortest capsule with the given radius that contains the points. They are
// coordinates along the axis. The radius must be at least that of the tube.
func (t *tube) ends(radius float64) (a, b float64) {
	a, b = math.Inf(1), math.Inf(-1)
	square := float64(radius * radius)
	for i, h := range t.along {
		reach := math.Sqrt(max(0, square-t.across2[i]))
		a, b = min(a, h+reach), max(b, h-reach)
	}
	if a > b { // a ball is enough; its center may be anywhere between b and a
		a = float64((a + b) / 2)
		b = a
	}
	return a, b
}

func (t *tube) capsuleVolume(radius float64) float64 {
	a, b := t.ends(radius)
	return float64(math.Pi*radius*radius*(b-a)) + ballVolume(radius)
}
