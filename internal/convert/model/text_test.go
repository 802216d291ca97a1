package model

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"
)

// TestAppendNumber compares the decimal texts of random numbers with those of package strconv. Many of the numbers
// have at most three decimals.
func TestAppendNumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := []float64{0, math.Copysign(0, -1), 1, -1, 0.001, -0.001, 0.0005, 999999.999, 1e6, -1e6, 1e12, 1e-5, 123456.789, 100, -0.1, 1e15, 5e-324}
	for range 200_000 {
		x := float64(rng.IntN(2_000_000)-1_000_000) / 1000
		switch rng.IntN(4) {
		case 0:
			x = math.Nextafter(x, math.Inf(1))
		case 1:
			x *= math.Pow10(rng.IntN(20) - 10)
		case 2:
			x = rng.NormFloat64()
		}
		numbers = append(numbers, x)
	}
	for _, x := range numbers {
		if got, want := string(appendNumber(nil, x)), strconv.FormatFloat(x+0, 'g', 12, 64); got != want {
			t.Fatalf("%v is written as %s, want %s", x, got, want)
		}
	}
}
