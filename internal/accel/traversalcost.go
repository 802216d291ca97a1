package accel

import (
	"math"

	"pillbox/geom"
)

// Rays that start and go close together can share one traversal of the tree. If they pass nearly the same solids, this
// is far less work than one traversal per ray. If the volume around them contains many solids that only few of the rays
// pass, it is far more. The geometry of the rays does not show in advance which is the case. So the work is counted. A
// shared traversal whose cost comes near the estimated cost of single rays is abandoned, and the remaining rays are
// traced singly. Because of this, no query costs much more than twice as much as single rays. A [sharing] keeps
// statistics of shared traversals for each class of groups, such as small and narrow groups. In classes in which they
// usually cost more than single rays, they are soon tried only rarely.
//
// None of this affects the hits.

// traversalCost is an amount of work. Its unit is about the time for testing one ray against one
// sphere.
type traversalCost int

const (
	walkNode    traversalCost = 3  // visiting a node with a single ray
	walkSolid   traversalCost = 1  // testing a solid with a single ray
	sharedNode  traversalCost = 5  // visiting a node with a shaft or a packet
	coneStart   traversalCost = 24 // preparing the search for the solids at a cone
	coneNode    traversalCost = 5  // visiting a node in this search
	coneBalls   traversalCost = 1  // testing ballGroupSize balls against the cone of one point
	packetSolid traversalCost = 4  // projecting a solid to a packet
)

// sharedStart is the cost of computing a shaft around n rays.
func sharedStart(n int) traversalCost { return 32 + 2*traversalCost(n) }

// sharedSolid is the cost of testing a solid against n rays together.
func sharedSolid(n int) traversalCost { return 1 + traversalCost(n)/4 }

// sharing decides by measured costs which groups of rays share a traversal.
type sharing struct {
	total   traversalCost // cost of all shared traversals and all single rays
	wasted  traversalCost // the part of total for shared traversals that were abandoned
	classes [sharingWidths][sharingCounts]costStatistics

	// The number of groups for which worthTrying has returned false since it last returned true in spite of a loss, and
	// the same for worthDividing.
	skipped, undivided int
}

// costStatistics are the statistics of one class of groups.
type costStatistics struct {
	single traversalCost // running mean of the cost of a ray traced singly, times sharingScale
	gain   traversalCost // what shared traversals saved compared with single rays; negative for a loss; decays with time
	groups int           // number of groups that tried to share a traversal

	// For the groups that were divided in two: their number of rays, and how many of these then shared a traversal of a
	// part. Old groups count less than recent ones.
	divided, shared int
}

const (
	minShared = 8    // the least number of rays for a shaft
	maxSpread = 0.25 // the largest width of a group of reflected rays for a shaft

	// Groups are classified by their number of rays and by their width, both in powers of two. The width is the
	// diagonal of the bounds of the rays' origins, divided by the largest coordinate of the scene. For reflected rays,
	// the diagonal of the bounds of their directions is added.
	sharingWidths = 24
	sharingCounts = 11

	sharingStart  = 10_000 // limit of the cost of abandoned traversals, in addition to a fraction of total
	sharingRetry  = 32     // in a class with a loss, one group in this many shares a traversal
	sharingSample = 16     // single rays are measured in the first two groups of a class, then in one in this many
	sharingMemory = 4      // the weight of a new measurement is 1/sharingMemory
	sharingScale  = 64
	sharingTrial  = 256 // in a class of which fewer rays were divided, groups are divided

	samples    = 4            // number of rays that are traced singly to check an estimate
	minSampled = 16 * samples // the least number of rays in a group for such a check
	newcomers  = 8            // a class with at most this many groups has an uncertain cost
)

// class returns the statistics of the class of groups with about n rays and about the given width: see sharingWidths.
func (s *sharing) class(n int, width float64) *costStatistics {
	_, narrow := math.Frexp(1 / width)
	_, count := math.Frexp(float64(n))
	return &s.classes[min(max(narrow, 0), sharingWidths-1)][min(count, sharingCounts-1)]
}

// worthTrying reports whether to try a shared traversal for a group of class x. It always returns true as long
// as such traversals have not cost more than single rays in this class. Otherwise it returns true for only one
// of every sharingRetry groups, and false for the others.
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

// shouldSample must be called once for each group of the class: it counts the groups. It reports whether a few rays of
// this group should be traced singly, to measure their cost.
func (x *costStatistics) shouldSample() bool {
	x.groups++
	return x.groups <= 2 || x.groups%sharingSample == 0
}

// recordSample updates the statistics with the measured cost of a ray traced singly.
func (x *costStatistics) recordSample(e traversalCost) {
	e *= sharingScale
	if x.single == 0 {
		x.single = e
	}
	x.single += (e - x.single) / sharingMemory
}

// budget returns the cost at which a shared traversal of n rays is abandoned. It is the smaller of two limits. The first
// is three quarters of the estimated cost of n single rays. The second limits the cost of all abandoned traversals
// together to sharingStart plus two fifths of the total cost, except that a traversal may exceed it in its last leaf. If
// tracing all rays singly costs S, abandoned traversals therefore cost at most 5/3 sharingStart + 2/3 S. This is at most
// S if S is at least 5 sharingStart.
func (s *sharing) budget(x *costStatistics, n int) traversalCost {
	return min(worth(x.alone(n)), sharingStart+s.total*2/5-s.wasted)
}

// worth returns the cost up to which a shared traversal is worthwhile. The parameter alone is the estimated cost of
// tracing the same rays singly.
func worth(alone traversalCost) traversalCost { return alone * 3 / 4 }

// The method alone returns the estimated cost of tracing n rays singly.
func (x *costStatistics) alone(n int) traversalCost {
	return traversalCost(n) * x.single / sharingScale
}

// learn updates the gain after a shared traversal of n rays, which had the cost e. If the traversal was abandoned, e must
// include the cost of tracing the remaining rays singly.
func (x *costStatistics) learn(n int, e traversalCost) {
	x.gain += x.alone(n) - e - x.gain/sharingMemory
}

// worthDividing reports whether to divide a group of class x that does not share a traversal. It returns true if
// few rays of this class have been in divided groups, or if more than an eighth of them then shared a traversal.
// Otherwise it returns true for only one of every sharingRetry groups.
func (s *sharing) worthDividing(x *costStatistics) bool {
	const fewShared = 8 // at most one ray in fewShared
	if x.divided < sharingTrial || x.shared*fewShared > x.divided {
		return true
	}
	if s.undivided++; s.undivided < sharingRetry {
		return false
	}
	s.undivided = 0
	return true
}

// learnDivision records that a group of n rays was divided. shared is the number of these rays that then shared a
// traversal.
func (x *costStatistics) learnDivision(n, shared int) {
	x.divided += n - x.divided/sharingMemory
	x.shared += shared - x.shared/sharingMemory
}

// middle returns the longest axis of b and the center of b along that axis.
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
