package accel

import "pillbox/internal/parallel"

// chunk is how many solids are worth a goroutine of their own.
const chunk = 1 << 15

// chunks cuts n solids into parts for goroutines. The parts depend on n only.
func chunks(n int) parallel.Partition { return parallel.Partition{N: n, Size: chunk} }
