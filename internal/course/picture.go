package course

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"math"
	"slices"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/follow"
	"pillbox/shade"
)

// A picture passes if at most the fraction maxShare of its pixels differ by more than maxStep 8-bit steps in a channel.
// Rounding decides about pixels on edges, and about the last step of a color.
const (
	maxStep  = 3
	maxShare = 0.001

	alikeShare = 0.01 // the largest share of pixels in which two wrong pictures that are considered equal may differ
)

// pictureQuestion is a scene and the file for its picture.
type pictureQuestion struct {
	st   *follow.Prepared
	text string // of the scene, in TOML; "" if it is one of the user's
	file string // path of the scene; "" if it is not in a file
	png  string // path of the picture

	read func(name string) (image.Image, error) // reads a picture that the learner's program wrote

	marks []image.Point // a few pixels in which it differs from the right one, once computed
}

// MarshalJSON encodes the question as docs/course/protocol.md describes it.
func (q *pictureQuestion) MarshalJSON() ([]byte, error) {
	s, err := sceneJSON(q.st)
	if err != nil {
		return nil, err
	}
	return json.Marshal(struct {
		SceneFile string          `json:"scene_file,omitempty"`
		PNG       string          `json:"png"`
		Scene     json.RawMessage `json:"scene"`
	}{q.file, q.png, s})
}

// pictureAnswer is an answer in the stage picture: the picture that the learner's program wrote.
type pictureAnswer struct {
	img image.Image
	err error // why the picture cannot be read
}

// MarshalJSON encodes the answer as docs/course/protocol.md describes it.
func (p pictureAnswer) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }

// pictureStage returns the stage about whole pictures.
func pictureStage() kind {
	var asks []ask[pictureQuestion]
	for _, m := range sceneAsks() {
		asks = append(asks, ask[pictureQuestion]{m.class, m.name, func(d *dice) pictureQuestion {
			if len(d.scenes) > 0 {
				mine := d.scenes[d.id]
				return pictureQuestion{st: mine, file: mine.Scene.Name, png: d.path("picture", ".png"), read: d.picture}
			}
			q := m.make(d)
			q.st.Antialias = min(1+d.id, 2)
			return pictureQuestion{st: q.st, text: q.text, file: d.sceneFile(), png: d.path("picture", ".png"), read: d.picture}
		}})
	}
	return &stageOf[pictureQuestion, pictureAnswer]{
		asks: asks, solve: solvePicture,
		read: func(q *pictureQuestion, _ *reader) pictureAnswer {
			img, err := q.read(q.png)
			return pictureAnswer{img, err}
		},
		judge: judgePicture,
		alike: func(a, b pictureAnswer) bool {
			if a.img == nil || b.img == nil {
				return false
			}
			d, ok := compare(a.img, b.img)
			return ok && float64(d.changed) <= alikeShare*float64(d.all)
		},
		derive: func(q *pictureQuestion) Derivation {
			middle := q.st.Size.Div(2)
			return q.derivePixel(middle)
		},
		library: pictureMistakes(), keepers: pictureKeepers(), changes: pictureChanges(), pixels: wholePicture(),
		books: books[pictureQuestion, pictureAnswer]{lesson: "antialiasing.md", styles: solidStyles, run: (*program).paint, gives: (*program).paints, kinds: 16},
	}
}

// derivePixel returns the command that explains how the color of a pixel of the right picture is computed.
func (q *pictureQuestion) derivePixel(p image.Point) Derivation {
	name := q.file
	if q.text != "" {
		name = "-"
	}
	return Derivation{
		Args: []string{"explain", name, "--pixel", list(float64(p.X), float64(p.Y)), "--width", numberText(float64(q.st.Size.X)),
			"--height", numberText(float64(q.st.Size.Y)), "--antialias", numberText(float64(q.st.Antialias)), "--brief"},
		Stdin: q.text,
	}
}

func solvePicture(q *pictureQuestion) pictureAnswer {
	p := new(pillbox.Prepared)
	follow.Hold(p, q.st)
	film, err := p.Render(context.Background(), pillbox.Work{})
	if err != nil {
		return pictureAnswer{err: err}
	}
	return pictureAnswer{img: film.Image}
}

