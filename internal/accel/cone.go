package accel

import (
	"math"
	"sync"

	"pillbox/geom"
)

// leafBalls holds a ball around each solid of a tree, leaf by leaf in groups of lanes, for [coneSearch]. It is computed
// when it is first needed: only area lights need it.
type leafBalls struct {
	once   sync.Once
	groups []ballGroup
	refs   []primRef       // of the solids in the balls: lanes for each group
	first  [][fanout]int32 // for each node, the first groups of its children that are leaves
}

// ballGroup is a group of balls. Unused lanes have the radius -Inf. Kernels depend on its layout.
type ballGroup struct {
	x, y, z, radius [lanes]float64
}

// ballsOf returns the balls around all solids of the BVH.
func (bvh *BVH) ballsOf() *leafBalls {
	bvh.balls.once.Do(func() { bvh.balls.fill(bvh) })
	return &bvh.balls
}

func (b *leafBalls) fill(bvh *BVH) {
	var room [maxLeaf]primRef
	b.first = make([][fanout]int32, len(bvh.tree.nodes))
	for i := range bvh.tree.nodes {
		for k, c := range bvh.tree.nodes[i].children {
			if c.count > 0 {
				b.first[i][k] = int32(len(b.groups))
				b.add(bvh, bvh.tree.leaf(c, &room))
			}
		}
	}
}

// add appends the groups of a leaf.
func (b *leafBalls) add(bvh *BVH, leaf []primRef) {
	for k, at := range leaf {
		if k%lanes == 0 {
			none := math.Inf(-1)
			b.groups = append(b.groups, ballGroup{radius: [lanes]float64{none, none, none, none}})
			b.refs = append(b.refs, noPrim, noPrim, noPrim, noPrim)
		}
		g := &b.groups[len(b.groups)-1]
		center, radius := bvh.around(at)
		g.x[k%lanes], g.y[k%lanes], g.z[k%lanes], g.radius[k%lanes] = center.X, center.Y, center.Z, radius
		b.refs[len(b.refs)-lanes+k%lanes] = at
	}
}

// coneSearch searches for the balls that a cone of rays may meet. It visits the nodes that meet the convex hull of
// the apex and of bounds that contain the ends of all rays. Kernels depend on its layout.
type coneSearch struct {
	ballQuery
	axes    [3]coneAxis
	n       int64 // number of nodes on the stack; if the search has ended early, those that have not been visited
	visited int64 // number of nodes visited
	count   int64 // number of elements of found
	stack   [maxStack + fanout]int32
	found   [mostFound + maxLeaf*fanout + lanes]int32 // the balls found: indices into leafBalls.refs. Kernels write whole groups

	scratch [6 * 3][fanout]float32 // memory of kernels
}

// A search ends early after the node at which it has found more than mostFound balls or visited more than
// mostNodes nodes.
const (
	mostFound = 128
	mostNodes = 512
)

// aim prepares the search for rays from the origin of the query to ends.
func (s *coneSearch) aim(ends geom.Bounds, slack float64) {
	o := s.ray.Origin
	s.axes[0].set(o.X, ends.Min.X, ends.Max.X, slack)
	s.axes[1].set(o.Y, ends.Min.Y, ends.Max.Y, slack)
	s.axes[2].set(o.Z, ends.Min.Z, ends.Max.Z, slack)
}

// coneAxis holds the conditions for bounds along one axis. A node may be met if there is a fraction t of the way
// from the apex to the far ends, 0 <= t <= 1, at which its bounds overlap those of all rays. Along each axis, this
// gives two conditions that are linear in t. The first is t >= (b - from) inv, for the lower or the upper end b of the
// node's bounds. The second, for the other end, limits t in the same way from below or from above, or not at all. In
// spite of rounding, no bounds that contain a hit are missed, for the reasons that [slabRay] states.
type coneAxis struct {
	from, inv           float32
	otherFrom, otherInv float32
	atLeast             float32 // +Inf if the second condition limits t from below, otherwise 0
	atMost              float32 // -Inf if it limits t from above, otherwise +Inf
	upper               uint32  // 1 if the first condition is for the upper end, otherwise 0
}

