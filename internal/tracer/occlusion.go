package tracer

import (
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// occlusionRays is the number of rays that are traced at once for ambient occlusion: as many as package
// accel groups. More would only need more memory.
const occlusionRays = packetSide * packetSide

// skyRays are rays into sampled directions above the hits of a level, and the results of tracing them.
type skyRays struct {
	rays    []accel.SecondaryRay
	hits    []int32 // for each ray, the index of the hit that it leaves
	dist    []float64
	blocked []bool
	skies   []shade.Sky // for each hit of the level
}

// occlude computes the ambient light at the hits of a level that some solid may darken. It returns false if the context ends
// first.
func (t *packetTracer) occlude(depth int) bool {
	v, b, up := t.levels[depth], &t.sky, t.View.Up()
	reach := t.Scene.Shading.Occlusion.Reach()
	b.skies = resize(b.skies, len(v.hits))
	b.rays, b.hits = b.rays[:0], b.hits[:0]
	for _, i := range v.met {
		h := &v.hits[i]
		b.skies[i] = shade.Sky{}
		if !t.MayOcclude(h, h.Normal) {
			continue
		}
		dirs := t.Directions(t.position(depth, i), depth, h.Normal)
		for k := range t.Sampler.Points() {
			dir := dirs.Toward(k)
			b.rays = t.appendSecondary(b.rays, depth, i, dir)
			if t.HiddenFromInside(&b.rays[len(b.rays)-1], reach) {
				b.skies[i].Add(dir, up, false)
				b.rays = b.rays[:len(b.rays)-1]
				continue
			}
			if b.hits = append(b.hits, i); len(b.hits) == occlusionRays && !t.traceSky(reach) {
				return false
			}
		}
	}
	if !t.traceSky(reach) {
		return false
	}
	for _, i := range v.met {
		if s := &b.skies[i]; *s != (shade.Sky{}) {
			v.light[i] = t.Scene.Shading.Ambient.Under(s, v.hits[i].Normal, up)
			t.noteSky(v, i, s)
		}
	}
	return true
}

// traceSky finds which of the collected rays are blocked, adds their directions to the skies of their hits, and empties the
// collection. It returns false if the context has ended.
func (t *packetTracer) traceSky(reach float64) bool {
	if t.ctx.Err() != nil {
		return false
	}
	b, up := &t.sky, t.View.Up()
	b.dist, b.blocked = resize(b.dist, len(b.rays)), resize(b.blocked, len(b.rays))
	for k := range b.dist {
		b.dist[k] = reach
	}
	t.World.Blocked(b.rays, b.dist, b.blocked)
	t.rays.Shadow += int64(len(b.rays))
	for k, i := range b.hits {
		b.skies[i].Add(b.rays[k].Ray.Dir, up, !b.blocked[k])
	}
	b.rays, b.hits = b.rays[:0], b.hits[:0]
	return true
}

// position returns the position in the picture of the camera ray from which ray i of a level descends.
func (t *packetTracer) position(depth int, i int32) sampler.Position {
	for ; depth > 0; depth-- {
		i = t.levels[depth].parent[i]
	}
	return follow.PositionOf(&t.packet, int(i))
}
