package tracer

import (
	"pillbox/internal/accel"
	"pillbox/internal/follow"
	"pillbox/internal/sampler"
	"pillbox/shade"
)

// When maxSkyRays rays into the sky have been collected, they are traced: sectorRays rays per sector on average. Larger
// numbers would need more memory without being faster.
const (
	sectorRays = 512
	maxSkyRays = sectorRays * sampler.Sectors
)

// skyRays are rays into sampled directions above the hits of one level, that is, of one depth of reflection. Rays into
// the same sector of the sky have similar directions, so they are traced together.
type skyRays struct {
	sectors [sampler.Sectors]sectorOfSky
	n       int         // the number of collected rays
	skies   []shade.Sky // for each hit of the level
	dirs    sampler.Directions
	dist    []float64
	blocked []bool
}

// sectorOfSky holds the rays into one sector.
type sectorOfSky struct {
	rays []accel.SecondaryRay
	hits []int32 // for each ray, the index of the hit at which it starts
}

// occlude computes the ambient light at the hits of one level where solids may hide part of the sky. It returns false
// if the context ends first.
func (t *packetTracer) occlude(depth int) bool {
	v, b, up := t.levels[depth], &t.sky, t.View.Up()
	reach := t.Scene.Shading.Occlusion.Reach()
	b.skies = resize(b.skies, len(v.hits))
	for _, i := range v.met {
		h := &v.hits[i]
		b.skies[i] = shade.Sky{}
		if !t.MayOcclude(h, h.Normal) {
			continue
		}
		t.Directions(t.position(depth, i), depth, h.Normal, &b.dirs)
		eye := t.eyeOf(depth, i)
		for k, sector := range b.dirs.Sectors {
			dir := b.dirs.At(k)
			s := &b.sectors[sector]
			s.rays = resize(s.rays, len(s.rays)+1)
			d := &s.rays[len(s.rays)-1]
			d.Ray.Origin, d.Ray.Dir = h.Point, dir
			d.Object, d.Inside = h.Object, h.Inside
			d.Eye = eye
			if d.Inside && t.HiddenFromInside(d, reach) {
				b.skies[i].Add(dir, up, false)
				s.rays = s.rays[:len(s.rays)-1]
				continue
			}
			s.hits = append(s.hits, i)
			if b.n++; b.n == maxSkyRays && !t.traceSky(reach) {
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
			t.noteSky(v, i, s, t.position(depth, i))
		}
	}
	return true
}

// traceSky traces the collected rays, records for each hit which directions are blocked and which are open, and empties
// the collection. If the context has ended, it only empties the collection and returns false.
func (t *packetTracer) traceSky(reach float64) bool {
	b, up := &t.sky, t.View.Up()
	alive := t.ctx.Err() == nil
	for k := range b.sectors {
		s := &b.sectors[k]
		if alive {
			b.dist, b.blocked = resize(b.dist, len(s.rays)), resize(b.blocked, len(s.rays))
			for k := range b.dist {
				b.dist[k] = reach
			}
			t.World.Blocked(s.rays, b.dist, b.blocked)
			t.rays.Shadow += int64(len(s.rays))
			for k, i := range s.hits {
				b.skies[i].Add(s.rays[k].Ray.Dir, up, !b.blocked[k])
			}
		}
		s.rays, s.hits = s.rays[:0], s.hits[:0]
	}
	b.n = 0
	return alive
}

// position returns the position in the picture of the camera ray that led, through reflections, to ray i of a level.
func (t *packetTracer) position(depth int, i int32) sampler.Position {
	for ; depth > 0; depth-- {
		i = t.levels[depth].parent[i]
	}
	return follow.PositionOf(&t.packet, int(i))
}
