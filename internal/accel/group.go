package accel

import "pillbox/geom"

const maxGrouped = maxRays // largest number of rays that are grouped at once: one per ray of a packet

// rayGroups groups the secondary rays of a packet by the solid that they leave. Rays of a group start
// close together, and often have similar directions.
type rayGroups struct {
	objects [maxGrouped]int32
	ends    [maxGrouped]int32 // the end of each group in sorted
	sorted  [maxGrouped]int32
	groupOf [maxGrouped]uint16
	table   [groupTable]uint16 // hash table with linear probing from objects to groups: 1 + the group, or 0 if the entry is free
	n       int
}

const groupTable = 2 * maxGrouped

// sort groups the first maxGrouped rays, or all rays if there are fewer. It returns the number of rays in
// the groups.
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

// find returns the number of the group for the rays that leave the given object. It creates the group if there
// is none.
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

// originBounds returns the bounds of the origins of the rays with the indices members. There must be at least one.
func originBounds(rays []SecondaryRay, members []int32) geom.Bounds {
	if b, ok := boundOrigins(rays, members); ok {
		return b
	}
	from := geom.EmptyBounds()
	for _, i := range members {
		include(&from, rays[i].Ray.Origin)
	}
	return from
}

// halve moves the members whose origins lie in the lower half of the bounds from, along its longest axis, to the front. It
// returns their number.
func halve(rays []SecondaryRay, members []int32, from geom.Bounds) int {
	axis, at := middle(from)
	n := 0
	for k, i := range members {
		o, lower := &rays[i].Ray.Origin, 0
		x := o.X
		switch axis {
		case 1:
			x = o.Y
		case 2:
			x = o.Z
		}
		if x < at {
			lower = 1
		}
		members[k], members[n] = members[n], i // without a branch, which would be unpredictable
		n += lower
	}
	return n
}

// group returns the indices of the rays of group k.
func (g *rayGroups) group(k int) []int32 {
	from := int32(0)
	if k > 0 {
		from = g.ends[k-1]
	}
	return g.sorted[from:g.ends[k]]
}