// judgePicture compares the learner's picture with the right one. If too many pixels differ, the problem contains a
// derivation of the pixel that differs most.
func judgePicture(q *pictureQuestion, given pictureAnswer) *problem {
	if given.err != nil {
		return &problem{field: "png", what: fmt.Sprintf("cannot be read: %v", given.err)}
	}
	want := solvePicture(q).img
	d, ok := compare(given.img, want)
	switch {
	case !ok:
		got, want := given.img.Bounds(), want.Bounds()
		return &problem{field: "png", what: fmt.Sprintf("has %d x %d pixels, want %d x %d", got.Dx(), got.Dy(), want.Dx(), want.Dy())}
	case float64(d.changed) > maxShare*float64(d.all):
		derivation := q.derivePixel(d.mostAt)
		return &problem{field: "png", what: fmt.Sprintf("%d of %d pixels differ by more than %d steps, most of all pixel %d,%d, by %d; at most %g %% may",
			d.changed, d.all, maxStep, d.mostAt.X, d.mostAt.Y, d.most, 100*maxShare), derive: &derivation, fact: d.words()}
	}
	return nil
}

// difference counts the pixels in which two pictures differ.
type difference struct {
	all     int
	changed int // by more than maxStep
	most    int // steps
	mostAt  image.Point

	darker, brighter int // the numbers of changed pixels without a brighter or without a darker channel
}

// words describes the changed pixels in words that may fit several pictures. It returns "" if they have nothing in common.
func (d *difference) words() string {
	const some = "pixels are"
	subject, others := some, ", the other pixels are right"
	switch {
	case d.changed == d.all:
		subject, others = "every pixel is", ""
	case 20*d.changed <= d.all:
		subject = "at most 5 % of the pixels are"
	}
	switch {
	case d.darker == d.changed:
		return subject + " too dark" + others
	case d.brighter == d.changed:
		return subject + " too bright" + others
	case subject != some:
		return subject + " wrong"
	}
	return ""
}

// compare counts the pixels of the picture got that differ from the picture want by more than maxStep, and finds the
// pixel that differs most. Alpha counts like a channel. The result ok is false if the sizes of the pictures differ.
func compare(got, want image.Image) (d difference, ok bool) {
	size := want.Bounds().Size()
	if got.Bounds().Size() != size {
		return d, false
	}
	d.all = size.X * size.Y
	for y := range size.Y {
		for x := range size.X {
			g, w := pixelAt(got, x, y), pixelAt(want, x, y)
			step := largestStep(g, w)
			if step > maxStep {
				d.changed++
				if g.R <= w.R && g.G <= w.G && g.B <= w.B {
					d.darker++
				}
				if g.R >= w.R && g.G >= w.G && g.B >= w.B {
					d.brighter++
				}
			}
			if step > d.most {
				d.most, d.mostAt = step, image.Pt(x, y)
			}
		}
	}
	return d, true
}

// FirstPicture returns the learner's first wrong picture, and the right one. The result ok is false if the stage is
// not about whole pictures, if no answer is wrong, or if the wrong answer is not a picture that can be read. The
// sizes of the two pictures may differ.
func (e *Exam) FirstPicture() (got, want image.Image, ok bool) {
	if e.first < 0 {
		return nil, nil, false
	}
	a, ok := e.question(e.first).(*asked[pictureQuestion, pictureAnswer])
	if !ok {
		return nil, nil, false
	}
	given := a.read(&a.q, &reader{fields: e.firstAnswer})
	want = solvePicture(&a.q).img
	return given.img, want, given.img != nil
}

// PictureStep is the number of 8-bit steps by which a channel of a pixel may differ.
const PictureStep = maxStep

// painter renders pictures. Mistakes replace some of its functions.
type painter struct {
	tracer
	ray     func(x, y float64) geom.Ray // through a point of the picture, in pixels
	samples int
	encode  func(float64) int
	average func(samples []shade.Color) shade.Color
}

func newPainter(st *follow.Prepared) *painter {
	p := &painter{tracer: *newTracer(st), samples: st.Antialias, encode: func(x float64) int { return int(shade.EncodeSRGB8(x)) }}
	c := st.Scene.CameraFor(st.Size.X, st.Size.Y)
	p.ray = func(x, y float64) geom.Ray {
		s := (&program{}).cameraRay(&c, float64(st.Size.X), float64(st.Size.Y), x, y)
		return geom.Ray{Origin: s.Origin, Dir: s.Dir}
	}
	p.average = func(samples []shade.Color) shade.Color {
		var sum shade.Color
		for _, s := range samples {
			sum = sum.Add(s.Clamp())
		}
		return sum.Div(float64(len(samples)))
	}
	return p
}

