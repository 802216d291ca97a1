package accel

import (
	"math"
	"slices"
	"sync"

	"pillbox/geom"
	"pillbox/internal/parallel"
)

const (
	maxLeaf = 8 // the most items in a leaf; larger clusters are split even if that increases the cost

	// A subtree with more than minTask items and more than 1/taskParts of all items is built by several goroutines.
	minTask, taskParts = 1024, 512

	// If two sibling clusters together have more than minPlans items, two goroutines decide how to split them.
	minPlans = 4096

	// The approximate number of items per node, in general and for scenes of spheres, which have larger
	// leaves.
	itemsPerNode, spheresPerNode = 3, 16
)

// bounds32 is an axis-aligned bounding box in single precision, rounded outward. It has the layout of
// the kernels: x, y and z of the lower corner, then x, y and z of the upper corner, negated. The fourth
// lanes are unused.
type bounds32 [2][lanes]float32

func emptyBounds32() bounds32 {
	inf := float32(math.Inf(1))
	return bounds32{{inf, inf, inf, inf}, {inf, inf, inf, inf}}
}

// addBounds extends b to include c. It ignores NaN.
func (b *bounds32) addBounds(c *bounds32) {
	for end := range b {
		for axis := range 3 { // comparisons are faster than min and max, and ignore NaN
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

// item holds the bounds and the object number of a solid. The tree is built from items. The layout is that of
// bounds32, with the number in an unused lane. Kernels depend on it.
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

// centroid returns twice the center of the bounds along an axis.
func (x *item) centroid(axis int) float32 { return x.lower[axis] - x.upper[axis] }

// below returns the greatest float32 that does not exceed x. It is branch-free: the rounding direction is unpredictable.
func below(x float64) float32 {
	f := float32(x)
	var above int32
	if float64(f) > x {
		above = 1
	}
	bits := int32(math.Float32bits(f))
	return math.Float32frombits(uint32(bits - above*(bits>>31|1))) // the next float32 below f, which is never +0 here
}

// cluster is a range of items that will become a subtree.
type cluster struct {
	items   []item
	first   int32 // index of the first item in the whole list
	all     bounds32
	area    float64 // half the surface area of all; not set for a single item, where it is not needed
	plan    plan
	spheres int32 // the number of spheres in the scene, which are the first objects
}

// few reports whether the cluster consists of at most maxLeaf spheres. Testing these spheres, four at a
// time, takes no longer than visiting another node.
func (c *cluster) few() bool {
	return len(c.items) <= maxLeaf && !slices.ContainsFunc(c.items, func(x item) bool { return x.number >= c.spheres })
}

// plan is the decision about a cluster: make it a leaf, split it at a plane, or split its list in the
// middle.
type plan struct {
	leaf  bool // make it a leaf, unless helps is set and the parent node has room for both of its parts as children
	helps bool // splitting the cluster reduces the cost if both parts become children of the same parent
	halve bool // split the list in the middle, not at a plane
	plane splitPlane
}

// visitCost is the cost of visiting a node, divided by the cost of testing an item. A single ray tests the bounds of
// eight children in less than half the time of testing one capsule or box.
const visitCost = 0.4

// build builds a tree over the solids with the binned surface-area heuristic. It also returns the items
// in the order of the leaves. Source: Wald, "On fast Construction of SAH-based Bounding Volume
// Hierarchies", IEEE Symposium on Interactive Ray Tracing, 2007. The tree depends only on the bounds of
// the solids.
func build(given *Source) (t tree, order []item) {
	order, t.all = given.items()
	if len(order) > 0 {
		all := newItem(t.all, 0)
		p := progress{all: len(order), report: given.Progress}
		t.nodes = nodesOver(cluster{items: order, all: all.bounds(), spheres: int32(len(given.Spheres))}, 0, &p)
		p.addItems(p.all - p.done)
	}
	return t, order
}

// nodesOver returns the nodes of a subtree over c. depth is the depth of its root in the whole tree.
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

// builders is the state that the goroutines building a tree share.
type builders struct {
	freeList[builder]
	*progress
	most    int // the largest number of items that one goroutine builds alone
	perNode int // approximate number of items per node
}

// progress counts and reports the items that are already in the tree.
type progress struct {
	mu        sync.Mutex
	done, all int
	report    func(done, all int) // nil if not needed
}

func (p *progress) addItems(items int) {
	if p.report == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += items
	p.report(p.done, p.all)
}

// builder is the scratch memory of one goroutine.
type builder struct {
	bins   bins
	nodes  []node
	levels []*siblings // the children of the current node, for each level
}

func newBuilder() *builder { return &builder{} }

// level returns the memory for the siblings at the given depth of the tree.
func (b *builder) level(depth int) *siblings {
	for len(b.levels) <= depth {
		b.levels = append(b.levels, new(siblings))
	}
	return b.levels[depth]
}

// subtree is a part of the tree that one goroutine builds. It has either all nodes of a subtree, root
// first, or only the root; other goroutines then build the subtrees below it.
type subtree struct {
	nodes    []node
	subtrees *[fanout]subtree // the subtrees of the root's inner children; nil if nodes has all nodes
	at       int              // index of the first node in the whole tree
}

// build builds the subtree over c, whose root is at the given depth.
func (b *subtree) build(all *builders, c cluster, depth int) {
	if len(c.items) <= all.most {
		w := all.take(newBuilder)
		w.nodes = slices.Grow(w.nodes[:0], len(c.items)/all.perNode+1)
		w.grow(&c, depth)
		b.nodes = slices.Clone(w.nodes)
		all.put(w)
		all.addItems(len(c.items))
		return
	}
	var parts siblings
	n := newBuilder().divide(&parts, &c, depth) // not from the free list, because this goroutine waits while others need builders
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

// grow appends the nodes of a subtree over c and returns the index of its root.
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

// link appends the subtree, and all subtrees below it, to the list parts. For each of them it sets the field
// at: the index in the whole tree at which its nodes will be stored.
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

// copyTo copies the nodes to their place in the whole tree.
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

// enclose sets the bounds of the node's children and, for children that are leaves, their items. Children
// that are nodes are linked later.
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

// divide splits a cluster, and then repeatedly one of its parts, until there are fanout parts or no
// split reduces the cost. It stores the parts in s and returns their number.
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

// The method next chooses which of the first n clusters to split next. It returns the cluster's index, or
// -1 if no split helps. Clusters whose plan is not a leaf come first, and among these the one with the
// largest area. If all plans are leaves, next returns the largest cluster for which helps is set and few
// returns false.
func (s *siblings) next(n int) int {
	best, area, leaf := -1, 0.0, true
	for k := range s[:n] {
		c := &s[k]
		if c.plan.leaf && (!leaf || !c.plan.helps || c.few()) {
			continue
		}
		// Accept the first candidate without comparing areas: the area of invalid solids may be NaN.
		if best < 0 || leaf && !c.plan.leaf || c.area > area {
			best, area, leaf = k, c.area, c.plan.leaf
		}
	}
	return best
}

// decideBoth makes the plans of two clusters, concurrently if they are large.
func (b *builder) decideBoth(lower, upper *cluster, depth int) {
	if len(lower.items)+len(upper.items) <= minPlans {
		b.decide(lower, depth)
		b.decide(upper, depth)
		return
	}
	l := *lower // a copy: without it, all siblings would escape to the heap
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
	if n == 2 { // every plane gives the same two parts
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

// split splits the cluster according to its plan: it moves the upper part to upper. Neither part is
// empty.
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

// boundsOf returns the bounds of at least one item.
func boundsOf(items []item) bounds32 {
	b := items[0].bounds()
	for i := 1; i < len(items); i++ {
		c := items[i].bounds()
		b.addBounds(&c)
	}
	return b
}

// splitPlane is a plane that splits a cluster. It lies between the slices last and last + 1 of a grid.
type splitPlane struct {
	grid
	axis, last   int
	lower, upper bounds32 // bounds of the items on each side
}

// partition moves the items on the lower side of the plane to the front and returns their number. It swaps
// every item: a branch that swaps only some would be unpredictable and slower.
func (p *splitPlane) partition(items []item) int {
	if n, ok := partitionItems(p, items); ok {
		return n
	}
	axis, lo, scale, above := p.axis, p.lo, p.scale, float64(p.last+1)
	n := 0
	for i := range items {
		x := items[i]
		items[i], items[n] = items[n], x
		if at := (float64(x.centroid(axis)) - lo) * scale; !(at >= above) { // the same side as by [grid.find], even for NaN
			n++
		}
	}
	return n
}

// partitionAll moves the items on the lower side of the plane to the front and returns their number. If the list
// is long, several goroutines partition its chunks; then the items on the wrong side of the final border are
// swapped.
func (p *splitPlane) partitionAll(items []item) int {
	if len(items) <= manyItems {
		return p.partition(items)
	}
	lower := make([]int, chunks(len(items)).Parts())
	plane := *p // a copy: without it, all clusters would escape to the heap
	chunks(len(items)).Do(func(part, from, to int) { lower[part] = plane.partition(items[from:to]) })
	border := 0
	for _, n := range lower {
		border += n
	}
	var high, low [][]item // upper items below the border, and lower items above it
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

// swapAll swaps the first item in the slices of a with the first in the slices of b, the second with the
// second, and so on. Together, the slices of a have as many items as those of b, but they may be divided
// differently.
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
