package fit

import (
	"math"
	"math/rand/v2"
	"testing"

	"pillbox/geom"
	"pillbox/internal/fixture/effort"
)

// random returns a vector with coordinates between -1 and 1.
func random(r *rand.Rand) geom.Vec3 {
	return geom.Vec3{X: 2*r.Float64() - 1, Y: 2*r.Float64() - 1, Z: 2*r.Float64() - 1}
}

// soup returns random triangles, near the origin or far from it. Some are scattered, and others are slivers, flat
// or tiny.
func soup(r *rand.Rand) (vertices []geom.Vec3, triangles [][3]int) {
	n := 1 + r.IntN(60)
	size := math.Pow(10, float64(r.IntN(9)-4))
	at := random(r).Scale(size * math.Pow(10, float64(r.IntN(4))))
	stretch := geom.Vec3{X: 1, Y: math.Pow(10, -float64(r.IntN(4))), Z: math.Pow(10, -float64(r.IntN(4)))}
	if r.IntN(6) == 0 {
		stretch.Z = 0
	}
	turn := geom.RotationXYZ(geom.Angle(r.IntN(360)), geom.Angle(r.IntN(360)), geom.Angle(r.IntN(360)))
	for range 3 * n {
		p := random(r)
		if r.IntN(2) == 0 {
			p = p.Unit()
		}
		p = geom.Vec3{X: p.X * stretch.X, Y: p.Y * stretch.Y, Z: p.Z * stretch.Z}
		vertices = append(vertices, turn.MulVec(p).Scale(size).Add(at))
	}
	for i := range n {
		triangles = append(triangles, [3]int{3 * i, 3*i + 1, 3*i + 2})
	}
	return vertices, triangles
}

// TestContainsMesh checks that the solids together contain every point of every triangle, are at most as many as
// allowed, and are of allowed kinds.
func TestContainsMesh(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range effort.Of(6, 30, 2000) {
		vertices, triangles := soup(r)
		opt := Options{Most: 1 + r.IntN(5)}
		for _, k := range Kinds() {
			if r.IntN(2) == 0 {
				opt.Kinds = append(opt.Kinds, k)
			}
		}
		f := Mesh(vertices, triangles, opt)
		if len(f.Solids) == 0 || len(f.Solids) > opt.Most {
			t.Fatalf("%d: %d solids, want at most %d", i, len(f.Solids), opt.Most)
		}
		for _, s := range f.Solids {
			if len(opt.Kinds) > 0 && !has(opt.Kinds, s.Kind) {
				t.Fatalf("%d: %v is none of %v", i, s.Kind, opt.Kinds)
			}
		}
		for _, tri := range triangles {
			a, b, c := vertices[tri[0]], vertices[tri[1]], vertices[tri[2]]
			for j := range 20 {
				p := [...]geom.Vec3{a, b, c}[j%3]
				if j > 2 {
					u, v := r.Float64(), r.Float64()
					if u+v > 1 {
						u, v = 1-u, 1-v
					}
					p = a.AddScaled(u, b.Sub(a)).AddScaled(v, c.Sub(a))
				}
				if !inside(f.Solids, p) {
					t.Fatalf("%d: %v is in none of %+v", i, p, f.Solids)
				}
			}
		}
	}
}

func has(kinds []Kind, k Kind) bool {
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}

// contains reports whether s contains the point p.
func (s *Solid) contains(p geom.Vec3) bool {
	switch s.Kind {
	case Sphere:
		return p.Sub(s.Center).Norm() <= s.Radius
	case Capsule:
		nearest, _ := geom.Segment{A: s.A, B: s.B}.Closest(p)
		return p.Sub(nearest).Norm() <= s.Radius
	case Cylinder:
		axis := s.B.Sub(s.A)
		length := axis.Norm()
		along := p.Sub(s.A).Dot(axis) / length
		across := p.Sub(s.A).AddScaled(-along/length, axis)
		return 0 <= along && along <= length && across.Norm() <= s.Radius
	default:
		q := s.Axes.TransposeMulVec(p.Sub(s.Center))
		return math.Abs(q.X) <= s.HalfExtents.X && math.Abs(q.Y) <= s.HalfExtents.Y && math.Abs(q.Z) <= s.HalfExtents.Z
	}
}

