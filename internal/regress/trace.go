package regress

import (
	"context"
	"fmt"
	"image"
	"pillbox"
	"runtime"
	"sync"
	"sync/atomic"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/scene"
	"pillbox/shade"
)

// side is one of the two scenes, set up, and what its solids became.
type side struct {
	*follow.Prepared
	pairs []int       // of each solid
	hits  []accel.Hit // of the camera rays of a pixel: scratch space
}

func newSide(s *scene.Scene, size image.Point) (*side, error) {
	p, err := pillbox.Prepare(s, pillbox.Picture{Size: size})
	if err != nil {
		return nil, err
	}
	return &side{Prepared: follow.Of(p), pairs: make([]int, s.Objects.Len())}, nil
}

// look returns where a ray from the camera ends, of which it is known what it meets.
func (s *side) look(ray geom.Ray, hit accel.Hit) follow.Interaction {
	return s.InteractionOf(s.CameraRay(ray), hit)
}

// pair returns the pair of a solid, or none.
func (s *side) pair(object int32) int {
	if object == accel.None {
		return none
	}
	return s.pairs[object]
}

// arrival returns what a light does at a spot: the irradiance or, if that is zero, the pair that
// blocks the light, or none where the spot faces away or there is no such light.
func (s *side) arrival(q *follow.Interaction, light int) (irradiance shade.Color, blocker int) {
	if light == none {
		return shade.Color{}, none
	}
	a := s.SampleLight(q, light, follow.Ends)
	return a.Irradiance, s.pair(a.Object)
}

// vote is what a pixel, or a sample of it, says.
type vote struct {
	kind  EffectKind
	cause int // index, or none
	on    int // a pair, or none for the background
}

// noOn is the vote.on of effects without one.
const noOn = -2

// tracer follows rays through both scenes at once, from the same place. It serves one
// goroutine; others need a fork.
type tracer struct {
	*differences
	a, b     *side // accepted and present
	n        int   // n x n samples a pixel
	sameView bool
	deciding bool // light counts on black surfaces too, as it does for adaptive antialiasing
}

func newTracer(accepted, present *scene.Scene, size image.Point) (*tracer, error) {
	a, err := newSide(accepted, size)
	if err != nil {
		return nil, fmt.Errorf("accepted scene: %w", err)
	}
	b, err := newSide(present, size)
	if err != nil {
		return nil, fmt.Errorf("present scene: %w", err)
	}
	t := &tracer{differences: differ(accepted, present), a: a, b: b, n: b.Antialias}
	for i, p := range t.pairs {
		if p.accepted != none {
			t.a.pairs[p.accepted] = i
		}
		if p.present != none {
			t.b.pairs[p.present] = i
		}
	}
	t.sameView = a.PixelRays(image.Point{}, 1) == b.PixelRays(image.Point{}, 1)
	if !t.sameView && t.camera == none {
		t.camera = t.setting(SubjectCamera, "the view that frames all solids", changed())
	}
	return t, nil
}

