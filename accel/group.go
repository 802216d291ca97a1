package accel

const (
	maxGrouped = maxRays // rays that are sorted into groups at once: a packet's
	maxGroups  = 128     // solids that those rays leave at most
)

// groups sorts neighbouring departures by the solid that they leave: rays that leave one
// solid in one packet start close together, and often go the same way.
type groups struct {
	objects [maxGroups]int32
	ends    [maxGroups]int32 // where each object's members end
	sorted  [maxGrouped]int32
	groupOf [maxGrouped]uint8
	n       int
}

// sort groups as many of the first rays as fit and returns their number.
func (g *groups) sort(rays []Departure) int {
	g.n = 0
	taken := 0
	for taken < min(len(rays), maxGrouped) {
		k := g.find(rays[taken].Object)
		if k == maxGroups {
			break
		}
		g.groupOf[taken] = uint8(k)
		g.ends[k]++
		taken++
	}
	sum := int32(0)
	for k := range g.n {
		sum, g.ends[k] = sum+g.ends[k], sum
	}
	for i, k := range g.groupOf[:taken] {
		g.sorted[g.ends[k]] = int32(i)
		g.ends[k]++
	}
	return taken
}

// find returns the group of the rays that leave object, a new one if there is none, or
// maxGroups if there is no room for one. Neighbours mostly leave the same few solids, so the search
// goes backward.
func (g *groups) find(object int32) int {
	for k := g.n - 1; k >= 0; k-- {
		if g.objects[k] == object {
			return k
		}
	}
	if g.n == maxGroups {
		return maxGroups
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
