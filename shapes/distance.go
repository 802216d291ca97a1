package shapes

import (
	"fmt"
	"math"
	"slices"

	"pillbox/geom"
)

// Distance returns the distance between the closed segment s and the box, 0 if they meet.
// It is numeric: right to a few units in the last place of the coordinates.
//
// Along the segment, the squared distance to the box is convex and made of parabolas that
// join where a coordinate passes a face. Between two joints its derivative is linear, so
// the minimum lies where the derivative changes sign.
func (b *Box) Distance(s geom.Segment) float64 {
	p, q := b.local(s.A), b.local(s.B)
	d := q.Sub(p)
	joints := []float64{0, 1}
	for _, axis := range [3]struct{ p, d, h float64 }{
		{p.X, d.X, b.HalfExtents.X}, {p.Y, d.Y, b.HalfExtents.Y}, {p.Z, d.Z, b.HalfExtents.Z},
	} {
		if axis.d == 0 {
			continue
		}
		for _, h := range [2]float64{-axis.h, axis.h} {
			if t := (h - axis.p) / axis.d; 0 < t && t < 1 {
				joints = append(joints, t)
			}
		}
	}
	slices.Sort(joints)
	// outward is the vector from the nearest point of the box to the point at t. Its dot product with d
	// is half the derivative of the squared distance.
	outward := func(t float64) geom.Vec3 {
		x := p.AddScaled(t, d)
		return geom.Vec3{X: beyond(x.X, b.HalfExtents.X), Y: beyond(x.Y, b.HalfExtents.Y), Z: beyond(x.Z, b.HalfExtents.Z)}
	}
	best := min(outward(0).Norm(), outward(1).Norm())
	for i, t1 := range joints[1:] {
		t0 := joints[i]
		slope0, slope1 := outward(t0).Dot(d), outward(t1).Dot(d)
		t := t1
		if slope0 < 0 && slope1 > 0 {
			t = t0 + float64((t1-t0)*(slope0/(slope0-slope1)))
		}
		best = min(best, outward(t).Norm())
	}
	return best
}

// beyond returns how far x lies outside [-h, h]: a positive number above h, a negative one below -h, and 0 inside.
func beyond(x, h float64) float64 {
	switch {
	case x > h:
		return x - h
	case x < -h:
		return x + h
	}
	return 0
}

// Separation projects the two boxes onto each of 15 axes and returns the widest gap between the
// projections. It is positive if the boxes are apart, 0 if they touch, and negative if they overlap;
// then its magnitude is the least distance by which one box must move to separate them. The result is
// numeric: right to a few units in the last place of the coordinates. Source: Gottschalk, Lin, Manocha,
// "OBBTree", SIGGRAPH 1996.
func (b *Box) Separation(o *Box) float64 {
	between := o.Center.Sub(b.Center)
	mine := [3]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z}
	theirs := [3]geom.Vec3{o.Rotation.X, o.Rotation.Y, o.Rotation.Z}
	widest := math.Inf(-1)
	try := func(axis geom.Vec3) {
		gap := math.Abs(between.Dot(axis)) - b.Reach(axis) - o.Reach(axis)
		widest = max(widest, gap)
	}
	for i := range 3 {
		try(mine[i])
		try(theirs[i])
		for j := range 3 {
			// Edges that are parallel up to rounding have no common normal. They need none: the axes of
			// the faces suffice there.
			if n := mine[i].Cross(theirs[j]); n.Norm() > maxSkew {
				try(n.Unit())
			}
		}
	}
	return widest
}

// SegmentSeparation projects the box and a segment onto up to six axes and returns the widest gap, as [Box.Separation] does
// for two boxes. Six axes suffice, because a segment has one direction and no faces.
func (b *Box) SegmentSeparation(s geom.Segment) float64 {
	half := s.B.Sub(s.A).Scale(0.5)
	between := s.At(0.5).Sub(b.Center)
	widest := math.Inf(-1)
	try := func(axis geom.Vec3) {
		widest = max(widest, math.Abs(between.Dot(axis))-b.Reach(axis)-math.Abs(half.Dot(axis)))
	}
	for _, face := range [3]geom.Vec3{b.Rotation.X, b.Rotation.Y, b.Rotation.Z} {
		try(face)
		if n := half.Cross(face); n.Norm() > float64(parallelSine*half.Norm()) {
			try(n.Unit())
		}
	}
	return widest
}