// tally counts the votes of the given pixels.
func (t *tracer) tally(ctx context.Context, pixels []image.Point) (map[vote]int, error) {
	if !t.sameView {
		return map[vote]int{{EffectView, t.camera, noOn}: len(pixels)}, ctx.Err()
	}
	const chunk = 256 // pixels between looks at the context
	total := map[vote]int{}
	var (
		next atomic.Int64
		mu   sync.Mutex
	)
	parallel.Do(min(runtime.GOMAXPROCS(0), (len(pixels)+chunk-1)/chunk), func() {
		f, own := t.fork(), map[vote]int{}
		for ctx.Err() == nil {
			first := int(next.Add(1)-1) * chunk
			if first >= len(pixels) {
				break
			}
			for _, p := range pixels[first:min(first+chunk, len(pixels))] {
				own[f.pixel(p)]++
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for v, n := range own {
			total[v] += n
		}
	})
	return total, ctx.Err()
}

// fork returns a tracer with scratch space of its own.
func (t *tracer) fork() *tracer {
	f, a, b := *t, *t.a, *t.b
	a.hits, b.hits = make([]accel.Hit, t.n*t.n), make([]accel.Hit, t.n*t.n)
	f.a, f.b = &a, &b
	return &f
}

// pixel returns what the first sample says that differs, from the middle of the pixel on.
// Waiting for a majority would cost several times as much and settle only pixels on a border
// between effects.
func (t *tracer) pixel(p image.Point) vote {
	packet := t.b.PixelRays(p, t.n)
	t.a.World.Nearest(&packet, t.a.hits)
	t.b.World.Nearest(&packet, t.b.hits)
	middle := len(t.b.hits) / 2
	for k := range t.b.hits {
		i := (middle + k) % len(t.b.hits)
		ray := packet.Ray(i%t.n, i/t.n)
		a, b := t.a.look(ray, t.a.hits[i]), t.b.look(ray, t.b.hits[i])
		if v, ok := t.compare(&a, &b); ok {
			return v
		}
	}
	if t.antialias != none && max(t.n, t.a.Antialias) > 1 { // the mode of one sample is none
		return vote{EffectAntialias, t.antialias, noOn}
	}
	if v, ok := t.around(p); ok {
		return v
	}
	return vote{EffectRenderer, t.renderer, t.b.pair(t.b.hits[middle].Object)}
}

// around looks at the rays by which adaptive antialiasing decides: those through the centers of
// the pixel and its neighbors, those beyond the picture's edge included. Where one of them parts,
// the pixel may have got more samples than before, or fewer, for the same reason.
func (t *tracer) around(p image.Point) (vote, bool) {
	if !t.b.Adaptive() {
		return vote{}, false
	}
	survey := *t
	survey.deciding = true
	packet := t.b.View.Packet(image.Rectangle{p, p.Add(image.Pt(1, 1))}.Inset(-1), 1)
	hitsA, hitsB := make([]accel.Hit, packet.Len()), make([]accel.Hit, packet.Len())
	t.a.World.Nearest(&packet, hitsA)
	t.b.World.Nearest(&packet, hitsB)
	for i := range packet.Len() {
		ray := packet.At(i)
		a, b := t.a.look(ray, hitsA[i]), t.b.look(ray, hitsB[i])
		if v, ok := survey.compare(&a, &b); ok {
			return vote{EffectAntialias, v.cause, noOn}, true
		}
	}
	return vote{}, false
}

// compare says how two spots differ, which the same ray has met in the two scenes, and
// false if nothing there does.
func (t *tracer) compare(a, b *follow.Interaction) (vote, bool) {
	on, was := t.b.pair(b.Hit.Object), t.a.pair(a.Hit.Object)
	switch {
	case on != was:
		return t.replaced(was, on)
	case on == none:
		return t.behind(b.Ray.Dir)
	case t.pairs[on].altered:
		return vote{EffectSilhouette, t.pairs[on].cause, on}, true
	}
	mirrors := t.b.Mirrors(b)
	if t.a.Mirrors(a) != mirrors {
		return vote{EffectMirrored, t.bounces, on}, true
	}
	m := t.b.Material(b)
	isMatte := (!mirrors || m.Mirror < 1) && t.b.Albedo(&b.Hit) != (shade.Color{})
	if isMatte || t.deciding {
		if v, ok := t.lit(a, b, on); ok {
			return v, true
		}
	}
	if !mirrors {
		return vote{}, false
	}
	nextA, nextB := t.a.Reflect(a, nil), t.b.Reflect(b, nil)
	v, ok := t.compare(&nextA, &nextB)
	return vote{EffectMirrored, v.cause, on}, ok
}

// replaced says why another solid is seen than before.
func (t *tracer) replaced(was, on int) (vote, bool) {
	switch {
	case on != none && t.pairs[on].moved:
		return vote{EffectSilhouette, t.pairs[on].cause, on}, true
	case was != none && t.pairs[was].moved:
		return vote{EffectUncovered, t.pairs[was].cause, on}, true
	}
	return vote{EffectInFront, t.order, on}, t.order != none
}

// behind says how the background differs.
func (t *tracer) behind(dir geom.Vec3) (vote, bool) {
	was, wasSeen := t.a.Background(dir)
	is, isSeen := t.b.Background(dir)
	if was == is && wasSeen == isSeen {
		return vote{}, false
	}
	cause := t.background
	if cause == none {
		cause = t.camera // its up vector directs the gradient
	}
	return vote{EffectBackground, cause, none}, cause != none
}

// lit says how the light on a matte surface differs, shadows of changed solids first.
func (t *tracer) lit(a, b *follow.Interaction, on int) (vote, bool) {
	other := none
	for _, l := range t.lights {
		if l.cause == none && t.sameShadows {
			continue
		}
		was, blockerWas := t.a.arrival(a, l.accepted)
		is, blocker := t.b.arrival(b, l.present)
		if was == is {
			continue
		}
		switch {
		case t.isMoved(blocker):
			return vote{EffectShadow, t.pairs[blocker].cause, on}, true
		case t.isMoved(blockerWas):
			return vote{EffectUnshadowed, t.pairs[blockerWas].cause, on}, true
		case other != none:
		case t.shadows != none && blockerWas != blocker:
			other = t.shadows
		default:
			other = l.cause
		}
	}
	if other == none && t.a.Ambient(a.Normal) != t.b.Ambient(b.Normal) {
		if other = t.ambient; other == none {
			other = t.camera // its up vector directs the hemispheres
		}
	}
	return vote{EffectLighting, other, on}, other != none
}

func (t *tracer) isMoved(pair int) bool { return pair != none && t.pairs[pair].moved }
