package accel

import (
	"math"
	"slices"

	"pillbox/geom"
)

// singleTraversal traverses the tree with one ray after another. Shared traversals of many rays must find hits with
// exactly the same bits.
type singleTraversal struct {
	*BVH
	probe Probe // nil if nothing observes the traversal
	traversalState
	t     [fanout]float32  // scratch of push
	room  [maxLeaf]primRef // scratch of leaf
	trail []childRef       // for a probe: which child each entry of the stack is
	depth uint8            // for a probe: the depth of the node visited last
}

func (bvh *BVH) newSingleTraversal() *singleTraversal { return &singleTraversal{BVH: bvh} }

// traversalState is the state of a single ray's traversal. Its stack consists of the arrays key, first and count. Element
// i of the three arrays describes one node or leaf: key[i] contains the distance at which the ray enters the bounds of
// the node or leaf, and first[i] and count[i] are the fields of its [child]. Kernels depend on the layout of the state.
type traversalState struct {
	slabRay
	limit   float32 // nodes and leaves that the ray enters beyond this distance are skipped
	own     primRef // the solid that the ray leaves; a leaf that holds only this solid may be skipped
	n       int64   // number of entries on the stack
	visited int64   // number of nodes visited
	tested  int64   // number of solids in the leaves visited

	// A kernel needs these fields to test spheres: it skips a leaf of spheres if the ray hits none of them.
	tMax   float64 // only crossings before this distance count
	enters int64   // onlyEnters if only crossings where the ray enters a solid count; otherwise 0
	ray    geom.Ray

	here child          // the current node or leaf; count is negative if the traversal has ended
	hits uint32         // a bit for each child that is pushed on the stack, or for each solid that the ray may hit
	_    uint32         //
	keys [fanout]uint32 // of the children that are pushed

	key   [maxStack + fanout]uint32
	first [maxStack + fanout]int32
	count [maxStack + fanout]int32
}

const onlyEnters int64 = -1

// A key holds the bits of a distance, a float32, except that the three lowest bits are the index of the child in its
// node. So the keys of a node's children all differ. Compared as integers, keys have the same order as the distances.
const childBits = fanout - 1

func newKey(t float32, child int) uint32 { return math.Float32bits(t)&^childBits | uint32(child) }

// entry returns the distance that a key contains, at which the ray enters a child.
func entry(key uint32) float32 { return math.Float32frombits(key &^ childBits) }

// nearestCrossing returns the closest hit of the query; its prim is noPrim if the ray hits nothing.
func (w *singleTraversal) nearestCrossing(q *rayQuery) candidate {
	best := w.known(q)
	w.start(q)
	for leaf := w.next(best.t); len(leaf) > 0; leaf = w.next(best.t) {
		for _, at := range leaf {
			w.test(q, at, &best)
		}
	}
	return best
}

// known returns the hit that can be found without a traversal. If q.own is set, this is the point where the ray leaves
// the solid q.object. Without such a hit before q.tMax, known returns a candidate at q.tMax whose prim is noPrim.
func (w *singleTraversal) known(q *rayQuery) candidate {
	best := candidate{t: min(q.tMax, math.MaxFloat64), prim: noPrim}
	if q.own {
		before := best
		outcome := w.meet(q, q.object, leaving, &best)
		if w.probe != nil {
			w.reportSolid(q, q.object, leaving, outcome, before)
		}
	}
	return best
}

// start begins a traversal with the ray of q.
func (w *singleTraversal) start(q *rayQuery) {
	w.slabRay.prepare(&q.ray, w.slack(q.ray.Origin))
	w.n, w.visited, w.tested, w.hits = 0, 0, 0, 0
	w.ray, w.own, w.enters = q.ray, q.object, 0
	if q.other == entering && len(q.eye) == 0 {
		w.enters = onlyEnters
	}
	if len(w.tree.nodes) > 0 {
		w.key[0], w.first[0], w.count[0], w.n = 0, 0, 0, 1
	}
}

