package tracer

import (
	"math"

	"pillbox/internal/accel"
	"pillbox/internal/arealight"
	"pillbox/internal/sampler"
)

// areaSample is a hit that faces the current light, which has a size. Solids may block a part of the light, or the
// whole light.
type areaSample struct {
	ray    int32   // index of the ray in its level
	weight float64 // the factor of the light's strength that the hit receives if nothing blocks the light
}

// areaTracer holds the samples of a light with a size. For each sample, it holds the ray to the light's center and the
// cone around this ray. The fields points and blocked are for one sample at a time: the points on the light to which
// shadow rays are cast, and whether each ray is blocked.
type areaTracer struct {
	samples []areaSample
	axes    []accel.SecondaryRay
	cones   []accel.Cone
	caps    []arealight.Cap
	covers  []accel.Cover

	points  arealight.Points
	blocked []bool
}

// addAreaLight adds the irradiance from a light with a size at the hits of the level at the given depth. It returns
// false if the context ends first.
func (t *packetTracer) addAreaLight(depth, light int) bool {
	v, l, e, a := t.levels[depth], &t.Lights[light], &t.Emitters[light], &t.area
	strength, shadows, lit := l.Strength(), t.Scene.Shading.Shadows, lightHash(light)
	isSpot := l.IsSpot()
	a.reserve(len(v.met))
	samples, axes, cones, caps := a.samples, a.axes[:0], a.cones, a.caps // local, as in addLight
	n := 0
	for _, i := range v.met {
		h, c := &v.hits[i], &caps[n]
		c.Aim(e, h.Point)
		weight := c.Cosine(h.Normal)
		if isSpot && weight > 0 {
			weight = float64(weight * l.Share(c.Axis))
		}
		switch {
		case !(weight > 0):
		case !shadows || c.IsInside():
			v.light[i] = v.light[i].Add(strength.Scale(weight))
			t.noteLight(v, i, lit)
		case h.Inside && l.Directional:
		default:
			near, far := c.Between()
			samples[n] = areaSample{ray: i, weight: weight}
			axes = t.appendSecondary(axes, depth, i, c.Axis)
			cones[n] = accel.Cone{Sin: c.Sin, Cos: c.Cos, Near: near, Far: far}
			n++
		}
	}
	a.samples, a.axes, a.cones = samples[:n], axes, cones[:n]
	return t.castToLight(depth, light)
}

// reserve makes room for n samples.
func (a *areaTracer) reserve(n int) {
	a.samples, a.axes = resize(a.samples, n), resize(a.axes, n)
	a.cones, a.caps = resize(a.cones, n), resize(a.caps, n)
}

// castToLight adds the light that arrives at the samples. It casts shadow rays only from points where solids may hide a
// part of the light. It returns false if the context ends first.
func (t *packetTracer) castToLight(depth, light int) bool {
	a, v := &t.area, t.levels[depth]
	strength, lit := t.Lights[light].Strength(), lightHash(light)
	a.covers, a.blocked = resize(a.covers, len(a.axes)), resize(a.blocked, t.Sampler.Points())
	t.rays.Shadow += int64(len(a.axes)) * int64(t.Sampler.Points())
	alive := true
	t.ForLight().Cover(&t.AreaLights[light], a.axes, a.cones, a.covers, func(k int, trace accel.TraceFan) bool {
		t.castToPoints(depth, light, k, trace)
		alive = t.ctx.Err() == nil
		return alive
	})
	room := t.Room(light)
	for k, s := range a.samples {
		switch {
		case !alive || a.covers[k] != accel.Open:
		case a.axes[k].Inside && !room.Holds(a.axes[k].Object):
			// No other solid hides the light here, but the solid in which the shadow rays start may.
			t.castToPoints(depth, light, k, func(_ *sampler.Directions, _ []float64, blocked []bool) { clear(blocked) })
		default:
			v.light[s.ray] = v.light[s.ray].Add(strength.Scale(s.weight))
			t.noteLight(v, s.ray, lit)
		}
	}
	return alive
}

// castToPoints casts shadow rays from sample k to points of a light and adds the light that arrives.
func (t *packetTracer) castToPoints(depth, light, k int, trace accel.TraceFan) {
	a, v, s := &t.area, t.levels[depth], &t.area.samples[k]
	set := t.Sampler.Set(t.position(depth, s.ray), sampler.Light(light), depth)
	a.caps[k].Points(v.hits[s.ray].Normal, set, t.Sampler.Points(), &a.points)
	blocked := a.blocked[:a.points.Len()]
	trace(&a.points.Dirs, a.points.Reach, blocked)
	if a.axes[k].Inside {
		t.hideFromInside(k, blocked)
	}
	all, visible := sums(a.points.Weight, blocked)
	if visible == 0 {
		return
	}
	lit := lightHash(light)
	v.light[s.ray] = v.light[s.ray].Add(t.Lights[light].Strength().Scale(float64(s.weight * (visible / all))))
	if t.noteLight(v, s.ray, lit); visible < all {
		t.notePartly(v, s.ray, lit, t.position(depth, s.ray))
	}
}

// hideFromInside marks the points that are hidden by the solid in which the shadow rays from sample k start.
func (t *packetTracer) hideFromInside(k int, blocked []bool) {
	p, d := &t.area.points, t.area.axes[k]
	for j := range blocked {
		if !blocked[j] {
			d.Ray.Dir = p.Dirs.At(j)
			blocked[j] = t.HiddenFromInside(&d, p.Reach[j])
		}
	}
}

// sums returns the sum of all weights and the sum of the weights of the points that are not blocked. It has no branches:
// they would be unpredictable. For blocked points it adds 0, which does not change a positive sum.
func sums(weights []float64, blocked []bool) (all, visible float64) {
	blocked = blocked[:len(weights)]
	for j, weight := range weights {
		all += weight
		hidden := uint64(0)
		if blocked[j] {
			hidden = 1
		}
		visible += math.Float64frombits(math.Float64bits(weight) & (hidden - 1))
	}
	return all, visible
}
