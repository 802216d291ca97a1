package exact

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// sphere returns a sphere of radius r with the center (x, 0, 0).
func sphere(x, r float64) Decimal3 {
	return Decimal3{P: [3]float64{x}, Q: [3]float64{x}, R: r}
}

// TestRelateDecimal3TouchesInDecimals checks pairs that touch exactly in decimals. Not all of them touch in binary
// fractions: there, 0.1 + 0.2 is more than 0.3.
func TestRelateDecimal3TouchesInDecimals(t *testing.T) {
	for _, c := range []struct {
		a, b Decimal3
		want Relation
	}{
		{sphere(0, 0.1), sphere(0.3, 0.2), Touching},
		{sphere(0, 0.1), sphere(math.Nextafter(0.3, 1), 0.2), Apart},
		{sphere(0, 0.1), sphere(math.Nextafter(0.3, 0), 0.2), Overlapping},
		{sphere(0, 0.1), sphere(0.8, 0.7), Touching},
		{sphere(-1e15, 1e15), sphere(1e-15, 1e-15), Touching},
		{sphere(-1e15, 1e15), sphere(1e-15, 2e-15), Overlapping},
		{sphere(-1e15, 1e15), sphere(1e-300, 1e-300), Touching},
		{sphere(-1e15, 1e15), sphere(1e-300, 9e-301), Apart},
		{sphere(0, 1e-323), sphere(2.1e-322, 2e-322), Touching},
		{sphere(-math.MaxFloat64, math.MaxFloat64), sphere(math.MaxFloat64, math.MaxFloat64), Touching},
		{sphere(math.Copysign(0, -1), 0), sphere(0, 0), Touching},
	} {
		if got := RelateDecimal3(c.a, c.b); got != c.want {
			t.Errorf("RelateDecimal3(%v, %v) = %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// randomDecimal3 returns a random capsule. Its coordinates have random signs, and the magnitudes of all its
// numbers vary over a range of spread powers of two.
func randomDecimal3(rng *rand.Rand, spread int) Decimal3 {
	number := func() float64 {
		return math.Ldexp(2*rng.Float64()-1, rng.IntN(spread)-spread/2)
	}
	c := Decimal3{R: math.Abs(number())}
	for i := range c.P {
		c.P[i], c.Q[i] = number(), number()
	}
	return c
}

// TestRelateDecimal3NearTouching checks pairs for which the coarse numbers of relateCoarse are not precise enough.
// It finds the smallest radius with which two capsules touch, to the bit, and tries radii on both sides of it.
// RelateDecimal3 must agree with the exact relation.
func TestRelateDecimal3NearTouching(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	seen := map[Relation]int{}
	for i := range 80 {
		a, b := randomDecimal3(rng, 1+i%40), randomDecimal3(rng, 1+i%40)
		a.R = math.Ldexp(a.R, -30)
		b.R = touchingRadius(a, b)
		step := math.Ldexp(max(a.largest(), b.largest()), -gridBits)
		for _, offset := range []float64{0, 1e-9, 0.3, 1, 2, 3, 5, 8, 1e3, 1e9} {
			for _, side := range []float64{-1, 1} {
				c := b
				c.R = max(b.R+side*offset*step, 0)
				want := Relate3(Common3(a, c))
				if got := RelateDecimal3(a, c); got != want {
					t.Fatalf("RelateDecimal3(%v, %v) = %v, want %v", a, c, got, want)
				}
				seen[want]++
				if _, ok := relateCoarse(a, c); !ok && offset >= 1e3 && c.R > 0 {
					t.Errorf("the coarse grid cannot decide the relation of %v and %v", a, c)
				}
			}
		}
	}
	if seen[Apart] < 500 || seen[Overlapping] < 500 {
		t.Errorf("relations seen: %v, want at least 500 of apart and overlapping each", seen)
	}
}

// touchingRadius returns the smallest float64 radius of b with which b is not apart from a. It bisects the bits of
// the radius, because positive float64 numbers are ordered like their bits.
func touchingRadius(a, b Decimal3) float64 {
	low, high := uint64(0), math.Float64bits(16*max(a.largest(), b.largest()))
	for low < high {
		middle := low + (high-low)/2
		b.R = math.Float64frombits(middle)
		if Relate3(Common3(a, b)) == Apart {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return math.Float64frombits(low)
}

// TestRelateDecimal3OnTheGrid checks spheres for which rounding to the grid of relateCoarse, here with step 1, has
// the largest effect. The spheres lie on a diagonal, and their numbers have fractions near 0 or 1.
func TestRelateDecimal3OnTheGrid(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 0))
	corner := math.Floor(math.Ldexp(0.6, gridBits))
	fraction := func() float64 { return []float64{0, 0.001, 0.5, 0.999}[rng.IntN(4)] }
	diagonal := func(x, r float64) Decimal3 {
		p := [3]float64{corner + x, corner + x, corner + x}
		return Decimal3{P: p, Q: p, R: r}
	}
	for range 8000 {
		r := float64(rng.IntN(1000))
		d := math.Floor((r + 8*rng.Float64() - 4) / math.Sqrt(3))
		a := diagonal(fraction(), math.Floor(r/2)+fraction())
		b := diagonal(d+fraction(), math.Ceil(r/2)+fraction())
		if rng.IntN(2) == 0 {
			a.P[2], b.P[2] = b.P[2], a.P[2]
			a.Q[2], b.Q[2] = a.P[2], b.P[2]
		}
		want := Relate3(Common3(a, b))
		if got := RelateDecimal3(a, b); got != want {
			t.Fatalf("RelateDecimal3(%v, %v) = %v, want %v", a, b, got, want)
		}
		if got := RelateDecimal3(b, a); got != want {
			t.Fatalf("RelateDecimal3(%v, %v) = %v, want %v", b, a, got, want)
		}
	}
}

func TestCommon3IsExact(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 0))
	for i := range 500 {
		a, b := randomDecimal3(rng, 1+i), randomDecimal3(rng, 1+i)
		a.P[i%3], b.Q[i%3] = 0, math.Round(b.Q[i%3])
		x, y := Common3(a, b)
		ratio := new(big.Rat) // of decimal to integer: the same for all
		divisible := true
		for j, f := range append(numbers(a), numbers(b)...) {
			k := append(integers(x), integers(y)...)[j]
			if f == 0 && k.Sign() == 0 {
				continue
			}
			decimal, _ := new(big.Rat).SetString(strconv.FormatFloat(f, 'g', -1, 64))
			if ratio.Sign() == 0 {
				ratio.Quo(decimal, new(big.Rat).SetInt(k))
			}
			if decimal.Cmp(new(big.Rat).Mul(ratio, new(big.Rat).SetInt(k))) != 0 {
				t.Fatalf("Common3(%v, %v): %v became %v, which is not over %v", a, b, f, k, ratio)
			}
			divisible = divisible && new(big.Int).Rem(k, big.NewInt(10)).Sign() == 0
		}
		if divisible {
			t.Fatalf("Common3(%v, %v) = %v, %v, all of them multiples of ten", a, b, x, y)
		}
		power := new(big.Int).Mul(ratio.Num(), ratio.Denom()) // one of them is 1
		if strings.TrimRight(power.String(), "0") != "1" {
			t.Fatalf("Common3(%v, %v) divides by %v, want a power of ten", a, b, ratio)
		}
	}
}

// TestCommon3DividesByTens checks that Common3 divides integers by the largest power of ten that divides all of
// them, here 1000. Zeros do not matter.
func TestCommon3DividesByTens(t *testing.T) {
	a, b := Common3(sphere(0, 3000), sphere(-50_000, 2000))
	want := [2]pill{{r: 3}, {p: [3]int64{-50}, q: [3]int64{-50}, r: 2}}
	if fmt.Sprint(a, b) != fmt.Sprint(want[0].capsule3(), want[1].capsule3()) {
		t.Errorf("Common3 = %v, %v, want %v", a, b, want)
	}
}

func numbers(c Decimal3) []float64 {
	return []float64{c.P[0], c.P[1], c.P[2], c.Q[0], c.Q[1], c.Q[2], c.R}
}

func integers(c Capsule3) []*big.Int {
	return []*big.Int{c.P[0], c.P[1], c.P[2], c.Q[0], c.Q[1], c.Q[2], c.R}
}

func TestInvalidDecimal3IsEmpty(t *testing.T) {
	good := Decimal3{P: [3]float64{1, 2, 3}, R: 9}
	if err := good.Validate(); err != nil {
		t.Errorf("Validate() = %v, want nil", err)
	}
	for _, c := range []struct {
		want  string
		spoil func(*Decimal3)
	}{
		{"P[2]: must be finite, got NaN", func(c *Decimal3) { c.P[2] = math.NaN() }},
		{"Q[1]: must be finite, got -Inf", func(c *Decimal3) { c.Q[1] = math.Inf(-1) }},
		{"R: must be finite and not negative, got NaN", func(c *Decimal3) { c.R = math.NaN() }},
		{"R: must be finite and not negative, got +Inf", func(c *Decimal3) { c.R = math.Inf(1) }},
		{"R: must be finite and not negative, got -0.5", func(c *Decimal3) { c.R = -0.5 }},
	} {
		bad := good
		c.spoil(&bad)
		if err := bad.Validate(); err == nil || err.Error() != c.want {
			t.Errorf("Validate() = %v, want %s", err, c.want)
		}
		if RelateDecimal3(bad, good) != Apart || RelateDecimal3(good, bad) != Apart {
			t.Errorf("a pill with %s is not apart", c.want)
		}
		if x, y := Common3(good, bad); x != (Capsule3{}) || y != (Capsule3{}) {
			t.Errorf("Common3 of a pill with %s = %v, %v, want zero values", c.want, x, y)
		}
	}
}

func FuzzShortest(f *testing.F) {
	for _, x := range []float64{0, 1, -0.1, 123.456, 1e15, 1e-300, 5e-324, math.MaxFloat64, 0.1 + 0.2} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		if !finite(x) {
			return
		}
		d := shortest(x)
		back, err := strconv.ParseFloat(fmt.Sprintf("%de%d", d.coef, d.exp), 64)
		if err != nil || back != x {
			t.Errorf("shortest(%v) = %v, which reads as %v, %v", x, d, back, err)
		}
		if d.coef != 0 && d.coef%10 == 0 {
			t.Errorf("shortest(%v) = %v, which is not the shortest", x, d)
		}
	})
}