func inside(solids []Solid, p geom.Vec3) bool {
	for i := range solids {
		if solids[i].contains(p) {
			return true
		}
	}
	return false
}

// boxMesh returns the mesh of a box.
func boxMesh(center geom.Vec3, half geom.Vec3, axes geom.Mat3) (vertices []geom.Vec3, triangles [][3]int) {
	for i := range 8 {
		sign := func(bit int) float64 { return float64(i>>bit&1*2 - 1) }
		vertices = append(vertices, center.Add(axes.MulVec(geom.Vec3{X: sign(0) * half.X, Y: sign(1) * half.Y, Z: sign(2) * half.Z})))
	}
	for _, q := range [][4]int{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}} {
		triangles = append(triangles, [3]int{q[0], q[1], q[2]}, [3]int{q[0], q[2], q[3]})
	}
	return vertices, triangles
}

// lathe returns a mesh of revolution around the z axis, with each vertex moved by the function move. Each element
// of profile is a radius and a height.
func lathe(profile [][2]float64, sides int, move func(geom.Vec3) geom.Vec3) (vertices []geom.Vec3, triangles [][3]int) {
	for _, p := range profile {
		for i := range sides {
			sin, cos := geom.Angle(360 * float64(i) / float64(sides)).SinCos()
			vertices = append(vertices, move(geom.Vec3{X: p[0] * cos, Y: p[0] * sin, Z: p[1]}))
		}
	}
	for k := range len(profile) - 1 {
		for i := range sides {
			a, b := k*sides+i, k*sides+(i+1)%sides
			triangles = append(triangles, [3]int{a, b, b + sides}, [3]int{a, b + sides, a + sides})
		}
	}
	for i := 2; i < sides; i++ {
		last := (len(profile) - 1) * sides
		triangles = append(triangles, [3]int{0, i, i - 1}, [3]int{last, last + i - 1, last + i})
	}
	return vertices, triangles
}

// TestRecovers fits a solid to the mesh of a rotated solid. The result must be that solid, slightly larger.
func TestRecovers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range effort.Of(2, 4, 100) {
		turn := geom.RotationXYZ(geom.Angle(r.IntN(360)), geom.Angle(r.IntN(360)), geom.Angle(r.IntN(360)))
		at := random(r).Scale(3)
		move := func(p geom.Vec3) geom.Vec3 { return turn.MulVec(p).Add(at) }
		long := 1 + 4*r.Float64()

		half := geom.Vec3{X: 0.3 + r.Float64(), Y: 0.3 + r.Float64(), Z: long}
		vertices, triangles := boxMesh(at, half, turn)
		check(t, vertices, triangles, Box, 1.000001)

		const sides = 64
		vertices, triangles = lathe([][2]float64{{0.5, 0}, {0.5, long}}, sides, move)
		check(t, vertices, triangles, Cylinder, 1.004)

		var ball, pill [][2]float64
		for i := range 33 {
			sin, cos := geom.Angle(-90 + 180*float64(i)/32).SinCos()
			ball = append(ball, [2]float64{0.7 * cos, 0.7 * sin})
			up := 0.0
			if i > 16 {
				up = long
			}
			if i == 16 {
				pill = append(pill, [2]float64{0.7, 0})
				up = long
			}
			pill = append(pill, [2]float64{0.7 * cos, up + 0.7*sin})
		}
		vertices, triangles = lathe(ball, sides, move)
		check(t, vertices, triangles, Sphere, 1.01)
		vertices, triangles = lathe(pill, sides, move)
		check(t, vertices, triangles, Capsule, 1.01)
	}
}

