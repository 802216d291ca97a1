package course

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"

	"pillbox/shade"
)

// Canvas is an exam with one question for each pixel of a picture. Every answer determines the color of one pixel. The
// questions have the format of the stage, so a learner's program needs no change. In the stage picture, the only answer
// is the whole picture.
type Canvas struct{ *Exam }

// Canvas returns the stage's canvas. It uses only the options Folder, Picture and, in the stage picture, the first element
// of Scenes.
func (s *Stage) Canvas(opt Options) (Canvas, error) {
	if len(opt.Scenes) > 1 {
		opt.Scenes = opt.Scenes[:1]
	}
	grid := s.kind().grid()
	e, err := s.Exam(Options{Count: grid.X * grid.Y, Folder: opt.Folder, Picture: opt.Picture, Scenes: opt.Scenes})
	if err != nil {
		return Canvas{}, err
	}
	e.canvas = true
	return Canvas{e}, nil
}

// canvasSize returns the size of a canvas in pixels. Width and height are multiples of 2 and 3, because some stages
// divide their canvas into parts.
func canvasSize() image.Point { return image.Pt(90, 60) }

// pixelOf returns the pixel that question i of a canvas is about.
func (e *Exam) pixelOf(i int) image.Point {
	width := e.Stage.kind().grid().X
	return image.Pt(i%width, i/width)
}

// pixelName names a pixel in a message.
func pixelName(p image.Point) string { return fmt.Sprintf("pixel %d,%d", p.X, p.Y) }

// pixels describes how the answers of a stage make a picture.
type pixels[Q, A any] struct {
	whole bool // the answer to one question is the whole picture
	ask   func(d *dice, at image.Point) Q
	color func(at image.Point, q *Q, a A) shade.Color
}

func (s *stageOf[Q, A]) grid() image.Point {
	if s.pixels.whole {
		return image.Pt(1, 1)
	}
	return canvasSize()
}

func (s *stageOf[Q, A]) pixel(d *dice, at image.Point, h Head) question {
	return &asked[Q, A]{stageOf: s, head: h, q: s.pixels.ask(d, at)}
}

func (a *asked[Q, A]) color(at image.Point, fields answer) (shade.Color, bool) {
	r := &reader{fields: fields}
	given := a.read(&a.q, r)
	if r.problem != nil || r.nan != nil {
		return shade.Color{}, false
	}
	c := a.pixels.color(at, &a.q, given)
	return c, !hasNaN(c)
}

func (a *asked[Q, A]) rightColor(at image.Point) shade.Color {
	return a.pixels.color(at, &a.q, a.solve(&a.q))
}

// Comparison compares the picture of a canvas with the right one.
type Comparison struct {
	Stage   string        // the name of the stage
	Got     *image.NRGBA  // transparent where an answer is missing, [Nonsense] where it has no color
	Want    *image.NRGBA  // has the same size
	Wrong   []image.Point // pixels whose answer is wrong or missing, row by row
	Missing int           // number of pixels without an answer; all if the stage's picture is missing or has another size
	First   *Pixel        // the first of Wrong; nil if Wrong is empty
}

// Pixel describes what is wrong with the answer for one pixel of a canvas.
type Pixel struct {
	X        int             `json:"x"`
	Y        int             `json:"y"`
	Field    string          `json:"field,omitempty"` // of the answer, such as t[0]
	Problem  string          `json:"problem"`
	Want     any             `json:"want"` // the right value of the field; null if the problem describes it
	Got      any             `json:"got"`
	Question json.RawMessage `json:"question,omitempty"`
}

// Nonsense returns the color of pixels whose answer cannot be drawn because numbers are missing or not finite.
func Nonsense() color.NRGBA { return color.NRGBA{R: 255, B: 255, A: 255} }

