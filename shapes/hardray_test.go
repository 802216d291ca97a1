package shapes_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"pillbox/geom"
	"pillbox/shapes"
	"pillbox/shapes/shapetest"
)

var updateHardRays = flag.Bool("update-hardrays", false, "choose the rays of shapetest/testdata/hardrays.txt anew")

const hardRayFile = "shapetest/testdata/hardrays.txt"

func TestHardRays(t *testing.T) {
	if *updateHardRays {
		writeHardRays(t)
		return // the embedded corpus is still the old one
	}
	list, err := shapetest.HardRays()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) < 300 {
		t.Fatalf("only %d rays", len(list))
	}
	open := 0
	for _, h := range list {
		if err := h.Check(roots(h.Shape, h.Ray)); err != nil {
			t.Error(err)
		}
		if h.Shrunk.IsEmpty() != h.Grown.IsEmpty() {
			open++
		}
	}
	if open < len(list)/20 || open > len(list)/2 {
		t.Errorf("%d of %d rays are within rounding of touching: the corpus has lost its point", open, len(list))
	}
}

// TestHardRaysAreExact computes the exact answers for the list of hard rays again, and compares them with those in
// the list.
func TestHardRaysAreExact(t *testing.T) {
	list, err := shapetest.HardRays()
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range list {
		if want := answered(h.Name, h.Shape, h.Ray); h.Format() != want.Format() {
			t.Errorf("the corpus has\n%s\nwant\n%s", h.Format(), want.Format())
		}
	}
}

// answered returns the ray r and the solid s as a hard ray with its exact answer.
func answered(name string, s shapes.Shape, r geom.Ray) shapetest.HardRay {
	l := newLine(r)
	slack := shapes.Slack * farthest(s, r.Origin)
	rounded := func(x *extent) shapetest.Extent {
		if x == nil {
			return shapetest.Extent{Near: math.NaN(), Far: math.NaN()}
		}
		return shapetest.Extent{Near: float(x.near), Far: float(x.far)}
	}
	return shapetest.HardRay{
		Name: name, Shape: s, Ray: r, Slack: slack,
		Exact:  rounded(exactExtent(s, l, 0)),
		Shrunk: rounded(exactExtent(s, l, -slack)),
		Grown:  rounded(exactExtent(s, l, slack)),
	}
}

