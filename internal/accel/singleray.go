package accel

import (
	"math"
	"slices"

	"pillbox/geom"
)

// singleTraversal traces single rays through the tree, one after the other. Its answers define
// the answers of the packets.
type singleTraversal struct {
	*BVH
	probe Probe // nil if no probe watches
	traversalState
	t     [fanout]float32  // scratch memory of push
	room  [maxLeaf]primRef // for leaf
	trail []childRef       // where what is on the stack comes from, if there is a probe
	depth uint8            // of the node visited last, if there is a probe
}

func (bvh *BVH) newSingleTraversal() *singleTraversal { return &singleTraversal{BVH: bvh} }

// traversalState is the state of a single ray in the tree. What is on its stack lies in three arrays, the
// distance at which the ray enters a node's bounds, and the node. Kernels know its layout.
type traversalState struct {
	slabRay
	limit   float32 // what it enters farther away is left out
	own     primRef // the solid that the ray leaves; a leaf of it alone may be left out
	n       int64   // on the stack
	visited int64   // nodes
	tested  int64   // solids of leaves that the walk came to

	// For a kernel, which leaves out leaves of spheres none of which the ray may meet.
	tMax   float64 // only crossings before this distance are met
	enters int64   // onlyEnters, or 0 if crossings count where the ray leaves a solid
	ray    geom.Ray

	here child          // where the ray is; the count is negative if it has left the tree
	hits uint32         // a bit for each child of it that comes on the stack, or solid in it that the ray may meet
	_    uint32         //
	keys [fanout]uint32 // of those children

	key   [maxStack + fanout]uint32
	first [maxStack + fanout]int32
	count [maxStack + fanout]int32
}

const onlyEnters int64 = -1

// A key is the bits of a distance, which order like the distances, with the number of the child in place of
// the last ones. So keys differ.
const childBits = fanout - 1

func newKey(t float32, child int) uint32 { return math.Float32bits(t)&^childBits | uint32(child) }

// entry returns the distance in a key.
func entry(key uint32) float32 { return math.Float32frombits(key &^ childBits) }

// nearestCrossing returns the first crossing that the query may meet, or a reference of noPrim.
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

// known returns the best candidate without a walk: where a ray leaves a solid that it is inside of.
func (w *singleTraversal) known(q *rayQuery) candidate {
	best := candidate{t: min(q.tMax, math.MaxFloat64), slot: noPrim}
	if q.own {
		before := best
		outcome := w.meet(q, q.object, leaving, &best)
		if w.probe != nil {
			w.reportSolid(q, q.object, leaving, outcome, before)
		}
	}
	return best
}

// start begins a walk.
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

// blocked reports whether the query's ray meets anything.
func (w *singleTraversal) blocked(q *rayQuery) bool {
	best := candidate{t: min(q.tMax, math.MaxFloat64), slot: noPrim}
	w.start(q)
	for leaf := w.next(best.t); len(leaf) > 0; leaf = w.next(best.t) {
		for _, at := range leaf {
			if w.test(q, at, &best); best.slot != noPrim {
				return true
			}
		}
	}
	return false
}

// nearest returns what the query's ray meets first.
func (w *singleTraversal) nearest(q *rayQuery) (h Hit) {
	w.complete(&h, &q.ray, w.nearestCrossing(q))
	return h
}

// test tests a solid of a leaf.
func (w *singleTraversal) test(q *rayQuery, at primRef, best *candidate) {
	near, far, ok := w.chord(at, q.ray.Origin, q.ray.Dir)
	if w.probe == nil && (!ok || far <= 0 || near > best.t) {
		return // the common cases, before looking up the solid's number
	}
	before, which, outcome := *best, q.other, Missed
	if len(q.eye) > 0 && slices.Contains(q.eye, w.number(at)) {
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

// next returns what the next leaf holds that the ray enters at no more than tMax, the nearest
// first, and none if there is no such leaf. It is valid until the next call.
func (w *singleTraversal) next(tMax float64) []primRef {
	w.resume(tMax)
	if w.probe != nil || !descend(w) {
		w.descend()
	}
	return w.leaf()
}

// resume prepares the walk to go on from a leaf, now to distances of no more than tMax.
func (w *singleTraversal) resume(tMax float64) {
	w.limit, w.tMax = limit(tMax), tMax
	w.here.count, w.hits = 1, 0 // a leaf with nothing more to meet
}

// leaf returns what the leaf holds where the ray is, and none if it has left the tree.
func (w *singleTraversal) leaf() []primRef {
	if w.here.count < 0 {
		return nil
	}
	return w.tree.leaf(w.here, &w.room)
}

// descend goes on to the next leaf, or out of the tree.
func (w *singleTraversal) descend() {
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
			w.hits = math.MaxUint32 // perhaps all of them
			return
		}
		w.visited++
		w.push(w.here.first, w.tMax)
	}
	w.here.count = -1
}

// push puts the children of a node that the ray enters on the stack, the nearest on top.
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

// cost returns what the walk cost so far.
func (w *singleTraversal) cost() traversalCost {
	return walkNode*traversalCost(w.visited) + walkSolid*traversalCost(w.tested)
}
