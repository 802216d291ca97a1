package aov

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"pillbox"
	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/shade"
)

// View holds the values of one kind for a rectangle of the picture.
type View struct {
	Kind   Kind
	Region image.Rectangle // of the picture

	// Values holds Kind.Channels() numbers for each pixel, row by row from the top.
	Values []float32

	bounces int // the scene's limit, for Bounces
}

// Render returns a view of the prepared picture for each of the kinds.
//
// It uses only w.Workers and w.Progress. A pixel counts as done when all its views are done. The errors
// are those of [pillbox.Prepared.Render]; after an error, Render returns no views.
func Render(ctx context.Context, p *pillbox.Prepared, kinds []Kind, w pillbox.Work) ([]*View, error) {
	if err := validate(ctx, p, w); err != nil {
		return nil, err
	}
	prepared, ended, release := follow.Of(p).Until(ctx)
	defer release()
	j := newJob(prepared, kinds, w)
	j.ended = ended
	// One ray through the center of a pixel is enough for all views except the color.
	isTraced := slices.ContainsFunc(kinds, func(k Kind) bool { return k != Color })
	if slices.Contains(kinds, Color) {
		of := pillbox.Work{Workers: w.Workers, Linear: true, Progress: w.Progress}
		if isTraced {
			of.Progress = nil // a pixel is done when its other views are
		}
		film, err := p.Render(ctx, of)
		if err != nil {
			return nil, err
		}
		color := ColorOf(film)
		for _, v := range j.views {
			if v.Kind == Color {
				*v = *color
			}
		}
	}
	if isTraced {
		if err := j.run(ctx); err != nil {
			return nil, err
		}
	}
	return j.views, nil
}

// ColorOf returns the [Color] view of a rendered film. The film must contain its linear light: it must have
// been rendered with [pillbox.Work.Linear].
func ColorOf(film *pillbox.Film) *View {
	v := &View{Kind: Color, Region: film.Region, Values: make([]float32, 0, 3*len(film.Linear))}
	for _, c := range film.Linear {
		v.Values = append(v.Values, single(c.R), single(c.G), single(c.B))
	}
	return v
}

func validate(ctx context.Context, p *pillbox.Prepared, w pillbox.Work) error {
	if ctx == nil {
		return errors.New("want a context, got nil")
	}
	if p == nil || follow.Of(p) == nil {
		return errors.New("want a scene from pillbox.Prepare, got none")
	}
	if w.Workers < 0 {
		return fmt.Errorf("workers must not be negative, got %d", w.Workers)
	}
	return nil
}

// job holds what the workers of one call of [Render] share.
type job struct {
	prepared       *follow.Prepared
	needsSecondary bool // whether a view needs secondary rays: Shadow, Occlusion or Bounces
	views          []*View
	workers        int
	progress       func(done, all int)

	nextSquare atomic.Int64
	ended      func() bool // if it returns true, values that were computed since may be wrong

	mu   sync.Mutex
	done int // pixels
}

func newJob(p *follow.Prepared, kinds []Kind, w pillbox.Work) *job {
	j := &job{prepared: p, workers: parallel.Workers(w.Workers), progress: w.Progress}
	for _, k := range kinds {
		v := &View{Kind: k, Region: p.Region, bounces: p.Scene.Shading.Bounces}
		if k != Color {
			v.Values = make([]float32, p.Region.Dx()*p.Region.Dy()*k.Channels())
		}
		j.views = append(j.views, v)
		j.needsSecondary = j.needsSecondary || k == Shadow || k == Occlusion || k == Bounces
	}
	return j
}

// squareSide is the side length, in pixels, of the squares into which workers divide the region. The rays
// of a square are one packet of package accel.
const squareSide = 32

// squares returns how many squares the region has in each direction.
func (j *job) squares() image.Point {
	size := j.prepared.Region.Size()
	return image.Pt((size.X+squareSide-1)/squareSide, (size.Y+squareSide-1)/squareSide)
}

// run renders square after square on the job's workers until all are done or ctx ends.
func (j *job) run(ctx context.Context) error {
	n := j.squares()
	parallel.Do(min(j.workers, n.X*n.Y), func() { j.work(ctx) })
	if j.done < j.prepared.Region.Dx()*j.prepared.Region.Dy() {
		return ctx.Err()
	}
	return nil
}

// work renders squares that no worker has begun, one after the other.
func (j *job) work(ctx context.Context) {
	var hits [squareSide * squareSide]accel.Hit
	n := j.squares()
	for {
		i := int(j.nextSquare.Add(1)) - 1
		if i >= n.X*n.Y {
			return
		}
		corner := image.Pt(i%n.X, i/n.X).Mul(squareSide).Add(j.prepared.Region.Min)
		square := image.Rectangle{corner, corner.Add(image.Pt(squareSide, squareSide))}.Intersect(j.prepared.Region)
		if !j.render(ctx, square, hits[:square.Dx()*square.Dy()]) || j.ended() {
			return
		}
		j.finish(square.Dx() * square.Dy())
	}
}

