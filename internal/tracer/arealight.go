package tracer

import (
	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/sampler"
)

// areaSample is a ray at whose hit a light with a size contributes unless solids block all of it.
type areaSample struct {
	ray    int32
	weight float64 // what the hit receives of the whole light
	end    int     // its points are those from the end of the previous sample to here
}

// areaTracer holds the samples of a light with a size that wait for their shadow rays, and these rays.
type areaTracer struct {
	samples []areaSample
	points  []arealight.Point
	rays    []accel.SecondaryRay
	dist    []float64
	blocked []bool
}

// maxAreaRays is the number of shadow rays of a light with a size that are traced together.
const maxAreaRays = 1 << 12

// addAreaLight is addLight for a light with a size. It returns false if the context ends first.
func (t *packetTracer) addAreaLight(depth, light int) bool {
	v, l := t.levels[depth], &t.Lights[light]
	strength, shadows, lit := l.Strength(), t.Scene.Shading.Shadows, lightHash(uint64(light)+1)
	for _, i := range v.met {
		h := &v.hits[i]
		c := t.Emitters[light].From(h.Point)
		weight := c.Cosine(h.Normal)
		if weight > 0 {
			weight = float64(weight * l.Share(c.Axis))
		}
		switch {
		case !(weight > 0):
		case !shadows || c.IsInside():
			v.light[i] = v.light[i].Add(strength.Scale(weight))
			t.noteLight(v, i, lit)
		case h.Inside && l.Directional:
		default:
			t.aimAtPoints(depth, light, i, &c, weight)
			if len(t.area.rays) >= maxAreaRays {
				t.castToPoints(depth, light)
				if t.ctx.Err() != nil {
					return false
				}
			}
		}
	}
	t.castToPoints(depth, light)
	return true
}

// aimAtPoints adds a sample with shadow rays to the points of a light.
func (t *packetTracer) aimAtPoints(depth, light int, i int32, c *arealight.Cap, weight float64) {
	a, h := &t.area, &t.levels[depth].hits[i]
	first := len(a.points)
	set := t.Sampler.Set(t.position(depth, i), sampler.Light(light), depth)
	a.points = c.Points(h.Normal, set, t.Sampler.Points(), a.points)
	a.samples = append(a.samples, areaSample{i, weight, len(a.points)})
	for k := range a.points[first:] {
		p := &a.points[first+k]
		a.rays = t.appendSecondary(a.rays, depth, i, p.Dir)
		a.dist = append(a.dist, p.Reach)
	}
}

// castToPoints traces the shadow rays of the samples that wait for them, and adds the light that arrives.
func (t *packetTracer) castToPoints(depth, light int) {
	a, v, l := &t.area, t.levels[depth], &t.Lights[light]
	strength, lit := l.Strength(), lightHash(uint64(light)+1)
	a.blocked = resize(a.blocked, len(a.rays))
	t.World.Blocked(a.rays, a.dist, a.blocked)
	t.rays.Shadow += int64(len(a.rays))
	k := 0
	for _, s := range a.samples {
		all, visible := 0.0, 0.0
		for ; k < s.end; k++ {
			p := &a.points[k]
			all += p.Weight
			if !a.blocked[k] && !t.HiddenFromInside(&a.rays[k], p.Reach) {
				visible += p.Weight
			}
		}
		if visible == 0 {
			continue
		}
		v.light[s.ray] = v.light[s.ray].Add(strength.Scale(float64(s.weight * (visible / all))))
		if t.noteLight(v, s.ray, lit); visible < all {
			t.notePenumbra(v, s.ray, t.position(depth, s.ray))
		}
	}
	a.samples, a.points, a.rays, a.dist = a.samples[:0], a.points[:0], a.rays[:0], a.dist[:0]
}

// notePenumbra records, if antialiasing is adaptive, that a hit lies in the penumbra of a light. No two pixels see the
// same part of the light, so the hash depends on the pixel; its lower bits keep it apart from those of lights.
func (t *packetTracer) notePenumbra(v *level, ray int32, at sampler.Position) {
	t.noteLight(v, ray, lightHash(uint64(uint32(at.X))<<40^uint64(uint32(at.Y))<<16|0x8000))
}
