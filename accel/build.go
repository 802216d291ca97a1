package accel

import (
	"math"
	"slices"

	"pillbox/geom"
	"pillbox/tasks"
)

const (
	maxLeaf = 8 // items; a leaf is split above this even if that costs

	// A subtree over more items than this, and than one of so many parts of all, is built by several goroutines.
	minTask, taskParts = 1024, 512

	// The plans of two clusters of more items than this together are made by two goroutines.
	minPlans = 4096

	// Trees have about so many items to a node, and more over spheres, which make larger leaves.
	itemsPerNode, spheresPerNode = 3, 16
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
// by the surface-area heuristic over bins. It returns them in the order in which the leaves hold them. Source: Wald,
// "On fast Construction of SAH-based Bounding Volume Hierarchies", IEEE Symposium on
// Interactive Ray Tracing, 2007. The tree is a function of the bounds alone.
func build(n, spheres int, bounds func(number int32) geom.Bounds) (t tree, order []item) {
	t.all = geom.EmptyBounds()
	if n == 0 {
		return t, nil
	}
	items := make([]item, n)
	parts := make([]geom.Bounds, chunks(n))
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
	t.nodes = nodesOver(cluster{items: items, all: newBounds32(t.all), spheres: int32(spheres)}, 0)
	return t, items
}

// nodesOver returns the nodes of the tree over c, whose root is that deep in another one.
func nodesOver(c cluster, depth int) []node {
	all := builders{most: max(minTask, len(c.items)/taskParts), perNode: itemsPerNode}
	if int(c.spheres) == len(c.items) {
		all.perNode = spheresPerNode
	}
	newBuilder().decide(&c, depth)
	var root subtree
	root.build(&all, c, depth)
	return root.flatten(make([]node, 0, root.size()))
}

// builders are the scratch memory of the goroutines that build a tree.
type builders struct {
	spares[builder]
	most    int // items for one of them
	perNode int // items, about
}

// builder is what one goroutine builds with.
type builder struct {
	bins  bins
	nodes []node
}

func newBuilder() *builder { return &builder{} }

// subtree is what one goroutine builds: all nodes of a subtree, its root first, or the root alone
// and, built by goroutines of their own, the subtrees below it.
type subtree struct {
	nodes    []node
	subtrees [fanout]*subtree
}

// build builds the subtree over c.
func (b *subtree) build(all *builders, c cluster, depth int) {
	if len(c.items) <= all.most {
		w := all.take(newBuilder)
		w.nodes = make([]node, 0, len(c.items)/all.perNode+1)
		w.grow(&c, depth)
		b.nodes, w.nodes = w.nodes, nil
		all.put(w)
		return
	}
	var parts siblings
	n := newBuilder().divide(&parts, &c, depth) // it waits for others, so it takes nothing that they could use
	b.nodes = []node{newNode(parts[:n])}
	var others tasks.Group
	for k := range parts[:n] {
		if !parts[k].plan.leaf {
			b.subtrees[k] = &subtree{}
			others.Go(func() { b.subtrees[k].build(all, parts[k], depth+1) })
		}
	}
	others.Wait()
}

// grow appends the nodes over c and returns the index of their root.
func (b *builder) grow(c *cluster, depth int) int32 {
	var parts siblings
	n := b.divide(&parts, c, depth)
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
func (b *builder) divide(s *siblings, c *cluster, depth int) int {
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
		b.decideBoth(&s[big], &s[n], depth)
		n++
	}
	if n == fanout { // or all are leaves
		for k := range s {
			s[k].plan.leaf = s[k].plan.leaf || s[k].few()
		}
	}
	return n
}

// decideBoth makes the plans of two clusters, at once if they are large.
func (b *builder) decideBoth(lower, upper *cluster, depth int) {
	if len(lower.items)+len(upper.items) <= minPlans {
		b.decide(lower, depth)
		b.decide(upper, depth)
		return
	}
	l := *lower // a copy, so that siblings that no goroutine sees stay on the stack
	var other tasks.Group
	other.Go(func() { newBuilder().decide(&l, depth) })
	b.decide(upper, depth)
	other.Wait()
	*lower = l
}

// decide makes the cluster's plan. Visiting a node and testing an item are taken to cost
// the same.
func (b *builder) decide(c *cluster, depth int) {
	n := len(c.items)
	if n > 1 && depth < sahDepth {
		b.bins.fill(c.items)
		b.bins.sweep(n)
		if b.bins.best.cost < float64(float64(n-1)*c.all.halfArea()) {
			c.plan.plane = b.bins.plane()
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
		n = p.partitionAll(c.items)
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

// splitPlane is a cut at a plane.
type splitPlane struct {
	grid
	axis, last   int
	lower, upper bounds32 // of the items on either side
}

// partition moves the items on the lower side of the plane to the front and returns their number.
func (p *splitPlane) partition(items []item) int {
	axis, lo, scale, above := p.axis, p.lo, p.scale, float64(p.last+1)
	i, j := 0, len(items)
	for i < j {
		if at := (float64(items[i].bounds.centroid(axis)) - lo) * scale; !(at >= above) { // as [grid.find] has it, also for NaN
			i++
		} else {
			j--
			items[i], items[j] = items[j], items[i]
		}
	}
	return i
}

// partitionAll is partition for any number of items: parts of many are partitioned at once, and then what
// lies on the wrong side of the border is swapped.
func (p *splitPlane) partitionAll(items []item) int {
	if len(items) <= manyItems {
		return p.partition(items)
	}
	lower := make([]int, chunks(len(items)))
	plane := *p // a copy, so that clusters that no goroutine sees stay on the stack
	inChunks(len(items), func(part, from, to int) { lower[part] = plane.partition(items[from:to]) })
	border := 0
	for _, n := range lower {
		border += n
	}
	var high, low [][]item // those of the upper side below the border, and those of the lower side above
	for part, n := range lower {
		from, to := part*chunk, min(len(items), (part+1)*chunk)
		if mid := from + n; mid < border {
			high = append(high, items[mid:min(to, border)])
		} else if from < border {
			low = append(low, items[border:mid])
		} else {
			low = append(low, items[from:mid])
		}
	}
	swapAll(high, low)
	return border
}

// swapAll swaps the items of two lists of equally many, those of the first list of each with the first of
// the other.
func swapAll(a, b [][]item) {
	var swaps [][2][]item
	for len(a) > 0 && len(b) > 0 {
		n := min(len(a[0]), len(b[0]))
		if n > 0 {
			swaps = append(swaps, [2][]item{a[0][:n], b[0][:n]})
		}
		if a[0] = a[0][n:]; len(a[0]) == 0 {
			a = a[1:]
		}
		if len(b[0]) == n {
			b = b[1:]
		} else {
			b[0] = b[0][n:]
		}
	}
	tasks.For(len(swaps), func(i int) {
		x, y := swaps[i][0], swaps[i][1]
		for k := range x {
			x[k], y[k] = y[k], x[k]
		}
	})
}
