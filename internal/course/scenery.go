package course

import (
	"image"
	"math"
	"slices"
	"strings"
	"sync"

	"pillbox"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
	"pillbox/internal/text"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/shapes"
)

// The colors in the pictures of the stages depend on every number of an answer, so that most mistakes are visible. Most
// pictures have parts with different questions: rays start before, in and behind a solid, or the lower half is a scene
// a million times smaller. If all answers are right, the border between such parts is invisible. If a learner's picture
// shows a border, the program fails for one of the parts.

// backdrop is the color where nothing is hit.
func backdrop() shade.Color { return shade.FromSRGB8(208, 217, 228) }

// lower returns the factor by which the lengths of a pixel's question are multiplied: 1e-6 in the lower half of the
// canvas, 1 in the upper half.
func lower(at image.Point) float64 {
	if at.Y < canvasSize().Y/2 {
		return 1
	}
	return 1e-6
}

// third returns 0, 1 or 2 for a pixel in the left, middle or right third of the canvas.
func third(at image.Point) int { return 3 * at.X / canvasSize().X }

// pixelRay returns the ray through a pixel of a picture.
func pixelRay(c camera.Camera, size, at image.Point) geom.Ray {
	s := solveCamera(&cameraQuestion{camera: c, width: size.X, height: size.Y, pixel: at})
	return geom.Ray{Origin: s.Origin, Dir: s.Dir}
}

// portrait is a solid and a camera that looks at it.
type portrait struct {
	shape  shapes.Shape
	camera camera.Camera
	middle geom.Vec3 // of the solid
}

// portraitOf returns the portrait of a solid of about size 2.
func portraitOf(s shapes.Shape) portrait {
	b := s.Bounds()
	middle := b.Min.Add(b.Max).Scale(0.5)
	eye := middle.Add(geom.Vec3{X: 1.5, Y: 2.5, Z: 6})
	return portrait{s, camera.Camera{Position: eye, LookAt: middle, Up: camera.DefaultUp(), FOV: 40}, middle}
}

// ray returns the ray of a pixel. The argument part selects its origin. Part 0 is the eye. Part 1 is the ray's point
// closest to the middle of the solid. Part 2 is twice as far from the eye as part 1.
func (p *portrait) ray(size, at image.Point, part int) geom.Ray {
	r := pixelRay(p.camera, size, at)
	r.Origin = r.At(float64(part) * p.middle.Sub(r.Origin).Dot(r.Dir))
	return r
}

// times returns a question about the ray r and the solid s, after all lengths of both have been multiplied by the
// factor.
func times(r geom.Ray, s shapes.Shape, factor float64) lineQuestion {
	if factor == 1 {
		return lineQuestion{r, s}
	}
	return lineQuestion{
		geom.Ray{Origin: r.Origin.Scale(factor), Dir: r.Dir},
		moved(s, func(p geom.Vec3) geom.Vec3 { return p.Scale(factor) }, factor),
	}
}

// linePixels returns the picture of a stage about a line and a kind of solid: a transparent solid with a checkered
// surface. The points determine the checkers, the normals the shading, and the distances the darkness. The faces of a
// box have different colors.
func linePixels(s shapes.Shape) pixels[lineQuestion, crossings] {
	p := portraitOf(s)
	return pixels[lineQuestion, crossings]{
		ask: func(_ *dice, at image.Point) lineQuestion {
			return times(p.ray(canvasSize(), at, third(at)), s, lower(at))
		},
		color: func(at image.Point, q *lineQuestion, a crossings) shade.Color {
			if a.Count == 0 {
				return backdrop()
			}
			unit := lower(at)
			start := q.ray.Origin.Scale(1 / unit).Sub(p.camera.Position).Dot(q.ray.Dir) // of the ray, from the eye
			surface := func(i int, albedo shade.Color) shade.Color {
				light := 0.6 - 0.4*a.Normals[i].Dot(q.ray.Dir)
				if isOddCell(a.Points[i].Scale(1 / unit)) {
					light *= 0.7
				}
				return albedo.Scale(light * near01((14-start-a.T[i]/unit)/9))
			}
			c := surface(0, faceColor(a.Face))
			if a.Count > 1 {
				c = c.Mix(surface(1, shade.FromSRGB8(255, 240, 214)), 0.3)
			}
			return c
		},
	}
}

