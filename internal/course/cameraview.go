package course

import (
	"encoding/json"
	"image"
	"math"

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
	ViewHeight float64 `json:"view_height,omitempty"` // of an orthographic one
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

// start is the answer of the stage: a ray.
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
		return cameraQuestion{c, w, h, image.Pt(d.IntN(w), d.IntN(h))}
	}
	return &stageOf[cameraQuestion, start]{
		asks: []ask[cameraQuestion]{
			{Ordinary, "perspective", func(d *dice) cameraQuestion { return pixel(d, anyCamera(d, camera.Perspective)) }},
			{Ordinary, "orthographic", func(d *dice) cameraQuestion { return pixel(d, anyCamera(d, camera.Orthographic)) }},
			{Degenerate, "a single pixel", func(d *dice) cameraQuestion {
				return cameraQuestion{anyCamera(d, camera.Perspective), 1, 1, image.Point{}}
			}},
			{Degenerate, "one row", func(d *dice) cameraQuestion {
				return cameraQuestion{anyCamera(d, camera.Perspective), 9, 1, image.Pt(d.IntN(9), 0)}
			}},
			{Degenerate, "the middle of the picture", func(d *dice) cameraQuestion {
				return cameraQuestion{anyCamera(d, camera.Perspective), 9, 5, image.Pt(4, 2)}
			}},
			{Degenerate, "a corner", func(d *dice) cameraQuestion {
				return cameraQuestion{anyCamera(d, camera.Perspective), 40, 30, image.Pt(39*d.IntN(2), 29*d.IntN(2))}
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
				return differ("origin", "is off", tripleOf(want.Origin), tripleOf(given.Origin))
			}
			// The direction is a difference of positions, so it loses the digits that both have in common.
			if length := given.Dir.Norm(); !near(given.Dir, want.Dir, ulps+2*e/q.camera.LookAt.Sub(q.camera.Position).Norm()) {
				what := "is off"
				if math.Abs(length-1) > 1e-6 {
					what = normalWords(given.Dir, geom.Vec3{})
				}
				return differ("direction", what, tripleOf(want.Dir), tripleOf(given.Dir))
			}
			return nil
		},
		scale:   cameraScale,
		derive:  deriveCamera,
		library: cameraMistakes(),
	}
}

// cameraScale returns the largest length in the question.
func cameraScale(q *cameraQuestion) float64 {
	s := max(q.camera.Position.MaxAbs(), q.camera.LookAt.MaxAbs())
	if q.camera.Projection == camera.Orthographic {
		s = max(s, q.camera.ViewHeight*max(1, float64(q.width)/float64(q.height)))
	}
	return s
}

func solveCamera(q *cameraQuestion) start {
	view, err := q.camera.View(q.width, q.height)
	if err != nil {
		return start{nowhere(), nowhere()}
	}
	p := view.Packet(image.Rectangle{Min: q.pixel, Max: q.pixel.Add(image.Pt(1, 1))}, 1)
	r := p.Ray(0, 0)
	return start{r.Origin, r.Dir}
}

