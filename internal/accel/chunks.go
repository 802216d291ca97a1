package accel

import "pillbox/internal/parallel"

// chunk is how many solids are worth a goroutine of their own.
const chunk = 1 << 15

// chunks returns the number of parts that a range is cut into.
func chunks(n int) int { return max(1, (n+chunk-1)/chunk) }

// inChunks calls f, at once from several goroutines, for the parts 0, 1, ... of the range
// 0, ..., n - 1, and waits until all of them are done. The parts depend on n only.
func inChunks(n int, f func(part, from, to int)) {
	var others parallel.Group
	for part := 1; part*chunk < n; part++ {
		others.Go(func() { f(part, part*chunk, min(n, (part+1)*chunk)) })
	}
	f(0, 0, min(n, chunk))
	others.Wait()
}