// near01 returns x, but at least 0.1 and at most 1.
func near01(x float64) float64 { return max(0.1, min(1, x)) }

// isOddCell reports whether a point lies in an odd cell of a three-dimensional checkerboard.
func isOddCell(p geom.Vec3) bool {
	const perUnit = 1.7 // no face or axis of the solids lies on the border of two cells
	sum := math.Floor(perUnit*p.X) + math.Floor(perUnit*p.Y) + math.Floor(perUnit*p.Z)
	return math.Mod(sum, 2) != 0
}

// faceColor returns the color of a face of a box; "" is the surface of a round solid.
func faceColor(face string) shade.Color {
	switch face {
	case "":
		return shade.FromSRGB8(246, 178, 107)
	case "+x":
		return shade.FromSRGB8(240, 128, 100)
	case "-x":
		return shade.FromSRGB8(120, 60, 60)
	case "+y":
		return shade.FromSRGB8(250, 214, 110)
	case "-y":
		return shade.FromSRGB8(120, 110, 40)
	case "+z":
		return shade.FromSRGB8(110, 190, 230)
	}
	return shade.FromSRGB8(50, 80, 130)
}

// aheadPixels returns the picture of the stage ahead. It shows distances: the smaller the distance, the lighter the
// pixel. The columns show a sphere, a box and a capsule. In the three rows, the rays start before, inside and behind
// the solid.
func aheadPixels() pixels[aheadQuestion, distance] {
	all := [...]portrait{portraitOf(portraitSphere()), portraitOf(portraitBox()), portraitOf(portraitCapsule())}
	for i := range all {
		all[i].camera.FOV = 38
	}
	return pixels[aheadQuestion, distance]{
		ask: func(_ *dice, at image.Point) aheadQuestion {
			size := canvasSize().Div(3)
			column, row := third(at), at.Y/size.Y
			p := &all[column]
			r := p.ray(size, image.Pt(at.X%size.X, at.Y%size.Y), row)
			return aheadQuestion(times(r, p.shape, aheadUnit(at)))
		},
		color: func(at image.Point, _ *aheadQuestion, a distance) shade.Color {
			return depthColor(a.OK, a.T/aheadUnit(at))
		},
	}
}

// aheadUnit returns the factor by which the lengths are multiplied in the question of a pixel in the stage ahead. It
// is 1e-6 in the middle column and 1 elsewhere.
func aheadUnit(at image.Point) float64 { return [...]float64{1, 1e-6, 1}[third(at)] }

// cutPixels returns the picture of the stage cut: transparent cut solids, whose faces have different colors. The columns show
// a sphere, a box and a capsule. In the upper row one section cuts them, in the others two. In the lower row, the rays start
// in the middle of the solid.
func cutPixels() pixels[cutQuestion, cutCrossings] {
	all := [...]portrait{portraitOf(portraitSphere()), portraitOf(portraitBox()), portraitOf(portraitCapsule())}
	for i := range all {
		all[i].camera.FOV = 38
	}
	normals := [...]geom.Vec3{{X: 0.8, Y: 0.6}, {X: -0.48, Y: 0.6, Z: 0.64}}
	row := func(at image.Point) int { return at.Y / (canvasSize().Y / 3) }
	return pixels[cutQuestion, cutCrossings]{
		ask: func(_ *dice, at image.Point) cutQuestion {
			size, unit := canvasSize().Div(3), aheadUnit(at)
			p := &all[third(at)]
			line := times(p.ray(size, image.Pt(at.X%size.X, at.Y%size.Y), row(at)/2), p.shape, unit)
			q := cutQuestion{line.ray, line.shape, nil}
			for i := range min(2, 1+row(at)) {
				point := p.middle.AddScaled(0.25, normals[i]).Add(normals[1-i].Cross(normals[i]))
				q.sections = append(q.sections, shapes.Section{Point: point.Scale(unit), Normal: normals[i], Index: i})
			}
			return q
		},
		color: func(at image.Point, q *cutQuestion, a cutCrossings) shade.Color {
			if a.Count == 0 {
				return backdrop()
			}
			unit, p := aheadUnit(at), &all[third(at)]
			start := q.ray.Origin.Scale(1 / unit).Sub(p.camera.Position).Dot(q.ray.Dir) // of the ray, from the eye
			surface := func(i int) shade.Color {
				albedo := faceColor(map[string]string{faceOfSection(0): "+y", faceOfSection(1): "+z"}[a.Faces[i]])
				return albedo.Scale((0.6 - 0.4*a.Normals[i].Dot(q.ray.Dir)) * near01((14-start-a.T[i]/unit)/9))
			}
			return surface(0).Mix(surface(a.Count-1), 0.3)
		},
	}
}

