package geom_test

import (
	"math/rand/v2"
	"testing"

	"pillbox/geom"
)

// fourByTwo returns a packet of rays along -z, for a picture of 4 x 2 pixels that is 4 units wide at distance 1.
func fourByTwo() geom.Packet {
	return geom.Packet{
		Dir: geom.Vec3{Z: -1}, DX: geom.Vec3{X: 1}, DY: geom.Vec3{Y: 1},
		CenterX: 2, CenterY: 1, Density: 1, NX: 4, NY: 2,
	}
}

func TestPacketRayPerspective(t *testing.T) {
	p := fourByTwo()
	p.Origin = geom.Vec3{X: 7, Y: 8, Z: 9}
	for _, c := range []struct {
		i, j int
		dir  geom.Vec3 // of any length
	}{
		{0, 0, geom.Vec3{X: -1.5, Y: 0.5, Z: -1}}, // the top left
		{3, 0, geom.Vec3{X: 1.5, Y: 0.5, Z: -1}},
		{0, 1, geom.Vec3{X: -1.5, Y: -0.5, Z: -1}},
		{2, 1, geom.Vec3{X: 0.5, Y: -0.5, Z: -1}},
	} {
		if got, want := p.SampleRay(c.i, c.j), (geom.Ray{Origin: p.Origin, Dir: c.dir.Unit()}); got != want {
			t.Errorf("Ray(%d, %d) = %v, want %v", c.i, c.j, got, want)
		} else if dir := p.SampleDirection(c.i, c.j); dir != got.Dir {
			t.Errorf("Toward(%d, %d) = %v, want %v", c.i, c.j, dir, got.Dir)
		}
	}
}

func TestPacketRayParallel(t *testing.T) {
	p := fourByTwo()
	p.Parallel = true
	p.Origin = geom.Vec3{X: 7, Y: 8, Z: 9}
	for _, c := range []struct {
		i, j   int
		origin geom.Vec3
	}{
		{0, 0, geom.Vec3{X: 5.5, Y: 8.5, Z: 9}},
		{3, 1, geom.Vec3{X: 8.5, Y: 7.5, Z: 9}},
	} {
		if got, want := p.SampleRay(c.i, c.j), (geom.Ray{Origin: c.origin, Dir: p.Dir}); got != want {
			t.Errorf("Ray(%d, %d) = %v, want %v", c.i, c.j, got, want)
		} else if dir := p.SampleDirection(c.i, c.j); dir != got.Dir {
			t.Errorf("Toward(%d, %d) = %v, want %v", c.i, c.j, dir, got.Dir)
		}
	}
}

// TestPacketRayDensity checks that the samples of a packet with density 2 lie at the centers of a pixel's quarters.
func TestPacketRayDensity(t *testing.T) {
	p := fourByTwo()
	p.Parallel, p.Density, p.NX, p.NY = true, 2, 8, 4
	for _, c := range []struct {
		i, j   int
		origin geom.Vec3
	}{
		{0, 0, geom.Vec3{X: -1.75, Y: 0.75}}, {1, 1, geom.Vec3{X: -1.25, Y: 0.25}}, {7, 3, geom.Vec3{X: 1.75, Y: -0.75}},
	} {
		if got := p.SampleRay(c.i, c.j).Origin; got != c.origin {
			t.Errorf("Ray(%d, %d) starts at %v, want %v", c.i, c.j, got, c.origin)
		}
	}
	if got, want := p.Len(), 32; got != want {
		t.Errorf("Len = %d, want %d", got, want)
	}
}

// TestPacketRayDoesNotDependOnStart cuts random packets into pieces. The ray of a sample must have the same bits in
// each piece.
func TestPacketRayDoesNotDependOnStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 0))
	for range 2000 {
		m := geom.RotationXYZ(randomAngle(rng), randomAngle(rng), randomAngle(rng))
		pixel := logUniform(rng, -4, 0)
		whole := geom.Packet{
			Parallel: rng.IntN(2) == 0,
			Origin:   cube(rng).Scale(logUniform(rng, -9, 9)),
			Dir:      m.Z.Neg(), DX: m.X.Scale(pixel), DY: m.Y.Scale(pixel),
			CenterX: float64(1+rng.IntN(4000)) / 2, CenterY: float64(1+rng.IntN(4000)) / 2,
			Density: float64(1 + rng.IntN(16)),
			X0:      rng.IntN(100) - 50, Y0: rng.IntN(100) - 50, NX: 4000, NY: 4000,
		}
		piece := whole
		di, dj := rng.IntN(3000), rng.IntN(3000)
		piece.X0, piece.Y0, piece.NX, piece.NY = whole.X0+di, whole.Y0+dj, 1+rng.IntN(64), 1+rng.IntN(64)
		i, j := rng.IntN(piece.NX), rng.IntN(piece.NY)
		got, want := piece.SampleRay(i, j), whole.SampleRay(di+i, dj+j)
		if got != want {
			t.Errorf("ray %d, %d of a piece = %v, of the whole %v", i, j, got, want)
		}
		checkUnit(t, "Ray.Dir", got.Dir, 2*ulp)
	}
}
