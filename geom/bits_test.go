package geom_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
)

// area returns the surface area of b, which must not be empty.
func area(b geom.Bounds) float64 {
	s := b.Size()
	return 2 * (float64(s.X*s.Y) + float64(s.Y*s.Z) + float64(s.Z*s.X))
}

// TestSameBitsOnEveryMachine compares a hash of this package's results with a constant, which must be the same on
// every architecture and with every GOAMD64. If it changes, golden pictures change.
func TestSameBitsOnEveryMachine(t *testing.T) {
	hash := fnv.New64a()
	write := func(values ...float64) {
		for _, x := range values {
			binary.Write(hash, binary.LittleEndian, math.Float64bits(x))
		}
	}
	writeVec := func(vs ...geom.Vec3) {
		for _, v := range vs {
			write(v.X, v.Y, v.Z)
		}
	}
	rng := rand.New(rand.NewPCG(15, 0))
	for range 2000 {
		a, b, c := geom.Angle(720*rng.Float64()), geom.Angle(360*rng.Float64()), geom.Angle(rng.Float64())
		write(a.SinCos())
		write(b.Tan())
		m := geom.RotationXYZ(a, b, c)
		n, _ := geom.RotationAxis(cube(rng), b)
		q, _ := geom.RotationQuaternion(rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64())
		for _, r := range []geom.Mat3{m, n, q, m.Mul(n)} {
			writeVec(r.X, r.Y, r.Z, r.MulVec(cube(rng)), r.TransposeMulVec(cube(rng)))
			write(r.OrthonormalError())
		}
		s, o := geom.Segment{A: cube(rng), B: cube(rng)}, geom.Segment{A: cube(rng), B: cube(rng)}
		p, u := s.Closest(o.A)
		writeVec(p, s.A.Cross(s.B), s.A.Unit(), geom.Ray{Origin: s.A, Dir: s.B}.At(u))
		write(u, s.Dist2(o), s.Length(), area(geom.EmptyBounds().Include(s.A).Include(s.B)))
		packet := geom.Packet{
			Parallel: rng.IntN(2) == 0, Origin: cube(rng), Dir: m.Z, DX: m.X, DY: m.Y,
			CenterX: 7.5, CenterY: 5, Density: 3, NX: 45, NY: 30,
		}
		r := packet.SampleRay(rng.IntN(45), rng.IntN(30))
		writeVec(r.Origin, r.Dir)
	}
	if got, want := hash.Sum64(), uint64(0x36ccf58ccfaaa2ff); got != want {
		t.Errorf("hash of all results = %#x, want %#x", got, want)
	}
}
