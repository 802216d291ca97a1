package fit

import (
	"math"
	"slices"

	"pillbox/geom"
)

// best returns the solid with the least volume among the given kinds.
func (c *cloud) best(kinds []Kind) Solid {
	var best Solid
	for k := range Kind(len(Kinds())) {
		if !slices.Contains(kinds, k) {
			continue
		}
		s := c.fit(k)
		if best.Radius == 0 && best.HalfExtents == (geom.Vec3{}) || s.Volume() < float64(best.Volume()*(1-1e-6)) {
			best = s
		}
	}
	return best
}

// fit returns the smallest solid of one kind that the search finds.
func (c *cloud) fit(kind Kind) Solid {
	switch {
	case kind == Sphere:
		return c.sphere()
	case kind == Box && c.box != nil:
		return *c.box
	}
	at := func(axis geom.Vec3, points []geom.Vec3) Solid {
		switch kind {
		case Capsule:
			return capsuleAlong(axis, points)
		case Cylinder:
			return cylinderAlong(axis, points)
		default:
			return boxAlong(axis, points)
		}
	}
	first, axis := c.search(func(axis geom.Vec3) float64 {
		s := at(axis, c.extreme)
		return s.Volume()
	})
	s, simple := at(axis, c.points), at(first, c.points)
	if s.Volume() > float64(simple.Volume()*(1-worth)) {
		s = simple
	}
	s.straighten()
	s.Grow(c.magnitude)
	if kind == Box {
		c.box = &s
	}
	return s
}

// straighten permutes and negates the axes of a box. Of the 24 rotations that give the same box, it
// selects the one closest to the identity.
func (s *Solid) straighten() {
	if s.Kind != Box {
		return
	}
	columns := [3]geom.Vec3{s.Axes.X, s.Axes.Y, s.Axes.Z}
	half := [3]float64{s.HalfExtents.X, s.HalfExtents.Y, s.HalfExtents.Z}
	trace := math.Inf(-1)
	for i := range 3 {
		for j := range 3 {
			if i == j {
				continue
			}
			k := 3 - i - j
			for signs := range 4 {
				x, y := columns[i].Scale(float64(1-signs&1*2)), columns[j].Scale(float64(1-signs&2))
				z := x.Cross(y)
				if z.Dot(columns[k]) > 0 { // instead of the cross product, which is rounded
					z = columns[k]
				} else {
					z = columns[k].Neg()
				}
				if t := x.X + y.Y + z.Z; t > trace+1e-9 {
					trace = t
					s.Axes, s.HalfExtents = geom.Mat3{X: x, Y: y, Z: z}, geom.Vec3{X: half[i], Y: half[j], Z: half[k]}
				}
			}
		}
	}
}

// starts is the number of candidate axes that the search improves.
const starts = 3

// worth is the fraction of the volume that an improved axis must save. If it saves less, the best candidate axis is
// used unchanged.
const worth = 1e-3

// search returns two axes. The axis first is the candidate whose solid has the least volume. The axis improved is the
// best one that is found by turning the best candidates a little.
func (c *cloud) search(volume func(geom.Vec3) float64) (first, improved geom.Vec3) {
	type candidate struct {
		axis   geom.Vec3
		volume float64
	}
	var all []candidate
	for _, axis := range c.axes() {
		all = append(all, candidate{axis, volume(axis)})
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		switch {
		case a.volume < b.volume:
			return -1
		case a.volume > b.volume:
			return 1
		}
		return 0
	})
	best := all[0]
	for _, from := range all[:min(starts, len(all))] {
		for step := 0.25; step > 1e-4; {
			u, v := perpendicular(from.axis)
			better := false
			for _, toward := range [...]geom.Vec3{u, u.Neg(), v, v.Neg()} {
				axis := from.axis.AddScaled(step, toward).Unit()
				// Require a clear improvement. If several axes are equally good, the axis along which the mesh was
				// modeled should stay.
				if x := volume(axis); x < float64(from.volume*(1-1e-9)) {
					from, better = candidate{axis, x}, true
					break
				}
			}
			if !better {
				step /= 2
			}
		}
		if from.volume < best.volume {
			best = from
		}
	}
	return all[0].axis, best.axis
}

// perpendicular returns two unit vectors u and v such that u, v and axis are a right-handed orthonormal
// frame.
func perpendicular(axis geom.Vec3) (u, v geom.Vec3) {
	least := geom.Vec3{X: 1}
	switch x, y, z := math.Abs(axis.X), math.Abs(axis.Y), math.Abs(axis.Z); {
	case y < x && y <= z:
		least = geom.Vec3{Y: 1}
	case z < x && z < y:
		least = geom.Vec3{Z: 1}
	}
	u = least.Cross(axis).Unit()
	return u, axis.Cross(u)
}

// Grow enlarges a solid so that it still contains its present volume after its numbers are rounded to
// 12 digits. magnitude is an upper bound for the magnitudes of the coordinates.
func (s *Solid) Grow(magnitude float64) {
	more := 1e-11 * magnitude
	switch s.Kind {
	case Sphere, Capsule:
		s.Radius += max(geom.MinSize, more+float64(1e-9*s.Radius))
	case Cylinder:
		axis := s.B.Sub(s.A)
		length := axis.Norm()
		more += 1e-9 * max(length, s.Radius)
		more = max(geom.MinSize, more)
		// Rounding the ends tilts the axis by up to tilt/length, and the discs with it.
		tilt := 4e-11 * magnitude
		along := more + float64(s.Radius*tilt)/max(length, math.Sqrt(float64(s.Radius*tilt)), geom.MinSize)
		s.Radius += more
		s.A, s.B = s.A.AddScaled(-along/length, axis), s.B.AddScaled(along/length, axis)
	case Box:
		more = max(geom.MinSize, more+float64(1e-9*s.HalfExtents.MaxAbs()))
		s.HalfExtents = s.HalfExtents.Add(geom.Vec3{X: more, Y: more, Z: more})
	}
}
