package tracer

import (
	"pillbox/geom"
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

// skyRays are rays into sampled directions above the hits of one level, that is, of one depth of reflection. The world
// traces the rays from a hit together if it can. Otherwise they are collected: rays from different hits into the same
// sector of the sky have similar directions, so these are traced together.
type skyRays struct {
	here    accel.Sky // the rays from the current hit
	dirs    sampler.Directions
	skies   []shade.Sky // for each hit of the level
	sectors [sampler.Sectors]sectorOfSky
	n       int // the number of rays since the context was checked
	dist    []float64
	blocked []bool
}

// sectorOfSky holds the rays into one sector.
type sectorOfSky struct {
	rays []accel.SecondaryRay
	hits []int32 // for each ray, the index of the hit at which it starts
}

// occlude computes the ambient light at those hits of the level at the given depth where solids may hide a part of the
// sky. It returns false if the context ends first.
func (t *packetTracer) occlude(depth int) bool {
	v, b, up := t.levels[depth], &t.sky, t.View.Up()
	b.skies = resize(b.skies, len(v.hits))
	for _, i := range v.met {
		h := &v.hits[i]
		b.skies[i] = shade.Sky{}
		if !t.MayOcclude(h, h.Normal) {
			continue
		}
		t.Directions(t.position(depth, i), depth, h.Normal, &b.dirs)
		cast := t.aimAtSky(h, t.eyeOf(depth, i))
		if t.ForLight().BlockedSky(&b.here) {
			b.addHere(i, up)
			t.rays.Shadow += int64(cast)
		} else {
			b.collect(i, up)
		}
		if b.n += cast; b.n >= maxSkyRays && !t.traceSky() {
			return false
		}
	}
	if !t.traceSky() {
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

// aimAtSky sets b.here to the rays from a hit into the sampled directions, where b is t.sky. If the hit is inside a
// solid, aimAtSky marks the rays that this solid blocks. It returns the number of rays that are not marked.
func (t *packetTracer) aimAtSky(h *accel.Hit, eye []int32) int {
	dirs, s := &t.sky.dirs, &t.sky.here
	s.From.Ray.Origin, s.From.Object, s.From.Inside, s.From.Eye = h.Point, h.Object, h.Inside, eye
	s.X, s.Y, s.Z, s.Reach = dirs.X, dirs.Y, dirs.Z, t.Scene.Shading.Occlusion.Reach()
	s.Blocked = resize(s.Blocked, len(dirs.X))
	clear(s.Blocked)
	cast := len(s.Blocked)
	if h.Inside {
		for k := range s.Blocked {
			d := s.Ray(k)
			if s.Blocked[k] = t.HiddenFromInside(&d, s.Reach); s.Blocked[k] {
				cast--
			}
		}
	}
	return cast
}

// addHere records which directions above hit i are blocked and which are open.
func (b *skyRays) addHere(i int32, up geom.Vec3) {
	s := &b.skies[i]
	for k, blocked := range b.here.Blocked {
		s.Add(b.dirs.At(k), up, !blocked)
	}
}

// collect adds the rays from hit i to their sectors. It does not add the rays that are marked as blocked, but records
// their directions at once.
func (b *skyRays) collect(i int32, up geom.Vec3) {
	for k, sector := range b.dirs.Sectors {
		if b.here.Blocked[k] {
			b.skies[i].Add(b.dirs.At(k), up, false)
			continue
		}
		s := &b.sectors[sector]
		s.rays = append(s.rays, b.here.Ray(k))
		s.hits = append(s.hits, i)
	}
}

// traceSky traces the collected rays, records for each hit which directions are blocked and which are open, and empties
// the collection. If the context has ended, it only empties the collection and returns false.
func (t *packetTracer) traceSky() bool {
	b, up := &t.sky, t.View.Up()
	alive := t.ctx.Err() == nil
	for k := range b.sectors {
		s := &b.sectors[k]
		if alive && len(s.rays) > 0 {
			b.dist, b.blocked = resize(b.dist, len(s.rays)), resize(b.blocked, len(s.rays))
			for k := range b.dist {
				b.dist[k] = b.here.Reach
			}
			t.ForLight().Blocked(s.rays, b.dist, b.blocked)
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

// position returns the position in the picture of the ray of hit i of the level at the given depth. This is the position of the
// camera ray that led, through reflections, to this ray.
func (t *packetTracer) position(depth int, i int32) sampler.Position {
	for i = t.levels[depth].ray(i); depth > 0; depth-- {
		i = t.levels[depth].parent[i]
	}
	return follow.PositionOf(&t.packet, int(i))
}
