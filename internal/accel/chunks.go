package accel

import "pillbox/internal/parallel"

// chunk is the number of solids that each goroutine processes at a time.
const chunk = 1 << 15

// chunks divides n solids into parts for goroutines. The parts depend only on n.
func chunks(n int) parallel.Partition { return parallel.Partition{N: n, Size: chunk} }
