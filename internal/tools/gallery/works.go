package main

import (
	"fmt"

	"pillbox/geom"
)

// head writes the comment, the picture's size and antialiasing, and the rest of the scene's settings.
func (f *files) head(comment, rest string) {
	f.put("# %s\n\n[image]\nwidth = 400\nheight = 266\nantialias = 2\n%s", comment, rest)
}

// solid writes the table of a solid.
func (f *files) solid(kind, format string, args ...any) {
	f.put("\n[[%s]]\n%s\n", kind, fmt.Sprintf(format, args...))
}

// tomlPoint formats a point.
func tomlPoint(v geom.Vec3) string { return fmt.Sprintf("[%.5g, %.5g, %.5g]", v.X, v.Y, v.Z) }

// around returns the point at a distance from the y axis, at an angle and a height.
func around(radius float64, angle geom.Angle, y float64) geom.Vec3 {
	sin, cos := angle.SinCos()
	return geom.Vec3{X: radius * cos, Y: y, Z: radius * sin}
}

// molecule writes a double helix like that of DNA: two strands of balls, joined by pairs of rods in four colors.
func molecule(f *files, pairs int) {
	f.head("A double helix. Written by 'go run ./internal/tools/gallery molecule'.", `background = { top = "#20304a", bottom = "#6f8399" }

[camera]
position = [0, 0, 17]
look_at = [0, 0, 0]
fov = 26

[shading]
ambient = { top = "#c3d2e6", bottom = "#6f6258" }
samples = 16
occlusion = { distance = 2.5 }

[[light]]
position = [-9, 9, 12]
radius = 2.5
color = "#fff0dc"
intensity = 0.75

[material.a]
color = "#e9dfcb"
[material.b]
color = "#d98c5f"
mirror = 0.04

[[place]]
part = "helix"
rotate = [0, 25, -66]
`)
	const rise, turn, groove = 0.42, 34.3, 150.0
	bases := [4]string{"#d1495b", "#edae49", "#3f8f82", "#3d6b9e"}
	var last [2]geom.Vec3
	for i := range pairs {
		y := (float64(i) - float64(pairs-1)/2) * rise
		angle := geom.Angle(turn * float64(i))
		ends := [2]geom.Vec3{around(1.25, angle, y), around(1.25, angle+groove, y)}
		kind := int(4 * hash(i))
		middle := ends[0].Add(ends[1]).Scale(0.5)
		for k, p := range ends {
			material := [2]string{"a", "b"}[k]
			f.solid("part.helix.sphere", "center = %s\nradius = 0.36\nmaterial = %q", tomlPoint(p), material)
			f.solid("part.helix.capsule", "a = %s\nb = %s\nradius = 0.13\ncolor = %q", tomlPoint(p), tomlPoint(middle), bases[(kind+2*k)%4])
			if i > 0 {
				f.solid("part.helix.capsule", "a = %s\nb = %s\nradius = 0.2\nmaterial = %q", tomlPoint(last[k]), tomlPoint(p), material)
			}
		}
		last = ends
	}
}