// plane is a camera and a pixel as most programs represent them.
type plane struct {
	forward, right, up geom.Vec3
	pixel              float64 // side length of a pixel
	x, y               float64 // position of the pixel relative to the center, right and up
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

// ray returns the ray through that position.
func (p *plane) ray(c *camera.Camera) start {
	offset := p.right.Scale(p.pixel*p.x).AddScaled(p.pixel*p.y, p.up)
	if c.Projection == camera.Orthographic {
		return start{c.Position.Add(offset), p.forward}
	}
	return start{c.Position, p.forward.Add(offset).Unit()}
}

func cameraMistakes() []variant[cameraQuestion, start] {
	const lesson = "camera.md"
	with := func(spoil func(p *plane, q *cameraQuestion)) func(q *cameraQuestion) start {
		return func(q *cameraQuestion) start {
			p := planeOf(q)
			spoil(&p, q)
			return p.ray(&q.camera)
		}
	}
	// height returns a variant with another height of the image plane of a perspective camera.
	height := func(of func(q *cameraQuestion) float64) func(q *cameraQuestion) start {
		return with(func(p *plane, q *cameraQuestion) {
			if q.camera.Projection == camera.Perspective {
				p.pixel = of(q) / float64(q.height)
			}
		})
	}
	return []variant[cameraQuestion, start]{
		{Mistake{"rays go through pixel corners instead of centers", "A pixel is a square; its ray goes through the center, at + 0.5.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.x, p.y = p.x-0.5, p.y+0.5 })},
		{Mistake{"the width minus one is used", "Dividing by W - 1 and H - 1 stretches the picture: there are W pixels, all of the same width.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				w, h := float64(q.width), float64(q.height)
				p.x = float64(q.pixel.X)*w/max(1, w-1) - w/2
				p.y = h/2 - float64(q.pixel.Y)*h/max(1, h-1)
			})},
		{Mistake{"degrees are used as radians", "fov is in degrees, but the tangent function of most languages takes radians: multiply by π / 180.", lesson},
			height(func(q *cameraQuestion) float64 { return 2 * math.Tan(q.camera.FOV.Degrees()/2) })},
		{Mistake{"the tangent of the whole field of view is used", "Half of the field of view is on each side of the axis: height = 2 tan(fov / 2).", lesson},
			height(func(q *cameraQuestion) float64 { return 2 * q.camera.FOV.Tan() })},
		{Mistake{"the picture is half as high", "height = 2 tan(fov / 2): tan(fov / 2) is only the distance from the center to the upper edge.", lesson},
			height(func(q *cameraQuestion) float64 { return (q.camera.FOV / 2).Tan() })},
		{Mistake{"the field of view is treated as horizontal", "fov is vertical: the height follows from it, and the width from the height.", lesson},
			with(func(p *plane, q *cameraQuestion) {
				if q.camera.Projection == camera.Perspective {
					p.pixel *= float64(q.height) / float64(q.width)
				}
			})},
		{Mistake{"the height is used as the width", "fov and view_height are vertical: a pixel is height / H wide and high, not height / W.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.pixel *= float64(q.height) / float64(q.width) })},
		{Mistake{"pixels are not square", "The width of the picture is its height times W / H. Otherwise the picture is squeezed into a square.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.x *= float64(q.height) / float64(q.width) })},
		{Mistake{"x is mirrored", "Right is forward × up. The other order gives left: the handedness is wrong.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.right = p.right.Neg() })},
		{Mistake{"the handedness is wrong", "Right is forward × up, and up is right × forward. With up × forward both point the other way.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.right, p.up = p.right.Neg(), p.up.Neg() })},
		{Mistake{"the picture is upside down", "Row 0 is at the top, and y points up.", lesson},
			with(func(p *plane, _ *cameraQuestion) { p.y = -p.y })},
		{Mistake{"up is not made perpendicular to the view", "The camera's up need not be perpendicular to its view. Use right × forward.", lesson},
			with(func(p *plane, q *cameraQuestion) { p.up = q.camera.Up.Unit() })},
		{Mistake{"the direction is not normalized", "Divide the vector through the pixel by its length: then t is a distance.", lesson},
			func(q *cameraQuestion) start {
				p := planeOf(q)
				s := p.ray(&q.camera)
				if q.camera.Projection == camera.Perspective {
					s.Dir = p.forward.Add(p.right.Scale(p.pixel*p.x)).AddScaled(p.pixel*p.y, p.up)
				}
				return s
			}},
		{Mistake{"an orthographic camera is treated as a perspective one", "Its rays are parallel to forward and start at different points of the plane through its position.", lesson},
			func(q *cameraQuestion) start {
				p := planeOf(q)
				s := p.ray(&q.camera)
				if q.camera.Projection == camera.Orthographic {
					s = start{q.camera.Position, s.Origin.Sub(q.camera.Position).Add(p.forward).Unit()}
				}
				return s
			}},
	}
}

// deriveCamera returns the derivation: the explanation of the pixel in an empty scene.
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