// Compare compares the picture of the answers so far with the right one. In Got, a pixel with a right answer has
// exactly the right color, without the answer's rounding errors. A pixel with a wrong answer has another color. In the
// stage picture, Got is the learner's picture. If ctx ends first, Compare soon returns the cause, except in this stage.
func (c Canvas) Compare(ctx context.Context) (Comparison, error) {
	if a, ok := c.question(0).(*asked[pictureQuestion, pictureAnswer]); ok {
		return c.comparePicture(a)
	}
	size := c.Stage.kind().grid()
	out := Comparison{Stage: c.Stage.Name, Got: image.NewNRGBA(image.Rectangle{Max: size}), Want: image.NewNRGBA(image.Rectangle{Max: size})}
	for i := range c.Len() {
		if err := context.Cause(ctx); err != nil {
			return Comparison{}, err
		}
		at, q := c.pixelOf(i), c.question(i)
		want := encoded(q.rightColor(at))
		out.Want.SetNRGBA(at.X, at.Y, want)
		fields, wrong := c.wrong[i]
		switch {
		case !c.answered[i]:
			out.Missing++
		case !wrong:
			out.Got.SetNRGBA(at.X, at.Y, want)
			continue
		default:
			got := Nonsense()
			if color, ok := q.color(at, fields); ok {
				got = encoded(color)
			}
			if got == want {
				got.B ^= 1 // the error is too small to change the color
			}
			out.Got.SetNRGBA(at.X, at.Y, got)
		}
		if err := out.add(at, q, fields); err != nil {
			return Comparison{}, err
		}
	}
	return out, nil
}

// add adds a pixel with a wrong or missing answer to c.Wrong. If it is the first such pixel, add also describes it in
// c.First. The parameter fields is the wrong answer, or nil if there is no answer.
func (c *Comparison) add(at image.Point, q question, fields answer) error {
	c.Wrong = append(c.Wrong, at)
	if c.First != nil {
		return nil
	}
	c.First = &Pixel{X: at.X, Y: at.Y, Problem: "there is no answer"}
	line, err := q.line()
	c.First.Question = line
	if p := q.judge(fields); fields != nil && p != nil {
		c.First.Field, c.First.Problem, c.First.Want, c.First.Got = p.field, p.what, finite(p.want), finite(p.got)
	}
	return err
}

// comparePicture compares the pictures in the stage picture, whose only answer is a picture.
func (c Canvas) comparePicture(a *asked[pictureQuestion, pictureAnswer]) (Comparison, error) {
	right := solvePicture(&a.q)
	if right.err != nil {
		return Comparison{}, right.err
	}
	size := right.img.Bounds().Size()
	out := Comparison{Stage: c.Stage.Name, Got: image.NewNRGBA(image.Rectangle{Max: size}), Want: image.NewNRGBA(image.Rectangle{Max: size})}
	given := pictureAnswer{}
	problem := "there is no answer"
	if c.answered[0] {
		fields := c.wrong[0]
		given = a.read(&a.q, &reader{fields: fields})
		if p := judgePicture(&a.q, given); p != nil {
			problem = p.what
		}
	}
	for y := range size.Y {
		for x := range size.X {
			want := pixelAt(right.img, x, y)
			out.Want.SetNRGBA(x, y, want)
			if given.img == nil || given.img.Bounds().Size() != size {
				out.Wrong = append(out.Wrong, image.Pt(x, y))
				out.Missing++
				continue
			}
			got := pixelAt(given.img, x, y)
			out.Got.SetNRGBA(x, y, got)
			if step := largestStep(got, want); step > maxStep {
				if len(out.Wrong) == 0 {
					out.First = &Pixel{X: x, Y: y, Field: "png", Problem: fmt.Sprintf("the color is off by %d steps", step), Want: bytesOf(want), Got: bytesOf(got)}
				}
				out.Wrong = append(out.Wrong, image.Pt(x, y))
			}
		}
	}
	if out.Missing > 0 {
		out.First = &Pixel{Field: "png", Problem: problem}
	}
	return out, nil
}

// pixelAt returns the color of a pixel, counted from the upper left corner of the image.
func pixelAt(m image.Image, x, y int) color.NRGBA {
	return color.NRGBAModel.Convert(m.At(m.Bounds().Min.X+x, m.Bounds().Min.Y+y)).(color.NRGBA)
}

// bytesOf returns the channels of a color.
func bytesOf(c color.NRGBA) [4]int { return [4]int{int(c.R), int(c.G), int(c.B), int(c.A)} }

// largestStep returns the largest difference between two colors in any channel, 0 to 255.
func largestStep(a, b color.NRGBA) int {
	most := 0
	x, y := bytesOf(a), bytesOf(b)
	for k := range x {
		most = max(most, x[k]-y[k], y[k]-x[k])
	}
	return most
}

// encoded returns a linear color as stored in a picture.
func encoded(c shade.Color) color.NRGBA {
	c = c.Clamp()
	return color.NRGBA{R: shade.EncodeSRGB8(c.R), G: shade.EncodeSRGB8(c.G), B: shade.EncodeSRGB8(c.B), A: 255}
}