// vesicle writes a ball of lipids, such as carries drugs through the blood, and a section that travels into it. Two layers of
// heads point outward and inward, with two tails each between them. Inside is a chain of beads. The layers are spirals of
// evenly spaced points, with n points on the outer one.
func vesicle(f *files, n int) {
	f.head("A vesicle, and a section that travels through it. Written by 'go run ./internal/tools/gallery vesicle'.", `background = { top = "#14212e", bottom = "#47606f" }

[camera]
position = [7, 6, 20]
look_at = [0, 0, 0]
fov = 25

[shading]
ambient = { top = "#c3d2e6", bottom = "#6f6258" }
samples = 4
occlusion = { distance = 1.2 }

[[light]]
position = [-9, 12, 14]
radius = 2
color = "#fff0dc"
intensity = 0.75

[animation]
duration = 4
fps = 5

[[section]]
name = "knife"
point = [0, 0, 0]
normal = [0.3, 0.2, 1]
except = "cargo"

[[animate]]
target = "knife.point"
times = [0, 2, 4]
values = [[0, 0, 4.8], [0, 0, 0], [0, 0, 4.8]]

[material.head]
color = "#d1495b"
[material.tail]
color = "#edd9a3"
[material.cargo]
color = "#3f8f82"
`)
	const outer, head, tail = 4.0, 0.27, 0.72
	const inner = outer - 2*tail - 2*head
	for _, layer := range [...]struct {
		radius, inward float64 // of the heads; the direction from a head to its tails
		n              int
	}{{outer, 1, n}, {inner, -1, max(1, n*2/5)}} {
		for i := range layer.n {
			y := 1 - (2*float64(i)+1)/float64(layer.n)
			turn := geom.Angle(remainder(137.50776405*float64(i), 360))
			out := around(squareRoot(1-float64(y*y)), turn, y)
			p := out.Scale(layer.radius)
			f.solid("sphere", "center = %s\nradius = %.3g\nmaterial = \"head\"", tomlPoint(p), head)
			aside := geom.Vec3{X: -out.Z, Z: out.X}.Scale(0.1)
			for _, side := range [...]float64{-1, 1} {
				from := p.AddScaled(side, aside)
				f.solid("capsule", "a = %s\nb = %s\nradius = 0.075\nmaterial = \"tail\"", tomlPoint(from), tomlPoint(from.AddScaled(-layer.inward*(tail+0.15), out)))
			}
		}
	}
	last := geom.Vec3{}
	for i := range 60 {
		s := float64(i) / 59
		p := around(0.45+0.75*sine(geom.Angle(180*s)), geom.Angle(remainder(360*5*s, 360)), 1.4*(2*s-1))
		if i > 0 {
			f.solid("capsule", "a = %s\nb = %s\nradius = 0.14\nmaterial = \"cargo\"", tomlPoint(last), tomlPoint(p))
		}
		last = p
	}
}

// robot writes an arm with three joints, a wrist and two fingers that reaches for a cube.
func robot(f *files, _ int) {
	f.head("A robot arm. Written by 'go run ./internal/tools/gallery robot'.", `background = { top = "#8fa3b5", bottom = "#e6e2d8" }

[camera]
position = [4.6, 3.1, 6.6]
look_at = [0.85, 1.42, 0]
fov = 36

[shading]
ambient = { top = "#c9d4e0", bottom = "#8a7f74" }
samples = 16
occlusion = { distance = 1.5 }

[[light]]
position = [-3, 7, 5]
radius = 1.2
color = "#fff3e2"
intensity = 0.7

[material.shell]
color = "#e8762c"
mirror = 0.05
[material.joint]
color = "#3a4149"
mirror = 0.12
[material.steel]
color = "#c8ced4"
mirror = 0.35

[[box]]
name = "floor"
center = [0, -0.1, 0]
half_extents = [9, 0.1, 9]
color = "#cfcac0"
`)
	arm(f, false)
}

// robotHull writes the robot of the function robot without its floor and cubes, inside the ghost of a collision model: a
// capsule around each link.
func robotHull(f *files, _ int) {
	f.head("A robot arm and its collision model. Written by 'go run ./internal/tools/gallery robot-hull'.", `background = { top = "#dfe6ec", bottom = "#f6f4ef" }

[camera]
position = [5.2, 2.6, 6]
look_at = [0.85, 1.45, 0]
fov = 36

[shading]
ambient = { top = "#c9d4e0", bottom = "#8a7f74" }

[[light]]
position = [-3, 7, 5]
color = "#fff3e2"
intensity = 0.7

[outline]
width = 1.2
creases = false
contacts = false

[material.shell]
color = "#e8762c"
[material.joint]
color = "#3a4149"
[material.steel]
color = "#c8ced4"
[material.ghost]
color = "#2f7fe0"
ghost = 0.35
`)
	arm(f, true)
}

