package accel

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/tasks"
)

const (
	maxBins = 16 // per axis
	maxLeaf = 8  // items; a leaf is split above this even if that costs

	// A subtree over more items than this is worth a goroutine.
	minTask = 4096
)

// item is the bounds and the number of one solid of those that a tree is built over.
type item struct {
	bounds bounds32
	number int32
}

// bounds32 is an axis-aligned bounding box in single precision, rounded outward.
type bounds32 struct{ min, max [3]float32 }

func newBounds32(b geom.Bounds) bounds32 {
	return bounds32{
		[3]float32{below(b.Min.X), below(b.Min.Y), below(b.Min.Z)},
		[3]float32{-below(-b.Max.X), -below(-b.Max.Y), -below(-b.Max.Z)},
	}
}

// below returns the greatest float32 that does not exceed x.
func below(x float64) float32 {
	f := float32(x)
	if float64(f) > x {
		f = math.Nextafter32(f, float32(math.Inf(-1)))
	}
	return f
}

func emptyBounds32() bounds32 {
	inf := float32(math.Inf(1))
	return bounds32{[3]float32{inf, inf, inf}, [3]float32{-inf, -inf, -inf}}
}

// add includes c. NaN does not count.
func (b *bounds32) add(c *bounds32) {
	for axis := range 3 { // comparisons, which NaN fails, are faster than min and max
		if c.min[axis] < b.min[axis] {
			b.min[axis] = c.min[axis]
		}
		if c.max[axis] > b.max[axis] {
			b.max[axis] = c.max[axis]
		}
	}
}

// halfArea returns half the surface area, and 0 if b is empty.
func (b *bounds32) halfArea() float64 {
	x, y, z := float64(b.max[0])-float64(b.min[0]), float64(b.max[1])-float64(b.min[1]), float64(b.max[2])-float64(b.min[2])
	if x < 0 {
		return 0
	}
	return float64(x*y) + float64(y*z) + float64(z*x)
}

// centroid returns twice the middle of b along an axis.
func (b *bounds32) centroid(axis int) float32 { return b.min[axis] + b.max[axis] }

// cluster is a range of items that will become a subtree.
type cluster struct {
	items   []item
	first   int32 // how many items lie before these
	all     bounds32
	plan    plan
	spheres int32 // so many objects are spheres, the first ones
}

// few reports whether the cluster holds only spheres, and so few that testing them, four at a time, takes
// no longer than visiting a node of their own.
func (c *cluster) few() bool {
	return len(c.items) <= maxLeaf && !slices.ContainsFunc(c.items, func(x item) bool { return x.number >= c.spheres })
}

// plan says what to do with a cluster: make it a leaf, cut it at a plane, or halve its list.
type plan struct {
	leaf, halve bool
	plane       splitPlane
}

// build arranges the bounds of the objects 0, ..., n - 1, of which the first ones are spheres, in a tree
// by the surface-area heuristic over bins. It returns their numbers in the order in which the leaves hold them. Source: Wald,
// "On fast Construction of SAH-based Bounding Volume Hierarchies", IEEE Symposium on
// Interactive Ray Tracing, 2007. The tree is a function of the bounds alone.
func build(n, spheres int, bounds func(number int32) geom.Bounds) (t tree, order []int32) {
	t.all = geom.EmptyBounds()
	if n == 0 {
		return t, nil
	}
	items := make([]item, n)
	parts := make([]geom.Bounds, (n+chunk-1)/chunk)
	inChunks(n, func(part, from, to int) {
		all := geom.EmptyBounds()
		for i := from; i < to; i++ {
			b := bounds(int32(i))
			all = all.Union(b)
			items[i] = item{newBounds32(b), int32(i)}
		}
		parts[part] = all
	})
	for _, b := range parts {
		t.all = t.all.Union(b)
	}
	c := cluster{items: items, all: newBounds32(t.all), spheres: int32(spheres)}
	c.decide(0)
	var root subtree
	root.build(c, 0)
	t.nodes = root.flatten(make([]node, 0, root.size()))
	order = make([]int32, n)
	for i := range items {
		order[i] = items[i].number
	}
	return t, order
}

// subtree is what one goroutine builds: all nodes of a subtree, its root first, or the root alone
// and, built by goroutines of their own, the subtrees below it.
type subtree struct {
	nodes    []node
	subtrees [fanout]*subtree
}

// build builds the subtree over c.
func (b *subtree) build(c cluster, depth int) {
	if len(c.items) <= minTask {
		b.nodes = make([]node, 0, len(c.items)/2+1)
		b.grow(&c, depth)
		return
	}
	var parts siblings
	n := parts.divide(&c, depth)
	b.nodes = []node{newNode(parts[:n])}
	var others tasks.Group
	for k := range parts[:n] {
		if !parts[k].plan.leaf {
			b.subtrees[k] = &subtree{}
			others.Go(func() { b.subtrees[k].build(parts[k], depth+1) })
		}
	}
	others.Wait()
}

