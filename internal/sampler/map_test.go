package sampler

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
)

// TestDiscPreservesAreas checks that the map from the square to the disc scales all areas by pi. It estimates the
// Jacobian determinant from differences.
func TestDiscPreservesAreas(t *testing.T) {
	const h = 1e-6
	rng := rand.New(rand.NewPCG(1, 1))
	for range 20_000 {
		u, v := h+(1-2*h)*rng.Float64(), h+(1-2*h)*rng.Float64()
		if math.Abs(math.Abs(u-0.5)-math.Abs(v-0.5)) < 2*h {
			continue // the map has a kink at the diagonals
		}
		x0, y0 := Disc(u-h, v)
		x1, y1 := Disc(u+h, v)
		x2, y2 := Disc(u, v-h)
		x3, y3 := Disc(u, v+h)
		got := ((x1-x0)*(y3-y2) - (x3-x2)*(y1-y0)) / (4 * h * h)
		if math.Abs(got-math.Pi) > 1e-7 {
			t.Fatalf("at (%v, %v) areas are scaled by %v, want pi", u, v, got)
		}
	}
}

// TestDisc checks the map from the square to the disc. The center is mapped to the center, opposite points to
// opposite points, and concentric squares to circles, up to rounding.
func TestDisc(t *testing.T) {
	if x, y := Disc(0.5, 0.5); x != 0 || y != 0 {
		t.Errorf("Disc(0.5, 0.5) = %v, %v, want 0, 0", x, y)
	}
	rng := rand.New(rand.NewPCG(2, 1))
	for range 20_000 {
		u, v := fraction(rng.Uint32()), fraction(rng.Uint32())
		x, y := Disc(u, v)
		r := 2 * max(math.Abs(u-0.5), math.Abs(v-0.5))
		if got := math.Hypot(x, y); math.Abs(got-r) > 4e-16*r || !(got < 1) {
			t.Fatalf("Disc(%v, %v) is %v from the center, want %v", u, v, got, r)
		}
		if x1, y1 := Disc(1-u, 1-v); x1 != -x || y1 != -y {
			t.Fatalf("Disc(%v, %v) = %v, %v is not opposite to %v, %v", 1-u, 1-v, x1, y1, x, y)
		}
		a, b := 2*u-1, 2*v-1
		angle := math.Pi / 4 * b / a
		if math.Abs(b) > math.Abs(a) {
			angle = math.Pi/2 - math.Pi/4*a/b
			a = b
		}
		if math.Abs(x-a*math.Cos(angle)) > 4e-16 || math.Abs(y-a*math.Sin(angle)) > 4e-16 {
			t.Fatalf("Disc(%v, %v) = %v, %v, want %v, %v", u, v, x, y, a*math.Cos(angle), a*math.Sin(angle))
		}
	}
	for _, corner := range [][2]float64{{0x1p-33, 0x1p-33}, {1 - 0x1p-33, 0x1p-33}, {0x1p-33, 1 - 0x1p-33}, {1 - 0x1p-33, 1 - 0x1p-33}} {
		if x, y := Disc(corner[0], corner[1]); !(x*x+y*y < 1) {
			t.Errorf("Disc%v = %v, %v, which is not less than 1 from the center", corner, x, y)
		}
	}
}

