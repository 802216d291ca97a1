package accel

import (
	"fmt"
	"math"

	"pillbox/geom"
)

// Probe watches a single ray's walk through the tree of a [BVH]. Its methods are called
// for every step in the order in which the walk takes them, from the goroutine that walks.
//
// A walk depends on the solids and on the ray only, never on other rays, so counting its
// steps gives the same numbers whatever the packets and tiles.
type Probe interface {
	Node(NodeStep)
	Solid(SolidStep)
}

// Outcome describes what came of a step.
type Outcome uint8

const (
	Entered  Outcome = iota // node: its children or solids are next
	Accepted                // solid: the best crossing so far
	Missed                  // node, solid: the ray misses the bounds, or its line the solid
	Farther                 // node, solid: not before the best crossing so far, or the limit
	Behind                  // solid: no crossing that counts lies ahead of the origin
	Own                     // solid: the one that the ray leaves does not count
)

// String returns the constant's name in lower case.
func (o Outcome) String() string {
	names := [...]string{"entered", "accepted", "missed", "farther", "behind", "own"}
	if int(o) >= len(names) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return names[o]
}

// NodeStep is a look at a node of the tree.
type NodeStep struct {
	Outcome Outcome     // Entered, Missed or Farther
	Depth   int         // 0 for the root, whose children are looked at even if the ray misses it
	Solids  int         // how many solids a leaf holds; 0 if the node has children
	Bounds  geom.Bounds // of all solids below the node
	T       float64     // where the ray enters Bounds, give or take rounding: 0 from inside, +Inf if it misses
	Limit   float64     // what T must not exceed: the best distance so far
}

// SolidStep is a test of a solid.
type SolidStep struct {
	Outcome Outcome // anything but Entered
	Object  int32   // the solid's number

	// Near and Far are where the ray's line enters and leaves the solid, behind the origin
	// if negative; both are NaN if it misses the solid.
	Near, Far float64

	// T is the crossing that counts, Near or Far; Inside says that it is Far. T is NaN if
	// no crossing counts (Missed, Behind, Own).
	T      float64
	Inside bool

	// Best is the distance that T had to beat, and BestObject the solid there, or None
	// where Best is the limit of the query. Of equal distances the smaller number wins;
	// the limit itself is out of reach.
	Best       float64
	BestObject int32
}

// TraverseNearest returns what [BVH.Nearest] finds for the ray r, and lets the probe watch the
// walk. The probe may be nil.
func (bvh *BVH) TraverseNearest(r geom.Ray, p Probe) Hit {
	return bvh.walk(rayQuery{ray: r, object: noPrim, other: either, tMax: math.Inf(1)}, p)
}

// TraverseReflected returns what [BVH.Reflected] finds for d, and lets the probe watch the
// walk. The probe may be nil.
func (bvh *BVH) TraverseReflected(d SecondaryRay, p Probe) Hit {
	return bvh.walk(rayQuery{ray: d.Ray, object: bvh.primOf(d.Object), own: d.Inside, other: entering, eye: d.Eye, tMax: math.Inf(1)}, p)
}

// TraverseBlocked returns what blocks d before the distance dist, and lets the probe watch the
// walk. The hit's object is [None] exactly if [BVH.Blocked] says false; otherwise it is the
// nearest of the solids that block. The probe may be nil.
func (bvh *BVH) TraverseBlocked(d SecondaryRay, dist float64, p Probe) Hit {
	return bvh.walk(rayQuery{ray: d.Ray, object: bvh.primOf(d.Object), other: entering, eye: d.Eye, tMax: dist}, p)
}

func (bvh *BVH) walk(q rayQuery, p Probe) Hit {
	a := bvh.singleTraversals.take(bvh.newSingleTraversal)
	if a.probe = p; p != nil {
		if a.trail == nil {
			a.trail = make([]childRef, maxStack)
		}
		a.trail[0], a.depth = childRef{}, 0 // the walk begins at the root
	}
	hit := a.nearest(&q)
	a.probe = nil
	bvh.singleTraversals.put(a)
	return hit
}

// childRef says which child of which node something is.
type childRef struct {
	parent int32
	k      uint8
	depth  uint8 // 0 for the root, which has no parent
}

// follow notes that child k of a node was put on the stack at i, below later ones.
func (w *singleTraversal) follow(parent int32, k, i int) {
	copy(w.trail[i+1:w.n], w.trail[i:w.n])
	w.trail[i] = childRef{parent, uint8(k), w.depth + 1}
}

// reportVisit reports that the node at i comes off the stack.
func (w *singleTraversal) reportVisit(i int64, limit float64) {
	p, at := w.trail[i], visit{float64(entry(w.key[i])), child{w.first[i], w.count[i]}}
	w.depth = p.depth // that of the children's parent, if descend looks at them
	if p.depth == 0 {
		at.t = w.entersRoot()
	}
	outcome := Entered
	switch {
	case math.IsInf(at.t, 1):
		outcome = Missed
	case float32(at.t) > w.limit:
		outcome = Farther
	}
	w.reportNode(p, at, outcome, limit)
}

// entersRoot returns where the ray enters the bounds of the root, or +Inf. The walk does not need it. The test is that
// of other nodes, so that no ray enters a child without its root.
func (w *singleTraversal) entersRoot() float64 {
	var above node
	for k := range above.children {
		above.children[k].count = -1
	}
	all := newItem(w.tree.all, 0)
	bounds := all.bounds()
	above.children[0].count = 0
	above.setBounds(0, &bounds)
	var t [fanout]float32
	w.slabRay.enter(&above, &t)
	return float64(t[0])
}

// reportSkipped reports why child k of a node is not entered, if there is a child k.
func (w *singleTraversal) reportSkipped(parent int32, k int, limit float64) {
	p := childRef{parent, uint8(k), w.depth + 1}
	at := visit{float64(w.t[k]), w.tree.nodes[parent].children[k]}
	switch {
	case at.count < 0:
	case math.IsInf(at.t, 1):
		w.reportNode(p, at, Missed, limit)
	default:
		w.reportNode(p, at, Farther, limit)
	}
}

func (w *singleTraversal) reportNode(p childRef, at visit, outcome Outcome, limit float64) {
	bounds := w.tree.all
	if p.depth > 0 {
		bounds.Min, bounds.Max = w.tree.nodes[p.parent].corners(int(p.k))
	}
	w.probe.Node(NodeStep{
		Outcome: outcome,
		Depth:   int(p.depth),
		Solids:  int(at.count),
		Bounds:  bounds,
		T:       at.t,
		Limit:   limit,
	})
}

// reportSolid reports what came of testing a solid when before was the best candidate.
func (w *singleTraversal) reportSolid(q *rayQuery, at primRef, which crossingRule, outcome Outcome, before candidate) {
	s := SolidStep{
		Outcome:    outcome,
		Object:     w.number(at),
		Near:       math.NaN(),
		Far:        math.NaN(),
		T:          math.NaN(),
		Best:       before.t,
		BestObject: None,
	}
	if before.slot != noPrim {
		s.BestObject = w.number(before.slot)
	}
	if near, far, ok := w.chord(at, q.ray.Origin, q.ray.Dir); ok {
		s.Near, s.Far = near, far
	}
	if outcome == Accepted || outcome == Farther {
		s.T, s.Inside, _ = which.pick(s.Near, s.Far)
	}
	w.probe.Solid(s)
}
