package peers

import (
	"math"
	"math/rand/v2"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// cube is half the edge of the cube that contains the centers of all solids.
const cube = 10

// Random returns a scene of n solids: a third each of spheres, capsules and boxes, with random positions, sizes,
// rotations and colors in a cube of edge 20. It has 1920 x 1080 pixels, is seen from z = 32, and has shadows. Sizes are
// proportional to 1/cbrt(n), so that the cube looks equally full for every n. The scene depends only on seed and n.
func Random(seed uint64, n int) *Scene {
	m := maker{Scene: Scene{Scene: cubeScene()}}
	r := random{rand.New(rand.NewPCG(seed, 0))}
	size := 0.45 * cube / math.Cbrt(float64(n))
	for i := range n {
		c := r.vec(-cube, cube)
		switch i % 3 {
		case 0:
			m.sphere(c, r.uniform(0.5, 1)*size, look{})
		case 1:
			half := r.halfAxis(size)
			m.capsule(c.Sub(half), c.Add(half), r.uniform(0.25, 0.5)*size, look{})
		case 2:
			turn := r.turn()
			m.box(c, r.vec(0.3, 0.9).Scale(size), turn, look{})
		}
	}
	for _, kind := range [][]look{m.spheres, m.capsules, m.boxes} {
		for i := range kind {
			kind[i].color = r.color()
		}
	}
	return m.finish(1e-3)
}

// Capsules returns a scene like the scenes of [Random], in which all n solids are capsules.
func Capsules(seed uint64, n int) *Scene { return rods(seed, n, (*maker).capsule) }

// Cylinders returns the scene of [Capsules] with each capsule replaced by a cylinder with the same axis, radius and color.
func Cylinders(seed uint64, n int) *Scene { return rods(seed, n, (*maker).cylinder) }

// rods returns a scene of n random capsules or cylinders. Each call of the function add adds one solid.
func rods(seed uint64, n int, add func(m *maker, a, b geom.Vec3, radius float64, l look)) *Scene {
	m := maker{Scene: Scene{Scene: cubeScene()}}
	r := random{rand.New(rand.NewPCG(seed, 0))}
	size := 0.45 * cube / math.Cbrt(float64(n))
	for range n {
		c := r.vec(-cube, cube)
		half := r.halfAxis(size)
		add(&m, c.Sub(half), c.Add(half), r.uniform(0.25, 0.5)*size, look{color: r.color()})
	}
	return m.finish(1e-3)
}

// cubeScene returns a scene without solids, whose camera looks at the cube that will contain them.
func cubeScene() scene.Scene {
	sky := shade.Color{R: 0.5, G: 0.7, B: 1}
	return scene.Scene{
		Image:   scene.Image{Width: 1920, Height: 1080, Antialias: 1, Background: scene.Background{Gradient: shade.Even(sky)}},
		Camera:  &camera.Camera{Position: geom.Vec3{Z: 32}, Up: camera.DefaultUp(), FOV: camera.DefaultFOV, ViewHeight: camera.DefaultViewHeight},
		Shading: scene.Shading{Ambient: shade.Even(shade.Gray(0.1)), Shadows: true},
		Lights:  []scene.Light{light(30, 40, 50, 0.9)},
	}
}

type random struct{ *rand.Rand }

func (r random) uniform(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }

func (r random) vec(lo, hi float64) geom.Vec3 {
	return geom.Vec3{X: r.uniform(lo, hi), Y: r.uniform(lo, hi), Z: r.uniform(lo, hi)}
}

// direction returns a unit vector, uniformly distributed.
func (r random) direction() geom.Vec3 {
	for {
		if v := r.vec(-1, 1); v.Norm2() > 0.01 && v.Norm2() < 1 {
			return v.Unit()
		}
	}
}

// halfAxis returns half the axis of a random capsule or cylinder in a scene with solids of the given size.
func (r random) halfAxis(size float64) geom.Vec3 {
	return r.direction().Scale(r.uniform(0.5, 1.5) * size)
}

// turn returns a unit quaternion, uniformly distributed over all rotations.
func (r random) turn() [4]float64 {
	for {
		var q [4]float64
		norm2 := 0.0
		for i := range q {
			q[i] = r.uniform(-1, 1)
			norm2 += q[i] * q[i]
		}
		if norm2 > 0.01 && norm2 < 1 {
			for i := range q {
				q[i] /= math.Sqrt(norm2)
			}
			return q
		}
	}
}

func (r random) color() [3]uint8 {
	v := r.vec(0.2, 1)
	return [3]uint8{shade.EncodeSRGB8(v.X), shade.EncodeSRGB8(v.Y), shade.EncodeSRGB8(v.Z)}
}