func writeHardRays(t *testing.T) {
	var b strings.Builder
	b.WriteString("# Rays that are hard for their solids, and where their lines meet them, computed with 256 bits.\n" +
		"# name: solid: ray origin and direction: exact distances: those of the solid shrunk and grown by the slack: slack\n" +
		"# sphere center radius; capsule a b radius; cylinder a b radius; box center half-extents and the columns of its rotation\n")
	for _, c := range hardCases() {
		for i := range c.count {
			s, r := c.ray(rand.New(rand.NewPCG(uint64(i), 1)), i)
			h := answered(c.name, s, r)
			fmt.Fprintln(&b, h.Format())
		}
	}
	if err := os.WriteFile(hardRayFile, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

type hardCase struct {
	name  string
	count int
	ray   func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray)
}

// hardCases returns the kinds of hard rays. The index of a ray determines its special property. The rest of the ray
// is random.
func hardCases() []hardCase {
	unitBall := func(rng *rand.Rand) *shapes.Sphere {
		return &shapes.Sphere{Center: shapetest.Cube(rng, 1), Radius: 0.5 + rng.Float64()}
	}
	pill := func(rng *rand.Rand) (c *shapes.Capsule, axis geom.Vec3) {
		axis = shapetest.Direction(rng)
		a := shapetest.Cube(rng, 1)
		return &shapes.Capsule{A: a, B: a.AddScaled(1+3*rng.Float64(), axis), Radius: 0.2 + rng.Float64()}, axis
	}
	tin := func(rng *rand.Rand) (c *shapes.Cylinder, axis geom.Vec3) {
		p, axis := pill(rng)
		return &shapes.Cylinder{A: p.A, B: p.B, Radius: p.Radius}, axis
	}
	block := func(rng *rand.Rand) *shapes.Box {
		b := &shapes.Box{Center: shapetest.Cube(rng, 1), HalfExtents: geom.Vec3{X: 0.2 + rng.Float64(), Y: 0.2 + rng.Float64(), Z: 0.2 + rng.Float64()}}
		b.Rotation = shapetest.Rotation(rng)
		if rng.IntN(2) == 0 {
			b.Rotation = geom.Identity()
		}
		return b
	}
	// at returns the point of a box with the given coordinates, in units of its half extents.
	at := func(b *shapes.Box, x, y, z float64) geom.Vec3 {
		h := b.HalfExtents
		return b.Center.Add(b.Rotation.MulVec(geom.Vec3{X: h.X * x, Y: h.Y * y, Z: h.Z * z}))
	}
	from := func(target, dir geom.Vec3, dist float64) geom.Ray {
		return geom.Ray{Origin: target.AddScaled(-dist, dir), Dir: dir}
	}
	// ulps moves a number by a few units in the last place, -2 to 2.
	ulps := func(x float64, i int) float64 { return x * (1 + float64(i%5-2)*ulp) }

	return []hardCase{
		{"sphere touched to within 2 ulp", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			s, dir := unitBall(rng), shapetest.Direction(rng)
			return s, from(s.Center.AddScaled(ulps(s.Radius, i), across(rng, dir)), dir, 3*rng.Float64())
		}},
		{"sphere touched from far away", 24, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			s, dir := unitBall(rng), shapetest.Direction(rng)
			return s, from(s.Center.AddScaled(ulps(s.Radius, i), across(rng, dir)), dir, math.Pow(10, float64(1+i/3)))
		}},
		{"sphere left from its surface", 20, func(rng *rand.Rand, _ int) (shapes.Shape, geom.Ray) {
			s := unitBall(rng)
			return s, geom.Ray{Origin: s.Center.AddScaled(s.Radius, shapetest.Direction(rng)), Dir: shapetest.Direction(rng)}
		}},
		{"sphere from far away", 24, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			s := unitBall(rng)
			return s, from(s.Center.AddScaled(s.Radius, shapetest.Cube(rng, 1)), shapetest.Direction(rng), math.Pow(10, float64(1+i/3)))
		}},
		{"capsule at an angle to its axis", 48, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := pill(rng)
			dir := axis.AddScaled(math.Pow(10, -float64(1+i/3)), across(rng, axis)).Unit()
			target := c.A.AddScaled(rng.Float64(), c.B.Sub(c.A)).AddScaled(c.Radius*rng.Float64(), across(rng, axis))
			return c, from(target, dir, 10*rng.Float64())
		}},
		{"capsule along its surface", 48, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := pill(rng)
			dir := axis.AddScaled(math.Pow(10, -float64(1+i/3)), across(rng, axis)).Unit()
			target := c.A.AddScaled(rng.Float64(), c.B.Sub(c.A)).AddScaled(ulps(c.Radius, i), across(rng, axis))
			return c, from(target, dir, 10*rng.Float64())
		}},
		{"capsule touched at a seam", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := pill(rng)
			n := across(rng, axis)
			return c, from(c.A.AddScaled(ulps(c.Radius, i), n), across(rng, n), 3*rng.Float64())
		}},
		{"capsule through the rim of an end", 20, func(rng *rand.Rand, _ int) (shapes.Shape, geom.Ray) {
			c, axis := pill(rng)
			return c, from(c.B.AddScaled(c.Radius, across(rng, axis)), shapetest.Direction(rng), 5*rng.Float64())
		}},
		{"capsule whose axis is short", 22, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := pill(rng)
			c.B = c.A.AddScaled(math.Pow(10, -float64(i)), axis)
			dir := shapetest.Direction(rng)
			return c, from(ballTarget(rng, c.A, c.Radius, dir), dir, 4)
		}},
		{"capsule from far away", 24, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, _ := pill(rng)
			dir := shapetest.Direction(rng)
			return c, from(ballTarget(rng, c.A, c.Radius, dir), dir, math.Pow(10, float64(1+i/3)))
		}},
		{"box along a face", 40, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			b := block(rng)
			dir, _ := geom.Direction(b.Rotation.MulVec(geom.Vec3{X: 1, Y: rng.Float64()}))
			return b, from(at(b, rng.Float64(), rng.Float64(), ulps(1, i)), dir, 4)
		}},
		{"box along an edge", 24, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			b := block(rng)
			return b, from(at(b, 0, ulps(1, i), ulps(1, i/5)), b.Rotation.X, 4)
		}},
		{"box through an edge", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			b := block(rng)
			dir, _ := geom.Direction(b.Rotation.MulVec(geom.Vec3{X: 1, Y: -1, Z: rng.Float64() - 0.5}))
			return b, from(at(b, ulps(1, i), 1, rng.Float64()), dir, 3)
		}},
		{"box through a corner", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			b := block(rng)
			return b, from(at(b, 1, ulps(1, i), -1), shapetest.Direction(rng), 3)
		}},
		{"box through a corner from far away", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			b := block(rng)
			return b, from(at(b, 1, 1, -1), shapetest.Direction(rng), math.Pow(10, float64(1+i/3)))
		}},
		{"box left from a face", 20, func(rng *rand.Rand, _ int) (shapes.Shape, geom.Ray) {
			b := block(rng)
			return b, geom.Ray{Origin: at(b, 1, rng.Float64(), rng.Float64()), Dir: shapetest.Direction(rng)}
		}},
		{"solid tiny or huge", 60, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			k := math.Pow(10, float64(i/4-7))
			switch i % 3 {
			case 0:
				s, dir := unitBall(rng), shapetest.Direction(rng)
				s.Center, s.Radius = s.Center.Scale(k), s.Radius*k
				return s, from(ballTarget(rng, s.Center, s.Radius, dir), dir, 2)
			case 1:
				c, _ := pill(rng)
				c.A, c.B, c.Radius = c.A.Scale(k), c.B.Scale(k), c.Radius*k
				dir := shapetest.Direction(rng)
				return c, from(ballTarget(rng, c.B, c.Radius, dir), dir, 2)
			}
			b := block(rng)
			b.Center, b.HalfExtents = b.Center.Scale(k), b.HalfExtents.Scale(k)
			return b, from(at(b, 1, 1, rng.Float64()), shapetest.Direction(rng), 2)
		}},
		{"cylinder at an angle to its axis", 48, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			dir := axis.AddScaled(math.Pow(10, -float64(1+i/3)), across(rng, axis)).Unit()
			target := c.A.AddScaled(rng.Float64(), c.B.Sub(c.A)).AddScaled(c.Radius*rng.Float64(), across(rng, axis))
			return c, from(target, dir, 10*rng.Float64())
		}},
		{"cylinder along its side", 48, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			dir := axis.AddScaled(math.Pow(10, -float64(1+i/3)), across(rng, axis)).Unit()
			target := c.A.AddScaled(rng.Float64(), c.B.Sub(c.A)).AddScaled(ulps(c.Radius, i), across(rng, axis))
			return c, from(target, dir, 10*rng.Float64())
		}},
		{"cylinder in the plane of a disc", 40, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			dir := across(rng, axis).AddScaled(float64(i/5%3-1)*ulp, axis).Unit()
			target := c.A.AddScaled(float64(i%5-2)*ulp, axis).AddScaled(c.Radius*rng.Float64(), across(rng, axis))
			return c, from(target, dir, 4*rng.Float64())
		}},
		{"cylinder touched at a rim", 40, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			n := across(rng, axis)
			dir := across(rng, n.AddScaled(rng.Float64(), axis).Unit())
			return c, from(c.B.AddScaled(ulps(c.Radius, i), n), dir, 3*rng.Float64())
		}},
		{"cylinder through a rim", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			return c, from(c.B.AddScaled(ulps(c.Radius, i), across(rng, axis)), shapetest.Direction(rng), 5*rng.Float64())
		}},
		{"cylinder through a rim from far away", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			return c, from(c.A.AddScaled(c.Radius, across(rng, axis)), shapetest.Direction(rng), math.Pow(10, float64(1+i/3)))
		}},
		{"cylinder flat as a coin or thin as a wire", 40, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			k := math.Pow(10, -float64(i/4))
			if i%2 == 0 {
				c.B = c.A.AddScaled(k, axis)
			} else {
				c.Radius *= k
			}
			target := c.A.AddScaled(rng.Float64(), c.B.Sub(c.A)).AddScaled(c.Radius*rng.Float64(), across(rng, axis))
			return c, from(target, shapetest.Direction(rng), 3)
		}},
		{"cylinder tiny or huge", 30, func(rng *rand.Rand, i int) (shapes.Shape, geom.Ray) {
			c, axis := tin(rng)
			k := math.Pow(10, float64(i/2-7))
			c.A, c.B, c.Radius = c.A.Scale(k), c.B.Scale(k), c.Radius*k
			return c, from(c.B.AddScaled(c.Radius, across(rng, axis)), shapetest.Direction(rng), 2)
		}},
	}
}