// TestCap checks that directions in a cap have unit length and are uniform in solid angle. According to Archimedes,
// z is then uniform.
func TestCap(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	s := New(1024, 1)
	for i := range 60 {
		oneMinusCos := 2 * math.Pow(rng.Float64(), 8)
		set := s.Set(Position{X: i}, Light(0), 0)
		var rings [8]int
		var sum geom.Vec3
		for k := range s.Points() {
			u, v := set.Point(k)
			d := Cap(u, v, oneMinusCos)
			if math.Abs(d.Norm2()-1) > 1e-15 {
				t.Fatalf("Cap(%v, %v, %v) = %v has length %v", u, v, oneMinusCos, d, d.Norm())
			}
			depth := (1 - d.Z) / oneMinusCos
			if !(depth < 1+1e-15/oneMinusCos) {
				t.Fatalf("Cap(%v, %v, %v) = %v is outside the cap", u, v, oneMinusCos, d)
			}
			rings[min(7, int(8*depth))]++
			sum = sum.Add(geom.Vec3{X: d.X, Y: d.Y, Z: 1 - d.Z})
		}
		for k, n := range rings {
			if math.Abs(float64(n)-128) > 20 && oneMinusCos > 1e-12 {
				t.Errorf("ring %d of a cap with 1 - cos = %v has %d of 1024 points, want 128", k, oneMinusCos, n)
			}
		}
		width := math.Sqrt(oneMinusCos)
		if m := sum.Div(1024); math.Abs(m.X) > 0.01*width || math.Abs(m.Y) > 0.01*width || math.Abs(m.Z-oneMinusCos/2) > 0.01*oneMinusCos+1e-16 {
			t.Errorf("the mean of x, y and 1 - z in a cap with 1 - cos = %v is %v", oneMinusCos, m)
		}
	}
}

// TestHemisphere checks that directions have unit length and point up, and that their density is proportional to
// the cosine: the mean of z^n must be 2/(n+2).
func TestHemisphere(t *testing.T) {
	s := New(4096, 1)
	set := s.Set(Position{}, Occlusion, 0)
	var sum geom.Vec3
	var squares float64
	for k := range s.Points() {
		d := Hemisphere(set.Point(k))
		if math.Abs(d.Norm2()-1) > 1e-15 || !(d.Z > 0) {
			t.Fatalf("point %d is %v, want a unit vector that points up", k, d)
		}
		sum, squares = sum.Add(d), squares+d.Z*d.Z
	}
	if m := sum.Div(4096); math.Abs(m.X) > 1e-3 || math.Abs(m.Y) > 1e-3 || math.Abs(m.Z-2.0/3) > 1e-3 {
		t.Errorf("the mean direction is %v, want (0, 0, 2/3)", m)
	}
	if m := squares / 4096; math.Abs(m-0.5) > 1e-3 {
		t.Errorf("the mean of z^2 is %v, want 1/2", m)
	}
	for _, u := range []float64{0x1p-33, 0.5, 1 - 0x1p-33} {
		for _, v := range []float64{0x1p-33, 0.5, 1 - 0x1p-33} {
			if d := Hemisphere(u, v); !(d.Z > 0) {
				t.Errorf("Hemisphere(%v, %v) = %v does not point up", u, v, d)
			}
		}
	}
}

// TestFrame checks that Frame returns a right-handed rotation whose z axis has the bits of the given axis.
func TestFrame(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	axes := []geom.Vec3{{X: 1}, {X: -1}, {Y: 1}, {Y: -1}, {Z: 1}, {Z: -1}, {X: 1, Z: math.Copysign(0, -1)}}
	for range 20_000 {
		axes = append(axes, geom.Vec3{X: rng.NormFloat64(), Y: rng.NormFloat64(), Z: rng.NormFloat64() * math.Pow(2, -60*rng.Float64())}.Unit())
		axes = append(axes, geom.Vec3{X: 1e-9 * rng.NormFloat64(), Y: 1e-9 * rng.NormFloat64(), Z: float64(rng.IntN(2)*2 - 1)}.Unit())
	}
	for _, axis := range axes {
		f := Frame(axis)
		if f.Z != axis {
			t.Fatalf("the z axis of Frame(%v) is %v", axis, f.Z)
		}
		if e := f.OrthonormalError(); !(e < 2e-15) {
			t.Fatalf("Frame(%v) = %v is not orthonormal: %g", axis, f, e)
		}
		if !(f.X.Cross(f.Y).Dot(f.Z) > 0.9) {
			t.Fatalf("Frame(%v) = %v is left-handed", axis, f)
		}
	}
}
