package accel

import (
	"math"
	"math/bits"
	"sync"

	"pillbox/geom"
)

// leafBalls holds a ball around each solid of a tree, for [coneSearch]. Each leaf has a group of slots, some of which may be
// unused. The slots of the first group, which belongs to no leaf, are all unused. The balls are computed when they are first
// needed, because only area lights need them.
type leafBalls struct {
	once   sync.Once
	groups []ballGroup
	nested []nestedBalls // for each slot, the same ball and one inside the solid
	refs   []primRef     // for each slot, the solid in the ball, or noPrim
	slots  []int32       // for each object, the slot of its ball; 0, which is unused, for an object that is omitted

	// For each node, its children: the index of a node, or the complement of a leaf's first slot. A missing child is the leaf
	// with slot 0.
	children [][fanout]int32
}

// ballsOf returns a ball around each solid of the BVH.
func (bvh *BVH) ballsOf() *leafBalls {
	if bvh.original != nil {
		bvh = bvh.original
	}
	bvh.balls.once.Do(func() { bvh.balls.fill(bvh) })
	return &bvh.balls
}

func (b *leafBalls) fill(bvh *BVH) {
	var room [maxLeaf]primRef
	b.slots = make([]int32, len(bvh.refs))
	b.addLeaf(bvh, nil)
	b.children = make([][fanout]int32, len(bvh.tree.nodes))
	for i := range bvh.tree.nodes {
		for k, c := range bvh.tree.nodes[i].children {
			switch {
			case c.count < 0:
				b.children[i][k] = ^0
			case c.count == 0:
				b.children[i][k] = c.first
			default:
				b.children[i][k] = ^int32(len(b.refs))
				b.addLeaf(bvh, bvh.tree.leaf(c, &room))
			}
		}
	}
}

// addLeaf appends the group of a leaf.
func (b *leafBalls) addLeaf(bvh *BVH, leaf []primRef) {
	g := emptyGroup
	for k := range ballGroupSize {
		at, nested := noPrim, nestedBalls{}
		if k < len(leaf) {
			at = leaf[k]
			around := bvh.around(at)
			g.set(k, &around)
			nested = nestedBalls{around.center, -below(-around.radius), below(bvh.inside(at))}
			b.slots[bvh.objectNumber(at)] = int32(len(b.refs))
		}
		b.refs, b.nested = append(b.refs, at), append(b.nested, nested)
	}
	b.groups = append(b.groups, g)
}

// slotOf returns the slot of the ball around an object, or -1 for [None].
func (b *leafBalls) slotOf(object int32) int32 {
	if object == None {
		return -1
	}
	return b.slots[object]
}

// coneSearch searches for the balls that a cone of rays may meet. All rays start in one bounding box and
// end in another. The search visits the nodes whose bounds meet the convex hull of these two boxes, level by level: the order
// does not matter, and so the processor need not wait for the test of one node before it begins with the next one. Kernels
// depend on its layout.
type coneSearch struct {
	scratch [3*2*4 + 11][8]float32 // memory of kernels; first, so that it can be aligned to cache lines
	ballQuery
	limits  [3][2]coneLimit
	margin  float64 // the search finds the balls up to this distance from the cone
	visited int64   // number of nodes visited: the first ones of queue
	queued  int64   // number of elements of queue
	foundBalls

	// Kernels write fanout elements at a time, so there is room for more than can be in use.
	queue  [mostNodes*(fanout+1) + fanout]int32
	leaves [(mostNodes + 1) * fanout]int32 // of the current level; see leafBalls.children
}

// A search ends early when it has found more than mostFound balls, or when it would visit more than mostNodes nodes. If the
// search for a single point ends early, rays that no found solid blocks are traced singly.
const (
	mostFound = 512
	mostNodes = 1024
)

// foundBalls lists the slots of balls that a cone may meet. The last group that is tested can raise count above mostFound, and
// kernels write ballGroupSize elements at a time, so there is room for more than mostFound.
type foundBalls struct {
	count, largeCount int64
	found             [mostFound + 1 + 2*ballGroupSize]int32
	large             [mostFound + 1 + 2*ballGroupSize]int32 // those of found that may hide all rays of the cone
}

func (f *foundBalls) clear() { f.count, f.largeCount = 0, 0 }

// append appends the slots with bits in met to found, and those with bits in large to large.
func (f *foundBalls) append(slots *[ballGroupSize]int32, met, large uint8) {
	for ; met != 0; met &= met - 1 {
		f.found[f.count] = slots[bits.TrailingZeros8(met)]
		f.count++
	}
	for ; large != 0; large &= large - 1 {
		f.large[f.largeCount] = slots[bits.TrailingZeros8(large)]
		f.largeCount++
	}
}