// grow appends the nodes over c and returns the index of their root.
func (b *subtree) grow(c *cluster, depth int) int32 {
	var parts siblings
	n := parts.divide(c, depth)
	at := int32(len(b.nodes))
	b.nodes = append(b.nodes, newNode(parts[:n]))
	for k := range parts[:n] {
		if !parts[k].plan.leaf {
			first := b.grow(&parts[k], depth+1)
			b.nodes[at].children[k].first = first
		}
	}
	return at
}

// size returns the number of nodes.
func (b *subtree) size() int {
	n := len(b.nodes)
	for _, c := range b.subtrees {
		if c != nil {
			n += c.size()
		}
	}
	return n
}

// flatten appends all nodes of the subtree to nodes.
func (b *subtree) flatten(nodes []node) []node {
	at := len(nodes)
	nodes = append(nodes, b.nodes...)
	for i := range nodes[at:] {
		for k := range fanout {
			if c := &nodes[at+i].children[k]; c.count == 0 {
				c.first += int32(at)
			}
		}
	}
	for k, c := range b.subtrees {
		if c != nil {
			nodes[at].children[k].first = int32(len(nodes))
			nodes = c.flatten(nodes)
		}
	}
	return nodes
}

// newNode returns a node with the given children. Those that are no leaves are not linked yet.
func newNode(parts []cluster) node {
	var n node
	for k := range n.children {
		if k < len(parts) {
			p := &parts[k]
			n.setBounds(k, &p.all)
			if p.plan.leaf {
				n.children[k] = child{p.first, int32(len(p.items))}
			}
			continue
		}
		nothing := emptyBounds32()
		n.setBounds(k, &nothing)
		n.children[k].count = -1
	}
	return n
}

func (n *node) setBounds(k int, b *bounds32) {
	for axis := range 3 {
		n.bounds[0][axis][k], n.bounds[1][axis][k] = b.min[axis], b.max[axis]
	}
}

// siblings are the clusters that become the children of one node.
type siblings [fanout]cluster

// divide cuts a cluster in two, and on, the largest part first, until there are as many
// parts as a node may have children or all of them are leaves. It returns their number.
func (s *siblings) divide(c *cluster, depth int) int {
	s[0] = *c
	n := 1
	for n < fanout {
		big, area := -1, 0.0
		for k := range s[:n] {
			// The first counts whatever its area is, which may be NaN for invalid solids.
			if a := s[k].all.halfArea(); !s[k].plan.leaf && (big < 0 || a > area) {
				big, area = k, a
			}
		}
		if big < 0 {
			break
		}
		s[big].split(&s[n])
		decide(&s[big], &s[n], depth)
		n++
	}
	if n == fanout { // or all are leaves
		for k := range s {
			s[k].plan.leaf = s[k].plan.leaf || s[k].few()
		}
	}
	return n
}

// decide makes the plans of two clusters, at once if they are large.
func decide(lower, upper *cluster, depth int) {
	if len(lower.items)+len(upper.items) <= minTask {
		lower.decide(depth)
		upper.decide(depth)
		return
	}
	l := *lower // a copy, so that siblings that no goroutine sees stay on the stack
	var other tasks.Group
	other.Go(func() { l.decide(depth) })
	upper.decide(depth)
	other.Wait()
	*lower = l
}

// decide makes the cluster's plan. Visiting a node and testing an item are taken to cost
// the same.
func (c *cluster) decide(depth int) {
	n := len(c.items)
	if n > 1 && depth < sahDepth {
		c.plan.plane = bestSplit(c.items)
		if c.plan.plane.cost < float64(float64(n-1)*c.all.halfArea()) {
			return
		}
	}
	c.plan.leaf = n <= maxLeaf
	c.plan.halve = !c.plan.leaf // too many for a leaf and no plane helps
}

// split moves a part of the cluster to upper, as it is planned. Neither is empty then.
func (c *cluster) split(upper *cluster) {
	n := len(c.items) / 2
	p := &c.plan.plane
	if c.plan.halve {
		p.lower, p.upper = boundsOf(c.items[:n]), boundsOf(c.items[n:])
	} else {
		n = p.partition(c.items)
	}
	*upper = cluster{items: c.items[n:], first: c.first + int32(n), all: p.upper, spheres: c.spheres}
	*c = cluster{items: c.items[:n], first: c.first, all: p.lower, spheres: c.spheres}
}

func boundsOf(items []item) bounds32 {
	b := emptyBounds32()
	for i := range items {
		b.add(&items[i].bounds)
	}
	return b
}

// splitPlane lies above one of the slices along an axis, the last one of the lower side.
type splitPlane struct {
	grid
	axis, last int
	cost       float64 // sum over both sides of area times number of items

	lower, upper bounds32 // bounds of the items on either side
}

// partition moves the items on the lower side of the plane to the front and returns their number.
func (p *splitPlane) partition(items []item) int {
	i, j := 0, len(items)
	for i < j {
		if p.find(items[i].bounds.centroid(p.axis)) <= p.last {
			i++
		} else {
			j--
			items[i], items[j] = items[j], items[i]
		}
	}
	return i
}

