package ticks

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// TestTicks checks the numbers of random scales: both ends are among them, they ascend, there are at most six, none is closer
// to another than the scale allows, and on scales of counts all are whole numbers.
func TestTicks(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		s := Scale{Low: 100 * rng.Float64(), Apart: 0.17, Plain: true}
		s.High = s.Low + math.Pow(10, 8*rng.Float64()-4)
		if rng.IntN(2) == 0 {
			s = Scale{High: float64(1 + rng.IntN(3_000_000)), Apart: 0.17, Whole: true, Plain: true}
		}
		all := s.Ticks()
		n := len(all)
		if n < 2 || n > 6 || all[0].At != 0 || all[n-1].At != 1 {
			t.Errorf("ticks of %+v are %v", s, all)
		}
		for i, x := range all {
			value, err := strconv.ParseFloat(x.Text, 64)
			at := (value - s.Low) / (s.High - s.Low)
			if err != nil || math.Abs(at-x.At) > 0.006 {
				t.Errorf("ticks of %+v: %q at %v, want it at %v", s, x.Text, x.At, at)
			}
			if s.Whole && value != math.Trunc(value) {
				t.Errorf("ticks of %+v are %v, want whole numbers", s, all)
			}
			if i > 0 && x.At-all[i-1].At < s.Apart-1e-9 {
				t.Errorf("ticks of %+v are %v, closer than %v", s, all, s.Apart)
			}
		}
	}
}

// TestTicksOfOneValue checks the number of a scale whose ends are equal.
func TestTicksOfOneValue(t *testing.T) {
	if got := (Scale{Low: 5, High: 5}).Ticks(); !slices.Equal(got, []Tick{{0.5, "5"}}) {
		t.Errorf("ticks of a single value are %v", got)
	}
}

// TestTicksNotation checks how large numbers are written.
func TestTicksNotation(t *testing.T) {
	for _, c := range []struct {
		s    Scale
		want string
	}{
		{Scale{High: 2.5e6, Plain: true}, "2.5e+06"},
		{Scale{High: 2.5e6}, "2.5·10^{6}"},
		{Scale{Low: 100000, High: 100000.5}, "100000.5"},
		{Scale{High: 1234}, "1234"},
	} {
		all := c.s.Ticks()
		if got := all[len(all)-1].Text; got != c.want {
			t.Errorf("%+v ends with %q, want %q", c.s, got, c.want)
		}
	}
}
