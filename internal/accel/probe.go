package accel

import (
	"fmt"
	"math"

	"pillbox/geom"
)

// Probe observes the traversal of a [BVH] by a single ray. The traversal calls the methods of the probe for
// every step, in order, on the goroutine of the caller.
//
// A traversal depends only on the solids and the ray, not on other rays. So the number of its steps does
// not depend on packets or tiles.
type Probe interface {
	Node(NodeStep)
	Solid(SolidStep)
}

// Outcome is the result of a step.
type Outcome uint8

const (
	Entered  Outcome = iota // node: the traversal continues with its children or solids
	Accepted                // solid: the closest hit so far
	Missed                  // node: the ray misses its bounds; solid: the ray's line misses it
	Farther                 // node, solid: not closer than the closest hit so far or the limit
	Behind                  // solid: no crossing that counts is ahead of the origin
	Own                     // solid: the one that the ray leaves, which does not count
)

// String returns the constant's name in lower case.
func (o Outcome) String() string {
	names := [...]string{"entered", "accepted", "missed", "farther", "behind", "own"}
	if int(o) >= len(names) {
		return fmt.Sprintf("Outcome(%d)", int(o))
	}
	return names[o]
}

// NodeStep is the test of a node's bounds.
type NodeStep struct {
	Outcome Outcome     // Entered, Missed or Farther
	Depth   int         // 0 for the root, whose bounds are not tested
	Solids  int         // number of solids of a leaf; 0 if the node has children
	Bounds  geom.Bounds // of all solids below the node
	T       float64     // approximate distance at which the ray enters Bounds; 0 if it starts inside, and for the root; +Inf if it misses
	Limit   float64     // the largest T at which the node is entered: the closest hit so far, or the query's limit
}

// SolidStep is the test of a solid.
type SolidStep struct {
	Outcome Outcome // anything but Entered
	Object  int32   // the solid's object number

	// Near and Far are the distances at which the ray's line enters and leaves the solid, negative
	// behind the origin. Both are NaN if the line misses the solid.
	Near, Far float64

	// T is the crossing that counts, Near or Far; Inside is true if it is Far. T is NaN if no crossing
	// counts (Missed, Behind, Own).
	T      float64
	Inside bool

	// Best is the distance of the closest hit before this step, and BestObject is its solid. If there was no
	// hit, Best is the limit of the query, and BestObject is None. T replaces Best if it is smaller, or equal
	// with a smaller object number than BestObject.
	Best       float64
	BestObject int32
}

// TraverseNearest returns the closest hit of r, as [BVH.Nearest] does. The probe, which may be nil,
// observes the traversal.
func (bvh *BVH) TraverseNearest(r geom.Ray, p Probe) Hit {
	return bvh.walk(rayQuery{ray: r, object: noPrim, other: either, tMax: math.Inf(1)}, p)
}

// TraverseReflected returns the closest hit of d, as [BVH.Reflected] does. The probe, which may be nil,
// observes the traversal.
func (bvh *BVH) TraverseReflected(d SecondaryRay, p Probe) Hit {
	return bvh.walk(rayQuery{ray: d.Ray, object: bvh.primOf(d.Object), own: d.Inside, other: entering, eye: d.Eye, tMax: math.Inf(1)}, p)
}

// TraverseBlocked returns the closest hit of d before the distance dist: the nearest solid that blocks
// the shadow ray. The hit's object is [None] exactly if [BVH.Blocked] is false. The probe, which may be
// nil, observes the traversal.
func (bvh *BVH) TraverseBlocked(d SecondaryRay, dist float64, p Probe) Hit {
	return bvh.walk(rayQuery{ray: d.Ray, object: bvh.primOf(d.Object), other: entering, eye: d.Eye, tMax: dist}, p)
}

func (bvh *BVH) walk(q rayQuery, p Probe) Hit {
	a := bvh.singleTraversals.take(bvh.newSingleTraversal)
	if a.probe = p; p != nil {
		if a.trail == nil {
			a.trail = make([]childRef, maxStack)
		}
		a.trail[0], a.depth = childRef{}, 0 // the traversal begins at the root
	}
	hit := a.nearest(&q)
	a.probe = nil
	bvh.singleTraversals.put(a)
	return hit
}

// childRef identifies a node or leaf: child k of a parent.
type childRef struct {
	parent int32
	k      uint8
	depth  uint8 // 0 for the root, which has no parent
}

// follow records that child k of the node parent was inserted into the stack at the index i.
func (w *singleTraversal) follow(parent int32, k, i int) {
	copy(w.trail[i+1:w.n], w.trail[i:w.n])
	w.trail[i] = childRef{parent, uint8(k), w.depth + 1}
}

// reportVisit reports to the probe that the node or leaf at the index i is taken off the stack.
func (w *singleTraversal) reportVisit(i int64, limit float64) {
	p, at := w.trail[i], visit{float64(entry(w.key[i])), child{w.first[i], w.count[i]}}
	w.depth = p.depth // the depth of the parent, in case traverse pushes its children
	if p.depth == 0 {
		at.t = 0 // the root is not tested
	}
	outcome := Entered
	if float32(at.t) > w.limit {
		outcome = Farther
	}
	w.reportNode(p, at, outcome, limit)
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

// reportSolid reports to the probe the test of a solid; before was the best candidate until then.
func (w *singleTraversal) reportSolid(q *rayQuery, at primRef, which crossingRule, outcome Outcome, before candidate) {
	s := SolidStep{
		Outcome:    outcome,
		Object:     w.objectNumber(at),
		Near:       math.NaN(),
		Far:        math.NaN(),
		T:          math.NaN(),
		Best:       before.t,
		BestObject: None,
	}
	if before.prim != noPrim {
		s.BestObject = w.objectNumber(before.prim)
	}
	if near, far, ok := w.chord(at, q.ray.Origin, q.ray.Dir); ok {
		s.Near, s.Far = near, far
	}
	if outcome == Accepted || outcome == Farther {
		s.T, s.Inside, _ = which.pick(s.Near, s.Far)
	}
	w.probe.Solid(s)
}
