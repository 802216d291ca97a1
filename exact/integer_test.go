package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// edges returns integers at, near and between the limits of int64 and int128.
func edges() []*big.Int {
	xs := []*big.Int{new(big.Int)}
	for _, n := range []uint{0, 1, 31, 32, 62, 63, 64, 65, 95, 126} {
		power := new(big.Int).Lsh(big.NewInt(1), n)
		for _, d := range []int64{-1, 0, 1} {
			x := new(big.Int).Add(power, big.NewInt(d))
			xs = append(xs, x, new(big.Int).Neg(x))
		}
	}
	end := new(big.Int).Lsh(big.NewInt(1), 127)
	return append(xs, new(big.Int).Sub(end, big.NewInt(1)), new(big.Int).Neg(end))
}

// int128Big returns x modulo 2^128 as a signed 128-bit number.
func int128Big(x *big.Int) int128 {
	low := new(big.Int).And(x, new(big.Int).SetUint64(math.MaxUint64))
	high := new(big.Int).Rsh(x, 64)
	high.And(high, new(big.Int).SetUint64(math.MaxUint64))
	return int128{high.Uint64(), low.Uint64()}
}

func TestInt128Arithmetic(t *testing.T) {
	for _, x := range edges() {
		a := int128Big(x)
		if got := a.sign(); got != x.Sign() {
			t.Errorf("sign of %v = %d, want %d", x, got, x.Sign())
		}
		if x.IsInt64() && newInt128(x) != a {
			t.Errorf("newInt128(%v) = %x, want %x", x, newInt128(x), a)
		}
		for _, y := range edges() {
			b := int128Big(y)
			for _, op := range []struct {
				name string
				got  int128
				want *big.Int
			}{
				{"+", a.add(b), new(big.Int).Add(x, y)},
				{"-", a.sub(b), new(big.Int).Sub(x, y)},
				{"*", a.mul(b), new(big.Int).Mul(x, y)},
			} {
				if op.got != int128Big(op.want) {
					t.Errorf("%v %s %v = %x, want %x", x, op.name, y, op.got, int128Big(op.want))
				}
			}
		}
	}
}

func TestInt128CompareProducts(t *testing.T) {
	check := func(x, y, z, w *big.Int) {
		t.Helper()
		got := int128Big(x).cmpMul(int128Big(y), int128Big(z), int128Big(w))
		want := new(big.Int).Mul(x, y).Cmp(new(big.Int).Mul(z, w))
		if got != want {
			t.Errorf("%v * %v compared with %v * %v = %d, want %d", x, y, z, w, got, want)
		}
	}
	xs := edges()
	for _, x := range xs {
		for _, y := range xs {
			check(x, y, y, x)
			check(x, y, xs[0], y)
		}
	}
	rng := rand.New(rand.NewPCG(6, 0))
	pick := func() *big.Int { return xs[rng.IntN(len(xs))] }
	for range 50_000 {
		check(pick(), pick(), pick(), pick())
	}
}

// measured is a bigInt that records the largest number of bits of all sums and products.
type measured struct {
	bigInt
	longest *int
}

func (x measured) note(y bigInt) measured {
	*x.longest = max(*x.longest, y.BitLen())
	return measured{y, x.longest}
}

func (x measured) add(y measured) measured { return x.note(x.bigInt.add(y.bigInt)) }
func (x measured) sub(y measured) measured { return x.note(x.bigInt.sub(y.bigInt)) }
func (x measured) mul(y measured) measured { return x.note(x.bigInt.mul(y.bigInt)) }

func (x measured) cmpMul(y, z, w measured) int {
	return x.bigInt.cmpMul(y.bigInt, z.bigInt, w.bigInt)
}