// arm writes the base of a robot, its links and its hand, or with a hull also a ghost around them.
func arm(f *files, hull bool) {
	around := func(a, b geom.Vec3, radius float64) {
		if hull {
			f.solid("capsule", "a = %s\nb = %s\nradius = %.3g\nmaterial = \"ghost\"", tomlPoint(a), tomlPoint(b), radius)
		}
	}
	f.put(`
[[cylinder]]
name = "base"
a = [0, 0, 0]
b = [0, 0.25, 0]
radius = 0.75
material = "joint"

[[cylinder]]
name = "column"
a = [0, 0.25, 0]
b = [0, 0.75, 0]
radius = 0.5
material = "shell"
`)
	if hull {
		f.solid("cylinder", "a = [0, -0.05, 0]\nb = [0, 0.9, 0]\nradius = 0.86\nmaterial = \"ghost\"")
	}
	// The arm moves in a vertical plane. Angles are measured from the vertical.
	p, angle := geom.Vec3{Y: 0.95}, geom.Angle(0)
	step := func(turn geom.Angle, length float64) geom.Vec3 {
		angle += turn
		sin, cos := angle.SinCos()
		return p.Add(geom.Vec3{X: length * sin, Y: length * cos})
	}
	for i, link := range []struct {
		turn           geom.Angle
		length, radius float64
	}{{-18, 1.7, 0.26}, {78, 1.45, 0.2}, {62, 0.55, 0.15}} {
		q := step(link.turn, link.length)
		f.solid("capsule", "name = \"link %d\"\na = %s\nb = %s\nradius = %.3g\nmaterial = \"shell\"", i+1, tomlPoint(p), tomlPoint(q), link.radius)
		width := geom.Vec3{Z: link.radius + 0.16}
		f.solid("cylinder", "name = \"joint %d\"\na = %s\nb = %s\nradius = %.3g\nmaterial = \"joint\"", i+1, tomlPoint(p.Sub(width)), tomlPoint(p.Add(width)), link.radius+0.08)
		around(p, q, link.radius+0.26)
		p = q
	}
	sin, cos := angle.SinCos()
	down := geom.Vec3{X: sin, Y: cos}
	f.solid("sphere", "name = \"wrist\"\ncenter = %s\nradius = 0.2\nmaterial = \"joint\"", tomlPoint(p))
	palm := p.AddScaled(0.32, down)
	f.solid("cylinder", "name = \"palm\"\na = %s\nb = %s\nradius = 0.19\nmaterial = \"steel\"", tomlPoint(p.AddScaled(0.12, down)), tomlPoint(palm))
	for k, side := range []float64{-1, 1} {
		knuckle := palm.AddScaled(side*0.3, geom.Vec3{Z: 1}).AddScaled(0.12, down)
		f.solid("capsule", "name = \"finger %d\"\na = %s\nb = %s\nradius = 0.06\nmaterial = \"steel\"", k+1, tomlPoint(palm), tomlPoint(knuckle))
		f.solid("capsule", "name = \"tip %d\"\na = %s\nb = %s\nradius = 0.06\nmaterial = \"steel\"", k+1, tomlPoint(knuckle), tomlPoint(knuckle.AddScaled(0.3, down)))
	}
	around(p, palm.AddScaled(0.3, down), 0.45)
	if hull {
		return
	}
	for i, c := range [...]string{"#3d6b9e", "#d9b23d", "#5a8f5a"} {
		f.solid("box", "name = \"cube %d\"\ncenter = [%.3g, 0.2, %.3g]\nhalf_extents = [0.2, 0.2, 0.2]\nrotate = [0, %d, 0]\ncolor = %q", i+1, 2.45-0.9*float64(i), 0.05+0.75*float64(i), 10+37*i, c)
	}
}

