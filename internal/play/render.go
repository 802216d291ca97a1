package play

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"image"
	"image/draw"
	"slices"
	"sync"
	"time"

	"pillbox"
	"pillbox/aov"
	"pillbox/figure"
	"pillbox/internal/parallel"
	"pillbox/internal/play/broken"
)

// FrameType is the type of a frame.
type FrameType byte

// The types of frames.
const (
	FrameHead   FrameType = 1 // JSON: size, antialias and view
	FramePixels FrameType = 2 // x, y, w, h, step as 16-bit numbers, and RGBA of ceil(w/step) x ceil(h/step) pixels
	FrameDone   FrameType = 3 // JSON: the picture is complete
	FrameError  FrameType = 4 // JSON: [Failure.JSON]; the last frame
	FrameAnswer FrameType = 5 // JSON: the answer to the question of the request, or [Failure.JSON]
)

// viewID is the view that identifies solids: each pixel, read as a four-byte number, is the number of the visible solid
// plus one, or 0 for the background.
const viewID = "id"

type renderRequest struct {
	sceneRequest
	Change *change `json:"change"` // nil: none
	Ask    *asked  `json:"ask"`    // a question to answer beside the picture; nil: none
	View   string  `json:"view"`
	Region *[4]int `json:"region"` // x, y, w, h
	Step   int     `json:"step"`
	Trap   string  `json:"trap"` // the name of a mistake with which the picture is rendered; "": none
}

type headFrame struct {
	Width     int    `json:"width"`
	Height    int    `json:"height"`
	Antialias int    `json:"antialias"`
	View      string `json:"view"`
	Edits     []Edit `json:"edits,omitempty"`  // of the text of the request, for its change
	Broken    string `json:"broken,omitempty"` // the mistake in the picture, in words: pages must show it beside the picture
}

type doneFrame struct {
	Hash    string       `json:"hash"` // "" for a part of a picture, and for a picture that is broken on purpose
	Rays    pillbox.Rays `json:"rays"`
	Seconds float64      `json:"seconds"`
	Scale   *scaleAnswer `json:"scale"`
}

type scaleAnswer struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
	Unit string  `json:"unit"`
}

// canvas is one view of a picture to be rendered.
type canvas struct {
	*picture
	prepared *pillbox.Prepared
	view     string
	kind     aov.Kind        // for viewID, it is Object
	trap     *broken.Mistake // made on purpose; nil: none
	figure   *figure.Figure  // the annotations; nil if the scene has no annotations or the view is not the color
}