// set sets a to the conditions for rays from o to ends between lo and hi.
func (a *coneAxis) set(o, lo, hi, slack float64) {
	widened := slack + float64((math.Abs(o)+slack)*0x1p-23) + 0x1p-149
	plus, minus := float32(o+widened), float32(o-widened)
	inf := float32(math.Inf(1))
	least, most := lo-o-slack, hi-o+slack
	if most > 0 {
		*a = coneAxis{plus, reciprocal(most), minus, reciprocal(least), 0, inf, 0}
		if a.otherInv < 0 {
			a.atLeast = inf
		}
	} else {
		*a = coneAxis{minus, reciprocal(least), plus, reciprocal(most), 0, inf, 1}
	}
	if most < 0 && a.otherInv != 0 || least > 0 && a.otherInv != 0 {
		a.atMost = -inf
	}
}

// reciprocal returns 1/x. If this is very large or small, it returns 0, so that a product with it limits nothing.
func reciprocal(x float64) float32 {
	inv := 1 / x
	if a := math.Abs(inv); !(a <= maxInv && a >= 1/maxInv) {
		return 0
	}
	return float32(inv)
}

// meets reports whether the bounds from lo to hi, along each axis, meet the hull.
func (s *coneSearch) meets(bounds *[2][3][fanout]float32, k int) bool {
	in, out := float32(0), float32(1)
	for i := range s.axes {
		a := &s.axes[i]
		upper := a.upper & 1
		in = larger32((bounds[upper][i][k]-a.from)*a.inv, in)
		t := (bounds[upper^1][i][k] - a.otherFrom) * a.otherInv
		in = larger32(smaller32(t, a.atLeast), in)
		out = smaller32(larger32(t, a.atMost), out)
	}
	return in <= out*boundsGrowth
}

// larger32 returns the larger one of a and b, and b if a is NaN.
func larger32(a, b float32) float32 {
	if a > b {
		return a
	}
	return b
}

// smaller32 returns the smaller one of a and b, and b if a is NaN.
func smaller32(a, b float32) float32 {
	if a < b {
		return a
	}
	return b
}

// search sets found to the balls that the cone may meet. It reports whether it has found all.
func (s *coneSearch) search(t *tree, balls *leafBalls) bool {
	s.stack[0], s.n, s.visited, s.count = 0, 1, 0, 0
	if searchCone(s, t, balls) {
		return s.n == 0
	}
	for s.n > 0 && s.count <= mostFound && s.visited <= mostNodes {
		s.n--
		s.visit(t, balls, int(s.stack[s.n]))
	}
	return s.n == 0
}

// visit pushes the children of a node that are nodes on the stack, and tests the balls of leaves.
func (s *coneSearch) visit(t *tree, balls *leafBalls, i int) {
	n := &t.nodes[i]
	s.visited++
	for k, c := range n.children {
		switch {
		case c.count < 0 || !s.meets(&n.bounds, k):
		case c.count == 0:
			s.stack[s.n] = c.first
			s.n++
		default:
			s.test(balls, balls.first[i][k], c.count)
		}
	}
}

// test tests the balls of a leaf. There are count balls, and the groups that contain them begin at the index first.
func (s *coneSearch) test(balls *leafBalls, first, count int32) {
	for g := first; count > 0; g, count = g+1, count-lanes {
		b := &balls.groups[g]
		for k := range lanes {
			if s.ballQuery.meets(geom.Vec3{X: b.x[k], Y: b.y[k], Z: b.z[k]}, b.radius[k]) {
				s.found[s.count] = lanes*g + int32(k)
				s.count++
			}
		}
	}
}
