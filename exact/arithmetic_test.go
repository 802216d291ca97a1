package exact

import (
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// rat returns a as a fraction.
func (a Decimal) rat(t *testing.T) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(a.d.coefficient().String() + "e" + strconv.Itoa(a.d.exp))
	if !ok {
		t.Fatalf("%v is no number", a)
	}
	return r
}

// TestDecimalArithmetic compares sums and products of decimals with the same operations on fractions, for numbers
// of few and many digits.
func TestDecimalArithmetic(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	number := func() Decimal {
		digits := strconv.FormatInt(rnd.Int64N(1<<(1+rnd.IntN(62))), 10)
		x, _ := strconv.ParseFloat(digits+"e"+strconv.Itoa(rnd.IntN(60)-40), 64)
		if rnd.IntN(2) == 0 {
			x = -x
		}
		return DecimalOf(x)
	}
	for range 5000 {
		a, b, c := number(), number(), number()
		if got, want := a.Times(b).rat(t), new(big.Rat).Mul(a.rat(t), b.rat(t)); got.Cmp(want) != 0 {
			t.Fatalf("%v times %v is %v, want %v", a, b, got, want)
		}
		ab := a.Times(b)
		sum := ab.Plus(c)
		if got, want := sum.rat(t), new(big.Rat).Add(ab.rat(t), c.rat(t)); got.Cmp(want) != 0 {
			t.Fatalf("%v plus %v is %v, want %v", ab, c, got, want)
		}
		if got := sum.Plus(c.Negated()).Plus(ab.Negated()); !got.d.isZero() {
			t.Fatalf("(%v + %v) - both is %v", ab, c, got)
		}
		x, long, err := sum.Float64()
		if want, _ := sum.rat(t).Float64(); err != nil || x != want {
			t.Fatalf("%v is %v, %v, want %v", sum, x, err, want)
		}
		if is := DecimalOf(x).rat(t).Cmp(sum.rat(t)) == 0; is != (long == "") {
			t.Fatalf("%v is the shortest decimal of %v is %v, but its text is %q", sum, x, is, long)
		}
		if y, again, err := ReadDecimal(long); long != "" && (err != nil || y != x || again != long) {
			t.Fatalf("%v is read as %v, %q, %v", long, y, again, err)
		}
	}
}

func TestDecimalOutOfRange(t *testing.T) {
	tiny, huge := DecimalOf(1e-300), DecimalOf(1e300)
	if _, _, err := tiny.Times(tiny).Float64(); err != ErrTooLong {
		t.Errorf("1e-600: %v", err)
	}
	if _, _, err := huge.Times(huge).Float64(); err == nil || !strings.Contains(err.Error(), "finite") {
		t.Errorf("1e600: %v", err)
	}
	if x, long, err := huge.Times(tiny).Plus(DecimalOf(-1)).Float64(); x != 0 || long != "" || err != nil {
		t.Errorf("0: %v, %q, %v", x, long, err)
	}
}