// depthColor returns the color for a distance t: light if t is small, and dark if it is large. Stripes, each a
// quarter of a unit wide, make distances easier to compare. If ok is false, nothing is hit, and the color is that of
// the backdrop.
func depthColor(ok bool, t float64) shade.Color {
	if !ok {
		return backdrop()
	}
	c := shade.FromSRGB8(20, 40, 80).Mix(shade.FromSRGB8(255, 250, 235), near01((9-t)/9))
	if math.Mod(math.Floor(4*t), 2) != 0 {
		return c.Scale(0.85)
	}
	return c
}

// The solids of the pictures.

func portraitSphere() shapes.Shape {
	return &shapes.Sphere{Center: geom.Vec3{X: 0.5, Y: 1, Z: -0.75}, Radius: 2}
}

func portraitBox() shapes.Shape {
	return &shapes.Box{Center: geom.Vec3{X: 0.5, Y: 1, Z: -0.75}, HalfExtents: geom.Vec3{X: 1.75, Y: 1.1, Z: 1.3}, Rotation: geom.RotationXYZ(15, 35, 10)}
}

func portraitCapsule() shapes.Shape {
	return &shapes.Capsule{A: geom.Vec3{X: -0.75, Y: 0.5, Z: -1.25}, B: geom.Vec3{X: 1.75, Y: 1.5, Z: -0.25}, Radius: 1.1}
}

func portraitCylinder() shapes.Shape {
	return &shapes.Cylinder{A: geom.Vec3{X: -0.75, Y: 0.5, Z: -1.75}, B: geom.Vec3{X: 1.75, Y: 1.5, Z: 0.25}, Radius: 1.4}
}

// segmentPixels returns the picture of the stage segment. The question of each pixel is about the same segment and a
// sphere around the pixel. The pixel is light if the sphere touches the segment. Its color shows which point of the
// segment is closest to the sphere's center.
func segmentPixels() pixels[segmentQuestion, segmentAnswer] {
	return pixels[segmentQuestion, segmentAnswer]{
		ask: func(_ *dice, at image.Point) segmentQuestion {
			unit, size := lower(at), canvasSize()
			center := geom.Vec3{X: float64(2*at.X+1-size.X) / 16, Y: float64(size.Y-2*at.Y-1) / 16, Z: 0.25}
			a, b := geom.Vec3{X: -2.5, Y: -1, Z: -0.5}, geom.Vec3{X: 2.5, Y: 1.25, Z: 0.5}
			return segmentQuestion{seg: geom.Segment{A: a.Scale(unit), B: b.Scale(unit)}, sphere: shapes.Sphere{Center: center.Scale(unit), Radius: 1.5 * unit}}
		},
		color: func(at image.Point, _ *segmentQuestion, a segmentAnswer) shade.Color {
			p := a.Closest.Scale(1 / lower(at))
			c := shade.Color{R: near01((p.X + 3) / 6), G: near01((p.Y + 2) / 4), B: near01((1 - p.Z) / 2)}
			if !a.Touches {
				c = c.Scale(0.3)
			}
			return c
		},
	}
}