// blocked reports whether the query has any hit.
func (w *singleTraversal) blocked(q *rayQuery) bool {
	best := candidate{t: min(q.tMax, math.MaxFloat64), prim: noPrim}
	w.start(q)
	for leaf := w.next(best.t); len(leaf) > 0; leaf = w.next(best.t) {
		for _, at := range leaf {
			if w.test(q, at, &best); best.prim != noPrim {
				return true
			}
		}
	}
	return false
}

// nearest returns the closest hit of the query.
func (w *singleTraversal) nearest(q *rayQuery) (h Hit) {
	w.complete(&h, &q.ray, w.nearestCrossing(q))
	return h
}

// test tests the ray of q against the solid at, which is in a leaf. If the ray hits the solid at a point that counts and
// is closer than best, test stores this hit in best.
func (w *singleTraversal) test(q *rayQuery, at primRef, best *candidate) {
	near, far, ok := w.chord(at, q.ray.Origin, q.ray.Dir)
	if w.probe == nil && (!ok || far <= 0 || near > best.t) {
		return // the common cases, before looking up the solid's number
	}
	before, which, outcome := *best, q.other, Missed
	if len(q.eye) > 0 && slices.Contains(q.eye, w.objectNumber(at)) {
		which = enclosed
	}
	switch {
	case !ok:
	case at == q.object:
		outcome = Own
	default:
		outcome = w.keep(at, which, near, far, best)
	}
	if w.probe != nil {
		w.reportSolid(q, at, which, outcome, before)
	}
}

// The method next continues the traversal, which visits the nearest leaf first. It returns the solids of the
// next leaf that the ray enters at or before tMax. It returns an empty slice at the end. The slice is valid
// until the next call.
func (w *singleTraversal) next(tMax float64) []primRef {
	if w.tree.isCanceled() {
		return nil
	}
	w.resume(tMax)
	if w.probe != nil || !traverse(w) {
		w.traverse()
	}
	return w.leaf()
}

// resume prepares the traversal to continue from a leaf, with a new tMax.
func (w *singleTraversal) resume(tMax float64) {
	w.limit, w.tMax = limit(tMax), tMax
	w.here.count, w.hits = 1, 0 // a leaf that is done
}

// leaf returns the solids of the current leaf, or nil if the traversal has ended.
func (w *singleTraversal) leaf() []primRef {
	if w.here.count < 0 {
		return nil
	}
	return w.tree.leaf(w.here, &w.room)
}

// traverse continues to the next leaf or the end of the traversal.
func (w *singleTraversal) traverse() {
	for w.n > 0 {
		w.n--
		if w.probe != nil {
			w.reportVisit(w.n, w.tMax)
		}
		if entry(w.key[w.n]) > w.limit {
			continue
		}
		w.here = child{w.first[w.n], w.count[w.n]}
		if w.here.count > 0 {
			w.tested += int64(w.here.count)
			w.hits = math.MaxUint32 // any solid of the leaf may be hit
			return
		}
		w.visited++
		w.push(w.here.first, w.tMax)
	}
	w.here.count = -1
}

// push finds the children of a node that the ray enters, and puts them on the stack, the nearest on top.
func (w *singleTraversal) push(parent int32, tMax float64) {
	n, t := &w.tree.nodes[parent], &w.t
	w.slabRay.enter(n, t)
	bottom := w.n
	for k := range n.children {
		if !(t[k] <= w.limit) {
			if w.probe != nil {
				w.reportSkipped(parent, k, tMax)
			}
			continue
		}
		key, i := newKey(t[k], k), w.n
		for ; i > bottom && w.key[i-1] < key; i-- {
			w.key[i], w.first[i], w.count[i] = w.key[i-1], w.first[i-1], w.count[i-1]
		}
		w.key[i], w.first[i], w.count[i] = key, n.children[k].first, n.children[k].count
		w.n++
		if w.probe != nil {
			w.follow(parent, k, int(i))
		}
	}
}

// cost returns the cost of the traversal so far.
func (w *singleTraversal) cost() traversalCost {
	return walkNode*traversalCost(w.visited) + walkSolid*traversalCost(w.tested)
}
