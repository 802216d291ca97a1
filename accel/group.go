package accel

import "pillbox/geom"

const (
	maxGroup = maxRays // rays that are sorted into groups at once: a packet's
	maxKinds = 128     // solids that those rays leave at most
)

// groups sorts neighbouring departures by the solid that they leave: rays that leave one
// solid in one packet start close together, and often go the same way.
type groups struct {
	objects [maxKinds]int32
	ends    [maxKinds]int32 // where each object's members end
	sorted  [maxGroup]int32
	kind    [maxGroup]uint8
	n       int
}

// sort groups as many of the first rays as fit and returns their number.
func (g *groups) sort(rays []Departure) int {
	g.n = 0
	taken := 0
	for taken < min(len(rays), maxGroup) {
		k := g.find(rays[taken].Object)
		if k == maxKinds {
			break
		}
		g.kind[taken] = uint8(k)
		g.ends[k]++
		taken++
	}
	sum := int32(0)
	for k := range g.n {
		sum, g.ends[k] = sum+g.ends[k], sum
	}
	for i, k := range g.kind[:taken] {
		g.sorted[g.ends[k]] = int32(i)
		g.ends[k]++
	}
	return taken
}

// find returns the group of the rays that leave object, a new one if there is none, or
// maxKinds if there is no room for one. Neighbours mostly leave the same few solids, so the search
// goes backward.
func (g *groups) find(object int32) int {
	for k := g.n - 1; k >= 0; k-- {
		if g.objects[k] == object {
			return k
		}
	}
	if g.n == maxKinds {
		return maxKinds
	}
	k := g.n
	g.objects[k], g.ends[k] = object, 0
	g.n++
	return k
}

// group returns the indices of the rays of group k.
func (g *groups) group(k int) []int32 {
	from := int32(0)
	if k > 0 {
		from = g.ends[k-1]
	}
	return g.sorted[from:g.ends[k]]
}

// grow returns b with p included. Unlike [geom.Bounds.Include] it expects no NaN, and so
// costs only comparisons.
func grow(b *geom.Bounds, p geom.Vec3) {
	if p.X < b.Min.X {
		b.Min.X = p.X
	}
	if p.X > b.Max.X {
		b.Max.X = p.X
	}
	if p.Y < b.Min.Y {
		b.Min.Y = p.Y
	}
	if p.Y > b.Max.Y {
		b.Max.Y = p.Y
	}
	if p.Z < b.Min.Z {
		b.Min.Z = p.Z
	}
	if p.Z > b.Max.Z {
		b.Max.Z = p.Z
	}
}
