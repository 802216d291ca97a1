package accel

import (
	"math"
	"slices"
	"sync"

	"pillbox/geom"
	"pillbox/internal/parallel"
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

// bounds32 is an axis-aligned bounding box in single precision, rounded outward, as kernels hold it: x, y and z of
// the lower ends, then the negated ones of the upper ends. The fourth lanes mean nothing.
type bounds32 [2][lanes]float32

func emptyBounds32() bounds32 {
	inf := float32(math.Inf(1))
	return bounds32{{inf, inf, inf, inf}, {inf, inf, inf, inf}}
}

// add includes c. NaN does not count.
func (b *bounds32) add(c *bounds32) {
	for end := range b {
		for axis := range 3 { // comparisons, which NaN fails, are faster than min and max
			if x := c[end][axis]; x < b[end][axis] {
				b[end][axis] = x
			}
		}
	}
}

// halfArea returns half the surface area, and +Inf if b is empty.
func (b *bounds32) halfArea() float64 {
	x, y, z := -float64(b[1][0])-float64(b[0][0]), -float64(b[1][1])-float64(b[0][1]), -float64(b[1][2])-float64(b[0][2])
	return float64(x*y) + float64(y*z) + float64(z*x)
}

// item is the bounds and the number of one solid of those that a tree is built over. Kernels know its layout, that
// of bounds32.
type item struct {
	lower  [3]float32
	number int32
	upper  [3]float32 // negated
	_      int32
}

func newItem(b geom.Bounds, number int32) item {
	return item{
		lower:  [3]float32{below(b.Min.X), below(b.Min.Y), below(b.Min.Z)},
		number: number,
		upper:  [3]float32{below(-b.Max.X), below(-b.Max.Y), below(-b.Max.Z)},
	}
}

func (x *item) bounds() bounds32 {
	return bounds32{{x.lower[0], x.lower[1], x.lower[2]}, {x.upper[0], x.upper[1], x.upper[2]}}
}

// centroid returns twice the middle of the bounds along an axis.
func (x *item) centroid(axis int) float32 { return x.lower[axis] - x.upper[axis] }

// below returns the greatest float32 that does not exceed x. It is branch-free: the rounding direction is unpredictable.
func below(x float64) float32 {
	f := float32(x)
	var above int32
	if float64(f) > x {
		above = 1
	}
	bits := int32(math.Float32bits(f))
	return math.Float32frombits(uint32(bits - above*(bits>>31|1))) // negative numbers grow with their bits; f is not +0 then
}

// cluster is a range of items that will become a subtree.
type cluster struct {
	items   []item
	first   int32 // how many items lie before these
	all     bounds32
	area    float64 // half of the surface of all; not set for an item alone, which no one asks
	plan    plan
	spheres int32 // so many objects are spheres, the first ones
}

// few reports whether the cluster holds only spheres, and so few that testing them, four at a time, takes
// no longer than visiting a node of their own.
func (c *cluster) few() bool {
	return len(c.items) <= maxLeaf && !slices.ContainsFunc(c.items, func(x item) bool { return x.number >= c.spheres })
}

// plan describes what to do with a cluster: make it a leaf, or cut it at a plane or in the middle of its list.
type plan struct {
	leaf  bool // unless the node has room for its parts, and that helps
	helps bool // the parts cost less than the whole where they take no visit of their own
	halve bool // there is no plane, or no need of one
	plane splitPlane
}

// visitCost is what visiting a node costs, in tests of an item: a ray alone looks at its eight children in less than
// half of the time in which it is tested against one capsule or box.
const visitCost = 0.4

// build arranges the bounds of the objects in a tree by the surface-area heuristic over bins. It returns them in
// the order in which the leaves hold them. Source: Wald,
// "On fast Construction of SAH-based Bounding Volume Hierarchies", IEEE Symposium on
// Interactive Ray Tracing, 2007. The tree is a function of the bounds alone.
func build(given *Source) (t tree, order []item) {
	order, t.all = given.items()
	if len(order) > 0 {
		all := newItem(t.all, 0)
		p := progress{all: len(order), report: given.Progress}
		t.nodes = nodesOver(cluster{items: order, all: all.bounds(), spheres: int32(len(given.Spheres))}, 0, &p)
		p.add(p.all - p.done)
	}
	return t, order
}

// nodesOver returns the nodes of the tree over c, whose root is that deep in another one.
func nodesOver(c cluster, depth int, p *progress) []node {
	all := builders{progress: p, most: max(minTask, len(c.items)/taskParts), perNode: itemsPerNode}
	if int(c.spheres) == len(c.items) {
		all.perNode = spheresPerNode
	}
	newBuilder().decide(&c, depth)
	var root subtree
	root.build(&all, c, depth)
	if root.subtrees == nil {
		return root.nodes
	}
	parts := root.link(nil)
	last := parts[len(parts)-1]
	nodes := make([]node, last.at+len(last.nodes))
	parallel.For(len(parts), func(i int) { parts[i].copyTo(nodes) })
	return nodes
}

// builders are the scratch memory of the goroutines that build a tree.
type builders struct {
	freeList[builder]
	*progress
	most    int // items for one of them
	perNode int // items, about
}

// progress counts the items that are in a tree.
type progress struct {
	mu        sync.Mutex
	done, all int
	report    func(done, all int) // nil: not needed
}

func (p *progress) add(items int) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += items
	p.report(p.done, p.all)
}

