package aov

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"pillbox"
	"pillbox/accel"
	"pillbox/scene"
	"pillbox/shade"
	"pillbox/stage"
	"pillbox/tasks"
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
	if err := validate(ctx, opt); err != nil {
		return nil, err
	}
	st, err := opt.Stage(s)
	if err != nil {
		return nil, err
	}
	return RenderStage(ctx, st, kinds, opt)
}

// RenderStage is [Render] of a scene that is set up already. Size, Antialias, Region and World are
// those of the stage, which must not be nil; the options' do not count.
func RenderStage(ctx context.Context, st *stage.Stage, kinds []Kind, opt pillbox.Options) ([]*View, error) {
	if err := validate(ctx, opt); err != nil {
		return nil, err
	}
	if st == nil {
		return nil, errors.New("want a stage, got nil")
	}
	j := newJob(st, kinds, opt)
	// One ray through the centre of a pixel tells all views but the colour.
	isTraced := slices.ContainsFunc(kinds, func(k Kind) bool { return k != Color })
	if slices.Contains(kinds, Color) {
		of := pillbox.Options{Workers: opt.Workers, Linear: true, Progress: opt.Progress}
		if isTraced {
			of.Progress = nil // the other views come last
		}
		film, err := pillbox.RenderStage(ctx, st, of)
		if err != nil {
			return nil, err
		}
		j.storeColor(film)
	}
	if isTraced {
		if err := j.run(ctx); err != nil {
			return nil, err
		}
	}
	return j.views, nil
}

func validate(ctx context.Context, opt pillbox.Options) error {
	if ctx == nil {
		return errors.New("want a context, got nil")
	}
	if opt.Workers < 0 {
		return fmt.Errorf("workers must not be negative, got %d", opt.Workers)
	}
	return nil
}

// job is one call of [Render]: what its workers share.
type job struct {
	stage    *stage.Stage
	isCostly bool // a view of the cost is wanted
	views    []*View
	workers  int
	progress func(done, all int)

	nextRow atomic.Int64

	mu   sync.Mutex
	rows int // done
}

func newJob(st *stage.Stage, kinds []Kind, opt pillbox.Options) *job {
	j := &job{stage: st, isCostly: slices.Contains(kinds, Cost), workers: opt.Workers, progress: opt.Progress}
	if j.workers == 0 {
		j.workers = runtime.GOMAXPROCS(0)
	}
	for _, k := range kinds {
		v := &View{Kind: k, Region: st.Region, bounces: st.Scene.Shading.Bounces}
		v.Values = make([]float32, st.Region.Dx()*st.Region.Dy()*k.Channels())
		j.views = append(j.views, v)
	}
	return j
}

// storeColor stores the linear colours of the picture.
func (j *job) storeColor(film *pillbox.Film) {
	for _, v := range j.views {
		if v.Kind != Color {
			continue
		}
		for i, c := range film.Linear {
			v.Values[3*i], v.Values[3*i+1], v.Values[3*i+2] = single(c.R), single(c.G), single(c.B)
		}
	}
}

// run renders row after row on the job's workers until all are done or ctx ends.
func (j *job) run(ctx context.Context) error {
	height := j.stage.Region.Dy()
	tasks.Do(min(j.workers, height), func() { j.work(ctx) })
	if j.rows < height {
		return context.Cause(ctx)
	}
	return nil
}

// work renders rows that no worker has begun, one after the other.
func (j *job) work(ctx context.Context) {
	for {
		y := int(j.nextRow.Add(1)) - 1
		if y >= j.stage.Region.Dy() || !j.row(ctx, y) {
			return
		}
		j.finish()
	}
}

// row renders a row of the region, and returns false if ctx ended meanwhile.
func (j *job) row(ctx context.Context, y int) bool {
	width := j.stage.Region.Dx()
	for x := range width {
		if ctx.Err() != nil {
			return false
		}
		p := j.look(j.stage.Region.Min.Add(image.Pt(x, y)))
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
		j.progress(j.rows*j.stage.Region.Dx(), j.stage.Region.Dy()*j.stage.Region.Dx())
	}
}

// pixel is what is known of a pixel.
type pixel struct {
	path *stage.Path // of the ray through the centre
	cost int         // of the walk to what the ray meets
}

// look follows the ray through the centre of a pixel.
func (j *job) look(at image.Point) pixel {
	center := j.stage.PixelRays(at, 1)
	ray := center.Ray(0, 0)
	p := pixel{path: j.stage.Follow(j.stage.CameraRay(ray), stage.Ends)}
	if j.isCostly {
		var count stepCounter
		j.stage.World.WalkNearest(ray, &count)
		p.cost = int(count)
	}
	return p
}

// stepCounter is an [accel.Probe] that counts the steps of a walk.
type stepCounter int

// Node counts a node that the ray enters; looking at its bounds is part of entering its parent.
func (c *stepCounter) Node(s accel.NodeStep) {
	if s.Outcome == accel.Entered {
		*c++
	}
}

// Solid counts the test of a solid.
func (c *stepCounter) Solid(accel.SolidStep) { *c++ }

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
		if p.path.Lights[i].Fate == stage.Arrives {
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