// TestFitBitsKeepsInt128FromOverflow relates capsules with the largest coordinates of the fast path. The
// intermediate results must have at most as many bits as the derivation of fitBits states.
func TestFitBitsKeepsInt128FromOverflow(t *testing.T) {
	const most = 1<<fitBits - 1
	longest := 0
	measure := func(x *big.Int) measured { return measured{newBigInt(x), &longest} }
	m := newMaker(3, 7)
	coordinate := func() int64 {
		return []int64{most, -most, most, -most, most, -most, 0, m.within(most)}[m.IntN(8)]
	}
	vector := func() [3]int64 { return [3]int64{coordinate(), coordinate(), coordinate()} }
	for range 30_000 {
		a := pill{vector(), vector(), max(coordinate(), 0)}.capsule3()
		b := pill{vector(), vector(), max(coordinate(), 0)}.capsule3()
		if !a.fits() || !b.fits() {
			t.Fatalf("%v or %v does not fit", a, b)
		}
		want := relate(convert(a, measure), convert(b, measure))
		if got := Relate3(a, b); got != want {
			t.Fatalf("Relate3(%v, %v) = %v, want %v", a, b, got, want)
		}
	}
	if longest > 125 {
		t.Errorf("%d bits needed, want at most 125 by derivation", longest)
	}
	if longest < 120 {
		t.Errorf("%d bits needed: these inputs do not come near the ends of int128", longest)
	}
}

// TestRelate3OneLongNumber checks capsules in which a single number is too long for the fast path.
func TestRelate3OneLongNumber(t *testing.T) {
	m := newMaker(3, 16)
	for range 100 {
		for i := range 7 {
			for _, bits := range []uint{fitBits, 40, 63, 64, 100} {
				a, b := m.pair()
				x, y := a.capsule3(), b.capsule3()
				long := []*big.Int{x.P[0], x.P[1], x.P[2], x.Q[0], x.Q[1], x.Q[2], x.R}[i]
				long.Lsh(big.NewInt(1), bits)
				if x.fits() {
					t.Errorf("%v fits", x)
				}
				want := relate(convert(x, newBigInt), convert(y, newBigInt))
				if got := Relate3(x, y); got != want {
					t.Errorf("Relate3(%v, %v) = %v, want %v", x, y, got, want)
				}
			}
		}
	}
}

// TestRelate3AtTheEndsOfTheFastPath checks capsules with coordinates at or beyond the limits of the fast path, of
// int64 and of int128. The results must be right even if a radius changes by one.
func TestRelate3AtTheEndsOfTheFastPath(t *testing.T) {
	m := newMaker(3, 8)
	for _, bits := range []uint{fitBits, fitBits + 1, 63, 64, 127, 128} {
		for range 200 {
			a, b := m.pair()
			for oracle(a, b) != Touching {
				a, b = m.pair()
			}
			x, y := a.capsule3(), b.capsule3()
			far := new(big.Int).Lsh(big.NewInt(1), bits)
			far.Add(far, big.NewInt(m.within(12)))
			move := func(_ int, c *big.Int) *big.Int { return new(big.Int).Sub(far, c) }
			keep := func(r *big.Int) *big.Int { return r }
			checkTouching(t, mapped(x, move, keep), mapped(y, move, keep))

			k := new(big.Int).Quo(far, big.NewInt(max(a.largest(), b.largest(), 1)))
			scale := func(r *big.Int) *big.Int { return new(big.Int).Mul(r, k) }
			blow := func(_ int, c *big.Int) *big.Int { return scale(c) }
			checkTouching(t, mapped(x, blow, scale), mapped(y, blow, scale))
		}
	}
}

// checkTouching checks that a and b touch, and that they are apart or overlap if the radius of b changes by one.
func checkTouching(t *testing.T, a, b Capsule3) {
	t.Helper()
	r := b.R
	for d, want := range map[int64]Relation{-1: Apart, 0: Touching, 1: Overlapping} {
		b.R = new(big.Int).Add(r, big.NewInt(d))
		if got := Relate3(a, b); got != want {
			t.Fatalf("Relate3(%v, %v) = %v, want %v", a, b, got, want)
		}
	}
}

func TestSegmentsIntersectAtTheEndsOfTheFastPath(t *testing.T) {
	m := newMaker(2, 9)
	for _, bits := range []uint{fitBits, fitBits + 1, 63, 64, 127, 128} {
		for range 200 {
			a, b := m.pair()
			x, y := a.capsule2(), b.capsule2()
			want := SegmentsIntersect(x.P, x.Q, y.P, y.Q)
			far := new(big.Int).Lsh(big.NewInt(1), bits)
			move := func(p [2]*big.Int) [2]*big.Int {
				return [2]*big.Int{new(big.Int).Sub(far, p[0]), new(big.Int).Sub(p[1], far)}
			}
			if got := SegmentsIntersect(move(x.P), move(x.Q), move(y.P), move(y.Q)); got != want {
				t.Fatalf("SegmentsIntersect(%v, %v) = %v, but %v at 2^%d", a, b, want, got, bits)
			}
		}
	}
}