// paint renders the picture.
func (p *painter) paint() pictureAnswer {
	img := image.NewNRGBA(image.Rectangle{Max: p.st.Size})
	n := p.samples
	samples := make([]shade.Color, n*n)
	for y := range p.st.Size.Y {
		for x := range p.st.Size.X {
			for k := range samples {
				ray := p.ray(float64(x)+(float64(k%n)+0.5)/float64(n), float64(y)+(float64(k/n)+0.5)/float64(n))
				samples[k] = p.follow(p.st.CameraRay(ray), 0)
			}
			c := p.average(samples)
			img.SetNRGBA(x, y, color.NRGBA{R: uint8(p.encode(c.R)), G: uint8(p.encode(c.G)), B: uint8(p.encode(c.B)), A: 255})
		}
	}
	return pictureAnswer{img: img}
}

// averaged returns a function that computes a pixel's color: the sum of weighted(c, n) for all its samples c. The
// number of samples along a side of the pixel is n.
func averaged(weighted func(c shade.Color, n int) shade.Color) func(samples []shade.Color) shade.Color {
	return func(samples []shade.Color) shade.Color {
		n := int(math.Round(math.Sqrt(float64(len(samples)))))
		var sum shade.Color
		for _, s := range samples {
			sum = sum.Add(weighted(s, n))
		}
		return sum
	}
}

// pictureChanges returns the mistakes that change the finished right picture.
func pictureChanges() []change[pictureQuestion, pictureAnswer] {
	// pixels returns an edit that computes each pixel from the right picture.
	pixels := func(f func(img image.Image, x, y int) color.NRGBA) func(*pictureQuestion) func(*pictureAnswer) {
		return telling(func(_ *pictureQuestion, a *pictureAnswer) {
			if a.img == nil {
				return
			}
			right := a.img
			out := image.NewNRGBA(image.Rectangle{Max: right.Bounds().Size()})
			for y := range out.Rect.Max.Y {
				for x := range out.Rect.Max.X {
					out.SetNRGBA(x, y, f(right, x, y))
				}
			}
			a.img = out
		})
	}
	of := func(name, advice, lesson string, f func(img image.Image, x, y int) color.NRGBA) change[pictureQuestion, pictureAnswer] {
		return change[pictureQuestion, pictureAnswer]{Mistake: Mistake{name, advice, lesson}, edit: pixels(f)}
	}
	// without returns edits for pixels that are not written, and remain black or transparent.
	without := func(name, advice string, lost func(size image.Point, x, y int) bool) []change[pictureQuestion, pictureAnswer] {
		var all []change[pictureQuestion, pictureAnswer]
		for _, blank := range [...]color.NRGBA{{A: 255}, {}} {
			all = append(all, of(name, advice, "antialiasing.md", func(img image.Image, x, y int) color.NRGBA {
				if lost(img.Bounds().Size(), x, y) {
					return blank
				}
				return pixelAt(img, x, y)
			}))
		}
		return all
	}
	all := []change[pictureQuestion, pictureAnswer]{
		of("red and blue are exchanged", "A pixel of a PNG is red, green, blue, in this order.", "lambert.md", func(img image.Image, x, y int) color.NRGBA {
			c := pixelAt(img, x, y)
			c.R, c.B = c.B, c.R
			return c
		}),
		of("the picture is upside down", "The first row of a PNG is the top of the picture.", "camera.md", func(img image.Image, x, y int) color.NRGBA { return pixelAt(img, x, img.Bounds().Dy()-1-y) }),
		of("x is mirrored", "Right is forward × up, and column 0 is at the left.", "camera.md", func(img image.Image, x, y int) color.NRGBA { return pixelAt(img, img.Bounds().Dx()-1-x, y) }),
		of("the picture is transparent", "Each pixel is opaque: its alpha is 255, or the PNG has no alpha.", "antialiasing.md", func(img image.Image, x, y int) color.NRGBA {
			c := pixelAt(img, x, y)
			c.A = 0
			return c
		}),
		of("the picture is gray", "A pixel has three channels: red, green and blue.", "lambert.md", func(img image.Image, x, y int) color.NRGBA {
			c := pixelAt(img, x, y)
			return color.NRGBA{R: c.R, G: c.R, B: c.R, A: 255}
		}),
	}
	for _, blank := range [...]color.NRGBA{{A: 255}, {}} {
		all = append(all, of("rows and columns are exchanged", "A PNG is written row by row: x runs fastest.", "camera.md", func(img image.Image, x, y int) color.NRGBA {
			if y >= img.Bounds().Dx() || x >= img.Bounds().Dy() {
				return blank
			}
			return pixelAt(img, y, x)
		}))
	}
	return slices.Concat(all,
		without("the picture is black", "Every pixel is black, as if none were written. Compute the color of each pixel, and write it as three bytes: red, green and blue.", func(image.Point, int, int) bool { return true }),
		without("the last column is missing", "The loop over columns must include W - 1.", func(size image.Point, x, _ int) bool { return x == size.X-1 }),
		without("the first column is missing", "The loop over columns must begin at 0.", func(_ image.Point, x, _ int) bool { return x == 0 }),
		without("the last row is missing", "The loop over rows must include H - 1.", func(size image.Point, _, y int) bool { return y == size.Y-1 }),
		without("the first row is missing", "The loop over rows must begin at 0.", func(_ image.Point, _, y int) bool { return y == 0 }))
}

