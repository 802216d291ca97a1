package regress

import (
	"image"
	"slices"
	"sync/atomic"

	"pillbox/internal/follow"
	"pillbox/internal/parallel"
	"pillbox/internal/sampler"
	"pillbox/scene"
)

// softChanges compares two scenes at the centers of the given pixels. It counts the pixels with a changed penumbra of a
// light (see [otherPenumbra]), and the pixels with another share of hidden sky. It pairs the lights by index. It counts
// no penumbras if the numbers of lights differ, and no changes of the sky unless both scenes have ambient occlusion.
func softChanges(a, b *follow.Prepared, pixels []int) (penumbras, skies int) {
	isLit := (hasSizes(a.Scene) || hasSizes(b.Scene)) && len(a.Lights) == len(b.Lights)
	isOccluded := a.Scene.Shading.Occlusion.Enabled && b.Scene.Shading.Occlusion.Enabled
	if !isLit && !isOccluded {
		return 0, 0
	}
	var penumbra, sky atomic.Int64
	const chunk = 256
	parallel.For((len(pixels)+chunk-1)/chunk, func(k int) {
		for _, i := range pixels[k*chunk : min((k+1)*chunk, len(pixels))] {
			p, q := centerOf(a, i), centerOf(b, i)
			if isLit && otherPenumbra(a, b, &p, &q) {
				penumbra.Add(1)
			}
			if isOccluded && openShare(a, &p) != openShare(b, &q) {
				sky.Add(1)
			}
		}
	})
	return int(penumbra.Load()), int(sky.Load())
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

// otherPenumbra reports whether a light with a size is partly hidden at p in a or at q in b, to different degrees.
func otherPenumbra(a, b *follow.Prepared, p, q *follow.Interaction) bool {
	for i := range a.Lights {
		if !a.Emitters[i].HasSize() && !b.Emitters[i].HasSize() {
			continue
		}
		x, y := a.SampleLight(p, i, follow.Ends), b.SampleLight(q, i, follow.Ends)
		if (x.Visibility == follow.Partly || y.Visibility == follow.Partly) && x.Fraction != y.Fraction {
			return true
		}
	}
	return false
}

// openShare returns the share of the sampled directions in which the sky is open.
func openShare(p *follow.Prepared, q *follow.Interaction) float64 {
	if !p.MayOcclude(&q.Hit, q.Normal) {
		return 1
	}
	o := p.SampleOcclusion(q)
	return float64(o.Above.Open+o.Below.Open) / float64(o.Above.All+o.Below.All)
}
