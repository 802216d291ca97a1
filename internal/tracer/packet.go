package tracer

import (
	"context"
	"image"
	"iter"
	"slices"

	"pillbox/geom"
	"pillbox/internal/accel"
	"pillbox/internal/accel/prefetch"
	"pillbox/internal/follow"
	"pillbox/internal/outline"
	"pillbox/shade"
)

// packetSide is the largest number of samples of a packet in each direction. scene.MaxAntialias is less, so all samples
// of a pixel fit into one packet.
const packetSide = accel.PacketSide

// packetTracer traces packets of rays through a prepared scene and computes their colors. Each worker
// has one; its slices are reused from packet to packet.
type packetTracer struct {
	*follow.Prepared
	ctx       context.Context // of the call of Render
	adaptive  bool            // whether to record which lights reach each hit
	scattered bool            // there are too many materials for the cache, so they are prefetched
	outline   *outline.Tracer // of the current tile; nil if the scene has no outline
	rays      Rays

	packet       geom.Packet
	side         int         // the packet has side x side samples per pixel
	insideSolids bool        // the rays may start inside different solids
	met          int         // number of camera rays that hit a solid or enter a ghost; if 0, the hits of level 0 are not set
	levels       []*level    // rays and hits at each depth of reflection
	depths       int         // number of levels in use
	entered      []accel.Hit // where the camera rays meet the first ghost

	shadowRays []accel.SecondaryRay
	dist       []float64
	blocked    []bool
	pending    []lightSample
	sky        skyRays
	area       areaTracer
}

func newPacketTracer(ctx context.Context, p *follow.Prepared) *packetTracer {
	return &packetTracer{
		Prepared: p, ctx: ctx, adaptive: p.Adaptive(), outline: outline.New(p),
		scattered: prefetch.Available && p.Scene.Objects.Materials() > cachedMaterials,
	}
}

// cachedMaterials is the number of materials that are likely to stay in a processor's own cache.
const cachedMaterials = 1 << 13

// level holds the rays with the same number of reflections, and their hits. At level 0, these are the
// camera rays.
type level struct {
	rays   []accel.SecondaryRay // reflected rays; not used at level 0
	parent []int32              // for each reflected ray, the index in the previous level of the ray that was reflected

	hits     []accel.Hit   // one for each ray, then those of ghosts
	n        int           // number of rays
	ghosts   []int32       // for each hit of a ghost, the index of its ray; those of a ray are consecutive, the nearest first
	met      []int32       // indices of the hits of solids, including ghosts
	light    []shade.Color // irradiance at the hits
	lit      []uint64      // combined hashes of the lights that reach the hits, if antialiasing is adaptive
	mirrored []shade.Color // colors that mirrors show at the hits
	color    []shade.Color // colors of the rays, multiplied by alpha, then those of ghosts
	alpha    []float64     // at level 0, if there are ghosts: the opacity of each ray's color
}

// ray returns the index of the ray of hit i.
func (v *level) ray(i int32) int32 {
	if int(i) < v.n {
		return i
	}
	return v.ghosts[int(i)-v.n]
}

// begin prepares the level for n rays.
func (v *level) begin(n int) {
	v.hits, v.n, v.ghosts = resize(v.hits, n), n, v.ghosts[:0]
}

// lightSample is a hit that faces the current light. It is lit unless a solid blocks the light.
type lightSample struct {
	ray int32   // index of the ray in its level
	cos float64 // cosine of the angle between the normal and the light, times the share of a spot light's strength
}

// blocks divides a rectangle into squares of the given side, row by row. Those at the right and lower
// edges may be smaller.
func blocks(rect image.Rectangle, side int) iter.Seq[image.Rectangle] {
	return func(yield func(image.Rectangle) bool) {
		for y := rect.Min.Y; y < rect.Max.Y; y += side {
			for x := rect.Min.X; x < rect.Max.X; x += side {
				if !yield(image.Rect(x, y, x+side, y+side).Intersect(rect)) {
					return
				}
			}
		}
	}
}