const wrapAdvice = "A byte holds 0 to 255. A larger number loses its upper bits, so that the brightest places become dark. Limit each color to 0..1 before you make bytes of it."

// wraps returns the mistake of a painter that limits no color. It stores the lower 8 bits of factor times the encoded color
// plus the number more.
func wraps(factor, more float64) func(p *painter) {
	return func(p *painter) {
		p.average = averaged(func(c shade.Color, n int) shade.Color { return c.Div(float64(n * n)) })
		p.encode = func(x float64) int { return int(float64(factor*srgb(x)) + more) }
	}
}

// keepsSum returns the mistake of a painter that sets the sum of the samples to 0 only once or, if rows is true, once a
// row.
func keepsSum(rows bool) func(p *painter) {
	return func(p *painter) {
		var sum shade.Color
		pixels, average := 0, sumOnto(&sum)
		p.average = func(samples []shade.Color) shade.Color {
			if rows && pixels%p.st.Size.X == 0 {
				sum = shade.Color{}
			}
			pixels++
			return average(samples)
		}
	}
}

// sumOnto returns a function that adds the samples of a pixel to sum, and returns it divided by their number.
func sumOnto(sum *shade.Color) func(samples []shade.Color) shade.Color {
	return func(samples []shade.Color) shade.Color {
		for _, s := range samples {
			*sum = sum.Add(s.Clamp())
		}
		return sum.Div(float64(len(samples)))
	}
}

// unresetSum returns the mistake of a program that does not set the sum of the samples to 0 for each pixel.
func unresetSum() Mistake {
	return Mistake{"the sum of the samples is not reset for each pixel", "The sum begins at 0 for each pixel. Otherwise every pixel also contains the pixels before it.", "antialiasing.md"}
}

