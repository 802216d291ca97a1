package course

import "testing"

// TestOverlapReasons checks that errors compare the squared distance of the axes with the squared sum of the radii.
func TestOverlapReasons(t *testing.T) {
	ball := func(x, radius int64) integers { return integers{[]int64{x, 0, 0}, []int64{x, 0, 0}, radius} }
	const reach = " the squared sum of the radii, "
	for _, c := range []struct {
		a, b  integers
		wrong relation
		what  string
	}{
		{ball(0, 2), ball(5, 2), touches, "9 more than" + reach + "16"},
		{ball(0, 2), ball(5, 4), apart, "11 less than" + reach + "36"},
		{ball(0, 2), ball(5, 3), overlaps, "equal to" + reach + "25"},
		{ball(0, 0), integers{[]int64{0, 1, 0}, []int64{2, 0, 0}, 1}, apart, "0.2 less than" + reach + "1"}, // 4/5: from a line with the slope -1/2
	} {
		want := "the squared distance of the axes is " + c.what
		if p := judgeOverlap(&overlapQuestion{c.a, c.b}, c.wrong); p == nil || p.what != want {
			t.Errorf("%v and %v: %+v, want %q", c.a, c.b, p, want)
		}
	}
}