func check(t *testing.T, vertices []geom.Vec3, triangles [][3]int, want Kind, most float64) {
	t.Helper()
	f := Mesh(vertices, triangles, Options{})
	ratio, ok := f.Ratio()
	if len(f.Solids) != 1 || f.Solids[0].Kind != want || !ok || !f.Closed || ratio > most {
		t.Errorf("%d solids, %v, %v times the mesh (closed: %v); want one %v, %v times", len(f.Solids), f.Solids[0].Kind, ratio, f.Closed, want, most)
	}
}

// TestSplits checks that an L of two boxes, and a dumbbell, are split into the solids of which they consist.
func TestSplits(t *testing.T) {
	a, ta := boxMesh(geom.Vec3{}, geom.Vec3{X: 3, Y: 0.5, Z: 0.5}, geom.Identity())
	b, tb := boxMesh(geom.Vec3{X: 2.5, Y: 2}, geom.Vec3{X: 0.5, Y: 1.5, Z: 0.5}, geom.Identity())
	vertices, triangles := join(a, ta, b, tb)
	one, two := Mesh(vertices, triangles, Options{}), Mesh(vertices, triangles, Options{Most: 2})
	if len(two.Solids) != 2 || two.Volume > 9.0001 || one.Volume < 1.5*two.Volume {
		t.Errorf("an L of volume 9 gives %v in one and %v in %d solids", one.Volume, two.Volume, len(two.Solids))
	}
	if more := Mesh(vertices, triangles, Options{Most: 9}); len(more.Solids) != 2 {
		t.Errorf("an L of two boxes gives %d solids, want 2", len(more.Solids))
	}
}

func join(a []geom.Vec3, ta [][3]int, b []geom.Vec3, tb [][3]int) ([]geom.Vec3, [][3]int) {
	n := len(a)
	a, ta = append([]geom.Vec3(nil), a...), append([][3]int(nil), ta...)
	for _, x := range tb {
		ta = append(ta, [3]int{x[0] + n, x[1] + n, x[2] + n})
	}
	return append(a, b...), ta
}

// TestSmallestBall checks that no ball with a center nearby is smaller and contains the points. (The exact
// condition would be that the center is a convex combination of the points on the surface: Kuhn and Tucker.)
func TestSmallestBall(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 300 {
		points := make([]geom.Vec3, 1+r.IntN(40))
		for i := range points {
			points[i] = random(r)
			if r.IntN(3) == 0 {
				points[i] = points[i].Unit()
			}
		}
		b := smallestBall(points)
		around := func(center geom.Vec3) (radius float64) {
			for _, p := range points {
				radius = max(radius, p.Sub(center).Norm())
			}
			return radius
		}
		if x := around(b.center); math.Abs(x-b.radius) > 1e-9 {
			t.Fatalf("radius %v around the points, want %v", b.radius, x)
		}
		for range 50 {
			if x := around(b.center.AddScaled(1e-3*r.Float64(), random(r))); x < b.radius-1e-9 {
				t.Fatalf("radius %v, and %v is enough", b.radius, x)
			}
		}
	}
}

// TestReference compares the volumes of meshes and hulls with known values.
func TestReference(t *testing.T) {
	v, tri := boxMesh(geom.Vec3{X: 5}, geom.Vec3{X: 1, Y: 2, Z: 3}, geom.RotationXYZ(10, 20, 30))
	if f := Mesh(v, tri, Options{}); math.Abs(f.Reference-48) > 1e-9 || !f.Closed {
		t.Errorf("a box of volume 48 has %v, closed: %v", f.Reference, f.Closed)
	}
	if f := Mesh(v, tri[1:], Options{}); math.Abs(f.Reference-48) > 1e-9 || f.Closed {
		t.Errorf("an open box whose hull has the volume 48 has %v, closed: %v", f.Reference, f.Closed)
	}
	f := Mesh(v[:3], [][3]int{{0, 1, 2}}, Options{})
	if _, ok := f.Ratio(); ok || len(f.Solids) != 1 {
		t.Errorf("a triangle: %+v", f)
	}
	if f := Mesh(nil, nil, Options{}); len(f.Solids) != 0 {
		t.Errorf("nothing: %+v", f)
	}
}
