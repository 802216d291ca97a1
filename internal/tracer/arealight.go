package tracer

import (
	"slices"

	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/sampler"
)

// areaSample is a ray at whose hit a light with a size contributes unless solids block all of it.
type areaSample struct {
	ray    int32
	weight float64 // the factor of the light's strength that the hit receives if nothing blocks the light
	end    int     // if shadow rays are cast: its points are those before this index and after the previous sample's points
}

// areaTracer holds the samples of a light with a size: the rays to its center, the cones around these rays, and the
// shadow rays of the samples that need them.
type areaTracer struct {
	samples []areaSample
	axes    []accel.SecondaryRay
	cones   []accel.Cone
	caps    []arealight.Cap
	covers  []accel.Cover
	points  []arealight.Point
	rays    []accel.SecondaryRay
	dist    []float64
	blocked []bool
}

// areaBatch is how many shadow rays of a light with a size are collected, at least, before they are traced together.
const areaBatch = 1 << 12

// addAreaLight is addLight for a light with a size. It returns false if the context ends first.
func (t *packetTracer) addAreaLight(depth, light int) bool {
	v, l := t.levels[depth], &t.Lights[light]
	strength, shadows, lit := l.Strength(), t.Scene.Shading.Shadows, lightHash(light)
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
			t.aimAtLight(depth, i, &c, weight)
		}
	}
	return t.castToLight(depth, light)
}

// aimAtLight adds a sample for the hit of ray i, at which solids may hide the light. c holds the directions
// toward the light.
func (t *packetTracer) aimAtLight(depth int, i int32, c *arealight.Cap, weight float64) {
	a := &t.area
	a.axes = t.appendSecondary(a.axes, depth, i, c.Axis)
	near, far := c.Between()
	a.cones = append(a.cones, accel.Cone{Sin: c.Sin, Cos: c.Cos, Near: near, Far: far})
	a.caps = append(a.caps, *c)
	a.samples = append(a.samples, areaSample{ray: i, weight: weight})
}

// castToLight adds the light that arrives at the samples. It casts shadow rays only from points where solids may hide a
// part of the light. It returns false if the context ends first.
func (t *packetTracer) castToLight(depth, light int) bool {
	a, v, l := &t.area, t.levels[depth], &t.Lights[light]
	strength, lit := l.Strength(), lightHash(light)
	a.covers = resize(a.covers, len(a.axes))
	t.World.Cover(&t.AreaLights[light], a.axes, a.cones, a.covers)
	t.rays.Shadow += int64(len(a.axes)) * int64(t.Sampler.Points())
	open := a.samples[:0]
	for k, s := range a.samples {
		cover := a.covers[k]
		if cover == accel.Open && a.axes[k].Inside && !slices.Contains(t.AreaLights[light].Within, a.axes[k].Object) {
			cover = accel.Partial
		}
		switch cover {
		case accel.Open:
			v.light[s.ray] = v.light[s.ray].Add(strength.Scale(s.weight))
			t.noteLight(v, s.ray, lit)
		case accel.Partial:
			open = append(open, s)
			t.aimAtPoints(depth, light, &open[len(open)-1], &a.caps[k])
		}
		if len(a.rays) >= areaBatch {
			t.castToPoints(depth, light, open)
			open = open[:0]
			if t.ctx.Err() != nil {
				return false
			}
		}
	}
	t.castToPoints(depth, light, open)
	a.samples, a.axes, a.cones, a.caps = a.samples[:0], a.axes[:0], a.cones[:0], a.caps[:0]
	return true
}

// aimAtPoints adds the shadow rays of a sample to the points of a light.
func (t *packetTracer) aimAtPoints(depth, light int, s *areaSample, c *arealight.Cap) {
	a, i := &t.area, s.ray
	first := len(a.points)
	set := t.Sampler.Set(t.position(depth, i), sampler.Light(light), depth)
	a.points = c.Points(t.levels[depth].hits[i].Normal, set, t.Sampler.Points(), a.points)
	s.end = len(a.points)
	for k := range a.points[first:] {
		p := &a.points[first+k]
		a.rays = t.appendSecondary(a.rays, depth, i, p.Dir)
		a.dist = append(a.dist, p.Reach)
	}
}

// castToPoints traces the shadow rays of samples and adds the light that arrives.
func (t *packetTracer) castToPoints(depth, light int, samples []areaSample) {
	a, v, l := &t.area, t.levels[depth], &t.Lights[light]
	strength, lit := l.Strength(), lightHash(light)
	a.blocked = resize(a.blocked, len(a.rays))
	t.World.Blocked(a.rays, a.dist, a.blocked)
	k := 0
	for _, s := range samples {
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
			t.notePartly(v, s.ray, lit, t.position(depth, s.ray))
		}
	}
	a.points, a.rays, a.dist = a.points[:0], a.rays[:0], a.dist[:0]
}
