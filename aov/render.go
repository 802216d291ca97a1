package aov

import (
	"context"
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"pillbox"
	"pillbox/accel"
	"pillbox/explain"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// View is what one kind shows of a rectangle of the picture.
type View struct {
	Kind   Kind
	Region image.Rectangle // of the picture

	// Values holds Kind.Channels() numbers a pixel, pixel by pixel, row by row from the top.
	Values []float32

	bounces int // the scene's limit, for Bounces
}

// Render returns a view of s for each of the kinds. The scene must not be modified meanwhile.
//
// Of the options, Size, Antialias, Region, Workers, World and Progress count, and mean what
// they mean to [pillbox.Render]; a pixel is done when all its views are. The errors are those
// of pillbox.Render, too, and there are no views then.
func Render(ctx context.Context, s *scene.Scene, kinds []Kind, opt pillbox.Options) ([]*View, error) {
	opt = pillbox.Options{
		Size: opt.Size, Antialias: opt.Antialias, Region: opt.Region,
		Workers: opt.Workers, World: opt.World, Progress: opt.Progress,
	}
	j, err := newJob(s, kinds, opt)
	if err != nil {
		return nil, err
	}
	if slices.Contains(kinds, Color) {
		if err := j.renderColor(ctx, s, opt); err != nil {
			return nil, err
		}
	}
	if j.tracer == nil {
		return j.views, nil
	}
	if err := j.run(ctx); err != nil {
		return nil, err
	}
	return j.views, nil
}

// job is one call of [Render]: what its workers share.
type job struct {
	world    *accel.World
	tracer   *explain.Tracer // of the rays through the centres, nil if no view needs them
	isCostly bool            // a view of the cost is wanted
	views    []*View
	region   image.Rectangle
	workers  int
	progress func(done, all int)

	nextRow atomic.Int64

	mu   sync.Mutex
	rows int // done
}

func newJob(s *scene.Scene, kinds []Kind, opt pillbox.Options) (*job, error) {
	size, err := opt.PictureSize(s)
	if err != nil {
		return nil, err
	}
	j := &job{workers: opt.Workers, progress: opt.Progress}
	if j.region, err = opt.PictureRegion(size); err != nil {
		return nil, err
	}
	if j.workers < 0 {
		return nil, fmt.Errorf("workers must not be negative, got %d", j.workers)
	}
	if j.workers == 0 {
		j.workers = runtime.GOMAXPROCS(0)
	}
	if _, err := opt.PictureAntialias(s); err != nil {
		return nil, err
	}
	if j.world, err = opt.SceneWorld(s); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(kinds, func(k Kind) bool { return k != Color }) {
		t, err := explain.New(s, pillbox.Options{Size: size, Antialias: 1, World: j.world})
		if err != nil {
			return nil, err
		}
		j.tracer = t.Quiet()
	}
	for _, k := range kinds {
		v := &View{Kind: k, Region: j.region, bounces: s.Shading.Bounces}
		v.Values = make([]float32, j.region.Dx()*j.region.Dy()*k.Channels())
		j.views = append(j.views, v)
	}
	j.isCostly = slices.Contains(kinds, Cost)
	return j, nil
}

// renderColor renders the picture and stores its linear colours.
func (j *job) renderColor(ctx context.Context, s *scene.Scene, opt pillbox.Options) error {
	opt.World, opt.Linear = j.world, true
	if j.tracer != nil {
		opt.Progress = nil // the other views come last
	}
	film, err := pillbox.Render(ctx, s, opt)
	if err != nil {
		return err
	}
	for _, v := range j.views {
		if v.Kind != Color {
			continue
		}
		for i, c := range film.Linear {
			v.Values[3*i], v.Values[3*i+1], v.Values[3*i+2] = single(c.R), single(c.G), single(c.B)
		}
	}
	return nil
}

// run renders row after row on the job's workers until all are done or ctx ends.
func (j *job) run(ctx context.Context) error {
	height := j.region.Dy()
	var wg sync.WaitGroup
	for range min(j.workers, height) {
		wg.Go(func() {
			for {
				y := int(j.nextRow.Add(1)) - 1
				if y >= height || !j.row(ctx, y) {
					return
				}
				j.finish()
			}
		})
	}
	wg.Wait()
	if j.rows < height {
		return context.Cause(ctx)
	}
	return nil
}

// row renders a row of the region, and returns false if ctx ended meanwhile.
func (j *job) row(ctx context.Context, y int) bool {
	width := j.region.Dx()
	for x := range width {
		if ctx.Err() != nil {
			return false
		}
		p := j.look(j.region.Min.Add(image.Pt(x, y)))
		for _, v := range j.views {
			n := v.Kind.Channels()
			p.measure(v.Kind, v.Values[(y*width+x)*n:][:n])
		}
	}
	return true
}

// finish accounts for a row.
func (j *job) finish() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.rows++
	if j.progress != nil {
		j.progress(j.rows*j.region.Dx(), j.region.Dy()*j.region.Dx())
	}
}