// trace traces a packet with side x side rays through each pixel of the block, and computes the colors
// of the rays that hit a solid. It returns false, without colors, if the context ends first.
func (t *packetTracer) trace(block image.Rectangle, side int) bool {
	if t.ctx.Err() != nil {
		return false
	}
	t.packet, t.side = t.View.Packet(block, side), side
	first := t.level(0)
	first.begin(t.packet.Len())
	t.rays.Primary += int64(t.packet.Len())
	t.depths = 1
	t.met = t.World.NearestIfAny(&t.packet, first.hits)
	if t.Ghosts != nil {
		t.findGhosts()
	}
	if t.met == 0 {
		return true
	}
	t.insideSolids = t.packet.Parallel && t.World.Near(t.packet.Origins())
	if !t.illuminate(0) {
		return false
	}
	for t.depths <= t.Scene.Shading.Bounces && t.reflect(t.depths-1) {
		if !t.illuminate(t.depths) {
			return false
		}
		t.depths++
	}
	for depth := t.depths - 1; depth >= 0; depth-- {
		t.resolve(depth)
	}
	return true
}

func (t *packetTracer) level(depth int) *level {
	if depth == len(t.levels) {
		t.levels = append(t.levels, &level{})
	}
	return t.levels[depth]
}

// illuminate computes the irradiance at the hits of the level at the given depth: first the ambient light, then that of
// every light in order. It also makes the normals face the rays. It returns false if the context ends first.
func (t *packetTracer) illuminate(depth int) bool {
	v := t.levels[depth]
	v.light = resize(v.light, len(v.hits))
	if t.adaptive {
		v.lit = resize(v.lit, len(v.hits))
		clear(v.lit)
	}
	v.met = v.met[:0]
	last := int32(accel.None)
	ambient := &t.Scene.Shading.Ambient
	isEven := ambient.IsEven()
	for i := range v.hits {
		h := &v.hits[i]
		if h.Object == accel.None {
			continue
		}
		if t.scattered && h.Object != last {
			last = h.Object
			prefetch.Struct(t.material(h)) // for reflect and resolve
		}
		if h.Inside {
			h.Normal = h.Normal.Neg()
		}
		if v.light[i] = ambient.Top; !isEven {
			v.light[i] = t.Ambient(h.Normal)
		}
		v.met = append(v.met, int32(i))
	}
	if t.Scene.Shading.Occlusion.Enabled && !t.occlude(depth) {
		return false
	}
	for i := range t.Lights {
		if t.ctx.Err() != nil {
			return false
		}
		if !t.Emitters[i].HasSize() {
			t.addLight(depth, i)
		} else if !t.addAreaLight(depth, i) {
			return false
		}
	}
	return true
}

// addLight adds the irradiance from one light without a size at the hits of the level at the given depth.
func (t *packetTracer) addLight(depth, light int) {
	v, l := t.levels[depth], &t.Lights[light]
	isSpot, room := l.IsSpot(), t.Room(light)
	strength, shadows, lit := l.Strength(), t.Scene.Shading.Shadows, lightHash(light)
	// Use local slices, and store them in the tracer only at the end. Storing a pointer during a garbage collection is
	// slow, and in wasm a collection lasts as long as the tracer runs.
	rays, dist, pending := t.shadowRays[:0], t.dist[:0], t.pending[:0]
	for _, i := range v.met {
		h := &v.hits[i]
		dir, reach := l.Toward(h.Point)
		cos := shade.Cosine(h.Normal, dir)
		if isSpot && cos > 0 {
			cos = float64(cos * l.Share(dir))
		}
		switch {
		case !(cos > 0):
		case !shadows:
			v.light[i] = v.light[i].Add(strength.Scale(cos))
			t.noteLight(v, i, lit)
		case h.Inside && !room.Holds(h.Object):
		default:
			rays = t.appendSecondary(rays, depth, i, dir)
			dist = append(dist, reach)
			pending = append(pending, lightSample{i, cos})
		}
	}
	blocked := resize(t.blocked, len(rays))
	t.shadowRays, t.dist, t.pending, t.blocked = rays, dist, pending, blocked
	t.ForLight().Blocked(rays, dist, blocked)
	t.rays.Shadow += int64(len(rays))
	for k, a := range pending {
		if !blocked[k] {
			v.light[a.ray] = v.light[a.ray].Add(strength.Scale(a.cos))
			t.noteLight(v, a.ray, lit)
		}
	}
}

