package accel

import "pillbox/geom"

const maxGrouped = maxRays // rays that are sorted into groups at once: a packet's

// groups sorts neighboring departures by the solid that they leave: rays that leave one
// solid in one packet start close together, and often go the same way.
type rayGroups struct {
	objects [maxGrouped]int32
	ends    [maxGrouped]int32 // where each object's members end
	sorted  [maxGrouped]int32
	groupOf [maxGrouped]uint16
	table   [groupTable]uint16 // 1 + the group of an object, at its hash or after it; 0: free
	n       int
}

const groupTable = 2 * maxGrouped

// sort groups as many of the first rays as fit and returns their number.
func (g *rayGroups) sort(rays []SecondaryRay) int {
	g.n = 0
	clear(g.table[:])
	rays = rays[:min(len(rays), maxGrouped)]
	last := 0
	for i := range rays {
		if object := rays[i].Object; i == 0 || object != g.objects[last] {
			last = g.find(object)
		}
		g.groupOf[i] = uint16(last)
		g.ends[last]++
	}
	sum := int32(0)
	for k := range g.n {
		sum, g.ends[k] = sum+g.ends[k], sum
	}
	for i, k := range g.groupOf[:len(rays)] {
		g.sorted[g.ends[k]] = int32(i)
		g.ends[k]++
	}
	return len(rays)
}

// find returns the group of the rays that leave object, a new one if none exists.
func (g *rayGroups) find(object int32) int {
	const multiplier = 0x9e3779b1 // 2^32 over the golden ratio: Knuth's multiplicative hashing
	at := uint32(object) * multiplier >> 16
	for ; ; at++ {
		k := int(g.table[at%groupTable])
		if k == 0 {
			break
		}
		if g.objects[k-1] == object {
			return k - 1
		}
	}
	k := g.n
	g.objects[k], g.ends[k] = object, 0
	g.n++
	g.table[at%groupTable] = uint16(g.n)
	return k
}

// starts returns the bounds of the places where some of the rays start, at least one.
func starts(rays []SecondaryRay, members []int32) geom.Bounds {
	if b, ok := startsOf(rays, members); ok {
		return b
	}
	from := geom.EmptyBounds()
	for _, i := range members {
		include(&from, rays[i].Ray.Origin)
	}
	return from
}

// group returns the indices of the rays of group k.
func (g *rayGroups) group(k int) []int32 {
	from := int32(0)
	if k > 0 {
		from = g.ends[k-1]
	}
	return g.sorted[from:g.ends[k]]
}
