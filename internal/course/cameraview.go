package course

import (
	"encoding/json"
	"fmt"
	"image"
	"math"
	"slices"

	"pillbox/camera"
	"pillbox/geom"
)

// cameraFields are the fields of a camera in a question. Their keys are those in scenes.
type cameraFields struct {
	Projection string  `json:"projection"` // "perspective" or "orthographic"
	Position   triple  `json:"position"`
	LookAt     triple  `json:"look_at"`
	Up         triple  `json:"up"`
	FOV        float64 `json:"fov,omitempty"`         // in degrees; only of a perspective camera
	ViewHeight float64 `json:"view_height,omitempty"` // only of an orthographic camera
}

func cameraFieldsOf(c *camera.Camera) cameraFields {
	f := cameraFields{Projection: c.Projection.String(), Position: tripleOf(c.Position), LookAt: tripleOf(c.LookAt), Up: tripleOf(c.Up)}
	if c.Projection == camera.Orthographic {
		f.ViewHeight = c.ViewHeight
	} else {
		f.FOV = c.FOV.Degrees()
	}
	return f
}

// cameraQuestion is a camera and a pixel.
type cameraQuestion struct {
	camera        camera.Camera
	width, height int
	pixel         image.Point

	spoil []func(p *plane, q *cameraQuestion) // the changes that mistakes make to the computation
}

// MarshalJSON encodes the question as docs/course/protocol.md describes it.
func (q *cameraQuestion) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Camera cameraFields `json:"camera"`
		Width  int          `json:"width"`
		Height int          `json:"height"`
		Pixel  [2]int       `json:"pixel"`
	}{cameraFieldsOf(&q.camera), q.width, q.height, [2]int{q.pixel.X, q.pixel.Y}})
}

// start is an answer in the stage camera: a ray.
type start struct {
	Origin geom.Vec3
	Dir    geom.Vec3 `course:"unit"`
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (s start) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]any{"origin": finite(tripleOf(s.Origin)), "direction": finite(tripleOf(s.Dir))})
}

// cameraStage returns the stage about the ray through a pixel.
func cameraStage() kind {
	// anyCamera returns a camera with a random position and direction.
	anyCamera := func(d *dice, p camera.Projection) camera.Camera {
		for {
			c := camera.Camera{Projection: p, Position: d.point(8), LookAt: d.point(4), Up: camera.DefaultUp(), FOV: geom.Angle(20 + d.IntN(80)), ViewHeight: d.length(2, 9)}
			if d.IntN(3) == 0 {
				c.Up = d.direction()
			}
			if f := c.LookAt.Sub(c.Position); f.Norm() > d.length(1, 1) && f.Unit().Cross(c.Up.Unit()).Norm() > 0.3 {
				return c
			}
		}
	}
	pixel := func(d *dice, c camera.Camera) cameraQuestion {
		w, h := 2+d.IntN(640), 2+d.IntN(480)
		return cameraQuestion{camera: c, width: w, height: h, pixel: image.Pt(d.IntN(w), d.IntN(h))}
	}
	return &stageOf[cameraQuestion, start]{
		asks: []ask[cameraQuestion]{
			{Ordinary, "perspective", func(d *dice) cameraQuestion { return pixel(d, anyCamera(d, camera.Perspective)) }},
			{Ordinary, "orthographic", func(d *dice) cameraQuestion { return pixel(d, anyCamera(d, camera.Orthographic)) }},
			{Degenerate, "a single pixel", func(d *dice) cameraQuestion {
				return cameraQuestion{camera: anyCamera(d, camera.Perspective), width: 1, height: 1}
			}},
			{Degenerate, "one row", func(d *dice) cameraQuestion {
				return cameraQuestion{camera: anyCamera(d, camera.Perspective), width: 9, height: 1, pixel: image.Pt(d.IntN(9), 0)}
			}},
			{Degenerate, "the middle of the picture", func(d *dice) cameraQuestion {
				return cameraQuestion{camera: anyCamera(d, camera.Perspective), width: 9, height: 5, pixel: image.Pt(4, 2)}
			}},
			{Degenerate, "a corner", func(d *dice) cameraQuestion {
				return cameraQuestion{camera: anyCamera(d, camera.Perspective), width: 40, height: 30, pixel: image.Pt(39*d.IntN(2), 29*d.IntN(2))}
			}},
			{Degenerate, "straight down", func(d *dice) cameraQuestion {
				c := anyCamera(d, camera.Perspective)
				c.LookAt, c.Up = c.Position.Sub(geom.Vec3{Y: 3}), geom.Vec3{Z: -2}
				return pixel(d, c)
			}},
			{Degenerate, "a wide field of view", func(d *dice) cameraQuestion {
				c := anyCamera(d, camera.Perspective)
				c.FOV = geom.Angle(100 + d.IntN(75))
				return pixel(d, c)
			}},
		},
		solve: solveCamera,
		read:  func(_ *cameraQuestion, r *reader) start { return start{r.vec("origin"), r.vec("direction")} },
		judge: func(q *cameraQuestion, given start) *problem {
			want := solveCamera(q)
			e := Leeway * cameraScale(q)
			if !near(given.Origin, want.Origin, e) {
				return differ("origin", offBy(fmt.Sprintf("%.3g", given.Origin.Sub(want.Origin).Norm()), sense(want.Origin, given.Origin, [3]string{"x", "y", "z"})), tripleOf(want.Origin), tripleOf(given.Origin))
			}
			// The direction is a difference of positions, so it loses the digits that both have in common.
			if !near(given.Dir, want.Dir, ulps+2*e/q.camera.LookAt.Sub(q.camera.Position).Norm()) {
				p := planeOf(q)
				what := directionWords(want.Dir, given.Dir, geom.Mat3{X: p.right, Y: p.up, Z: p.forward}, [3]string{"its part to the right", "its part upward", "its part forward"})
				return differ("direction", what, tripleOf(want.Dir), tripleOf(given.Dir))
			}
			return nil
		},
		scale:   cameraScale,
		derive:  deriveCamera,
		changes: cameraMistakes(), slips: cameraSlips(), features: cameraFeatures(), pairSample: 200, pixels: cameraPixels(),
		books: books[cameraQuestion, start]{lesson: "camera.md", styles: 1, run: (*program).camera},
	}
}

