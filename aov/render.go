package aov

import (
	"cmp"
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
// they mean to [pillbox.Render]. The error says which of them is out of range, that the camera
// is degenerate for a picture of this size, or that ctx ended early; there are no views then.
func Render(ctx context.Context, s *scene.Scene, kinds []Kind, opt pillbox.Options) ([]*View, error) {
	j, err := newJob(ctx, s, kinds, opt)
	if err != nil {
		return nil, err
	}
	if err := j.run(ctx); err != nil {
		return nil, err
	}
	return j.views, nil
}

// job is one call of [Render]: what its workers share.
type job struct {
	world    *accel.World
	centers  *explain.Tracer // of the rays through the centres, nil if no view needs them
	samples  *explain.Tracer // of the picture's rays, nil if no view needs them or there are no others
	refined  []bool          // the pixels of the region whose colour comes from samples; nil: all
	weight   int             // how often the one sample of any other pixel counts
	isCostly bool            // a view of the cost is wanted
	views    []*View
	region   image.Rectangle
	workers  int
	progress func(done, all int)

	nextRow atomic.Int64

	mu   sync.Mutex
	rows int // done
}

func newJob(ctx context.Context, s *scene.Scene, kinds []Kind, opt pillbox.Options) (*job, error) {
	size, err := opt.PictureSize(s)
	if err != nil {
		return nil, err
	}
	j := &job{world: opt.World, region: opt.Region, workers: opt.Workers, progress: opt.Progress}
	whole := image.Rectangle{Max: size}
	if j.region == (image.Rectangle{}) {
		j.region = whole
	}
	if j.region.Empty() || !j.region.In(whole) {
		return nil, fmt.Errorf("region must lie inside the picture of %d x %d pixels and not be empty, got %v", size.X, size.Y, j.region)
	}
	if j.workers < 0 {
		return nil, fmt.Errorf("workers must not be negative, got %d", j.workers)
	}
	if j.workers == 0 {
		j.workers = runtime.GOMAXPROCS(0)
	}
	if j.world == nil {
		j.world = s.World()
	}
	if err := j.prepare(ctx, s, kinds, opt); err != nil {
		return nil, err
	}
	for _, k := range kinds {
		v := &View{Kind: k, Region: j.region, bounces: s.Shading.Bounces}
		v.Values = make([]float32, j.region.Dx()*j.region.Dy()*k.Channels())
		j.views = append(j.views, v)
	}
	j.isCostly = slices.Contains(kinds, Cost)
	return j, nil
}

// prepare makes the tracers that the kinds need.
func (j *job) prepare(ctx context.Context, s *scene.Scene, kinds []Kind, opt pillbox.Options) error {
	opt.World, opt.Progress = j.world, nil
	full := *s
	full.Image.Adaptive = false // refined decides for all pixels at once
	t, err := explain.New(&full, opt)
	if err != nil {
		return err
	}
	n := cmp.Or(opt.Antialias, s.Image.Antialias)
	if n == 1 {
		j.centers = t.Quiet()
		return nil
	}
	if slices.Contains(kinds, Color) {
		j.samples = t.Quiet()
		if s.Image.Adaptive {
			film, err := pillbox.Render(ctx, s, opt)
			if err != nil {
				return err
			}
			j.refined, j.weight = film.Refined, n*n
		}
	}
	if j.refined != nil || slices.ContainsFunc(kinds, func(k Kind) bool { return k != Color }) {
		opt.Antialias = 1
		if t, err = explain.New(&full, opt); err != nil {
			return err
		}
		j.centers = t.Quiet()
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
	path   *explain.Path // of the ray through the centre
	linear shade.Color   // the average of all samples
	cost   int           // of the walk to what the ray meets
}

// look follows the rays of a pixel.
func (j *job) look(at image.Point) pixel {
	var p pixel
	if j.centers != nil {
		center := explained(j.centers, at)
		p.path, p.linear = center.Samples[0].Path, center.Linear
		if j.isCostly {
			p.cost = costOf(j.world, p.path.Ray)
		}
	}
	switch {
	case j.samples == nil:
	case j.isRefined(at):
		p.linear = explained(j.samples, at).Linear
	default:
		// As the picture has it, whose sum rounds.
		p.linear = shade.Color{}.AddTimes(p.linear, j.weight).Div(float64(j.weight))
	}
	return p
}

// isRefined reports whether the picture has all samples of a pixel.
func (j *job) isRefined(at image.Point) bool {
	at = at.Sub(j.region.Min)
	return j.refined == nil || j.refined[at.Y*j.region.Dx()+at.X]
}

func explained(t *explain.Tracer, at image.Point) *explain.Pixel {
	p, err := t.Pixel(at)
	if err != nil {
		panic(fmt.Sprintf("aov: %v", err)) // the region lies inside the picture
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

// measure stores the pixel's values in a view of the given kind.
func (p *pixel) measure(k Kind, values []float32) {
	switch k {
	case Depth:
		values[0] = float32(p.path.Hit.T)
	case Color:
		values[0], values[1], values[2] = single(p.linear.R), single(p.linear.G), single(p.linear.B)
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
