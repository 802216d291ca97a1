package regress

import (
	"context"
	"fmt"
	"image"
	"runtime"
	"sync"
	"sync/atomic"

	"pillbox/accel"
	"pillbox/camera"
	"pillbox/geom"
	"pillbox/scene"
	"pillbox/shade"
)

// side is one of the two scenes, prepared.
type side struct {
	scene  *scene.Scene
	world  *accel.World
	view   *camera.View
	lights []scene.PlacedLight
	eye    []int32 // the solids around the position of a perspective camera
	pairs  []int   // of each solid

	// A query and its answer, and the first hits of a pixel: scratch space.
	leaving [1]accel.Departure
	met     [1]accel.Hit
	hits    []accel.Hit
}

func newSide(s *scene.Scene, view *camera.View) *side {
	x := &side{scene: s, world: s.World(), view: view, pairs: make([]int, len(s.Objects))}
	x.lights = s.LightsFrom(view.Position(), x.world.Touching)
	if !view.Parallel() {
		x.eye = x.world.Enclosing(view.Position())
	}
	return x
}

// spot is where a ray ends in one scene.
type spot struct {
	ray geom.Ray
	hit accel.Hit
	eye []int32 // the solids that contain the camera ray's origin
}

// spot returns where a ray from the camera ends.
func (s *side) spot(ray geom.Ray, hit accel.Hit) spot {
	if s.view.Parallel() {
		return spot{ray, hit, s.world.Enclosing(ray.Origin)}
	}
	return spot{ray, hit, s.eye}
}

func (s *side) pair(object int32) int {
	if object == accel.None {
		return none
	}
	return s.pairs[object]
}

func (s *side) material(q *spot) *shade.Material { return &s.scene.Objects[q.hit.Object].Material }

// normal returns the unit normal that faces the ray's origin.
func (q *spot) normal() geom.Vec3 {
	if q.hit.Inside {
		return q.hit.Normal.Neg()
	}
	return q.hit.Normal
}

// leave returns what a ray from the spot meets first.
func (s *side) leave(q *spot, dir geom.Vec3, inside bool) spot {
	ray := geom.Ray{Origin: q.ray.At(q.hit.T), Dir: dir}
	s.leaving[0] = accel.Departure{Ray: ray, Object: q.hit.Object, Inside: inside, Eye: q.eye}
	s.world.Reflected(s.leaving[:], s.met[:])
	return spot{ray, s.met[0], q.eye}
}

// reflect returns what the mirror at a spot shows.
func (s *side) reflect(q *spot) spot {
	return s.leave(q, shade.Reflect(q.ray.Dir, q.normal()), q.hit.Inside)
}

// arrival is what a light does at a spot: the irradiance or, if it is zero, the pair that
// blocks it, or none where the spot faces away.
type arrival struct {
	irradiance shade.Color
	blocker    int
}

func (s *side) arrival(q *spot, index int) arrival {
	if index == none {
		return arrival{blocker: none}
	}
	l := &s.lights[index]
	dir, reach := l.Toward(q.ray.At(q.hit.T))
	cos := q.normal().Dot(dir)
	if !(cos > 0) {
		return arrival{blocker: none}
	}
	if s.scene.Shading.Shadows {
		if q.hit.Inside && !l.Enters(q.hit.Object) {
			return arrival{blocker: s.pair(q.hit.Object)}
		}
		// A mirror ray that is said to leave the outside meets just what can block a shadow
		// ray, and unlike World.Blocked it tells which solid that is.
		if end := s.leave(q, dir, false); end.hit.T < reach && end.hit.Object != accel.None {
			return arrival{blocker: s.pair(end.hit.Object)}
		}
	}
	return arrival{l.Irradiance(cos), none}
}