// cameraScale returns the largest coordinate in the question, or the size of an orthographic view if that is larger.
func cameraScale(q *cameraQuestion) float64 {
	s := max(q.camera.Position.MaxAbs(), q.camera.LookAt.MaxAbs())
	if q.camera.Projection == camera.Orthographic {
		s = max(s, q.camera.ViewHeight*max(1, float64(q.width)/float64(q.height)))
	}
	return s
}

func solveCamera(q *cameraQuestion) start {
	if len(q.spoil) > 0 {
		p := planeOf(q)
		for _, f := range q.spoil {
			f(&p, q)
		}
		return p.ray(&q.camera)
	}
	view, err := q.camera.View(q.width, q.height)
	if err != nil {
		return start{nowhere(), nowhere()}
	}
	p := view.Packet(image.Rectangle{Min: q.pixel, Max: q.pixel.Add(image.Pt(1, 1))}, 1)
	r := p.SampleRay(0, 0)
	return start{r.Origin, r.Dir}
}

// plane is a camera and a pixel in the form in which most programs compute with them.
type plane struct {
	forward, right, up geom.Vec3
	pixel              float64 // side length of a pixel
	x, y               float64 // position of the pixel's center relative to the picture's, in pixels, to the right and up

	long  bool // the direction is not normalized
	moved bool // a perspective ray starts on the image plane
	fixed bool // orthographic rays start at the camera
	lens  bool // orthographic rays spread like those of a perspective camera
}

func planeOf(q *cameraQuestion) plane {
	c := &q.camera
	p := plane{forward: c.LookAt.Sub(c.Position).Unit()}
	p.right = p.forward.Cross(c.Up).Unit()
	p.up = p.right.Cross(p.forward)
	height := c.ViewHeight
	if c.Projection == camera.Perspective {
		height = 2 * (c.FOV / 2).Tan()
	}
	p.pixel = height / float64(q.height)
	p.x = float64(q.pixel.X) + 0.5 - float64(q.width)/2
	p.y = float64(q.height)/2 - (float64(q.pixel.Y) + 0.5)
	return p
}

// ray returns the ray through the pixel.
func (p *plane) ray(c *camera.Camera) start {
	offset := p.right.Scale(p.pixel*p.x).AddScaled(p.pixel*p.y, p.up)
	through := p.forward.Add(offset)
	if !p.long {
		through = through.Unit()
	}
	switch {
	case c.Projection == camera.Orthographic && p.lens:
		return start{c.Position, through}
	case c.Projection == camera.Orthographic && p.fixed:
		return start{c.Position, p.forward.Unit()}
	case c.Projection == camera.Orthographic:
		return start{c.Position.Add(offset), p.forward.Unit()}
	case p.moved:
		return start{c.Position.Add(p.forward).Add(offset), through}
	}
	return start{c.Position, through}
}

