package peers

import (
	"math"

	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// Sphereflake returns the fractal of that name at 800 x 800 pixels. Nine spheres of a third of its size touch the first
// sphere, nine smaller spheres touch each of these, and so on for the given number of generations. All spheres are
// mirrors. A box is the floor. Of the nine, six are around the equator of their parent and three closer to its pole, at
// vertices of a cuboctahedron. The pole points away from the parent's own parent. Source, also of the camera, the
// lights and the floor: Haines, "A Proposal for Standard Graphics Environments", IEEE Computer Graphics and
// Applications, 1987.
func Sphereflake(generations int) *Scene {
	sky := shade.FromSRGB8(79, 161, 225)
	m := maker{Scene: Scene{Scene: scene.Scene{
		Image: scene.Image{Width: 800, Height: 800, Antialias: 1, Background: scene.Background{Gradient: shade.Even(sky)}},
		Camera: &camera.Camera{
			Position: geom.Vec3{X: 2.1, Y: 1.3, Z: 1.7}, Up: geom.Vec3{Z: 1}, FOV: 45 * geom.Degree, ViewHeight: camera.DefaultViewHeight,
		},
		Shading: scene.Shading{Ambient: shade.Even(shade.Gray(0.05)), Shadows: true, Bounces: 4},
		Lights:  []scene.Light{light(4, 3, 2, 0.4), light(1, -4, 4, 0.4), light(-3, 1, 5, 0.4)},
	}}}
	const radius = 0.5
	m.flake(geom.Vec3{}, radius, geom.Vec3{Z: 1}, generations)
	m.box(geom.Vec3{Z: -1}, geom.Vec3{X: 12, Y: 12, Z: 0.5}, [4]float64{1, 0, 0, 0}, look{color: [3]uint8{255, 229, 179}})
	return m.finish(radius / math.Pow(3, float64(generations)) / 20)
}

// flake adds a sphere whose pole has the given direction, and on it the given number of generations of spheres.
func (m *maker) flake(center geom.Vec3, radius float64, pole geom.Vec3, generations int) {
	m.sphere(center, radius, look{color: [3]uint8{255, 192, 84}, mirror: 0.5})
	if generations == 0 {
		return
	}
	const smaller = 1.0 / 3
	u := across(pole)
	v := pole.Cross(u)
	put := func(height, azimuth float64) {
		way := pole.Scale(height).AddScaled(math.Sqrt(1-height*height), around(u, v, azimuth)).Unit()
		m.flake(center.AddScaled(radius*(1+smaller), way), radius*smaller, way, generations-1)
	}
	for k := range 6 {
		put(0, float64(k)/6)
	}
	upper := math.Sqrt(2.0 / 3)
	for k := range 3 {
		put(upper, (0.5+2*float64(k))/6)
	}
}

// across returns a direction perpendicular to d.
func across(d geom.Vec3) geom.Vec3 {
	axis := geom.Vec3{X: 1}
	if math.Abs(d.X) > 0.5 {
		axis = geom.Vec3{Y: 1}
	}
	return d.Cross(axis).Unit()
}

// around returns the direction at an angle, in turns, from u toward v. u and v must be perpendicular.
func around(u, v geom.Vec3, turns float64) geom.Vec3 {
	sin, cos := math.Sincos(2 * math.Pi * turns)
	return u.Scale(cos).AddScaled(sin, v)
}
