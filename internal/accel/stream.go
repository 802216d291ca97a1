package accel

import "unsafe"

// stream traces many single rays at once, interleaved: each has its own traversal, with the same steps
// as a [singleTraversal]. While one ray waits for memory or for the latency of an operation, the
// processor works on the others.
type stream struct {
	*BVH
	rays [streamed]activeRay
	streamOrder
}

// streamOrder is the order of the rays of a stream: active rays come first. Kernels depend on its
// layout.
type streamOrder struct {
	order [streamed]int32       // offsets in memory of the rays
	_     [2][2][streamed]int32 // scratch memory of kernels
}

// rayAt returns the ray whose offset in memory from the first ray is place.
func (s *stream) rayAt(place int32) *activeRay {
	return &s.rays[uintptr(place)/unsafe.Sizeof(activeRay{})]
}

const (
	streamed  = 32 // the largest number of active rays
	streaming = 16 // while more rays wait: how many must reach a leaf before the kernel returns
)

// activeRay is one ray of a stream.
type activeRay struct {
	singleTraversal
	query rayQuery
	best  candidate
	index int // number of the ray, as passed to begin and end
}

func (bvh *BVH) newStream() *stream {
	s := &stream{BVH: bvh}
	for k := range s.order {
		s.order[k] = int32(uintptr(k) * unsafe.Sizeof(activeRay{}))
	}
	return s
}

// goal is the kind of hit that a stream finds.
type goal uint8

const (
	closestHit goal = iota // the closest hit
	anyHit                 // whether there is any hit before tMax
)

// traceStream traces the rays 0, ..., n - 1 in a stream and returns the cost. For each ray, it first calls the
// function begin, which must set the ray's fields query and best (the closest hit known so far). When the ray
// is finished, its field best is the result, and traceStream calls the function end. Rays finish in any order.
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
			a := s.rayAt(s.order[active])
			a.BVH, a.index = s.BVH, next // here rather than in newStream, so that few rays touch little of the memory
			begin(a)
			a.start(&a.query)
			a.resume(a.best.t)
		}
		if active == 0 {
			return sum
		}
		if s.tree.isCanceled() {
			s.cancel(active, next, n, begin, end)
			return sum
		}
		left := s.traverse(active, n-next)
		if s.tree.exceedsCache() {
			s.prefetchLeaves(s.order[left:active])
		}
		for k := left; k < active; k++ {
			a := s.rayAt(s.order[k])
			for i, at := range a.leaf() {
				if a.hits&(1<<i) != 0 {
					a.test(&a.query, at, &a.best)
				}
			}
			if a.here.count < 0 || g == anyHit && a.best.prim != noPrim {
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

// cancel ends the rays with the hits that are known so far: the active ones, and those from next to n - 1.
func (s *stream) cancel(active, next, n int, begin, end func(*activeRay)) {
	for _, k := range s.order[:active] {
		end(s.rayAt(k))
	}
	a := s.rayAt(s.order[0])
	for ; next < n; next++ {
		a.index = next
		begin(a)
		end(a)
	}
}

// prefetchLeaves begins to load the solids of the leaves that rays have reached. Spheres are already
// loaded, because the kernel has tested them.
func (s *stream) prefetchLeaves(places []int32) {
	for _, k := range places {
		if a := s.rayAt(k); a.hits != 0 && primRef(a.here.first).kind() != sphereKind {
			s.prefetch(a.leaf())
		}
	}
}

// traverse continues the active traversals until enough of them have reached a leaf or their end. While more rays wait to
// be traced, enough means the constant streaming; otherwise one is enough. traverse returns the number of active rays
// that have reached neither a leaf nor their end, and puts these rays first in the order.
func (s *stream) traverse(active, waiting int) int {
	enough := 1
	if waiting > 0 {
		enough = streaming
	}
	left, ok := traverseAll(s, active, enough)
	if !ok {
		for _, k := range s.order[:active] {
			s.rayAt(k).traverse()
		}
	}
	return left
}