// overlapPixels returns the picture of the stage overlap. The question of each pixel is about a fixed capsule and a
// second capsule at that pixel. In the left half the capsules are two-dimensional, in the right half
// three-dimensional. In the lower half all numbers are 10^7 times larger.
func overlapPixels() pixels[overlapQuestion, relation] {
	return pixels[overlapQuestion, relation]{
		ask: func(_ *dice, at image.Point) overlapQuestion {
			size := canvasSize()
			unit := int64(1)
			if at.Y >= size.Y/2 {
				unit = 1e7
			}
			half := size.X / 2
			x, y := int64(at.X%half-half/2), int64(size.Y/2-at.Y)
			a, b := integers{[]int64{-8, 0}, []int64{8, 0}, 4}, integers{[]int64{x, y - 6}, []int64{x, y + 6}, 4}
			if at.X >= half {
				a, b = integers{[]int64{-8, 0, 0}, []int64{8, 0, 0}, 3}, integers{[]int64{x, y - 6, 3}, []int64{x, y + 6, 3}, 2}
			}
			for _, list := range [...][]int64{a.P, a.Q, b.P, b.Q} {
				for i := range list {
					list[i] *= unit
				}
			}
			a.Radius, b.Radius = a.Radius*unit, b.Radius*unit
			return overlapQuestion{a, b}
		},
		color: func(_ image.Point, _ *overlapQuestion, a relation) shade.Color {
			switch a {
			case overlaps:
				return shade.FromSRGB8(246, 178, 107)
			case touches:
				return shade.FromSRGB8(150, 40, 40)
			}
			return backdrop()
		},
	}
}

// stillLifeText is the scene of the pictures of the later stages. Every pixel shows a solid. The last sphere is outside of
// the picture: it is beyond the point light, so it blocks nothing.
const stillLifeText = `[image]
width = 90
height = 60
background = { top = "#6f9fd8", bottom = "#e6eef6" }
[camera]
position = [3.2, 4.6, 6.5]
look_at = [0.2, 0.5, 0]
fov = 36
[shading]
ambient = 0.15
bounces = 1
[material.steel]
color = "#dfe7ea"
mirror = 0.7
[material.copper]
color = "#e08a3c"
mirror = 0.35
[[light]]
position = [4, 6, 3]
color = "#fff1d6"
intensity = 0.7
[[light]]
direction = [0.6, -0.64, -0.48]
color = "#9bb8ff"
intensity = 0.4
[[sphere]]
center = [-1, 1, -0.6]
radius = 1
material = "steel"
[[sphere]]
center = [1.5, 0.6, 0.9]
radius = 0.6
material = "copper"
[[sphere]]
center = [5.8, 8.6, 4.4]
radius = 1.4
color = "#8a8f98"
[[capsule]]
a = [1.1, 0.35, -1.6]
b = [2.6, 1.5, -0.9]
radius = 0.35
color = "#4f9d69"
[[box]]
center = [-0.7, 0.4, 1.7]
half_extents = [0.5, 0.4, 0.4]
rotate = [0, 30, 0]
color = "#c2475a"
[[box]]
center = [0, -0.5, 0]
half_extents = [100, 0.5, 100]
color = "#b9c4c9"
`

// smallStillLife returns the scene with all its lengths multiplied by 1e-6. In a scene of this size, fixed distances such as
// 0.001 are visible.
func smallStillLife() string {
	number := text.Pattern(`-?[0-9.]+`)
	lines := strings.SplitAfter(stillLifeText, "\n")
	for i, line := range lines {
		switch key, _, _ := strings.Cut(line, " "); key {
		case "position", "look_at", "center", "radius", "a", "b", "half_extents":
			lines[i] = number().ReplaceAllString(line, "${0}e-6")
		}
	}
	return strings.Join(lines, "")
}

