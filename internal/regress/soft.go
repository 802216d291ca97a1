package regress

import (
	"image"
	"slices"
	"sync"
	"sync/atomic"

	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/internal/sampler"
	"pillbox/scene"
)

// softChanges compares two scenes at the centers of the given pixels. It counts the pixels in which the penumbra of a
// light changes (see [otherPenumbra]), and the pixels in which another share of the sky is hidden. Lights are paired by
// index. If the numbers of lights differ, no penumbras are counted. If one of the scenes has no ambient occlusion, no
// changes of the sky are counted.
//
// softChanges calls more before it samples a light or the sky; the calls come one at a time. When more returns false,
// softChanges stops, and both counts are [Unexamined].
func softChanges(a, b *follow.Prepared, pixels []int, more func() bool) (penumbras, skies int) {
	isLit := (hasSizes(a.Scene) || hasSizes(b.Scene)) && len(a.Lights) == len(b.Lights)
	isOccluded := a.Scene.Shading.Occlusion.Enabled && b.Scene.Shading.Occlusion.Enabled
	if !isLit && !isOccluded {
		return 0, 0
	}
	goOn := untilFalse(more)
	var penumbra, sky atomic.Int64
	const chunk = 256
	parallel.For((len(pixels)+chunk-1)/chunk, func(k int) {
		for _, i := range pixels[k*chunk : min((k+1)*chunk, len(pixels))] {
			p, q := centerOf(a, i), centerOf(b, i)
			if isLit && otherPenumbra(a, b, &p, &q, goOn) {
				penumbra.Add(1)
			}
			if isOccluded && goOn() && openShare(a, &p) != openShare(b, &q) {
				sky.Add(1)
			}
		}
	})
	if !goOn() {
		return Unexamined, Unexamined
	}
	return int(penumbra.Load()), int(sky.Load())
}

// untilFalse returns a function that returns the results of f. After f has returned false, it returns false without
// calling f again. It is safe for concurrent use.
func untilFalse(f func() bool) func() bool {
	var mu sync.Mutex
	isTrue := true
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		isTrue = isTrue && f()
		return isTrue
	}
}

func hasSizes(s *scene.Scene) bool {
	return slices.ContainsFunc(s.Lights, func(l scene.Light) bool { return l.HasSize() })
}

// centerOf returns the interaction of the ray through the center of a pixel, which must hit a solid.
func centerOf(p *follow.Prepared, pixel int) follow.Interaction {
	at := image.Pt(pixel%p.Size.X, pixel/p.Size.X)
	rays := p.PixelRays(at, 1)
	return p.Intersect(p.CameraRay(rays.At(0)), sampler.Position{X: at.X, Y: at.Y}, nil)
}

// otherPenumbra compares the interaction p in the scene a with q in the scene b. It reports whether there is a light
// with a size that is partly hidden at p or q, and whose visible share at p differs from that at q. When the function
// goOn returns false, otherPenumbra returns false.
func otherPenumbra(a, b *follow.Prepared, p, q *follow.Interaction, goOn func() bool) bool {
	for i := range a.Lights {
		if !a.Emitters[i].HasSize() && !b.Emitters[i].HasSize() {
			continue
		}
		if !goOn() {
			return false
		}
		x, y := a.SampleLight(p, i, nil), b.SampleLight(q, i, nil)
		if (x.Visibility == follow.Partly || y.Visibility == follow.Partly) && x.Fraction != y.Fraction {
			return true
		}
	}
	return false
}

// openShare returns the share of the sampled directions in which no solid hides the sky.
func openShare(p *follow.Prepared, q *follow.Interaction) float64 {
	if !p.MayOcclude(&q.Hit, q.Normal) {
		return 1
	}
	o := p.SampleOcclusion(q)
	return float64(o.Above.Open+o.Below.Open) / float64(o.Above.All+o.Below.All)
}