func pictureMistakes() []variant[pictureQuestion, pictureAnswer] {
	with := func(name, advice, lesson string, spoil func(p *painter)) variant[pictureQuestion, pictureAnswer] {
		return variant[pictureQuestion, pictureAnswer]{Mistake{name, advice, lesson}, func(q *pictureQuestion) pictureAnswer {
			p := newPainter(q.st)
			spoil(p)
			return p.paint()
		}}
	}
	// moved returns a variant that changes the points of the picture through which rays pass.
	moved := func(to func(p *painter, x, y float64) (float64, float64)) func(p *painter) {
		return func(p *painter) {
			ray := p.ray
			p.ray = func(x, y float64) geom.Ray { return ray(to(p, x, y)) }
		}
	}
	sum := unresetSum()
	curve := func(f func(x float64) float64) func(p *painter) { return func(p *painter) { p.encode = byte8(f) } }
	all := []variant[pictureQuestion, pictureAnswer]{
		with("the result is encoded with a power of 2.2", "The sRGB curve is linear near 0, and a power of 2.4 above. A power of 2.2 is only an approximation.", "traps.md#wrong-gamma",
			curve(func(x float64) float64 { return math.Pow(x, 1/2.2) })),
		with("the result is encoded with a square root", "A square root is only a rough approximation of the sRGB curve.", "traps.md#wrong-gamma",
			curve(math.Sqrt)),
		with("pixels are not square", "The width of the picture is its height times W / H. Otherwise the picture is squeezed into a square.", "camera.md",
			moved(func(p *painter, x, y float64) (float64, float64) {
				w, h := float64(p.st.Size.X), float64(p.st.Size.Y)
				return w/2 + (x-w/2)*h/w, y
			})),
		with("rows and columns are exchanged", "A PNG is written row by row: x runs fastest.", "camera.md",
			moved(func(p *painter, x, y float64) (float64, float64) { return y, x })),
		with("the result is not encoded", "A picture stores sRGB: encode the average of the samples.", "traps.md#wrong-gamma",
			func(p *painter) { p.encode = unencoded }),
		with("colors brighter than white wrap around", wrapAdvice, "antialiasing.md", wraps(255, 0.5)),
		with("colors brighter than white wrap around", wrapAdvice, "antialiasing.md", wraps(256, 0)),
		with(sum.Name, sum.Advice, sum.Lesson, keepsSum(false)),
		with(sum.Name, sum.Advice, sum.Lesson, keepsSum(true)),
		with("samples are not clamped", "Clamp each sample to 0..1 before you average: a bright highlight must not outshine its neighbors.", "antialiasing.md",
			func(p *painter) {
				p.average = averaged(func(c shade.Color, n int) shade.Color { return c.Div(float64(n * n)) })
			}),
		with("the sum is divided by n instead of n²", "A pixel has n x n samples: divide their sum by n².", "antialiasing.md",
			func(p *painter) {
				p.average = averaged(func(c shade.Color, n int) shade.Color { return c.Clamp().Div(float64(n)) })
			}),
		with("the sum is not divided", "A pixel has n x n samples: divide their sum by n².", "antialiasing.md",
			func(p *painter) { p.average = averaged(func(c shade.Color, _ int) shade.Color { return c.Clamp() }) }),
		with("rays go through pixel corners instead of centers", "Samples lie in the middles of a grid: (i + 0.5) / n.", "camera.md",
			moved(func(p *painter, x, y float64) (float64, float64) {
				return x - 0.5/float64(p.samples), y - 0.5/float64(p.samples)
			})),
		with("there is one ray a pixel", "antialias = n asks for n x n rays, in the middles of a grid.", "antialiasing.md",
			func(p *painter) { p.samples = 1 }),
		with("samples are averaged after they are encoded", "The average of light is the average of linear numbers. Encode once, at the end.", "antialiasing.md",
			func(p *painter) {
				p.average = func(samples []shade.Color) shade.Color {
					var sum shade.Color
					for _, s := range samples {
						sum = sum.Add(shade.Color{R: float64(shade.EncodeSRGB8(s.R)), G: float64(shade.EncodeSRGB8(s.G)), B: float64(shade.EncodeSRGB8(s.B))})
					}
					return sum.Div(float64(len(samples)))
				}
				p.encode = func(x float64) int { return int(x + 0.5) }
			}),
		with("gamma is omitted", "Make colors linear when they come in, encode them when they go out.", "traps.md#wrong-gamma",
			func(p *painter) {
				p.encode = unencoded
				p.withoutGamma()
			}),
		with("nothing casts a shadow", "For every light, test whether something blocks it.", "shadows.md",
			func(p *painter) { p.shadows = false }),
		with("there are no mirrors", "Follow the reflected ray and mix: (1 - m) matte + m mirror.", "mirrors.md",
			func(p *painter) { p.bounces = 0 }),
		with("the tangent of the whole field of view is used", "Half of the field of view is on each side of the axis: height = 2 tan(fov / 2).", "camera.md",
			func(p *painter) {
				c := p.st.Scene.CameraFor(p.st.Size.X, p.st.Size.Y)
				factor := c.FOV.Tan() / (c.FOV / 2).Tan()
				moved(func(p *painter, x, y float64) (float64, float64) {
					w, h := float64(p.st.Size.X)/2, float64(p.st.Size.Y)/2
					return w + factor*(x-w), h + factor*(y-h)
				})(p)
			}),
	}
	return all
}
