package accel

import (
	"iter"
	"math"
	"sync/atomic"

	"pillbox/geom"
	"pillbox/internal/accel/prefetch"
)

// tree is a bounding-volume hierarchy with eight children to a node, so that the bounds of all of them
// are tested at once. Source: Wald, Benthin, Boulos, "Getting Rid of Packets: Efficient SIMD
// Single-Ray Traversal using Multi-branching BVHs", IEEE Symposium on Interactive Ray Tracing, 2008.
type tree struct {
	all   geom.Bounds
	nodes []node    // nodes[0] is the root; empty if there are no solids
	mixed []primRef // references to the solids of leaves with several kinds

	canceled *atomic.Bool // if it is true, traversals end at the next leaf; nil if they cannot be canceled
}

// isCanceled reports whether traversals of the tree must end.
func (t *tree) isCanceled() bool { return t.canceled != nil && t.canceled.Load() }

// fanout is the largest number of children of a node.
const fanout = 8

// node holds the bounds of its children, and the children. It fills four cache lines. Missing children
// have empty bounds. Kernels depend on its layout.
type node struct {
	bounds   [2][3][fanout]float32 // lower and upper ends along each axis, rounded outward
	children [fanout]child
}

// exceedsCache reports whether the tree and its solids are so large that most of them are not in the
// processor's cache, so that prefetching pays.
func (t *tree) exceedsCache() bool { return prefetch.Available && len(t.nodes) > cachedNodes }

const cachedNodes = 1 << 11 // 512 KB, for about 10,000 solids

// corners returns the bounds of child k.
func (n *node) corners(k int) (lo, hi geom.Vec3) {
	b := &n.bounds
	lo = geom.Vec3{X: float64(b[0][0][k]), Y: float64(b[0][1][k]), Z: float64(b[0][2][k])}
	hi = geom.Vec3{X: float64(b[1][0][k]), Y: float64(b[1][1][k]), Z: float64(b[1][2][k])}
	return lo, hi
}

// child is a child of a node: another node, a leaf, or nothing.
//
//   - If count is 0, the child is nodes[first].
//   - If count is negative, there is no child.
//   - If count is positive, it is a leaf with count solids. If they are of one kind, first is the reference of the first
//     solid, and the others follow it. Otherwise first is a reference with the kind mixedKind and an index i, and the
//     references of the solids are mixed[i], ..., mixed[i+count-1].
type child struct{ first, count int32 }

// assignRefs sets the field first of all leaves to a reference to a solid. Until then, the field is an index
// into items. The items must be in the order of the leaves, and their numbers must already be references.
func (t *tree) assignRefs(items []item) {
	mixed := make([]int, chunks(len(t.nodes)).Parts()) // for each part of the nodes: the number of solids in mixed leaves, later the index of the first in t.mixed
	chunks(len(t.nodes)).Do(func(part, from, to int) {
		for c := range leaves(t.nodes[from:to]) {
			leaf := items[c.first:][:c.count]
			first, last := primRef(leaf[0].number), primRef(leaf[len(leaf)-1].number)
			if last == first.plus(len(leaf)-1) {
				c.first = int32(first)
			} else {
				c.first = ^c.first // marks a mixed leaf until the second pass
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

// leaves yields the leaves among the children of nodes.
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

// leaf returns the references to the solids of a leaf. It writes them to room unless they are stored in
// t.mixed.
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

// volume is a set of points that a traversal tests against the bounds of nodes: the rays of a packet, a frustum around
// a group of rays, or an axis-aligned region.
type volume interface {
	// enter lists the children of the node that the volume enters at or before tMax.
	enter(n *node, e *entered, tMax float64)
}

// entered is the list of the children of a node that a [volume] enters, farthest first. Kernels depend
// on its layout.
type entered struct {
	n       int64               // number of children in the list
	t       [fanout]float64     // a lower bound of the distance at which the volume enters each child
	order   [fanout]int32       // the three lowest bits of an element are the index of a child; kernels may set other bits
	scratch [10 * lanes]float64 // memory of kernels
}

// The method list stores in e the list of the node's children whose distance in e.t is at most tMax.
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

// traversal visits the leaves of a tree that a volume meets, nearest first.
type traversal struct {
	tree    *tree
	volume  volume
	entered entered // scratch of push
	n       int
	visited int // number of nodes whose children were tested
	stack   [maxStack]visit

	room [maxLeaf]primRef // scratch of next
}

func newTraversal() *traversal { return new(traversal) }

// visit is a child on the stack, with the distance at which the volume enters it.
type visit struct {
	t float64
	child
}

// start begins a traversal of the leaves of t that the volume meets.
func (v *traversal) start(t *tree, vol volume) {
	v.tree, v.volume = t, vol
	v.n, v.visited = 0, 0
	if len(t.nodes) > 0 {
		v.stack[0], v.n = visit{}, 1
	}
}

// stop ends a traversal.
func (v *traversal) stop() { v.n = 0 }

// cost returns the cost of the nodes visited so far.
func (v *traversal) cost() traversalCost { return sharedNode * traversalCost(v.visited) }

// The method next returns the solids of the next leaf that the volume enters at or before tMax. It returns nil
// if there are no more such leaves. The slice is valid until the next call.
func (v *traversal) next(tMax float64) []primRef {
	for v.n > 0 {
		v.n--
		at := v.stack[v.n]
		if at.t > tMax {
			continue
		}
		if at.count > 0 {
			if v.tree.isCanceled() {
				v.stop()
				return nil
			}
			return v.tree.leaf(at.child, &v.room)
		}
		v.push(&v.tree.nodes[at.first], tMax)
	}
	return nil
}

// push finds the children of a node that the volume enters, and puts them on the stack, the nearest on top. In a tree that
// exceeds the cache, it first prefetches all children that are nodes, and then tests which children the volume enters. To
// prefetch after the test would be too late, because the nearest child is visited next.
func (v *traversal) push(n *node, tMax float64) {
	if v.tree.exceedsCache() {
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

// maxDepth limits the height of a tree, and so the size of the stack of a traversal. From the depth sahDepth on, lists of
// items are split in the middle, so a child has at most half of its parent's items, rounded up. 28 such levels reduce 2^31
// items to maxLeaf. There is one more level, because splits at sahDepth itself may already have been decided at the depth
// above, where lists can also be split at planes.
const (
	sahDepth = 48
	maxDepth = sahDepth + 29
	maxStack = (fanout-1)*maxDepth + 1
)

// region is the volume of all points in given bounds.
type region geom.Bounds

// enter implements the method of the interface volume.
func (r *region) enter(n *node, e *entered, tMax float64) {
	for k := range e.t {
		e.t[k] = math.Inf(1)
		if lo, hi := n.corners(k); r.overlaps(lo, hi) {
			e.t[k] = 0
		}
	}
	e.list(n, tMax)
}

// overlaps reports whether the region and the bounds with corners lo and hi have a point in common.
func (r *region) overlaps(lo, hi geom.Vec3) bool {
	return r.Min.X <= hi.X && lo.X <= r.Max.X &&
		r.Min.Y <= hi.Y && lo.Y <= r.Max.Y &&
		r.Min.Z <= hi.Z && lo.Z <= r.Max.Z
}
