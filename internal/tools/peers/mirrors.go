package peers

import (
	"math"
	"math/rand/v2"

	"pillbox/geom"
)

// mirrorScene returns a maker for a scene of mirrors in the cube from -10 to 10 on each axis, and a random generator.
func mirrorScene(generator uint64) (*maker, random) {
	m := &maker{Scene: Scene{Scene: cubeScene()}}
	m.Shading.Bounces = 4
	return m, random{rand.New(rand.NewPCG(1, generator))}
}

// Lattice returns a cubic lattice of about n mirrors in a cube of edge 20: side^3 spheres, and capsules between
// neighboring spheres.
func Lattice(n int) *Scene {
	m, r := mirrorScene(1)
	side := max(2, int(math.Round(math.Cbrt(float64(n)/4))))
	step := 2 * cube / float64(side-1)
	at := func(i, j, k int) geom.Vec3 {
		return geom.Vec3{X: float64(i)*step - cube, Y: float64(j)*step - cube, Z: float64(k)*step - cube}
	}
	knot, bar := look{color: r.color(), mirror: 0.6}, look{color: r.color(), mirror: 0.4}
	for i := range side {
		for j := range side {
			for k := range side {
				m.sphere(at(i, j, k), 0.2*step, knot)
				if i+1 < side {
					m.capsule(at(i, j, k), at(i+1, j, k), 0.08*step, bar)
				}
				if j+1 < side {
					m.capsule(at(i, j, k), at(i, j+1, k), 0.08*step, bar)
				}
				if k+1 < side {
					m.capsule(at(i, j, k), at(i, j, k+1), 0.08*step, bar)
				}
			}
		}
	}
	m.Camera.Position = geom.Vec3{X: 17, Y: 13, Z: 27}
	return m.finish(step * 1e-3)
}

// Rings returns about n mirrors in a cube of edge 20: rings with random positions and orientations. Each ring
// consists of twelve capsules and the spheres at their joints.
func Rings(n int) *Scene {
	m, r := mirrorScene(2)
	const links = 12
	rings := max(1, n/(2*links))
	size := 0.5 * cube / math.Cbrt(float64(rings))
	for range rings {
		c, pole := r.vec(-cube, cube), r.direction()
		u := across(pole)
		v := pole.Cross(u)
		at := func(k int) geom.Vec3 {
			return c.AddScaled(size, around(u, v, float64(k%links)/links))
		}
		// There are few colors, because each color needs a material of its own.
		l := look{color: [3]uint8{uint8(255 - 32*r.IntN(4)), uint8(255 - 32*r.IntN(4)), uint8(255 - 32*r.IntN(4))}, mirror: 0.5}
		for k := range links {
			m.sphere(at(k), 0.16*size, l)
			m.capsule(at(k), at(k+1), 0.08*size, l)
		}
	}
	return m.finish(size * 1e-3)
}

// Molecules returns about n solids in a cube of edge 20, none of them a mirror: ball-and-stick models of chains of
// atoms. Each chain is a random walk of bonds with angles of about 110 degrees.
func Molecules(n int) *Scene {
	m, r := mirrorScene(3)
	const atoms = 200
	elements := []struct {
		color  [3]uint8
		radius float64
	}{{[3]uint8{90, 90, 90}, 0.3}, {[3]uint8{240, 240, 240}, 0.2}, {[3]uint8{220, 40, 40}, 0.28}, {[3]uint8{50, 70, 220}, 0.29}}
	bond := 1.4 * cube / math.Cbrt(float64(n))
	stick := look{color: [3]uint8{160, 160, 160}}
	for range max(1, n/(2*atoms)) {
		p, way := r.vec(-cube, cube), r.direction()
		for range atoms {
			e := elements[r.IntN(len(elements))]
			m.sphere(p, e.radius*bond, look{color: e.color})
			// Each bond turns by 70 degrees from the previous one. At the faces of the cube it turns back.
			side := way.Cross(r.direction()).Unit()
			way = way.Scale(math.Cos(70*math.Pi/180)).AddScaled(math.Sin(70*math.Pi/180), side).Unit()
			for axis, v := range []*float64{&way.X, &way.Y, &way.Z} {
				if at := [3]float64{p.X, p.Y, p.Z}[axis]; math.Abs(at) > cube {
					*v = math.Copysign(*v, -at)
				}
			}
			q := p.AddScaled(bond, way)
			m.capsule(p, q, 0.08*bond, stick)
			p = q
		}
	}
	return m.finish(bond * 1e-3)
}
