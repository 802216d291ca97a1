package scene_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pillbox/exact"
	"pillbox/internal/fixture/effort"
	"pillbox/overlap"
	"pillbox/scene"
)

// TestOverlapsOfPlacedRow checks that the solids of every copy in a row are reported as touching if they touch
// exactly in decimals. With sums of floats, some pairs would be apart and others would overlap.
func TestOverlapsOfPlacedRow(t *testing.T) {
	for _, text := range []string{
		"[part.bead]\nsphere = [{ center = [0.3, 0, 0], radius = 0.05 }]\n[[place]]\npart = \"bead\"\ncount = 200\nstep = { position = [0.1, 0, 0] }\n",
		"[part.bead]\nsphere = [{ center = [3, 0, 0], radius = 0.5 }]\n[[place]]\npart = \"bead\"\nscale = 0.1\nrotate = [0, 0, 90]\ncount = 200\nstep = { position = [0, 0.1, 0] }\n",
		"[part.bead]\ncapsule = [{ a = [0, 0.1, 0], b = [0, 0.7, 0], radius = 0.05 }]\n[part.two]\nplace = [{ part = \"bead\", rotate = [90, 0, 90] }]\n[[place]]\npart = \"two\"\nposition = [0.1, 0.2, 0.3]\ncount = 200\nstep = { position = [0.1, 0, 0] }\n",
	} {
		s, err := scene.Decode("row.toml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		pairs := 0
		for o := range overlap.All(s) {
			if pairs++; o.Relation != exact.Touching || o.B != o.A+1 {
				t.Errorf("%d and %d: %v", o.A, o.B, o.Relation)
			}
		}
		if pairs != 199 {
			t.Errorf("%d pairs, want 199:\n%s", pairs, text)
		}
	}
}

// point is a point with fractions as coordinates. It is independent of the arithmetic of package scene.
type point [3]*big.Rat

func rational(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// put returns p scaled, rotated by quarter turns about x, y and z, and moved.
func (p point) put(scale string, quarters [3]int, position [3]string) point {
	for i := range p {
		p[i] = new(big.Rat).Mul(p[i], rational(scale))
	}
	for axis, n := range quarters {
		a, b := (axis+1)%3, (axis+2)%3
		for range n {
			p[a], p[b] = new(big.Rat).Neg(p[b]), p[a]
		}
	}
	for i := range p {
		p[i] = new(big.Rat).Add(p[i], rational(position[i]))
	}
	return p
}

func (p point) String() string {
	return fmt.Sprintf("[%s, %s, %s]", p[0].FloatString(30), p[1].FloatString(30), p[2].FloatString(30))
}

// TestOverlapsOfPlacementsAreExact compares the relations of solids in random nested placements, which rotate by
// quarter turns, with those of the same solids in a scene without placements. For that scene, the test computes
// coordinates as fractions and writes all digits.
func TestOverlapsOfPlacementsAreExact(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	tenths := func(n int) string { return fmt.Sprintf("%d.%d", rnd.IntN(n), 5*rnd.IntN(2)) }
	position := func() [3]string { return [3]string{tenths(3), "-" + tenths(2), tenths(3)} }
	quarters := func() [3]int { return [3]int{rnd.IntN(4), rnd.IntN(4), rnd.IntN(4)} }
	count := make(map[exact.Relation]int)
	for range effort.Of(30, 40, 40) {
		scales := []string{"1", "0.1", "0.3", "2", "0.7"}
		inner, outer := scales[rnd.IntN(5)], scales[rnd.IntN(5)]
		in, out, at, from, step := quarters(), quarters(), position(), position(), position()
		angle, copies := rnd.IntN(4), 1+rnd.IntN(4)
		degrees := func(q [3]int) string { return fmt.Sprintf("[%d, %d, %d]", 90*q[0], 90*q[1], 90*q[2]) }
		vector := func(p [3]string) string { return "[" + strings.Join(p[:], ", ") + "]" }

		var solids, flat strings.Builder
		for range 8 {
			a, b, radius := position(), position(), "0."+fmt.Sprint(1+rnd.IntN(9))
			fmt.Fprintf(&solids, "[[part.p.capsule]]\na = %s\nb = %s\nradius = %s\n", vector(a), vector(b), radius)
			r := new(big.Rat).Mul(rational(radius), new(big.Rat).Mul(rational(inner), rational(outer)))
			for i := range copies {
				place := func(p [3]string) point {
					x := point{rational(p[0]), rational(p[1]), rational(p[2])}.put(inner, in, at).put(outer, out, from)
					x = x.put("1", [3]int{0, angle * i, 0}, [3]string{"0", "0", "0"})
					for k := range x {
						x[k] = new(big.Rat).Add(x[k], new(big.Rat).Mul(rational(step[k]), big.NewRat(int64(i), 1)))
					}
					return x
				}
				fmt.Fprintf(&flat, "[[capsule]]\nname = \"%d.%d\"\na = %v\nb = %v\nradius = %s\n", i, strings.Count(solids.String(), "[[")-1, place(a), place(b), r.FloatString(30))
			}
		}
		text := fmt.Sprintf("%s[part.q]\nplace = [{ part = \"p\", scale = %s, rotate = %s, position = %s }]\n[[place]]\npart = \"q\"\nscale = %s\nrotate = %s\nposition = %s\ncount = %d\nstep = { position = %s, axis = [0, 2, 0], angle = %d }\n",
			&solids, inner, degrees(in), vector(at), outer, degrees(out), vector(from), copies, vector(step), 90*angle)
		placed, err := scene.Decode("placed.toml", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		written, err := scene.Decode("flat.toml", []byte(flat.String()), scene.WithAllDigits())
		if err != nil {
			t.Fatal(err)
		}
		number := func(name string) int {
			return slices.IndexFunc(written.Objects.List(), func(o scene.Object) bool { return o.Name == name })
		}
		for a := range placed.Objects.Len() {
			for b := range a {
				p, _ := placed.Decimal(a)
				q, _ := placed.Decimal(b)
				got := exact.RelateDecimal3(p, q)
				p, _ = written.Decimal(number(fmt.Sprintf("%d.%d", a/8, a%8)))
				q, _ = written.Decimal(number(fmt.Sprintf("%d.%d", b/8, b%8)))
				want := exact.RelateDecimal3(p, q)
				if count[want]++; got != want {
					t.Fatalf("capsules %d and %d are %v, want %v\n%s", a, b, got, want, text)
				}
			}
		}
	}
	if count[exact.Touching] < 10 || count[exact.Apart] == 0 || count[exact.Overlapping] == 0 {
		t.Errorf("only %v", count)
	}
}

// TestDecimalOfMovedCopy checks that a solid that Go code has moved has the decimals of its new position, and not
// those in its file.
func TestDecimalOfMovedCopy(t *testing.T) {
	s, err := scene.Decode("s.toml", []byte("[part.p]\nsphere = [{ center = [0.1, 0, 0], radius = 1 }]\n[[place]]\npart = \"p\"\nposition = [0.2, 0, 0]\n"))
	if err != nil {
		t.Fatal(err)
	}
	if d, _ := s.Decimal(0); d.P[0] != 0.3 || s.Spheres[0].Center.X == 0.3 {
		t.Errorf("0.1 + 0.2 is %v, and %v rounded", d.P[0], s.Spheres[0].Center.X)
	}
	s.Spheres[0].Center.X = 7
	if d, _ := s.Decimal(0); d.P[0] != 7 {
		t.Errorf("a sphere at 7 is at %v", d.P[0])
	}
}