// setCone prepares the tests of balls, as [ballQuery.set] does.
func (s *coneSearch) setCone(apex, axis geom.Vec3, sin, cos, far, margin float64) {
	s.margin = margin
	s.ballQuery.set(apex, axis, sin, cos, far, margin)
}

// aim prepares the tests of nodes for rays that start in the bounds from and end in the bounds ends.
func (s *coneSearch) aim(from, ends geom.Bounds, slack float64) {
	setLimits(&s.limits[0], from.Min.X, from.Max.X, ends.Min.X, ends.Max.X, slack)
	setLimits(&s.limits[1], from.Min.Y, from.Max.Y, ends.Min.Y, ends.Max.Y, slack)
	setLimits(&s.limits[2], from.Min.Z, from.Max.Z, ends.Min.Z, ends.Max.Z, slack)
}

// coneLimit is a condition for one end of a node's bounds along one axis. While t goes from 0 to 1, a box
// moves from the bounds of the rays' starts to the bounds of their ends. A ray may meet the node if this
// box overlaps the node's bounds for some t. For each axis, this gives two conditions, one for the lower
// end of the node's bounds and one for the upper end. For the end b, the condition is that t is at least,
// or at most, (b - from) inv; it can also be that t is arbitrary. Rounding never excludes bounds that
// contain a hit, for the reasons that [slabRay] states.
type coneLimit struct {
	from, inv float32
	atLeast   float32 // +Inf if the condition limits t from below, otherwise 0
	atMost    float32 // -Inf if it limits t from above, otherwise +Inf
}

// setLimits sets the two limits of an axis. Along this axis, the rays start between first and last and end
// between lo and hi.
func setLimits(limits *[2]coneLimit, first, last, lo, hi, slack float64) {
	widened := slack + float64((max(math.Abs(first), math.Abs(last))+slack)*0x1p-23) + 0x1p-149
	limits[0].set(last+widened, hi-last+slack, 1)
	limits[1].set(first-widened, lo-first-slack, -1)
}

// set sets l to the condition that t times step is at least b - from if sign is 1, or at most b - from if
// sign is -1.
func (l *coneLimit) set(from, step, sign float64) {
	inf := float32(math.Inf(1))
	*l = coneLimit{from: float32(from), atMost: inf}
	inv := 1 / step
	if a := math.Abs(inv); !(a <= maxInv && a >= 1/maxInv) {
		return // the product limits nothing
	}
	if l.inv = float32(inv); inv*sign > 0 {
		l.atLeast = inf
	} else {
		l.atMost = -inf
	}
}

// meets reports whether the bounds of child k meet the convex hull of the rays' starts and ends.
func (s *coneSearch) meets(bounds *[2][3][fanout]float32, k int) bool {
	in, out := float32(0), float32(1)
	for axis := range s.limits {
		for end := range s.limits[axis] {
			l := &s.limits[axis][end]
			t := (bounds[end][axis][k] - l.from) * l.inv
			in = larger32(smaller32(t, l.atLeast), in)
			out = smaller32(larger32(t, l.atMost), out)
		}
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
	s.clear()
	s.queue[0], s.queued, s.visited = 0, 1, 0
	if !searchCone(s, t, balls) {
		for s.visited < s.queued && s.queued <= mostNodes && s.count <= mostFound {
			s.testLeaves(balls, s.visitLevel(t, balls))
		}
	}
	return s.visited == s.queued && s.count <= mostFound
}

// visitLevel visits the nodes in the queue. It appends the children that the cone may meet to the queue, unless they are
// leaves. It stores the leaves in s.leaves and returns their number.
func (s *coneSearch) visitLevel(t *tree, balls *leafBalls) (leaves int) {
	for last := s.queued; s.visited < last; s.visited++ {
		i := s.queue[s.visited]
		for k, c := range balls.children[i] {
			switch {
			case !s.meets(&t.nodes[i].bounds, k):
			case c < 0:
				s.leaves[leaves] = c
				leaves++
			default:
				s.queue[s.queued] = c
				s.queued++
			}
		}
	}
	return leaves
}

// testLeaves tests the balls of the first n leaves.
func (s *coneSearch) testLeaves(balls *leafBalls, n int) {
	for k := 0; k < n && s.count <= mostFound; k++ {
		var slots [ballGroupSize]int32
		for lane := range slots {
			slots[lane] = ^s.leaves[k] + int32(lane)
		}
		met, large := s.testGroup(&balls.groups[slots[0]/ballGroupSize])
		s.append(&slots, met, large)
	}
}

// findAmong sets found to those of the given balls that the cone may meet. There may be at most mostFound + ballGroupSize of them.
func (s *coneSearch) findAmong(b *balls) {
	s.clear()
	if findBalls(s, b) {
		return
	}
	for i := range b.groups {
		met, large := s.testGroup(&b.groups[i])
		s.append(&b.slots[i], met, large)
	}
}
