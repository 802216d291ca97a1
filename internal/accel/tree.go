package accel

import (
	"iter"
	"math"

	"pillbox/geom"
	"pillbox/internal/accel/prefetch"
)

// tree is a bounding-volume hierarchy with eight children to a node, so that the bounds of all of them
// are tested at once. Source: Wald, Benthin, Boulos, "Getting Rid of Packets: Efficient SIMD
// Single-Ray Traversal using Multi-branching BVHs", IEEE Symposium on Interactive Ray Tracing, 2008.
type tree struct {
	all   geom.Bounds
	nodes []node    // nodes[0] is the root; empty if there is nothing to hold
	mixed []primRef // of the solids of leaves with several kinds
}

// fanout is the largest number of children of a node.
const fanout = 8

// node holds the bounds of its children and where they are. It fills four cache lines.
// Bounds of children that do not exist are empty. Kernels know its layout.
type node struct {
	bounds   [2][3][fanout]float32 // lower and upper ends, rounded outward
	children [fanout]child
}

// far reports whether a tree with its solids takes so much memory that what a walk comes to is seldom in a
// processor's own cache, and prefetching pays.
func (t *tree) far() bool { return prefetch.Available && len(t.nodes) > cachedNodes }

const cachedNodes = 1 << 11 // 512 KB, of about 10,000 solids

// corners returns the bounds of child k.
func (n *node) corners(k int) (lo, hi geom.Vec3) {
	b := &n.bounds
	lo = geom.Vec3{X: float64(b[0][0][k]), Y: float64(b[0][1][k]), Z: float64(b[0][2][k])}
	hi = geom.Vec3{X: float64(b[1][0][k]), Y: float64(b[1][1][k]), Z: float64(b[1][2][k])}
	return lo, hi
}

// child is the node first if count is 0, a leaf of so many solids if it is positive, and nothing if it is
// negative. The solids of a leaf are those of the reference first and the following or, if they are of several
// kinds, those of mixed[i:], where first has mixedKind and the index i.
type child struct{ first, count int32 }

// assignRefs gives the leaves references to their solids, which are the numbers of items that come leaf by leaf.
// Before, the first solid of a leaf is its index in that order.
func (t *tree) assignRefs(items []item) {
	mixed := make([]int, chunks(len(t.nodes)).Parts()) // of each part: how many solids, and then where they begin
	chunks(len(t.nodes)).Do(func(part, from, to int) {
		for c := range leaves(t.nodes[from:to]) {
			leaf := items[c.first:][:c.count]
			first, last := primRef(leaf[0].number), primRef(leaf[len(leaf)-1].number)
			if last == first.plus(len(leaf)-1) {
				c.first = int32(first)
			} else {
				c.first = ^c.first // a mark, until it is known where the part's begin
				mixed[part] += len(leaf)
			}
		}
	})
	sum := 0
	for part, n := range mixed {
		mixed[part] = sum
		sum += n
	}
	if sum == 0 {
		return
	}
	t.mixed = make([]primRef, sum)
	chunks(len(t.nodes)).Do(func(part, from, to int) {
		next := mixed[part]
		for c := range leaves(t.nodes[from:to]) {
			if c.first >= 0 {
				continue
			}
			leaf := items[^c.first:][:c.count]
			c.first = int32(newPrimRef(mixedKind, next))
			for i := range leaf {
				t.mixed[next+i] = primRef(leaf[i].number)
			}
			next += len(leaf)
		}
	})
}

// leaves yields the leaves below some nodes.
func leaves(nodes []node) iter.Seq[*child] {
	return func(yield func(*child) bool) {
		for i := range nodes {
			for k := range nodes[i].children {
				if c := &nodes[i].children[k]; c.count > 0 && !yield(c) {
					return
				}
			}
		}
	}
}

// leaf returns the references to the solids of a leaf. The room is for those that are not stored.
func (t *tree) leaf(at child, room *[maxLeaf]primRef) []primRef {
	first := primRef(at.first)
	if first.kind() == mixedKind {
		return t.mixed[first.index():][:at.count]
	}
	for k := range room[:at.count] {
		room[k] = first.plus(k)
	}
	return room[:at.count]
}

