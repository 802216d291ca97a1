package course

import (
	"math/big"
	"testing"
)

// TestLargeRadiiNeedMoreThan64Bits checks that the questions about large radii have both answers, and that a program fails that
// compares squares modulo 2^64, with or without a sign.
func TestLargeRadiiNeedMoreThan64Bits(t *testing.T) {
	counts, signed, unsigned, onlyRadii := make(map[relation]int), 0, 0, 0
	const all = 300
	for i := range all {
		d := newDice(&Options{Seed: 1}, i)
		d.turn = i
		q := d.largeRadii()
		for _, c := range []integers{q.A, q.B} {
			for _, x := range append([]int64{c.Radius}, append(c.P, c.Q...)...) {
				if max(x, -x) > maxInteger {
					t.Fatalf("question %d: %d has more than 31 bits", i, x)
				}
			}
		}
		want := solveOverlap(&q)
		counts[want]++
		x := axesOf(&q)
		sum := big.NewInt(q.A.Radius + q.B.Radius)
		d2, r2 := x.dist2().Num(), sum.Mul(sum, sum)
		low := func(n *big.Int) uint64 { return new(big.Int).And(n, new(big.Int).SetUint64(1<<64-1)).Uint64() }
		if (low(d2) > low(r2)) != (want == apart) {
			unsigned++
		}
		if (int64(low(d2)) > int64(low(r2))) != (want == apart) {
			signed++
		}
		if (d2.Cmp(big.NewInt(int64(low(r2)))) > 0) != (want == apart) {
			onlyRadii++
		}
	}
	if counts[apart] < all/4 || counts[overlaps] < all/4 || signed < all/10 || unsigned < all/10 || onlyRadii < all/10 {
		t.Errorf("%v; %d answers wrong with signed squares of 64 bits, %d with unsigned ones, %d with a signed one of the radii", counts, signed, unsigned, onlyRadii)
	}
}