// builder is what one goroutine builds with.
type builder struct {
	bins   bins
	nodes  []node
	levels []*siblings // scratch memory, of each level
}

func newBuilder() *builder { return &builder{} }

// level returns the scratch memory of a level.
func (b *builder) level(depth int) *siblings {
	for len(b.levels) <= depth {
		b.levels = append(b.levels, new(siblings))
	}
	return b.levels[depth]
}

// subtree is what one goroutine builds: all nodes of a subtree, its root first, or the root alone
// and, built by goroutines of their own, the subtrees below it.
type subtree struct {
	nodes    []node
	subtrees *[fanout]subtree // of the root's children that are no leaves; nil if all nodes are here
	at       int              // where the nodes are among all
}

// build builds the subtree over c.
func (b *subtree) build(all *builders, c cluster, depth int) {
	if len(c.items) <= all.most {
		w := all.take(newBuilder)
		w.nodes = slices.Grow(w.nodes[:0], len(c.items)/all.perNode+1)
		w.grow(&c, depth)
		b.nodes = slices.Clone(w.nodes)
		all.put(w)
		all.add(len(c.items))
		return
	}
	var parts siblings
	n := newBuilder().divide(&parts, &c, depth) // it waits for others, so it takes nothing that they could use
	b.nodes = make([]node, 1)
	b.nodes[0].enclose(parts[:n])
	b.subtrees = new([fanout]subtree)
	var others parallel.Group
	for k := range parts[:n] {
		if !parts[k].plan.leaf {
			others.Go(func() { b.subtrees[k].build(all, parts[k], depth+1) })
		}
	}
	others.Wait()
}

// grow appends the nodes over c and returns the index of their root.
func (b *builder) grow(c *cluster, depth int) int32 {
	parts := b.level(depth)
	n := b.divide(parts, c, depth)
	at := int32(len(b.nodes))
	b.nodes = append(b.nodes, node{})
	b.nodes[at].enclose(parts[:n])
	for k := range parts[:n] {
		if !parts[k].plan.leaf {
			first := b.grow(&parts[k], depth+1)
			b.nodes[at].children[k].first = first
		}
	}
	return at
}

// link appends the subtree and those below it to parts, and says where their nodes are when they come one after
// the other.
func (b *subtree) link(parts []*subtree) []*subtree {
	if len(parts) > 0 {
		before := parts[len(parts)-1]
		b.at = before.at + len(before.nodes)
	}
	parts = append(parts, b)
	if b.subtrees == nil {
		return parts
	}
	for k := range b.subtrees {
		if c := &b.subtrees[k]; c.nodes != nil {
			parts = c.link(parts)
			b.nodes[0].children[k].first = int32(c.at - b.at)
		}
	}
	return parts
}

// copyTo copies the nodes to where they are among all.
func (b *subtree) copyTo(nodes []node) {
	nodes = nodes[b.at:][:copy(nodes[b.at:], b.nodes)]
	for i := range nodes {
		for k := range fanout {
			if c := &nodes[i].children[k]; c.count == 0 {
				c.first += int32(b.at)
			}
		}
	}
}

// enclose gives the node children. Those that are no leaves are not linked yet.
func (n *node) enclose(parts []cluster) {
	for k := range parts {
		p := &parts[k]
		n.setBounds(k, &p.all)
		if p.plan.leaf {
			n.children[k] = child{p.first, int32(len(p.items))}
		}
	}
	nothing := emptyBounds32()
	for k := len(parts); k < fanout; k++ {
		n.setBounds(k, &nothing)
		n.children[k].count = -1
	}
}

func (n *node) setBounds(k int, b *bounds32) {
	for axis := range 3 {
		n.bounds[0][axis][k], n.bounds[1][axis][k] = b[0][axis], -b[1][axis]
	}
}