func (e *Engine) canvas(ctx context.Context, r *sceneRequest, view string) (*canvas, error) {
	view = cmp.Or(view, aov.Color.String())
	kind, known := aov.ParseKind(view)
	if view == viewID {
		kind, known = aov.Object, true
	}
	if !known {
		return nil, failure(StatusMalformed, "there is no view %q", view)
	}
	p, err := e.picture(ctx, r)
	if err != nil {
		return nil, err
	}
	prepared, err := p.prepare()
	if err != nil {
		return nil, err
	}
	c := &canvas{picture: p, prepared: prepared, view: view, kind: kind}
	if c.isColor() && !prepared.Scene().Annotations.IsEmpty() {
		if c.figure, err = p.arranged(ctx, prepared); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// spoil makes the canvas render with the mistake called name, or without a mistake if name is "".
func (c *canvas) spoil(name string) error {
	if name == "" {
		return nil
	}
	m, ok := broken.Find(name)
	switch {
	case !ok:
		return failure(StatusMalformed, "there is no mistake %q", name)
	case !c.isColor():
		return failure(StatusMalformed, "a mistake changes colors only, not the view %s", c.view)
	}
	c.trap = &m
	return nil
}

func (c *canvas) isColor() bool { return c.view == aov.Color.String() }

// needsAll reports whether the color of a pixel depends on all other pixels. This is the case in views whose colors
// are scaled to the range of the picture's values.
func (c *canvas) needsAll() bool { return c.kind == aov.Depth || c.kind == aov.Cost }

// coarseStep returns the side, in pixels, of the squares of a coarse picture.
func (c *canvas) coarseStep() int {
	const most = 160 * 90 // about this many squares
	step := 2
	for (c.size.X/step)*(c.size.Y/step) > most {
		step *= 2
	}
	return step
}

// rectangles divides a picture into rectangles, ordered from the center outward.
func (c *canvas) rectangles() []image.Rectangle {
	whole := image.Rectangle{Max: c.size}
	if c.needsAll() {
		return []image.Rectangle{whole}
	}
	const samples = 128 * 128 // about this many samples per rectangle
	edge := 128
	for edge > 16 && edge*edge*c.antialias*c.antialias > samples {
		edge /= 2
	}
	for edge > 32 && c.size.X*c.size.Y < 16*edge*edge {
		edge /= 2
	}
	var list []image.Rectangle
	for y := 0; y < c.size.Y; y += edge {
		for x := 0; x < c.size.X; x += edge {
			list = append(list, image.Rect(x, y, x+edge, y+edge).Intersect(whole))
		}
	}
	distance := func(r image.Rectangle) int {
		d := r.Min.Add(r.Max).Sub(c.size)
		return d.X*d.X + d.Y*d.Y
	}
	slices.SortStableFunc(list, func(a, b image.Rectangle) int { return cmp.Compare(distance(a), distance(b)) })
	return list
}

type planRequest struct {
	sceneRequest
	View string `json:"view"`
	Trap string `json:"trap"`
}

type planAnswer struct {
	headFrame
	Step  int      `json:"step"`
	Rects [][4]int `json:"rects"`
}

func (e *Engine) plan(ctx context.Context, r *planRequest) (*planAnswer, error) {
	c, err := e.canvas(ctx, &r.sceneRequest, r.View)
	if err != nil {
		return nil, err
	}
	if err := c.spoil(r.Trap); err != nil {
		return nil, err
	}
	a := &planAnswer{headFrame: c.head(), Step: c.coarseStep()}
	for _, r := range c.rectangles() {
		a.Rects = append(a.Rects, [4]int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()})
	}
	return a, nil
}

func (c *canvas) head() headFrame {
	h := headFrame{Width: c.size.X, Height: c.size.Y, Antialias: c.antialias, View: c.view}
	if c.trap != nil {
		h.Broken = c.trap.Fault
	}
	return h
}

// tile is a rendered rectangle of a view.
type tile struct {
	image *image.NRGBA
	rays  pillbox.Rays
	scale *scaleAnswer
}

// render renders a rectangle on a number of goroutines.
func (c *canvas) render(ctx context.Context, region image.Rectangle, workers int) (tile, error) {
	pic := c.prepared.Picture()
	pic.Region = region
	p, err := c.moment.prepare(pic)
	if err != nil {
		return tile{}, err
	}
	if c.trap != nil {
		img, err := broken.Render(ctx, p, *c.trap, pillbox.Work{Workers: workers})
		if err != nil && ctx.Err() == nil {
			err = refused("%v", err)
		}
		return tile{image: img}, err
	}
	if c.isColor() {
		film, err := p.Render(ctx, pillbox.Work{Workers: workers})
		if err != nil {
			return tile{}, err
		}
		if c.figure != nil {
			if err := c.figure.Draw(ctx, film); err != nil {
				return tile{}, err
			}
		}
		return tile{image: film.Image, rays: film.Rays}, nil
	}
	views, err := aov.Render(ctx, p, []aov.Kind{c.kind}, pillbox.Work{Workers: workers})
	if err != nil {
		return tile{}, err
	}
	if c.view == viewID {
		return tile{image: numbers(views[0])}, nil
	}
	t := tile{image: views[0].Image()}
	if from, to, ok := views[0].Scale(); ok {
		t.scale = &scaleAnswer{from, to, c.kind.Meaning()}
	}
	return t, nil
}

// numbers converts a view of the kind aov.Object to the pixels of the view viewID.
func numbers(v *aov.View) *image.NRGBA {
	img := image.NewNRGBA(image.Rectangle{Max: v.Region.Size()})
	for i, x := range v.Values {
		if x >= 0 { // false for NaN, which means no solid
			binary.LittleEndian.PutUint32(img.Pix[4*i:], uint32(x)+1)
		}
	}
	return img
}

// coarse renders the picture with one pixel for each square of step x step pixels.
func (c *canvas) coarse(ctx context.Context, step, workers int) (tile, error) {
	size := image.Pt((c.size.X+step-1)/step, (c.size.Y+step-1)/step)
	p, err := c.moment.prepare(pillbox.Picture{Size: size, Antialias: 1})
	if err != nil {
		return tile{}, err
	}
	small := *c
	small.prepared = p
	if c.figure != nil {
		if small.figure, err = c.arranged(ctx, p); err != nil {
			return tile{}, err
		}
	}
	return small.render(ctx, p.Picture().Region, workers)
}

// painter sends the frames of a render.
type painter struct {
	mu   sync.Mutex
	emit func([]byte) error
}

func (p *painter) json(t FrameType, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return p.send(append([]byte{byte(t)}, data...))
}

func (p *painter) send(frame []byte) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.emit(frame)
}

// pixels sends a rectangle; img has one pixel for each square of step x step pixels.
func (p *painter) pixels(r image.Rectangle, step int, img *image.NRGBA) error {
	frame := make([]byte, 1, 11+len(img.Pix))
	frame[0] = byte(FramePixels)
	for _, n := range [...]int{r.Min.X, r.Min.Y, r.Dx(), r.Dy(), step} {
		frame = binary.LittleEndian.AppendUint16(frame, uint16(n)) // at most scene.MaxSide
	}
	return p.send(append(frame, img.Pix...))
}

