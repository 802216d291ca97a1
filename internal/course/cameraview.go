package course

import (
	"encoding/json"
	"fmt"
	"image"

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
				forward := q.camera.LookAt.Sub(q.camera.Position).Unit()
				right := forward.Cross(q.camera.Up).Unit()
				what := directionWords(want.Dir, given.Dir, geom.Mat3{X: right, Y: right.Cross(forward), Z: forward}, [3]string{"its part to the right", "its part upward", "its part forward"})
				return differ("direction", what, tripleOf(want.Dir), tripleOf(given.Dir))
			}
			return nil
		},
		scale:   cameraScale,
		derive:  deriveCamera,
		keepers: cameraKeepers(), features: cameraFeatures(), pixels: cameraPixels(),
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
	view, err := q.camera.View(q.width, q.height)
	if err != nil {
		return start{nowhere(), nowhere()}
	}
	p := view.Packet(image.Rectangle{Min: q.pixel, Max: q.pixel.Add(image.Pt(1, 1))}, 1)
	r := p.SampleRay(0, 0)
	return start{r.Origin, r.Dir}
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