// volume is what a traversal looks for in the tree: the rays of a packet, a shaft, a region.
type volume interface {
	// enter finds which children of the node the volume enters at no more than tMax.
	enter(n *node, e *entered, tMax float64)
}

// entered lists the children of a node that a volume enters, the farthest first. Kernels know its layout.
type entered struct {
	n       int64               // how many
	t       [fanout]float64     // where the volume enters each child, or a lower bound of that
	order   [fanout]int32       // the children's indices, in the three lowest bits
	scratch [10 * lanes]float64 // memory of kernels
}

// list makes e the list of the node's children whose distances are at most tMax.
func (e *entered) list(n *node, tMax float64) {
	e.n = 0
	for k, t := range e.t {
		if !(t <= tMax) || n.children[k].count < 0 {
			continue
		}
		i := e.n
		for ; i > 0 && e.t[e.order[i-1]] < t; i-- {
			e.order[i] = e.order[i-1]
		}
		e.order[i] = int32(k)
		e.n++
	}
}

// traversal goes through the leaves of a tree that a volume meets, the nearest first.
type traversal struct {
	tree    *tree
	volume  volume
	entered entered // scratch memory of push
	n       int
	visited int // nodes whose children were examined
	stack   [maxStack]visit

	room [maxLeaf]primRef // for next
}

func newTraversal() *traversal { return new(traversal) }

// visit is a child to visit and the distance at which the volume enters it.
type visit struct {
	t float64
	child
}

// start begins a traversal.
func (v *traversal) start(t *tree, vol volume) {
	v.tree, v.volume = t, vol
	v.n, v.visited = 0, 0
	if len(t.nodes) > 0 {
		v.stack[0], v.n = visit{}, 1
	}
}

// stop ends a traversal.
func (v *traversal) stop() { v.n = 0 }

// cost returns what the nodes cost that were visited.
func (v *traversal) cost() traversalCost { return sharedNode * traversalCost(v.visited) }

// next returns what the next leaf holds that the volume enters at no more than tMax, and nil if
// there is no such leaf. It is valid until the next call.
func (v *traversal) next(tMax float64) []primRef {
	for v.n > 0 {
		v.n--
		at := v.stack[v.n]
		if at.t > tMax {
			continue
		}
		if at.count > 0 {
			return v.tree.leaf(at.child, &v.room)
		}
		v.push(&v.tree.nodes[at.first], tMax)
	}
	return nil
}

// push puts the children of a node that the volume enters on the stack, the nearest on top. Those that are nodes
// are prefetched before it is known which: there is no time later, because the nearest comes next.
func (v *traversal) push(n *node, tMax float64) {
	if v.tree.far() {
		prefetchChildren(n, &v.tree.nodes[0])
	}
	e := &v.entered
	v.volume.enter(n, e, tMax)
	v.visited++
	for _, k := range e.order[:e.n] {
		k &= fanout - 1
		v.stack[v.n] = visit{e.t[k], n.children[k]}
		v.n++
	}
}

// maxDepth bounds the height of a tree, and so the stack of a traversal. Below sahDepth
// clusters are split in the middle of their list, so that a child has at most half of its
// parent's items, and 28 levels bring 2^31 of them down to maxLeaf. The level at sahDepth
// still follows plans that were made above it, which may cut at planes.
const (
	sahDepth = 48
	maxDepth = sahDepth + 29
	maxStack = (fanout-1)*maxDepth + 1
)

// region is the volume of all points in some bounds.
type region geom.Bounds

// enter implements volume.
func (r *region) enter(n *node, e *entered, tMax float64) {
	for k := range e.t {
		e.t[k] = math.Inf(1)
		if lo, hi := n.corners(k); r.overlaps(lo, hi) {
			e.t[k] = 0
		}
	}
	e.list(n, tMax)
}

// overlaps reports whether the region and the bounds between two corners share a point.
func (r *region) overlaps(lo, hi geom.Vec3) bool {
	return r.Min.X <= hi.X && lo.X <= r.Max.X &&
		r.Min.Y <= hi.Y && lo.Y <= r.Max.Y &&
		r.Min.Z <= hi.Z && lo.Z <= r.Max.Z
}