// reflect traces the rays that mirrors reflect at the hits of the level at the given depth. These rays become the next
// level. reflect reports whether any of them hits a solid.
func (t *packetTracer) reflect(depth int) bool {
	v, next := t.levels[depth], t.level(depth+1)
	rays, parent := next.rays[:0], next.parent[:0]
	for _, i := range v.met {
		if h := &v.hits[i]; t.material(h).Mirror > 0 { // no ghost is a mirror
			rays = t.appendSecondary(rays, depth, i, shade.Reflect(t.dir(depth, i), h.Normal))
			parent = append(parent, i)
		}
	}
	next.rays, next.parent = rays, parent
	if len(rays) == 0 {
		return false
	}
	next.begin(len(next.rays))
	t.World.Reflected(next.rays, next.hits)
	t.rays.Mirror += int64(len(next.rays))

	v.mirrored = resize(v.mirrored, len(v.hits))
	met, meetsLights := false, t.MeetsLights()
	for i := range next.hits {
		switch {
		case meetsLights && t.meetLight(v, next, i):
		case next.hits[i].Object != accel.None:
			met = true
		default:
			v.mirrored[next.parent[i]], _ = t.Background(next.rays[i].Ray.Dir)
		}
	}
	if t.Ghosts != nil {
		for i := range next.rays {
			t.findGhostsBefore(next, int32(i), next.rays[i].Ray)
		}
	}
	return met || len(next.ghosts) > 0
}

// meetLight ends reflected ray i of the level next at the nearest visible light that it meets before its hit, and sets what the
// mirror in the level v shows. It returns false if the ray meets no light.
func (t *packetTracer) meetLight(v, next *level, i int) bool {
	r := next.rays[i].Ray
	light, at, ok := t.LightMet(r, next.hits[i].T)
	if ok {
		next.hits[i] = follow.LightHit(at)
		v.mirrored[next.parent[i]] = t.Glow(light, r.Dir)
	}
	return ok
}

// resolve computes the colors of the rays of the level at the given depth, from the irradiance at their hits and from
// the colors that mirrors show there. It passes the colors to the mirrors of the previous level.
func (t *packetTracer) resolve(depth int) {
	v := t.levels[depth]
	v.color = resize(v.color, len(v.hits))
	for _, i := range v.met {
		m := t.material(&v.hits[i])
		albedo := m.Albedo
		if m.Checker != nil || v.hits[i].Face > 0 { // the call is too large to be inlined
			albedo = t.Albedo(&v.hits[i])
		}
		c := shade.Lambert(albedo, v.light[i])
		if m.Mirror > 0 && depth < t.Scene.Shading.Bounces {
			c = c.Mix(v.mirrored[i], m.Mirror)
		}
		if depth == 0 {
			if t.Fog != nil { // the call is too large to be inlined
				c = t.Fogged(c, v.hits[i].Point)
			}
		} else if int(i) < v.n {
			t.levels[depth-1].mirrored[v.parent[i]] = c
		}
		v.color[i] = c
	}
	if len(v.ghosts) > 0 {
		t.veil(depth)
	}
}

// meets reports whether ray i of the packet hits a solid. It may enter ghosts even if it hits none.
func (t *packetTracer) meets(i int) bool {
	return t.met > 0 && t.levels[0].hits[i].Object != accel.None
}

func (t *packetTracer) material(h *accel.Hit) *shade.Material {
	return t.Scene.Objects.Material(int(h.Object))
}

// dir returns the direction of the ray of hit i of the level at the given depth.
func (t *packetTracer) dir(depth int, i int32) geom.Vec3 {
	v := t.levels[depth]
	i = v.ray(i)
	if depth > 0 {
		return v.rays[i].Ray.Dir
	}
	return t.packet.At(int(i)).Dir
}

// appendSecondary appends a secondary ray from hit i of the level at the given depth. It sets each field,
// because appending a composite value would copy it once more.
func (t *packetTracer) appendSecondary(rays []accel.SecondaryRay, depth int, i int32, dir geom.Vec3) []accel.SecondaryRay {
	h := &t.levels[depth].hits[i]
	rays = resize(rays, len(rays)+1)
	d := &rays[len(rays)-1]
	d.Ray.Origin, d.Ray.Dir = h.Point, dir
	d.Object, d.Inside = h.Object, h.Inside
	d.Eye = t.eyeOf(depth, i)
	return rays
}

// eyeOf returns the solids around the eye for the ray of hit i of the level at the given depth: those that contain the origin of
// the camera ray that led, through reflections, to this ray.
func (t *packetTracer) eyeOf(depth int, i int32) []int32 {
	switch {
	case depth > 0:
		return t.levels[depth].rays[t.levels[depth].ray(i)].Eye
	case t.insideSolids:
		return t.World.Enclosing(t.packet.At(int(t.levels[0].ray(i))).Origin)
	}
	return t.Eye
}

// resize returns s with length n. The elements of s keep their values; the values of additional elements are arbitrary.
func resize[E any](s []E, n int) []E {
	if n <= cap(s) {
		return s[:n]
	}
	return slices.Grow(s, n-len(s))[:n]
}