func cameraMistakes() []change[cameraQuestion, start] {
	const lesson = "camera.md"
	with := func(spoil func(p *plane, q *cameraQuestion)) func(q *cameraQuestion) func(*start) {
		return asking[cameraQuestion, start](func(q *cameraQuestion) { q.spoil = append(slices.Clip(q.spoil), spoil) })
	}
	flat := func(q *cameraQuestion) bool { return q.camera.Projection == camera.Orthographic }
	// zoom returns an edit that multiplies the image plane's height by a factor, for orthographic or for perspective
	// cameras.
	zoom := func(orthographic bool, of func(q *cameraQuestion) float64) func(q *cameraQuestion) func(*start) {
		return with(func(p *plane, q *cameraQuestion) {
			if flat(q) == orthographic {
				p.pixel *= of(q)
			}
		})
	}
	// height returns an edit that sets the height of a perspective camera's image plane.
	height := func(of func(q *cameraQuestion) float64) func(q *cameraQuestion) func(*start) {
		return zoom(false, func(q *cameraQuestion) float64 { return of(q) / (2 * (q.camera.FOV / 2).Tan()) })
	}
	aspect := func(q *cameraQuestion) float64 { return float64(q.width) / float64(q.height) }
	middle := Mistake{"the center of the picture is rounded to a whole pixel", "W / 2 may lie in the middle of a pixel. Divide as floats, not as integers.", lesson}
	axes := Mistake{"two axes are exchanged", "Points and vectors are lists x, y, z, with y up. Check the order of the numbers that you read and write.", lesson}
	exchanged := func(i, j int) change[cameraQuestion, start] {
		return change[cameraQuestion, start]{axes, telling(func(_ *cameraQuestion, s *start) {
			v := [...]float64{s.Dir.X, s.Dir.Y, s.Dir.Z}
			v[i], v[j] = v[j], v[i]
			s.Dir = geom.Vec3{X: v[0], Y: v[1], Z: v[2]}
		})}
	}
	return []change[cameraQuestion, start]{
		{Mistake{"rays go through pixel corners instead of centers", "A pixel is a square; its ray goes through the center, at + 0.5.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.x, p.y = p.x-0.5, p.y+0.5 })},
		{Mistake{"the width minus one is used", "Dividing by W - 1 and H - 1 stretches the picture: there are W pixels, all of the same width.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				w, h := float64(q.width), float64(q.height)
				p.x = float64(q.pixel.X)*w/max(1, w-1) - w/2
				p.y = h/2 - float64(q.pixel.Y)*h/max(1, h-1)
			})},
		{Mistake{"the width minus one is used", "Dividing by W - 1 and H - 1 stretches the picture: there are W pixels, all of the same width.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				w, h := float64(q.width), float64(q.height)
				p.x = (float64(q.pixel.X)+0.5)*w/max(1, w-1) - w/2
				p.y = h/2 - (float64(q.pixel.Y)+0.5)*h/max(1, h-1)
			})},
		{Mistake{"the width minus one is used", "Dividing by W - 1 and H - 1 stretches the picture: there are W pixels, all of the same width.", lesson},
			with(func(p *plane, q *cameraQuestion) { // for the size of a pixel, but not for its count
				w, h := float64(q.width), float64(q.height)
				p.x = (float64(q.pixel.X)+0.5)*w/max(1, w-1) - w/2
				p.y = h/2 - (float64(q.pixel.Y)+0.5)*w/max(1, w-1)
			})},
		{Mistake{"the direction is not relative to the camera", "The direction runs from the camera to the point on the image plane: subtract the position, or add only F, y U and x R.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				if !flat(q) {
					p.forward = p.forward.Add(q.camera.Position)
				}
			})},
		{Mistake{"degrees are used as radians", "fov is in degrees, but the tangent function of most languages takes radians: multiply by π / 180.", lesson},
			height(func(q *cameraQuestion) float64 { return 2 * math.Tan(q.camera.FOV.Degrees()/2) })},
		{Mistake{"the tangent of the whole field of view is used", "Half of the field of view is on each side of the axis: height = 2 tan(fov / 2).", lesson},
			height(func(q *cameraQuestion) float64 { return 2 * q.camera.FOV.Tan() })},
		{Mistake{"the picture is half as high", "height = 2 tan(fov / 2): tan(fov / 2) is only the distance from the center to the upper edge.", lesson},
			height(func(q *cameraQuestion) float64 { return (q.camera.FOV / 2).Tan() })},
		{Mistake{"the picture is twice as high", "height = 2 tan(fov / 2): the distance from the center to the upper edge is half of that.", lesson},
			height(func(q *cameraQuestion) float64 { return 4 * (q.camera.FOV / 2).Tan() })},
		{Mistake{"the tangent is halved instead of the angle", "The angle is halved, and the tangent doubled: 2 tan(fov / 2). tan(fov) / 2 is something else.", lesson},
			height(func(q *cameraQuestion) float64 { return q.camera.FOV.Tan() / 2 })},
		{Mistake{"the tangent of the whole field of view is taken once", "Half of the field of view is on each side of the axis: height = 2 tan(fov / 2), not tan(fov).", lesson},
			height(func(q *cameraQuestion) float64 { return q.camera.FOV.Tan() })},
		{Mistake{"the angle is taken for its tangent", "The height grows faster than the angle: 2 tan(fov / 2).", lesson},
			height(func(q *cameraQuestion) float64 { return q.camera.FOV.Degrees() * math.Pi / 180 })},
		{Mistake{"view_height is taken for half the height", "view_height reaches from the lower edge of the picture to the upper one.", lesson},
			zoom(true, func(*cameraQuestion) float64 { return 2 })},
		{Mistake{"view_height is halved", "view_height reaches from the lower edge of the picture to the upper one.", lesson},
			zoom(true, func(*cameraQuestion) float64 { return 0.5 })},
		{Mistake{"the field of view is treated as horizontal", "fov is vertical: the height follows from it, and the width from the height.", lesson},
			zoom(false, func(q *cameraQuestion) float64 { return 1 / aspect(q) })},
		{Mistake{"the height is used as the width", "fov and view_height are vertical: a pixel is height / H wide and high, not height / W.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.pixel /= aspect(q) })},
		{Mistake{"pixels are not square", "The width of the picture is its height times W / H. Otherwise the picture is squeezed into a square.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.x /= aspect(q) })},
		{Mistake{"the aspect ratio is inverted", "The width of the picture is its height times W / H, not times H / W.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.x /= aspect(q) * aspect(q) })},
		{Mistake{"the aspect ratio is applied twice", "With square pixels, W / H is already in the number of columns.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.x *= aspect(q) })},
		{middle, with(func(p *plane, q *cameraQuestion) {
			p.x = float64(q.pixel.X) + 0.5 - float64(q.width/2)
			p.y = float64(q.height/2) - (float64(q.pixel.Y) + 0.5)
		})},
		{middle, with(func(p *plane, q *cameraQuestion) {
			p.x, p.y = float64(q.pixel.X)-float64(q.width/2), float64(q.height/2)-float64(q.pixel.Y)
		})},
		{Mistake{"row and column are exchanged", "pixel is column, then row: X, Y.", lesson},
			asking[cameraQuestion, start](func(q *cameraQuestion) {
				q.pixel = image.Pt(q.pixel.Y, q.pixel.X)
				q.spoil = append(slices.Clip(q.spoil), func(*plane, *cameraQuestion) {})
			})},
		{Mistake{"x is mirrored", "Right is forward × up. The other order gives left: the handedness is wrong.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.x = -p.x })},
		{Mistake{"the handedness is wrong", "Right is forward × up, and up is right × forward. With up × forward, both point the other way.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.x, p.y = -p.x, -p.y })},
		{Mistake{"the picture is upside down", "Row 0 is at the top, and y points up: y falls while the row number grows. And the direction up is right × forward, in this order.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.y = -p.y })},
		{Mistake{"the camera looks backward", "forward points from position to look_at: look_at - position.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				p.forward = p.forward.Neg()
				p.right = p.right.Neg()
			})},
		{Mistake{"the camera looks backward", "forward points from position to look_at: look_at - position.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.forward = p.forward.Neg() })},
		{Mistake{"look_at is taken for a direction", "look_at is a point: forward is look_at - position, with length 1.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				p.forward = q.camera.LookAt.Unit()
				p.right = p.forward.Cross(q.camera.Up).Unit()
				p.up = p.right.Cross(p.forward)
			})},
		{Mistake{"right is not normalized", "forward × up is shorter than 1 unless up is perpendicular to forward and has length 1. Divide it by its length.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				n := p.forward.Cross(q.camera.Up).Norm()
				p.right, p.up = p.right.Scale(n), p.up.Scale(n)
			})},
		{Mistake{"right is not normalized", "forward × up is shorter than 1 unless up is perpendicular to forward and has length 1. Divide it by its length.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				p.right = p.right.Scale(p.forward.Cross(q.camera.Up).Norm())
			})},
		{Mistake{"forward is not normalized", "The image plane lies at distance 1 from the camera: divide look_at - position by its length.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.forward = q.camera.LookAt.Sub(q.camera.Position) })},
		{Mistake{"up is not made perpendicular to the view", "The camera's up need not be perpendicular to its view. Use right × forward.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.up = q.camera.Up.Unit() })},
		{Mistake{"up is not made perpendicular to the view", "The camera's up need not be perpendicular to its view. Use right × forward.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.up = q.camera.Up })},
		{Mistake{"the camera's up is ignored", "Right is forward × up with the camera's up, which need not be (0, 1, 0).", lesson},
			with(func(p *plane, q *cameraQuestion) {
				p.right = p.forward.Cross(geom.Vec3{Y: 1}).Unit()
				p.up = p.right.Cross(p.forward)
			})},
		{Mistake{"the direction is not normalized", "Divide the vector through the pixel by its length: then t is a distance.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.long = true })},
		{Mistake{"the ray starts on the image plane", "A perspective ray starts at the camera's position.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.moved = true })},
		{Mistake{"all orthographic rays start at the camera", "Orthographic rays are parallel: each starts at its own point of the plane through the position, position + v.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.fixed = true })},
		{Mistake{"an orthographic camera is treated as a perspective one", "Its rays are parallel to forward and start at different points of the plane through its position.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.lens = true })},
		exchanged(0, 1), exchanged(1, 2), exchanged(0, 2),
	}
}

// deriveCamera returns the command that derives the answer: it explains the pixel in a scene without solids.
func deriveCamera(q *cameraQuestion) Derivation {
	c := &q.camera
	text := "[camera]\nprojection = \"" + c.Projection.String() + "\"\nposition = " + tomlVec(c.Position) + "\nlook_at = " + tomlVec(c.LookAt) + "\nup = " + tomlVec(c.Up) + "\n"
	if c.Projection == camera.Orthographic {
		text += "view_height = " + numberText(c.ViewHeight) + "\n"
	} else {
		text += "fov = " + numberText(c.FOV.Degrees()) + "\n"
	}
	return Derivation{
		Args: []string{"explain", "-", "--pixel", list(float64(q.pixel.X), float64(q.pixel.Y)),
			"--width", numberText(float64(q.width)), "--height", numberText(float64(q.height)), "--section", "camera"},
		Stdin: text,
	}
}

// cameraSlips returns the slips of the stage camera: errors with one number or vector of the question or answer,
// such as a wrong sign.
func cameraSlips() []change[cameraQuestion, start] {
	const lesson = "camera.md"
	one := func(of func(q *cameraQuestion) *geom.Vec3) func(q *cameraQuestion) []*geom.Vec3 {
		return func(q *cameraQuestion) []*geom.Vec3 { return []*geom.Vec3{of(q)} }
	}
	// asks returns an edit that changes the question with f. It also adds a change without effect to q.spoil. This
	// makes solveCamera compute the ray by [plane], which accepts numbers that no valid camera has.
	asks := func(f func(q *cameraQuestion)) func(q *cameraQuestion) func(*start) {
		return asking[cameraQuestion, start](func(q *cameraQuestion) {
			f(q)
			q.spoil = append(slices.Clip(q.spoil), func(*plane, *cameraQuestion) {})
		})
	}
	return append(slipsOf(lesson, []input[cameraQuestion]{
		{what: "position", vector: one(func(q *cameraQuestion) *geom.Vec3 { return &q.camera.Position })},
		{what: "look_at", vector: one(func(q *cameraQuestion) *geom.Vec3 { return &q.camera.LookAt })},
		{what: "up", vector: one(func(q *cameraQuestion) *geom.Vec3 { return &q.camera.Up })},
		{what: "view_height", number: func(q *cameraQuestion) []*float64 { return []*float64{&q.camera.ViewHeight} }},
	}, asks), resultSlips[cameraQuestion](lesson, []input[start]{
		{what: "the origin", vector: func(s *start) []*geom.Vec3 { return []*geom.Vec3{&s.Origin} }},
		{what: "the direction", vector: func(s *start) []*geom.Vec3 { return []*geom.Vec3{&s.Dir} }},
	})...)
}