// parallelSine is the sine of the largest angle at which a segment counts as parallel to an edge: a few thousand
// rounding errors. Up to this angle, the axes of the faces give the same accuracy without a common normal.
const parallelSine = 0x1p-40

// Reach returns half the width of the box along n, times the length of n. It is numeric: right to a few
// units in the last place of the product of the lengths of HalfExtents and n.
func (b *Box) Reach(n geom.Vec3) float64 {
	return math.Abs(float64(b.HalfExtents.X*b.Rotation.X.Dot(n))) +
		math.Abs(float64(b.HalfExtents.Y*b.Rotation.Y.Dot(n))) +
		math.Abs(float64(b.HalfExtents.Z*b.Rotation.Z.Dot(n)))
}

// Separation projects a cylinder and another solid of this package onto many axes and returns the
// widest gap that it finds between the projections. It is positive if the solids are apart, 0 if they
// touch, and negative if they overlap; then its magnitude is about the least distance by which one
// solid must move to separate them. The result is numeric.
//
// For flat faces, straight edges and corners, finitely many axes suffice, as for boxes. Rims need searches. Where a rim
// may meet an edge, an axis or a side, the search covers the directions perpendicular to the edge, the axis or the
// side. Where two rims may meet, it covers all directions near the best axis so far. Near its maximum, the gap changes
// little with the axis, so the searches are accurate up to rounding.
func (c *Cylinder) Separation(o Shape) float64 {
	b := bodyOf(c)
	return b.separation(bodyOf(o))
}

// body holds the properties of a solid that Separation uses. The solid is symmetric about its center.
type body struct {
	center geom.Vec3
	reach  func(n geom.Vec3) float64 // half the width along a unit vector
	faces  []geom.Vec3               // the directions of the normals of its flat faces
	edges  []geom.Vec3               // the directions of its straight edges, or of its axis
	tips   []geom.Vec3               // its corners; for a round solid, the centers of its balls
	round  *Cylinder                 // the solid itself if it has rims, else nil
}

// bodyOf returns the body of a solid. It panics if the solid's type is not one of this package.
func bodyOf(s Shape) body {
	switch s := s.(type) {
	case *Sphere:
		return body{center: s.Center, reach: func(geom.Vec3) float64 { return s.Radius }, tips: []geom.Vec3{s.Center}}
	case *Capsule:
		half := s.B.Sub(s.A).Scale(0.5)
		b := body{
			center: s.A.Add(half),
			reach:  func(n geom.Vec3) float64 { return math.Abs(half.Dot(n)) + s.Radius },
			tips:   []geom.Vec3{s.A, s.B},
		}
		if axis, ok := geom.Direction(half); ok {
			b.edges = []geom.Vec3{axis}
		}
		return b
	case *Box:
		axes := []geom.Vec3{s.Rotation.X, s.Rotation.Y, s.Rotation.Z}
		b := body{center: s.Center, reach: s.Reach, faces: axes, edges: axes}
		x, y, z := axes[0].Scale(s.HalfExtents.X), axes[1].Scale(s.HalfExtents.Y), axes[2].Scale(s.HalfExtents.Z)
		for _, corner := range []geom.Vec3{x.Add(y).Add(z), x.Add(y).Sub(z), x.Sub(y).Add(z), x.Sub(y).Sub(z)} {
			b.tips = append(b.tips, s.Center.Add(corner), s.Center.Sub(corner))
		}
		return b
	case *Cylinder:
		u, length := s.axis()
		reach := func(n geom.Vec3) float64 {
			return math.Abs(float64(length/2*u.Dot(n))) + float64(s.Radius*u.Cross(n).Norm())
		}
		return body{center: s.A.AddScaled(length/2, u), reach: reach, faces: []geom.Vec3{u}, edges: []geom.Vec3{u}, round: s}
	}
	panic(fmt.Sprintf("shapes: no separation of %T", s))
}

