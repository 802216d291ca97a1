package accel

import (
	"math"

	"pillbox/geom"
)

// Rays that travel together can share one walk through the tree. That is far less work than a walk for
// each if they pass nearly the same solids. It is far more if the volume around them contains many solids
// that only few of them pass. The geometry of the rays cannot tell which, so work is counted while it is
// done. A shared walk may cost as much as its rays are likely to cost one by one. Then it is abandoned,
// and the remaining rays are traced singly. So no query costs much more than twice what single rays cost. A
// [sharing] keeps statistics of such attempts, so that hopeless ones are soon avoided.
//
// None of this affects the hits.

// traversalCost is counted work. Its unit is about the time in which one ray is tested against one sphere.
type traversalCost int

const (
	walkNode    traversalCost = 3 // a single ray visits a node
	walkSolid   traversalCost = 1 // and tests a solid
	sharedNode  traversalCost = 5 // a shaft or a packet visits a node
	packetSolid traversalCost = 4 // a packet projects a solid
)

// sharedStart is the cost of making a shaft around n rays.
func sharedStart(n int) traversalCost { return 32 + 2*traversalCost(n) }

// sharedSolid is the cost of testing a solid against n rays together.
func sharedSolid(n int) traversalCost { return 1 + traversalCost(n)/4 }

// sharing chooses by measured costs which groups of rays share a walk.
type sharing struct {
	total   traversalCost // of all shared walks and all single rays
	wasted  traversalCost // of it on shared walks that were given up
	skipped int           // attempts since the last that was made although it had no prospects
	classes [sharingWidths][sharingCounts]costStatistics
}

// costStatistics are the statistics of one class of groups.
type costStatistics struct {
	single traversalCost // of sharingScale of their rays that go alone: a running mean
	gain   traversalCost // what the shared walks saved, or lost if negative; old ones fade
	groups int           // that shared a walk
}

const (
	minShared = 8    // rays that are worth a shaft
	maxSpread = 0.25 // the greatest width of reflected rays that are

	// Groups are classed by their width, the diagonal of the bounds in which their rays start in
	// relation to the largest coordinate, and by the number of rays, both in powers of two.
	sharingWidths = 24
	sharingCounts = 11

	sharingStart  = 10_000 // cost that may be wasted at first
	sharingRetry  = 32     // one in so many hopeless attempts is made
	sharingSample = 16     // of one in so many groups, and of the first ones, rays go alone to measure
	sharingMemory = 4      // the last one of so many, in the mean and in what fades
	sharingScale  = 64

	samples    = 4            // rays that go alone to check an estimate
	minSampled = 16 * samples // rays that are worth that many
	newcomers  = 8            // groups of a class whose cost is not well known yet
)

// class returns the statistics of groups of n rays of the given width.
func (s *sharing) class(n int, width float64) *costStatistics {
	_, narrow := math.Frexp(1 / width)
	_, count := math.Frexp(float64(n))
	return &s.classes[min(max(narrow, 0), sharingWidths-1)][min(count, sharingCounts-1)]
}

// promises reports whether groups of a class are worth an attempt.
func (s *sharing) worthTrying(x *costStatistics) bool {
	if x.gain >= 0 {
		return true
	}
	if s.skipped++; s.skipped < sharingRetry {
		return false
	}
	s.skipped = 0
	return true
}

// measures reports whether rays of the next group are to go alone: one, or some of a packet.
func (x *costStatistics) measures() bool {
	x.groups++
	return x.groups <= 2 || x.groups%sharingSample == 0
}

// measured notes what such a ray cost, or the mean of some.
func (x *costStatistics) measured(e traversalCost) {
	e *= sharingScale
	if x.single == 0 {
		x.single = e
	}
	x.single += (e - x.single) / sharingMemory
}

// budget returns what a shared walk of n rays may cost: a little less than they are likely to cost alone,
// because that is an estimate, and not so much that a series of failures could cost more than two fifths of all
// that was done, and a start. If single rays cost S, failures so cost at most 5/3 sharingStart + 2/3 S, or S itself
// from 5 sharingStart on, except for the last leaf of each.
func (s *sharing) budget(x *costStatistics, n int) traversalCost {
	return min(worth(x.alone(n)), sharingStart+s.total*2/5-s.wasted)
}

// worth returns what a shared walk may cost whose rays are likely to cost so much alone.
func worth(alone traversalCost) traversalCost { return alone * 3 / 4 }

// alone returns the cost that n single rays are likely to cost.
func (x *costStatistics) alone(n int) traversalCost {
	return traversalCost(n) * x.single / sharingScale
}

// learn notes what a group of n rays cost that shared a walk, to the end or until it was given up.
func (x *costStatistics) learn(n int, e traversalCost) {
	x.gain += x.alone(n) - e - x.gain/sharingMemory
}

// middle returns the longest axis of b and its middle there.
func middle(b geom.Bounds) (axis int, at float64) {
	size, c := b.Size(), b.Center()
	switch {
	case size.X >= size.Y && size.X >= size.Z:
		return 0, c.X
	case size.Y >= size.Z:
		return 1, c.Y
	}
	return 2, c.Z
}