// stillLife is the prepared scene of the pictures.
type stillLife struct {
	*follow.Prepared
	text   string
	solids solids
	lights lights
	camera camera.Camera
}

// onceStillLife returns a function that prepares the scene, or the small one, when it is first called.
func onceStillLife(small bool) func() *stillLife {
	return sync.OnceValue(func() *stillLife {
		text := stillLifeText
		if small {
			text = smallStillLife()
		}
		s, err := scene.Decode("picture.toml", []byte(text))
		if err != nil {
			panic("course: the scene of the pictures is invalid: " + err.Error())
		}
		p, err := pillbox.Prepare(s, pillbox.Picture{})
		if err != nil {
			panic("course: the scene of the pictures cannot be rendered: " + err.Error())
		}
		out := &stillLife{Prepared: follow.Of(p), text: text, camera: s.CameraFor(canvasSize().X, canvasSize().Y)}
		for i := range s.Objects.Len() {
			out.solids = append(out.solids, s.Solid(i))
		}
		for i := range out.Lights {
			out.lights = append(out.lights, out.Lights[i].Light)
		}
		return out
	})
}

// ray returns the ray of a pixel.
func (s *stillLife) ray(at image.Point) geom.Ray { return pixelRay(s.camera, canvasSize(), at) }

// see returns the color that a ray sees.
func (s *stillLife) see(r geom.Ray) shade.Color {
	return s.Follow(s.ViewerRay(r), sampler.Position{}, nil).Color
}

// hit returns what a pixel's ray hits.
func (s *stillLife) hit(at image.Point) (r geom.Ray, h nearestAnswer) {
	r = s.ray(at)
	return r, solveNearest(&nearestQuestion{r, s.solids})
}

// albedo returns the color of a solid.
func (s *stillLife) albedo(solid int) shade.Color { return s.Scene.Objects.Material(solid).Albedo }

// nearestPixels returns the picture of the stage nearest. A pixel shows the color of the solid that is hit, shaded by
// the normal. The larger the distance, the darker the pixel. The lower half shows a smaller scene.
func nearestPixels() pixels[nearestQuestion, nearestAnswer] {
	scene := onceStillLife(false)
	return pixels[nearestQuestion, nearestAnswer]{
		ask: func(_ *dice, at image.Point) nearestQuestion {
			s, unit := scene(), lower(at)
			out := nearestQuestion{ray: s.ray(at)}
			for _, solid := range s.solids {
				q := times(s.ray(at), solid, unit)
				out.ray, out.solids = q.ray, append(out.solids, q.shape)
			}
			return out
		},
		color: func(at image.Point, q *nearestQuestion, a nearestAnswer) shade.Color {
			s := scene()
			if a.Object < 0 || a.Object >= len(s.solids) {
				return backdrop()
			}
			light := 0.55 - 0.45*a.Normal.Dot(q.ray.Dir)
			return s.albedo(a.Object).Scale(light * near01(10/(3+a.T/lower(at))))
		},
	}
}

// cameraPixels returns the picture of the stage camera. A pixel shows what our renderer sees along the ray of the
// learner's answer. The left half is the picture of a perspective camera, the right half that of an orthographic
// one.
func cameraPixels() pixels[cameraQuestion, start] {
	scene := onceStillLife(false)
	return pixels[cameraQuestion, start]{
		ask: func(_ *dice, at image.Point) cameraQuestion {
			s := scene()
			half := image.Pt(canvasSize().X/2, canvasSize().Y)
			q := cameraQuestion{camera: s.camera, width: half.X, height: half.Y, pixel: image.Pt(at.X%half.X, at.Y)}
			q.camera.FOV = 58
			if at.X >= half.X {
				q.camera.Projection, q.camera.ViewHeight = camera.Orthographic, 9
			}
			return q
		},
		color: func(_ image.Point, _ *cameraQuestion, a start) shade.Color {
			dir, ok := geom.Direction(a.Dir)
			if !ok {
				return shade.Color{}
			}
			return scene().see(geom.Ray{Origin: a.Origin, Dir: dir}).Scale(near01(a.Dir.Norm()))
		},
	}
}