// background returns what a ray sees that meets nothing; transparent is black, and tells so.
func (s *side) background(dir geom.Vec3) (c shade.Color, transparent bool) {
	b := &s.scene.Image.Background
	switch {
	case b.Transparent:
		return shade.Color{}, true
	case b.Top == b.Bottom:
		return b.Top, false
	}
	return b.Bottom.Mix(b.Top, float64((1+dir.Dot(s.view.Up()))/2)), false
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
	viewA, err := accepted.View(size.X, size.Y)
	if err != nil {
		return nil, fmt.Errorf("accepted scene: %w", err)
	}
	viewB, err := present.View(size.X, size.Y)
	if err != nil {
		return nil, fmt.Errorf("present scene: %w", err)
	}
	t := &tracer{
		differences: differ(accepted, present),
		a:           newSide(accepted, viewA),
		b:           newSide(present, viewB),
		n:           present.Image.Antialias,
	}
	for i, p := range t.pairs {
		if p.accepted != none {
			t.a.pairs[p.accepted] = i
		}
		if p.present != none {
			t.b.pairs[p.present] = i
		}
	}
	one := image.Rect(0, 0, 1, 1)
	t.sameView = viewA.Packet(one, 1) == viewB.Packet(one, 1)
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
		wg   sync.WaitGroup
	)
	for range min(runtime.GOMAXPROCS(0), (len(pixels)+chunk-1)/chunk) {
		wg.Go(func() {
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
	}
	wg.Wait()
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
	packet := t.b.view.Packet(image.Rectangle{p, p.Add(image.Pt(1, 1))}, t.n)
	t.a.world.Nearest(&packet, t.a.hits)
	t.b.world.Nearest(&packet, t.b.hits)
	middle := len(t.b.hits) / 2
	for k := range t.b.hits {
		i := (middle + k) % len(t.b.hits)
		ray := packet.Ray(i%t.n, i/t.n)
		a, b := t.a.spot(ray, t.a.hits[i]), t.b.spot(ray, t.b.hits[i])
		if v, ok := t.compare(&a, &b, 0); ok {
			return v
		}
	}
	if t.antialias != none && max(t.n, t.a.scene.Image.Antialias) > 1 { // the mode of one sample is none
		return vote{EffectAntialias, t.antialias, noOn}
	}
	if v, ok := t.around(p); ok {
		return v
	}
	return vote{EffectRenderer, t.renderer, t.b.pair(t.b.hits[middle].Object)}
}

// around looks at the rays by which adaptive antialiasing decides: those through the centres of
// the pixel and its neighbours, those beyond the picture's edge included. Where one of them parts,
// the pixel may have got more samples than before, or fewer, for the same reason.
func (t *tracer) around(p image.Point) (vote, bool) {
	if !t.b.scene.Image.Adaptive || t.n == 1 {
		return vote{}, false
	}
	survey := *t
	survey.deciding = true
	packet := t.b.view.Packet(image.Rectangle{p, p.Add(image.Pt(1, 1))}.Inset(-1), 1)
	hitsA, hitsB := make([]accel.Hit, packet.Len()), make([]accel.Hit, packet.Len())
	t.a.world.Nearest(&packet, hitsA)
	t.b.world.Nearest(&packet, hitsB)
	for i := range packet.Len() {
		ray := packet.At(i)
		a, b := t.a.spot(ray, hitsA[i]), t.b.spot(ray, hitsB[i])
		if v, ok := survey.compare(&a, &b, 0); ok {
			return vote{EffectAntialias, v.cause, noOn}, true
		}
	}
	return vote{}, false
}

// compare says how two spots differ, which the same ray has met in the two scenes, and
// false if nothing there does.
func (t *tracer) compare(a, b *spot, depth int) (vote, bool) {
	on, was := t.b.pair(b.hit.Object), t.a.pair(a.hit.Object)
	switch {
	case on != was:
		return t.replaced(was, on)
	case on == none:
		return t.behind(b.ray.Dir)
	case t.pairs[on].altered:
		return vote{EffectSilhouette, t.pairs[on].cause, on}, true
	}
	m := t.b.material(b)
	mirrorA, mirrorB := t.a.mirrors(m, depth), t.b.mirrors(m, depth)
	if mirrorA != mirrorB {
		return vote{EffectMirrored, t.bounces, on}, true
	}
	isMatte := (!mirrorB || m.Mirror < 1) && m.Albedo != (shade.Color{})
	if isMatte || t.deciding {
		if v, ok := t.lit(a, b, on); ok {
			return v, true
		}
	}
	if !mirrorB {
		return vote{}, false
	}
	nextA, nextB := t.a.reflect(a), t.b.reflect(b)
	v, ok := t.compare(&nextA, &nextB, depth+1)
	return vote{EffectMirrored, v.cause, on}, ok
}

// mirrors reports whether a surface at the given depth of reflection reflects.
func (s *side) mirrors(m *shade.Material, depth int) bool {
	return m.Mirror > 0 && depth < s.scene.Shading.Bounces
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
	was, hole := t.a.background(dir)
	is, holeNow := t.b.background(dir)
	if was == is && hole == holeNow {
		return vote{}, false
	}
	cause := t.background
	if cause == none {
		cause = t.camera // its up vector directs the gradient
	}
	return vote{EffectBackground, cause, none}, cause != none
}

// lit says how the light on a matte surface differs, shadows of changed solids first.
func (t *tracer) lit(a, b *spot, on int) (vote, bool) {
	other := none
	for _, l := range t.lights {
		if l.cause == none && t.sameShadows {
			continue
		}
		was, is := t.a.arrival(a, l.accepted), t.b.arrival(b, l.present)
		if was.irradiance == is.irradiance {
			continue
		}
		switch {
		case t.isMoved(is.blocker):
			return vote{EffectShadow, t.pairs[is.blocker].cause, on}, true
		case t.isMoved(was.blocker):
			return vote{EffectUnshadowed, t.pairs[was.blocker].cause, on}, true
		case other != none:
		case t.shadows != none && was.blocker != is.blocker:
			other = t.shadows
		default:
			other = l.cause
		}
	}
	if other == none && t.a.scene.Shading.Ambient != t.b.scene.Shading.Ambient {
		other = t.ambient
	}
	return vote{EffectLighting, other, on}, other != none
}

func (t *tracer) isMoved(pair int) bool { return pair != none && t.pairs[pair].moved }