// pixel is what is known of a pixel.
type pixel struct {
	path *explain.Path // of the ray through the centre
	cost int           // of the walk to what the ray meets
}

// look follows the ray through the centre of a pixel.
func (j *job) look(at image.Point) pixel {
	explained, err := j.tracer.Pixel(at)
	if err != nil {
		panic(fmt.Sprintf("aov: %v", err)) // the region lies inside the picture
	}
	p := pixel{path: explained.Samples[0].Path}
	if j.isCostly {
		p.cost = costOf(j.world, p.path.Ray)
	}
	return p
}

// costOf counts the steps of a ray's walk.
func costOf(w *accel.World, r geom.Ray) int {
	var t toll
	w.WalkNearest(r, &t)
	return int(t)
}

// toll is an [accel.Probe] that counts.
type toll int

// Node counts a node that the ray enters; looking at its bounds is part of entering its parent.
func (t *toll) Node(s accel.NodeStep) {
	if s.Outcome == accel.Entered {
		*t++
	}
}

func (t *toll) Solid(accel.SolidStep) { *t++ }

// measure stores the pixel's values in a view of the given kind, but for its colour.
func (p *pixel) measure(k Kind, values []float32) {
	switch k {
	case Depth:
		values[0] = float32(p.path.Hit.T)
	case Color:
	case Cost:
		values[0] = float32(p.cost)
	default:
		p.surface(k, values)
	}
}

// surface stores values that only a surface has.
func (p *pixel) surface(k Kind, values []float32) {
	if p.path.Hit.Object == accel.None {
		for i := range values {
			values[i] = float32(math.NaN())
		}
		return
	}
	switch k {
	case Normal:
		n := p.path.Normal
		values[0], values[1], values[2] = float32(n.X), float32(n.Y), float32(n.Z)
	case Object:
		// Exact for the first 2^24 solids; there are no more colours than that either.
		values[0] = float32(p.path.Hit.Object)
	case Facing:
		values[0] = float32(p.facing())
	case Shadow:
		values[0] = p.lit()
	case Bounces:
		values[0] = float32(p.bounces())
	}
}

// facing returns N.V, with the sign set where the ray meets the surface from inside.
func (p *pixel) facing() float64 {
	// Rounding may turn the normal at an outline away, by next to nothing.
	cos := max(0, p.path.Normal.Dot(p.path.Ray.Dir.Neg()))
	if p.path.Hit.Inside {
		return math.Copysign(cos, -1)
	}
	return cos
}

func (p *pixel) lit() float32 {
	arrive := 0
	for i := range p.path.Lights {
		if p.path.Lights[i].Fate == explain.Arrives {
			arrive++
		}
	}
	return float32(arrive) / float32(len(p.path.Lights))
}

func (p *pixel) bounces() int {
	n := 0
	for q := p.path.Mirror; q != nil; q = q.Mirror {
		n++
	}
	return n
}

// single rounds a channel of linear light to 32 bits. It rounds to the other side where the
// nearest number would be encoded as another sRGB value.
func single(v float64) float32 {
	f := float32(v)
	if shade.Encode8(float64(f)) == shade.Encode8(v) {
		return f
	}
	if float64(f) > v {
		return math.Nextafter32(f, 0)
	}
	return math.Nextafter32(f, 1)
}
