package accel

import (
	"math"
	"slices"
)

// walker walks single rays through the tree, one after the other. What it answers defines
// the answers of the packets.
type walker struct {
	*World
	probe Probe // nil if no probe watches
	slabs slabs
	t     [fanout]float64 // scratch memory of push
	n     int
	stack [maxStack]visit
	trail []place // where what is on the stack comes from, if there is a probe
	depth uint8   // of the node visited last, if there is a probe

	effort effort // of the last query
}

// first returns the first crossing that the query may meet, or a slot of noSlot.
func (w *walker) first(q *query) candidate {
	best := candidate{t: min(q.tMax, math.MaxFloat64), slot: noSlot}
	if q.own {
		before, at := best, w.slots[q.object]
		outcome := w.meet(q, at, leaving, &best)
		if w.probe != nil {
			w.reportSolid(q, at, leaving, outcome, before)
		}
	}
	return w.improve(q, best)
}

// improve returns the best of the crossings that the query may meet and of what is known already.
func (w *walker) improve(q *query, best candidate) candidate {
	w.start(q)
	for leaf := w.next(best.t); leaf != nil; leaf = w.next(best.t) {
		for _, at := range leaf {
			w.test(q, at, &best)
		}
	}
	return best
}

// start begins a walk.
func (w *walker) start(q *query) {
	w.slabs = newSlabs(q.ray, w.slack(q.ray.Origin))
	w.n, w.effort = 0, 0
	if len(w.tree.nodes) > 0 {
		w.stack[0], w.n = visit{}, 1
	}
}

// blocked reports whether the query's ray meets anything.
func (w *walker) blocked(q *query) bool {
	best := candidate{t: min(q.tMax, math.MaxFloat64), slot: noSlot}
	w.start(q)
	for leaf := w.next(best.t); leaf != nil; leaf = w.next(best.t) {
		for _, at := range leaf {
			if w.test(q, at, &best); best.slot != noSlot {
				return true
			}
		}
	}
	return false
}

// nearest returns what the query's ray meets first.
func (w *walker) nearest(q *query) Hit {
	best := w.first(q)
	if best.slot == noSlot {
		return Hit{T: math.Inf(1), Object: None}
	}
	return w.hit(best.slot, q.ray, best.t, best.inside)
}

// test tests a solid of a leaf.
func (w *walker) test(q *query, at slot, best *candidate) {
	near, far, ok := w.chord(at, q.ray.Origin, q.ray.Dir)
	if w.probe == nil && (!ok || far <= 0) {
		return // the common case, before looking up the solid's number
	}
	before, which, outcome := *best, q.other, Missed
	object := w.number(at)
	if len(q.eye) > 0 && slices.Contains(q.eye, object) {
		which = enclosed
	}
	switch {
	case !ok:
	case object == q.object:
		outcome = Own
	default:
		outcome = w.keep(at, which, near, far, best)
	}
	if w.probe != nil {
		w.reportSolid(q, at, which, outcome, before)
	}
}

// next returns what the next leaf holds that the ray enters at no more than tMax, the nearest
// first, and nil if there is no such leaf.
func (w *walker) next(tMax float64) []slot {
	for w.n > 0 {
		w.n--
		at := w.stack[w.n]
		if w.probe != nil {
			w.reportVisit(at, tMax)
		}
		if at.t > tMax {
			continue
		}
		if at.count > 0 {
			w.effort += walkSolid * effort(at.count)
			return w.tree.slots[at.first : at.first+at.count]
		}
		w.effort += walkNode
		w.push(at.first, tMax)
	}
	return nil
}

// push puts the children of a node that the ray enters on the stack, the nearest on top.
func (w *walker) push(parent int32, tMax float64) {
	n, t := &w.tree.nodes[parent], &w.t
	w.slabs.enter(n, t)
	bottom := w.n
	for k := range n.children {
		if !(t[k] <= tMax) || n.children[k].count < 0 {
			if w.probe != nil {
				w.reportSkipped(parent, k, tMax)
			}
			continue
		}
		i := w.n
		for ; i > bottom && w.stack[i-1].t < t[k]; i-- {
			w.stack[i] = w.stack[i-1]
		}
		w.stack[i] = visit{t[k], n.children[k]}
		w.n++
		if w.probe != nil {
			w.follow(parent, k, i)
		}
	}
}