// render stores the values of the pixels of a square, and returns false if ctx ended meanwhile.
func (j *job) render(ctx context.Context, square image.Rectangle, hits []accel.Hit) bool {
	centers := j.prepared.View.Packet(square, 1)
	j.prepared.World.Nearest(&centers, hits)
	width := j.prepared.Region.Dx()
	for i, hit := range hits {
		if ctx.Err() != nil {
			return false
		}
		q := j.prepared.InteractionOf(j.cameraRay(centers.At(i)), follow.PositionOf(&centers, i), hit)
		at := square.Min.Add(image.Pt(i%centers.NX, i/centers.NX)).Sub(j.prepared.Region.Min)
		for _, v := range j.views {
			n := v.Kind.Channels()
			j.measure(v.Kind, &q, v.Values[(at.Y*width+at.X)*n:][:n])
		}
	}
	return true
}

// cameraRay returns the camera ray r as an [accel.SecondaryRay], the type from which interactions are
// computed. If a view needs secondary rays, the result also lists the solids that contain the ray's origin.
// Otherwise this list is empty: finding these solids takes long if each ray has its own origin.
func (j *job) cameraRay(r geom.Ray) accel.SecondaryRay {
	if j.needsSecondary {
		return j.prepared.CameraRay(r)
	}
	return accel.SecondaryRay{Ray: r, Object: accel.None}
}

// finish adds a number of pixels to the count of finished pixels, and reports progress.
func (j *job) finish(pixels int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.done += pixels
	if j.progress != nil {
		j.progress(j.done, j.prepared.Region.Dx()*j.prepared.Region.Dy())
	}
}

// measure stores the values of the kind k for the interaction q of the ray through a pixel's center.
// For the kind Color it stores nothing.
func (j *job) measure(k Kind, q *follow.Interaction, values []float32) {
	switch k {
	case Depth:
		values[0] = float32(q.Hit.T)
	case Color:
	case Cost:
		values[0] = float32(j.cost(q))
	default:
		j.surface(k, q, values)
	}
}

// surface stores the values of a kind that is defined only on surfaces, or NaN if q is not on a solid.
func (j *job) surface(k Kind, q *follow.Interaction, values []float32) {
	if !q.IsSolid() {
		for i := range values {
			values[i] = float32(math.NaN())
		}
		return
	}
	switch k {
	case Normal:
		values[0], values[1], values[2] = float32(q.Normal.X), float32(q.Normal.Y), float32(q.Normal.Z)
	case Object:
		// A float32 is exact for the first 2^24 solids. A picture could not show more, because it has 2^24
		// colors.
		values[0] = float32(q.Hit.Object)
	case Facing:
		values[0] = float32(facing(q))
	case Shadow:
		values[0] = j.lit(q)
	case Occlusion:
		values[0] = j.open(q)
	case Bounces:
		values[0] = float32(j.bounces(q))
	}
}

// cost returns the number of steps of the traversal that finds q.
func (j *job) cost(q *follow.Interaction) int {
	var count stepCounter
	j.prepared.World.TraverseNearest(q.Ray, &count)
	return int(count)
}

// stepCounter is an [accel.Probe] that counts the steps of a traversal.
type stepCounter int

// Node counts a node that the ray enters, and the root. It does not count a node whose bounds the ray
// misses: testing these bounds is part of the work at the parent.
func (c *stepCounter) Node(s accel.NodeStep) {
	if s.Outcome == accel.Entered || s.Depth == 0 {
		*c++
	}
}

// Solid counts the test of a solid.
func (c *stepCounter) Solid(accel.SolidStep) { *c++ }

// facing returns N.V, negated if the ray hits the surface from inside the solid.
func facing(q *follow.Interaction) float64 {
	// Where the ray grazes the solid, rounding may make the product slightly negative.
	cos := max(0, q.Normal.Dot(q.Ray.Dir.Neg()))
	if q.Hit.Inside {
		return math.Copysign(cos, -1)
	}
	return cos
}

// lit returns the fraction of the lights that reach q, 0 to 1. A light with a size counts in proportion to
// its visible part.
func (j *job) lit(q *follow.Interaction) float32 {
	if len(j.prepared.Lights) == 0 {
		return 1 // flat colors: nothing casts shadows
	}
	arrive := 0.0
	for i := range j.prepared.Lights {
		arrive += j.prepared.SampleLight(q, i, nil).Fraction
	}
	return float32(arrive / float64(len(j.prepared.Lights)))
}

// open returns the open share of the sky above q.
func (j *job) open(q *follow.Interaction) float32 {
	if !j.prepared.MayOcclude(&q.Hit, q.Normal) {
		return 1
	}
	return float32(j.prepared.SampleOcclusion(q).Share())
}

// bounces returns how often mirrors reflect the ray that hits q, including a reflection at q.
func (j *job) bounces(q *follow.Interaction) int {
	n := 0
	for p := *q; p.IsSolid() && j.prepared.Mirrors(&p); n++ {
		p = j.prepared.Reflect(&p, nil)
	}
	return n
}

// single rounds a channel of linear light to 32 bits. If the nearest float32 encodes to another 8-bit
// sRGB value than v, it rounds in the other direction.
func single(v float64) float32 {
	f := float32(v)
	if shade.EncodeSRGB8(float64(f)) == shade.EncodeSRGB8(v) {
		return f
	}
	if float64(f) > v {
		return math.Nextafter32(f, 0)
	}
	return math.Nextafter32(f, 1)
}
