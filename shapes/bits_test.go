package shapes_test

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

// TestSameBitsOnEveryMachine compares a hash of this package's results with a constant, which must be the same on
// every architecture and with every GOAMD64. If it changes, golden pictures change.
func TestSameBitsOnEveryMachine(t *testing.T) {
	hash := fnv.New64a()
	write := func(values ...float64) {
		for _, x := range values {
			binary.Write(hash, binary.LittleEndian, math.Float64bits(x))
		}
	}
	rng := rand.New(rand.NewPCG(16, 0))
	hits := 0
	for range 3000 {
		m, _ := geom.RotationQuaternion(rng.Float64(), rng.Float64(), rng.Float64(), rng.Float64())
		origin, target, end := shapetest.Cube(rng, 1).Scale(4), shapetest.Cube(rng, 1), shapetest.Cube(rng, 1).Scale(2)
		dir, ok := geom.Direction(target.Sub(origin))
		if !ok {
			continue
		}
		for _, s := range []shapes.Shape{
			&shapes.Sphere{Center: shapetest.Cube(rng, 1), Radius: rng.Float64()},
			&shapes.Capsule{A: shapetest.Cube(rng, 1), B: shapetest.Cube(rng, 1), Radius: rng.Float64()},
			&shapes.Box{Center: shapetest.Cube(rng, 1), HalfExtents: vec(rng.Float64(), rng.Float64(), rng.Float64()), Rotation: m},
			&shapes.Cylinder{A: shapetest.Cube(rng, 1), B: shapetest.Cube(rng, 1), Radius: rng.Float64()},
		} {
			b := s.Bounds()
			write(b.Min.X, b.Min.Y, b.Min.Z, b.Max.X, b.Max.Y, b.Max.Z)
			if s.Touches(geom.Segment{A: origin, B: end}) {
				write(1)
			}
			span, ok := s.Span(geom.Ray{Origin: origin, Dir: dir})
			if !ok {
				continue
			}
			hits++
			for _, h := range []shapes.Hit{span.Near, span.Far} {
				write(h.T, h.Normal.X, h.Normal.Y, h.Normal.Z)
			}
		}
	}
	if hits < 2000 {
		t.Errorf("only %d hits: the test has lost its point", hits)
	}
	if got, want := hash.Sum64(), uint64(0xeaffa081f2081267); got != want {
		t.Errorf("hash of all results = %#x, want %#x", got, want)
	}
}