// lambertPixels returns the picture of the stage lambert. A pixel shows the sRGB numbers of the learner's answer. If
// these numbers are right, it shows the linear color of the answer instead.
func lambertPixels() pixels[lambertQuestion, colorAnswer] {
	scene := onceStillLife(false)
	return pixels[lambertQuestion, colorAnswer]{
		ask: func(_ *dice, at image.Point) lambertQuestion {
			s := scene()
			r, h := s.hit(at)
			return lambertQuestion{albedo: s.albedo(h.Object), ambient: s.Scene.Shading.Ambient.Top.R, lights: s.lights, normal: h.Normal, point: r.At(h.T)}
		},
		color: func(_ image.Point, q *lambertQuestion, a colorAnswer) shade.Color {
			if slices.Equal(a.SRGB, solveLambert(q).SRGB) {
				return shade.Color{R: a.R, G: a.G, B: a.B}
			}
			channel := func(i int) float64 { return float64(max(0, min(255, a.SRGB[i]))) / 255 }
			return shade.FromSRGB(channel(0), channel(1), channel(2))
		},
	}
}

// shadowPixels returns the picture of the stage shadow. A pixel shows a solid, lit by the lights that reach it
// according to the learner's answer. If the answer says that a light behind the surface reaches the point, the pixel
// becomes brighter, too. The lower half shows a smaller scene.
func shadowPixels() pixels[shadowQuestion, shadowAnswer] {
	scenes := [...]func() *stillLife{onceStillLife(false), onceStillLife(true)}
	return pixels[shadowQuestion, shadowAnswer]{
		ask: func(_ *dice, at image.Point) shadowQuestion {
			s := scenes[min(1, 2*at.Y/canvasSize().Y)]()
			r, h := s.hit(at)
			return shadowQuestion{ray: r, point: r.At(h.T), normal: h.Normal, solid: h.Object, lights: s.lights, solids: s.solids}
		},
		color: func(_ image.Point, q *shadowQuestion, a shadowAnswer) shade.Color {
			s := scenes[0]() // the colors are those of the other scene
			sum := s.Scene.Shading.Ambient.Top
			for i, arrives := range a.Arrives {
				dir, _ := q.lights[i].Toward(q.point)
				if arrives {
					sum = sum.Add(q.lights[i].Irradiance(math.Abs(q.normal.Dot(dir))))
				}
			}
			return shade.Lambert(s.albedo(q.solid), sum)
		},
	}
}

// mirrorPixels returns the picture of the stage mirror: the colors of the answers in a small scene.
func mirrorPixels() pixels[mirrorQuestion, light] {
	scene := onceStillLife(true)
	return pixels[mirrorQuestion, light]{
		ask: func(d *dice, at image.Point) mirrorQuestion {
			s := scene()
			q := mirrorQuestion{st: s.Prepared, text: s.text, ray: s.ray(at)}
			d.id = 0 // all pixels have the same scene
			q.file = d.sceneFile()
			return q
		},
		color: func(_ image.Point, _ *mirrorQuestion, a light) shade.Color {
			return shade.Color{R: a.R, G: a.G, B: a.B}
		},
	}
}

// wholePicture returns the picture of the stage named picture: the answer to one question about a small scene.
func wholePicture() pixels[pictureQuestion, pictureAnswer] {
	scene := onceStillLife(true)
	return pixels[pictureQuestion, pictureAnswer]{
		whole: true,
		ask: func(d *dice, _ image.Point) pictureQuestion {
			s := scene()
			q := pictureQuestion{st: s.Prepared, text: s.text, file: d.sceneFile(), png: d.path("picture", ".png"), read: d.picture}
			if len(d.scenes) > 0 {
				q.st, q.text, q.file = d.scenes[0], "", d.scenes[0].Scene.Name
			}
			return q
		},
	}
}