// city writes blocks of houses with streets between them. Houses are higher toward the middle.
func city(f *files, blocks int) {
	f.head("A city of boxes. Written by 'go run ./internal/tools/gallery city'.", `background = { top = "#5f86b5", bottom = "#e2c9a6" }

[camera]
position = [17, 6.5, 20]
look_at = [-1, 2.1, 0]
fov = 34

[shading]
ambient = { top = "#a9bfdb", bottom = "#6b5a4c" }
samples = 8
occlusion = { distance = 4 }

[[light]]
direction = [-2.2, -1.3, -0.4]
angle = 3
color = "#ffdfae"
intensity = 0.95

[[box]]
center = [0, -0.5, 0]
half_extents = [600, 0.5, 600]
color = "#8c8074"
`)
	colors := [...]string{"#d9cbb3", "#c7a98b", "#b98f74", "#e3dccb", "#a9b0b5", "#8f9aa3", "#d0b7a0"}
	const lot, street = 0.62, 0.75
	position := func(i int) float64 { return (float64(i)-float64(blocks-1)/2)*lot + street*float64(i/4-blocks/8) }
	for i := range blocks {
		for j := range blocks {
			x, z := position(i), position(j)
			if hash(i/4, j/4, 7) < 0.06 {
				continue // a square
			}
			center := 1 / (1 + (x*x+z*z)/60)
			height := 0.35 + 0.5*hash(i, j, 1) + 6.5*center*hash(i, j, 22)*hash(i, j, 33)*hash(i/4, j/4, 4)
			color := colors[int(7*hash(i, j, 5))]
			f.solid("box", "center = [%.4g, %.4g, %.4g]\nhalf_extents = [%.3g, %.4g, %.3g]\ncolor = %q", x, height/2, z, lot/2*(0.8+0.18*hash(i, j, 6)), height/2, lot/2*(0.8+0.18*hash(i, j, 8)), color)
		}
	}
}

// sculpture writes a torus knot whose surface consists of small spheres in a table.
func sculpture(f *files, spheres int) {
	f.head("A knot of spheres. Written by 'go run ./internal/tools/gallery sculpture'.", fmt.Sprintf(`background = { top = "#2b2f3a", bottom = "#8b857c" }

[camera]
position = [0, 4.2, 8.6]
look_at = [0, -0.12, 0]
fov = 34

[shading]
ambient = { top = "#c8cfdd", bottom = "#5c5048" }
samples = 8
occlusion = { distance = 1.5 }

[[light]]
position = [-5, 8, 4]
radius = 1.5
color = "#fff1df"
intensity = 0.8

[[box]]
center = [0, -1.6, 0]
half_extents = [14, 0.2, 14]
color = "#9a938a"

[[bulk]]
file = %q
shape = "sphere"
`, f.sheet))
	fmt.Fprintln(f.table, "x,y,z,radius,color")
	knot := func(t geom.Angle) geom.Vec3 {
		p := around(2+0.85*cosine(3*t), 2*t, 0.95*sine(3*t))
		return p
	}
	// Spheres cover the surface of a tube evenly: each step along the tube turns by a golden angle around it.
	const golden = 137.50776405
	size := 0.9 / max(1, squareRoot(float64(spheres))/12)
	for i := range spheres {
		t := geom.Angle(360 * (float64(i) + 0.5) / float64(spheres))
		center := knot(t)
		along := knot(t + 0.05).Sub(knot(t - 0.05)).Unit()
		side := along.Cross(geom.Vec3{Y: 1}).Unit()
		up := side.Cross(along)
		turn := geom.Angle(remainder(golden*float64(i), 360))
		sin, cos := turn.SinCos()
		tube := 0.42 + 0.06*sine(turn*5+18*t)
		p := center.Add(side.Scale(tube * cos)).Add(up.Scale(tube * sin))
		fmt.Fprintf(f.table, "%.5f,%.5f,%.5f,%.5f,%s\n", p.X, p.Y, p.Z, size*(0.5+0.5*hash(i)), tint(t, turn))
	}
}

// tint returns the color of a sphere of the sculpture, which changes along the knot and around its tube.
func tint(t, turn geom.Angle) string {
	warm := 0.5 + 0.5*sine(2*t)
	stripe := 0.5 + 0.5*sine(turn*5+18*t)
	channel := func(cold, hot float64) int { return int(255 * (cold + (hot-cold)*warm) * (0.55 + 0.45*stripe)) }
	return fmt.Sprintf("#%02x%02x%02x", channel(0.2, 0.95), channel(0.55, 0.5), channel(0.75, 0.25))
}