// bin holds the bounds and the number of the items whose centroids lie in one slice along an axis.
type bin struct {
	all   bounds32
	count int
}

// bestSplit returns the cheapest plane between the items; its cost is infinite if no plane
// has items on both sides.
func bestSplit(items []item) splitPlane {
	centroids := centroidsOf(items)
	n := min(maxBins, len(items))
	var grids [3]grid
	for a := range grids {
		grids[a] = newGrid(centroids.min[a], centroids.max[a], n)
	}
	bins := toBins(items, &grids)
	best := splitPlane{cost: math.Inf(1)}
	for a := range bins {
		last, cost := sweep(bins[a][:n], len(items))
		if cost < best.cost {
			best = splitPlane{grid: grids[a], axis: a, last: last, cost: cost}
		}
	}
	best.lower, best.upper = emptyBounds32(), emptyBounds32()
	for k := range n {
		if k <= best.last {
			best.lower.add(&bins[best.axis][k].all)
		} else {
			best.upper.add(&bins[best.axis][k].all)
		}
	}
	return best
}

// centroidsOf returns the bounds of the items' centroids.
func centroidsOf(items []item) bounds32 {
	var l boundsLanes
	if addCentroids(&l, items) {
		return l.bounds()
	}
	centroids := emptyBounds32()
	for i := range items {
		b := &items[i].bounds
		m := [3]float32{b.centroid(0), b.centroid(1), b.centroid(2)}
		centroids.add(&bounds32{m, m})
	}
	return centroids
}

// toBins puts the items into the bins of a grid along each axis.
func toBins(items []item, grids *[3]grid) (bins [3][maxBins]bin) {
	n := grids[0].last + 1
	var l binLanes
	if l.prepare(grids); addToBins(&l, items) {
		for a := range bins {
			for k := range n {
				bins[a][k] = bin{l.all[a][k].bounds(), int(l.count[a][k])}
			}
		}
		return bins
	}
	for a := range bins {
		for k := range n {
			bins[a][k].all = emptyBounds32()
		}
	}
	for i := range items {
		b := &items[i].bounds
		bins[0][grids[0].find(b.centroid(0))].add(b)
		bins[1][grids[1].find(b.centroid(1))].add(b)
		bins[2][grids[2].find(b.centroid(2))].add(b)
	}
	return bins
}

// boundsLanes are bounds as kernels gather them: x, y and z of the lower ends, then the negated ones of the
// upper ends. Their fourth lanes mean nothing.
type boundsLanes [2][lanes]float32

func (l *boundsLanes) clear() {
	inf := float32(math.Inf(1))
	l[0], l[1] = [lanes]float32{inf, inf, inf}, [lanes]float32{inf, inf, inf}
}

func (l *boundsLanes) bounds() bounds32 {
	return bounds32{[3]float32(l[0][:]), [3]float32{-l[1][0], -l[1][1], -l[1][2]}}
}

// binLanes are grids and bins as kernels know them, which hold an axis to a lane.
type binLanes struct {
	lo, scale, last [lanes]float64
	all             [3][maxBins]boundsLanes
	count           [3][maxBins]int32
}

// prepare makes l the empty bins of some grids.
func (l *binLanes) prepare(grids *[3]grid) {
	for a := range grids {
		g := &grids[a]
		l.lo[a], l.scale[a], l.last[a] = g.lo, g.scale, float64(g.last)
		for k := range l.all[a][:g.last+1] {
			l.all[a][k].clear()
		}
	}
}

func (b *bin) add(c *bounds32) {
	b.all.add(c)
	b.count++
}

// sweep returns the cheapest of the planes between the bins, which hold n items.
func sweep(bins []bin, n int) (last int, cost float64) {
	var upper [maxBins]float64 // cost of bins k and above
	side, count := emptyBounds32(), 0
	for k := len(bins) - 1; k > 0; k-- {
		side.add(&bins[k].all)
		count += bins[k].count
		upper[k] = float64(side.halfArea() * float64(count))
	}
	cost = math.Inf(1)
	side, count = emptyBounds32(), 0
	for k := range len(bins) - 1 {
		side.add(&bins[k].all)
		count += bins[k].count
		if count == 0 || count == n {
			continue
		}
		if c := float64(side.halfArea()*float64(count)) + upper[k+1]; c < cost {
			last, cost = k, c
		}
	}
	return last, cost
}

// grid cuts an interval into equal slices.
type grid struct {
	lo, scale float64
	last      int
}

func newGrid(lo, hi float32, n int) grid {
	s := grid{lo: float64(lo), last: n - 1}
	if width := float64(hi) - float64(lo); width > 0 {
		s.scale = float64(n) / width
	}
	return s
}

// find returns the slice that x lies in, or the nearest one.
func (s *grid) find(x float32) int {
	return geom.ClampInt((float64(x)-s.lo)*s.scale, 0, s.last)
}