func (e *Engine) render(ctx context.Context, body []byte, emit func([]byte) error) (any, error) {
	var r renderRequest
	if err := decode(body, &r); err != nil {
		return nil, err
	}
	begun := time.Now()
	edits, err := e.apply(ctx, &r.sceneRequest, r.Change)
	if err != nil {
		return nil, err
	}
	c, err := e.canvas(ctx, &r.sceneRequest, r.View)
	if err != nil {
		return nil, err
	}
	if err := c.spoil(r.Trap); err != nil {
		return nil, err
	}
	step, regions, err := c.wanted(&r)
	if err != nil {
		return nil, err
	}
	p, head := &painter{emit: emit}, c.head()
	head.Edits = edits
	if err := p.json(FrameHead, head); err != nil {
		return nil, err
	}
	var done *doneFrame
	work := []func(context.Context) error{func(ctx context.Context) (err error) {
		done, err = e.paint(ctx, c, p, step, regions)
		return err
	}}
	if r.Ask != nil {
		work = append(work, func(ctx context.Context) error { return e.answerBeside(ctx, &r, p) })
	}
	if err := parallel.Each(ctx, e.Workers, len(work), func(ctx context.Context, i int) error { return work[i](ctx) }); err != nil {
		return nil, err
	}
	done.Seconds = time.Since(begun).Seconds()
	return nil, p.json(FrameDone, done)
}

// answerBeside sends the answer to the question that a request for a picture contains, or the reason why there is
// none. The text of the request already contains the changes that the request specifies.
func (e *Engine) answerBeside(ctx context.Context, r *renderRequest, p *painter) error {
	a, err := e.explain(ctx, &explainRequest{sceneRequest: r.sceneRequest, asked: *r.Ask})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return p.send(append([]byte{byte(FrameAnswer)}, FailureOf(err).JSON()...))
	}
	return p.json(FrameAnswer, a)
}

// wanted returns the step of the coarse picture and the rectangles to render. The step is 0 if the page requests no
// coarse picture.
func (c *canvas) wanted(r *renderRequest) (step int, regions []image.Rectangle, err error) {
	whole := image.Rectangle{Max: c.size}
	switch {
	case r.Step < 0 || r.Step > 256:
		return 0, nil, failure(StatusMalformed, "step must lie between 1 and 256, got %d", r.Step)
	case r.Step > 0 && r.Region != nil:
		return 0, nil, failure(StatusMalformed, "want step or region, not both")
	case r.Step > 0:
		return r.Step, nil, nil
	case r.Region == nil:
		return c.coarseStep(), c.rectangles(), nil
	}
	x, y, w, h := r.Region[0], r.Region[1], r.Region[2], r.Region[3]
	region := image.Rect(x, y, x+w, y+h)
	if min(x, y) < 0 || min(w, h) < 1 || max(x, y, w, h) > max(c.size.X, c.size.Y) || !region.In(whole) {
		return 0, nil, failure(StatusMalformed, "the region must lie in the picture of %d x %d, got %v", c.size.X, c.size.Y, *r.Region)
	}
	return 0, []image.Rectangle{region}, nil
}

// paint renders the rectangles in regions on the engine's workers and sends them. Before that, it renders and sends a
// coarse picture, unless step is 0.
func (e *Engine) paint(ctx context.Context, c *canvas, p *painter, step int, regions []image.Rectangle) (*doneFrame, error) {
	whole := image.Rectangle{Max: c.size}
	done := &doneFrame{}
	if step > 0 {
		t, err := c.coarse(ctx, step, e.Workers)
		if err != nil {
			return nil, err
		}
		if err := p.pixels(whole, step, t.image); err != nil {
			return nil, err
		}
		done.Scale = t.scale
	}
	var film *image.NRGBA
	if c.isColor() && c.trap == nil && step > 0 && len(regions) > 0 {
		film = image.NewNRGBA(whole)
	}
	var mu sync.Mutex // guards done; the rectangles of film do not overlap
	err := parallel.Each(ctx, e.Workers, len(regions), func(ctx context.Context, i int) error {
		t, err := c.render(ctx, regions[i], 1)
		if err != nil {
			return err
		}
		if film != nil {
			draw.Draw(film, regions[i], t.image, image.Point{}, draw.Src)
		}
		mu.Lock()
		done.Rays.Primary += t.rays.Primary
		done.Rays.Shadow += t.rays.Shadow
		done.Rays.Mirror += t.rays.Mirror
		done.Scale = t.scale
		mu.Unlock()
		return p.pixels(regions[i], 1, t.image)
	})
	if err == nil && film != nil {
		done.Hash = pillbox.Hash(film)
	}
	return done, err
}
