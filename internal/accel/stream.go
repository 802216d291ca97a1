package accel

import "unsafe"

// stream walks several single rays through the tree at once, each on its own way and with the steps that a
// [singleTraversal] takes. A ray that waits for memory, or for the operations of one step, leaves the processor to the
// others.
type stream struct {
	*BVH
	rays [streamed]activeRay
	streamOrder
}

// turns say whose turn it is. Kernels know its layout.
type streamOrder struct {
	order [streamed]int32       // of the strands, by their place in memory: first those that are on their way
	_     [2][2][streamed]int32 // scratch memory of kernels
}

// at returns a ray by its offset in memory.
func (s *stream) at(place int32) *activeRay {
	return &s.rays[uintptr(place)/unsafe.Sizeof(activeRay{})]
}

const (
	streamed  = 32 // rays that walk at once
	streaming = 16 // as long as there are more rays, so many are on their way
)

// activeRay is one ray of a stream.
type activeRay struct {
	singleTraversal
	query rayQuery
	best  candidate
	index int // of the ray among those of the stream
}

func (bvh *BVH) newStream() *stream {
	s := &stream{BVH: bvh}
	for k := range s.rays {
		s.rays[k].BVH = bvh
		s.order[k] = int32(uintptr(k) * unsafe.Sizeof(activeRay{}))
	}
	return s
}

// goal describes what a stream looks for.
type goal uint8

const (
	nearest  goal = iota // what a ray meets first
	anything             // whether it meets anything
)

// follow follows the rays 0, ..., n - 1 in a stream. It calls begin for every ray before, which sets its query and
// the best candidate that is known, and end when it is done, which they are in another order. It returns what
// that cost.
func (bvh *BVH) traceStream(n int, g goal, begin, end func(*activeRay)) traversalCost {
	if n == 0 {
		return 0
	}
	s := bvh.streams.take(bvh.newStream)
	spent := s.follow(n, g, begin, end)
	bvh.streams.put(s)
	return spent
}

func (s *stream) follow(n int, g goal, begin, end func(*activeRay)) traversalCost {
	sum := traversalCost(0)
	for active, next := 0, 0; ; {
		for ; active < streamed && next < n; active, next = active+1, next+1 {
			a := s.at(s.order[active])
			a.index = next
			begin(a)
			a.start(&a.query)
			a.resume(a.best.t)
		}
		if active == 0 {
			return sum
		}
		left := s.descend(active, n-next)
		if s.tree.far() {
			s.prefetchLeaves(s.order[left:active])
		}
		for k := left; k < active; k++ {
			a := s.at(s.order[k])
			for i, at := range a.leaf() {
				if a.hits&(1<<i) != 0 {
					a.test(&a.query, at, &a.best)
				}
			}
			if a.here.count < 0 || g == anything && a.best.slot != noPrim {
				sum += a.cost()
				end(a)
				continue
			}
			a.resume(a.best.t)
			s.order[left], s.order[k] = s.order[k], s.order[left]
			left++
		}
		active = left
	}
}

// prefetchLeaves begins to load what some strands are to be tested against. The kernel has examined spheres already.
func (s *stream) prefetchLeaves(places []int32) {
	for _, k := range places {
		if a := s.at(k); a.hits != 0 && primRef(a.here.first).kind() != sphereKind {
			s.prefetch(a.leaf())
		}
	}
}

// descend lets the active strands go on until some of them come to a leaf or leave the tree, and as many that it is
// worth while if more rays wait. It returns how many others there are, the first ones.
func (s *stream) descend(active, waiting int) int {
	enough := 1
	if waiting > 0 {
		enough = streaming
	}
	left, ok := descendAll(s, active, enough)
	if !ok {
		for _, k := range s.order[:active] {
			s.at(k).descend()
		}
	}
	return left
}