func TestReadDecimal(t *testing.T) {
	zeros := strings.Repeat("0", MaxPlaces-1)
	for _, c := range []struct {
		text string
		x    float64
		long bool
		err  error
	}{
		{"0", 0, false, nil}, {"-0.0", 0, false, nil}, {"0e999999999999999999999", 0, false, nil},
		{"0.1", 0.1, false, nil}, {"+.5", 0.5, false, nil}, {"1_000.25", 1000.25, false, nil}, {"-12e-1", -1.2, false, nil},
		{"0.10000000000000000000", 0.1, false, nil}, {"100", 100, false, nil}, {"1e22", 1e22, false, nil}, {"10E+21", 1e22, false, nil},
		{"0.30000000000000004", 0.30000000000000004, false, nil},
		{"0.30000000000000001", 0.3, true, nil}, {"-0.3000000000000000000000001", -0.3, true, nil},
		{"0.1000000000000000055511151231257827021181583404541015625", 0.1, true, nil},
		{"9007199254740993", 9007199254740992, true, nil},
		{"0." + zeros + "1", 0, true, nil}, {"0." + zeros + "10", 0, true, nil}, {"1e-400", 0, true, nil},
		{"0." + zeros + "01", 0, false, ErrTooLong}, {"1e-401", 0, false, ErrTooLong}, {"1e-99999999999999999999", 0, false, ErrTooLong},
		{"1." + zeros + "01", 1, false, ErrTooLong},
	} {
		x, long, err := ReadDecimal(c.text)
		if x != c.x || (long != "") != c.long || err != c.err {
			t.Errorf("ReadDecimal(%s) = %v, %q, %v, want %v, long: %v, %v", c.text, x, long, err, c.x, c.long, c.err)
		}
	}
	for _, text := range []string{"", "x", "0x10", "NaN", "inf", "1e400", "1.2.3", "--1", "1 2", "1,2"} {
		if x, long, err := ReadDecimal(text); err == nil || err == ErrTooLong || x != 0 && !math.IsInf(x, 0) || long != "" {
			t.Errorf("ReadDecimal(%q) = %v, %q, %v, want an error", text, x, long, err)
		}
	}
}