// siblings are the clusters that become the children of one node.
type siblings [fanout]cluster

// divide cuts a cluster in two, and on, until there are as many parts as a node may have children or no cut
// helps. It returns their number.
func (b *builder) divide(s *siblings, c *cluster, depth int) int {
	s[0] = *c
	n := 1
	for ; n < fanout; n++ {
		k := s.next(n)
		if k < 0 {
			return n
		}
		s[k].split(&s[n])
		b.decideBoth(&s[k], &s[n], depth)
	}
	for k := range s {
		s[k].plan.leaf = s[k].plan.leaf || s[k].few()
	}
	return n
}

// next returns which of the first n clusters is cut next, or -1: the largest of those that are no leaves or, if all
// of them are, of those that are better cut where that costs no visit.
func (s *siblings) next(n int) int {
	best, area, leaf := -1, 0.0, true
	for k := range s[:n] {
		c := &s[k]
		if c.plan.leaf && (!leaf || !c.plan.helps || c.few()) {
			continue
		}
		// The first counts whatever its area is, which may be NaN for invalid solids.
		if best < 0 || leaf && !c.plan.leaf || c.area > area {
			best, area, leaf = k, c.area, c.plan.leaf
		}
	}
	return best
}

// decideBoth makes the plans of two clusters, at once if they are large.
func (b *builder) decideBoth(lower, upper *cluster, depth int) {
	if len(lower.items)+len(upper.items) <= minPlans {
		b.decide(lower, depth)
		b.decide(upper, depth)
		return
	}
	l := *lower // a copy, so that siblings that no goroutine sees stay on the stack
	var other parallel.Group
	other.Go(func() { newBuilder().decide(&l, depth) })
	b.decide(upper, depth)
	other.Wait()
	*lower = l
}

// decide makes the cluster's plan.
func (b *builder) decide(c *cluster, depth int) {
	n := len(c.items)
	c.plan.leaf, c.plan.helps, c.plan.halve = n <= maxLeaf, false, true
	if n == 1 {
		return
	}
	c.area = c.all.halfArea()
	if depth >= sahDepth {
		return
	}
	cost := 0.0
	if n == 2 { // any plane makes the same cut
		lower, upper := c.items[0].bounds(), c.items[1].bounds()
		cost = lower.halfArea() + upper.halfArea()
	} else {
		b.bins.fill(c.items)
		b.bins.sweep(n)
		cost = b.bins.best.cost
	}
	if c.plan.helps = cost < float64(float64(n)*c.area); !c.plan.helps {
		return
	}
	if n > 2 {
		c.plan.plane, c.plan.halve = b.bins.plane(), false
	}
	c.plan.leaf = c.plan.leaf && !(cost < float64((float64(n)-visitCost)*c.area))
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
	upper.items, upper.first, upper.all, upper.spheres = c.items[n:], c.first+int32(n), p.upper, c.spheres
	c.items, c.all = c.items[:n], p.lower
}

// boundsOf returns the bounds of items, of which there is one at least.
func boundsOf(items []item) bounds32 {
	b := items[0].bounds()
	for i := 1; i < len(items); i++ {
		c := items[i].bounds()
		b.add(&c)
	}
	return b
}

// splitPlane is a cut at a plane.
type splitPlane struct {
	grid
	axis, last   int
	lower, upper bounds32 // of the items on either side
}

// partition moves the items on the lower side of the plane to the front and returns their number. Every item is moved,
// because which of them have to is unpredictable.
func (p *splitPlane) partition(items []item) int {
	if n, ok := partitionItems(p, items); ok {
		return n
	}
	axis, lo, scale, above := p.axis, p.lo, p.scale, float64(p.last+1)
	n := 0
	for i := range items {
		x := items[i]
		items[i], items[n] = items[n], x
		if at := (float64(x.centroid(axis)) - lo) * scale; !(at >= above) { // as [grid.find] has it, also for NaN
			n++
		}
	}
	return n
}

// partitionAll is partition for any number of items: parts of many are partitioned at once, and then what
// lies on the wrong side of the border is swapped.
func (p *splitPlane) partitionAll(items []item) int {
	if len(items) <= manyItems {
		return p.partition(items)
	}
	lower := make([]int, chunks(len(items)).Parts())
	plane := *p // a copy, so that clusters that no goroutine sees stay on the stack
	chunks(len(items)).Do(func(part, from, to int) { lower[part] = plane.partition(items[from:to]) })
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
	parallel.For(len(swaps), func(i int) {
		x, y := swaps[i][0], swaps[i][1]
		for k := range x {
			x[k], y[k] = y[k], x[k]
		}
	})
}