// separation implements [Cylinder.Separation] for b, the body of a cylinder.
func (b *body) separation(o body) float64 {
	between := o.center.Sub(b.center)
	u := b.edges[0]
	widest, best := math.Inf(-1), u
	gap := func(n geom.Vec3) float64 { return math.Abs(between.Dot(n)) - b.reach(n) - o.reach(n) }
	try := func(axis geom.Vec3) {
		if n, ok := geom.Direction(axis); ok {
			if g := gap(n); g > widest {
				widest, best = g, n
			}
		}
	}
	try(u)
	try(between.AddScaled(-between.Dot(u), u)) // across the axis
	for _, face := range o.faces {
		try(face)
	}
	for _, edge := range o.edges {
		try(u.Cross(edge))
	}
	for _, tip := range o.tips {
		f := tip.Sub(b.center)
		height := f.Dot(u)
		across := f.AddScaled(-height, u)
		try(across)
		try(f.Sub(b.round.nearest(across, height, u)))
	}
	if widest > 0x1p-20*between.Norm() {
		return widest // apart by more than rounding: the sign of the result is certain
	}
	for _, edge := range append([]geom.Vec3{u}, o.edges...) {
		try(widestAround(edge, gap))
	}
	if o.round != nil {
		try(widestNear(best, gap))
	}
	return widest
}

// nearest returns the point of the cylinder that is nearest to the point across + height u. All points
// are relative to the cylinder's center; u is the axis, and across is perpendicular to it.
func (c *Cylinder) nearest(across geom.Vec3, height float64, u geom.Vec3) geom.Vec3 {
	_, length := c.axis()
	if d := across.Norm(); d > c.Radius {
		across = across.Scale(c.Radius / d)
	}
	return across.AddScaled(min(max(height, -length/2), length/2), u)
}

// widestAround looks for the direction perpendicular to axis at which f is largest: it refines the best of some samples
// by a golden-section search.
func widestAround(axis geom.Vec3, f func(geom.Vec3) float64) geom.Vec3 {
	const samples, steps = 32, 50
	x, _ := geom.Direction(axis.Cross(leastAxis(axis)))
	y := axis.Cross(x)
	at := func(angle float64) geom.Vec3 {
		sin, cos := geom.Angle(angle).SinCos()
		return x.Scale(cos).AddScaled(sin, y).Unit()
	}
	const each = 180.0 / samples // half a turn suffices: f is equal for opposite directions
	best, most := 0.0, math.Inf(-1)
	for i := range samples {
		if v := f(at(float64(i) * each)); v > most {
			best, most = float64(i)*each, v
		}
	}
	lo, hi := best-each, best+each
	for range steps {
		const golden = 0.6180339887498949
		third := float64(golden * (hi - lo))
		if f(at(hi-third)) > f(at(lo+third)) {
			hi = lo + third
		} else {
			lo = hi - third
		}
	}
	return at((lo + hi) / 2)
}

// widestNear returns a direction near n at which f has a local maximum, by hill climbing with ever
// smaller steps.
func widestNear(n geom.Vec3, f func(geom.Vec3) float64) geom.Vec3 {
	most := f(n)
	for step := 0.5; step > 0x1p-28; {
		x, _ := geom.Direction(n.Cross(leastAxis(n)))
		y := n.Cross(x)
		climbed := false
		for _, way := range [8]geom.Vec3{x, y, x.Neg(), y.Neg(), x.Add(y), x.Sub(y), y.Sub(x), x.Add(y).Neg()} {
			if m := n.AddScaled(step, way).Unit(); f(m) > most {
				n, most, climbed = m, f(m), true
				break
			}
		}
		if !climbed {
			step /= 2
		}
	}
	return n
}

// leastAxis returns the coordinate axis along which the component of v has the smallest magnitude.
func leastAxis(v geom.Vec3) geom.Vec3 {
	switch x, y, z := math.Abs(v.X), math.Abs(v.Y), math.Abs(v.Z); {
	case x <= y && x <= z:
		return geom.Vec3{X: 1}
	case y <= z:
		return geom.Vec3{Y: 1}
	}
	return geom.Vec3{Z: 1}
}