// TestRelateDecimal3OfLongDecimals checks capsules whose numbers have many more digits than a float64. They touch
// or miss touching by one unit of the last digit.
func TestRelateDecimal3OfLongDecimals(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for range 300 {
		places := 20 + rng.IntN(MaxPlaces-20)
		number := func() *big.Int {
			digits := make([]byte, places)
			for i := range digits {
				digits[i] = '0' + byte(rng.IntN(10))
			}
			n, _ := new(big.Int).SetString(string(digits), 10)
			return n
		}
		r1, r2, y, z := number(), number(), number(), number()
		off := int64(rng.IntN(3) - 1)
		x := new(big.Int).Add(r1, r2)
		x.Add(x, big.NewInt(off))
		pill := func(x, r *big.Int, length int64) Decimal3 {
			var d Decimal3
			end := new(big.Int).Add(y, big.NewInt(length)) // along y both are parallel
			for i, n := range [7]*big.Int{x, y, z, x, end, z, r} {
				text := n.String()
				text = strings.Repeat("0", max(0, places+1-len(text))) + text
				text = text[:len(text)-places] + "." + text[len(text)-places:]
				v, long, err := ReadDecimal(text)
				if err != nil {
					t.Fatal(err)
				}
				*[7]*float64{&d.P[0], &d.P[1], &d.P[2], &d.Q[0], &d.Q[1], &d.Q[2], &d.R}[i] = v
				d.Text[i] = long
			}
			return d
		}
		a, b := pill(new(big.Int), r1, 0), pill(x, r2, int64(rng.IntN(3)))
		want := Touching - Relation(off)
		if got := RelateDecimal3(a, b); got != want {
			t.Fatalf("%v and %v are %v, want %v", a, b, got, want)
		}
		p, q := Common3(a, b)
		if got := Relate3(p, q); got != want {
			t.Fatalf("in integers %v and %v are %v, want %v", a, b, got, want)
		}
		scale := Exponent3(a, b) + places
		if scale < 0 || new(big.Int).Mul(p.R, new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(scale)), nil)).Cmp(r1) != 0 {
			t.Fatalf("%v times 10^%d is not %v", p.R, Exponent3(a, b), r1)
		}
	}
}

func TestDecimal3ValidateText(t *testing.T) {
	for _, text := range []string{"x", "0.31", "0." + strings.Repeat("3", MaxPlaces+1), "1e-500"} {
		bad := Decimal3{R: 0.3}
		bad.Text[6] = text
		if err := bad.Validate(); err == nil || !strings.HasPrefix(err.Error(), "Text[6]: must be a decimal that rounds to 0.3") {
			t.Errorf("Validate() with %.20s = %v", text, err)
		}
	}
}
